// Kernels of the Vector Unit. Operands are FP32 of 11 bits at most, which TF32 in SrcA leaves as they are; Dst has 32
// bits. A multiply-add is rounded once, by 2^-24 of its result at most, and cuts its product behind 2^-26 of it.
//
//   exp         Taylor's series leaves out less than 0.347^7 / 7! = 2^-23, of at least 0.7. Roundings of the last steps
//               are 2^-24, half of that, a tenth of it; f itself is off by 2^-25. In all less than 2^-21.
//   reciprocal  0.051 becomes 2^-8, 2^-17, 2^-34; the last step rounds to 2^-24 and takes 1 - x r within 2^-25: 2^-22.
//   sqrt        0.035 becomes 0.0019, 2^-17, 2^-34; of the last step and the product four roundings: 2^-21.
//   sigmoid     exp's and reciprocal's, and 2^-24 for the sum: 2^-20 of it.
//   tanh        2 / (1 + e^2x) is at most 2, so that 2^-20 of it, and a rounding, are less than 2^-18.
//   tables      The line's distance from the curve, at its ends or where it has the curve's slope; arithmetic adds
//               2^-20. Worst are sigmoid's last line, at infinity and at 3, and tanh's first, at 0.
#include "tests/kernels/vector_cases.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace tensim::test {
namespace {

constexpr KernelJob in_floats{
    .in = Format::fp32, .src = Format::tf32, .dst = Format::fp32, .out_format = Format::fp32, .dst_is_32_bits = 1};
constexpr KernelJob to_integers{
    .in = Format::fp32, .src = Format::tf32, .dst = Format::int32, .out_format = Format::int32, .dst_is_32_bits = 1};

constexpr int largest = 2047;  // 11 bits

/// Some number of every kind that the range has, and zero.
Matrix operand(unsigned blocks, std::uint32_t seed, double unit) {
  return numbers(blocks * tile_size, tile_size, seed, largest, unit);
}

// ---- functions and conversions, in the order of job.h ----

double truncated(double x) {
  return std::trunc(x);
}
/// Ties away from zero, which is what SFPSTOCHRND's comparison makes of them.
double to_8_bits(double x) {
  int exponent = 0;
  const double fraction = std::frexp(x, &exponent);
  return std::ldexp(std::round(fraction * 256), exponent - 8);
}
double sigmoid(double x) {
  return 1 / (1 + std::exp(-x));
}
double hyperbolic_tangent(double x) {
  return std::tanh(x);
}

struct UnaryFunction {
  const char* name;
  double (*function)(double);
  double unit;
  bool positive;  // operands are
  Format out;
  double relative;  // bounds
  double absolute;
};
const std::array unary_functions{
    UnaryFunction{"exp", [](double x) { return std::exp(std::clamp(x, -87.0, 88.0)); }, 1.0 / 16, false, Format::fp32,
                  0x1p-21, 0},
    UnaryFunction{"reciprocal", [](double x) { return 1 / x; }, 1.0 / 64, false, Format::fp32, 0x1p-22, 0},
    UnaryFunction{"sqrt", [](double x) { return std::sqrt(x); }, 1.0 / 16, true, Format::fp32, 0x1p-21, 0},
    UnaryFunction{"sigmoid", sigmoid, 1.0 / 128, false, Format::fp32, 0x1p-20, 0},
    UnaryFunction{"tanh", hyperbolic_tangent, 1.0 / 256, false, Format::fp32, 0, 0x1p-18},
    UnaryFunction{"sigmoid by table", sigmoid, 1.0 / 256, false, Format::fp32, 0, 0.02375 + 0x1p-20},
    UnaryFunction{"tanh by table", hyperbolic_tangent, 1.0 / 512, false, Format::fp32, 0, 0.04493 + 0x1p-20},
    UnaryFunction{"fp32 to int32", truncated, 1.0 / 4, false, Format::int32, 0, 0},
    UnaryFunction{"fp32 to int32 to fp32", truncated, 1.0 / 16, false, Format::fp32, 0, 0},
    UnaryFunction{"fp32 to bf16", to_8_bits, 1.0 / 256, false, Format::bf16, 0, 0},
    UnaryFunction{"fp32 to uint8", [](double x) { return std::min(std::round(std::abs(x)), 255.0); }, 1.0 / 4, false,
                  Format::int32, 0, 0},
    UnaryFunction{"fp32 to int8", [](double x) { return std::clamp(std::round(x), -127.0, 127.0); }, 1.0 / 8, false,
                  Format::int32, 0, 0},
    UnaryFunction{"fp32 to uint16", [](double x) { return std::min(std::round(std::abs(x)), 65535.0); }, 64, false,
                  Format::int32, 0, 0},
};

KernelCase unary_case(std::uint32_t operation) {
  const UnaryFunction& row = unary_functions.at(operation);
  KernelJob job = row.out == Format::int32 ? to_integers : in_floats;
  job.out_format = row.out;
  job.operation = operation;
  job.blocks = 2;
  job.halves = 2;
  Matrix in = operand(job.blocks, 11, row.unit);
  for (double& x : in.numbers) {
    if (row.positive) x = std::abs(x);
    if (x == 0 && !row.positive) x = row.unit;  // it has no reciprocal
  }
  KernelCase one{"vector_unary", row.name, job, to_tiles(in, job.in), {}, in, in};
  std::ranges::transform(in.numbers, one.exact.numbers.begin(), row.function);
  std::ranges::transform(one.exact.numbers, one.bound.numbers.begin(),
                         [&](double exact) { return row.relative * std::abs(exact) + row.absolute; });
  return one;
}

// ---- operations of two or three ----

std::int32_t integer(double x) {
  return static_cast<std::int32_t>(x);
}

struct BinaryOperation {
  const char* name;
  double (*operation)(double, double, double);
  bool integers;
  unsigned operands = 2;
  bool shifts = false;  // by 0 to 15
};
const std::array binary_operations{
    BinaryOperation{"integer add", [](double a, double b, double) { return std::trunc(a) + std::trunc(b); }, true},
    BinaryOperation{"and", [](double a, double b, double) { return double(integer(a) & integer(b)); }, true},
    BinaryOperation{"or", [](double a, double b, double) { return double(integer(a) | integer(b)); }, true},
    BinaryOperation{"xor", [](double a, double b, double) { return double(integer(a) ^ integer(b)); }, true},
    BinaryOperation{"shift left", [](double a, double b, double) { return std::ldexp(std::trunc(a), integer(b)); },
                    true, 2, true},
    BinaryOperation{"shift right",
                    [](double a, double b, double) { return std::floor(std::ldexp(std::trunc(a), -integer(b))); }, true,
                    2, true},
    BinaryOperation{"less", [](double a, double b, double) { return a < b ? 1.0 : 0.0; }, false},
    BinaryOperation{"equal", [](double a, double b, double) { return a == b ? 1.0 : 0.0; }, false},
    BinaryOperation{"minimum", [](double a, double b, double) { return std::min(a, b); }, false},
    BinaryOperation{"maximum", [](double a, double b, double) { return std::max(a, b); }, false},
    BinaryOperation{"where", [](double a, double b, double c) { return a != 0 ? b : c; }, false, 3},
};

void append(Bytes& to, const Bytes& more) {
  to.insert(to.end(), more.begin(), more.end());
}

/// Every fourth pair is equal, and every eighth left operand zero.
KernelCase binary_case(std::uint32_t operation) {
  const BinaryOperation& row = binary_operations.at(operation);
  KernelJob job = row.integers ? to_integers : in_floats;
  job.operation = operation;
  job.blocks = 2;
  job.halves = 2;
  job.depth = row.operands;
  Matrix a = operand(job.blocks, 12, 0.5);
  Matrix b = operand(job.blocks, 13, 0.5);
  const Matrix c = operand(job.blocks, 14, 0.5);
  for (std::size_t i = 0; i < a.numbers.size(); ++i) {
    if (i % 8 == 3) a.numbers[i] = 0;
    if (i % 4 == 3) b.numbers[i] = a.numbers[i];
    if (row.shifts) b.numbers[i] = static_cast<double>(i / 3 % 16);
  }
  KernelCase one{"vector_binary",          row.name, job, to_tiles(a, job.in), to_tiles(b, job.in), a,
                 Matrix(a.rows, a.columns)};
  append(one.right, to_tiles(c, job.in));
  for (std::size_t i = 0; i < a.numbers.size(); ++i)
    one.exact.numbers[i] = row.operation(a.numbers[i], b.numbers[i], c.numbers[i]);
  return one;
}

// ---- columns of faces, sorted ----

KernelCase sort_case(bool downwards) {
  constexpr unsigned face = 16;
  KernelJob job = in_floats;
  job.operation = downwards ? 1 : 0;
  job.blocks = 2;
  job.halves = 2;
  const Matrix in = operand(job.blocks, 15, 1.0 / 64);
  KernelCase one{"vector_swap",
                 downwards ? "sort downwards" : "sort upwards",
                 job,
                 to_tiles(in, job.in),
                 {},
                 in,
                 Matrix(in.rows, in.columns)};
  for (unsigned first = 0; first < in.rows; first += face)
    for (unsigned column = 0; column < in.columns; ++column) {
      std::array<double, face> sorted{};
      for (unsigned i = 0; i < face; ++i)
        sorted.at(i) = in.at(first + i, column);
      std::ranges::sort(sorted);
      if (downwards) std::ranges::reverse(sorted);
      for (unsigned i = 0; i < face; ++i)
        one.exact.at(first + i, column) = sorted.at(i);
    }
  return one;
}

// ---- product, bias, activation ----

struct Activation {
  const char* name;
  double (*function)(double);
  double slope;  // at most: what the argument's error becomes
  double absolute;
};
const std::array activations{
    Activation{"none", [](double x) { return x; }, 1, 0},
    Activation{"relu", [](double x) { return std::max(x, 0.0); }, 1, 0},
    Activation{"sigmoid", sigmoid, 0.25, 0x1p-20},
    Activation{"tanh", hyperbolic_tangent, 1, 0x1p-18},
};

KernelCase fused_case(std::uint32_t operation) {
  const Activation& row = activations.at(operation);
  KernelJob job = in_floats;
  job.operation = operation;
  job.phases = 4;
  job.blocks = 2;
  job.depth = 2;
  job.halves = 2;
  constexpr double unit = 1.0 / 4096;
  const Matrix left = numbers(job.blocks * tile_size, job.depth * tile_size, 16, largest, unit);
  const Matrix right = numbers(job.depth * tile_size, tile_size, 17, largest, unit);
  const Matrix bias = numbers(tile_size, tile_size, 18, largest, unit);  // the first row of it
  const Matrix zeros(left.rows, tile_size);
  KernelCase one{"fused_matmul", row.name, job, to_tiles(left, job.in), to_tiles(right, job.in), zeros, zeros};
  append(one.right, to_tiles(bias, job.in));
  multiply(one, left, right);
  const double additions = 2.0 * job.phases * job.depth;
  for (unsigned i = 0; i < left.rows; ++i)
    for (unsigned column = 0; column < tile_size; ++column) {
      double& exact = one.exact.at(i, column);
      double& bound = one.bound.at(i, column);
      exact = row.function(exact + bias.at(0, column));
      bound += additions * (0x1p-23 + 0x1p-22) * std::abs(bias.at(0, column));  // the bias is in every sum
      bound = row.slope * bound + row.absolute;
    }
  return one;
}

}  // namespace

void add_vector_cases(std::vector<KernelCase>& cases) {
  for (std::uint32_t operation = 0; operation < unary_functions.size(); ++operation)
    cases.push_back(unary_case(operation));
  for (std::uint32_t operation = 0; operation < binary_operations.size(); ++operation)
    cases.push_back(binary_case(operation));
  cases.push_back(sort_case(false));
  cases.push_back(sort_case(true));
  for (std::uint32_t operation = 0; operation < activations.size(); ++operation)
    cases.push_back(fused_case(operation));
}

}  // namespace tensim::test
