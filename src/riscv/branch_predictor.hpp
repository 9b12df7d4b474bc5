// What the frontend guesses. Wormhole guesses that backward branches are taken and everything else falls through: a taken
// forward branch or jump costs the bubble every time (silicon c_t, c_jal). Blackhole learns: counters of two bits by
// address, starting from Wormhole's guess (assumed; silicon c_t reads one cycle), and remembers where indirect jumps went.
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
    if (entry.pc != pc) return replace(entry, pc, target, taken, backward, is_indirect);
    const bool right = (entry.counter >= 2) == taken && (!taken || entry.target == target);
    const std::uint8_t counter =
        taken ? (entry.counter == 3 ? 3 : entry.counter + 1) : (entry.counter == 0 ? 0 : entry.counter - 1);
    if (counter != entry.counter || (taken && entry.target != target)) ++changes_;
    entry.counter = counter;
    if (taken) entry.target = target;
    return right;
  }
  /// Whether guess() would be right and learn nothing.
  bool is_sure(bool learns, std::uint32_t pc, std::uint32_t target, bool taken) const {
    if (!learns) return taken == (target <= pc);
    const Entry& entry = entries_[pc / 4 % entry_count];
    return entry.pc == pc && (taken ? entry.counter == 3 && entry.target == target : entry.counter == 0);
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
    std::uint8_t counter = 0;
  };
  bool replace(Entry& entry, std::uint32_t pc, std::uint32_t target, bool taken, bool backward, bool is_indirect) {
    entry = {pc, target, static_cast<std::uint8_t>(taken ? 3 : 0)};
    ++changes_;
    return !is_indirect && taken == backward;
  }

  static constexpr unsigned entry_count = 256;
  std::array<Entry, entry_count> entries_{};
  std::uint32_t changes_ = 0;
};

}  // namespace tensim::riscv
