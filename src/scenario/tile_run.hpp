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

}  // namespace tensim::scenario
