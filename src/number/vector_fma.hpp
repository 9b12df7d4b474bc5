// x * y + z as one lane of the Vector Unit computes it (SFPMAD.md, Miscellaneous/FMA/README.md): neither fused nor
// separate. The product is not rounded, but cut to three bits below the addend's last, of which the lowest is sticky; it
// overflows and underflows by itself. Denormal operands are zeros, and the one rounding is to nearest, ties to even.
//
// The chips differ in what they do with NaNs, zeros and results below the normal range, and Wormhole loses a bit when it
// shifts a sum right by two.
#pragma once

#include <bit>
#include <cstdint>

#include "arch/arch.hpp"

namespace tensim::number {

namespace fma {

inline constexpr std::uint32_t sign_bit = 0x8000'0000;
inline constexpr std::uint32_t infinity = 0x7F80'0000;
inline constexpr std::uint32_t canonical_nan = 0x7FC0'0000;
inline constexpr std::uint32_t wormhole_nan = 0x7F80'0001;  // at least these bits; those of the sum join them
inline constexpr int fraction_bits = 23;
inline constexpr int guard_bits = 3;
inline constexpr int bias = 127;
inline constexpr int top_exponent = 255;
inline constexpr int leading_bit = fraction_bits + guard_bits;

struct Term {
  std::uint32_t sign = 0;
  int exponent = 0;
  std::uint64_t significand = 0;

  constexpr std::int64_t value() const {
    const auto magnitude = static_cast<std::int64_t>(significand);
    return sign != 0 ? -magnitude : magnitude;
  }
  /// To a greater exponent. What falls off is remembered in the last bit, unless nothing else is left.
  constexpr void align(int to) {
    if (to <= exponent) return;
    const int distance = to - exponent;
    const std::uint64_t kept = distance < 64 ? significand >> distance : 0;
    const bool lost = kept != 0 && kept << distance != significand;
    significand = kept | (lost ? 1U : 0U);
    exponent = to;
  }
};

constexpr Term term_of(std::uint32_t bits) {
  const int exponent = static_cast<int>(bits >> fraction_bits & 0xFFU);
  const std::uint64_t significand = (bits & 0x7F'FFFFU) | 0x80'0000U;
  return {bits & sign_bit, exponent, exponent == 0 ? 0 : significand};
}

constexpr bool is_nan(std::uint32_t bits) {
  return (bits & ~sign_bit) > infinity;
}
constexpr bool is_infinite(std::uint32_t bits) {
  return (bits & ~sign_bit) == infinity;
}

constexpr Term product_of(const Term& x, const Term& y) {
  constexpr unsigned cut = fraction_bits - guard_bits;
  const std::uint64_t exact = x.significand * y.significand;
  const bool lost = (exact & ((1U << cut) - 1U)) != 0;
  return {x.sign ^ y.sign, x.exponent + y.exponent - bias, exact >> cut | (lost ? 1U : 0U)};
}

constexpr std::uint32_t rounded(int exponent, std::uint64_t placed) {
  std::uint32_t bits = (static_cast<std::uint32_t>(exponent) << fraction_bits) +
                       (static_cast<std::uint32_t>(placed >> guard_bits) & 0x7F'FFFFU);
  if ((placed & 7U) + (bits & 1U) > 4) ++bits;
  return bits;
}

/// Sums below the smallest normal number are zero, and one bit of them is sticky.
constexpr bool drops_small_sums(Arch arch) {
  return on(arch, true, false);
}
/// A product that is only too large meets the opposite infinity as an infinity.
constexpr bool large_product_is_infinite(Arch arch) {
  return on(arch, true, false);
}
/// The bits of the sum join those of a NaN.
constexpr bool sum_joins_nan(Arch arch) {
  return on(arch, true, false);
}

/// The magnitude of a sum that is not zero, with its exponent before normalisation. Infinity if it is too large, 0 if
/// too small.
constexpr std::uint32_t magnitude_of_sum(Arch arch, int exponent, std::uint64_t sum) {
  int excess = 63 - std::countl_zero(sum) - leading_bit;
  exponent += excess;
  if (exponent >= top_exponent) return infinity;
  std::uint64_t lost = 1;  // the bits that stay sticky
  if (drops_small_sums(arch)) {
    if (exponent < 0) return 0;
  } else {
    if (exponent <= 0) {
      // One bit below the normal place, however small: only what rounds up from there survives.
      ++excess;
      exponent = 0;
    }
    lost = excess > 0 ? (std::uint64_t{1} << excess) - 1 : 0;
  }
  const std::uint64_t placed = excess <= 0 ? sum << -excess : sum >> excess | ((sum & lost) != 0 ? 1U : 0U);
  const std::uint32_t bits = rounded(exponent, placed);
  return bits >> fraction_bits == 0 ? 0 : bits;
}

/// Whether and how the operands alone decide.
struct Special {
  bool is_nan = false;
  bool decides = false;
  std::uint32_t result = 0;  // or, of Wormhole's NaNs, the bits that are certain
};

constexpr Special special_of(Arch arch, std::uint32_t x, std::uint32_t y, std::uint32_t z, const Term& product) {
  const bool zero_factor = term_of(x).significand == 0 || term_of(y).significand == 0;
  const bool infinite = is_infinite(x) || is_infinite(y);
  const bool overflows = product.exponent >= top_exponent;
  const bool opposite = product.sign != (z & sign_bit);
  const bool meets_infinity = infinite || (large_product_is_infinite(arch) && overflows);
  const bool product_nan = is_nan(x) || is_nan(y) || (infinite && zero_factor);
  if (product_nan || (is_infinite(z) && meets_infinity && opposite))
    return {true, true, on(arch, product.sign | wormhole_nan, canonical_nan)};
  if (is_nan(z)) return {true, true, on(arch, (z & sign_bit) | wormhole_nan, canonical_nan)};
  if (is_infinite(z)) return {false, true, z};
  if (infinite || overflows) return {false, true, product.sign | infinity};
  return {};
}

}  // namespace fma

constexpr std::uint32_t multiply_add(Arch arch, std::uint32_t x, std::uint32_t y, std::uint32_t z) {
  using fma::guard_bits;
  using fma::infinity;
  using fma::sign_bit;
  using fma::Term;
  using fma::top_exponent;
  Term product = fma::product_of(fma::term_of(x), fma::term_of(y));
  Term addend = fma::term_of(z);
  addend.significand <<= guard_bits;
  const fma::Special special = fma::special_of(arch, x, y, z, product);
  if (special.decides && !(special.is_nan && fma::sum_joins_nan(arch))) return special.result;
  const std::uint32_t nan = special.result;  // that the sum joins; 0 if the result is a number
  if (product.exponent > top_exponent) product.exponent = top_exponent;
  if (product.significand == 0 || product.exponent < 0) product = {product.sign, 0, 0};

  const int exponent = product.exponent > addend.exponent ? product.exponent : addend.exponent;
  product.align(exponent);
  addend.align(exponent);
  const std::int64_t total = product.value() + addend.value();
  if (total == 0) return on(arch, nan, product.sign & addend.sign);
  const std::uint32_t sign = total < 0 ? sign_bit : 0U;
  const std::uint32_t magnitude =
      fma::magnitude_of_sum(arch, exponent, static_cast<std::uint64_t>(total < 0 ? -total : total));
  if (nan != 0) return magnitude == infinity ? nan : nan | magnitude;
  if (magnitude == 0) return on(arch, 0U, sign);
  return sign | magnitude;
}

}  // namespace tensim::number
