// What the frontend guesses. Wormhole guesses that backward branches are taken and everything else falls through: a
// taken forward branch or jump costs the bubble every time (silicon c_t, c_jal). Blackhole learns: it guesses what the
// branch did last (silicon s_co_plain: a loop entered again costs two bubbles, behind its first and its last trip),
// that a branch it does not know falls through (a loop of one trip costs none), and that an indirect jump goes where it
// went last.
#pragma once

#include <array>
#include <cstdint>

namespace tensim::riscv {

class BranchPredictor {
 public:
  /// True if the guess was right; the predictor learns either way.
  bool guess(bool learns, std::uint32_t pc, std::uint32_t target, bool taken, bool is_indirect) {
    const bool backward = target <= pc;
    if (!learns) return !is_indirect && taken == backward;
    Entry& entry = entries_[pc / 4 % entry_count];
    if (entry.pc != pc) return replace(entry, pc, target, taken);
    const bool right = entry.taken == taken && (!taken || entry.target == target);
    if (!right) ++changes_;
    entry.taken = taken;
    if (taken) entry.target = target;
    return right;
  }
  /// Whether guess() would be right and learn nothing.
  bool is_sure(bool learns, std::uint32_t pc, std::uint32_t target, bool taken) const {
    if (!learns) return taken == (target <= pc);
    const Entry& entry = entries_[pc / 4 % entry_count];
    return entry.pc == pc && entry.taken == taken && (!taken || entry.target == target);
  }
  void forget() {
    entries_ = {};
    ++changes_;
  }
  /// Counts what it learnt: the same number means the same guesses.
  std::uint32_t changes() const { return changes_; }

 private:
  struct Entry {
    std::uint32_t pc = 1;  // no instruction's
    std::uint32_t target = 0;
    bool taken = false;
  };
  bool replace(Entry& entry, std::uint32_t pc, std::uint32_t target, bool taken) {
    entry = {pc, target, taken};
    ++changes_;
    return !taken;
  }

  static constexpr unsigned entry_count = 256;
  std::array<Entry, entry_count> entries_{};
  std::uint32_t changes_ = 0;
};

}  // namespace tensim::riscv
