// The kernels of examples/guest/kernels with what they are asked to do, and what must come out.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/kernels/kernel_matrix.hpp"

namespace tensim::test {

/// `struct job` of examples/guest/kernels/job.h, as it lies in L1.
struct KernelJob {
  Format in = Format::bf16;
  Format src = Format::bf16;
  Format dst = Format::bf16;
  Format out_format = Format::bf16;
  std::uint32_t dst_is_32_bits = 0;
  std::uint32_t integers = 0;
  std::uint32_t phases = 1;
  std::uint32_t operation = 0;
  std::uint32_t shape = 0;
  std::uint32_t is_transposed = 0;
  std::uint32_t blocks = 1;
  std::uint32_t tiles = 1;
  std::uint32_t depth = 1;
  std::uint32_t halves = 1;
  std::uint32_t row_bytes = 0;
  std::uint32_t left = 0x40000;
  std::uint32_t right = 0x60000;
  std::uint32_t out = 0x80000;
  std::uint32_t out_of_phase = 0;
  std::uint32_t config_is_zero = 0;
  std::uint32_t start = 0;
  std::uint32_t end = 0;
  std::uint32_t packed = 0;
};
inline constexpr std::uint32_t job_address = 0x20000;  // SHARED variables begin there
inline constexpr unsigned start_word = 20;
inline constexpr unsigned end_word = 21;
inline constexpr unsigned packed_word = 22;
static_assert(sizeof(KernelJob) == 4 * (packed_word + 1));

struct KernelCase {
  std::string kernel;
  std::string parameters;
  KernelJob job;
  Bytes left;
  Bytes right;
  Matrix exact;          // what plain arithmetic gives
  Matrix bound;          // how far from it an element may be
  bool in_rows = false;  // the result is not in tiles

  std::uint32_t out_bytes() const;
  Matrix result(const Bytes& out) const;
};

/// All of them, in the order of tests/vectors/kernels.tsv.
std::vector<KernelCase> kernel_cases();

/// What a product must give, and how far from it it may be.
void multiply(KernelCase& one, const Matrix& left, const Matrix& right);
/// A product of matrices of `blocks` x `depth` and `depth` x `tiles` tiles.
KernelCase matmul_case(const KernelJob& job, const std::string& parameters);
/// Calls of a loop as LLK's; operands are four tiles that take turns. Math may take banks of Src out of phase.
KernelCase loop_case(unsigned calls, unsigned phases, bool out_of_phase = false);

}  // namespace tensim::test
