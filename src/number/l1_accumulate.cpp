#include "number/l1_accumulate.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <utility>

#include "number/layout.hpp"

namespace tensim::number {
namespace {

constexpr std::uint32_t canonical_nan_fp32 = 0x7fc0'0000;
constexpr std::uint16_t canonical_nan_bf16 = 0x7fc0;
constexpr std::uint32_t bf16_infinity = 0x7f80;

/// (-1)^negative * significand * 2^exponent, the significand below 2^24.
struct Number {
  bool negative;
  std::int32_t exponent;
  std::uint64_t significand;
};

/// A sum that has room for what the smaller number loses: bits below its lowest one are or-ed into it.
struct Sum {
  bool negative;
  std::int32_t exponent;
  std::uint64_t significand;
};

/// Room below the larger significand. More than any rounding here looks at.
constexpr unsigned guard_bits = 32;

std::uint64_t shift_right_sticky(std::uint64_t x, unsigned amount) {
  if (amount >= 64) return x != 0 ? 1 : 0;
  const std::uint64_t lost = x & ((std::uint64_t{1} << amount) - 1);
  return (x >> amount) | (lost != 0 ? 1U : 0U);
}

/// An exact sum, but for the sticky bit. Equal magnitudes cancel to plus zero, zeros add as IEEE says.
Sum add(Number a, Number b) {
  if (a.significand == 0) a.exponent = b.exponent;
  if (b.significand == 0) b.exponent = a.exponent;
  if (a.exponent < b.exponent) std::swap(a, b);
  const std::uint64_t x = a.significand << guard_bits;
  const std::uint64_t y =
      shift_right_sticky(b.significand << guard_bits, static_cast<unsigned>(a.exponent - b.exponent));
  const std::int32_t exponent = a.exponent - static_cast<std::int32_t>(guard_bits);
  if (a.negative == b.negative) return {a.negative, exponent, x + y};
  if (x == y) return {false, exponent, 0};
  return x > y ? Sum{a.negative, exponent, x - y} : Sum{b.negative, exponent, y - x};
}

/// The significand of `bits` bits, ties to even. It may have one bit more, a power of two.
std::uint64_t round_to_bits(std::uint64_t significand, unsigned bits) {
  const auto width = static_cast<unsigned>(std::bit_width(significand));
  if (width <= bits) return significand << (bits - width);
  const unsigned dropped = width - bits;
  const std::uint64_t kept = significand >> dropped;
  const std::uint64_t rest = significand & ((std::uint64_t{1} << dropped) - 1);
  const std::uint64_t half = std::uint64_t{1} << (dropped - 1);
  const bool up = rest > half || (rest == half && (kept & 1U) != 0);
  return kept + (up ? 1U : 0U);
}

/// The exponent of the leading bit.
std::int32_t leading_exponent(const Sum& sum) {
  return sum.exponent + static_cast<std::int32_t>(std::bit_width(sum.significand)) - 1;
}

/// With 8 exponent bits and `mantissa_bits` of mantissa; exponent 255 is a number too. Denormals are zeros.
Number number_e8(std::uint32_t bits, unsigned mantissa_bits) {
  const auto exponent = static_cast<std::int32_t>((bits >> mantissa_bits) & 0xffU);
  const std::uint32_t one = 1U << mantissa_bits;
  const std::uint64_t significand = exponent == 0 ? 0 : (bits & (one - 1U)) | one;
  return {((bits >> (mantissa_bits + 8U)) & 1U) != 0, exponent - 127 - static_cast<std::int32_t>(mantissa_bits),
          significand};
}

/// Zeros for denormals, before rounding.
std::uint32_t encode_e8(const Sum& sum, unsigned mantissa_bits) {
  const std::uint32_t sign = sum.negative ? 1U << (mantissa_bits + 8U) : 0U;
  if (sum.significand == 0) return sign;
  const std::int32_t biased = leading_exponent(sum) + 127;
  if (biased <= 0) return sign;
  if (biased >= 255) return sign | (255U << mantissa_bits);
  const std::uint64_t rounded = round_to_bits(sum.significand, mantissa_bits + 1);
  const std::uint32_t one = 1U << mantissa_bits;
  // A carry out of the mantissa raises the exponent, up to infinity's.
  return sign + (static_cast<std::uint32_t>(biased) << mantissa_bits) + (static_cast<std::uint32_t>(rounded) - one);
}

bool is_infinity_fp32(std::uint32_t x) {
  return (x & fp32_magnitude) == fp32_infinity;
}

bool is_nan_fp32(std::uint32_t x) {
  return (x & fp32_magnitude) > fp32_infinity;
}

}  // namespace

std::uint32_t l1_accumulate_fp32(std::uint32_t l1, std::uint32_t datum) {
  if (is_nan_fp32(l1) || is_nan_fp32(datum)) return canonical_nan_fp32;
  if (is_infinity_fp32(l1) && is_infinity_fp32(datum)) return l1 == datum ? l1 : canonical_nan_fp32;
  if (is_infinity_fp32(l1)) return l1;
  if (is_infinity_fp32(datum)) return datum;
  return encode_e8(add(number_e8(l1, 23), number_e8(datum, 23)), 23);
}

std::uint16_t l1_accumulate_bf16(std::uint16_t l1, std::uint16_t datum) {
  const std::uint32_t l1_magnitude = l1 & 0x7fffU;
  const std::uint32_t datum_magnitude = datum & 0x7fffU;
  const std::uint32_t l1_overflow = (l1 & 0x8000U) | bf16_infinity;
  if (datum_magnitude == bf16_infinity) {
    const bool opposite = l1_magnitude == bf16_infinity && l1 != datum;
    return opposite ? canonical_nan_bf16 : datum;
  }
  // Infinity or NaN in L1: nothing finite brings it back.
  if (l1_magnitude >= bf16_infinity) return static_cast<std::uint16_t>(l1_overflow);
  return static_cast<std::uint16_t>(encode_e8(add(number_e8(l1, 7), number_e8(datum, 7)), 7));
}

std::uint16_t l1_accumulate_fp16(std::uint16_t l1, std::uint16_t datum) {
  // All of FP16 on a grid of 2^-10 of its smallest normal number.
  constexpr auto on_grid = [](std::uint16_t x) {
    const unsigned exponent = (x >> 10U) & 0x1fU;
    const std::int64_t magnitude =
        exponent == 0 ? 0 : static_cast<std::int64_t>((x & 0x3ffU) | 0x400U) << (exponent - 1U);
    return (x & 0x8000U) != 0 ? -magnitude : magnitude;
  };
  const std::int64_t sum = on_grid(l1) + on_grid(datum);
  if (sum == 0) {
    const bool both_negative = (l1 & datum & 0x8000U) != 0;
    const unsigned exponent = (l1 >> 10U) & 0x1fU;
    const bool overflows = exponent >= 30;  // the reference's finding on large numbers that cancel
    return static_cast<std::uint16_t>((both_negative ? fp16_sign : 0U) | (overflows ? fp16_largest : 0U));
  }
  const std::uint32_t sign = sum < 0 ? fp16_sign : 0U;
  const auto magnitude = static_cast<std::uint64_t>(std::abs(sum));
  const std::int32_t exponent = static_cast<std::int32_t>(std::bit_width(magnitude)) - 10;
  if (exponent < 0) return static_cast<std::uint16_t>(sign | fp16_largest);
  if (exponent == 0) return static_cast<std::uint16_t>(sign);
  const auto rounded = static_cast<std::uint32_t>(round_to_bits(magnitude, 11));
  const std::uint32_t packed = (static_cast<std::uint32_t>(exponent) << 10U) + (rounded - 0x400U);
  return static_cast<std::uint16_t>(sign | std::min(packed, fp16_largest));
}

std::uint32_t l1_accumulate_int32(std::uint32_t l1, std::uint32_t datum) {
  constexpr std::uint32_t sign = 0x8000'0000;
  const auto value = [](std::uint32_t bits) {
    const auto magnitude = static_cast<std::int64_t>(bits & ~sign);
    return (bits & sign) != 0 ? -magnitude : magnitude;
  };
  const std::int64_t sum = value(l1) + value(datum);
  const auto magnitude = static_cast<std::uint64_t>(sum < 0 ? -sum : sum);
  const auto saturated = static_cast<std::uint32_t>(magnitude < sign ? magnitude : sign - 1U);
  return sum < 0 ? sign | saturated : saturated;
}

}  // namespace tensim::number
