// The parts of matrix_rows_avx2.cpp and matrix_elements_avx2.cpp that read, add to and write Dst, eight datums at a time
// in 32-bit lanes.
//
// Every function carries the target attribute instead of the file a compiler flag, so that no inline function of a
// header gets compiled for AVX2 and then used on a host without it.
#pragma once

#include <immintrin.h>

#include "number/matrix_rows.hpp"

#define TENSIM_AVX2 [[gnu::target("avx2"), gnu::always_inline]] inline

namespace tensim::number::avx2 {

/// Two vectors of eight 32-bit lanes: a row.
struct Row32 {
  __m256i first;   // columns 0 to 7
  __m256i second;  // columns 8 to 15
};

/// Addends and their exponents.
struct Terms {
  __m256i exponent;
  __m256i twice_significand;  // signed; below 2^30 in magnitude
};

/// Bits from a product's unit to that of Terms.
inline constexpr int term_shift = static_cast<int>(product_shift) + 1;

TENSIM_AVX2 Terms no_terms() {
  return {_mm256_setzero_si256(), _mm256_setzero_si256()};
}

/// What the accumulation needs to know.
struct Accumulation {
  __m256i wormhole_minus_one;  // -1 where Wormhole's leading sign count goes wrong, else a sum that never occurs
};

/// A sum that no addends reach: they have 30 bits at most.
inline constexpr std::int32_t never_a_sum = 0x7fff'ffff;

TENSIM_AVX2 __m256i constant(std::int32_t x) {
  return _mm256_set1_epi32(x);
}

TENSIM_AVX2 __m256i load(const void* from) {
  return _mm256_loadu_si256(static_cast<const __m256i*>(from));
}

TENSIM_AVX2 Row32 load_src(const SrcRow& row) {
  return {load(row.data()), load(row.data() + 8)};
}

/// Sixteen 16-bit datums in 32-bit lanes.
TENSIM_AVX2 Row32 widen(const DstBitsRow& row) {
  const __m256i bits = load(row.data());
  return {_mm256_cvtepu16_epi32(_mm256_castsi256_si128(bits)),
          _mm256_cvtepu16_epi32(_mm256_extracti128_si256(bits, 1))};
}

/// The reverse; every lane is below 2^16.
TENSIM_AVX2 void narrow(DstBitsRow& row, __m256i first, __m256i second) {
  const __m256i packed = _mm256_permute4x64_epi64(_mm256_packus_epi32(first, second), 0xd8);
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(row.data()), packed);
}

/// x / 2^amount, ties up, from 2x: the bit below decides. Amounts are not negative; large ones leave nothing.
TENSIM_AVX2 __m256i shift_ties_up(__m256i twice_x, __m256i amount) {
  return _mm256_srai_epi32(_mm256_add_epi32(_mm256_srav_epi32(twice_x, amount), constant(1)), 1);
}

TENSIM_AVX2 __m256i negate_where(__m256i x, __m256i mask) {
  return _mm256_sub_epi32(_mm256_xor_si256(x, mask), mask);
}

/// 127 and the place of the highest set bit of each lane, or 0 for zero. Float conversion finds it: with the bit below
/// the highest cleared, no rounding mode can carry into the exponent.
TENSIM_AVX2 __m256i biased_highest_bit(__m256i x) {
  const __m256i safe = _mm256_andnot_si256(_mm256_srli_epi32(x, 1), x);
  return _mm256_srli_epi32(_mm256_castps_si256(_mm256_cvtepi32_ps(safe)), 23);
}

/// Eight datums of Dst. `low` is zero in 16-bit mode.
struct DstLanes {
  __m256i high;
  __m256i low;
};

