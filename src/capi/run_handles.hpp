// Scenarios and results as C holds them: scenario.cpp makes them, compare.cpp and debug.cpp use them.
#pragma once

#include <memory>
#include <optional>

#include "explain/first_packets.hpp"
#include "explain/outcome.hpp"
#include "report/stats.hpp"
#include "scenario/chip_run.hpp"
#include "scenario/scenario.hpp"
#include "tensim/scenario.h"
#include "tile/tile.hpp"

struct tensim_scenario {
  std::shared_ptr<tensim::scenario::Scenario> scenario;  // shared with results, which outlive it
};

namespace tensim::capi {
/// For changes: results keep the scenario that they came from.
scenario::Scenario& own(tensim_scenario& handle);
}  // namespace tensim::capi

struct tensim_result {
  std::shared_ptr<const tensim::scenario::Scenario> scenario;
  tensim::explain::Outcome outcome;
  std::unique_ptr<tensim::tile::Tile> tile;                     // as the run has left it; null if only threads ran
  std::unique_ptr<tensim::scenario::ChipRun> chip;              // of several tiles, instead of the two above
  std::optional<tensim::report::RunStats> stats = {};           // if they were to be kept
  std::unique_ptr<tensim::explain::FirstPackets> packets = {};  // of several tiles, if they were to be kept
  std::string left_out = {};                                    // of the Perfetto trace: a line for each track
};
