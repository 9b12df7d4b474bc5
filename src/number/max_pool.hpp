// GMPOOL: the largest datum of each column of SrcA, and of Dst's row (GMPOOL.md). Every row of SrcA is first scaled by a
// power of two: the exponent of one datum of SrcB. Nothing is rounded, so the page is exact here.
#pragma once

#include <array>
#include <cstdint>

#include "number/matrix_arithmetic.hpp"

namespace tensim::number {

struct MaxPoolMode {
  SrcStyle src_a = SrcStyle::bf16;
  bool dst_32b = false;
  bool arg_max = false;
};

/// Sign, nine bits of exponent, ten of mantissa or magnitude: enough for a datum and its scale.
struct Pooled {
  std::uint32_t negative = 0;
  std::uint32_t exponent = 0;
  std::uint32_t mantissa = 0;
};

enum class PoolDst : std::uint8_t { int32, fp16, bf16, tf32 };

/// A 32-bit Dst holds TF32, unless it holds an index in its low bits.
constexpr PoolDst pool_dst(const MaxPoolMode& mode) {
  const bool index_below = mode.arg_max && mode.dst_32b;
  switch (mode.src_a) {
    case SrcStyle::int8: return PoolDst::int32;
    case SrcStyle::tf32:
      if (mode.arg_max) return PoolDst::int32;
      return mode.dst_32b ? PoolDst::tf32 : PoolDst::bf16;
    case SrcStyle::fp16: return mode.dst_32b && !index_below ? PoolDst::tf32 : PoolDst::fp16;
    default: return mode.dst_32b && !index_below ? PoolDst::tf32 : PoolDst::bf16;
  }
}

namespace detail {

/// `dst` is 32 bits; a 16-bit datum is in the high half. The exponent of 1.0 is added, as the scale will be to SrcA's.
constexpr Pooled read_pool_dst(std::uint32_t dst, PoolDst style) {
  const std::uint32_t negative = dst >> 31U;
  switch (style) {
    case PoolDst::int32: return {negative, ((dst >> 10U) & 0x3fU) | (((dst >> 24U) & 7U) << 6U), dst & 0x3ffU};
    case PoolDst::fp16: return {negative, ((dst >> 16U) & 0x1fU) + 15U, (dst >> 21U) & 0x3ffU};
    default: break;
  }
  const std::uint32_t low = style == PoolDst::tf32 ? (dst >> 13U) & 7U : 0;
  return {negative, ((dst >> 16U) & 0xffU) + 127U, (((dst >> 24U) & 0x7fU) << 3U) | low};
}

/// Exponents wrap around if a scale was not 1.0.
constexpr std::uint32_t write_pool_dst(const Pooled& x, PoolDst style) {
  const std::uint32_t sign = x.negative << 31U;
  if (style == PoolDst::int32) return sign | ((x.exponent & 7U) << 10U) | x.mantissa;
  if (style == PoolDst::fp16) {
    if ((x.exponent & 0x3fU) == 0) return 0;
    return sign | (x.mantissa << 21U) | (((x.exponent - 15U) & 0x1fU) << 16U);
  }
  if (x.exponent == 0) return 0;
  const std::uint32_t low = style == PoolDst::tf32 ? (x.mantissa & 7U) << 13U : 0;
  return sign | ((x.mantissa & 0x3f8U) << 21U) | (((x.exponent - 127U) & 0xffU) << 16U) | low;
}

/// A zero scale makes the smallest of all, a denormal becomes plus zero.
constexpr Pooled scale_src(std::uint32_t a, SrcStyle style, std::uint32_t b) {
  const std::uint32_t a_exponent = a & 0xffU;
  const std::uint32_t b_exponent = b & 0xffU;
  if (b_exponent == 0) return {1, 0x1ff, 0x3ff};
  if (a_exponent == 0) return {};
  const std::uint32_t negative = (a >> 18U) & 1U;
  const std::uint32_t mantissa = (a >> 8U) & 0x3ffU;
  switch (style) {
    case SrcStyle::int8: return {negative, 0, mantissa};
    case SrcStyle::fp16: return {negative, (a_exponent & 0x1fU) + (b_exponent & 0x1fU), mantissa};
    case SrcStyle::bf16: return {negative, a_exponent + b_exponent, mantissa & 0x3f8U};
    default: return {negative, a_exponent + b_exponent, mantissa};
  }
}

constexpr std::int32_t order(const Pooled& x) {
  const auto magnitude = static_cast<std::int32_t>((x.exponent << 10U) + x.mantissa);
  return x.negative != 0 ? -magnitude : magnitude;
}

/// How the unit numbers the first eight rows.
inline constexpr std::array<std::uint32_t, 8> index_of_row{0, 3, 6, 1, 4, 7, 2, 5};

}  // namespace detail

/// One column: `a` is a column of SrcA, `b` the row of SrcB, `dst` 32 bits of the first row of Dst (a 16-bit datum in the
/// high half; all ones where the row is undefined). Returns 32 bits likewise.
constexpr std::uint32_t max_pool_column(std::uint32_t dst, const SrcColumn& a, const SrcColumn& b,
                                        const MaxPoolMode& mode) {
  const PoolDst style = pool_dst(mode);
  Pooled largest = detail::read_pool_dst(dst, style);
  const std::uint32_t phase = (dst + 0x100U) & 0xf00U;
  std::uint32_t index = dst & 0xffU;
  for (std::size_t step = 0; step < matrix_columns; ++step) {
    // Of equals the later one visited wins; the first eight are visited with their halves exchanged.
    const std::size_t row = step < 8 ? step ^ 4U : step;
    const Pooled x = detail::scale_src(a[row], mode.src_a, b[row]);
    if (detail::order(x) < detail::order(largest)) continue;
    largest = x;
    if (row < 8) index = ((phase >> 4U) + detail::index_of_row[row]) & 0xffU;
  }
  const std::uint32_t with_index = phase | index;
  if (!mode.arg_max) return detail::write_pool_dst(largest, style);
  return style == PoolDst::int32 ? with_index : detail::write_pool_dst(largest, style) | with_index;
}

/// What the other three rows of the block of four get: zero, or the index phase counted on.
constexpr std::uint32_t max_pool_other_row(std::uint32_t dst, const MaxPoolMode& mode) {
  return mode.arg_max && mode.dst_32b ? (dst + 0x100U) & 0xf00U : 0;
}

}  // namespace tensim::number
