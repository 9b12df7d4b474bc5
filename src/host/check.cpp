// What came out of a run against what its scenario expects.
#include <fmt/format.h>

#include "host/run.hpp"

namespace tensim::host {

using tensix::Coprocessor;

namespace {

class Check {
 public:
  Check(const Scenario& of, const Coprocessor& state, Outcome& into)
      : scenario_(of), coprocessor_(state), outcome_(into) {}

  void fail(std::string what) { outcome_.failed_expectations.push_back(std::move(what)); }

  template <class T, class U>
  void compare(std::string_view what, const T& expected, const U& actual) {
    if (expected != actual) fail(fmt::format("{}: expected {}, was {}", what, expected, actual));
  }

  static std::string owner_name(int owner) { return owner < 0 ? "nobody" : fmt::format("T{}", owner); }

  void check_stuck(const std::string& agent_name, const std::vector<std::string>& texts) {
    std::string explanation;
    for (const insight::StuckAgent& agent : outcome_.graph.agents)
      if (agent.name == agent_name)
        for (const std::string& line : explain(scenario_, agent))
          explanation += line + "\n";
    for (const StuckCore& core : outcome_.stuck_cores)
      if (core.name == agent_name) explanation += explain(core);
    if (explanation.empty()) return fail(fmt::format("{} is not stuck", agent_name));
    for (const std::string& text : texts)
      if (explanation.find(text) == std::string::npos)
        fail(fmt::format("the explanation of {} does not say \"{}\"", agent_name, text));
  }

  const Scenario& scenario_;
  const Coprocessor& coprocessor_;
  Outcome& outcome_;
};

}  // namespace

void check(const Scenario& scenario_, const Coprocessor& coprocessor_, Outcome& outcome_) {
  Check(scenario, coprocessor, outcome).run();
}

}  // namespace tensim::host
