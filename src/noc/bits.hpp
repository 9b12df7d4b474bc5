// Bits of a register or of a mask.
#pragma once

#include <cstdint>

namespace tensim::noc {

constexpr bool has_bit(std::uint32_t mask, std::uint32_t index) {
  return (mask >> index & 1U) != 0;
}

struct Bits {
  unsigned low;
  unsigned width;
  constexpr std::uint32_t mask() const { return (width == 32 ? ~0U : (1U << width) - 1) << low; }
  constexpr std::uint32_t get(std::uint32_t value) const { return (value & mask()) >> low; }
  constexpr bool is_set(std::uint32_t value) const { return (value & mask()) != 0; }
  constexpr std::uint32_t put(std::uint32_t value) const { return value << low & mask(); }
};

}  // namespace tensim::noc
