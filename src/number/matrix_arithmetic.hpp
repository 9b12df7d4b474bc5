// The arithmetic of the Matrix Unit (FPU), one element at a time: what MVMUL, DOTPV, GAPOOL, ELWMUL, ELWADD and ELWSUB do
// to a datum of Dst. This is the readable version; matrix_rows.hpp has the fast one, and tests hold them together.
//
// The pages (MVMUL.md, ELWMUL.md, ELWADD.md, SrcASrcB.md) give the data types, the mantissa bits that each fidelity phase
// takes, the scaling of its products and the saturation of integers; for the rest they call their floating point "a rough
// guide". Widths, order and rounding below are the reference simulator's:
//
//   1. A multiplier takes 5 bits of SrcA's mantissa and 7 of SrcB's. Denormals are zeros.
//   2. MVMUL sums 16 products in two groups of eight. In a group all products are aligned to the largest exponent, each
//      rounded to an integer of the product's own 12 bits, ties away from zero; the sum of the eight is exact.
//   3. The two sums and the datum of Dst are aligned to the largest of their exponents and rounded to 24 bits: the sums
//      with ties up, as two's complement does, Dst with ties away from zero. A 16-bit Dst keeps 11 bits of the 24.
//   4. The three are added exactly and rounded once to Dst's format, ties away from zero. Below its range: plus zero.
//      Above: infinity, or FP16's largest number. Exact cancellation: plus zero. There are no NaNs.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "arch/arch.hpp"
#include "number/format.hpp"
#include "number/layout.hpp"
#include "number/stochastic.hpp"

