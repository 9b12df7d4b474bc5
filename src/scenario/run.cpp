#include "scenario/run.hpp"

#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include "explain/tile_outcome.hpp"
#include "scenario/core_access.hpp"
#include "scenario/tile_run.hpp"
#include "tile/devices.hpp"

namespace tensim::scenario {
namespace {

using tensix::Coprocessor;
using tensix::Entry;

/// Notes each thread's last issue, and hands everything on.
class IssueRecorder : public event::Observer {
 public:
  explicit IssueRecorder(event::Observer* next) : next_(next) {}
  void issued(std::uint64_t cycle, unsigned thread, std::uint32_t word, std::uint32_t origin) override {
    last_issue[thread] = cycle;
    if (next_ != nullptr) next_->issued(cycle, thread, word, origin);
  }
  void held(std::uint64_t cycle, std::uint64_t count, unsigned thread, event::Stall stall,
            std::uint32_t word) override {
    if (next_ != nullptr) next_->held(cycle, count, thread, stall, word);
  }
  std::array<std::optional<Cycle>, thread_count> last_issue;

 private:
  event::Observer* next_;
};

/// The word's place in its program is its origin.
std::vector<Entry> entries_of(const ThreadProgram& program, std::size_t from) {
  std::vector<Entry> entries;
  for (std::size_t i = from; i < program.words.size(); ++i)
    entries.push_back(Entry::pushed(program.words[i].word, static_cast<std::uint32_t>(i)));
  return entries;
}

class Run {
 public:
  Run(const Scenario& scenario, const RunOptions& options, Coprocessor& coprocessor)
      : scenario_(scenario),
        options_(options),
        coprocessor_(coprocessor),
        devices_(scenario.arch),
        recorder_(options.observer),
        budget_(options.budget.value_or(scenario.budget)) {}

  Outcome run() {
    set_up();
    while (true) {
      if (coprocessor_.now >= budget_) return finish(OutcomeKind::budget_exhausted);
      if (!do_loads()) return finish(OutcomeKind::faulted);
      coprocessor_.step();
      if (coprocessor_.fault) return finish(OutcomeKind::faulted);
      if (!do_stores()) return finish(OutcomeKind::faulted);
      feed();
      if (coprocessor_.changed()) continue;
      const Cycle next = std::min({coprocessor_.next_event(), next_feed(), next_action()});
      if (next == tensix::never) break;
      if (!options_.lockstep && next > coprocessor_.now) coprocessor_.skip_to(std::min(next, budget_));
    }
    // Nothing will ever happen again: either all is done, or this is a proof of deadlock.
    const bool done = coprocessor_.is_idle() && std::ranges::all_of(fed_, [&, thread = 0U](std::size_t fed) mutable {
                        return fed == scenario_.threads[thread++].words.size();
                      });
    return finish(done ? OutcomeKind::finished : OutcomeKind::deadlocked);
  }

 private:
  void set_up() {
    coprocessor_.observer = &recorder_;
    done_actions_.resize(scenario_.actions.size());
    coprocessor_.evaluate_in(options_.evaluation_order);
    tensix::fill(coprocessor_, options_.fill.value_or(scenario_.fill));
    for (const auto& [index, state] : scenario_.semaphores) {
      coprocessor_.sync.set_semaphore(index, {state.value, state.max});
      coprocessor_.written.semaphores |= static_cast<std::uint8_t>(1U << index);
    }
    for (const auto& [index, owner] : scenario_.mutexes)
      if (owner >= 0) coprocessor_.sync.acquire(index, static_cast<unsigned>(owner));
    for (const auto& [place, value] : scenario_.gprs) {
      coprocessor_.gprs.value[place.first][place.second] = value;
      coprocessor_.written.add_gpr(place.first, place.second);
    }
    for (const auto& [index, counts] : scenario_.streams)
      coprocessor_.streams[index] = counts;
    if (scenario_.src_a_valid) coprocessor_.src.hand_to_matrix(tensix::Src::a);
    if (scenario_.src_b_valid) coprocessor_.src.hand_to_matrix(tensix::Src::b);
    for (const auto& [thread, word, value] : scenario_.thread_config)
      coprocessor_.write_thread_config({static_cast<std::uint8_t>(thread), static_cast<std::uint8_t>(word), value});
    for (const auto& [thread, words] : scenario_.mop_config)
      for (unsigned word = 0; word < words.size(); ++word)
        coprocessor_.frontends[thread].set_mop_word(word, words[word]);
  }

