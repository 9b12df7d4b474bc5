// An address counter as ADCs.md and RWCs.md draw it: the value instructions address with, and its carriage-return copy
// ("Cr"), the start of the row it returns to. Both wrap at their width.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tensim::tensix {

template <std::size_t Bits>
struct Counter {
  static_assert(Bits > 0 && Bits < 32);
  static constexpr std::uint32_t mask = (std::uint32_t{1} << Bits) - 1U;

  std::uint32_t value = 0;
  std::uint32_t cr = 0;

  /// Both to `start`.
  constexpr void set(std::uint32_t start) { value = cr = start & mask; }
  /// Along the row; the copy stays.
  constexpr void step(std::uint32_t amount) { value = (value + amount) & mask; }
  /// To the next row: the copy advances and the value returns to it.
  constexpr void step_cr(std::uint32_t amount) { value = cr = (cr + amount) & mask; }
  /// "C to Cr": the value advances and becomes the start of a row.
  constexpr void step_to_cr(std::uint32_t amount) { value = cr = (value + amount) & mask; }

  friend constexpr bool operator==(const Counter&, const Counter&) = default;
};

}  // namespace tensim::tensix
