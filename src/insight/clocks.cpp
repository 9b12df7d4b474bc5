#include "insight/clocks.hpp"

#include <algorithm>

namespace tensim::insight {

Clock::Block& Clock::own(std::shared_ptr<Block>& block) {
  if (block == nullptr)
    block = std::make_shared<Block>();
  else if (block.use_count() > 1)
    block = std::make_shared<Block>(*block);
  return *block;
}

Clock::Block& Clock::own(Lane lane) {
  Blocks& blocks = is_flow(lane) ? flows_ : tiles_;
  const std::size_t block = flow_of(lane) / lanes_per_tile;
  if (block >= blocks.size()) blocks.resize(block + 1);
  return own(blocks[block]);
}

void Clock::know_issued(Lane lane, std::uint32_t number) {
  if (issued(lane) >= number) return;
  own(lane).issued[lane % lanes_per_tile] = number;
}

void Clock::know_done(Lane lane, std::uint32_t number) {
  if (done(lane) >= number) return;
  own(lane).done[lane % lanes_per_tile] = number;
  know_issued(lane, number);
}

bool Clock::knows_issued(ActorNumber actor, const OfActor& numbers) const {
  const Lane first = lane_of(actor, 0);
  const std::size_t block = first / lanes_per_tile;
  if (block >= tiles_.size() || tiles_[block] == nullptr) return false;
  const std::uint32_t* const known = tiles_[block]->issued.data() + first % lanes_per_tile;
  unsigned unknown = 0;
  for (unsigned which = 0; which < lanes_per_actor; ++which)
    unknown += static_cast<unsigned>(known[which] < numbers[which]);
  return unknown == 0;
}

void Clock::know_issued(ActorNumber actor, const OfActor& numbers) {
  const Lane first = lane_of(actor, 0);
  std::uint32_t* const known = own(first).issued.data() + first % lanes_per_tile;
  for (unsigned which = 0; which < lanes_per_actor; ++which)
    known[which] = std::max(known[which], numbers[which]);
}

void Clock::join(const Clock& other) {
  join(tiles_, other.tiles_);
  join(flows_, other.flows_);
}

void Clock::join(Blocks& mine, const Blocks& theirs) {
  if (mine.size() < theirs.size()) mine.resize(theirs.size());
  for (std::size_t i = 0; i < theirs.size(); ++i) {
    const std::shared_ptr<Block>& their_block = theirs[i];
    if (their_block == nullptr || their_block == mine[i]) continue;
    if (mine[i] == nullptr) {
      mine[i] = their_block;
      continue;
    }
    Block& block = own(mine[i]);
    for (unsigned lane = 0; lane < lanes_per_tile; ++lane) {
      block.issued[lane] = std::max(block.issued[lane], their_block->issued[lane]);
      block.done[lane] = std::max(block.done[lane], their_block->done[lane]);
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
  if (!known_->knows_issued(snapshot.actor, snapshot.issued)) change().know_issued(snapshot.actor, snapshot.issued);
}

}  // namespace tensim::insight
