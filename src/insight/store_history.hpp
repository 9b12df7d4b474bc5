// What a core knew with each of its stores to L1: whoever polls a word finds that out, long after, and of any word. Stores that follow
// each other differ in little: kept are the differences, and of those that come round in a loop how they go on.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <vector>

#include "insight/clocks.hpp"

namespace tensim::insight {

class StoreHistory {
 public:
  /// Stores are numbered on lane `which` of the core.
  explicit StoreHistory(unsigned which) : which_(which) {}

  /// It has issued a store, with the last number of its lane.
  void stored(const Actor& core);
  /// As the core was with store `number`.
  std::shared_ptr<const Snapshot> at(std::uint32_t number);
  /// Nobody will ask for others than these, in order, and those from `first_kept` on.
  void keep(std::span<const std::uint32_t> numbers, std::uint32_t first_kept);
  unsigned which() const { return which_; }
  /// Of which keep() may let go.
  std::size_t pieces() const { return pieces_.size(); }
  std::size_t bytes() const;

 private:
  enum class What : std::uint8_t { own_issued, issued, done };
  /// From store `number` on a lane has `value`, and `value_step` more with each `number_step` stores behind it, `count` times in all.
  struct Change {
    std::uint32_t number;
    std::uint32_t value;
    std::uint32_t number_step;
    std::uint32_t value_step;
    std::uint32_t count;
    Lane lane;
    What what;
    /// With store `of`, which is not before it.
    std::uint32_t at(std::uint32_t of) const {
      return count == 1 ? value : value + std::min(count - 1, (of - number) / number_step) * value_step;
    }
  };
  struct Piece {
    std::uint32_t first;  // store
    Snapshot start;       // as it was with that one
    std::vector<Change> changes;
  };
  static constexpr std::size_t most_changes = 64;  // of a piece: all are looked at to find out how things were

  void add_changes(const Snapshot& now);
  void add(std::uint32_t number, What what, Lane lane, std::uint32_t value);

  unsigned which_;
  std::deque<Piece> pieces_;
  Snapshot last_;
  std::uint32_t asked_number_ = 0;
  std::shared_ptr<const Snapshot> asked_;
};

}  // namespace tensim::insight