/// The magnitude of a datum: its sign is left out.
template <DstStyle style>
TENSIM_AVX2 Terms read_dst(DstLanes dst) {
  constexpr bool narrow_exponent = style == DstStyle::fp16;
  const __m256i exponent = _mm256_and_si256(dst.high, constant(narrow_exponent ? 0x1f : 0xff));
  const __m256i fraction_bits = _mm256_and_si256(dst.high, constant(narrow_exponent ? 0x7fe0 : 0x7f00));
  __m256i twice = _mm256_slli_epi32(fraction_bits, 9);  // both formats end up below bit 24
  if constexpr (style == DstStyle::fp32) twice = _mm256_or_si256(twice, _mm256_slli_epi32(dst.low, 1));
  twice = _mm256_or_si256(twice, constant(0x100'0000));
  const __m256i zero = _mm256_cmpeq_epi32(exponent, _mm256_setzero_si256());
  return {exponent, _mm256_andnot_si256(zero, twice)};
}

/// Mantissa bits of Dst's format.
constexpr int mantissa_bits(DstStyle style) {
  return 23 - detail::dropped_bits(style);
}

/// `mantissa` has its leading one; above that there may be a carry, which is in the exponent already.
template <DstStyle style>
TENSIM_AVX2 DstLanes write_dst(__m256i negative, __m256i exponent, __m256i mantissa, __m256i zero) {
  constexpr std::int32_t largest_exponent = style == DstStyle::fp16 ? 31 : 254;
  const __m256i too_large = _mm256_cmpgt_epi32(exponent, constant(largest_exponent));
  const __m256i sign = _mm256_and_si256(negative, constant(0x8000));
  if constexpr (style == DstStyle::fp16) {
    const __m256i fraction = _mm256_and_si256(_mm256_slli_epi32(mantissa, 5), constant(0x7fe0));
    const __m256i kept = _mm256_blendv_epi8(_mm256_or_si256(fraction, exponent), constant(0x7fff), too_large);
    return {_mm256_andnot_si256(zero, _mm256_or_si256(kept, sign)), zero};
  }
  const __m256i kept = _mm256_andnot_si256(too_large, mantissa);
  const __m256i placed = style == DstStyle::fp32 ? _mm256_srli_epi32(kept, 8) : _mm256_slli_epi32(kept, 8);
  const __m256i fraction = _mm256_and_si256(placed, constant(0x7f00));
  const __m256i kept_exponent = _mm256_min_epi32(exponent, constant(255));
  const __m256i high = _mm256_andnot_si256(zero, _mm256_or_si256(_mm256_or_si256(fraction, kept_exponent), sign));
  if constexpr (style == DstStyle::bf16) return {high, zero};
  return {high, _mm256_andnot_si256(zero, _mm256_and_si256(kept, constant(0xffff)))};
}

/// Brings the leading one to bit 30, rounds to Dst's mantissa from there, and encodes.
template <DstStyle style>
TENSIM_AVX2 DstLanes normalise(__m256i exponent, __m256i sum, const Accumulation& rules) {
  constexpr int dropped = 30 - mantissa_bits(style);
  const __m256i negative = _mm256_srai_epi32(sum, 31);
  const __m256i magnitude = negate_where(sum, negative);
  const __m256i highest = biased_highest_bit(magnitude);
  const __m256i leading = _mm256_sllv_epi32(magnitude, _mm256_sub_epi32(constant(127 + 30), highest));
  const __m256i mantissa = _mm256_srli_epi32(_mm256_add_epi32(leading, constant(1 << (dropped - 1))), dropped);
  exponent = _mm256_add_epi32(exponent, _mm256_sub_epi32(highest, constant(127 + 23)));
  exponent = _mm256_add_epi32(exponent, _mm256_srli_epi32(mantissa, mantissa_bits(style) + 1));
  if constexpr (style == DstStyle::fp32) {
    const __m256i wrong = _mm256_cmpeq_epi32(sum, rules.wormhole_minus_one);
    exponent = _mm256_add_epi32(exponent, _mm256_and_si256(wrong, constant(27)));
  }
  const __m256i below = _mm256_cmpgt_epi32(constant(1), exponent);
  const __m256i zero = _mm256_or_si256(below, _mm256_cmpeq_epi32(sum, _mm256_setzero_si256()));
  return write_dst<style>(negative, exponent, mantissa, zero);
}

TENSIM_AVX2 __m256i keep_11_bits(__m256i x) {
  return _mm256_and_si256(_mm256_add_epi32(x, constant(0x1000)), constant(~0x1fff));
}

/// Dst + first + second, or Dst + first where `two` is false.
template <DstStyle style, bool two>
TENSIM_AVX2 DstLanes accumulate(DstLanes dst, Terms first, Terms second, const Accumulation& rules) {
  const Terms old = read_dst<style>(dst);
  const __m256i negative = _mm256_cmpgt_epi32(dst.high, constant(0x7fff));
  __m256i exponent = _mm256_max_epi32(first.exponent, old.exponent);
  if constexpr (two) exponent = _mm256_max_epi32(exponent, second.exponent);
  __m256i a = shift_ties_up(first.twice_significand, _mm256_sub_epi32(exponent, first.exponent));
  __m256i d = shift_ties_up(old.twice_significand, _mm256_sub_epi32(exponent, old.exponent));
  if constexpr (style != DstStyle::fp32) {
    a = keep_11_bits(a);
    d = keep_11_bits(d);
  }
  __m256i sum = _mm256_add_epi32(negate_where(d, negative), a);
  if constexpr (two) {
    __m256i b = shift_ties_up(second.twice_significand, _mm256_sub_epi32(exponent, second.exponent));
    if constexpr (style != DstStyle::fp32) b = keep_11_bits(b);
    sum = _mm256_add_epi32(sum, b);
  }
  // Nothing but zeros below the range: no exponent at all.
  sum = _mm256_and_si256(sum, _mm256_cmpgt_epi32(exponent, _mm256_setzero_si256()));
  return normalise<style>(exponent, sum, rules);
}

TENSIM_AVX2 Accumulation accumulation(Arch arch) {
  return {constant(detail::miscounts_minus_one(arch) ? -1 : never_a_sum)};
}

struct DstRowLanes {
  DstLanes first;
  DstLanes second;
};

template <bool dst_32b>
TENSIM_AVX2 DstRowLanes load_dst(const DstRow& row) {
  const Row32 high = widen(*row.read_high);
  if constexpr (!dst_32b) return {{high.first, _mm256_setzero_si256()}, {high.second, _mm256_setzero_si256()}};
  const Row32 low = widen(*row.read_low);
  return {{high.first, low.first}, {high.second, low.second}};
}

template <bool dst_32b>
TENSIM_AVX2 void store_dst(const DstRow& row, DstLanes first, DstLanes second) {
  narrow(*row.write_high, first.high, second.high);
  if constexpr (dst_32b) narrow(*row.write_low, first.low, second.low);
}

/// Dst holds INT32 as it holds FP32. Two's complement and back.
TENSIM_AVX2 __m256i read_int32(DstLanes dst) {
  const __m256i exponent = _mm256_and_si256(dst.high, constant(0xff));
  const __m256i fraction = _mm256_and_si256(dst.high, constant(0x7f00));
  const __m256i high = _mm256_or_si256(_mm256_slli_epi32(exponent, 23), _mm256_slli_epi32(fraction, 8));
  const __m256i negative = _mm256_cmpgt_epi32(dst.high, constant(0x7fff));
  return negate_where(_mm256_or_si256(high, dst.low), negative);
}

TENSIM_AVX2 DstLanes write_int32(__m256i x) {
  const __m256i negative = _mm256_srai_epi32(x, 31);
  const __m256i magnitude = negate_where(x, negative);
  const __m256i exponent = _mm256_srli_epi32(magnitude, 23);
  const __m256i fraction = _mm256_and_si256(_mm256_srli_epi32(magnitude, 8), constant(0x7f00));
  const __m256i sign = _mm256_and_si256(negative, constant(0x8000));
  return {_mm256_or_si256(_mm256_or_si256(exponent, fraction), sign), _mm256_and_si256(magnitude, constant(0xffff))};
}

TENSIM_AVX2 __m256i saturating_add(__m256i a, __m256i b) {
  constexpr std::int32_t largest = 0x7fff'ffff;
  const __m256i sum = _mm256_add_epi32(a, b);
  const __m256i overflow = _mm256_srai_epi32(_mm256_and_si256(_mm256_xor_si256(a, sum), _mm256_xor_si256(b, sum)), 31);
  const __m256i limit = _mm256_xor_si256(_mm256_srai_epi32(a, 31), constant(largest));
  return _mm256_max_epi32(_mm256_blendv_epi8(sum, limit, overflow), constant(-largest));
}

}  // namespace tensim::number::avx2
