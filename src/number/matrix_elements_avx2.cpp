#include "number/matrix_rows_avx2.hpp"

#if defined(__x86_64__)

#include "number/matrix_avx2_src.hpp"

namespace tensim::number::avx2 {
namespace {

TENSIM_AVX2 SrcRow column_0(const SrcRow& row) {
  SrcRow all;
  all.fill(row[0]);
  return all;
}

/// The term of ELWMUL: a product, unless its exponent is not above zero.
TENSIM_AVX2 Terms product_terms(__m128i exponent, __m128i product, __m256i bias, __m256i zero_exponent) {
  const __m256i placed = _mm256_add_epi32(_mm256_cvtepi16_epi32(exponent), bias);
  const __m256i above = _mm256_cmpgt_epi32(placed, _mm256_setzero_si256());
  const __m256i significand = _mm256_slli_epi32(_mm256_cvtepi16_epi32(product), term_shift);
  return {_mm256_blendv_epi8(zero_exponent, placed, above), _mm256_and_si256(significand, above)};
}

template <DstStyle style>
[[gnu::target("avx2")]] void multiply_float_elements(const ElementMode& mode, std::span<const ElementRow> rows) {
  constexpr bool dst_32b = style == DstStyle::fp32;
  const MatrixMode& matrix = mode.matrix;
  const SrcBits bits_a = src_bits(matrix.src_a, false);
  const SrcBits bits_b = src_bits(matrix.src_b, matrix.keep_src_b_denormals);
  const PhaseBits phase_a = phase_bits_a(matrix.fidelity_phase);
  const PhaseBits phase_b = phase_bits_b(matrix.fidelity_phase);
  const __m256i bias = constant(product_bias(matrix));
  const __m256i zero_exponent = constant(zero_product_exponent(matrix));
  const Accumulation rules = accumulation(matrix.arch);
  for (const ElementRow& row : rows) {
    const Row16 a = factors(*row.src_a, bits_a, phase_a);
    const Row16 b = mode.broadcast_src_b_column_0 ? factors(column_0(*row.src_b), bits_b, phase_b)
                                                  : factors(*row.src_b, bits_b, phase_b);
    const __m256i exponent = _mm256_add_epi16(a.exponent, b.exponent);
    const __m256i product = _mm256_mullo_epi16(a.mantissa, b.mantissa);
    const Terms first =
        product_terms(_mm256_castsi256_si128(exponent), _mm256_castsi256_si128(product), bias, zero_exponent);
    const Terms second =
        product_terms(_mm256_extracti128_si256(exponent, 1), _mm256_extracti128_si256(product, 1), bias, zero_exponent);
    const DstRowLanes dst = load_dst<dst_32b>(row.dst);
    store_dst<dst_32b>(row.dst, accumulate<style, false>(dst.first, first, no_terms(), rules),
                       accumulate<style, false>(dst.second, second, no_terms(), rules));
  }
}

[[gnu::target("avx2")]] void multiply_int8_elements(const ElementMode& mode, std::span<const ElementRow> rows) {
  const MatrixMode& matrix = mode.matrix;
  const std::uint32_t mask_a = int8_bits_of_src_a(matrix.fidelity_phase);
  const std::uint32_t mask_b = int8_bits_of_src_b(matrix.fidelity_phase);
  for (const ElementRow& row : rows) {
    const SrcRow src_b = mode.broadcast_src_b_column_0 ? column_0(*row.src_b) : *row.src_b;
    const Row32 a = widen_signed(integers16(*row.src_a, mask_a, false));
    const Row32 b = widen_signed(integers16(src_b, mask_b, matrix.keep_src_b_denormals));
    accumulate_int32(row.dst, {_mm256_mullo_epi32(a.first, b.first), _mm256_mullo_epi32(a.second, b.second)}, true);
  }
}

/// An operand of ELWADD in 16-bit lanes: zero if its exponent is, or where denormals are kept, if all is but the sign.
TENSIM_AVX2 Row16 addends(const SrcRow& row, SrcBits bits, __m256i turn_sign) {
  const Fields fields = take_apart(row, bits);
  const __m256i negative = _mm256_xor_si256(fields.negative, turn_sign);
  const __m256i whole = _mm256_or_si256(fields.mantissa, _mm256_set1_epi16(0x400));
  const __m256i all_but_sign = _mm256_or_si256(fields.exponent, fields.mantissa);
  const __m256i tested = bits.zero_exponent == 0 ? all_but_sign : fields.exponent;
  const __m256i zero = _mm256_cmpeq_epi16(tested, _mm256_setzero_si256());
  return {fields.exponent, negate16_where(_mm256_andnot_si256(zero, whole), negative)};
}

/// ELWADD's alignment: 11 bits, ties away from zero.
TENSIM_AVX2 __m256i align_addend(__m256i mantissa, __m256i distance) {
  const __m256i byte_pair = _mm256_shuffle_epi8(
      distance, _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 0, 2, 2, 4, 4, 6, 6, 8, 8, 10, 10, 12, 12, 14, 14)));
  // Distances above 15 saturate to a byte whose lookup gives zero.
  const __m256i index = _mm256_adds_epu8(byte_pair, _mm256_set1_epi8(112));
  const __m256i low = _mm256_shuffle_epi8(low_bytes_of_powers(), index);
  const __m256i high = _mm256_shuffle_epi8(high_bytes_of_powers(), index);
  const __m256i power = _mm256_blendv_epi8(low, high, _mm256_set1_epi16(-256));
  return align(_mm256_slli_epi16(mantissa, 2), power);
}

