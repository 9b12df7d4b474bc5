// Bounds follow from what the Matrix Unit keeps, which docs/architecture/numbers.md has; M is the sum of the magnitudes of
// an element's products.
//
//   taken    A phase takes 5 bits of SrcA's mantissa or the 5 behind, and 7 of SrcB's or the rest. Never taken is less
//            than 2^-4 of SrcA and 2^-6 of SrcB with one phase; 2^-6 with two; the product of both, 2^-10, with three;
//            nothing with four. Mantissas of 11 bits lose SrcA's last one, 2^-10, in any case.
//   aligned  Eight products are aligned to the largest of them and rounded to 2^-11 of it at worst: all eight, 2^-8 of the
//            largest, summed over the groups. Later phases' products are less than 2^-4 of the first one's: in all less
//            than 1.1 times that.
//   added    Each instruction adds to Dst, with 11 bits (24 in 32 bits) of the larger, and rounds to Dst's format: 2^-8 of
//            M for BF16's 8 bits, 2^-11 for FP16's 11, 2^-23 for FP32's 24, and aligning before costs 2^-10 or 2^-22.
//   packed   16 datums that share an exponent have 7 bits of the largest: 2^-6 of it at most.
#include "tests/kernels/kernel_cases.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "tests/kernels/vector_cases.hpp"