  /// One word per thread, when it is due and the push FIFO takes it.
  void feed() {
    const Cycle cycle = coprocessor_.now - 1;  // the one just stepped
    for (unsigned thread = 0; thread < thread_count; ++thread) {
      const ThreadProgram& program = scenario_.threads[thread];
      if (fed_[thread] == program.words.size() || cycle < due_[thread] || cycle < program.start ||
          !coprocessor_.can_push(thread))
        continue;
      coprocessor_.push(thread, program.words[fed_[thread]].word, static_cast<std::uint32_t>(fed_[thread]));
      ++fed_[thread];
      due_[thread] = cycle + program.cycles_per_word;
    }
  }

  Cycle next_feed() const {
    Cycle next = tensix::never;
    for (unsigned thread = 0; thread < thread_count; ++thread) {
      const ThreadProgram& program = scenario_.threads[thread];
      if (fed_[thread] == program.words.size() || !coprocessor_.can_push(thread)) continue;
      next = std::min(next, std::max(due_[thread], program.start));
    }
    return next;
  }

  // The cores' accesses that are due, each core in order and one per cycle. False if one cannot be done at all.

  /// Those of the coming cycle: they see what landed in the cycles before it.
  bool do_loads() {
    busy_cores_ = hung_cores_;
    return act(coprocessor_.now, [](const CoreAction& action) { return !action.is_store; });
  }

  /// Those of the cycle just stepped: the coprocessor sees them from the next on.
  bool do_stores() {
    retrying_.clear();
    return act(coprocessor_.now - 1, &CoreAction::is_store);
  }

  template <class Concerns>
  bool act(Cycle cycle, Concerns concerns) {
    std::uint8_t looked_at = busy_cores_;
    for (std::size_t i = 0; i < scenario_.actions.size() && scenario_.actions[i].cycle <= cycle; ++i) {
      const CoreAction& action = scenario_.actions[i];
      if (done_actions_[i] || (looked_at & action.core) != 0) continue;
      looked_at |= action.core;
      if (!std::invoke(concerns, action)) continue;
      busy_cores_ |= action.core;
      if (!act(i, cycle)) return false;
    }
    return true;
  }

  bool act(std::size_t index, Cycle cycle) {
    const CoreAction& action = scenario_.actions[index];
    const tile::Access access = access_of(action, cycle);
    const tile::Answer result =
        action.is_store ? tile::store(devices_, coprocessor_, access) : tile::load(devices_, coprocessor_, access);
    if (result.fault != tile::AccessFault::none) {
      outcome_.core_fault = explain::CoreFault{access, result.fault, result.region};
      return false;
    }
    if (result.wait == tile::Wait::for_ever) {
      hung_cores_ |= action.core;
      outcome_.stuck_cores.push_back(stuck_at(action, access, result.wait));
      return true;
    }
    if (result.wait != tile::Wait::none) {
      retrying_.push_back(stuck_at(action, access, result.wait));
      return true;
    }
    done_actions_[index] = true;
    if (!action.is_store && action.checks && result.value != action.value)
      fail(fmt::format("load of {:#010x} in cycle {}: expected {:#x}, was {:#x}", action.address, cycle, action.value,
                       result.value));
    return true;
  }

  static explain::StuckCore stuck_at(const CoreAction& action, const tile::Access& access, tile::Wait wait) {
    return {.core = access.core,
            .scripted = explain::StuckAccess{.access = access, .wait = wait, .cycle = action.cycle}};
  }

  /// When a core next does something. One that waits for the coprocessor does not by itself.
  Cycle next_action() const {
    std::uint8_t waiting = hung_cores_;
    for (const explain::StuckCore& core : retrying_)
      waiting |= tile::bit(core.core);
    for (std::size_t i = 0; i < scenario_.actions.size(); ++i)
      if (!done_actions_[i] && (waiting & scenario_.actions[i].core) == 0)
        return std::max(scenario_.actions[i].cycle, coprocessor_.now);
    return tensix::never;
  }

  void fail(std::string what) { outcome_.failed_expectations.push_back(std::move(what)); }

