#include "scenario/run.hpp"

#include <fmt/format.h>

#include "scenario/tile_run.hpp"

namespace tensim::scenario {
namespace {

using tile::Tile;

/// Notes each thread's last issue, and hands everything on.
class IssueRecorder : public event::Listener {
 public:
  explicit IssueRecorder(event::Listener* next)
      : Listener(next == nullptr ? std::uint8_t{event::wants_gates}
                                 : static_cast<std::uint8_t>(event::wants_gates | next->wanted())),
        next_(next) {}
  void happened(const event::Event& event) override {
    if (const auto* issue = std::get_if<event::Issued>(&event.what)) last_issues[issue->thread] = event.cycle();
    if (next_ != nullptr) next_->happened(event);
  }
  LastIssues last_issues;

 private:
  event::Listener* next_;
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

Outcome run_programs(const Scenario& scenario, const RunOptions& options, Tile& tile) {
  const auto walked = options.lockstep ? std::make_unique<Tile>(tile) : nullptr;
  tile.tell(options.listener);
  const Tile::Halt halt = tile.run_until(options.budget.value_or(scenario.budget));
  if (halt == Tile::Halt::nothing_left && options.listener != nullptr)  // who wants to hear of the last cycles, too
    std::make_unique<Tile>(tile)->idle_until(tile.now());
  tile.tell(nullptr);
  Outcome outcome = outcome_of(scenario, tile, halt);
  if (walked != nullptr) walk_again(*walked, tile, outcome);
  return outcome;
}

Outcome run_script(const Scenario& scenario, const RunOptions& options, Tile& tile) {
  IssueRecorder recorder(options.listener);
  tile.tell(&recorder);
  tile.walk_in_lockstep(options.lockstep);
  const Tile::Halt halt = tile.run_until(options.budget.value_or(scenario.budget));
  if (halt == Tile::Halt::nothing_left) tile.idle_until(tile.now());  // the accounts are those of all cycles
  tile.tell(nullptr);
  return outcome_of(scenario, tile, halt, recorder.last_issues);
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
