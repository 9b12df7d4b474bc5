// The tile that a scenario runs in: how it begins, and what has come out of it (run.hpp has what is between).
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
/// Gives the tile's coprocessor the state that the scenario starts from.
void set_up_coprocessor(const Scenario& scenario, const RunOptions& options, tensix::Coprocessor& coprocessor);
/// The run ends when the words that it is to be run until have their values; or which of them is not in L1.
std::optional<std::string> stop_at_words(const Scenario& scenario, tile::Tile& tile);
/// Whether they have them now.
bool has_words(const Scenario& scenario, const tile::Tile& tile);

/// A tile at the start of the scenario; or what does not fit. Without programs on the cores it has no L1, and a script.
std::variant<std::unique_ptr<tile::Tile>, std::string> make_tile(const Scenario& scenario, const RunOptions& options);

/// The cycle in which each thread last issued something.
using LastIssues = std::array<std::optional<Cycle>, thread_count>;

/// What came out of a run that `halt` ended, with the evidence.
Outcome outcome_of(const Scenario& scenario, const tile::Tile& tile, tile::Tile::Halt halt,
                   const LastIssues& last_issues = {});
/// The same of one that its user ended: it met no expectations and failed none.
Outcome outcome_of_interrupted(const Scenario& scenario, const tile::Tile& tile);
/// Where two runs of one scenario differ; empty if nowhere.
std::string difference(const tile::Tile& ahead, const tile::Tile& walked);
/// Of one that could not begin.
Outcome outcome_of_problem(const std::string& problem);

}  // namespace tensim::scenario
