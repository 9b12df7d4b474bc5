// Runs a scenario of several tiles on a chip, to an end that is a value: how the chip ended, and how each of its tiles did.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "chip/chip.hpp"
#include "explain/chip_outcome.hpp"
#include "scenario/run.hpp"

namespace tensim::scenario {

/// How a tile ended: one that the scenario is about, or that somebody has sent something to.
struct TileResult {
  noc::Coordinates at;               // logical: noc::worker()
  std::optional<std::size_t> group;  // of Scenario::tiles
  Outcome outcome;                   // its `cycles` are those up to the last in which it did something
};

/// The chip is as the run left it; null if the run could not begin.
struct ChipRun {
  OutcomeKind kind = OutcomeKind::finished;
  Cycle cycles = 0;
  std::string problem;                           // why it could not begin
  std::vector<TileResult> tiles;                 // row by row
  std::vector<std::string> failed_expectations;  // of the chip; tiles have their own
  explain::ChipOutcome hang;                     // of a deadlock: who waits for what
  std::vector<chip::Unanswered> unanswered;      // requests to the host or ARC, which are not there
  std::unique_ptr<chip::Chip> chip;
  Scenario nothing;  // what tiles run that were given nothing

  /// With those of tiles.
  std::size_t failed_count() const;
  /// What a tile was given by the scenario that was run.
  const Scenario& scenario_of(const Scenario& whole, const TileResult& tile) const {
    return tile.group ? whole.tiles[*tile.group].tile : nothing;
  }
  /// Null if the run has nothing to say of it.
  const TileResult* find(noc::Coordinates logical) const;
};

/// Faulted if a tile is: others are then stopped a little later, and are `interrupted`. Finished if all are, or if the words of
/// every tile that has some in `until` have had their values; tiles are asked in turn. Deadlocked if nothing happens any more, and a
/// tile is not finished.
ChipRun run_chip(const Scenario& scenario, const RunOptions& options = {});

}  // namespace tensim::scenario
