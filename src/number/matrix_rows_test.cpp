// The host's vectors give the bits of the readable version, in every mode and under every rounding mode of the host.
#include "number/matrix_rows.hpp"

#include <cfenv>
#include <random>

#include <gtest/gtest.h>

namespace tensim::number {
namespace {

constexpr std::array all_styles{SrcStyle::bf16, SrcStyle::fp16, SrcStyle::tf32, SrcStyle::int8};

class Operands {
 public:
  explicit Operands(unsigned seed) : random_(seed) {}

  /// Exponents lie within a window, so that alignments of every distance occur; zeros and the ends occur too.
  std::uint32_t src() {
    const std::uint32_t bits = next();
    const std::uint32_t exponent = (bits & 7U) == 0 ? next() : window_ + next() % span_;
    const std::uint32_t mantissa = (bits & 8U) != 0 ? next() & 0x3f8U : next() & 0x3ffU;
    const std::uint32_t narrow = five_bit_exponent_ ? exponent & 0x1fU : exponent & 0xffU;
    return ((bits & 16U) << 14U) | (mantissa << 8U) | ((bits & 0x1e0U) == 0 ? 0U : narrow);
  }

  std::uint16_t dst() { return static_cast<std::uint16_t>((next() & 0xff00U) | ((window_ + next() % span_) & 0xffU)); }
  std::uint16_t low() { return static_cast<std::uint16_t>(next()); }

  void new_block(bool five_bit_exponent) {
    five_bit_exponent_ = five_bit_exponent;
    window_ = next() & 0xffU;
    span_ = 1U << (next() % 7U);
  }

 private:
  std::uint32_t next() { return static_cast<std::uint32_t>(random_()); }

  std::mt19937 random_;
  std::uint32_t window_ = 0;
  std::uint32_t span_ = 1;
  bool five_bit_exponent_ = false;
};

constexpr std::size_t rows = 8;

struct Block {
  SrcAMatrix a{};
  std::array<SrcRow, rows> b{};
  std::array<DstBitsRow, rows> high{};
  std::array<DstBitsRow, rows> low{};

  void fill(Operands& operands) {
    for (SrcRow& row : a) {
      for (std::uint32_t& x : row)
        x = operands.src();
    }
    for (SrcRow& row : b) {
      for (std::uint32_t& x : row)
        x = operands.src();
    }
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::uint16_t& x : high[i])
        x = operands.dst();
      for (std::uint16_t& x : low[i])
        x = operands.low();
    }
  }
  DstRow dst(std::size_t i) { return {&high[i], &low[i], &high[i], &low[i]}; }
  std::array<MultiplyRow, rows> multiply_rows_of() {
    std::array<MultiplyRow, rows> result;
    for (std::size_t i = 0; i < rows; ++i)
      result[i] = {&b[i], dst(i)};
    return result;
  }
  std::array<ElementRow, rows> element_rows_of() {
    std::array<ElementRow, rows> result;
    for (std::size_t i = 0; i < rows; ++i)
      result[i] = {&a[i], &b[i], dst(i)};
    return result;
  }
};

enum class Instruction : std::uint8_t { mvmul, elwmul, elwadd, elwsub, elwadd_set };
constexpr std::array all_instructions{Instruction::mvmul, Instruction::elwmul, Instruction::elwadd, Instruction::elwsub,
                                      Instruction::elwadd_set};

void run(Instruction instruction, const ElementMode& mode, Block& block, HostVectors vectors) {
  const auto elements = block.element_rows_of();
  switch (instruction) {
    case Instruction::mvmul: return multiply_rows(mode.matrix, block.a, block.multiply_rows_of(), vectors);
    case Instruction::elwmul: return multiply_elements(mode, elements, vectors);
    case Instruction::elwadd: return add_elements(mode, AddOrSubtract::add, true, elements, vectors);
    case Instruction::elwsub: return add_elements(mode, AddOrSubtract::subtract, true, elements, vectors);
    case Instruction::elwadd_set: return add_elements(mode, AddOrSubtract::add, false, elements, vectors);
  }
}

