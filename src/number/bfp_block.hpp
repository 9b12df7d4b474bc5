// Sixteen datums that share an exponent, as a packer makes them (Packers/FormatConversion.md, late conversion): the
// largest exponent is shared, magnitudes are aligned to it and rounded to seven bits, ties away from zero, then truncated
// to three or one for the narrower formats. Random bits can take the place of ties (stochastic.hpp).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "number/format.hpp"
#include "number/stochastic.hpp"

namespace tensim::number {

struct BfpBlock {
  std::uint8_t exponent = 0;
  std::array<std::uint8_t, bfp_block_datums> datums{};  // each as wide as the format: 8, 4 or 2 bits
};

namespace detail {

/// What a block is made of: BF16, or E5M7 held as FP16, taken apart.
struct BfpInput {
  bool negative;
  unsigned exponent;
  unsigned mantissa;  // 8 bits, the leading one included
};

constexpr BfpInput bfp_input(std::uint32_t bits, bool five_bit_exponent) {
  const bool negative = (bits & 0x8000U) != 0;
  const unsigned exponent = five_bit_exponent ? (bits >> 10U) & 0x1fU : (bits >> 7U) & 0xffU;
  const unsigned fraction = five_bit_exponent ? (bits >> 3U) & 0x7fU : bits & 0x7fU;
  return {negative, exponent, exponent == 0 ? fraction : fraction | 0x80U};
}

/// Seven bits of magnitude. What rounds up beyond them stays the largest.
constexpr unsigned bfp_magnitude(unsigned mantissa, unsigned below_shared) {
  constexpr unsigned largest = 127;
  if (below_shared >= 8) return 0;
  return std::min((mantissa + (1U << below_shared)) >> (below_shared + 1U), largest);
}

constexpr unsigned bfp_magnitude_by(unsigned mantissa, unsigned below_shared, std::uint32_t noise) {
  constexpr unsigned largest = 127;
  if (below_shared >= 8) return 0;
  return std::min(drop_bits(mantissa, below_shared + 1U, noise), largest);
}

}  // namespace detail

/// `inputs` are BF16 for BFP8, BFP4 and BFP2, and E5M7 held as FP16 for BFP8a, BFP4a and BFP2a. A magnitude of zero has no
/// sign: the code would mean minus infinity. An exponent of 255 counts as one more exponent. Other formats give nothing.
/// `noise`: for stochastic rounding.
constexpr BfpBlock pack_bfp_block(const std::array<std::uint16_t, bfp_block_datums>& inputs, DataFormat to,
                                  RoundingNoise* noise = nullptr) {
  const FormatFacts& format = facts(to);
  if (!format.shared_exponent) return {};
  const bool five_bit_exponent = format.exponent_bits == 5;
  unsigned shared = 0;
  for (const std::uint16_t bits : inputs)
    shared = std::max(shared, detail::bfp_input(bits, five_bit_exponent).exponent);
  BfpBlock block;
  block.exponent = static_cast<std::uint8_t>(shared);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const detail::BfpInput input = detail::bfp_input(inputs[i], five_bit_exponent);
    const unsigned below = shared - input.exponent;
    const unsigned wide = noise == nullptr
                              ? detail::bfp_magnitude(input.mantissa, below)
                              : detail::bfp_magnitude_by(input.mantissa, below, noise->next(static_cast<unsigned>(i)));
    const unsigned magnitude = wide >> (8U - format.datum_bits);
    const unsigned sign = input.negative && magnitude != 0 ? 1U << (format.datum_bits - 1U) : 0U;
    block.datums[i] = static_cast<std::uint8_t>(sign | magnitude);
  }
  return block;
}

}  // namespace tensim::number
