// Stochastic rounding: what is dropped decides, against random bits, whether the magnitude goes up. The comparison is that
// of the Vector Unit's SFPSTOCHRND*.md ("greater or equal", so now and then a number goes up that loses nothing); that a
// packer's rounding has the same flaw is on Packers/FormatConversion.md.
//
// Where a packer has its random bits from is not documented. Here each column of it has a generator like the one of a
// lane of the Vector Unit (VectorUnit.md, PRNG).
#pragma once

#include <array>
#include <cstdint>

#include "number/random.hpp"

namespace tensim::number {

class RoundingNoise {
 public:
  static constexpr unsigned columns = 16;
  static constexpr unsigned bits = 23;
  /// With this instead of random bits, rounding is to nearest, ties away from zero.
  static constexpr std::uint32_t to_nearest = 1U << (bits - 1);

  constexpr RoundingNoise() { seed(0); }

  constexpr void seed(std::uint32_t seed) {
    for (unsigned i = 0; i < columns; ++i)
      state_[i] = first_state(seed, i);
  }

  /// How hardware spreads a seed over its generators is not documented. Here seed and column are mixed (by MurmurHash3's
  /// last step), because a generator that moves a bit at a time would let seeds that are close begin alike.
  static constexpr std::uint32_t first_state(std::uint32_t seed, unsigned column) {
    constexpr std::uint32_t golden_ratio = 0x9E3779B9;
    std::uint32_t state = seed + golden_ratio * (column + 1);
    state = (state ^ state >> 16U) * 0x85EBCA6BU;
    state = (state ^ state >> 13U) * 0xC2B2AE35U;
    state ^= state >> 16U;
    return state == stuck ? 0 : state;
  }

  constexpr std::uint32_t next(unsigned column) {
    std::uint32_t& state = state_[column % columns];
    const std::uint32_t result = state;
    state = next_random(result);
    return result & ((1U << bits) - 1U);
  }

  friend constexpr bool operator==(const RoundingNoise&, const RoundingNoise&) = default;

 private:
  static constexpr std::uint32_t stuck = ~0U;  // the one state that the generator does not leave

  std::array<std::uint32_t, columns> state_{};
};

/// `magnitude` without its low `dropped` bits, which make it one more if they are not below `noise`.
constexpr std::uint32_t drop_bits(std::uint32_t magnitude, unsigned dropped, std::uint32_t noise) {
  const std::uint64_t aligned = (std::uint64_t{magnitude} << RoundingNoise::bits) >> dropped;
  const auto whole = static_cast<std::uint32_t>(aligned >> RoundingNoise::bits);
  const auto rest = static_cast<std::uint32_t>(aligned) & ((1U << RoundingNoise::bits) - 1U);
  return whole + (rest >= noise ? 1U : 0U);
}

}  // namespace tensim::number