/// `in_place`: exponents of Src are those of Dst, and no phase divides. Then nothing can fall below the range.
template <bool in_place>
TENSIM_AVX2 Terms sum_terms(__m128i exponent, __m128i sum, __m256i rebias, __m256i zero_exponent) {
  const __m256i wide = _mm256_cvtepi16_epi32(exponent);
  if constexpr (in_place) return {wide, _mm256_slli_epi32(_mm256_cvtepi16_epi32(sum), term_shift)};
  const __m256i zero = _mm256_cmpeq_epi32(wide, _mm256_setzero_si256());
  const __m256i placed = _mm256_add_epi32(wide, rebias);
  // A phase that divides a sum below the range leaves nothing.
  const __m256i gone = _mm256_andnot_si256(zero, _mm256_cmpgt_epi32(constant(1), placed));
  const __m256i significand = _mm256_slli_epi32(_mm256_cvtepi16_epi32(sum), term_shift);
  return {_mm256_andnot_si256(gone, _mm256_blendv_epi8(placed, zero_exponent, zero)),
          _mm256_andnot_si256(gone, significand)};
}

template <DstStyle style, bool accumulates, bool in_place>
[[gnu::target("avx2")]] void add_float_elements(const ElementMode& mode, AddOrSubtract operation,
                                                std::span<const ElementRow> rows) {
  constexpr bool dst_32b = style == DstStyle::fp32;
  const MatrixMode& matrix = mode.matrix;
  const SrcBits bits_a = src_bits(matrix.src_a, false);
  const SrcBits bits_b = src_bits(matrix.src_b, matrix.keep_src_b_denormals);
  const __m256i zero_exponent = constant(detail::sum_exponent(0, matrix));
  const __m256i rebias = constant(detail::sum_exponent(1, matrix) - 1);
  const __m256i nothing = _mm256_setzero_si256();
  const __m256i turn_b = operation == AddOrSubtract::subtract ? _mm256_set1_epi16(-1) : nothing;
  const Accumulation rules = accumulation(matrix.arch);
  for (const ElementRow& row : rows) {
    const Row16 a = addends(*row.src_a, bits_a, nothing);
    const Row16 b = mode.broadcast_src_b_column_0 ? addends(column_0(*row.src_b), bits_b, turn_b)
                                                  : addends(*row.src_b, bits_b, turn_b);
    const __m256i exponent = _mm256_max_epi16(a.exponent, b.exponent);
    const __m256i sum = _mm256_add_epi16(align_addend(a.mantissa, _mm256_sub_epi16(exponent, a.exponent)),
                                         align_addend(b.mantissa, _mm256_sub_epi16(exponent, b.exponent)));
    const Terms first =
        sum_terms<in_place>(_mm256_castsi256_si128(exponent), _mm256_castsi256_si128(sum), rebias, zero_exponent);
    const Terms second = sum_terms<in_place>(_mm256_extracti128_si256(exponent, 1), _mm256_extracti128_si256(sum, 1),
                                             rebias, zero_exponent);
    DstRowLanes dst{{nothing, nothing}, {nothing, nothing}};
    if constexpr (accumulates) dst = load_dst<dst_32b>(row.dst);
    store_dst<dst_32b>(row.dst, accumulate<style, false>(dst.first, first, no_terms(), rules),
                       accumulate<style, false>(dst.second, second, no_terms(), rules));
  }
}

