// Unpackers: what lands where, by hand from UNPACR_Regular.md. Codes of formats are number::DataFormat's.
#include "number/layout.hpp"
#include "number/unpack.hpp"
#include "tests/support/unpacker_bench.hpp"

namespace tensim::test {
namespace {

using namespace tensim::literals;
using number::DataFormat;
using tensix::DataIssue;
using tensix::Src;

constexpr unsigned code(DataFormat format) {
  return static_cast<unsigned>(format);
}
constexpr unsigned fp32 = code(DataFormat::fp32);
constexpr unsigned fp16 = code(DataFormat::fp16);
constexpr unsigned tf32 = code(DataFormat::tf32);
constexpr unsigned bf16 = code(DataFormat::bf16);
constexpr unsigned bfp8 = code(DataFormat::bfp8);
constexpr unsigned bfp4 = code(DataFormat::bfp4);
constexpr unsigned int32 = code(DataFormat::int32);
constexpr unsigned int16 = code(DataFormat::int16);
constexpr unsigned int8 = code(DataFormat::int8);

constexpr const char* unpack_a = "UNPACR.Regular WhichUnpacker=0";
constexpr const char* unpack_b = "UNPACR.Regular WhichUnpacker=1";

class UnpackerMove : public BothArchs {
 protected:
  UnpackerBench bench{GetParam()};
  bool blackhole() const { return GetParam() == Arch::blackhole; }
};
TENSIM_BOTH_ARCHS(UnpackerMove);

TEST_P(UnpackerMove, ATileOfBf16FillsSrcA) {
  bench.set_up_tile(bf16, bf16);
  bench.fill(UnpackerBench::tile_at, 1024, 2, 0x3F80);
  bench.run("UNPACR.Regular WhichUnpacker=0, FlipSrc=1");
  EXPECT_TRUE(bench.is_clean());
  for (unsigned i = 0; i < 1024; ++i)
    ASSERT_EQ(bench.src(Src::a)[i / 16][i % 16], number::src_from_bf16(0x3F80 + i)) << i;
  EXPECT_TRUE(bench.coprocessor.src.matrix_owns[0][0]);
  EXPECT_EQ(bench.coprocessor.src_registers.format[0][0], bf16);
  // The next one goes to the other bank.
  bench.fill(UnpackerBench::tile_at, 1024, 2, 0x4000);
  bench.run(unpack_a);
  EXPECT_EQ(bench.src(Src::a, 1)[63][15], number::src_from_bf16(0x43FF));
  EXPECT_EQ(bench.src(Src::a)[63][15], number::src_from_bf16(0x437F));
}

TEST_P(UnpackerMove, AndSrcBFromWhereItsRowIs) {
  bench.set_up_tile(fp16, fp16, 1);
  bench.fill(UnpackerBench::tile_at, 1024, 2);
  bench.coprocessor.unpackers.src_row[1][0] = 16;
  bench.run(unpack_b);
  EXPECT_TRUE(bench.is_clean());
  // 64 rows from row 16 on, around.
  for (unsigned i = 0; i < 1024; ++i)
    ASSERT_EQ(bench.src(Src::b)[(i / 16 + 16) % 64][i % 16], number::src_from_fp16(i)) << i;
}

TEST_P(UnpackerMove, Fp32BecomesTf32Bf16OrFp16) {
  constexpr std::uint32_t pi = 0x40490FDB;
  bench.set_up_tile(fp32, tf32);
  bench.datums(1);
  bench.put(UnpackerBench::tile_at, pi, 4);
  bench.run(unpack_a);
  EXPECT_EQ(bench.src(Src::a)[0][0], number::src_from_tf32(pi >> 13U));
  bench.set("THCON_SEC0_REG2_Out_data_format"_config, bf16);
  bench.set_output(64);
  bench.run(unpack_a);
  EXPECT_EQ(bench.src(Src::a)[0][0], number::src_from_bf16(0x4049));
  bench.set("THCON_SEC0_REG2_Out_data_format"_config, fp16);
  bench.run(unpack_a);
  EXPECT_EQ(bench.src(Src::a)[0][0], number::src_from_fp16(0x4248));
  EXPECT_TRUE(bench.is_clean());
}

TEST_P(UnpackerMove, UnpackerZeroFillsDstInstead) {
  bench.set_up_tile(fp32, fp32);
  bench.set("THCON_SEC0_REG2_Unpack_If_Sel"_config, 1);
  bench.set_thread("SRCA_SET_SetOvrdWithAddr"_thread_config, 0);
  bench.set_output(64 + 16 * 100);  // row 100
  bench.fill(UnpackerBench::tile_at, 1024, 4, 0x3F800000);
  bench.coprocessor.dst.is_undefined.fill(true);
  bench.run(unpack_a);
  EXPECT_TRUE(bench.is_clean());
  const tensix::Dst& dst = bench.coprocessor.dst;
  for (unsigned i = 0; i < 1024; ++i)
    ASSERT_EQ(dst.get32({}, 100 + i / 16, i % 16), number::dst_from_fp32(0x3F800000 + i)) << i;
  EXPECT_FALSE(dst.is_undefined[tensix::DstAddressing{}.row32(100)]);
  EXPECT_FALSE(dst.is_undefined[tensix::DstAddressing{}.row32(163) + 8]);
  EXPECT_TRUE(dst.is_undefined[tensix::DstAddressing{}.row32(164)]);
}

TEST_P(UnpackerMove, DstHoldsSixteenBitsOfTheOthers) {
  bench.set_up_tile(bf16, bf16);
  bench.set("THCON_SEC0_REG2_Unpack_If_Sel"_config, 1);
  bench.set_thread("SRCA_SET_SetOvrdWithAddr"_thread_config, 0);
  bench.set_output(0);  // four rows before the first: the last four
  bench.fill(UnpackerBench::tile_at, 1024, 2);
  bench.run(unpack_a);
  EXPECT_EQ(bench.coprocessor.dst.get16({}, 1020, 3), number::dst_from_bf16(3));
  EXPECT_EQ(bench.coprocessor.dst.get16({}, 0, 0), number::dst_from_bf16(64));
  // With the override only 16 rows count: row 59 of the output, row 55 of Dst, is row 7.
  bench.set_thread("SRCA_SET_SetOvrdWithAddr"_thread_config, 1);
  bench.run(unpack_a);
  EXPECT_EQ(bench.coprocessor.dst.get16({}, 7, 1), number::dst_from_bf16(59 * 16 + 1));
  EXPECT_TRUE(bench.is_clean());
}

TEST_P(UnpackerMove, IntegersKeepTheirBits) {
  bench.set_up_tile(int8, int8);
  bench.datums(2);
  bench.put(UnpackerBench::tile_at, 0x8305, 2);
  bench.run(unpack_a);
  EXPECT_EQ(bench.src(Src::a)[0][0], number::src_from_fp16(number::fp16_from_int8(5, false)));
  EXPECT_EQ(bench.src(Src::a)[0][1], number::src_from_fp16(number::fp16_from_int8(0x83, false)));
  bench.set("ALU_FORMAT_SPEC_REG0_SrcAUnsigned"_config, 1);
  bench.run(unpack_a);
  EXPECT_EQ(bench.src(Src::a)[0][1], number::src_from_fp16(number::fp16_from_int8(0x83, true)));
  bench.set_up_tile(int16, int16);
  bench.run(unpack_a);
  EXPECT_EQ(bench.src(Src::a)[0][0], number::src_from_int16(0x8305));
  bench.set_up_tile(int32, int32);
  bench.datums(2);
  bench.set("THCON_SEC0_REG2_Unpack_If_Sel"_config, 1);
  bench.run(unpack_a);
  EXPECT_EQ(bench.coprocessor.dst.get32({}, 0, 0), number::dst_from_fp32(0x8305));
  EXPECT_TRUE(bench.is_clean());
}

TEST_P(UnpackerMove, BlockFormatsHaveTheirExponentsFirst) {
  // 1024 datums: 64 exponents, then the datums. Face 2 starts at exponent 32 and datum 512.
  bench.set_up_tile(bfp8, bfp8);
  bench.adc().channel[0].z.set(2);
  bench.datums(32);
  bench.put(UnpackerBench::tile_at + 32, 0x8180, 2);           // exponents of face 2
  bench.put(UnpackerBench::tile_at + 64 + 512 + 0, 0x41, 1);   // 1.000001b
  bench.put(UnpackerBench::tile_at + 64 + 512 + 16, 0xE0, 1);  // the second row's
  bench.run(unpack_a);
  EXPECT_EQ(bench.src(Src::a)[0][0], number::src_from_bf16(number::bf16_from_bfp8(0x41, 0x80)));
  EXPECT_EQ(bench.src(Src::a)[1][0], number::src_from_bf16(number::bf16_from_bfp8(0xE0, 0x81)));
  // BFP4: datums of half a byte, the first in the low bits; the exponent can be forced, and then has no section.
  bench.set_up_tile(bfp4, bfp4);
  bench.adc().channel[0].z.set(0);
  bench.datums(2);
  bench.set("THCON_SEC0_REG2_Force_shared_exp"_config, 1);
  bench.set("UNP0_FORCED_SHARED_EXP_shared_exp"_config, 0x7F);
  bench.put(UnpackerBench::tile_at, 0xA4, 1);
  bench.run(unpack_a);
  EXPECT_EQ(bench.src(Src::a)[0][0], number::src_from_bf16(number::bf16_from_bfp8(0x40, 0x7F)));
  EXPECT_EQ(bench.src(Src::a)[0][1], number::src_from_bf16(number::bf16_from_bfp8(0xA0, 0x7F)));
  EXPECT_TRUE(bench.is_clean());
}

TEST_P(UnpackerMove, TilizingReadsRowsThatLieApart) {
  // Rows 128 bytes apart. Wormhole takes 16 datums of each, Blackhole 32 if they have more than 8 bits.
  bench.set_up_tile(bf16, bf16);
  bench.set("THCON_SEC0_REG2_Tileize_mode"_config, 1);
  bench.set("THCON_SEC0_REG2_Shift_amount_cntx0"_config, 128 / 16);
  bench.datums(64);
  bench.fill(UnpackerBench::tile_at, 1024, 2);
  bench.run(unpack_a);
  const unsigned width = blackhole() ? 32 : 16;
  for (unsigned i = 0; i < 64; ++i)
    EXPECT_EQ(bench.src(Src::a)[i / 16][i % 16], number::src_from_bf16(i / width * 64 + i % width)) << i;
  EXPECT_TRUE(bench.is_clean());
  bench.set_up_tile(int8, int8);
  bench.datums(64);
  bench.fill(UnpackerBench::tile_at, 1024, 1);
  bench.run(unpack_a);
  EXPECT_EQ(bench.src(Src::a)[1][2], number::src_from_fp16(number::fp16_from_int8(128 + 2, false)));
}

TEST_P(UnpackerMove, HaloizingTransposesFaces) {
  bench.set_up_tile(bf16, bf16);
  bench.set("THCON_SEC0_REG2_Haloize_mode"_config, 1);
  bench.fill(UnpackerBench::tile_at, 1024, 2);
  bench.run(unpack_a);
  for (unsigned i = 0; i < 1024; ++i)
    ASSERT_EQ(bench.src(Src::a)[(i / 256 * 16) + i % 16][i / 16 % 16], number::src_from_bf16(i)) << i;
  // It is unpacker 0's alone.
  bench.set_up_tile(bf16, bf16, 1);
  bench.set("THCON_SEC0_REG2_Haloize_mode"_config, 1, 1);
  bench.run(unpack_b);
  EXPECT_EQ(bench.src(Src::b)[0][1], number::src_from_bf16(1));
}

TEST_P(UnpackerMove, UpsamplingPutsZerosBehindDatumsOrLeavesRoom) {
  bench.set_up_tile(bf16, bf16);
  bench.set("THCON_SEC0_REG2_Upsample_rate"_config, 2);  // three zeros
  bench.datums(5);
  bench.fill(UnpackerBench::tile_at, 5, 2, 0x3F80);
  bench.coprocessor.src_registers.bank(Src::a, 0)[0].fill(7);
  bench.run(unpack_a);
  EXPECT_EQ(bench.src(Src::a)[0][0], number::src_from_bf16(0x3F80));
  EXPECT_EQ(bench.src(Src::a)[0][3], 0U);
  EXPECT_EQ(bench.src(Src::a)[0][4], number::src_from_bf16(0x3F81));
  EXPECT_EQ(bench.src(Src::a)[1][0], number::src_from_bf16(0x3F84));
  bench.set("THCON_SEC0_REG2_Upsample_and_interleave"_config, 1);
  bench.coprocessor.src_registers.bank(Src::a, 0)[0].fill(7);
  bench.run(unpack_a);
  EXPECT_EQ(bench.src(Src::a)[0][3], 7U);
  EXPECT_EQ(bench.src(Src::a)[0][12], number::src_from_bf16(0x3F83));
}

TEST_P(UnpackerMove, ShiftsAndTheFourRowsBeforeSrcALoseDatums) {
  bench.set_up_tile(bf16, bf16);
  bench.set("THCON_SEC0_REG2_Shift_amount_cntx0"_config, 3);
  bench.set_output(48);  // one row of 16 is before row 0
  bench.datums(32);
  bench.fill(UnpackerBench::tile_at, 32, 2);
  bench.coprocessor.src_registers.bank(Src::a, 0)[0].fill(7);
  bench.run(unpack_a);
  EXPECT_EQ(bench.src(Src::a)[0][0], number::src_from_bf16(16 + 3));
  EXPECT_EQ(bench.src(Src::a)[0][12], number::src_from_bf16(31));
  EXPECT_EQ(bench.src(Src::a)[0][13], 7U);
  EXPECT_EQ(bench.src(Src::a)[1][0], 0U);
}

TEST_P(UnpackerMove, ZerosCanBeWrittenWhateverIsInL1) {
  bench.set_up_tile(bf16, bf16);
  bench.fill(UnpackerBench::tile_at, 1024, 2, 1);
  bench.coprocessor.src_registers.bank(Src::a, 0)[63].fill(7);
  bench.run("UNPACR.Regular WhichUnpacker=0, AllDatumsAreZero=1");
  EXPECT_EQ(bench.src(Src::a)[63][15], 0U);
}

TEST_P(UnpackerMove, CompressedDatumsHaveZerosBehindThem) {
  // One row start per row of XDim 32 (YDim 2), a word of them. Row 0: datums 0, 1, 2 with 3, 0, 15 zeros behind; row 1
  // from datum 3 on.
  bench.set_up_tile(bf16, bf16);
  bench.set("THCON_SEC0_REG0_TileDescriptor"_config, bf16 | 32U << 16U);
  bench.descriptor_word(1) = 2U | 1U << 16U;
  const std::uint32_t starts = UnpackerBench::tile_at;
  const std::uint32_t datums = starts + 16;
  for (unsigned i = 0; i < 3; ++i)
    bench.put(starts + i * 2, i * 3 - i / 2, 2);  // 0, 3, 5
  bench.fill(datums, 32, 2, 0x3F80);
  bench.put(datums + 64, 0x0F03, 2);    // deltas 3, 0, 15, 0
  bench.put(datums + 64 + 2, 0x01, 1);  // datum 4: one
  for (auto& row : bench.coprocessor.src_registers.bank(Src::a, 0))
    row.fill(7);
  bench.datums(32);
  bench.run(unpack_a);
  EXPECT_TRUE(bench.is_clean());
  const auto at = [&](unsigned i) { return bench.src(Src::a)[i / 16][i % 16]; };
  EXPECT_EQ(at(0), number::src_from_bf16(0x3F80));
  EXPECT_EQ(at(1), 0U);
  EXPECT_EQ(at(4), number::src_from_bf16(0x3F81));
  EXPECT_EQ(at(5), number::src_from_bf16(0x3F82));
  EXPECT_EQ(at(20), 0U);
  EXPECT_EQ(at(21), 7U);
  // Part of it: without its first four, and three datums of it.
  bench.adc().channel[0].x.set(4);
  bench.adc().channel[1].x.set(6);
  bench.coprocessor.src_registers.bank(Src::a, 0)[0].fill(7);
  bench.run(unpack_a);
  EXPECT_EQ(at(0), number::src_from_bf16(0x3F81));
  EXPECT_EQ(at(1), number::src_from_bf16(0x3F82));
  EXPECT_EQ(at(2), 0U);
  EXPECT_EQ(at(3), 7U);
}

TEST_P(UnpackerMove, AddressesFallByTheFifoSizeAboveItsLimit) {
  bench.set_up_tile(bf16, bf16);
  bench.datums(64);
  bench.fill(UnpackerBench::tile_at, 16, 2, 100);
  bench.set("THCON_SEC0_REG2_Unpack_limit_address"_config, UnpackerBench::tile_word + 2);
  bench.set("THCON_SEC0_REG2_Unpack_fifo_size"_config, 16);
  bench.fill(UnpackerBench::tile_at + 32 - 256, 48, 2, 200);
  bench.run(unpack_a);
  EXPECT_EQ(bench.src(Src::a)[0][15], number::src_from_bf16(115));
  EXPECT_EQ(bench.src(Src::a)[1][0], number::src_from_bf16(200));
  EXPECT_EQ(bench.src(Src::a)[3][15], number::src_from_bf16(247));
}

TEST_P(UnpackerMove, WhatIsUndefinedIsReportedAndDoesWhatItSays) {
  bench.set_up_tile(bf16, fp16);
  bench.run("UNPACR.Regular WhichUnpacker=0, FlipSrc=1");
  EXPECT_TRUE(bench.reported(DataIssue::unpack_format));
  EXPECT_TRUE(bench.coprocessor.src.matrix_owns[0][0]);
  // Without the override SrcA has 16 rows, from SrcRow on.
  bench.set_up_tile(bf16, bf16);
  bench.set_thread("SRCA_SET_SetOvrdWithAddr"_thread_config, 0);
  bench.coprocessor.unpackers.src_row[0][0] = 32;
  bench.fill(UnpackerBench::tile_at, 1024, 2, 1);
  bench.run(unpack_a);
  EXPECT_TRUE(bench.reported(DataIssue::unpack_rows));
  EXPECT_EQ(bench.src(Src::a, 1)[32][0], number::src_from_bf16(1));
  EXPECT_EQ(bench.src(Src::a, 1)[47][15], number::src_from_bf16(256));
  EXPECT_EQ(bench.src(Src::a, 1)[48][0], 0U);
  // The end before the start.
  bench.adc().channel[0].x.set(3);
  bench.adc().channel[1].x.set(1);
  bench.run(unpack_a);
  EXPECT_TRUE(bench.reported(DataIssue::unpack_range));
}

TEST_P(UnpackerMove, NothingBeyondL1IsRead) {
  bench.set_up_tile(bf16, bf16);
  const std::uint32_t last_word = UnpackerBench::l1_bytes / 16 - 1;
  bench.set("THCON_SEC0_REG3_Base_address"_config, last_word - 1);  // 8 datums are in L1
  bench.datums(32);
  bench.fill(last_word * 16, 8, 2, 5);
  bench.coprocessor.src_registers.bank(Src::a, 0)[0].fill(7);
  bench.run(unpack_a);
  EXPECT_TRUE(bench.reported(DataIssue::l1_range));
  EXPECT_EQ(bench.src(Src::a)[0][7], number::src_from_bf16(12));
  EXPECT_EQ(bench.src(Src::a)[0][8], 7U);
  bench.set("THCON_SEC0_REG3_Base_address"_config, 0xFFFFFFFF);
  bench.run(unpack_a);
  EXPECT_EQ(bench.src(Src::a)[0][7], number::src_from_bf16(12));
}

TEST(UnpackerMoveBlackhole, ARowOfSrcBCanBeRepeated) {  // assembly.yaml, srcb_bcast
  UnpackerBench bench(Arch::blackhole);
  bench.set_up_tile(bf16, bf16, 1);
  bench.fill(UnpackerBench::tile_at, 16, 2, 0x3F80);
  bench.adc(1).channel[1].x.set(15);
  bench.coprocessor.unpackers.src_row[1][0] = 56;
  for (auto& row : bench.coprocessor.src_registers.bank(Src::b, 0))
    row.fill(7);
  const std::string word = "UNPACR.Regular WhichUnpacker=1, srcb_bcast=1";
  bench.run(word);
  EXPECT_TRUE(bench.is_clean());
  for (unsigned row = 56; row < 64; ++row)
    for (unsigned column = 0; column < 16; ++column)
      ASSERT_EQ(bench.src(Src::b)[row][column], number::src_from_bf16(0x3F80 + column)) << row;
  EXPECT_EQ(bench.src(Src::b)[55][0], 7U);
  EXPECT_EQ(bench.src(Src::b)[0][0], 7U);
}

TEST(UnpackerMoveBlackhole, RowsThatNobodyNamesAreNotRepeated) {
  const auto faults = [](unsigned row, unsigned last, const char* word) {
    UnpackerBench bench(Arch::blackhole);
    bench.set_up_tile(bf16, bf16, 1);
    bench.set_up_tile(bf16, bf16, 0);
    bench.adc(1).channel[1].x.set(last);
    bench.coprocessor.unpackers.src_row[1][0] = static_cast<std::uint8_t>(row);
    bench.run(word);
    return bench.faulted(DataIssue::unpack_srcb_bcast);
  };
  EXPECT_FALSE(faults(0, 15, "UNPACR.Regular WhichUnpacker=1, srcb_bcast=1"));
  EXPECT_TRUE(faults(1, 15, "UNPACR.Regular WhichUnpacker=1, srcb_bcast=1"));  // not the first of eight
  EXPECT_TRUE(faults(0, 31, "UNPACR.Regular WhichUnpacker=1, srcb_bcast=1"));  // two rows
  EXPECT_TRUE(faults(0, 7, "UNPACR.Regular WhichUnpacker=1, srcb_bcast=1"));   // half a row
  EXPECT_TRUE(faults(0, 15, "UNPACR.Regular WhichUnpacker=0, srcb_bcast=1"));  // SrcA
}

TEST_P(UnpackerMove, WhatIsNotModelledStopsTheRun) {
  bench.set_up_tile(bf16, bf16);
  bench.run(blackhole() ? "UNPACR.Regular srcb_bcast=1" : "UNPACR.Regular rareb_en=1");
  EXPECT_TRUE(bench.faulted(blackhole() ? DataIssue::unpack_srcb_bcast : DataIssue::unpack_rareb));
  UnpackerBench other(GetParam());
  other.run("UNPACR_NOP.SETREG");
  EXPECT_TRUE(other.faulted(DataIssue::unpack_nop_setreg));
  UnpackerBench overlay(GetParam());
  overlay.run("UNPACR_NOP.OverlayClear0");
  EXPECT_TRUE(overlay.faulted(DataIssue::unpack_nop_overlay));
}

TEST_P(UnpackerMove, NopsClearSrc) {
  auto& registers = bench.coprocessor.src_registers;
  const auto fill = [&] {
    for (auto& file : registers.banks)
      for (auto& bank : file)
        for (auto& row : bank)
          row.fill(7);
  };
  fill();
  bench.run("UNPACR_NOP.ZEROSRC WhichUnpacker=0");
  EXPECT_EQ(bench.src(Src::a)[63][15], 0U);
  EXPECT_EQ(bench.src(Src::a, 1)[0][0], 7U);
  EXPECT_EQ(bench.src(Src::b)[0][0], 7U);
  bench.run("UNPACR_NOP.ZEROSRC WhichUnpacker=1, BothBanks=1");
  EXPECT_EQ(bench.src(Src::b)[0][0], 0U);
  EXPECT_EQ(bench.src(Src::b, 1)[63][15], 0U);
  bench.run(blackhole() ? "UNPACR_NOP.ZEROSRC Src_ClrVal_Ctrl=CLR_SRC_NEGINF" : "UNPACR_NOP.ZEROSRC NegativeInfSrcA=1");
  EXPECT_EQ(bench.src(Src::a)[5][5], 0x7FFFFU);
  if (!blackhole()) return;
  bench.run("UNPACR_NOP.ZEROSRC Src_ClrVal_Ctrl=CLR_SRC_1, Clr_to1_fmt_Ctrl=UNP_CLRSRC_ONE_FP16B, Set_Dvalid=1");
  EXPECT_EQ(bench.src(Src::a)[5][5], number::src_from_bf16(0x3F80));
  EXPECT_TRUE(bench.coprocessor.src.matrix_owns[0][0]);
}

}  // namespace
}  // namespace tensim::test
