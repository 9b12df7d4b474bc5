// Who is to hear of a chip's run: whom its options name, and the race check, if it is wanted.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "chip/chip.hpp"
#include "insight/chip_path.hpp"
#include "insight/chip_races.hpp"
#include "insight/lints.hpp"
#include "insight/profiler.hpp"
#include "scenario/run.hpp"

namespace tensim::scenario {

class ChipHearers : private event::PacketObserver {
 public:
  /// From now on. The chip stays where it is.
  ChipHearers(const RunOptions& options, chip::Chip& chip);

  /// Nobody hears of it any more. What races there were, if somebody wanted to know.
  std::optional<insight::ChipRacesFound> finish(chip::Chip& chip);
  /// What decided how long it took, if somebody wanted to know. Nobody hears of it any more by then.
  std::optional<insight::ChipPathFound> path(const std::vector<insight::ChipPath::Word>& words, Cycle cycles) {
    if (!path_) return std::nullopt;
    return path_->finish(words, cycles);
  }
  /// Of a tile, beside them.
  std::optional<insight::Lints> lints_of(noc::Coordinates at) const;
  /// Where the cycles of a tile went, which the run has left like this; nothing if nobody wanted to know.
  std::optional<insight::Profile> profile_of(noc::Coordinates at, const tile::Tile& tile) const;

 private:
  void packet(const event::Packet& packet) override;
  void told(time::Cycle until) override;
  event::Listener* of_tile(noc::Coordinates at, const tile::Tile& tile);

  const RunOptions& options_;
  std::optional<insight::ChipRaces> races_;
  std::optional<insight::ChipPath> path_;
  using Place = std::pair<std::uint32_t, std::uint32_t>;
  std::map<Place, std::unique_ptr<insight::TileLints>> lints_;  // by tile
  std::map<Place, std::unique_ptr<insight::Profiler>> profilers_;
  std::vector<std::unique_ptr<event::Listeners>> together_;  // of a tile each
};

}  // namespace tensim::scenario
