// Blackhole's L0 data cache: four lines of 16 bytes between a core and L1. Nobody keeps it coherent: what others write to
// L1 is not seen until the line goes (BabyRISCV/README.md, MemoryOrdering.md, errata 18). A hit has a chance of about
// 0.8 % of flushing everything; here every 128th hit does (assumed: hardware uses a shift register).
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

#include "arch/sizes.hpp"
#include "riscv/masked_bytes.hpp"
#include "time/order.hpp"

namespace tensim::riscv {

class L0Cache {
 public:
  static constexpr std::uint32_t line_bytes = larger_size("l0_dcache_line_bytes"_size);
  using Line = std::array<std::uint8_t, line_bytes>;

  static constexpr std::uint32_t line_count = larger_size("l0_dcache_lines"_size);
  static constexpr std::uint32_t nowhere = line_count;

  /// Where the address is, or `nowhere`; no two lines have the same. Mostly it is in the line filled last.
  std::uint32_t line_of(std::uint32_t address) const {
    const std::uint32_t tag = tag_of(address);
    const std::uint32_t last = (next_ + line_count - 1) % line_count;
    if (tags_[last] == tag) return last;
    std::uint32_t line = 0;
    while (line != nowhere && tags_[line] != tag)
      ++line;
    return line;
  }
  const Line* find(std::uint32_t address) const {
    const std::uint32_t line = line_of(address);
    return line == nowhere ? nullptr : &lines_[line];
  }
  std::uint32_t word(std::uint32_t line, std::uint32_t address) const { return word(lines_[line], address); }
  /// Whether a store of the core's own may still write the word at `address` of the line. Stores to it that came after it was
  /// filled would have flushed it.
  bool awaits_word(std::uint32_t line, std::uint32_t address) const {
    return (to_come_[line] >> address % line_bytes & 0xFU) != 0;
  }
  /// The word of a line in which `address` is.
  static std::uint32_t word(const Line& line, std::uint32_t address) {
    std::uint32_t word = 0;
    std::memcpy(&word, line.data() + (address & ~3U) % line_bytes, sizeof word);
    return word;
  }
  void count_hit(bool flushes_by_itself) {
    if (!flushes_by_itself) return;
    hits_ = (hits_ + 1U) % hits_per_flush;
    if (hits_ == 0) flush();
  }
  /// In `cycle`, perhaps ahead of stores of the core's own to the bytes `to_come` of that line: which of them have left by then
  /// shows later. These bytes are not looked at before: a load of such a byte waits for its store. The oldest line makes room
  /// (assumed).
  void fill(std::uint32_t address, const std::uint8_t* from, std::uint32_t to_come, time::Cycle cycle) {
    const std::uint32_t line = next_;
    awaits_ = (awaits_ & ~(1U << line)) | (to_come != 0 ? 1U : 0U) << line;
    tags_[line] = tag_of(address);
    to_come_[line] = static_cast<std::uint16_t>(to_come);
    filled_[line] = cycle;
    next_ = (line + 1U) % line_count;
    std::memcpy(lines_[line].data(), from, line_bytes);
  }
  bool awaits_stores() const { return awaits_ != 0; }
  /// A store to the block has left in `cycle`: `mask` says which of `bytes`; `is_last`: whether no more are queued for the block.
  template <class IsLast>
  void store_left(std::uint32_t block, const std::uint8_t* bytes, std::uint32_t mask, time::Cycle cycle,
                  IsLast is_last) {
    for (unsigned left = awaits_; left != 0; left &= left - 1) {
      const auto i = static_cast<unsigned>(std::countr_zero(left));
      if (tags_[i] != tag_of(block)) continue;
      if (cycle < filled_[i]) copy_masked(lines_[i].data(), bytes, mask);
      if (!is_last()) return;
      awaits_ &= ~(1U << i);
      to_come_[i] = 0;
      return;
    }
  }
  void flush_line(std::uint32_t address) {
    const std::uint32_t line = line_of(address);
    if (line == nowhere) return;
    tags_[line] = 0;
    awaits_ &= ~(1U << line);
  }
  /// Forgets whose turn it was to make room, too: nobody's, and so states recur sooner.
  void flush() {
    tags_ = {};
    lines_ = {};
    next_ = 0;
    awaits_ = 0;
  }

  bool operator==(const L0Cache& other) const {
    return tags_ == other.tags_ && lines_ == other.lines_ && next_ == other.next_ && hits_ == other.hits_;
  }

 private:
  static_assert(std::size_t{line_count} * line_bytes == larger_size("l0_dcache_bytes"_size));
  static constexpr std::uint32_t hits_per_flush = 128;
  /// Bit 0 says that the line is there.
  static constexpr std::uint32_t tag_of(std::uint32_t address) { return (address & ~(line_bytes - 1)) | 1U; }

  std::array<std::uint32_t, line_count> tags_{};
  std::array<Line, line_count> lines_{};
  std::uint32_t next_ = 0;
  std::uint32_t hits_ = 0;
  std::uint32_t awaits_ = 0;  // lines, a bit each, that were filled ahead of stores
  std::array<time::Cycle, line_count> filled_{};
  std::array<std::uint16_t, line_count> to_come_{};  // bytes of such a line that stores had still to write
};

}  // namespace tensim::riscv
