// Runs a scenario of several tiles on a chip, to an end that is a value: how the chip ended, and how each of its tiles did.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "chip/chip.hpp"
#include "explain/chip_outcome.hpp"
#include "insight/chip_path.hpp"
#include "insight/chip_races.hpp"
#include "scenario/run.hpp"

namespace tensim::scenario {

/// How a tile ended: one that the scenario is about, or that somebody has sent something to.
struct TileResult {
  noc::Coordinates at;               // logical: noc::worker()
  std::optional<std::size_t> group;  // of Scenario::tiles
  Outcome outcome;                   // its `cycles` are those up to the last in which it did something
};

/// A tile that scenarios do not name, an Ethernet tile say, and that could not take what somebody has sent it.
struct OtherTile {
  noc::Coordinates place;  // NoC 0's
  Outcome outcome;
};

/// The chip is as the run left it; null if the run could not begin.
struct ChipRun {
  OutcomeKind kind = OutcomeKind::finished;
  Cycle cycles = 0;
  std::string problem;                           // why it could not begin
  std::vector<TileResult> tiles;                 // row by row
  std::vector<OtherTile> others;                 // with faults
  std::vector<std::string> failed_expectations;  // of the chip; tiles have their own
  explain::ChipOutcome hang;                     // of a deadlock: who waits for what
  std::vector<chip::Unanswered> unanswered;      // requests to the host or ARC, which are not there
  std::optional<insight::ChipRacesFound> races;  // if they were checked for
  std::optional<insight::ChipPathFound> path;    // if causes were followed
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

/// Faulted if a tile is, or if somebody asked the host or ARC for something: others are then stopped a little later, and those that
/// have not finished are `interrupted`. Finished if all are, or if the words of every tile that has some in `until` have had their
/// values; tiles are asked in turn. Deadlocked if nothing happens any more, and a tile is not finished.
ChipRun run_chip(const Scenario& scenario, const RunOptions& options = {});

}  // namespace tensim::scenario
