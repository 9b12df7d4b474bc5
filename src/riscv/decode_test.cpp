#include "riscv/decode.hpp"

#include <random>

#include <gtest/gtest.h>

#include "riscv/disassemble.hpp"
#include "riscv/table.hpp"

namespace tensim::riscv {
namespace {

TEST(RiscvDecode, EveryWordIsSomethingAndFitsItsRow) {
  std::mt19937 random(1);  // NOLINT(bugprone-random-generator-seed): the same words every time
  for (const Arch arch : all_archs)
    for (int i = 0; i < 1 << 20; ++i) {
      const auto word = static_cast<Word>(random()) | ((i & 3) != 0 ? 3U : 0U);
      const Instruction instruction = decode(arch, word);
      const Row& row = riscv::row(instruction.op);
      ASSERT_TRUE(row.matches(word)) << std::hex << word;
      ASSERT_EQ(instruction.op == Op::ttinsn, (word & 3U) != 3U);
      if (instruction.op != Op::undefined) {
        ASSERT_TRUE(known_extensions(arch).contains(row.extension)) << row.name;
      } else {
        ASSERT_EQ(static_cast<Word>(instruction.imm), word);
        // Nothing that this architecture knows fits.
        for (const Row& other : rows)
          ASSERT_FALSE(other.mask != 0 && other.matches(word) && known_extensions(arch).contains(other.extension))
              << other.name;
      }
      ASSERT_FALSE(disassemble(arch, word, 0).empty());
    }
}

TEST(RiscvDecode, TtinsnIsRotatedBack) {  // P6
  const Instruction instruction = decode(Arch::blackhole, 0x8C80'0022);
  EXPECT_EQ(instruction.op, Op::ttinsn);
  EXPECT_EQ(static_cast<Word>(instruction.imm), 0xA320'0008U);
}

TEST(RiscvDecode, Operands) {
  EXPECT_EQ(decode(Arch::wormhole, 0xFFC5'00E7), (Instruction{Op::jalr, 1, 10, 0, -4}));
  EXPECT_EQ(decode(Arch::wormhole, 0x8000'0537), (Instruction{Op::lui, 10, 0, 0, INT32_MIN}));
  EXPECT_EQ(decode(Arch::wormhole, 0xFEB5'0EE3), (Instruction{Op::beq, 0, 10, 11, -4}));
  EXPECT_EQ(decode(Arch::wormhole, 0xFFDF'F0EF), (Instruction{Op::jal, 1, 0, 0, -4}));
  EXPECT_EQ(decode(Arch::wormhole, 0xFEB5'2E23), (Instruction{Op::sw, 0, 10, 11, -4}));
  EXPECT_EQ(decode(Arch::wormhole, 0x41F5'5513), (Instruction{Op::srai, 10, 10, 0, 31}));
  EXPECT_EQ(decode(Arch::blackhole, 0x7C05'9573), (Instruction{Op::csrrw, 10, 11, 0, 0x7C0}));
  EXPECT_EQ(decode(Arch::blackhole, 0x0031'D573), (Instruction{Op::csrrwi, 10, 3, 0, 3}));
  EXPECT_EQ(decode(Arch::blackhole, 0x1820'F043), (Instruction{Op::fmadd_s, 0, 1, 2, 3}));
  EXPECT_EQ(decode(Arch::blackhole, 0x06B6'252F), (Instruction{Op::amoadd_w, 10, 12, 11, 0}));
}

TEST(RiscvDecode, GreviIsWhatRev8AndBrev8AreNot) {
  EXPECT_EQ(decode(Arch::blackhole, 0x6985'D513).op, Op::rev8);
  EXPECT_EQ(decode(Arch::blackhole, 0x6875'D513).op, Op::brev8);
  EXPECT_EQ(decode(Arch::blackhole, 0x69F5'D513), (Instruction{Op::grevi, 10, 11, 0, 31}));
  EXPECT_EQ(disassemble(Arch::blackhole, 0x69F5'D513, 0), "grevi a0,a1,0x1f");
}

TEST(RiscvDecode, WhatBlackholeLeavesOut) {
  EXPECT_EQ(decode(Arch::blackhole, 0x1820'F053).op, Op::undefined);  // fdiv.s
  EXPECT_EQ(decode(Arch::blackhole, 0x5800'F053).op, Op::undefined);  // fsqrt.s
  EXPECT_EQ(decode(Arch::blackhole, 0x1005'A52F).op, Op::undefined);  // lr.w
  EXPECT_EQ(decode(Arch::blackhole, 0x4800'9533).op, Op::undefined);  // bclr of Zbs
  EXPECT_EQ(decode(Arch::blackhole, 0x08C5'F533).op, Op::undefined);  // packh of Zbkb
  EXPECT_EQ(decode(Arch::blackhole, 0x1050'0073).op, Op::undefined);  // wfi
}

TEST(RiscvDecode, ReservedRoundingModesAreTheSameInstruction) {
  for (Word mode = 0; mode < 8; ++mode)
    EXPECT_EQ(decode(Arch::blackhole, 0x0020'8053 | (mode << 12U)), (Instruction{Op::fadd_s, 0, 1, 2, 0}));
}

TEST(RiscvExtensions, ByCore) {
  EXPECT_TRUE(extensions(Arch::blackhole, T2).contains(Extension::v));
  EXPECT_FALSE(extensions(Arch::blackhole, T1).contains(Extension::v));
  EXPECT_TRUE(extensions(Arch::blackhole, NC).contains(Extension::mret));
  EXPECT_FALSE(extensions(Arch::blackhole, T0).contains(Extension::mret));
  EXPECT_FALSE(extensions(Arch::wormhole, B).contains(Extension::zicsr));
  EXPECT_TRUE(extensions(Arch::wormhole, NC).contains(Extension::ttinsn));
  EXPECT_EQ(decode(Arch::blackhole, 0x0205'6007).op, Op::vector_load_32);  // vle32.v
  EXPECT_EQ(decode(Arch::blackhole, 0x0220'8157).op, Op::vector_ivv);      // vadd.vv
  EXPECT_EQ(decode(Arch::blackhole, 0x0C05'7557).op, Op::vsetvli);
}

TEST(RiscvDisassemble, CsrsHaveTheirDocumentedNames) {
  EXPECT_EQ(disassemble(Arch::blackhole, 0x7C05'9573, 0), "csrrw a0,cfg0,a1");
  EXPECT_EQ(disassemble(Arch::blackhole, 0xBC00'2573, 0), "csrrs a0,tt_cfg_qstatus,zero");
  EXPECT_EQ(disassemble(Arch::blackhole, 0x3400'2573, 0), "csrrs a0,0x340,zero");
}

TEST(RiscvDisassemble, TtinsnShowsTheTensixInstruction) {
  EXPECT_EQ(disassemble(Arch::blackhole, 0x8C80'0022, 0).substr(0, 15), ".ttinsn SEMINIT");
  EXPECT_EQ(disassemble(Arch::blackhole, 0x0000'0073 | 0x8000'0000, 0), ".word 0x80000073");
}

}  // namespace
}  // namespace tensim::riscv
