#include "scenario/run.hpp"

#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include "isa/disassemble.hpp"
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
      outcome_.core_fault = CoreFault{action, describe(result.fault, access, result.region)};
      return false;
    }
    if (result.wait == tile::Wait::for_ever) {
      hung_cores_ |= action.core;
      outcome_.stuck_cores.push_back(
          {std::string(core_name(action.core)), action, true, describe(result.wait, access)});
      return true;
    }
    if (result.wait != tile::Wait::none) {
      retrying_.push_back({std::string(core_name(action.core)), action, false, reason(result.wait, access)});
      return true;
    }
    done_actions_[index] = true;
    if (!action.is_store && action.checks && result.value != action.value)
      fail(fmt::format("load of {:#010x} in cycle {}: expected {:#x}, was {:#x}", action.address, cycle, action.value,
                       result.value));
    return true;
  }

  /// When a core next does something. One that waits for the coprocessor does not by itself.
  Cycle next_action() const {
    std::uint8_t waiting = hung_cores_;
    for (const StuckCore& core : retrying_)
      waiting |= core.action.core;
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
    if (kind == OutcomeKind::finished || kind == OutcomeKind::deadlocked) add_open_recordings(coprocessor_, outcome_);
    if (kind == OutcomeKind::deadlocked)
      outcome_.stuck_cores.insert(outcome_.stuck_cores.end(), retrying_.begin(), retrying_.end());
    if (!outcome_.stuck_cores.empty() && kind == OutcomeKind::finished) outcome_.kind = OutcomeKind::deadlocked;
    for (unsigned thread = 0; thread < thread_count; ++thread) {
      ThreadResult& result = outcome_.threads[thread];
      result.account = coprocessor_.accounts[thread];
      result.issued = result.account[event::Stall::issued];
      result.last_issue = recorder_.last_issue[thread];
      result.wait_left = coprocessor_.gates.latches[thread].is_valid() && !coprocessor_.frontends[thread].has_candidate();
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
    std::vector<insight::CoreStore> core_stores;
    for (std::size_t i = 0; i < scenario_.actions.size(); ++i)
      if (!done_actions_[i]) core_access_to_come(scenario_.actions[i], to_come, core_stores);
    insight::RemainingWords remaining;
    for (unsigned thread = 0; thread < thread_count; ++thread)
      remaining[thread] = insight::remaining_words(scenario_.arch, coprocessor_.frontends[thread], to_come[thread]);
    outcome_.graph = insight::wait_for_graph(coprocessor_, remaining, core_stores);
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
      stores.push_back({std::string(core_name(action.core)), *word, stuck});
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
  std::vector<StuckCore> retrying_;  // cores whose access of the last cycle must be tried again
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

void add_open_recordings(const Coprocessor& coprocessor, Outcome& outcome) {
  const std::vector<tensix::Report> open = coprocessor.open_recordings();
  outcome.reports.insert(outcome.reports.end(), open.begin(), open.end());
}

std::string describe(const Scenario& scenario, unsigned thread, const Entry& entry) {
  std::string text = to_text(isa::decode(scenario.arch, entry.word), isa::Syntax::brief);
  if (scenario.runs_cores()) return fmt::format("{} (pushed at {})", text, pushed_at(scenario, thread, entry));
  const ThreadProgram& program = scenario.threads[thread];
  if (entry.origin() >= program.words.size()) return text;
  const isa::AssembledWord& source = program.words[entry.origin()];
  if (program.files[source.file] == scenario.file) return fmt::format("{} (line {})", text, source.line);
  return fmt::format("{} ({}:{})", text, program.files[source.file], source.line);
}

namespace {

/// Why `releaser`, stuck itself, will not come.
std::string explain_stuck(const Scenario& scenario, const insight::Releaser& releaser) {
  if (!releaser.core.empty()) return fmt::format("{} would do it with a store, but is stuck itself", releaser.core);
  const std::string instruction = describe(scenario, *releaser.thread, *releaser.instruction);
  const std::string why = releaser.waits_for.empty() ? "" : ": " + releaser.waits_for;
  if (releaser.unpacker) return fmt::format("unpacker {} does not finish {}{}", *releaser.unpacker, instruction, why);
  if (releaser.held_at == releaser.instruction)
    return fmt::format("T{} would do it with {}, which is held itself{}", *releaser.thread, instruction, why);
  const std::string where =
      releaser.held_at ? " at " + describe(scenario, *releaser.thread, *releaser.held_at) : std::string();
  return fmt::format("T{} would do it with {}, but is itself held{}{}", *releaser.thread, instruction, where, why);
}

/// Why `releaser` will not end the wait of `agent` for `condition`.
std::string explain(const Scenario& scenario, const insight::StuckAgent& agent,
                    const insight::UnmetCondition& condition, const insight::Releaser& releaser) {
  using Reason = insight::Releaser::Reason;
  switch (releaser.reason) {
    case Reason::behind_itself:
      if (releaser.instruction == agent.instruction) return "the wait holds back the very instruction that would do it";
      return fmt::format("its own {} stands behind it and cannot pass",
                         describe(scenario, *releaser.thread, *releaser.instruction));
    case Reason::stuck: return explain_stuck(scenario, releaser);
    case Reason::coming:
      if (!releaser.core.empty()) return fmt::format("{} will do it with a store", releaser.core);
      if (!releaser.instruction) return "that is under way";
      return fmt::format("T{} will do it with {}", *releaser.thread,
                         describe(scenario, *releaser.thread, *releaser.instruction));
    case Reason::none_left: return fmt::format("nobody will come: no {} is left", condition.needs);
    case Reason::never: return "nothing can change that: it waits for ever";
  }
  return "";
}

}  // namespace

std::vector<std::string> explain(const Scenario& scenario, const insight::StuckAgent& agent) {
  std::vector<std::string> lines;
  lines.push_back(fmt::format("{} is held {} {}: {}", agent.name, agent.unpacker ? "in the middle of" : "at",
                              describe(scenario, agent.thread, agent.instruction), name(agent.stall)));
  if (agent.latched_by)
    lines.push_back(fmt::format("  by the latched {}", describe(scenario, agent.thread, *agent.latched_by)));
  for (const insight::UnmetCondition& condition : agent.unmet) {
    lines.push_back(fmt::format("  {}; {}", condition.what, condition.state));
    for (const insight::Releaser& releaser : condition.releasers)
      lines.push_back("  " + explain(scenario, agent, condition, releaser));
  }
  return lines;
}

std::string explain(const StuckCore& core) {
  if (!core.lines.empty()) return fmt::format("{}", fmt::join(core.lines, "\n"));
  if (core.hangs) return core.message;
  return fmt::format("{} is stuck at its {} {:#010x} of cycle {}: {}", core.name,
                     core.action.is_store ? "store to" : "load from", core.action.address, core.action.cycle,
                     core.message);
}

std::string explain(const Scenario& scenario, const tensix::Fault& fault) {
  std::string where =
      fmt::format("T{} in cycle {}: {}", fault.thread, fault.cycle, describe(scenario, fault.thread, fault.entry));
  switch (fault.category) {
    case tensix::Fault::Category::undefined_instruction: return where + ": undefined instruction at the Wait Gate";
    case tensix::Fault::Category::not_modelled:
      return where + ": not modelled yet" +
             (fault.issue == tensix::DataIssue::none ? "" : ": " + std::string(text_of(fault.issue)));
    case tensix::Fault::Category::frontend_only:
      return where +
             ": only the frontend understands it, and it reached the Wait Gate (BRISC cannot push MOP; a replay cannot "
             "hold REPLAY)";
  }
  return where;
}

namespace {

/// "GPR 12 of T1"
std::string describe_place(const tensix::Report& report) {
  using tensix::Place;
  switch (report.place) {
    case Place::none: break;
    case Place::gpr: return fmt::format("GPR {} of T{}", report.index, report.owner);
    case Place::config_word: return fmt::format("configuration word {} of bank {}", report.index, report.owner);
    case Place::mop_word: return fmt::format("MopCfg word {} of T{}", report.index, report.owner);
    case Place::replay_slot: return fmt::format("replay slot {} of T{}", report.index, report.owner);
    case Place::semaphore: return fmt::format("semaphore {}", report.index);
  }
  return "state";
}

}  // namespace

std::string explain(const Scenario& scenario, const tensix::Report& report) {
  using Category = tensix::Report::Category;
  const auto text = [&]() -> std::string {
    switch (report.category) {
      case Category::mux_drop: return "lost at the mux: BRISC pushed in the same cycle";
      case Category::rdcfg_dropped: return "lost: several threads presented RDCFG in one cycle";
      case Category::inline_mop_count: return "MOP with loop counts of its own: documented by the YAML alone";
      case Category::replay_count: return "REPLAY of more than 32: only the low five bits count";
      case Category::semwait_no_condition:
        return "SEMWAIT without a condition is undefined; it acts as a STALLWAIT with the default conditions";
      case Category::foreign_release: return "releases a mutex that the thread does not hold: nothing happens";
      case Category::semaphore_limit: return "the semaphore is at its limit: nothing happens";
      case Category::unused_bits: return "sets bits without a meaning";
      case Category::undefined_data: return std::string(text_of(report.issue));
      case Category::uninitialised_read: return describe_place(report) + " is read before anybody has written it";
      case Category::open_recording:
        return fmt::format("its recording is still open: {} more word{} would have to come", report.index,
                           report.index == 1 ? "" : "s");
    }
    return "";
  }();
  return fmt::format("T{} in cycle {}: {}: {}", report.thread, report.cycle,
                     describe(scenario, report.thread, report.entry), text);
}

}  // namespace tensim::scenario
