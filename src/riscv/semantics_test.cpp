#include "riscv/semantics.hpp"

#include <cstdint>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "riscv/table.hpp"

namespace tensim::riscv {
namespace {

constexpr std::uint32_t lowest = 0x8000'0000;
constexpr std::uint32_t minus_one = 0xFFFF'FFFF;

struct Case {
  Op op;
  std::uint32_t a, b, result;
};

const std::vector<Case> computed{
    {Op::lui, 7, 0x1234'5000, 0x1234'5000},
    {Op::auipc, 0x1004, 0xFFFF'F000, 0x0000'0004},
    {Op::addi, 1, minus_one, 0},
    {Op::add, lowest, lowest, 0},
    {Op::add, 0x7FFF'FFFF, 1, lowest},
    {Op::sub, 0, 1, minus_one},
    {Op::sub, lowest, 1, 0x7FFF'FFFF},
    {Op::slti, lowest, 0, 1},
    {Op::slti, 5, 5, 0},
    {Op::slt, minus_one, 0, 1},
    {Op::slt, 0, minus_one, 0},
    {Op::sltiu, 5, minus_one, 1},
    {Op::sltiu, 0, 1, 1},
    {Op::sltu, minus_one, 0, 0},
    {Op::sltu, 0, minus_one, 1},
    {Op::xori, 0x0F0F, minus_one, 0xFFFF'F0F0},
    {Op::xor_, 0b1100, 0b1010, 0b0110},
    {Op::ori, 0b1100, 0b1010, 0b1110},
    {Op::or_, 0b1100, 0b1010, 0b1110},
    {Op::andi, 0b1100, 0b1010, 0b1000},
    {Op::and_, 0b1100, 0b1010, 0b1000},
    {Op::slli, 1, 31, lowest},
    {Op::sll, 3, 32, 3},  // only five bits of the distance count
    {Op::sll, 3, minus_one, lowest},
    {Op::srli, lowest, 31, 1},
    {Op::srl, lowest, 33, 0x4000'0000},
    {Op::srai, lowest, 31, minus_one},
    {Op::sra, lowest, 36, 0xF800'0000},
    {Op::sra, 0x4000'0000, 30, 1},

    {Op::mul, 0x1234'5678, 0x9ABC'DEF0, 0x242D'2080},
    {Op::mulh, minus_one, minus_one, 0},
    {Op::mulh, lowest, lowest, 0x4000'0000},
    {Op::mulhsu, minus_one, minus_one, minus_one},
    {Op::mulhsu, lowest, 2, minus_one},
    {Op::mulhsu, 2, lowest, 1},
    {Op::mulhu, minus_one, minus_one, 0xFFFF'FFFE},
    {Op::div, 7, 0xFFFF'FFFE, 0xFFFF'FFFD},  // 7 / -2 is -3
    {Op::div, lowest, minus_one, lowest},
    {Op::div, 5, 0, minus_one},
    {Op::divu, lowest, minus_one, 0},
    {Op::divu, 5, 0, minus_one},
    {Op::rem, 0xFFFF'FFF9, 2, minus_one},  // -7 % 2 is -1
    {Op::rem, 7, 0xFFFF'FFFE, 1},
    {Op::rem, lowest, minus_one, 0},
    {Op::rem, lowest, 0, lowest},
    {Op::remu, lowest, minus_one, lowest},
    {Op::remu, 5, 0, 5},

    {Op::sh1add, 3, 100, 106},
    {Op::sh2add, 3, 100, 112},
    {Op::sh3add, 3, 100, 124},
    {Op::sh3add, 0xE000'0001, 1, 9},
    {Op::andn, 0b1100, 0b1010, 0b0100},
    {Op::orn, 0b1100, 0xFFFF'FFFA, 0b1101},
    {Op::xnor, 0b1100, 0b1010, 0xFFFF'FFF9},
    {Op::clz, 0, 0, 32},
    {Op::clz, 1, 0, 31},
    {Op::clz, minus_one, 0, 0},
    {Op::ctz, 0, 0, 32},
    {Op::ctz, lowest, 0, 31},
    {Op::cpop, 0, 0, 0},
    {Op::cpop, 0xF0F0'0001, 0, 9},
    {Op::max, minus_one, 1, 1},
    {Op::maxu, minus_one, 1, minus_one},
    {Op::min, minus_one, 1, minus_one},
    {Op::minu, minus_one, 1, 1},
    {Op::sext_b, 0x1280, 0, 0xFFFF'FF80},
    {Op::sext_b, 0x127F, 0, 0x7F},
    {Op::sext_h, 0x1234'8000, 0, 0xFFFF'8000},
    {Op::zext_h, 0x1234'8000, 0, 0x8000},
    {Op::rol, 0x8000'0001, 1, 3},
    {Op::rol, 0x8000'0001, 32, 0x8000'0001},
    {Op::ror, 0x8000'0001, 33, 0xC000'0000},
    {Op::rori, 0x1234'5678, 4, 0x8123'4567},
    {Op::orc_b, 0x0001'8000, 0, 0x00FF'FF00},
    {Op::rev8, 0x1234'5678, 0, 0x7856'3412},
    {Op::pack, 0x1111'2222, 0x3333'4444, 0x4444'2222},
    {Op::brev8, 0x0102'0480, 0, 0x8040'2001},
    {Op::grevi, 0x1234'5678, 0, 0x1234'5678},
    {Op::grevi, 0x1234'5678, 24, 0x7856'3412},
    {Op::grevi, 0x1234'5678, 31, 0x1E6A'2C48},
    {Op::grevi, 0x1234'5678, 16, 0x5678'1234},
};

TEST(RiscvCompute, HandChosenOperands) {
  for (const Case& one : computed)
    EXPECT_EQ(compute(one.op, one.a, one.b), one.result) << row(one.op).name << " " << one.a << " " << one.b;
}

TEST(RiscvCompute, EveryInstructionHasACase) {
  std::set<Op> tested;
  for (const Case& one : computed)
    tested.insert(one.op);
  for (const Row& row : rows) {
    const bool computes = row.kind == Kind::alu || row.kind == Kind::mul || row.kind == Kind::div;
    EXPECT_EQ(tested.contains(row.op), computes) << row.name;
  }
}

/// The more special of two rows that fit one word must compute the same, or the order of rows would matter.
TEST(RiscvCompute, AliasesAgree) {
  for (const std::uint32_t value : {0U, 1U, 0x8000'0000U, 0x1234'5678U, 0xFFFF'FFFFU, 0x00F0'0F0AU}) {
    EXPECT_EQ(compute(Op::zext_h, value, 0), compute(Op::pack, value, 0));
    EXPECT_EQ(compute(Op::rev8, value, 0), compute(Op::grevi, value, 24));
    EXPECT_EQ(compute(Op::brev8, value, 0), compute(Op::grevi, value, 7));
  }
}

TEST(RiscvBranch, TakenByTheComparison) {
  struct {
    Op op;
    bool equal, less, greater, less_unsigned;  // of (5, 5), (-1, 1), (1, -1): signed; (1, -1) unsigned is less
  } const cases[] = {
      {Op::beq, true, false, false, false}, {Op::bne, false, true, true, true},   {Op::blt, false, true, false, false},
      {Op::bge, true, false, true, true},   {Op::bltu, false, false, true, true}, {Op::bgeu, true, true, false, false},
  };
  for (const auto& one : cases) {
    EXPECT_EQ(taken(one.op, 5, 5), one.equal) << row(one.op).name;
    EXPECT_EQ(taken(one.op, minus_one, 1), one.less) << row(one.op).name;
    EXPECT_EQ(taken(one.op, 1, minus_one), one.greater) << row(one.op).name;
    EXPECT_EQ(taken(one.op, 0, lowest), one.less_unsigned) << row(one.op).name;
  }
}

TEST(RiscvAmo, WhatIsLeftInMemory) {
  EXPECT_EQ(amo(Op::amoadd_w, minus_one, 2), 1U);
  EXPECT_EQ(amo(Op::amoswap_w, 1, 2), 2U);
  EXPECT_EQ(amo(Op::amoxor_w, 0b1100, 0b1010), 0b0110U);
  EXPECT_EQ(amo(Op::amoor_w, 0b1100, 0b1010), 0b1110U);
  EXPECT_EQ(amo(Op::amoand_w, 0b1100, 0b1010), 0b1000U);
  EXPECT_EQ(amo(Op::amomin_w, minus_one, 1), minus_one);
  EXPECT_EQ(amo(Op::amomax_w, minus_one, 1), 1U);
  EXPECT_EQ(amo(Op::amominu_w, minus_one, 1), 1U);
  EXPECT_EQ(amo(Op::amomaxu_w, minus_one, 1), minus_one);
}

TEST(RiscvCsr, WhatIsLeftInTheRegister) {
  for (const Op op : {Op::csrrw, Op::csrrwi})
    EXPECT_EQ(csr_write(op, 0b1100, 0b1010), 0b1010U);
  for (const Op op : {Op::csrrs, Op::csrrsi})
    EXPECT_EQ(csr_write(op, 0b1100, 0b1010), 0b1110U);
  for (const Op op : {Op::csrrc, Op::csrrci})
    EXPECT_EQ(csr_write(op, 0b1100, 0b1010), 0b0100U);
}

TEST(RiscvMemory, WidthsAndExtension) {
  for (const Row& row : rows) {
    const bool moves = row.kind == Kind::load || row.kind == Kind::store || row.kind == Kind::amo ||
                       row.kind == Kind::float_load || row.kind == Kind::float_store;
    EXPECT_EQ(access_bytes(row.op) != 0, moves) << row.name;
  }
  EXPECT_EQ(loaded(Op::lb, 0x1234'5680), 0xFFFF'FF80U);
  EXPECT_EQ(loaded(Op::lbu, 0x1234'5680), 0x80U);
  EXPECT_EQ(loaded(Op::lh, 0x1234'8000), 0xFFFF'8000U);
  EXPECT_EQ(loaded(Op::lhu, 0x1234'8000), 0x8000U);
  EXPECT_EQ(loaded(Op::lw, 0x1234'8000), 0x1234'8000U);
  EXPECT_EQ(loaded(Op::flw, 0x1234'8000), 0x1234'8000U);
  EXPECT_EQ(loaded(Op::flh, 0x1234'8000), 0xFFFF'8000U);
}

}  // namespace
}  // namespace tensim::riscv
