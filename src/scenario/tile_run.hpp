// Runs a scenario with programs on the cores: a whole tile (run.hpp has the rest).
#pragma once

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "scenario/run.hpp"
#include "scenario/scenario.hpp"
#include "tile/tile.hpp"

namespace tensim::scenario {

/// Puts the scenario's memory and programs into the tile and lets the cores go; or says what does not fit.
std::optional<std::string> load(const Scenario& scenario, tile::Tile& tile);

/// A tile at the start of the scenario; or what does not fit.
std::variant<std::unique_ptr<tile::Tile>, std::string> make_tile(const Scenario& scenario, const RunOptions& options);

/// What came out of a run that `halt` ended, with the evidence.
Outcome outcome_of(const Scenario& scenario, const tile::Tile& tile, tile::Tile::Halt halt);
/// The same of one that its user ended: it met no expectations and failed none.
Outcome outcome_of_interrupted(const Scenario& scenario, const tile::Tile& tile);
/// Of one that could not begin.
Outcome outcome_of_problem(const std::string& problem);

Outcome run_tile(const Scenario& scenario, const RunOptions& options, tensix::Coprocessor* coprocessor = nullptr,
                 tile::Tile* tile = nullptr);

// ---- explanations ----

/// Threads by what stands in their frontends: what cores would still push is not known, but stuck cores push nothing.
insight::WaitForGraph wait_for_graph(const tile::Tile& tile);

/// "main+0x14 (math.c:41)"
std::string location(const Scenario& scenario, tile::CoreId core, std::uint32_t pc);
/// The same of the instruction that pushed a word.
std::string pushed_at(const Scenario& scenario, unsigned thread, const tensix::Entry& entry);
/// What a core is doing, in a few words.
std::string state_of(const Scenario& scenario, const tile::Tile& tile, tile::CoreId core);
/// The core goes round a loop for ever and loads nothing in it: its program has ended.
bool is_parked(const riscv::Core& core);
/// The core will never go on, or goes round polling what nobody will change; why, one fact a line.
std::vector<std::string> explain_stuck_core(const Scenario& scenario, const tile::Tile& tile, tile::CoreId core);
/// What ended the core's program, and its call stack.
std::vector<std::string> explain_stop(const Scenario& scenario, const tile::Tile& tile, tile::CoreId core);
std::string explain(const Scenario& scenario, const tile::TileReport& report);

}  // namespace tensim::scenario
