// Runs a scenario with programs on the cores: a whole tile (run.hpp has the rest).
#pragma once

#include <string>
#include <vector>

#include "host/run.hpp"
#include "host/scenario.hpp"
#include "tile/tile.hpp"

namespace tensim::host {

/// Puts the scenario's memory and programs into the tile and lets the cores go; or says what does not fit.
std::optional<std::string> load(const Scenario& scenario, tile::Tile& tile);

Outcome run_tile(const Scenario& scenario, const RunOptions& options, tensix::Coprocessor* coprocessor = nullptr,
                 tile::Tile* tile = nullptr);

// ---- explanations ----

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

}  // namespace tensim::host
