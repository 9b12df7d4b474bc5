// What the baby cores execute: the names of the instructions and the decoded form of one.
//
// Which word is which instruction is in riscv/table/; what an instruction computes is in semantics.hpp and float.hpp.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tensim::riscv {

using Word = std::uint32_t;

/// One enumerator per instruction, in the order of the rows in riscv/table/ (table.cpp proves it).
enum class Op : std::uint8_t {
  // RV32I
  lui,
  auipc,
  jal,
  jalr,
  beq,
  bne,
  blt,
  bge,
  bltu,
  bgeu,
  lb,
  lh,
  lw,
  lbu,
  lhu,
  sb,
  sh,
  sw,
  addi,
  slti,
  sltiu,
  xori,
  ori,
  andi,
  slli,
  srli,
  srai,
  add,
  sub,
  sll,
  slt,
  sltu,
  xor_,
  srl,
  sra,
  or_,
  and_,
  fence,
  fence_i,
  ecall,
  ebreak,
  mret,
  // M
  mul,
  mulh,
  mulhsu,
  mulhu,
  div,
  divu,
  rem,
  remu,
  // Zba, Zbb, and what the cores have of Zbkb and of the draft Bitmanip
  sh1add,
  sh2add,
  sh3add,
  andn,
  orn,
  xnor,
  clz,
  ctz,
  cpop,
  max,
  maxu,
  min,
  minu,
  sext_b,
  sext_h,
  zext_h,
  rol,
  ror,
  rori,
  orc_b,
  rev8,
  pack,
  brev8,
  grevi,
  // Zicsr
  csrrw,
  csrrs,
  csrrc,
  csrrwi,
  csrrsi,
  csrrci,
  // Zaamo
  amoadd_w,
  amoswap_w,
  amoxor_w,
  amoor_w,
  amoand_w,
  amomin_w,
  amomax_w,
  amominu_w,
  amomaxu_w,
  // F
  flw,
  fsw,
  fmadd_s,
  fmsub_s,
  fnmsub_s,
  fnmadd_s,
  fadd_s,
  fsub_s,
  fmul_s,
  fsgnj_s,
  fsgnjn_s,
  fsgnjx_s,
  fmin_s,
  fmax_s,
  fcvt_w_s,
  fcvt_wu_s,
  fmv_x_w,
  feq_s,
  flt_s,
  fle_s,
  fclass_s,
  fcvt_s_w,
  fcvt_s_wu,
  fmv_w_x,
  // Zfh
  flh,
  fsh,
  fmadd_h,
  fmsub_h,
  fnmsub_h,
  fnmadd_h,
  fadd_h,
  fsub_h,
  fmul_h,
  fsgnj_h,
  fsgnjn_h,
  fsgnjx_h,
  fmin_h,
  fmax_h,
  fcvt_s_h,
  fcvt_h_s,
  fcvt_w_h,
  fcvt_wu_h,
  fmv_x_h,
  feq_h,
  flt_h,
  fle_h,
  fclass_h,
  fcvt_h_w,
  fcvt_h_wu,
  fmv_h_x,
  // V: not modelled, so told apart only by what the scalar side of the core sees
  vsetvli,
  vsetivli,
  vsetvl,
  vector_load_8,
  vector_load_16,
  vector_load_32,
  vector_store_8,
  vector_store_16,
  vector_store_32,
  vector_ivv,
  vector_fvv,
  vector_mvv,
  vector_ivi,
  vector_ivx,
  vector_fvf,
  vector_mvx,
  // not rows with a match of their own
  ttinsn,     // a Tensix word, rotated left by two
  undefined,  // no instruction of this architecture
};

inline constexpr std::size_t op_count = static_cast<std::size_t>(Op::undefined) + 1;

enum class Extension : std::uint8_t {
  i,
  zifencei,
  mret,  // the one instruction of the privileged architecture that exists
  m,
  zba,
  zbb,
  zbkb,      // pack and brev8 only
  bitmanip,  // grevi of Bitmanip 0.94-draft only
  zicsr,
  zaamo,
  f,
  zfh,
  v,
  ttinsn,
  none,  // of Op::undefined
};

/// What the pipeline does with an instruction.
enum class Kind : std::uint8_t {
  alu,
  mul,
  div,
  load,
  store,
  branch,
  jal,
  jalr,
  csr,
  amo,
  fence,
  system,  // ecall, ebreak, mret
  float_op,
  float_load,
  float_store,
  vector,
  ttinsn,
  undefined,
};

/// A decoded instruction. Registers that the instruction does not have are 0, so a reader may read them anyway; whether
/// a number means x or f is the operation's (table.hpp). `imm` is, by operation:
///   loads, stores, jalr, arithmetic   the sign-extended immediate (shifts: the amount)
///   lui, auipc                        the immediate already in bits 31:12
///   branches, jal                     the distance from this instruction
///   csr*                              the number of the CSR; the immediate of csrr?i is in rs1
///   fmadd and its like                rs3
///   vector                            the word
///   ttinsn                            the Tensix word, rotated back
///   undefined                         the word
/// Rounding modes and aq/rl are not kept: the cores ignore them (BabyRISCV/InstructionSet.md).
struct Instruction {
  Op op = Op::undefined;
  std::uint8_t rd = 0;
  std::uint8_t rs1 = 0;
  std::uint8_t rs2 = 0;
  std::int32_t imm = 0;

  friend constexpr bool operator==(const Instruction&, const Instruction&) = default;
};
static_assert(sizeof(Instruction) == 8);

}  // namespace tensim::riscv
