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

  const Line* find(std::uint32_t address) const {
    for (unsigned i = 0; i < line_count; ++i)
      if (tags_[i] == tag_of(address)) return &lines_[i];
    return nullptr;
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
  /// The oldest line makes room (assumed).
  void fill(std::uint32_t address, const std::uint8_t* from) {
    awaits_ &= ~(1U << next_);
    tags_[next_] = tag_of(address);
    std::memcpy(lines_[next_].data(), from, line_bytes);
    next_ = (next_ + 1U) % line_count;
  }
  /// The same in `cycle`, ahead of stores of the core's own to that line: which of them have left by then shows later. The
  /// bytes that they write are not looked at before: a load of such a byte waits for its store.
  void fill_ahead(std::uint32_t address, const std::uint8_t* from, time::Cycle cycle) {
    const std::uint32_t line = next_;
    fill(address, from);
    awaits_ |= 1U << line;
    filled_[line] = cycle;
  }
  bool awaits_stores() const { return awaits_ != 0; }
  /// A store to the block has left in `cycle`: `mask` says which of `bytes`; `is_last`: no more are queued for the block.
  void store_left(std::uint32_t block, const std::uint8_t* bytes, std::uint32_t mask, time::Cycle cycle, bool is_last) {
    for (unsigned left = awaits_; left != 0; left &= left - 1) {
      const auto i = static_cast<unsigned>(std::countr_zero(left));
      if (tags_[i] != tag_of(block)) continue;
      if (cycle < filled_[i]) copy_masked(lines_[i].data(), bytes, mask);
      if (is_last) awaits_ &= ~(1U << i);
    }
  }
  void flush_line(std::uint32_t address) {
    for (unsigned i = 0; i < line_count; ++i)
      if (tags_[i] == tag_of(address)) {
        tags_[i] = 0;
        awaits_ &= ~(1U << i);
      }
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
  static constexpr unsigned line_count = larger_size("l0_dcache_lines"_size);
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
};

}  // namespace tensim::riscv
