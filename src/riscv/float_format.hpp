// A binary floating-point format of at most 32 bits, and its values taken apart.
#pragma once

#include <bit>
#include <cstdint>

namespace tensim::riscv {

struct FloatFormat {
  int exponent_bits;
  int fraction_bits;
  bool rounds_to_nearest = true;  // else towards zero

  constexpr std::uint32_t fraction_mask() const { return (1U << fraction_bits) - 1U; }
  constexpr int top_exponent() const { return (1 << exponent_bits) - 1; }  // of infinities and NaNs
  constexpr int bias() const { return top_exponent() >> 1; }
  constexpr std::uint32_t sign_bit() const { return 1U << (exponent_bits + fraction_bits); }
  constexpr std::uint32_t infinity() const { return static_cast<std::uint32_t>(top_exponent()) << fraction_bits; }
  constexpr std::uint32_t largest() const { return infinity() - 1U; }
  constexpr std::uint32_t nan() const { return infinity() | (1U << (fraction_bits - 1)); }
  constexpr std::uint32_t one() const { return static_cast<std::uint32_t>(bias()) << fraction_bits; }

  constexpr std::uint32_t magnitude(std::uint32_t bits) const { return bits & (sign_bit() - 1U); }
  constexpr bool negative(std::uint32_t bits) const { return (bits & sign_bit()) != 0; }
  constexpr int exponent(std::uint32_t bits) const { return static_cast<int>(magnitude(bits) >> fraction_bits); }
  constexpr bool is_nan(std::uint32_t bits) const { return magnitude(bits) > infinity(); }
  constexpr bool is_infinite(std::uint32_t bits) const { return magnitude(bits) == infinity(); }
  constexpr bool is_denormal(std::uint32_t bits) const { return exponent(bits) == 0 && magnitude(bits) != 0; }
  constexpr std::uint32_t with_sign(bool is_negative, std::uint32_t rest) const {
    return rest | (is_negative ? sign_bit() : 0U);
  }
  /// What exceeds the largest number: infinity, or if the format rounds towards zero, that number.
  constexpr std::uint32_t overflow(bool is_negative) const {
    return with_sign(is_negative, rounds_to_nearest ? infinity() : largest());
  }
};

inline constexpr FloatFormat fp32{8, 23};
inline constexpr FloatFormat fp16{5, 10};
inline constexpr FloatFormat bf16_nearest{8, 7};
inline constexpr FloatFormat bf16_towards_zero{8, 7, false};

/// `value` >> `distance`, with the lowest bit set if any bit was lost.
constexpr std::uint64_t shifted_right_sticky(std::uint64_t value, int distance) {
  if (distance <= 0) return value;
  if (distance >= 64) return value != 0 ? 1 : 0;
  const std::uint64_t kept = value >> distance;
  return kept | ((kept << distance) != value ? 1U : 0U);
}

/// A finite number: significand * 2^exponent.
struct Number {
  bool negative = false;
  int exponent = 0;
  std::uint64_t significand = 0;
};

constexpr Number number_of(const FloatFormat& format, std::uint32_t bits) {
  const int exponent = format.exponent(bits);
  const std::uint32_t fraction = bits & format.fraction_mask();
  const std::uint32_t implicit = exponent == 0 ? 0U : 1U << format.fraction_bits;
  return {format.negative(bits), (exponent == 0 ? 1 : exponent) - format.bias() - format.fraction_bits,
          fraction | implicit};
}

/// Whether rounding adds one to `kept`, given the three bits below it (the last of them sticky).
constexpr bool rounds_up(const FloatFormat& format, std::uint64_t kept, std::uint64_t below) {
  return format.rounds_to_nearest && below + (kept & 1U) > 4;
}

/// The nearest number of the format, denormals included.
constexpr std::uint32_t rounded(const FloatFormat& format, const Number& number) {
  if (number.significand == 0) return format.with_sign(number.negative, 0);
  const int width = 64 - std::countl_zero(number.significand);
  // The weight of the lowest bit that the result keeps: fixed by its leading bit, but for denormals by the format.
  const int lowest_normal = 1 - format.bias() - format.fraction_bits;
  const int wanted = number.exponent + width - 1 - format.fraction_bits;
  const int lowest = wanted > lowest_normal ? wanted : lowest_normal;
  const int drop = lowest - number.exponent - 3;  // three bits more, for rounding
  const std::uint64_t with_guard =
      drop >= 0 ? shifted_right_sticky(number.significand, drop) : number.significand << -drop;
  const std::uint64_t kept = with_guard >> 3U;
  // Counted in units of `lowest`, the encoding of a number is its significand plus its exponent field; a carry moves it
  // to the next exponent by itself.
  const std::int64_t field = std::int64_t{lowest} - lowest_normal;
  const std::uint64_t bits = (static_cast<std::uint64_t>(field) << format.fraction_bits) + kept +
                             (rounds_up(format, kept, with_guard & 7U) ? 1U : 0U);
  if (bits >= format.infinity()) return format.overflow(number.negative);
  return format.with_sign(number.negative, static_cast<std::uint32_t>(bits));
}

}  // namespace tensim::riscv
