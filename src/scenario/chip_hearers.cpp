#include "scenario/chip_hearers.hpp"

namespace tensim::scenario {

ChipHearers::ChipHearers(const RunOptions& options, chip::Chip& chip) : options_(options) {
  if (options.races) races_.emplace(chip.plan(), *options.races);
  const bool wants_packets = options.packets != nullptr || options.races;
  chip.observe(wants_packets ? this : nullptr,
               [this](noc::Coordinates at, const tile::Tile& tile) { return of_tile(at, tile); });
}

std::optional<insight::ChipRacesFound> ChipHearers::finish(chip::Chip& chip) {
  chip.observe(nullptr);
  if (!races_) return std::nullopt;
  return races_->finish();
}

void ChipHearers::packet(const event::Packet& packet) {
  if (options_.packets != nullptr) options_.packets->packet(packet);
  if (races_) races_->packet(packet);
}

void ChipHearers::told(time::Cycle until) {
  if (options_.packets != nullptr) options_.packets->told(until);
  if (races_) races_->told(until);
}

event::Listener* ChipHearers::of_tile(noc::Coordinates at, const tile::Tile& tile) {
  event::Listener* const named = options_.threads ? options_.threads(at) : nullptr;
  event::Listener* const checked = races_ ? races_->of_tile(at, tile) : nullptr;
  if (named == nullptr || checked == nullptr) return named == nullptr ? checked : named;
  both_.push_back(std::make_unique<event::Listeners>(std::vector{named, checked}));
  return both_.back().get();
}

}  // namespace tensim::scenario
