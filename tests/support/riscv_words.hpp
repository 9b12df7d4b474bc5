// RISC-V words for tests, written like assembly: rv::addi(t0, zero, 1). Encodings are spelt out here again, from the
// RISC-V manual, so that a test does not rest on the decoder's own table.
#pragma once

#include <cstdint>

namespace tensim::rv {

using Word = std::uint32_t;

enum Register : Word {
  zero,
  ra,
  sp,
  gp,
  tp,
  t0,
  t1,
  t2,
  s0,
  s1,
  a0,
  a1,
  a2,
  a3,
  a4,
  a5,
  a6,
  a7,
  s2,
  s3,
  s4,
  s5,
  s6,
  s7,
  s8,
  s9,
  s10,
  s11,
  t3,
  t4,
  t5,
  t6
};

constexpr Word r_type(Word opcode, Word funct3, Word funct7, Word rd, Word rs1, Word rs2) {
  return funct7 << 25U | rs2 << 20U | rs1 << 15U | funct3 << 12U | rd << 7U | opcode;
}
constexpr Word i_type(Word opcode, Word funct3, Word rd, Word rs1, int imm) {
  return static_cast<Word>(imm) << 20U | rs1 << 15U | funct3 << 12U | rd << 7U | opcode;
}
constexpr Word s_type(Word funct3, Word rs2, Word rs1, int imm) {
  const Word bits = static_cast<Word>(imm);
  return (bits >> 5U & 0x7FU) << 25U | rs2 << 20U | rs1 << 15U | funct3 << 12U | (bits & 31U) << 7U | 0x23U;
}
constexpr Word b_type(Word funct3, Word rs1, Word rs2, int offset) {
  const Word bits = static_cast<Word>(offset);
  return (bits >> 12U & 1U) << 31U | (bits >> 5U & 0x3FU) << 25U | rs2 << 20U | rs1 << 15U | funct3 << 12U |
         (bits >> 1U & 0xFU) << 8U | (bits >> 11U & 1U) << 7U | 0x63U;
}

constexpr Word lui(Word rd, Word upper) {
  return upper << 12U | rd << 7U | 0x37U;
}
constexpr Word addi(Word rd, Word rs1, int imm) {
  return i_type(0x13, 0, rd, rs1, imm);
}
constexpr Word andi(Word rd, Word rs1, int imm) {
  return i_type(0x13, 7, rd, rs1, imm);
}
constexpr Word xori(Word rd, Word rs1, int imm) {
  return i_type(0x13, 4, rd, rs1, imm);
}
constexpr Word slli(Word rd, Word rs1, int amount) {
  return i_type(0x13, 1, rd, rs1, amount);
}
constexpr Word srli(Word rd, Word rs1, int amount) {
  return i_type(0x13, 5, rd, rs1, amount);
}
constexpr Word add(Word rd, Word rs1, Word rs2) {
  return r_type(0x33, 0, 0, rd, rs1, rs2);
}
constexpr Word sub(Word rd, Word rs1, Word rs2) {
  return r_type(0x33, 0, 0x20, rd, rs1, rs2);
}
constexpr Word xor_(Word rd, Word rs1, Word rs2) {
  return r_type(0x33, 4, 0, rd, rs1, rs2);
}
constexpr Word or_(Word rd, Word rs1, Word rs2) {
  return r_type(0x33, 6, 0, rd, rs1, rs2);
}
constexpr Word and_(Word rd, Word rs1, Word rs2) {
  return r_type(0x33, 7, 0, rd, rs1, rs2);
}
constexpr Word mul(Word rd, Word rs1, Word rs2) {
  return r_type(0x33, 0, 1, rd, rs1, rs2);
}
constexpr Word divu(Word rd, Word rs1, Word rs2) {
  return r_type(0x33, 5, 1, rd, rs1, rs2);
}
constexpr Word rem(Word rd, Word rs1, Word rs2) {
  return r_type(0x33, 6, 1, rd, rs1, rs2);
}
constexpr Word lw(Word rd, Word rs1, int offset) {
  return i_type(0x03, 2, rd, rs1, offset);
}
constexpr Word lbu(Word rd, Word rs1, int offset) {
  return i_type(0x03, 4, rd, rs1, offset);
}
constexpr Word lh(Word rd, Word rs1, int offset) {
  return i_type(0x03, 1, rd, rs1, offset);
}
constexpr Word flw(Word rd, Word rs1, int offset) {
  return i_type(0x07, 2, rd, rs1, offset);
}
constexpr Word fsw(Word rs2, Word rs1, int offset) {
  return s_type(2, rs2, rs1, offset) ^ (0x23U ^ 0x27U);
}
constexpr Word fadd(Word rd, Word rs1, Word rs2) {
  return r_type(0x53, 7, 0, rd, rs1, rs2);
}
constexpr Word sw(Word rs2, Word rs1, int offset) {
  return s_type(2, rs2, rs1, offset);
}
constexpr Word sh(Word rs2, Word rs1, int offset) {
  return s_type(1, rs2, rs1, offset);
}
constexpr Word sb(Word rs2, Word rs1, int offset) {
  return s_type(0, rs2, rs1, offset);
}
constexpr Word beq(Word rs1, Word rs2, int offset) {
  return b_type(0, rs1, rs2, offset);
}
constexpr Word bne(Word rs1, Word rs2, int offset) {
  return b_type(1, rs1, rs2, offset);
}
constexpr Word bltu(Word rs1, Word rs2, int offset) {
  return b_type(6, rs1, rs2, offset);
}
constexpr Word jal(Word rd, int offset) {
  const Word bits = static_cast<Word>(offset);
  return (bits >> 20U & 1U) << 31U | (bits >> 1U & 0x3FFU) << 21U | (bits >> 11U & 1U) << 20U |
         (bits >> 12U & 0xFFU) << 12U | rd << 7U | 0x6FU;
}
constexpr Word jalr(Word rd, Word rs1, int imm) {
  return i_type(0x67, 0, rd, rs1, imm);
}
constexpr Word fence = 0x0FF0000F;
constexpr Word ebreak = 0x00100073;
constexpr Word csrrs(Word rd, Word csr, Word rs1) {
  return i_type(0x73, 2, rd, rs1, static_cast<int>(csr));
}
constexpr Word csrrw(Word rd, Word csr, Word rs1) {
  return i_type(0x73, 1, rd, rs1, static_cast<int>(csr));
}
constexpr Word amoadd(Word rd, Word rs2, Word rs1) {
  return r_type(0x2F, 2, 0, rd, rs1, rs2);
}
constexpr Word amoswap(Word rd, Word rs2, Word rs1) {
  return r_type(0x2F, 2, 0x04, rd, rs1, rs2);
}
constexpr Word here = jal(zero, 0);  // for ever
constexpr Word ttinsn(Word tensix) {
  return tensix << 2U | tensix >> 30U;
}

}  // namespace tensim::rv
