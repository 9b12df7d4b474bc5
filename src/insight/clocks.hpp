// What is known to be before what (docs/architecture/races.md). Operations are numbered along lanes: a lane is a place in
// which the operations of one actor begin in order, such as a unit for a thread, or a region of addresses for a core. Of
// each lane a clock knows how much has been issued, and how much of that is done. Only synchronisation joins clocks; no
// cycle is looked at.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace tensim::insight {

/// By actor: `lanes_per_actor` each; actors of a tile lie together. Packets between tiles have lanes of nobody: flows.
using Lane = std::uint32_t;
inline constexpr unsigned lanes_per_actor = 16;
inline constexpr unsigned actors_per_tile = 8;
inline constexpr unsigned lanes_per_tile = lanes_per_actor * actors_per_tile;

using ActorNumber = std::uint16_t;

constexpr Lane lane_of(ActorNumber actor, unsigned which) {
  return static_cast<Lane>(actor * lanes_per_actor + which);
}
/// Of one that is not a flow.
constexpr ActorNumber actor_of(Lane lane) {
  return static_cast<ActorNumber>(lane / lanes_per_actor);
}
constexpr unsigned which_of(Lane lane) {
  return lane % lanes_per_actor;
}

inline constexpr Lane flow_bit = Lane{1} << 31;
constexpr bool is_flow(Lane lane) {
  return (lane & flow_bit) != 0;
}
constexpr Lane flow_lane(std::uint32_t flow) {
  return flow_bit | flow;
}
constexpr std::uint32_t flow_of(Lane lane) {
  return lane & ~flow_bit;
}

/// A copy shares what neither changes.
class Clock {
 public:
  std::uint32_t issued(Lane lane) const { return of(lane, &Block::issued); }
  std::uint32_t done(Lane lane) const { return of(lane, &Block::done); }
  /// At least so many.
  void know_issued(Lane lane, std::uint32_t number);
  void know_done(Lane lane, std::uint32_t number);
  /// The same of all lanes of an actor, at once.
  using OfActor = std::array<std::uint32_t, lanes_per_actor>;
  bool knows_issued(ActorNumber actor, const OfActor& numbers) const;
  void know_issued(ActorNumber actor, const OfActor& numbers);
  void join(const Clock& other);
  /// Lanes of which `later`, a copy that has changed since, knows something else: visit(lane, here, there).
  struct OfLane {
    std::uint32_t issued = 0;
    std::uint32_t done = 0;
  };
  template <class Visit>
  void for_each_change(const Clock& later, Visit visit) const {
    for_each_change(tiles_, later.tiles_, 0, visit);
    for_each_change(flows_, later.flows_, flow_bit, visit);
  }
  /// What a copy that has been changed does not share.
  static constexpr std::size_t bytes_of_change = 2048;

 private:
  using Numbers = std::array<std::uint32_t, lanes_per_tile>;
  struct Block {
    Numbers issued{};
    Numbers done{};
  };
  using Blocks = std::vector<std::shared_ptr<Block>>;
  const Blocks& blocks_of(Lane lane) const { return is_flow(lane) ? flows_ : tiles_; }
  std::uint32_t of(Lane lane, Numbers Block::* numbers) const {
    const Blocks& blocks = blocks_of(lane);
    const std::size_t block = flow_of(lane) / lanes_per_tile;
    if (block >= blocks.size() || blocks[block] == nullptr) return 0;
    return ((*blocks[block]).*numbers)[lane % lanes_per_tile];
  }
  Block& own(Lane lane);
  static Block& own(std::shared_ptr<Block>& block);
  static void join(Blocks& mine, const Blocks& theirs);
  template <class Visit>
  static void for_each_change(const Blocks& before, const Blocks& later, Lane first, Visit visit) {
    static const Block none{};
    for (std::size_t i = 0; i < later.size(); ++i) {
      const Block* const old = i < before.size() ? before[i].get() : nullptr;
      if (later[i].get() == old) continue;
      for_each_change(old == nullptr ? none : *old, *later[i], static_cast<Lane>(first + i * lanes_per_tile), visit);
    }
  }
  template <class Visit>
  static void for_each_change(const Block& before, const Block& later, Lane first, Visit visit) {
    for (Lane group = 0; group < lanes_per_tile; group += lanes_per_actor) {
      std::uint32_t changed = 0;
      for (Lane lane = group; lane < group + lanes_per_actor; ++lane)
        changed |= (before.issued[lane] ^ later.issued[lane]) | (before.done[lane] ^ later.done[lane]);
      if (changed == 0) continue;
      for (Lane lane = group; lane < group + lanes_per_actor; ++lane)
        if (before.issued[lane] != later.issued[lane] || before.done[lane] != later.done[lane])
          visit(first + lane, OfLane{before.issued[lane], before.done[lane]},
                OfLane{later.issued[lane], later.done[lane]});
    }
  }

  Blocks tiles_;
  Blocks flows_;
};

/// What an actor knew at a moment: whoever acquires it comes behind all that.
struct Snapshot {
  std::shared_ptr<const Clock> known = {};
  ActorNumber actor = 0;
  std::array<std::uint32_t, lanes_per_actor> issued{};  // its own, which are always ahead of what others know
};

class Actor {
 public:
  explicit Actor(ActorNumber number) : number_(number) {}
  /// As somebody was at a moment; it changes without him.
  explicit Actor(const Snapshot& snapshot)
      : number_(snapshot.actor), issued_(snapshot.issued), known_(std::make_shared<Clock>(*snapshot.known)) {}

  ActorNumber number() const { return number_; }
  /// Its next operation on that lane of its own.
  std::uint32_t issue(unsigned which) { return ++issued_[which]; }
  std::uint32_t issued(unsigned which) const { return issued_[which]; }

  bool knows_issued(Lane lane, std::uint32_t number) const {
    if (is_own(lane)) return true;  // in the order of its program
    return known_->issued(lane) >= number;
  }
  bool knows_done(Lane lane, std::uint32_t number) const { return known_->done(lane) >= number; }
  const Clock& known() const { return *known_; }
  /// How much of a lane is known to have been issued.
  std::uint32_t issued_known(Lane lane) const { return is_own(lane) ? issued_[which_of(lane)] : known_->issued(lane); }
  bool is_own(Lane lane) const { return !is_flow(lane) && actor_of(lane) == number_; }

  Snapshot release() const { return {known_, number_, issued_}; }
  void acquire(const Snapshot& snapshot);
  /// Something has proved it: whoever it was of, and all that he had issued.
  void prove_done(Lane lane, std::uint32_t number) {
    if (!knows_done(lane, number)) change().know_done(lane, number);
  }
  /// It has issued a packet.
  void know_issued(Lane lane, std::uint32_t number) {
    if (!knows_issued(lane, number)) change().know_issued(lane, number);
  }
  /// All that has been issued on this lane, as far as it is known here, is done.
  void prove_known_done(Lane lane) { prove_done(lane, issued_known(lane)); }

 private:
  Clock& change();

  ActorNumber number_;
  std::array<std::uint32_t, lanes_per_actor> issued_{};
  std::shared_ptr<Clock> known_ = std::make_shared<Clock>();
  std::vector<std::shared_ptr<const Clock>> joined_;  // by actor: what was joined last, so that it need not be again
};

/// What a wait has proved, kept until something makes it count (order rule 4: the first instruction that it catches).
using Proof = std::vector<std::pair<Lane, std::uint32_t>>;

}  // namespace tensim::insight
