// The types of the rows in riscv/table/.
#pragma once

#include <cstdint>
#include <string_view>

#include "riscv/instruction.hpp"

namespace tensim::riscv {

/// Where the operands of an instruction stand in its word, and how they are written.
enum class Format : std::uint8_t {
  register_register,   // rd, rs1, rs2
  register_immediate,  // rd, rs1, imm
  shift,               // rd, rs1, shamt
  unary,               // rd, rs1
  load,                // rd, imm(rs1); jalr too
  store,               // rs2, imm(rs1)
  branch,              // rs1, rs2, target
  upper,               // rd, imm[31:12]
  jump,                // rd, target
  csr,                 // rd, csr, rs1
  csr_immediate,       // rd, csr, uimm[4:0]
  amo,                 // rd, rs2, (rs1)
  fence,               // predecessor, successor
  plain,               // no operands
  float_binary,        // rd, rs1, rs2, rm
  float_unary,         // rd, rs1, rm
  float_widen,         // the same, exact: rm is written only if it is not rne
  float_ternary,       // rd, rs1, rs2, rs3, rm
  vector,              // not decoded further
  tensix,              // a Tensix word
};

/// Register operands, as bits.
enum OperandBit : std::uint8_t { op_rd = 1, op_rs1 = 2, op_rs2 = 4, op_rs3 = 8 };

/// One instruction. A word is this one if (word & mask) == match and no row with more fixed bits says so.
struct Row {
  Op op = Op::undefined;
  std::string_view name = {};
  Format format = Format::plain;
  Kind kind = Kind::undefined;
  Extension extension = Extension::none;
  Word match = 0;
  Word mask = 0;
  std::uint8_t floats = 0;  // OperandBits that are f registers
  std::string_view note = {};

  constexpr bool matches(Word word) const { return (word & mask) == match; }
};

namespace table {

// The fixed bits of the encodings (The RISC-V Instruction Set Manual, Volume I, "RV32/64G Instruction Set Listings").
inline constexpr Word opcode_mask = 0x0000'007F;
inline constexpr Word funct3_mask = 0x0000'707F;
inline constexpr Word funct7_mask = 0xFE00'707F;
inline constexpr Word funct12_mask = 0xFFF0'707F;
inline constexpr Word amo_mask = 0xF800'707F;    // aq and rl are free
inline constexpr Word float_mask = 0xFE00'007F;  // the rounding mode is free
inline constexpr Word float_unary_mask = 0xFFF0'007F;
inline constexpr Word float_ternary_mask = 0x0600'007F;
inline constexpr Word all_bits = 0xFFFF'FFFF;

/// The major opcodes that several files name.
enum Major : Word {
  load = 0x03,
  load_fp = 0x07,
  misc_mem = 0x0F,
  op_imm = 0x13,
  auipc = 0x17,
  store = 0x23,
  store_fp = 0x27,
  amo = 0x2F,
  op = 0x33,
  lui = 0x37,
  madd = 0x43,
  msub = 0x47,
  nmsub = 0x4B,
  nmadd = 0x4F,
  op_fp = 0x53,
  op_v = 0x57,
  branch = 0x63,
  jalr = 0x67,
  jal = 0x6F,
  system = 0x73,
};

constexpr Word with_funct3(Word major, Word funct3) {
  return major | (funct3 << 12U);
}
constexpr Word with_funct7(Word major, Word funct3, Word funct7) {
  return with_funct3(major, funct3) | (funct7 << 25U);
}
constexpr Word with_funct12(Word major, Word funct3, Word funct12) {
  return with_funct3(major, funct3) | (funct12 << 20U);
}

}  // namespace table
}  // namespace tensim::riscv
