#include "scenario/chip_hearers.hpp"

namespace tensim::scenario {

ChipHearers::ChipHearers(const RunOptions& options, chip::Chip& chip) : options_(options) {
  if (options.races) races_.emplace(chip.plan(), *options.races);
  if (options.follows_causes) path_.emplace(chip.plan());
  const bool wants_packets = options.packets != nullptr || options.races || path_;
  chip::Chip::Listeners listeners;
  if (options.threads || options.follower || options.races || options.follows_cycles || path_)
    listeners = [this](noc::Coordinates at, const tile::Tile& tile) { return of_tile(at, tile); };
  chip.observe(wants_packets ? this : nullptr, std::move(listeners));
}

std::optional<insight::ChipRacesFound> ChipHearers::finish(chip::Chip& chip) {
  chip.observe(nullptr);
  if (!races_) return std::nullopt;
  return races_->finish();
}

void ChipHearers::packet(const event::Packet& packet) {
  if (options_.packets != nullptr) options_.packets->packet(packet);
  if (races_) races_->packet(packet);
  if (path_) path_->packet(packet);
}

void ChipHearers::told(time::Cycle until) {
  if (options_.packets != nullptr) options_.packets->told(until);
  if (races_) races_->told(until);
  if (path_) path_->told(until);
}

event::Listener* ChipHearers::of_tile(noc::Coordinates at, const tile::Tile& tile) {
  std::vector<event::Listener*> all;
  if (races_) {
    auto& lints = lints_[{at.y, at.x}];
    lints = std::make_unique<insight::TileLints>(tile.arch);
    lints->start(tile.coprocessor);
    all = {races_->of_tile(at, tile), lints.get()};
  }
  if (options_.follows_cycles) {
    auto& profiler = profilers_[{at.y, at.x}];
    profiler = std::make_unique<insight::Profiler>();
    all.push_back(profiler.get());
  }
  if (path_) all.push_back(path_->of_tile(at, tile));
  if (options_.follower) all.push_back(options_.follower(at, tile));
  if (event::Listener* const named = options_.threads ? options_.threads(at) : nullptr) all.push_back(named);
  if (all.empty()) return nullptr;
  if (all.size() == 1) return all.front();
  together_.push_back(std::make_unique<event::Listeners>(std::move(all)));
  return together_.back().get();
}

std::optional<insight::Profile> ChipHearers::profile_of(noc::Coordinates at, const tile::Tile& tile) const {
  const auto found = profilers_.find({at.y, at.x});
  if (found == profilers_.end()) return std::nullopt;
  return found->second->finish(tile, tile.now());
}

std::optional<insight::Lints> ChipHearers::lints_of(noc::Coordinates at) const {
  const auto found = lints_.find({at.y, at.x});
  if (found == lints_.end()) return std::nullopt;
  return found->second->lints();
}

}  // namespace tensim::scenario
