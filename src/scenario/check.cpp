// What came out of a run against what its scenario expects.
#include <fmt/format.h>

#include "scenario/run.hpp"

namespace tensim::scenario {
namespace {

using tensix::Coprocessor;

class Check {
 public:
  Check(const Scenario& scenario, const Coprocessor& coprocessor, Outcome& outcome)
      : scenario_(scenario), coprocessor_(coprocessor), outcome_(outcome) {}

  void run() {
    const Expectations& expect = scenario_.expect;
    if (expect.outcome) compare("outcome", name(*expect.outcome), name(outcome_.kind));
    if (expect.cycles) compare("cycles", *expect.cycles, outcome_.cycles);
    check_threads();
    check_sync_unit();
    for (const auto& [place, value] : expect.gprs)
      compare(fmt::format("GPR {} of T{}", place.second, place.first), fmt::format("{:#x}", value),
              fmt::format("{:#x}", coprocessor_.gprs.value[place.first][place.second]));
  }

 private:
  void fail(std::string what) { outcome_.failed_expectations.push_back(std::move(what)); }

  template <class T, class U>
  void compare(std::string_view what, const T& expected, const U& actual) {
    if (expected != actual) fail(fmt::format("{}: expected {}, was {}", what, expected, actual));
  }

  void check_threads() {
    const Expectations& expect = scenario_.expect;
    for (unsigned thread = 0; thread < thread_count; ++thread) {
      const explain::ThreadResult& result = outcome_.threads[thread];
      if (expect.issued[thread])
        compare(fmt::format("instructions issued by T{}", thread), *expect.issued[thread], result.issued);
      if (expect.last_issue[thread])
        compare(fmt::format("last issue of T{}", thread), fmt::format("{}", *expect.last_issue[thread]),
                result.last_issue ? fmt::format("{}", *result.last_issue) : "never");
    }
  }

  static std::string owner_name(int owner) { return owner < 0 ? "nobody" : fmt::format("T{}", owner); }

  void check_sync_unit() {
    for (const auto& [index, state] : scenario_.expect.semaphores) {
      const tensix::Semaphore& semaphore = coprocessor_.sync.semaphores()[index];
      compare(fmt::format("value of semaphore {}", index), unsigned{state.value}, unsigned{semaphore.value});
      compare(fmt::format("maximum of semaphore {}", index), unsigned{state.max}, unsigned{semaphore.max});
    }
    for (const auto& [index, owner] : scenario_.expect.mutexes) {
      const std::uint8_t actual = coprocessor_.sync.mutex_owner[index];
      compare(fmt::format("owner of mutex {}", index), owner_name(owner),
              owner_name(actual == tensix::SyncUnit::nobody ? -1 : int{actual}));
    }
  }

  const Scenario& scenario_;
  const Coprocessor& coprocessor_;
  Outcome& outcome_;
};

}  // namespace

void check(const Scenario& scenario, const tensix::Coprocessor& coprocessor, Outcome& outcome) {
  Check(scenario, coprocessor, outcome).run();
}

}  // namespace tensim::scenario
