// The parts of matrix_rows_avx2.cpp and matrix_elements_avx2.cpp that read Src, sixteen datums at a time in 16-bit lanes.
#pragma once

#include "number/matrix_avx2_dst.hpp"

namespace tensim::number::avx2 {

/// So far below any exponent that a sum with it is never the largest, and a shift by the distance leaves nothing.
inline constexpr std::int16_t no_exponent = -0x2000;

/// A row of Src in 16-bit lanes.
struct Row16 {
  __m256i exponent;
  __m256i mantissa;  // signed, the bits of this phase
};

/// Which bits of a Src datum a style reads.
struct SrcBits {
  std::int16_t exponent;
  std::int16_t mantissa;
  std::int16_t zero_exponent;  // what a datum with a zero exponent gets
};

constexpr SrcBits src_bits(SrcStyle style, bool keep_denormals) {
  return {static_cast<std::int16_t>(has_5bit_exponent(style) ? 0x1f : 0xff),
          static_cast<std::int16_t>(style == SrcStyle::bf16 ? 0x3f8 : 0x3ff),
          keep_denormals ? std::int16_t{0} : no_exponent};
}

TENSIM_AVX2 __m256i pack_words(__m256i first, __m256i second) {
  return _mm256_permute4x64_epi64(_mm256_packus_epi32(first, second), 0xd8);
}

/// Exponents, 11-bit mantissas and signs (as masks) of a row in 16-bit lanes.
struct Fields {
  __m256i exponent;
  __m256i mantissa;
  __m256i negative;
};

TENSIM_AVX2 Fields take_apart(const SrcRow& row, SrcBits bits) {
  const Row32 src = load_src(row);
  // Sign and mantissa: 11 bits above the exponent.
  const __m256i upper = pack_words(_mm256_srli_epi32(src.first, 8), _mm256_srli_epi32(src.second, 8));
  const __m256i mask = constant(bits.exponent);
  const __m256i exponent = pack_words(_mm256_and_si256(src.first, mask), _mm256_and_si256(src.second, mask));
  const __m256i negative = _mm256_srai_epi16(_mm256_slli_epi16(upper, 5), 15);
  const __m256i fraction = _mm256_and_si256(upper, _mm256_set1_epi16(bits.mantissa));
  return {exponent, fraction, negative};
}

TENSIM_AVX2 __m256i negate16_where(__m256i x, __m256i mask) {
  return _mm256_sub_epi16(_mm256_xor_si256(x, mask), mask);
}

/// A row for multiplications: `shift` and `mask` cut the phase's bits out of the mantissa, `scale` places them.
struct PhaseBits {
  int shift;
  std::int16_t mask;
  int scale;
};

TENSIM_AVX2 Row16 factors(const SrcRow& row, SrcBits bits, PhaseBits phase) {
  const Fields fields = take_apart(row, bits);
  const __m256i zero = _mm256_cmpeq_epi16(fields.exponent, _mm256_setzero_si256());
  const __m256i whole = _mm256_or_si256(fields.mantissa, _mm256_set1_epi16(0x400));
  __m256i cut = _mm256_srl_epi16(whole, _mm_cvtsi32_si128(phase.shift));
  cut = _mm256_and_si256(cut, _mm256_set1_epi16(phase.mask));
  cut = _mm256_sll_epi16(cut, _mm_cvtsi32_si128(phase.scale));
  if (bits.zero_exponent == 0) return {fields.exponent, negate16_where(cut, fields.negative)};
  const __m256i exponent = _mm256_blendv_epi8(fields.exponent, _mm256_set1_epi16(no_exponent), zero);
  return {exponent, negate16_where(_mm256_andnot_si256(zero, cut), fields.negative)};
}

constexpr PhaseBits phase_bits_a(unsigned phase) {
  return (phase & 1U) != 0 ? PhaseBits{1, 31, 0} : PhaseBits{6, 31, 0};
}

constexpr PhaseBits phase_bits_b(unsigned phase) {
  return (phase & 2U) != 0 ? PhaseBits{0, 15, 3} : PhaseBits{4, 127, 0};
}

/// Powers of two, 2^(13 - distance), as low and high bytes by distance; nothing from a distance of 14 on.
TENSIM_AVX2 __m256i low_bytes_of_powers() {
  return _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 0, 0, 0, 0, 0, -128, 64, 32, 16, 8, 4, 2, 1, 0, 0));
}

TENSIM_AVX2 __m256i high_bytes_of_powers() {
  return _mm256_broadcastsi128_si256(_mm_setr_epi8(32, 16, 8, 4, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
}

/// A product times four, moved `power` = 2^(13 - distance) to the right by a rounding multiplication: ties away from zero.
TENSIM_AVX2 __m256i align(__m256i product_times_4, __m256i power) {
  const __m256i rounded = _mm256_mulhrs_epi16(_mm256_abs_epi16(product_times_4), power);
  return _mm256_sign_epi16(rounded, product_times_4);
}

/// Integers of a row in 16-bit lanes.
TENSIM_AVX2 __m256i integers16(const SrcRow& row, std::uint32_t magnitude_mask, bool keep_denormals) {
  const Fields fields = take_apart(row, {0xff, static_cast<std::int16_t>(magnitude_mask), no_exponent});
  const __m256i value = negate16_where(fields.mantissa, fields.negative);
  if (keep_denormals) return value;
  return _mm256_andnot_si256(_mm256_cmpeq_epi16(fields.exponent, _mm256_setzero_si256()), value);
}

/// Integers of half a row in 32-bit lanes.
TENSIM_AVX2 Row32 widen_signed(__m256i x) {
  return {_mm256_cvtepi16_epi32(_mm256_castsi256_si128(x)), _mm256_cvtepi16_epi32(_mm256_extracti128_si256(x, 1))};
}

TENSIM_AVX2 void accumulate_int32(const DstRow& row, Row32 addend, bool accumulate_dst) {
  DstLanes first = write_int32(addend.first);
  DstLanes second = write_int32(addend.second);
  if (accumulate_dst) {
    const DstRowLanes dst = load_dst<true>(row);
    first = write_int32(saturating_add(read_int32(dst.first), addend.first));
    second = write_int32(saturating_add(read_int32(dst.second), addend.second));
  }
  store_dst<true>(row, first, second);
}

}  // namespace tensim::number::avx2