/// The same, one datum at a time, where there is anything else for hosts without vectors.
void run_readably(Instruction instruction, const ElementMode& mode, Block& block) {
  if (instruction != Instruction::mvmul) return run(instruction, mode, block, HostVectors::none);
  for (std::size_t column = 0; column < matrix_columns; ++column) {
    SrcColumn a;
    for (std::size_t i = 0; i < matrix_columns; ++i)
      a[i] = block.a[i][column];
    for (std::size_t i = 0; i < rows; ++i) {
      const DstRow dst = block.dst(i);
      const bool dst_32b = mode.matrix.dst_32b;
      dst.write(column, dst_32b, multiply_add_dot(dst.read(column, dst_32b), a, block.b[i], mode.matrix));
    }
  }
}

/// Every combination of a mode's bits.
ElementMode mode_of(unsigned number) {
  ElementMode mode;
  mode.matrix.src_a = all_styles[number & 3U];
  const bool mixed = ((number >> 2U) & 1U) != 0 && !has_5bit_exponent(mode.matrix.src_a);
  mode.matrix.src_b = mixed ? SrcStyle::tf32 : mode.matrix.src_a;
  mode.matrix.dst_32b = ((number >> 3U) & 1U) != 0 || mode.matrix.src_a == SrcStyle::int8;
  mode.matrix.fidelity_phase = (number >> 4U) & 3U;
  mode.matrix.keep_src_b_denormals = ((number >> 6U) & 1U) != 0;
  mode.matrix.arch = static_cast<Arch>((number >> 7U) & 1U);
  mode.broadcast_src_b_column_0 = ((number >> 8U) & 1U) != 0;
  return mode;
}

constexpr unsigned modes = 1U << 9U;

void compare(Instruction instruction, unsigned number, unsigned blocks) {
  const ElementMode mode = mode_of(number);
  Operands operands(number * 5 + static_cast<unsigned>(instruction));
  for (unsigned i = 0; i < blocks; ++i) {
    operands.new_block(has_5bit_exponent(mode.matrix.src_a));
    Block readable;
    readable.fill(operands);
    const Block before = readable;
    run_readably(instruction, mode, readable);
    for (const HostVectors vectors : {HostVectors::none, host_vectors()}) {
      Block fast = before;
      run(instruction, mode, fast, vectors);
      ASSERT_EQ(readable.high, fast.high) << "instruction " << static_cast<int>(instruction) << ", mode " << number;
      ASSERT_EQ(readable.low, fast.low) << "instruction " << static_cast<int>(instruction) << ", mode " << number;
    }
  }
}

TEST(MatrixRows, FastVersionsGiveTheBitsOfTheReadableOneInEveryMode) {
  for (unsigned number = 0; number < modes; ++number) {
    for (const Instruction instruction : all_instructions)
      compare(instruction, number, 6);
  }
}

TEST(MatrixRows, TheHostsRoundingModeDoesNotMatter) {
  const int before = std::fegetround();
  for (const int rounding : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
    ASSERT_EQ(std::fesetround(rounding), 0);
    for (unsigned number = 0; number < 128; ++number) {
      for (const Instruction instruction : all_instructions)
        compare(instruction, number, 2);
    }
  }
  std::fesetround(before);
}

TEST(MatrixRows, RowsReadFromOnePlaceAndWriteToAnother) {
  Block block;
  Operands operands(1);
  operands.new_block(false);
  block.fill(operands);
  const DstBitsRow zeros{};
  for (const HostVectors vectors : {HostVectors::none, host_vectors()}) {
    DstBitsRow from_zero{};
    DstBitsRow accumulated = zeros;
    const MultiplyRow apart{block.b.data(), {&zeros, &zeros, &from_zero, nullptr}};
    const MultiplyRow in_place{block.b.data(), {&accumulated, nullptr, &accumulated, nullptr}};
    multiply_rows({}, block.a, {&apart, 1}, vectors);
    multiply_rows({}, block.a, {&in_place, 1}, vectors);
    EXPECT_EQ(from_zero, accumulated);
  }
}

}  // namespace
}  // namespace tensim::number
