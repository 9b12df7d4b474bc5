// What single lanes of the Vector Unit compute beside multiply-add: conversions, comparisons, tables. Pages: SFPCAST.md,
// SFPSTOCHRND.md, SFPLUT.md, SFPLUTFP32.md, SFPMUL24.md, SFPSWAP.md, SFPLOAD.md, SFPSTORE.md.
#pragma once

#include <bit>
#include <cstdint>

namespace tensim::number {

namespace lane_bits {
inline constexpr std::uint32_t sign = 0x8000'0000;
inline constexpr std::uint32_t magnitude = 0x7FFF'FFFF;
inline constexpr std::uint32_t exponent = 0x7F80'0000;
inline constexpr std::uint32_t mantissa = 0x007F'FFFF;
inline constexpr unsigned mantissa_width = 23;
inline constexpr std::uint32_t fp16_rebias = 112;  // from a bias of 15 to one of 127
}  // namespace lane_bits

// ---- comparison ----

/// As sign and magnitude, -0 below +0; which is the total order of FP32, too.
constexpr std::int32_t sign_magnitude_rank(std::uint32_t x) {
  return static_cast<std::int32_t>((x & lane_bits::sign) != 0 ? x ^ lane_bits::magnitude : x);
}
constexpr bool sign_magnitude_less(std::uint32_t a, std::uint32_t b) {
  return sign_magnitude_rank(a) < sign_magnitude_rank(b);
}

// ---- integers ----

/// Sign and magnitude to two's complement; -0 becomes 0.
constexpr std::uint32_t twos_complement(std::uint32_t x) {
  return (x & lane_bits::sign) != 0 ? 0U - (x & lane_bits::magnitude) : x;
}
/// Either way; what the other side cannot express (-0, -2^31) stays.
constexpr std::uint32_t exchange_complement(std::uint32_t x) {
  const std::uint32_t sign = x & lane_bits::sign;
  return sign | (sign != 0 ? 0U - x : x);
}

/// Left by a positive distance, right by a negative one, modulo 32.
constexpr std::uint32_t shifted(std::uint32_t x, std::uint32_t distance, bool arithmetic) {
  if (static_cast<std::int32_t>(distance) >= 0) return x << (distance & 31U);
  const unsigned right = (0U - distance) & 31U;
  if (arithmetic) return static_cast<std::uint32_t>(static_cast<std::int32_t>(x) >> right);
  return x >> right;
}

/// SFPMUL24's addend, which goes through the alignment of the floating-point sum.
constexpr std::uint32_t multiply_24_add(std::uint32_t product, std::uint32_t addend) {
  constexpr unsigned product_exponent = 129;
  const unsigned exponent = addend >> lane_bits::mantissa_width & 0xFFU;
  if (exponent == 0) return product;
  const unsigned larger = exponent > product_exponent ? exponent : product_exponent;
  const unsigned distance = (larger - exponent) & 31U;
  const std::uint32_t significand = ((addend & lane_bits::mantissa) | 0x80'0000U) << 3U;
  product >>= (larger - product_exponent) & 31U;
  const std::uint32_t aligned = significand >> distance;
  if (aligned == 0) return product;
  const bool carries = ((aligned << distance) ^ significand) > 0xFFFFU;
  return (product + aligned + (carries ? 0x1'0000U : 0U)) & lane_bits::mantissa;
}

constexpr std::uint32_t multiply_24(std::uint32_t a, std::uint32_t b, bool upper) {
  const std::uint64_t product = std::uint64_t{a & lane_bits::mantissa} * (b & lane_bits::mantissa);
  return static_cast<std::uint32_t>(upper ? product >> lane_bits::mantissa_width : product & lane_bits::mantissa);
}

// ---- between integers and FP32 ----

/// SFPCAST of sign and magnitude to FP32. Without random bits to the nearest, ties to even.
constexpr std::uint32_t float_of_integer(std::uint32_t x, bool stochastic, std::uint32_t random) {
  const std::uint32_t sign = x & lane_bits::sign;
  const std::uint32_t magnitude = x & lane_bits::magnitude;
  constexpr unsigned exponent_of_top_bit = 157;  // 127 + 31, less the one that the hidden bit adds
  if (magnitude == 0) return sign;
  const auto zeros = static_cast<unsigned>(std::countl_zero(magnitude));
  const std::uint32_t placed = magnitude << zeros;
  const std::uint32_t result = sign + ((exponent_of_top_bit - zeros) << lane_bits::mantissa_width) + (placed >> 8U);
  const bool up = stochastic ? (placed & 0xFEU) > (random >> 9U & 0xFEU)  // seven bits decide
                             : (placed & 0x80U) != 0 && (placed & 0x17FU) != 0;
  return result + (up ? 1U : 0U);
}

enum class Rounding : std::uint8_t { nearest, stochastic, to_zero };

/// What the discarded bits, as 23 of them, are compared with: they round up if they are not less.
constexpr std::uint32_t rounding_threshold(Rounding rounding, std::uint32_t random) {
  switch (rounding) {
    case Rounding::nearest: return 0x40'0000;
    case Rounding::to_zero: return 0x7F'FFFF;  // all ones still round up: documented as a bug
    case Rounding::stochastic: break;
  }
  return random & lane_bits::mantissa;
}

/// SFPSTOCHRND to fewer bits of mantissa.
constexpr std::uint32_t shorten_mantissa(std::uint32_t x, unsigned discarded_bits, std::uint32_t threshold) {
  const std::uint32_t exponent = x & lane_bits::exponent;
  if (exponent == 0) return 0;
  if (exponent == lane_bits::exponent) return x & ~lane_bits::mantissa;
  const std::uint32_t discarded = x & ((1U << discarded_bits) - 1U);
  const bool up = discarded >= threshold >> (lane_bits::mantissa_width - discarded_bits);
  return x - discarded + (up ? 1U << discarded_bits : 0U);
}

/// The range of an integer that SFPSTOCHRND makes.
struct IntegerRange {
  std::uint32_t largest;
  bool is_signed;
};

/// SFPSTOCHRND of FP32 to an integer of sign and magnitude.
constexpr std::uint32_t integer_of_float(std::uint32_t x, const IntegerRange& range, std::uint32_t threshold) {
  const int exponent = static_cast<int>(x >> lane_bits::mantissa_width & 0xFFU) - 127;
  const std::uint32_t sign = range.is_signed ? x & lane_bits::sign : 0U;
  if (exponent < -1) return 0;
  if (exponent >= 16) return sign + range.largest;
  const std::uint64_t significand = (x & lane_bits::mantissa) | 0x80'0000U;
  const std::uint64_t fixed = exponent >= 0 ? significand << exponent : significand >> 1U;
  auto magnitude = static_cast<std::uint32_t>(fixed >> lane_bits::mantissa_width);
  if ((fixed & lane_bits::mantissa) >= threshold) ++magnitude;
  if (magnitude > range.largest) magnitude = range.largest;
  return magnitude == 0 ? 0 : sign + magnitude;
}

/// SFPSTOCHRND of an integer of sign and magnitude, divided by a power of two.
constexpr std::uint32_t descale_integer(std::uint32_t x, unsigned shift, const IntegerRange& range,
                                        std::uint32_t threshold) {
  const std::uint32_t sign = range.is_signed ? x & lane_bits::sign : 0U;
  const std::uint64_t fixed = std::uint64_t{x & lane_bits::magnitude} << lane_bits::mantissa_width >> shift;
  std::uint64_t magnitude = fixed >> lane_bits::mantissa_width;
  if ((fixed & lane_bits::mantissa) >= threshold) ++magnitude;
  if (magnitude > range.largest) magnitude = range.largest;
  return magnitude == 0 ? 0 : sign + static_cast<std::uint32_t>(magnitude);
}

// ---- coefficients of piecewise linear functions ----

constexpr std::uint32_t float_of_lut8(std::uint32_t x) {
  x &= 0xFFU;
  if (x == 0xFF) return 0;
  return (x & 0x80U) << 24U | (127U - (x >> 4U & 7U)) << 23U | (x & 0xFU) << 19U;
}
constexpr std::uint32_t float_of_lut16(std::uint32_t x) {
  const std::uint32_t exponent = x >> 10U & 0x1FU;
  const std::uint32_t rebiased = exponent == 0x1F ? 0 : exponent + lane_bits::fp16_rebias;
  return (x & 0x8000U) << 16U | rebiased << 23U | (x & 0x3FFU) << 13U;
}

// ---- between Dst's formats and a lane ----

/// FP16 as Dst has it: sign, ten bits of mantissa, five of exponent. A denormal becomes another one.
constexpr std::uint32_t float_of_dst_fp16(std::uint32_t x, bool with_infinity) {
  const std::uint32_t sign = (x & 0x8000U) << 16U;
  const std::uint32_t exponent = x & 0x1FU;
  if (with_infinity && (x & 0x7FFFU) == 0x7FFF) return sign | lane_bits::exponent;
  const std::uint32_t rebiased = exponent == 0 ? 0 : exponent + lane_bits::fp16_rebias;
  return sign | rebiased << 23U | (x >> 5U & 0x3FFU) << 13U;
}
/// Sign, `bits` of magnitude above five that are not looked at.
constexpr std::uint32_t integer_of_dst_int8(std::uint32_t x, unsigned bits) {
  return (x & 0x8000U) << 16U | (x >> 5U & ((1U << bits) - 1U));
}
constexpr std::uint32_t integer_of_dst_int16(std::uint32_t x) {
  return (x & 0x8000U) << 16U | (x & 0x7FFFU);
}

/// Cut off; what is too small becomes a zero, what is too large the largest.
constexpr std::uint32_t dst_fp16_of_float(std::uint32_t x) {
  const std::uint32_t sign = x >> 16U & 0x8000U;
  const int exponent =
      static_cast<int>(x >> lane_bits::mantissa_width & 0xFFU) - static_cast<int>(lane_bits::fp16_rebias);
  if (exponent <= 0) return sign;
  if (exponent > 31) return sign | 0x7FFFU;
  return sign | (x >> 13U & 0x3FFU) << 5U | static_cast<std::uint32_t>(exponent);
}
/// Integer "8" of Dst: the magnitude as a mantissa, under a fixed exponent.
constexpr std::uint32_t dst_int8_of_integer(std::uint32_t x) {
  constexpr std::uint32_t fixed_exponent = 16;
  return (x >> 16U & 0x8000U) | (x & 0x3FFU) << 5U | fixed_exponent;
}
constexpr std::uint32_t dst_int16_of_integer(std::uint32_t x) {
  return (x >> 16U & 0x8000U) | (x & 0x7FFFU);
}
constexpr std::uint32_t flush_denormal(std::uint32_t x) {
  return (x & lane_bits::exponent) == 0 ? x & lane_bits::sign : x;
}

}  // namespace tensim::number
