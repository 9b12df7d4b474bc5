// What the frontend guesses: that a branch does what it did last, that one it does not know falls through (silicon
// s_co_plain: a loop entered again costs two bubbles, behind its first and its last trip, and a loop of one trip none),
// and that an indirect jump goes where it went last. Wormhole's table is smaller (silicon c_nt, c_t, c_jal). Where cfg0
// turns it off, backward branches are guessed to be taken (assumed).
#pragma once

#include <array>
#include <cstdint>

namespace tensim::riscv {

class BranchPredictor {
 public:
  explicit BranchPredictor(std::uint32_t entries = most_entries) : mask_(entries - 1) {}
  std::uint32_t entry_count() const { return mask_ + 1; }

  /// True if the guess was right; the predictor learns either way.
  bool guess(bool learns, std::uint32_t pc, std::uint32_t target, bool taken, bool is_indirect) {
    const bool backward = target <= pc;
    if (!learns) return !is_indirect && taken == backward;
    Entry& entry = entries_[pc / 4 & mask_];
    if (entry.pc != pc) return replace(entry, pc, target, taken);
    const bool right = entry.taken == taken && (!taken || entry.target == target);
    if (!right) note(entry);
    entry.taken = taken;
    if (taken) entry.target = target;
    return right;
  }
  /// Whether guess() would be right and learn nothing.
  bool is_sure(bool learns, std::uint32_t pc, std::uint32_t target, bool taken) const {
    if (!learns) return taken == (target <= pc);
    const Entry& entry = entries_[pc / 4 & mask_];
    return entry.pc == pc && entry.taken == taken && (!taken || entry.target == target);
  }
  void forget() {
    entries_ = {};
    has_lost_track_ = true;
  }
  /// From now on it is known whether it guesses as it does now.
  void remember() {
    changed_count_ = 0;
    has_lost_track_ = false;
  }
  bool guesses_like(const BranchPredictor& other) const { return entries_ == other.entries_; }
  /// Two branches may take each other's place in every round of a loop, and be back where they were at its end.
  bool is_as_remembered() const {
    if (has_lost_track_) return false;
    for (unsigned i = 0; i < changed_count_; ++i)
      if (!(entries_[changed_[i].index] == changed_[i].before)) return false;
    return true;
  }

 private:
  struct Entry {
    std::uint32_t pc = 1;  // no instruction's
    std::uint32_t target = 0;
    bool taken = false;
    bool operator==(const Entry&) const = default;
  };
  struct Changed {
    std::uint32_t index = 0;
    Entry before;
  };
  /// The entry is about to change.
  void note(const Entry& entry) {
    if (has_lost_track_) return;
    const auto index = static_cast<std::uint32_t>(&entry - entries_.data());
    for (unsigned i = 0; i < changed_count_; ++i)
      if (changed_[i].index == index) return;
    if (changed_count_ == changed_.size())
      has_lost_track_ = true;
    else
      changed_[changed_count_++] = {index, entry};
  }
  bool replace(Entry& entry, std::uint32_t pc, std::uint32_t target, bool taken) {
    note(entry);
    entry = {pc, target, taken};
    return !taken;
  }

  static constexpr std::uint32_t most_entries = 256;
  std::uint32_t mask_;
  std::array<Entry, most_entries> entries_{};
  std::array<Changed, 8> changed_{};  // since remember()
  std::uint8_t changed_count_ = 0;
  bool has_lost_track_ = true;
};

}  // namespace tensim::riscv
