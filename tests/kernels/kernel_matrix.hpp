// Matrices of plain numbers, and as tiles in L1: 32x32 as four faces of 16x16, in the formats that kernels take.
#pragma once

#include <cstdint>
#include <vector>

namespace tensim::test {

/// Codes of configuration; guest/include/tensim/formats.h has the same.
enum class Format : std::uint32_t { fp32 = 0, fp16 = 1, tf32 = 4, bf16 = 5, bfp8 = 6, int32 = 8, int8 = 14 };

struct Matrix {
  Matrix(unsigned rows_, unsigned columns_) : rows(rows_), columns(columns_), numbers(std::size_t{rows_} * columns_) {}
  double& at(unsigned row, unsigned column) { return numbers[std::size_t{row} * columns + column]; }
  double at(unsigned row, unsigned column) const { return numbers[std::size_t{row} * columns + column]; }

  unsigned rows;
  unsigned columns;
  std::vector<double> numbers;
};

inline constexpr unsigned tile_size = 32;
using Bytes = std::vector<std::uint8_t>;

std::uint32_t tile_bytes(Format format);

/// Tiles row by row. Numbers that the format does not have are cut off towards zero; BFP8's exponent is that of 1.
Bytes to_tiles(const Matrix& matrix, Format format);
Matrix from_tiles(const Bytes& bytes, unsigned rows, unsigned columns, Format format);

/// The matrix row by row, BF16.
Bytes to_rows(const Matrix& matrix);
Matrix from_rows(const Bytes& bytes, unsigned rows, unsigned columns);

/// Multiples of `unit` from -largest to largest, the same ones for a seed.
Matrix numbers(unsigned rows, unsigned columns, std::uint32_t seed, int largest, double unit);

}  // namespace tensim::test
