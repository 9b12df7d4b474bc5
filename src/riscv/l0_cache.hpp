// Blackhole's L0 data cache: four lines of 16 bytes between a core and L1. Nobody keeps it coherent: what others write to
// L1 is not seen until the line goes (BabyRISCV/README.md, MemoryOrdering.md, errata 18). A hit has a chance of about
// 0.8 % of flushing everything; here every 128th hit does (assumed: hardware uses a shift register).
#pragma once

#include <array>
#include <cstdint>
#include <cstring>

#include "arch/sizes.hpp"

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
    tags_[next_] = tag_of(address);
    std::memcpy(lines_[next_].data(), from, line_bytes);
    next_ = (next_ + 1U) % line_count;
  }
  void flush_line(std::uint32_t address) {
    for (std::uint32_t& tag : tags_)
      if (tag == tag_of(address)) tag = 0;
  }
  /// Forgets whose turn it was to make room, too: nobody's, and so states recur sooner.
  void flush() {
    tags_ = {};
    lines_ = {};
    next_ = 0;
  }

  bool operator==(const L0Cache&) const = default;

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
};

}  // namespace tensim::riscv