namespace tensim::number {

/// What the configuration makes of the operands.
struct MatrixMode {
  SrcStyle src_a = SrcStyle::bf16;  // also decides between BF16 and FP16 in a 16-bit Dst
  SrcStyle src_b = SrcStyle::bf16;
  bool dst_32b = false;
  unsigned fidelity_phase = 0;  // 0 to 3: bit 0 picks SrcA's low mantissa bits, bit 1 SrcB's
  bool keep_src_b_denormals = false;
  bool stochastic = false;  // the last rounding of a sum: Fpu_srnd_en, "for every accumulation" (the vendor's kernels)
  Arch arch = Arch::blackhole;
};

enum class DstStyle : std::uint8_t { fp32, bf16, fp16 };

constexpr bool has_5bit_exponent(SrcStyle style) {
  return style == SrcStyle::fp16 || style == SrcStyle::int8;
}

constexpr DstStyle dst_style(const MatrixMode& mode) {
  if (mode.dst_32b) return DstStyle::fp32;
  return has_5bit_exponent(mode.src_a) ? DstStyle::fp16 : DstStyle::bf16;
}

/// A datum of Src, taken apart: the mantissa's 11 bits with the leading one, or zero.
struct SrcNumber {
  bool negative;
  bool zero;
  std::int32_t exponent;
  std::uint32_t mantissa;
};

constexpr SrcNumber read_src(std::uint32_t src, SrcStyle style, bool keep_denormals = false) {
  const std::uint32_t exponent_mask = has_5bit_exponent(style) ? 0x1fU : 0xffU;
  const std::uint32_t mantissa_mask = style == SrcStyle::bf16 ? 0x3f8U : 0x3ffU;
  const std::uint32_t exponent = src & exponent_mask;
  const bool zero = exponent == 0 && !keep_denormals;
  return {((src >> 18U) & 1U) != 0, zero, static_cast<std::int32_t>(exponent), ((src >> 8U) & mantissa_mask) | 0x400U};
}

/// Integers are signs and magnitudes; one with a zero exponent is zero, like any denormal.
constexpr std::int32_t read_src_int8(std::uint32_t src, std::uint32_t magnitude_mask, bool keep_denormals = false) {
  if ((src & 0xffU) == 0 && !keep_denormals) return 0;
  const auto magnitude = static_cast<std::int32_t>((src >> 8U) & magnitude_mask);
  return ((src >> 18U) & 1U) != 0 ? -magnitude : magnitude;
}

inline constexpr std::uint32_t int8_all_bits = 0x3ff;

/// Magnitude bits of integers per phase (SrcASrcB.md): five low and three next of SrcA, four low and six high of SrcB.
constexpr std::uint32_t int8_bits_of_src_a(unsigned phase) {
  return (phase & 1U) != 0 ? 0x01fU : 0x0e0U;
}

constexpr std::uint32_t int8_bits_of_src_b(unsigned phase) {
  return (phase & 2U) != 0 ? 0x00fU : 0x3f0U;
}

/// Mantissa bits of SrcA per phase: the leading one and four more, or the five after those. The last is never used.
constexpr std::uint32_t mantissa_of_src_a(std::uint32_t mantissa, unsigned phase) {
  return (phase & 1U) != 0 ? (mantissa >> 1U) & 31U : mantissa >> 6U;
}

/// Mantissa bits of SrcB per phase: the leading one and six more, or the remaining four, moved up to seven.
constexpr std::uint32_t mantissa_of_src_b(std::uint32_t mantissa, unsigned phase) {
  return (phase & 2U) != 0 ? (mantissa & 15U) << 3U : mantissa >> 4U;
}

/// How far the low bits of a phase lie below the high ones.
constexpr std::int32_t phase_exponent(unsigned phase) {
  return ((phase & 1U) != 0 ? -5 : 0) + ((phase & 2U) != 0 ? -7 : 0);
}

/// Added to the exponents of two factors, this gives the product's in the bias of Dst.
constexpr std::int32_t product_bias(const MatrixMode& mode) {
  const std::int32_t narrow = mode.dst_32b ? 127 - 2 * 15 : -15;
  return (has_5bit_exponent(mode.src_a) ? narrow : -127) + phase_exponent(mode.fidelity_phase);
}

/// A zero product has an exponent too, and it takes part in the alignment.
constexpr std::int32_t zero_product_exponent(const MatrixMode& mode) {
  return std::max(product_bias(mode), 0);
}

/// A signed addend: significand * 2^(exponent - bias - 23).
struct Term {
  std::int32_t exponent = 0;
  std::int32_t significand = 0;
};

/// Twelve bits of product have their unit this far above the last of 24 bits.
inline constexpr unsigned product_shift = 13;

namespace detail {

/// Arithmetic shift to the right, ties up. Nothing is left beyond 30.
constexpr std::int32_t shift_ties_up(std::int32_t x, std::int32_t amount) {
  if (amount <= 0) return x;
  if (amount > 30) return 0;
  return (x + (1 << (amount - 1))) >> amount;
}

/// The 24 bits of a Dst datum, as unsigned magnitude; a zero exponent is a zero.
constexpr Term read_dst(std::uint32_t dst, DstStyle style, bool& negative) {
  const std::uint32_t high = style == DstStyle::fp32 ? dst >> 16U : dst;
  const std::uint32_t low = style == DstStyle::fp32 ? dst & 0xffffU : 0;
  negative = (high & 0x8000U) != 0;
  const bool narrow = style == DstStyle::fp16;
  const std::uint32_t exponent = high & (narrow ? 0x1fU : 0xffU);
  const std::uint32_t fraction = narrow ? ((high >> 5U) & 0x3ffU) << 13U : (((high >> 8U) & 0x7fU) << 16U) | low;
  const std::uint32_t mantissa = exponent == 0 ? 0 : fraction | 0x80'0000U;
  return {static_cast<std::int32_t>(exponent), static_cast<std::int32_t>(mantissa)};
}

constexpr std::uint32_t write_dst(bool negative, std::int32_t exponent, std::uint32_t fraction, DstStyle style) {
  const std::uint32_t sign = negative ? 0x8000U : 0U;
  const std::int32_t overflow = style == DstStyle::fp16 ? 32 : 255;
  if (exponent <= 0) return 0;
  const bool too_large = exponent >= overflow;
  if (style == DstStyle::fp16) {
    if (too_large) return sign | 0x7fffU;
    return sign | ((fraction >> 13U) << 5U) | static_cast<std::uint32_t>(exponent);
  }
  const std::uint32_t kept = too_large ? 0 : fraction;
  const std::uint32_t high = sign | ((kept >> 16U) << 8U) | (too_large ? 255U : static_cast<std::uint32_t>(exponent));
  return style == DstStyle::fp32 ? (high << 16U) | (kept & 0xffffU) : high;
}

/// A 16-bit Dst is added to with 11 of 24 bits.
constexpr std::int32_t keep_11_bits(std::int32_t x) {
  return (x + 0x1000) & ~0x1fff;
}

/// Mantissa bits that Dst's format does not have.
constexpr std::int32_t dropped_bits(DstStyle style) {
  if (style == DstStyle::fp32) return 0;
  return style == DstStyle::bf16 ? 16 : 13;
}

/// Wormhole counts the leading signs of -1, all ones, wrongly: 27 too few.
constexpr bool miscounts_minus_one(Arch arch) {
  return on(arch, true, false);
}

/// Normalise, round, encode. `noise` decides which way what is dropped rounds (stochastic.hpp).
constexpr std::uint32_t normalise(std::int32_t exponent, std::int32_t sum, DstStyle style, Arch arch,
                                  std::uint32_t noise) {
  if (sum == 0) return 0;
  const bool negative = sum < 0;
  const std::uint32_t magnitude = static_cast<std::uint32_t>(negative ? -sum : sum);
  std::int32_t left = std::countl_zero(magnitude) - 8;
  if (miscounts_minus_one(arch) && sum == -1) left -= 27;
  exponent -= left;
  left -= dropped_bits(style);
  std::uint32_t mantissa = left < 0 ? drop_bits(magnitude, static_cast<unsigned>(-left), noise) : magnitude << left;
  mantissa <<= dropped_bits(style);
  if ((mantissa & 0x100'0000U) != 0) ++exponent;
  return write_dst(negative, exponent, mantissa & 0x7f'ffffU, style);
}

}  // namespace detail

/// Dst + first + second, as Dst holds it.
constexpr std::uint32_t accumulate(std::uint32_t dst, Term first, Term second, DstStyle style, Arch arch,
                                   std::uint32_t noise) {
  bool negative = false;
  const Term old = detail::read_dst(dst, style, negative);
  const std::int32_t exponent = std::max({first.exponent, second.exponent, old.exponent});
  if (exponent <= 0) return 0;
  std::int32_t a = detail::shift_ties_up(first.significand, exponent - first.exponent);
  std::int32_t b = detail::shift_ties_up(second.significand, exponent - second.exponent);
  std::int32_t d = detail::shift_ties_up(old.significand, exponent - old.exponent);
  if (style != DstStyle::fp32) {
    a = detail::keep_11_bits(a);
    b = detail::keep_11_bits(b);
    d = detail::keep_11_bits(d);
  }
  return detail::normalise(exponent, a + b + (negative ? -d : d), style, arch, noise);
}

/// One product before alignment: 12 bits and a sign.
struct Product {
  std::int32_t exponent;
  std::int32_t significand;
};

constexpr Product multiply(const SrcNumber& a, const SrcNumber& b, const MatrixMode& mode) {
  if (a.zero || b.zero) return {zero_product_exponent(mode), 0};
  const std::uint32_t magnitude =
      mantissa_of_src_a(a.mantissa, mode.fidelity_phase) * mantissa_of_src_b(b.mantissa, mode.fidelity_phase);
  const auto significand = static_cast<std::int32_t>(magnitude);
  return {a.exponent + b.exponent + product_bias(mode), a.negative != b.negative ? -significand : significand};
}

inline constexpr std::size_t matrix_columns = 16;
/// Products that are summed under one exponent.
inline constexpr std::size_t group_products = 8;

constexpr Term sum_of_products(const std::array<Product, group_products>& products) {
  std::int32_t exponent = products[0].exponent;
  for (const Product& product : products)
    exponent = std::max(exponent, product.exponent);
  if (exponent <= 0) return {};
  std::int32_t sum = 0;
  for (const Product& product : products) {
    const bool negative = product.significand < 0;
    const std::int32_t magnitude = negative ? -product.significand : product.significand;
    const std::int32_t aligned = detail::shift_ties_up(magnitude, exponent - product.exponent);
    sum += negative ? -aligned : aligned;
  }
  return {exponent, sum * (1 << product_shift)};
}

using SrcColumn = std::array<std::uint32_t, matrix_columns>;

constexpr std::int32_t saturating_add(std::int32_t a, std::int32_t b) {
  constexpr std::int64_t largest = 0x7fff'ffff;
  const std::int64_t sum = static_cast<std::int64_t>(a) + b;
  return static_cast<std::int32_t>(std::clamp(sum, -largest, largest));
}

constexpr std::uint32_t accumulate_int32(std::uint32_t dst, std::int32_t addend) {
  return dst_from_int32(saturating_add(int32_from_dst(dst), addend));
}

/// MVMUL, DOTPV, GAPOOL: a row of SrcB times a column of SrcA, onto one datum of Dst.
constexpr std::uint32_t multiply_add_dot(std::uint32_t dst, const SrcColumn& a, const SrcColumn& b,
                                         const MatrixMode& mode, std::uint32_t noise = RoundingNoise::to_nearest) {
  if (mode.src_a == SrcStyle::int8) {
    std::int32_t sum = 0;
    for (std::size_t i = 0; i < matrix_columns; ++i) {
      sum += read_src_int8(a[i], int8_bits_of_src_a(mode.fidelity_phase)) *
             read_src_int8(b[i], int8_bits_of_src_b(mode.fidelity_phase), mode.keep_src_b_denormals);
    }
    return accumulate_int32(dst, sum);
  }
  std::array<Term, 2> sums;
  for (std::size_t group = 0; group < 2; ++group) {
    std::array<Product, group_products> products{};
    for (std::size_t i = 0; i < group_products; ++i) {
      const std::size_t at = group * group_products + i;
      products[i] = multiply(read_src(a[at], mode.src_a), read_src(b[at], mode.src_b, mode.keep_src_b_denormals), mode);
    }
    sums[group] = sum_of_products(products);
  }
  return accumulate(dst, sums[0], sums[1], dst_style(mode), mode.arch, noise);
}

/// ELWMUL.
constexpr std::uint32_t multiply_add_element(std::uint32_t dst, std::uint32_t a, std::uint32_t b,
                                             const MatrixMode& mode, std::uint32_t noise = RoundingNoise::to_nearest) {
  if (mode.src_a == SrcStyle::int8) {
    const std::int32_t product = read_src_int8(a, int8_bits_of_src_a(mode.fidelity_phase)) *
                                 read_src_int8(b, int8_bits_of_src_b(mode.fidelity_phase), mode.keep_src_b_denormals);
    return accumulate_int32(dst, product);
  }
  const Product product = multiply(read_src(a, mode.src_a), read_src(b, mode.src_b, mode.keep_src_b_denormals), mode);
  Term term{product.exponent, product.significand * (1 << product_shift)};
  if (product.exponent <= 0) term = {zero_product_exponent(mode), 0};
  return accumulate(dst, term, {}, dst_style(mode), mode.arch, noise);
}

enum class AddOrSubtract : std::uint8_t { add, subtract };

namespace detail {

/// An operand of ELWADD. A zero stays one even where denormals are kept, whatever its sign (FloatBitPatterns.md: -0 is
/// zero; the reference takes a kept -0 for the smallest number, and then x - 0 is not x).
constexpr std::int32_t add_operand_mantissa(const SrcNumber& x, std::uint32_t src) {
  constexpr std::uint32_t all_but_sign = 0x3ffff;
  return x.zero || (src & all_but_sign) == 0 ? 0 : static_cast<std::int32_t>(x.mantissa);
}

/// Where the sum of two Src numbers lies in Dst's bias. A phase other than 0 divides (ELWADD.md).
constexpr std::int32_t sum_exponent(std::int32_t exponent, const MatrixMode& mode) {
  const bool widens = mode.dst_32b && has_5bit_exponent(mode.src_a);
  if (exponent == 0) return widens ? 127 - 2 * 15 : 0;
  return exponent + (widens ? exponent_rebias : 0) + phase_exponent(mode.fidelity_phase);
}

/// The bits that a style reads.
constexpr std::uint32_t src_bits_read(std::uint32_t src, SrcStyle style) {
  const std::uint32_t exponent_mask = has_5bit_exponent(style) ? 0x1fU : 0xffU;
  const std::uint32_t mantissa_mask = style == SrcStyle::bf16 ? 0x3f800U : 0x3ff00U;
  return src & (0x40000U | exponent_mask | mantissa_mask);
}

}  // namespace detail

/// SrcA + SrcB: the smaller is aligned to the larger's 11 bits, ties away from zero, and added exactly.
constexpr Term sum_of_elements(std::uint32_t a_bits, std::uint32_t b_bits, const MatrixMode& mode) {
  a_bits = detail::src_bits_read(a_bits, mode.src_a);
  b_bits = detail::src_bits_read(b_bits, mode.src_b);
  const SrcNumber a = read_src(a_bits, mode.src_a);
  const SrcNumber b = read_src(b_bits, mode.src_b, mode.keep_src_b_denormals);
  std::int32_t x = detail::add_operand_mantissa(a, a_bits);
  std::int32_t y = detail::add_operand_mantissa(b, b_bits);
  // Of equal exponents neither is shifted, so exponents alone say which is the larger.
  const std::int32_t exponent = std::max(a.exponent, b.exponent);
  x = detail::shift_ties_up(x, exponent - a.exponent);
  y = detail::shift_ties_up(y, exponent - b.exponent);
  const std::int32_t sum = (a.negative ? -x : x) + (b.negative ? -y : y);
  const std::int32_t placed = detail::sum_exponent(exponent, mode);
  if (exponent != 0 && placed <= 0) return {};
  return {placed, sum * (1 << product_shift)};
}

/// ELWADD and ELWSUB. Without `accumulate_dst` the result replaces the datum of Dst.
constexpr std::uint32_t add_element(std::uint32_t dst, std::uint32_t a, std::uint32_t b, AddOrSubtract operation,
                                    bool accumulate_dst, const MatrixMode& mode,
                                    std::uint32_t noise = RoundingNoise::to_nearest) {
  if (operation == AddOrSubtract::subtract) b ^= 0x40000U;
  if (!accumulate_dst) dst = 0;
  if (mode.src_a == SrcStyle::int8) {
    return accumulate_int32(
        dst, read_src_int8(a, int8_all_bits) + read_src_int8(b, int8_all_bits, mode.keep_src_b_denormals));
  }
  return accumulate(dst, sum_of_elements(a, b, mode), {}, dst_style(mode), mode.arch, noise);
}

}  // namespace tensim::number
