#include "number/matrix_rows.hpp"

#include "number/matrix_rows_avx2.hpp"
#include "number/matrix_rows_plain.hpp"

namespace tensim::number {
namespace {

/// Of a column's next result. Without a generator there is none.
std::uint32_t next_noise(RoundingNoise* noise, std::size_t column) {
  return noise == nullptr ? RoundingNoise::to_nearest : noise->next(static_cast<unsigned>(column));
}

void multiply_rows_one_by_one(const MatrixMode& mode, SrcARows src_a, std::span<const MultiplyRow> rows,
                              RoundingNoise* noise) {
  for (std::size_t column = 0; column < matrix_columns; ++column) {
    SrcColumn a{};
    for (std::size_t i = 0; i < matrix_columns; ++i)
      a[i] = src_a[i][column];
    for (const MultiplyRow& row : rows) {
      const std::uint32_t dst = row.dst.read(column, mode.dst_32b);
      row.dst.write(column, mode.dst_32b, multiply_add_dot(dst, a, *row.src_b, mode, next_noise(noise, column)));
    }
  }
}

template <class Element>
void for_each_element(const ElementMode& mode, std::span<const ElementRow> rows, RoundingNoise* noise,
                      Element element) {
  const bool dst_32b = mode.matrix.dst_32b;
  for (const ElementRow& row : rows) {
    for (std::size_t column = 0; column < matrix_columns; ++column) {
      const std::uint32_t b = (*row.src_b)[mode.broadcast_src_b_column_0 ? 0 : column];
      row.dst.write(column, dst_32b,
                    element(row.dst.read(column, dst_32b), (*row.src_a)[column], b, next_noise(noise, column)));
    }
  }
}

void multiply_elements_one_by_one(const ElementMode& mode, std::span<const ElementRow> rows, RoundingNoise* noise) {
  for_each_element(mode, rows, noise, [&](std::uint32_t dst, std::uint32_t a, std::uint32_t b, std::uint32_t random) {
    return multiply_add_element(dst, a, b, mode.matrix, random);
  });
}

void add_elements_one_by_one(const ElementMode& mode, AddOrSubtract operation, bool accumulate_dst,
                             std::span<const ElementRow> rows, RoundingNoise* noise) {
  for_each_element(mode, rows, noise, [&](std::uint32_t dst, std::uint32_t a, std::uint32_t b, std::uint32_t random) {
    return add_element(dst, a, b, operation, accumulate_dst, mode.matrix, random);
  });
}

}  // namespace

HostVectors host_vectors() {
  static const HostVectors best = avx2::supported() ? HostVectors::avx2 : HostVectors::none;
  return best;
}

void multiply_rows(const MatrixMode& mode, SrcARows src_a, std::span<const MultiplyRow> rows, HostVectors vectors) {
  if (vectors == HostVectors::avx2) return avx2::multiply_rows(mode, src_a, rows);
  if (mode.src_a != SrcStyle::int8) return plain::multiply_float_rows(mode, src_a, rows);
  multiply_rows_one_by_one(mode, src_a, rows, nullptr);
}

void multiply_rows(const MatrixMode& mode, SrcARows src_a, std::span<const MultiplyRow> rows, RoundingNoise& noise) {
  multiply_rows_one_by_one(mode, src_a, rows, &noise);
}

void multiply_elements(const ElementMode& mode, std::span<const ElementRow> rows, HostVectors vectors) {
  if (vectors == HostVectors::avx2) return avx2::multiply_elements(mode, rows);
  multiply_elements_one_by_one(mode, rows, nullptr);
}

void multiply_elements(const ElementMode& mode, std::span<const ElementRow> rows, RoundingNoise& noise) {
  multiply_elements_one_by_one(mode, rows, &noise);
}

void add_elements(const ElementMode& mode, AddOrSubtract operation, bool accumulate_dst,
                  std::span<const ElementRow> rows, HostVectors vectors) {
  if (vectors == HostVectors::avx2) return avx2::add_elements(mode, operation, accumulate_dst, rows);
  add_elements_one_by_one(mode, operation, accumulate_dst, rows, nullptr);
}

void add_elements(const ElementMode& mode, AddOrSubtract operation, bool accumulate_dst,
                  std::span<const ElementRow> rows, RoundingNoise& noise) {
  add_elements_one_by_one(mode, operation, accumulate_dst, rows, &noise);
}

}  // namespace tensim::number
