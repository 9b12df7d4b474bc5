// Moves between SrcA, SrcB and Dst, and within them; clearing. Patterns of bits tell rows and columns apart.
#include "tests/support/matrix_bench.hpp"

namespace tensim::test {
namespace {

using namespace tensim::literals;
using number::DataFormat;
using number::SrcStyle;
using tensix::DataIssue;

class MatrixMoves : public BothArchs {
 protected:
  MatrixBench bench{GetParam()};

  MatrixMoves() {
    for (unsigned row = 0; row < 64; ++row)
      for (unsigned column = 0; column < 16; ++column) {
        bench.src_a()[row][column] = a(row, column);
        bench.src_b()[row][column] = a(row, column) ^ 0x40000U;
      }
    for (unsigned row = 0; row < 1024; ++row)
      for (unsigned column = 0; column < 16; ++column)
        bench.dst().bits[row][column] = d(row, column);
  }

  /// Exponent 1 to 64; nine mantissa bits with the column in them, low three not zero.
  static std::uint32_t a(unsigned row, unsigned column) { return (column << 13U | 0x500U) | (row + 1); }
  static std::uint32_t b(unsigned row, unsigned column) { return a(row, column) ^ 0x40000U; }
  static std::uint16_t d(unsigned row, unsigned column) { return static_cast<std::uint16_t>(row << 5U | column); }
  static std::uint16_t bf16(std::uint32_t src) {
    return static_cast<std::uint16_t>(number::dst16_from_src(src, SrcStyle::bf16));
  }
  bool is_old(unsigned row) const { return bench.coprocessor.dst.bits[row][3] == d(row, 3); }
};
TENSIM_BOTH_ARCHS(MatrixMoves);

class BlackholeMatrixMoves : public MatrixMoves {};
INSTANTIATE_TEST_SUITE_P(Archs, BlackholeMatrixMoves, ::testing::Values(Arch::blackhole));

TEST_P(MatrixMoves, Mova2dMovesOneRowOrAnAlignedEight) {
  for (const char* name : {"MOVA2D", "MOVDBGA2D"}) {
    bench.rwc().src_a.value = 2;
    bench.run(std::string(name) + " SrcRow=3, DstRow=77");
    EXPECT_EQ(bench.dst().bits[77][9], bf16(a(5, 9)));
    EXPECT_TRUE(is_old(76) && is_old(78));
    bench.run(std::string(name) + " SrcRow=9, Move8Rows=1, DstRow=100");  // rows 8 to 15 to 96 to 103
    for (unsigned i = 0; i < 8; ++i)
      EXPECT_EQ(bench.dst().bits[96 + i][1], bf16(a(8 + i, 1)));
    EXPECT_TRUE(is_old(95) && is_old(104));
  }
}

TEST_P(BlackholeMatrixMoves, Movdbgb2dIsMovb2dThatDoesNotWait) {  // assembly.yaml: in debug mode, without ready signals
  bench.coprocessor.src.matrix_owns[1] = {};
  bench.rwc().src_b.value = 2;
  bench.run("MOVDBGB2D SrcRow=3, DstRow=77");
  EXPECT_EQ(bench.dst().bits[77][9], bf16(b(5, 9)));
  EXPECT_TRUE(is_old(76) && is_old(78));
  bench.run("MOVDBGB2D SrcRow=8, Move4Rows=1, DstRow=102");  // rows 8 to 11 to 100 to 103
  for (unsigned i = 0; i < 4; ++i)
    EXPECT_EQ(bench.dst().bits[100 + i][1], bf16(b(8 + i, 1)));
  EXPECT_TRUE(is_old(99) && is_old(104));
  bench.run("MOVDBGB2D SrcRow=4, Broadcast1RowTo8=1, BroadcastCol0=1, DstRow=200");
  for (unsigned i = 0; i < 8; ++i)
    EXPECT_EQ(bench.dst().bits[200 + i][11], bf16(b(6, 0)));
  EXPECT_FALSE(bench.coprocessor.fault);
}

TEST_P(MatrixMoves, BlockedColumnsStayAsTheyAre) {  // BLOCK_DEST_MOV
  bench.coprocessor.matrix.blocked_move_columns = 1U << 3U;
  bench.run("MOVA2D SrcRow=3, DstRow=77");
  EXPECT_EQ(bench.dst().bits[77][3], d(77, 3));
  EXPECT_EQ(bench.dst().bits[77][4], bf16(a(3, 4)));
  bench.run("MOVB2D SrcRow=3, DstRow=78");
  EXPECT_EQ(bench.dst().bits[78][3], d(78, 3));
  EXPECT_EQ(bench.dst().bits[78][4], bf16(b(3, 4)));
  bench.run("MOVD2A SrcRow=5, DstRow=100");
  EXPECT_EQ(bench.src_a()[5][3], a(5, 3));
  EXPECT_NE(bench.src_a()[5][4], a(5, 4));
  bench.run("MOVD2B SrcRow=5, DstRow=100");
  EXPECT_EQ(bench.src_b()[5][3], b(5, 3));
  EXPECT_NE(bench.src_b()[5][4], b(5, 4));
  bench.run("MOVB2A SrcARow=7, SrcBRow=9");
  EXPECT_EQ(bench.src_a()[7][3], a(7, 3));
  EXPECT_EQ(bench.src_a()[7][4], b(9, 4));
}

TEST_P(MatrixMoves, Mova2dInFp16AndTf32) {
  bench.src_a()[0].fill(number::src_from_fp16(0xC123));
  bench.set_formats(DataFormat::fp16);
  bench.run("MOVA2D DstRow=0");
  EXPECT_EQ(bench.dst().bits[0][0], number::dst_from_fp16(0xC123));
  bench.set_formats(DataFormat::tf32);  // 32 bits, whatever Fp32_enabled says
  bench.src_a()[0].fill(number::src_from_tf32(0x5A5A5));
  bench.run("MOVA2D DstRow=9");
  EXPECT_EQ(bench.dst32(9, 4), number::dst_from_fp32(0x5A5A5U << 13U));
  bench.run("MOVA2D DstRow=9, UseDst32bLo=1");  // the upper half is in the lower one too
  const std::uint32_t both = number::dst_from_fp32(0x5A5A5U << 13U);
  EXPECT_EQ(bench.dst32(9, 4), both | both >> 16U);
}

TEST_P(MatrixMoves, Mova2dToTheLowHalfKeepsTheUpperOne) {
  bench.run("MOVA2D SrcRow=1, DstRow=2, UseDst32bLo=1");
  EXPECT_EQ(bench.dst32(2, 6), std::uint32_t{d(2, 6)} << 16U | bf16(a(1, 6)));
  bench.dst().is_undefined[3] = true;
  bench.run("MOVA2D SrcRow=1, DstRow=3, UseDst32bLo=1");
  EXPECT_EQ(bench.dst32(3, 6), bf16(a(1, 6)));
}

TEST_P(MatrixMoves, DenormalsAreFlushedUnlessKept) {
  bench.src_a()[0].fill(0x7FF00);
  bench.src_b()[0].fill(0x7FF00);
  bench.run("MOVA2D DstRow=0");
  bench.run("MOVB2D DstRow=1");
  bench.run("MOVB2A SrcARow=4, SrcBRow=0");
  EXPECT_EQ(bench.dst().bits[0][0], 0);
  EXPECT_EQ(bench.dst().bits[1][0], 0);
  EXPECT_EQ(bench.src_a()[4][0], 0U);
  bench.set("ALU_ACC_CTRL_Zero_Flag_disabled_src"_config, 1);
  bench.run("MOVA2D DstRow=0");
  bench.run("MOVB2A SrcARow=4, SrcBRow=0");
  EXPECT_EQ(bench.dst().bits[0][0], 0xFF00);
  EXPECT_EQ(bench.src_a()[4][0], 0x7FF00U);
}

TEST_P(MatrixMoves, Movb2dMovesOneRowOrFourOrSpreadsOne) {
  bench.rwc().src_b.value = 5;
  bench.run("MOVB2D SrcRow=1, DstRow=33");
  EXPECT_EQ(bench.dst().bits[33][2], bf16(b(6, 2)));
  EXPECT_TRUE(is_old(32) && is_old(34));
  bench.run("MOVB2D SrcRow=1, Move4Rows=1, DstRow=38");  // 4 to 7 to 36 to 39
  for (unsigned i = 0; i < 4; ++i)
    EXPECT_EQ(bench.dst().bits[36 + i][2], bf16(b(4 + i, 2)));
  EXPECT_TRUE(is_old(35) && is_old(40));
  bench.run("MOVB2D SrcRow=1, Broadcast1RowTo8=1, Move4Rows=1, DstRow=70");  // 6 to 64 to 71
  for (unsigned i = 0; i < 8; ++i)
    EXPECT_EQ(bench.dst().bits[64 + i][2], bf16(b(6, 2)));
  bench.run("MOVB2D SrcRow=1, BroadcastCol0=1, DstRow=80");
  EXPECT_EQ(bench.dst().bits[80][2], bf16(b(6, 0)));
}

TEST_P(MatrixMoves, Movd2aAndMovd2bMoveOneRowOrAnAlignedFour) {
  bench.rwc().src_a.value = 1;
  bench.rwc().src_b.value = 2;
  bench.run("MOVD2A SrcRow=4, DstRow=7");
  EXPECT_EQ(bench.src_a()[5][3], number::src_from_dst16(d(7, 3), SrcStyle::bf16));
  EXPECT_EQ(bench.src_a()[6][3], a(6, 3));
  bench.run("MOVD2B SrcRow=12, Move4Rows=1, DstRow=7");  // 4 to 7 to 12 to 15
  for (unsigned i = 0; i < 4; ++i)
    EXPECT_EQ(bench.src_b()[12 + i][3], number::src_from_dst16(d(4 + i, 3), SrcStyle::bf16));
  bench.dst().is_undefined[4] = true;
  bench.run("MOVD2B SrcRow=10, DstRow=4");
  EXPECT_EQ(bench.src_b()[12][3], 0U);
  EXPECT_TRUE(bench.coprocessor.reports.empty());
}

TEST_P(MatrixMoves, Movd2aFromThirtyTwoBits) {
  bench.set("ALU_ACC_CTRL_Fp32_enabled"_config, 1);
  bench.set_formats(DataFormat::tf32);
  const std::uint32_t value = bench.dst32(3, 1);
  bench.run("MOVD2A DstRow=3");
  EXPECT_EQ(bench.src_a()[0][1], number::src_from_dst32(value, SrcStyle::tf32, false));
  bench.run("MOVD2A DstRow=3, UseDst32bLo=1");
  EXPECT_EQ(bench.src_a()[0][1], value & 0x1FFFU);
  bench.set_formats(DataFormat::bf16);
  bench.run("MOVD2A DstRow=3, UseDst32bLo=1");
  EXPECT_EQ(bench.src_a()[0][1], number::src_from_dst16(value & 0xFFFFU, SrcStyle::bf16));
  EXPECT_TRUE(bench.coprocessor.reports.empty());
}

TEST_P(MatrixMoves, WhatSixteenBitsCannotGiveIsReported) {
  bench.run("MOVD2A DstRow=3, UseDst32bLo=1");
  EXPECT_TRUE(bench.reports(DataIssue::dst16_low_half));
  EXPECT_EQ(bench.src_a()[0][1], number::src_from_dst16(d(3, 1), SrcStyle::bf16));
  bench.set_formats(DataFormat::tf32);
  bench.run("MOVD2B DstRow=3");
  EXPECT_TRUE(bench.reports(DataIssue::dst16_tf32));
}

TEST_P(MatrixMoves, Movb2aMovesOneRowOrAnAlignedFour) {
  bench.rwc().src_a.value = 8;
  bench.rwc().src_b.value = 16;
  bench.run("MOVB2A SrcARow=1, SrcBRow=2");
  EXPECT_EQ(bench.src_a()[9][7], b(18, 7));
  bench.run("MOVB2A SrcARow=7, Move4Rows=1, SrcBRow=63");  // 79 & 0x3C = 12 to 15 & 0x3C = 12
  EXPECT_EQ(bench.src_a()[12][7], b(12, 7));
  EXPECT_EQ(bench.src_a()[15][7], b(15, 7));
  EXPECT_EQ(bench.src_a()[16][7], a(16, 7));
}

TEST_P(BlackholeMatrixMoves, BlackholesMovesOfSrcBGoByTheFormatOfItsBank) {
  bench.set("DISABLE_IMPLIED_SRCA_FMT_Base"_thread_config, 0);
  auto& formats = bench.coprocessor.src_registers.format;
  formats[0][0] = static_cast<std::uint8_t>(DataFormat::bf16);
  formats[1][0] = static_cast<std::uint8_t>(DataFormat::fp16);
  bench.run("MOVB2D DstRow=0");
  EXPECT_EQ(bench.dst().bits[0][3], number::dst16_from_src(b(0, 3), SrcStyle::fp16));
  bench.run("MOVA2D DstRow=0");
  EXPECT_EQ(bench.dst().bits[0][3], bf16(a(0, 3)));
}

TEST_P(MatrixMoves, TrnspsrcbTransposesRows16To31) {
  bench.run("TRNSPSRCB");
  EXPECT_EQ(bench.src_b()[18][5], b(21, 2));
  EXPECT_EQ(bench.src_b()[21][2], b(18, 5));
  EXPECT_EQ(bench.src_b()[15][5], b(15, 5));
  EXPECT_EQ(bench.src_b()[32][5], b(32, 5));
}

TEST_P(MatrixMoves, ShiftxaTakesTheRowsOfAnEarlierInstruction) {
  bench.rwc().src_a.value = 40;
  bench.run("ELWADD DstRow=512");  // row 40: rows 32 to 47
  bench.rwc().src_a.value = 0;
  bench.run("SHIFTXA Direction=RIGHT_AWAY0");
  EXPECT_EQ(bench.src_a()[2][0], 0U);
  EXPECT_EQ(bench.src_a()[2][1], a(34, 0));
  EXPECT_EQ(bench.src_a()[2][15], a(34, 14));
  EXPECT_EQ(bench.src_a()[34][15], a(34, 15));
  bench.run("SHIFTXA Direction=LEFT_TOWARD0");
  EXPECT_EQ(bench.src_a()[3][0], a(35, 1));
  EXPECT_EQ(bench.src_a()[3][15], 0U);
  EXPECT_TRUE(bench.coprocessor.reports.empty());
  bench.run("ttshiftxa 0,0");
  EXPECT_EQ(bench.src_a()[3][0], a(35, 1));
  EXPECT_TRUE(bench.reports(DataIssue::shiftxa_direction));
}

TEST_P(MatrixMoves, ShiftxbRotatesOrShiftsOneRow) {
  bench.rwc().src_b.value = 60;
  bench.run("SHIFTXB SrcRow=7");  // row 3
  EXPECT_EQ(bench.src_b()[3][0], b(3, 1));
  EXPECT_EQ(bench.src_b()[3][14], b(3, 15));
  EXPECT_EQ(bench.src_b()[3][15], b(3, 0));
  bench.run("SHIFTXB SrcRow=8, ShiftInZero=1");
  EXPECT_EQ(bench.src_b()[4][14], b(4, 15));
  EXPECT_EQ(bench.src_b()[4][15], 0U);
}

TEST_P(MatrixMoves, ZerosrcClearsTheBanksItNames) {
  auto& registers = bench.coprocessor.src_registers;
  bench.coprocessor.src.matrix_bank = {1, 0};
  bench.coprocessor.src.unpack_bank = {0, 1};
  for (auto& file : registers.banks)
    for (auto& bank : file)
      bank[63].fill(5);
  bench.run("ZEROSRC ClearSrcA=1, NegativeInfSrcA=1, SingleBankMatrixUnit=1, ClearSrcB=1");
  EXPECT_EQ(registers.bank(tensix::Src::a, 1)[63][0], 0x7FFFFU);
  EXPECT_EQ(registers.bank(tensix::Src::a, 0)[63][0], 5U);
  EXPECT_EQ(registers.bank(tensix::Src::b, 0)[63][0], 0U);
  EXPECT_EQ(registers.bank(tensix::Src::b, 1)[63][0], 5U);
  bench.run("ZEROSRC ClearSrcB=1");  // the unpacker's bank
  EXPECT_EQ(registers.bank(tensix::Src::b, 1)[63][0], 0U);
  bench.run("ZEROSRC ClearSrcA=1, BothBanks=1");
  EXPECT_EQ(registers.bank(tensix::Src::a, 0)[63][0], 0U);
  EXPECT_EQ(registers.bank(tensix::Src::a, 1)[63][0], 0U);
}

/// First and last undefined row, and how many there are.
struct Undefined {
  unsigned first = 0;
  unsigned last = 0;
  unsigned count = 0;
  friend bool operator==(const Undefined&, const Undefined&) = default;
};
Undefined undefined_rows(const tensix::Dst& dst) {
  Undefined found;
  for (unsigned row = 0; row < 1024; ++row)
    if (dst.is_undefined[row]) {
      if (found.count++ == 0) found.first = row;
      found.last = row;
    }
  return found;
}

TEST_P(MatrixMoves, ZeroaccMarksRowsBlocksHalvesAndAll) {
  const auto after = [&](const char* line) {
    bench.dst().is_undefined.fill(false);
    bench.run(line);
    return undefined_rows(bench.dst());
  };
  bench.rwc().dst.value = 3;
  bench.set("DEST_REGW_BASE_Base"_config, 4);
  EXPECT_EQ(after("ZEROACC Mode=CLR_SPECIFIC, Imm10=10"), (Undefined{17, 17, 1}));
  EXPECT_EQ(after("ZEROACC Mode=CLR_16, Imm10=63"), (Undefined{1008, 1023, 16}));
  EXPECT_EQ(after("ZEROACC Mode=CLR_16, Imm10=64"), Undefined{});
  EXPECT_EQ(after("ZEROACC Mode=CLR_16, UseDst32b=1, Imm10=1"), (Undefined{32, 63, 32}));
  EXPECT_EQ(after("ZEROACC Mode=CLR_16, UseDst32b=1, Imm10=32"), Undefined{});
  EXPECT_EQ(after("ZEROACC Mode=CLR_HALF, Imm10=1"), (Undefined{512, 1023, 512}));
  EXPECT_EQ(after("ZEROACC Mode=CLR_HALF, Imm10=2"), (Undefined{0, 511, 512}));
  EXPECT_EQ(after("ZEROACC Mode=CLR_ALL"), (Undefined{0, 1023, 1024}));
  // DBG_FEATURE_DISABLE bit 11 moves rows of 16 bits, not halves of Dst.
  bench.dst().upper_halves = true;
  EXPECT_EQ(after("ZEROACC Mode=CLR_HALF, Imm10=0"), (Undefined{0, 511, 512}));
  EXPECT_EQ(after("ZEROACC Mode=CLR_HALF, Imm10=1"), (Undefined{512, 1023, 512}));
  EXPECT_EQ(after("ZEROACC Mode=CLR_ALL"), (Undefined{0, 1023, 1024}));
  bench.dst().upper_halves = false;
  bench.set("ALU_ACC_CTRL_Fp32_enabled"_config, 1);
  EXPECT_EQ(after("ZEROACC Mode=CLR_SPECIFIC, Imm10=2"), (Undefined{17, 25, 2}));  // 32-bit row 9
  EXPECT_TRUE(bench.coprocessor.reports.empty());
}

TEST_P(MatrixMoves, ZeroaccsBlocksAreInTheThreadsHalfOnBlackhole) {
  const bool blackhole = GetParam() == Arch::blackhole;
  bench.set("DEST_TARGET_REG_CFG_MATH_Offset"_thread_config, 512);
  bench.run("ZEROACC Mode=CLR_16, Imm10=1");
  EXPECT_EQ(undefined_rows(bench.dst()), blackhole ? (Undefined{528, 543, 16}) : (Undefined{16, 31, 16}));
  bench.dst().is_undefined.fill(false);
  bench.set("DEST_ACCESS_CFG_zeroacc_absolute_tile_mode"_config, 1);
  bench.run("ZEROACC Mode=CLR_16, Imm10=1");
  EXPECT_EQ(undefined_rows(bench.dst()), (Undefined{16, 31, 16}));
}

TEST_P(MatrixMoves, ZeroaccCanTakeTheMarkBack) {
  bench.dst().is_undefined.fill(true);
  const std::uint32_t before = bench.dst32(5, 5);
  bench.run("ZEROACC Mode=CLR_16, UseDst32b=1, Revert=1, Imm10=0");
  EXPECT_EQ(undefined_rows(bench.dst()), (Undefined{32, 1023, 992}));
  EXPECT_EQ(bench.dst32(5, 5), before);
  EXPECT_EQ(bench.reports(DataIssue::zeroacc_revert), GetParam() == Arch::wormhole);
  bench.run("ZEROACC Mode=CLR_ALL, Revert=1");
  EXPECT_EQ(undefined_rows(bench.dst()).count, 0U);
  EXPECT_TRUE(bench.reports(DataIssue::zeroacc_revert));
}

TEST_P(MatrixMoves, OnlyZeroaccsSmallModesApplyTheAddressModifier) {
  bench.set("ADDR_MOD_DST_SEC0_DestIncr"_thread_config, 8);
  for (const char* line : {"ZEROACC Mode=CLR_HALF", "ZEROACC Mode=CLR_ALL"})
    bench.run(line);
  EXPECT_EQ(bench.rwc().dst.value, 0U);
  for (const char* line : {"ZEROACC Mode=CLR_SPECIFIC", "ZEROACC Mode=CLR_16, Imm10=255"})
    bench.run(line);
  EXPECT_EQ(bench.rwc().dst.value, 16U);
}

}  // namespace
}  // namespace tensim::test
