// The few RISC-V instructions that generated guests are made of (guest_program.hpp). Encodings: the RISC-V manual.
#pragma once

#include <cstdint>

namespace tensim::reference::rv {

using Word = std::uint32_t;

enum Register : Word { zero = 0, ra = 1, t0 = 5, s0 = 8, s1 = 9, a0 = 10, a1 = 11, a2 = 12, a3 = 13, s2 = 18, s3 = 19 };

constexpr Word i_type(Word opcode, Word funct3, Word rd, Word rs1, std::int32_t immediate) {
  return static_cast<Word>(immediate) << 20U | rs1 << 15U | funct3 << 12U | rd << 7U | opcode;
}
constexpr Word branch(Word funct3, Word rs1, Word rs2, std::int32_t offset) {
  const Word bits = static_cast<Word>(offset);
  return (bits >> 12U & 1U) << 31U | (bits >> 5U & 0x3FU) << 25U | rs2 << 20U | rs1 << 15U | funct3 << 12U |
         (bits >> 1U & 0xFU) << 8U | (bits >> 11U & 1U) << 7U | 0x63U;
}
constexpr Word lui(Word rd, Word upper) {
  return upper << 12U | rd << 7U | 0x37U;
}
constexpr Word addi(Word rd, Word rs1, std::int32_t immediate) {
  return i_type(0x13, 0, rd, rs1, immediate);
}
constexpr Word andi(Word rd, Word rs1, std::int32_t immediate) {
  return i_type(0x13, 7, rd, rs1, immediate);
}
constexpr Word lw(Word rd, Word rs1, std::int32_t offset) {
  return i_type(0x03, 2, rd, rs1, offset);
}
constexpr Word sw(Word rs2, Word rs1, std::int32_t offset) {
  const Word bits = static_cast<Word>(offset);
  return (bits >> 5U & 0x7FU) << 25U | rs2 << 20U | rs1 << 15U | 2U << 12U | (bits & 31U) << 7U | 0x23U;
}
constexpr Word beq(Word rs1, Word rs2, std::int32_t offset) {
  return branch(0, rs1, rs2, offset);
}
constexpr Word bne(Word rs1, Word rs2, std::int32_t offset) {
  return branch(1, rs1, rs2, offset);
}
constexpr Word jal(Word rd, std::int32_t offset) {
  const Word bits = static_cast<Word>(offset);
  return (bits >> 20U & 1U) << 31U | (bits >> 1U & 0x3FFU) << 21U | (bits >> 11U & 1U) << 20U |
         (bits >> 12U & 0xFFU) << 12U | rd << 7U | 0x6FU;
}
constexpr Word jalr(Word rd, Word rs1, std::int32_t immediate) {
  return i_type(0x67, 0, rd, rs1, immediate);
}
inline constexpr Word fence = 0x0FF0000F;
inline constexpr Word nop = addi(zero, zero, 0);

}  // namespace tensim::reference::rv
