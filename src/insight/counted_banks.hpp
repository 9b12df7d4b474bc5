// What a wait for a Src bank proves (order rule 6). The two banks of a file go round: whoever knows how often they were given
// back, or filled, knows how often they must have been filled, or given back, and no more.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>

#include "insight/clocks.hpp"

namespace tensim::insight {

/// A bank goes from one side to the other: with which operation, and what its actor knew.
struct HandOver {
  std::shared_ptr<const Snapshot> snapshot = {};
  Lane lane = 0;
  std::uint32_t number = 0;
};

class CountedBanks {
 public:
  /// `full` of them belong to the Matrix Unit.
  void start(unsigned full) {
    *this = {};
    full_ = full;
  }
  void filled(const HandOver& by) { fills_.add(by); }
  void returned(const HandOver& by) { returns_.add(by); }

  /// What somebody comes behind who has seen that the Matrix Unit has the bank under its pointer, or null. `is_done` says which
  /// operations he knew to be done when he began to look.
  template <class IsDone>
  const HandOver* was_full(IsDone is_done) const {
    const auto known = returns_.known(is_done);
    return known ? fills_.find(*known + 1 - full_) : nullptr;
  }
  /// The same, of the unpackers.
  template <class IsDone>
  const HandOver* was_empty(IsDone is_done) const {
    const auto known = fills_.known(is_done);
    return known ? returns_.find(*known + full_ - 1) : nullptr;
  }

 private:
  static constexpr std::size_t most_kept = 16;  // there are two banks
  struct HandOvers {
    std::int64_t forgotten = 0;
    std::deque<HandOver> kept = {};

    void add(const HandOver& by) {
      kept.push_back(by);
      if (kept.size() <= most_kept) return;
      kept.pop_front();
      ++forgotten;
    }
    /// How many of them are done, as far as is known; nothing if that is too long ago.
    template <class IsDone>
    std::optional<std::int64_t> known(IsDone is_done) const {
      for (auto count = static_cast<std::int64_t>(kept.size()); count > 0; --count)
        if (const HandOver& last = kept[static_cast<std::size_t>(count - 1)]; is_done(last.lane, last.number))
          return forgotten + count;
      return forgotten == 0 ? std::optional<std::int64_t>(0) : std::nullopt;
    }
    /// Counted from 1.
    const HandOver* find(std::int64_t number) const {
      const std::int64_t index = number - forgotten - 1;
      if (index < 0 || index >= static_cast<std::int64_t>(kept.size())) return nullptr;
      return &kept[static_cast<std::size_t>(index)];
    }
  };

  std::int64_t full_ = 0;
  HandOvers fills_;
  HandOvers returns_;
};

}  // namespace tensim::insight
