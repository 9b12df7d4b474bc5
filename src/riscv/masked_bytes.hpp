// Blocks of 16 bytes of which a mask, a bit each, names some.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>

namespace tensim::riscv {

/// All ones in byte i of entry m where m has bit i.
inline constexpr std::array<std::uint64_t, 256> byte_masks = [] {
  std::array<std::uint64_t, 256> masks{};
  for (unsigned mask = 0; mask < masks.size(); ++mask)
    for (unsigned i = 0; i < 8; ++i)
      if ((mask >> i & 1U) != 0) masks[mask] |= std::uint64_t{0xFF} << (8 * i);
  return masks;
}();

/// Copies the bytes of a block that `mask` names.
[[gnu::always_inline]] inline void copy_masked(std::uint8_t* to, const std::uint8_t* from, std::uint32_t mask) {
  for (unsigned half = 0; half < 2; ++half, to += 8, from += 8, mask >>= 8U) {
    const std::uint64_t named = byte_masks[mask & 0xFFU];
    if (named == 0) continue;
    std::uint64_t old = 0;
    std::uint64_t given = 0;
    std::memcpy(&old, to, sizeof old);
    std::memcpy(&given, from, sizeof given);
    const std::uint64_t result = (old & ~named) | (given & named);
    std::memcpy(to, &result, sizeof result);
  }
}

}  // namespace tensim::riscv