namespace tensim::test {
namespace {

enum Operation : std::uint32_t { add, subtract, multiply_datums };
enum Broadcast : std::uint32_t { broadcast_none, broadcast_column, broadcast_row, broadcast_scalar };
enum Pool : std::uint32_t { sum, maximum };
enum Reduced : std::uint32_t { reduce_rows, reduce_columns, reduce_both };

constexpr double unit = 1.0 / 128;  // times 255 at most: 8 bits
constexpr int largest = 255;

bool has_11_bits(Format src) {
  return src == Format::fp16 || src == Format::tf32;
}

double never_taken(const KernelJob& job) {
  constexpr std::array with_8_bits{0x1p-4 + 0x1p-6, 0x1p-6, 0x1p-10, 0.0};
  return with_8_bits.at(job.phases - 1) + (has_11_bits(job.src) ? 0x1p-10 : 0);
}

double per_addition(const KernelJob& job) {
  if (job.dst_is_32_bits != 0) return 0x1p-23 + 0x1p-22;
  return (has_11_bits(job.src) ? 0x1p-11 : 0x1p-8) + 0x1p-10;
}

/// Rows of 16 datums of a result that share exponents.
void widen_by_packing(const KernelJob& job, const Matrix& exact, Matrix& bound) {
  if (job.out_format != Format::bfp8) return;
  for (std::size_t first = 0; first < exact.numbers.size(); first += 16) {
    double most = 0;
    for (std::size_t i = first; i < first + 16; ++i)
      most = std::max(most, std::abs(exact.numbers[i]) + bound.numbers[i]);
    for (std::size_t i = first; i < first + 16; ++i)
      bound.numbers[i] += 0x1p-6 * most;
  }
}

/// Integers are exact: the bits that phases take of magnitudes (SrcASrcB.md), SrcA's high and low, SrcB's likewise.
double integer_product(double left, double right, unsigned phases) {
  const auto a = static_cast<unsigned>(std::abs(right));
  const auto b = static_cast<unsigned>(std::abs(left));
  unsigned magnitude = 0;
  for (unsigned phase = 0; phase < phases; ++phase)
    magnitude += (a & ((phase & 1U) != 0 ? 0x01FU : 0x0E0U)) * (b & ((phase & 2U) != 0 ? 0x00FU : 0x3F0U));
  return (left < 0) != (right < 0) ? -double(magnitude) : double(magnitude);
}

struct MatmulFormats {
  const char* name;
  KernelJob job;
  int largest = 255;
  double unit = 1.0 / 128;
};
const std::array matmul_formats{
    MatmulFormats{"bf16", {}},
    MatmulFormats{"fp16", {Format::fp16, Format::fp16, Format::fp16, Format::fp16}, 2047, 1.0 / 1024},
    MatmulFormats{"bfp8", {Format::bfp8, Format::bfp8, Format::bfp8, Format::bfp8}, 127, 1.0 / 64},
    MatmulFormats{"fp32", {Format::fp32, Format::tf32, Format::fp32, Format::fp32, 1}, 2047, 1.0 / 1024},
    MatmulFormats{"int8", {Format::int8, Format::int8, Format::int32, Format::int32, 1, 1}, 127, 1},
};

KernelCase matmul_of(const MatmulFormats& formats, const KernelJob& job, const std::string& parameters) {
  const Matrix left = numbers(job.blocks * tile_size, job.depth * tile_size, 1, formats.largest, formats.unit);
  const Matrix right = numbers(job.depth * tile_size, job.tiles * tile_size, 2, formats.largest, formats.unit);
  const Matrix zeros(left.rows, right.columns);
  KernelCase one{"tile_matmul", parameters, job, to_tiles(left, job.in), to_tiles(right, job.in), zeros, zeros};
  multiply(one, left, right);
  return one;
}

void add_matmuls(std::vector<KernelCase>& cases) {
  for (const MatmulFormats& formats : matmul_formats)
    for (unsigned phases = 1; phases <= 4; ++phases) {
      KernelJob job = formats.job;
      job.phases = phases;
      cases.push_back(matmul_of(formats, job, std::string(formats.name) + " phases=" + std::to_string(phases)));
    }
  for (unsigned halves = 1; halves <= 2; ++halves)
    cases.push_back(matmul_case({.phases = 2, .blocks = 4, .tiles = 4, .depth = 4, .halves = halves},
                                "bf16 4x4x4 tiles phases=2 halves=" + std::to_string(halves)));
}

double broadcast(const Matrix& right, std::uint32_t shape, unsigned row, unsigned column) {
  const unsigned first_row = row / tile_size * tile_size;  // of the tile; tiles stand in a column
  switch (shape) {
    case broadcast_column: return right.at(row, 0);
    case broadcast_row: return right.at(first_row, column);
    case broadcast_scalar: return right.at(first_row, 0);
    default: return right.at(row, column);
  }
}

KernelCase eltwise_case(std::uint32_t operation, std::uint32_t shape) {
  constexpr std::array operations{"add", "subtract", "multiply"};
  constexpr std::array shapes{"none", "column", "row", "scalar"};
  const KernelJob job{.phases = 4, .operation = operation, .shape = shape, .blocks = 3, .halves = 2};
  const Matrix left = numbers(job.blocks * tile_size, tile_size, 3, largest, unit);
  const Matrix right = numbers(job.blocks * tile_size, tile_size, 4, largest, unit);
  KernelCase one{"eltwise",
                 std::string(operations.at(operation)) + " broadcast=" + shapes.at(shape),
                 job,
                 to_tiles(left, job.in),
                 to_tiles(right, job.in),
                 left,
                 left};
  for (unsigned row = 0; row < left.rows; ++row)
    for (unsigned column = 0; column < tile_size; ++column) {
      const double a = left.at(row, column);
      const double b = broadcast(right, shape, row, column);
      // One addition; or a product, in which nothing is aligned, added in every phase.
      const bool multiplies = operation == multiply_datums;
      one.exact.at(row, column) = multiplies ? a * b : operation == add ? a + b : a - b;
      one.bound.at(row, column) = multiplies ? std::abs(a * b) * (never_taken(job) + job.phases * per_addition(job))
                                             : (std::abs(a) + std::abs(b)) * per_addition(job);
    }
  return one;
}

/// An element of the result, and what its sum is made of.
struct Reduction {
  double value = 0;
  double magnitude = 0;
  bool is_empty = true;

