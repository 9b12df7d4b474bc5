#include "scenario/run.hpp"

#include <fmt/format.h>

#include "event/gate_listener.hpp"
#include "insight/lints.hpp"
#include "insight/profiler.hpp"
#include "insight/tile_path.hpp"
#include "insight/tile_races.hpp"
#include "scenario/tile_run.hpp"

namespace tensim::scenario {
namespace {

using tile::Tile;

/// Notes each thread's last issue.
class IssueRecorder : public event::GateListener {
 public:
  IssueRecorder() : GateListener(event::wants_last_issues) {}
  void issued(std::uint64_t cycle, unsigned thread, std::uint32_t, std::uint32_t) override {
    last_issues[thread] = cycle;
  }
  void held(std::uint64_t, std::uint64_t, unsigned, event::Stall, std::uint32_t) override {}
  LastIssues last_issues;
};

/// Who is to hear of a run: whom the options name, and the race check and the profiler, if they are wanted.
class Hearers {
 public:
  Hearers(const Scenario& scenario, const RunOptions& options, const Tile& tile, event::Listener* also = nullptr) {
    if (also != nullptr) all_.push_back(also);
    if (options.listener != nullptr) all_.push_back(options.listener);
    if (options.follower) all_.push_back(options.follower({}, tile));
    if (options.follows_cycles) all_.push_back(&profiler_.emplace());
    if (options.follows_causes) all_.push_back(&path_.emplace(chains_, 0U, tile));
    if (!options.races) return;
    context_.emplace(scenario.arch, *options.races);
    races_.emplace(*context_, insight::TileNumber{0}, insight::polls_of(tile));
    races_->start(tile);
    all_.push_back(&*races_);
    lints_.emplace(scenario.arch).start(tile.coprocessor);
    all_.push_back(&*lints_);
  }
  /// Null if nobody wants to.
  event::Listener* listener() {
    if (all_.empty()) return nullptr;
    if (!together_) together_.emplace(all_);
    return &*together_;
  }
  /// What they have found in the run that has left the tile like this.
  void add_findings(const Scenario& scenario, Tile::Halt halt, const Tile& tile, Outcome& outcome) {
    if (profiler_) outcome.profile = profiler_->finish(tile, tile.now());
    if (path_) outcome.path = insight::path_of(chains_, end_of_path(scenario, halt, tile.now()), tile.now());
    if (context_) outcome.races = context_->races;
    if (lints_) outcome.lints = lints_->lints();
  }

 private:
  /// What the run was for, or else the last that happened.
  insight::Chain end_of_path(const Scenario& scenario, Tile::Halt halt, Cycle end) {
    insight::Chain last;
    if (halt == Tile::Halt::met)
      for (const NamedWord& word : scenario.until)
        last = insight::later(last, path_->writer_of(word.address));
    return last ? last : path_->last(end);
  }

  insight::Chains chains_;
  std::optional<insight::TilePath> path_;
  std::optional<insight::Profiler> profiler_;
  std::optional<insight::RaceContext> context_;
  std::optional<insight::TileRaces> races_;
  std::optional<insight::TileLints> lints_;
  std::vector<event::Listener*> all_;
  std::optional<event::Listeners> together_;
};

/// The same run cycle by cycle, with nobody asleep, up to where it ended: to show that it is the same.
void walk_again(Tile& walked, const Tile& tile, Outcome& outcome) {
  walked.walk_in_lockstep(true);
  walked.run_until(outcome.ended_at);
  const auto ahead = std::make_unique<Tile>(tile);
  ahead->idle_until(outcome.ended_at);
  if (const std::string where = difference(*ahead, walked); !where.empty())
    outcome.failed_expectations.push_back(fmt::format("lock-step ends differently: {}", where));
}

/// Runs the tile, while the options' profile looks at it.
Tile::Halt run_profiled(const Scenario& scenario, const RunOptions& options, Tile& tile) {
  if (options.profile != nullptr) options.profile->follow(0, &tile.coprocessor.activity);
  const Tile::Halt halt = tile.run_until(options.budget.value_or(scenario.budget));
  if (options.profile != nullptr) options.profile->follow(0, nullptr);
  return halt;
}

Outcome run_programs(const Scenario& scenario, const RunOptions& options, Tile& tile) {
  const auto walked = options.lockstep ? std::make_unique<Tile>(tile) : nullptr;
  Hearers hearers(scenario, options, tile);
  tile.tell(hearers.listener());
  tile.walk_in_lockstep(options.walked);
  const Tile::Halt halt = run_profiled(scenario, options, tile);
  if (halt == Tile::Halt::nothing_left && hearers.listener() != nullptr)  // who wants to hear of the last cycles, too
    std::make_unique<Tile>(tile)->idle_until(tile.now());
  tile.tell(nullptr);
  Outcome outcome = outcome_of(scenario, tile, halt);
  hearers.add_findings(scenario, halt, tile, outcome);
  if (walked != nullptr) walk_again(*walked, tile, outcome);
  return outcome;
}

Outcome run_script(const Scenario& scenario, const RunOptions& options, Tile& tile) {
  IssueRecorder recorder;
  Hearers hearers(scenario, options, tile, &recorder);
  tile.tell(hearers.listener());
  tile.walk_in_lockstep(options.lockstep || options.walked);
  const Tile::Halt halt = run_profiled(scenario, options, tile);
  if (halt == Tile::Halt::nothing_left) tile.idle_until(tile.now());  // the accounts are those of all cycles
  tile.tell(nullptr);
  Outcome outcome = outcome_of(scenario, tile, halt, recorder.last_issues);
  hearers.add_findings(scenario, halt, tile, outcome);
  return outcome;
}

}  // namespace

std::string difference(const Tile& ahead, const Tile& walked) {
  for (unsigned i = 0; i < tile::core_count; ++i) {
    const riscv::Core& a = ahead.cores[i];
    const riscv::Core& b = walked.cores[i];
    if (a.pc != b.pc || a.x != b.x || a.clock != b.clock || a.retired != b.retired || !(a.account == b.account))
      return std::string(tile::core_names[i]);
  }
  if (ahead.l1 != walked.l1) return "L1";
  for (unsigned thread = 0; thread < thread_count; ++thread)
    if (!(ahead.coprocessor.accounts[thread] == walked.coprocessor.accounts[thread])) return fmt::format("T{}", thread);
  return "";
}

TileRun run_tile(const Scenario& scenario, const RunOptions& options) {
  auto made = make_tile(scenario, options);
  if (const auto* problem = std::get_if<std::string>(&made)) return {outcome_of_problem(*problem), nullptr};
  auto& tile = std::get<std::unique_ptr<Tile>>(made);
  tile->coprocessor.shake_seed = options.shake_seed;
  Outcome outcome =
      scenario.runs_cores() ? run_programs(scenario, options, *tile) : run_script(scenario, options, *tile);
  return {std::move(outcome), std::move(tile)};
}

Outcome run(const Scenario& scenario, const RunOptions& options, tensix::Coprocessor* coprocessor) {
  TileRun ran = run_tile(scenario, options);
  if (coprocessor != nullptr && ran.tile != nullptr) *coprocessor = ran.tile->coprocessor;
  return std::move(ran.outcome);
}

}  // namespace tensim::scenario
