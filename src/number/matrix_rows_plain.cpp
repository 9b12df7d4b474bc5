#include "number/matrix_rows_plain.hpp"

#include <algorithm>
#include <bit>

namespace tensim::number::plain {
namespace {

/// So far below any exponent that a sum with it is never the largest.
constexpr std::int32_t no_exponent = -0x2000;

template <class T>
using Columns = std::array<T, matrix_columns>;

/// A row of Src, taken apart for a phase. Mantissas are small integers: whatever the host's rounding mode, nothing below
/// rounds but where it should.
struct Factors {
  Columns<std::int32_t> exponent;
  Columns<float> mantissa;  // signed
};

template <auto mantissa_of>
Factors factors(const SrcRow& row, SrcStyle style, bool keep_denormals, unsigned phase) {
  Factors result;
  for (std::size_t i = 0; i < matrix_columns; ++i) {
    const SrcNumber number = read_src(row[i], style, keep_denormals);
    const auto magnitude = static_cast<std::int32_t>(mantissa_of(number.mantissa, phase));
    const std::int32_t counted = number.zero ? 0 : magnitude;
    result.exponent[i] = number.zero ? no_exponent : number.exponent;
    result.mantissa[i] = static_cast<float>(number.negative ? -counted : counted);
  }
  return result;
}

/// An integer times 2^-distance, rounded to one with ties away from zero.
std::int32_t align(float product, std::int32_t distance) {
  constexpr std::uint32_t sign = 0x8000'0000;
  constexpr std::int32_t leaves_nothing = 30;
  constexpr std::int32_t bias = 127;
  constexpr unsigned fraction_bits = 23;
  const auto exponent = static_cast<std::uint32_t>(bias - std::min(distance, leaves_nothing));
  const auto scale = std::bit_cast<float>(exponent << fraction_bits);
  const std::uint32_t half = (std::bit_cast<std::uint32_t>(product) & sign) | std::bit_cast<std::uint32_t>(0.5F);
  return static_cast<std::int32_t>(product * scale + std::bit_cast<float>(half));
}

/// A Term for each column.
struct Sums {
  Columns<std::int32_t> exponent;  // without the bias of a product
  Columns<std::int32_t> sum;

  Term term(std::size_t column, std::int32_t bias) const {
    const std::int32_t placed = exponent[column] + bias;
    return placed <= 0 ? Term{} : Term{placed, sum[column] * (1 << product_shift)};
  }
};

/// Eight products of every column under one exponent, as sum_of_products() does it for one.
Sums sum_of_rows(const Factors* a, const std::int32_t* b_exponent, const float* b_mantissa,
                 std::int32_t zero_exponent) {
  Sums sums;
  for (std::size_t column = 0; column < matrix_columns; ++column) {
    std::array<std::int32_t, group_products> exponents;
    std::int32_t largest = zero_exponent;
    for (std::size_t i = 0; i < group_products; ++i) {
      exponents[i] = a[i].exponent[column] + b_exponent[i];
      largest = std::max(largest, exponents[i]);
    }
    std::int32_t sum = 0;
    for (std::size_t i = 0; i < group_products; ++i)
      sum += align(a[i].mantissa[column] * b_mantissa[i], largest - exponents[i]);
    sums.exponent[column] = largest;
    sums.sum[column] = sum;
  }
  return sums;
}

}  // namespace

void multiply_float_rows(const MatrixMode& mode, SrcARows src_a, std::span<const MultiplyRow> rows) {
  const DstStyle style = dst_style(mode);
  const std::int32_t bias = product_bias(mode);
  const std::int32_t zero_exponent = zero_product_exponent(mode) - bias;
  std::array<Factors, matrix_columns> a;
  for (std::size_t i = 0; i < matrix_columns; ++i)
    a[i] = factors<mantissa_of_src_a>(src_a[i], mode.src_a, false, mode.fidelity_phase);
  for (const MultiplyRow& row : rows) {
    const Factors b =
        factors<mantissa_of_src_b>(*row.src_b, mode.src_b, mode.keep_src_b_denormals, mode.fidelity_phase);
    const Sums one = sum_of_rows(a.data(), b.exponent.data(), b.mantissa.data(), zero_exponent);
    const Sums two = sum_of_rows(a.data() + group_products, b.exponent.data() + group_products,
                                 b.mantissa.data() + group_products, zero_exponent);
    for (std::size_t column = 0; column < matrix_columns; ++column)
      row.dst.write(column, mode.dst_32b,
                    accumulate(row.dst.read(column, mode.dst_32b), one.term(column, bias), two.term(column, bias),
                               style, mode.arch, RoundingNoise::to_nearest));
  }
}

}  // namespace tensim::number::plain
