// The generator of random bits: one for each lane of the Vector Unit (VectorUnit.md, PRNG).
#pragma once

#include <bit>
#include <cstdint>

namespace tensim::number {

constexpr std::uint32_t next_random(std::uint32_t state) {
  constexpr std::uint32_t taps = 0x8020'0003;
  const auto parity = static_cast<std::uint32_t>(std::popcount(state & taps));
  return ~parity << 31U | state >> 1U;
}

}  // namespace tensim::number