  Outcome finish(OutcomeKind kind) {
    outcome_.kind = kind;
    outcome_.ended_at = coprocessor_.now;
    outcome_.fault = coprocessor_.fault;
    outcome_.reports = coprocessor_.reports;
    if (kind == OutcomeKind::finished || kind == OutcomeKind::deadlocked)
      explain::add_open_recordings(coprocessor_, outcome_);
    if (kind == OutcomeKind::deadlocked)
      outcome_.stuck_cores.insert(outcome_.stuck_cores.end(), retrying_.begin(), retrying_.end());
    if (!outcome_.stuck_cores.empty() && kind == OutcomeKind::finished) outcome_.kind = OutcomeKind::deadlocked;
    for (unsigned thread = 0; thread < thread_count; ++thread) {
      explain::ThreadResult& result = outcome_.threads[thread];
      result.account = coprocessor_.accounts[thread];
      result.issued = result.account[event::Stall::issued];
      result.last_issue = recorder_.last_issue[thread];
      result.wait_left =
          coprocessor_.gates.latches[thread].is_valid() && !coprocessor_.frontends[thread].has_candidate();
      if (result.last_issue) outcome_.cycles = std::max(outcome_.cycles, *result.last_issue + 1);
    }
    explain_stuck_agents();
    check(scenario_, coprocessor_, outcome_);
    coprocessor_.observer = nullptr;
    return std::move(outcome_);
  }

  /// The whole graph if nothing moves any more; while others run, only those that can never proceed (ruling 11).
  void explain_stuck_agents() {
    if (outcome_.kind == OutcomeKind::finished || outcome_.kind == OutcomeKind::faulted) return;
    std::array<std::vector<Entry>, thread_count> to_come;
    for (unsigned thread = 0; thread < thread_count; ++thread)
      to_come[thread] = entries_of(scenario_.threads[thread], fed_[thread]);
    insight::Outside outside;
    for (std::size_t i = 0; i < scenario_.actions.size(); ++i)
      if (!done_actions_[i]) core_access_to_come(scenario_.actions[i], to_come, outside.core_stores);
    for (unsigned thread = 0; thread < thread_count; ++thread)
      outside.remaining[thread] =
          insight::remaining_words(scenario_.arch, coprocessor_.frontends[thread], to_come[thread]);
    outcome_.graph = insight::wait_for_graph(coprocessor_, outside);
    if (outcome_.kind == OutcomeKind::budget_exhausted)
      outcome_.graph = insight::only_for_ever(std::move(outcome_.graph));
  }

  /// Notes what an access that has not been done would do for the threads.
  void core_access_to_come(const CoreAction& action, std::array<std::vector<Entry>, thread_count>& words,
                           std::vector<insight::CoreStore>& stores) const {
    const bool hangs = (hung_cores_ & action.core) != 0;
    if (const auto thread = pushed_thread(scenario_.arch, action); thread && !hangs)
      words[*thread].push_back(Entry::pushed(action.value, no_origin));
    if (const auto word = semaphore_instruction(scenario_.arch, action)) {
      const bool stuck = hangs || outcome_.kind == OutcomeKind::deadlocked;
      stores.push_back({core_id(action.core), *word, stuck});
    }
  }

  const Scenario& scenario_;
  const RunOptions& options_;
  Coprocessor& coprocessor_;
  tile::Devices devices_;
  IssueRecorder recorder_;
  Cycle budget_;
  std::array<std::size_t, thread_count> fed_{};
  std::array<Cycle, thread_count> due_{};
  std::vector<bool> done_actions_;
  std::vector<explain::StuckCore> retrying_;  // cores whose access of the last cycle must be tried again
  std::uint8_t hung_cores_ = 0;
  std::uint8_t busy_cores_ = 0;  // have done their access of the cycle, or hang
  Outcome outcome_;
};

}  // namespace

Outcome run(const Scenario& scenario, const RunOptions& options, Coprocessor* coprocessor) {
  if (scenario.runs_cores()) return run_tile(scenario, options, coprocessor);
  Coprocessor own(std::make_shared<const tensix::UnitTiming>(timing_of(scenario)));
  Outcome outcome = Run(scenario, options, own).run();
  if (coprocessor != nullptr) *coprocessor = own;
  return outcome;
}

}  // namespace tensim::scenario
