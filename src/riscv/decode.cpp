#include "riscv/decode.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

#include "isa/decode.hpp"
#include "riscv/table.hpp"

namespace tensim::riscv {
namespace {

// ---- Candidates: for the 32 major opcodes and 8 values of bits 14:12, the rows that may fit, in their order. ----

constexpr std::size_t bucket_count = 32UL * 8UL;

constexpr std::size_t bucket_of(Word word) {
  return ((word >> 2U) & 31U) * 8U + ((word >> 12U) & 7U);
}

struct Index {
  std::array<std::uint16_t, bucket_count + 1> begin{};
  std::array<Op, op_count * 8> ops{};
};

/// Calls visit(bucket) for the buckets that `row` may stand in.
template <class Visit>
constexpr void for_each_bucket(const Row& row, Visit visit) {
  for (Word funct3 = 0; funct3 < 8; ++funct3) {
    const Word probe = (row.match & ~Word{0x7000}) | (funct3 << 12U);
    if (((probe ^ row.match) & row.mask) == 0) visit(bucket_of(probe));
  }
}

consteval Index index_of(Arch arch) {
  Index index;
  const ExtensionSet known = known_extensions(arch);
  std::array<std::uint16_t, bucket_count> sizes{};
  for (const Row& row : rows)
    if (row.mask != 0 && known.contains(row.extension)) for_each_bucket(row, [&](std::size_t at) { ++sizes[at]; });
  for (std::size_t i = 0; i < bucket_count; ++i)
    index.begin[i + 1] = static_cast<std::uint16_t>(index.begin[i] + sizes[i]);
  std::array<std::uint16_t, bucket_count> filled{};
  for (const Row& row : rows)
    if (row.mask != 0 && known.contains(row.extension))
      for_each_bucket(row, [&](std::size_t at) { index.ops[index.begin[at] + std::size_t{filled[at]++}] = row.op; });
  return index;
}

constexpr std::array indices{index_of(Arch::wormhole), index_of(Arch::blackhole)};

static_assert(indices.size() == all_archs.size());

Op op_of(Arch arch, Word word) {
  const Index& index = indices[static_cast<std::size_t>(arch)];
  const std::size_t bucket = bucket_of(word);
  for (std::size_t i = index.begin[bucket]; i < index.begin[bucket + 1]; ++i)
    if (row(index.ops[i]).matches(word)) return index.ops[i];
  return Op::undefined;
}

// ---- Operands. ----

constexpr std::uint8_t register_at(Word word, unsigned low) {
  return static_cast<std::uint8_t>((word >> low) & 31U);
}

constexpr Word bits(Word word, unsigned high, unsigned low) {
  return (word >> low) & ((Word{1} << (high - low + 1U)) - 1U);
}

/// Two's complement: `sign_bit` and all above it take the sign.
constexpr std::int32_t sign_extended(Word value, unsigned sign_bit) {
  const Word sign = Word{1} << sign_bit;
  return static_cast<std::int32_t>((value ^ sign) - sign);
}

constexpr std::int32_t immediate(Format format, Word word) {
  switch (format) {
    case Format::register_immediate:
    case Format::load: return sign_extended(bits(word, 31, 20), 11);
    case Format::shift: return static_cast<std::int32_t>(bits(word, 24, 20));
    case Format::store: return sign_extended((bits(word, 31, 25) << 5U) | bits(word, 11, 7), 11);
    case Format::branch:
      return sign_extended((bits(word, 31, 31) << 12U) | (bits(word, 7, 7) << 11U) | (bits(word, 30, 25) << 5U) |
                               (bits(word, 11, 8) << 1U),
                           12);
    case Format::upper: return static_cast<std::int32_t>(word & 0xFFFF'F000U);
    case Format::jump:
      return sign_extended((bits(word, 31, 31) << 20U) | (bits(word, 19, 12) << 12U) | (bits(word, 20, 20) << 11U) |
                               (bits(word, 30, 21) << 1U),
                           20);
    case Format::csr:
    case Format::csr_immediate: return static_cast<std::int32_t>(bits(word, 31, 20));
    case Format::float_ternary: return register_at(word, 27);
    case Format::vector: return static_cast<std::int32_t>(word);
    default: return 0;
  }
}

}  // namespace

Instruction decode(Arch arch, Word word) {
  if (isa::is_ttinsn(word)) return {.op = Op::ttinsn, .imm = static_cast<std::int32_t>(isa::word_of_ttinsn(word))};
  const Op op = op_of(arch, word);
  if (op == Op::undefined) return {.op = op, .imm = static_cast<std::int32_t>(word)};
  const Format format = row(op).format;
  const unsigned has = operands(op);
  const bool rs1_is_immediate = format == Format::csr_immediate;
  return {.op = op,
          .rd = (has & op_rd) != 0 ? register_at(word, 7) : std::uint8_t{0},
          .rs1 = (has & op_rs1) != 0 || rs1_is_immediate ? register_at(word, 15) : std::uint8_t{0},
          .rs2 = (has & op_rs2) != 0 ? register_at(word, 20) : std::uint8_t{0},
          .imm = immediate(format, word)};
}

}  // namespace tensim::riscv