template <DstStyle style>
void add_float_rows(const ElementMode& mode, AddOrSubtract operation, bool accumulate_dst,
                    std::span<const ElementRow> rows) {
  const bool in_place = detail::sum_exponent(0, mode.matrix) == 0 && detail::sum_exponent(1, mode.matrix) == 1;
  if (accumulate_dst && in_place) return add_float_elements<style, true, true>(mode, operation, rows);
  if (accumulate_dst) return add_float_elements<style, true, false>(mode, operation, rows);
  if (in_place) return add_float_elements<style, false, true>(mode, operation, rows);
  add_float_elements<style, false, false>(mode, operation, rows);
}

[[gnu::target("avx2")]] void add_int8_elements(const ElementMode& mode, AddOrSubtract operation, bool accumulate_dst,
                                               std::span<const ElementRow> rows) {
  for (const ElementRow& row : rows) {
    const SrcRow src_b = mode.broadcast_src_b_column_0 ? column_0(*row.src_b) : *row.src_b;
    const __m256i a = integers16(*row.src_a, int8_all_bits, false);
    const __m256i b = integers16(src_b, int8_all_bits, mode.matrix.keep_src_b_denormals);
    const __m256i sum = operation == AddOrSubtract::add ? _mm256_add_epi16(a, b) : _mm256_sub_epi16(a, b);
    accumulate_int32(row.dst, widen_signed(sum), accumulate_dst);
  }
}

}  // namespace

void multiply_elements(const ElementMode& mode, std::span<const ElementRow> rows) {
  if (mode.matrix.src_a == SrcStyle::int8) return multiply_int8_elements(mode, rows);
  switch (dst_style(mode.matrix)) {
    case DstStyle::fp32: return multiply_float_elements<DstStyle::fp32>(mode, rows);
    case DstStyle::bf16: return multiply_float_elements<DstStyle::bf16>(mode, rows);
    case DstStyle::fp16: return multiply_float_elements<DstStyle::fp16>(mode, rows);
  }
}

void add_elements(const ElementMode& mode, AddOrSubtract operation, bool accumulate_dst,
                  std::span<const ElementRow> rows) {
  if (mode.matrix.src_a == SrcStyle::int8) return add_int8_elements(mode, operation, accumulate_dst, rows);
  switch (dst_style(mode.matrix)) {
    case DstStyle::fp32: return add_float_rows<DstStyle::fp32>(mode, operation, accumulate_dst, rows);
    case DstStyle::bf16: return add_float_rows<DstStyle::bf16>(mode, operation, accumulate_dst, rows);
    case DstStyle::fp16: return add_float_rows<DstStyle::fp16>(mode, operation, accumulate_dst, rows);
  }
}

}  // namespace tensim::number::avx2

#else

namespace tensim::number::avx2 {

void multiply_elements(const ElementMode&, std::span<const ElementRow>) {}
void add_elements(const ElementMode&, AddOrSubtract, bool, std::span<const ElementRow>) {}

}  // namespace tensim::number::avx2

#endif
