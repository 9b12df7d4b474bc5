// What a wait for a semaphore proves (order rule 11). A semaphore counts and does not say who posted: a wait that passes is
// behind as many posts as its value needs, and no more.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <vector>

#include "insight/clocks.hpp"

namespace tensim::insight {

class CountedSemaphore {
 public:
  /// SEMINIT, or what it was at the start: earlier posts and gets count no more.
  void start(unsigned value, unsigned maximum);
  /// By `by`, with operation `number` of its lane. Ones that changed nothing (post at 15, get at 0) are not told.
  void post(const Actor& by, Lane lane, std::uint32_t number) { add(posts_, by, lane, number); }
  void get(const Actor& by, Lane lane, std::uint32_t number) { add(gets_, by, lane, number); }

  /// What somebody comes behind who has waited until the value was above zero, and was so when he began to,
  std::vector<Snapshot> was_above_zero(const Snapshot& waiter) const { return was_at_least(waiter, 1); }
  /// until it was below the maximum,
  std::vector<Snapshot> was_below_maximum(const Snapshot& waiter) const { return was_at_most(waiter, maximum_ - 1); }
  /// or who has read it.
  std::vector<Snapshot> was(const Snapshot& reader, int value) const;

  std::vector<Snapshot> was_above_zero(const Actor& waiter) const { return was_above_zero(waiter.release()); }
  std::vector<Snapshot> was_below_maximum(const Actor& waiter) const { return was_below_maximum(waiter.release()); }
  std::vector<Snapshot> was(const Actor& reader, int value) const { return was(reader.release(), value); }

 private:
  struct Change {
    std::uint32_t number;  // on the lane of its actor
    Snapshot snapshot;
  };
  /// Of one actor. The first ones are forgotten: nobody who knows of them needs them.
  struct Changes {
    Lane lane = 0;
    std::uint64_t forgotten = 0;
    std::deque<Change> kept;
    std::uint64_t count() const { return forgotten + kept.size(); }
  };
  using ByActor = std::map<ActorNumber, Changes>;

  static void add(ByActor& changes, const Actor& by, Lane lane, std::uint32_t number);
  static std::uint64_t known(const ByActor& changes, const Snapshot& actor);
  static std::vector<Snapshot> at_least(const ByActor& changes, std::int64_t needed);
  std::vector<Snapshot> was_at_least(const Snapshot& actor, int value) const;
  std::vector<Snapshot> was_at_most(const Snapshot& actor, int value) const;

  int initial_ = 0;
  int maximum_ = 0;
  ByActor posts_;
  ByActor gets_;
};

}  // namespace tensim::insight
