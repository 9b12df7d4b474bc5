#include "insight/clocks.hpp"

#include <algorithm>

namespace tensim::insight {

Clock::Block& Clock::own(std::size_t tile) {
  if (tile >= blocks_.size()) blocks_.resize(tile + 1);
  std::shared_ptr<Block>& block = blocks_[tile];
  if (block == nullptr)
    block = std::make_shared<Block>();
  else if (block.use_count() > 1)
    block = std::make_shared<Block>(*block);
  return *block;
}

void Clock::know_issued(Lane lane, std::uint32_t number) {
  if (issued(lane) >= number) return;
  own(lane / lanes_per_tile).issued[lane % lanes_per_tile] = number;
}

void Clock::know_done(Lane lane, std::uint32_t number) {
  if (done(lane) >= number) return;
  own(lane / lanes_per_tile).done[lane % lanes_per_tile] = number;
  know_issued(lane, number);
}

void Clock::join(const Clock& other) {
  if (blocks_.size() < other.blocks_.size()) blocks_.resize(other.blocks_.size());
  for (std::size_t tile = 0; tile < other.blocks_.size(); ++tile) {
    const std::shared_ptr<Block>& theirs = other.blocks_[tile];
    if (theirs == nullptr || theirs == blocks_[tile]) continue;
    if (blocks_[tile] == nullptr) {
      blocks_[tile] = theirs;
      continue;
    }
    Block& mine = own(tile);
    for (unsigned lane = 0; lane < lanes_per_tile; ++lane) {
      mine.issued[lane] = std::max(mine.issued[lane], theirs->issued[lane]);
      mine.done[lane] = std::max(mine.done[lane], theirs->done[lane]);
    }
  }
}

Clock& Actor::change() {
  if (known_.use_count() > 1) known_ = std::make_shared<Clock>(*known_);
  return *known_;
}

void Actor::acquire(const Snapshot& snapshot) {
  if (snapshot.actor == number_ || snapshot.known == nullptr) return;
  if (joined_.size() <= snapshot.actor) joined_.resize(snapshot.actor + 1U);
  if (joined_[snapshot.actor] != snapshot.known) {
    joined_[snapshot.actor] = snapshot.known;
    change().join(*snapshot.known);
  }
  for (unsigned which = 0; which < lanes_per_actor; ++which) {
    const Lane lane = lane_of(snapshot.actor, which);
    if (known_->issued(lane) < snapshot.issued[which]) change().know_issued(lane, snapshot.issued[which]);
  }
}

}  // namespace tensim::insight