  void take(double number, std::uint32_t pool) {
    value = pool == sum ? value + number : is_empty ? number : std::max(value, number);
    magnitude += std::abs(number);
    is_empty = false;
  }
};

KernelCase reduce_case(std::uint32_t pool, std::uint32_t reduced, int offset) {
  constexpr std::array pools{"sum", "max"};
  constexpr std::array shapes{"rows", "columns", "both"};
  const KernelJob job{
      .phases = 2, .operation = pool, .shape = reduced, .is_transposed = reduced == reduce_columns ? 1U : 0U};
  Matrix tile = numbers(tile_size, tile_size, 5, 100, unit);
  for (double& number : tile.numbers)
    number += offset * unit;
  Matrix scale(tile_size, tile_size);
  for (unsigned column = 0; column < tile_size; ++column)
    scale.at(0, column) = 1;
  const Matrix zeros(tile_size, tile_size);
  KernelCase one{"reduce",
                 std::string(pools.at(pool)) + " of " + shapes.at(reduced) + " around " + std::to_string(offset),
                 job,
                 to_tiles(tile, job.in),
                 to_tiles(scale, job.in),
                 zeros,
                 zeros};
  std::array<Reduction, tile_size> results;
  for (unsigned row = 0; row < tile_size; ++row)
    for (unsigned column = 0; column < tile_size; ++column)
      results.at(reduced == reduce_rows      ? column
                 : reduced == reduce_columns ? row
                                             : 0)
          .take(tile.at(row, column), pool);
  // The scale is exact with SrcB's 7 bits and the tile with SrcA's 10, so that two phases take all. Half of a tile is
  // two pools, both halves are four, and the row of 16 that they leave is another one. A maximum is one of the numbers.
  const double additions = (reduced == reduce_both ? 5.0 : 2.0) * job.phases;
  const double aligned = (reduced == reduce_both ? 2 : 1) * 1.1 * 0x1p-8;
  for (unsigned i = 0; i < (reduced == reduce_both ? 1 : tile_size); ++i) {
    const unsigned row = reduced == reduce_columns ? i : 0;
    const unsigned column = reduced == reduce_rows ? i : 0;
    one.exact.at(row, column) = results.at(i).value;
    if (pool == sum) one.bound.at(row, column) = results.at(i).magnitude * (additions * per_addition(job) + aligned);
  }
  return one;
}

struct Copy {
  const char* name;
  KernelJob job;
  int largest;
  double unit;
  double lost;  // of each number
};
/// FP32 becomes TF32 or BF16 on its way, cut off behind 11 or 8 bits.
const std::array copies{
    Copy{"bf16 to bf16", {.blocks = 3, .halves = 2}, 255, 1.0 / 128, 0},
    Copy{"bf16 to fp32", {.out_format = Format::fp32}, 255, 1.0 / 128, 0},
    Copy{"bf16 to bfp8", {.out_format = Format::bfp8}, 255, 1.0 / 128, 0},
    Copy{"bfp8 to bf16", {Format::bfp8, Format::bfp8}, 127, 1.0 / 64, 0},
    Copy{"fp16 to fp16", {Format::fp16, Format::fp16, Format::fp16, Format::fp16}, 2047, 1.0 / 1024, 0},
    Copy{"fp16 to fp32", {Format::fp16, Format::fp16, Format::fp16, Format::fp32}, 2047, 1.0 / 1024, 0},
    Copy{"fp32 to bf16", {Format::fp32}, 65535, 1.0 / 4096, 0x1p-7},
    Copy{"fp32 to fp32", {Format::fp32, Format::tf32, Format::fp32, Format::fp32, 1}, 65535, 1.0 / 4096, 0x1p-10},
};

KernelCase copy_case(const Copy& copy) {
  const KernelJob& job = copy.job;
  const Matrix matrix = numbers(job.blocks * tile_size, tile_size, 6, copy.largest, copy.unit);
  KernelCase one{"datacopy", copy.name, job, to_tiles(matrix, job.in), {}, matrix, matrix};
  for (double& bound : one.bound.numbers)
    bound = std::abs(bound) * copy.lost;
  widen_by_packing(job, one.exact, one.bound);
  return one;
}

KernelCase transpose_case() {
  const KernelJob job{.is_transposed = 1};
  const Matrix matrix = numbers(tile_size, tile_size, 7, largest, unit);
  const Matrix zeros(tile_size, tile_size);
  KernelCase one{"datacopy", "transposed", job, to_tiles(matrix, job.in), {}, zeros, zeros};
  for (unsigned row = 0; row < tile_size; ++row)
    for (unsigned column = 0; column < tile_size; ++column)
      one.exact.at(row, column) = matrix.at(column, row);
  return one;
}

/// Tiles that stand side by side.
KernelCase tilize_case() {
  constexpr unsigned tiles = 3;
  const KernelJob job{.blocks = tiles, .halves = 2, .row_bytes = 2 * tiles * tile_size};
  const Matrix matrix = numbers(tile_size, tiles * tile_size, 8, largest, unit);
  return {"tilize", "bf16 32x96", job, to_rows(matrix), {}, matrix, Matrix(matrix.rows, matrix.columns)};
}

KernelCase untilize_case() {
  const KernelJob job{.blocks = 3, .halves = 2};
  const Matrix matrix = numbers(job.blocks * tile_size, tile_size, 9, largest, unit);
  return {"untilize", "bf16 96x32", job, to_tiles(matrix, job.in), {}, matrix, Matrix(matrix.rows, matrix.columns),
          true};
}

}  // namespace

std::uint32_t KernelCase::out_bytes() const {
  return static_cast<std::uint32_t>(exact.numbers.size() / (tile_size * tile_size)) * tile_bytes(job.out_format);
}

Matrix KernelCase::result(const Bytes& out) const {
  return in_rows ? from_rows(out, exact.rows, exact.columns)
                 : from_tiles(out, exact.rows, exact.columns, job.out_format);
}

void multiply(KernelCase& one, const Matrix& left, const Matrix& right) {
  const KernelJob& job = one.job;
  const double additions = 2.0 * job.phases * (left.columns / tile_size);
  for (unsigned row = 0; row < left.rows; ++row)
    for (unsigned column = 0; column < right.columns; ++column) {
      double exact = 0;
      double magnitude = 0;
      double of_groups = 0;
      double in_group = 0;
      for (unsigned k = 0; k < left.columns; ++k) {
        const double product = left.at(row, k) * right.at(k, column);
        exact += job.integers != 0 ? integer_product(left.at(row, k), right.at(k, column), job.phases) : product;
        magnitude += std::abs(product);
        in_group = std::max(k % 8 == 0 ? 0 : in_group, std::abs(product));
        if (k % 8 == 7) of_groups += in_group;
      }
      one.exact.at(row, column) = exact;
      if (job.integers != 0) continue;
      one.bound.at(row, column) =
          magnitude * (never_taken(job) + additions * per_addition(job)) + 1.1 * 0x1p-8 * of_groups;
    }
  widen_by_packing(job, one.exact, one.bound);
}

KernelCase matmul_case(const KernelJob& job, const std::string& parameters) {
  return matmul_of(matmul_formats.front(), job, parameters);
}

KernelCase loop_case(unsigned calls, unsigned phases, bool out_of_phase) {
  constexpr unsigned tiles = 4;
  const KernelJob job{.phases = phases, .depth = calls, .out_of_phase = out_of_phase ? 1U : 0U};
  KernelCase one = matmul_case({.phases = phases, .depth = tiles},
                               "phases=" + std::to_string(phases) + (out_of_phase ? " out of phase" : ""));
  one.kernel = "matmul_loop";
  one.job = job;
  return one;
}

std::vector<KernelCase> kernel_cases() {
  std::vector<KernelCase> cases;
  add_matmuls(cases);
  for (const std::uint32_t operation : {add, subtract, multiply_datums})
    for (const std::uint32_t shape : {broadcast_none, broadcast_column, broadcast_row, broadcast_scalar})
      cases.push_back(eltwise_case(operation, shape));
  for (const std::uint32_t reduced : {reduce_rows, reduce_columns, reduce_both}) {
    cases.push_back(reduce_case(sum, reduced, 0));
    cases.push_back(reduce_case(maximum, reduced, 0));
    cases.push_back(reduce_case(maximum, reduced, -150));  // all numbers are negative
  }
  for (const Copy& copy : copies)
    cases.push_back(copy_case(copy));
  for (const unsigned phases : {1U, 2U, 4U})
    cases.push_back(loop_case(4, phases));
  cases.push_back(loop_case(4, 1, true));
  cases.push_back(transpose_case());
  cases.push_back(tilize_case());
  cases.push_back(untilize_case());
  add_vector_cases(cases);
  return cases;
}

}  // namespace tensim::test
