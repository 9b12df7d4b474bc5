#include "number/matrix_rows_avx2.hpp"

#if defined(__x86_64__)

#include "number/matrix_avx2_src.hpp"

namespace tensim::number::avx2 {
namespace {

/// SrcA of MVMUL, ready for all its rows. Mantissas are times four: see aligned_sum().
struct PreparedA {
  std::array<Row16, matrix_columns> rows;
};

struct alignas(32) PreparedB {
  std::array<std::int16_t, matrix_columns> exponent;
  std::array<std::int16_t, matrix_columns> mantissa;
};

/// Eight products per column under one exponent.
struct GroupSum {
  __m256i exponent;
  __m256i sum;
};

TENSIM_AVX2 __m256i broadcast(const std::int16_t& x) {
  return _mm256_set1_epi16(x);
}

TENSIM_AVX2 GroupSum aligned_sum(const Row16* a, const std::int16_t* b_exponent, const std::int16_t* b_mantissa,
                                 __m256i bias, __m256i zero_exponent) {
  __m256i exponents[group_products];
  __m256i largest = zero_exponent;
#pragma GCC unroll 8
  for (std::size_t i = 0; i < group_products; ++i) {
    exponents[i] = _mm256_add_epi16(a[i].exponent, broadcast(b_exponent[i]));
    largest = _mm256_max_epi16(largest, exponents[i]);
  }
  const __m256i low = low_bytes_of_powers();
  const __m256i high = high_bytes_of_powers();
  // Saturates distances above 15 into bytes whose top bit makes the table lookup give zero.
  const __m256i saturate = _mm256_set1_epi8(112);
  __m256i sum = _mm256_setzero_si256();
#pragma GCC unroll 4
  for (std::size_t i = 0; i < group_products; i += 2) {
    const __m256i distances =
        _mm256_packus_epi16(_mm256_sub_epi16(largest, exponents[i]), _mm256_sub_epi16(largest, exponents[i + 1]));
    const __m256i index = _mm256_adds_epu8(distances, saturate);
    const __m256i low_byte = _mm256_shuffle_epi8(low, index);
    const __m256i high_byte = _mm256_shuffle_epi8(high, index);
    const __m256i first = _mm256_mullo_epi16(a[i].mantissa, broadcast(b_mantissa[i]));
    const __m256i second = _mm256_mullo_epi16(a[i + 1].mantissa, broadcast(b_mantissa[i + 1]));
    sum = _mm256_add_epi16(sum, align(first, _mm256_unpacklo_epi8(low_byte, high_byte)));
    sum = _mm256_add_epi16(sum, align(second, _mm256_unpackhi_epi8(low_byte, high_byte)));
  }
  // A sum whose exponent is not above zero is none.
  const __m256i exponent = _mm256_add_epi16(largest, bias);
  const __m256i above = _mm256_cmpgt_epi16(exponent, _mm256_setzero_si256());
  return {_mm256_and_si256(exponent, above), _mm256_and_si256(sum, above)};
}

TENSIM_AVX2 Terms terms_of(__m128i exponent, __m128i sum) {
  return {_mm256_cvtepi16_epi32(exponent), _mm256_slli_epi32(_mm256_cvtepi16_epi32(sum), term_shift)};
}

TENSIM_AVX2 Terms first_half(const GroupSum& group) {
  return terms_of(_mm256_castsi256_si128(group.exponent), _mm256_castsi256_si128(group.sum));
}

TENSIM_AVX2 Terms second_half(const GroupSum& group) {
  return terms_of(_mm256_extracti128_si256(group.exponent, 1), _mm256_extracti128_si256(group.sum, 1));
}

template <DstStyle style>
[[gnu::target("avx2")]] void multiply_float_rows(const MatrixMode& mode, SrcARows src_a,
                                                 std::span<const MultiplyRow> rows) {
  constexpr bool dst_32b = style == DstStyle::fp32;
  const SrcBits bits_a = src_bits(mode.src_a, false);
  const SrcBits bits_b = src_bits(mode.src_b, mode.keep_src_b_denormals);
  PhaseBits phase_a = phase_bits_a(mode.fidelity_phase);
  phase_a.scale += 2;
  const PhaseBits phase_b = phase_bits_b(mode.fidelity_phase);
  PreparedA a;
  for (std::size_t i = 0; i < matrix_columns; ++i)
    a.rows[i] = factors(src_a[i], bits_a, phase_a);
  // Exponents are summed without the bias: it is added to the largest.
  const auto bias_value = static_cast<std::int16_t>(product_bias(mode));
  const __m256i bias = _mm256_set1_epi16(bias_value);
  const __m256i zero_exponent =
      _mm256_set1_epi16(static_cast<std::int16_t>(zero_product_exponent(mode) - product_bias(mode)));
  const Accumulation rules = accumulation(mode.arch);
  PreparedB b;
  for (const MultiplyRow& row : rows) {
    const Row16 factors_b = factors(*row.src_b, bits_b, phase_b);
    _mm256_store_si256(reinterpret_cast<__m256i*>(b.exponent.data()), factors_b.exponent);
    _mm256_store_si256(reinterpret_cast<__m256i*>(b.mantissa.data()), factors_b.mantissa);
    const GroupSum one = aligned_sum(a.rows.data(), b.exponent.data(), b.mantissa.data(), bias, zero_exponent);
    const GroupSum two = aligned_sum(a.rows.data() + group_products, b.exponent.data() + group_products,
                                     b.mantissa.data() + group_products, bias, zero_exponent);
    const DstRowLanes dst = load_dst<dst_32b>(row.dst);
    store_dst<dst_32b>(row.dst, accumulate<style, true>(dst.first, first_half(one), first_half(two), rules),
                       accumulate<style, true>(dst.second, second_half(one), second_half(two), rules));
  }
}

[[gnu::target("avx2")]] void multiply_int8_rows(const MatrixMode& mode, SrcARows src_a,
                                                std::span<const MultiplyRow> rows) {
  // Pairs of rows of SrcA beside each other, column by column, for a multiplication that adds pairs.
  std::array<Row32, matrix_columns / 2> pairs;
  const std::uint32_t mask_a = int8_bits_of_src_a(mode.fidelity_phase);
  for (std::size_t i = 0; i < matrix_columns; i += 2) {
    const __m256i even = integers16(src_a[i], mask_a, false);
    const __m256i odd = integers16(src_a[i + 1], mask_a, false);
    const __m256i low = _mm256_unpacklo_epi16(even, odd);
    const __m256i high = _mm256_unpackhi_epi16(even, odd);
    pairs[i / 2] = {_mm256_permute2x128_si256(low, high, 0x20), _mm256_permute2x128_si256(low, high, 0x31)};
  }
  alignas(32) std::array<std::int32_t, matrix_columns / 2> b;
  for (const MultiplyRow& row : rows) {
    const __m256i factors_b =
        integers16(*row.src_b, int8_bits_of_src_b(mode.fidelity_phase), mode.keep_src_b_denormals);
    _mm256_store_si256(reinterpret_cast<__m256i*>(b.data()), factors_b);
    Row32 sum{_mm256_setzero_si256(), _mm256_setzero_si256()};
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const __m256i factor = constant(b[i]);
      sum.first = _mm256_add_epi32(sum.first, _mm256_madd_epi16(pairs[i].first, factor));
      sum.second = _mm256_add_epi32(sum.second, _mm256_madd_epi16(pairs[i].second, factor));
    }
    accumulate_int32(row.dst, sum, true);
  }
}

}  // namespace

bool supported() {
  return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
}

void multiply_rows(const MatrixMode& mode, SrcARows src_a, std::span<const MultiplyRow> rows) {
  if (mode.src_a == SrcStyle::int8) return multiply_int8_rows(mode, src_a, rows);
  switch (dst_style(mode)) {
    case DstStyle::fp32: return multiply_float_rows<DstStyle::fp32>(mode, src_a, rows);
    case DstStyle::bf16: return multiply_float_rows<DstStyle::bf16>(mode, src_a, rows);
    case DstStyle::fp16: return multiply_float_rows<DstStyle::fp16>(mode, src_a, rows);
  }
}

}  // namespace tensim::number::avx2

#else

namespace tensim::number::avx2 {

bool supported() {
  return false;
}

void multiply_rows(const MatrixMode&, SrcARows, std::span<const MultiplyRow>) {}

}  // namespace tensim::number::avx2

#endif
