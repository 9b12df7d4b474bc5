// Which GPRs of its thread an instruction reads and writes, to the half register: what the word says, without state.
#pragma once

#include <cstdint>

#include "isa/form.hpp"

namespace tensim::tensix {

/// A set of GPR halves: a bit per register.
struct GprSet {
  std::uint64_t low = 0;
  std::uint64_t high = 0;

  constexpr bool empty() const { return (low | high) == 0; }
  constexpr std::uint64_t registers() const { return low | high; }
  constexpr GprSet operator|(GprSet other) const { return {low | other.low, high | other.high}; }
  constexpr GprSet without(GprSet other) const { return {low & ~other.low, high & ~other.high}; }
  friend constexpr bool operator==(const GprSet&, const GprSet&) = default;
};

struct GprUse {
  GprSet reads;
  GprSet writes;
};

/// Of the instructions of the Scalar and the Configuration Unit; nothing for any other. A byte counts as its half.
GprUse gpr_use(isa::Word word);

}  // namespace tensim::tensix
