// MVMUL, DOTPV, GAPOOL, GMPOOL, ELWADD, ELWSUB, ELWMUL: which rows meet which, in which formats. The arithmetic itself is
// tested in number/. All numbers are small enough to be exact.
#include "tensix/fill.hpp"
#include "tensix/footprint.hpp"
#include "tests/support/matrix_bench.hpp"

namespace tensim::test {
namespace {

using namespace tensim::literals;
using number::DataFormat;
using tensix::DataIssue;

class MatrixArithmetic : public BothArchs {
 protected:
  MatrixBench bench{GetParam()};

  MatrixArithmetic() {
    // SrcA row r is r + 1 in all columns, SrcB row r column c is r + c / 16.
    for (unsigned row = 0; row < 64; ++row)
      for (unsigned column = 0; column < 16; ++column) {
        bench.src_a()[row][column] = src_bf16(static_cast<float>(row + 1));
        bench.src_b()[row][column] = src_bf16(static_cast<float>(row % 8) + static_cast<float>(column) / 16);
      }
    for (auto& row : bench.dst().bits)
      row.fill(untouched);
  }

  /// SrcA's sixteen rows from `first` become the unit matrix: a product is then SrcB.
  void unit_matrix(unsigned first) {
    for (unsigned i = 0; i < 16; ++i)
      for (unsigned j = 0; j < 16; ++j)
        bench.src_a()[(first + i) % 64][j] = src_bf16(i == j ? 1.0F : 0.0F);
  }
  bool is_untouched(unsigned row) const {
    return std::ranges::all_of(bench.coprocessor.dst.bits[row], [](auto bits) { return bits == untouched; });
  }

  static constexpr std::uint16_t untouched = 0x1234;
};
TENSIM_BOTH_ARCHS(MatrixArithmetic);

class BlackholeMatrixArithmetic : public MatrixArithmetic {};
INSTANTIATE_TEST_SUITE_P(Archs, BlackholeMatrixArithmetic, ::testing::Values(Arch::blackhole));

TEST_P(MatrixArithmetic, MvmulAddsEightRowsOfSrcBTimesSixteenOfSrcA) {
  unit_matrix(16);
  bench.rwc().src_a.value = 17;  // rows 16 to 31
  bench.rwc().src_b.value = 12;  // rows 8 to 15
  for (unsigned row = 40; row < 48; ++row)
    bench.dst().bits[row].fill(dst_bf16(1));
  bench.run("MVMUL DstRow=42");
  for (unsigned i = 0; i < 8; ++i)
    for (unsigned column = 0; column < 16; ++column)
      EXPECT_EQ(bench.dst().bits[40 + i][column],
                dst_bf16(1 + static_cast<float>(i) + static_cast<float>(column) / 16));
  EXPECT_TRUE(is_untouched(39) && is_untouched(48));
}

TEST_P(MatrixArithmetic, MvmulsSrcAIsAlignedToEightRowsAndWrapsAround) {
  unit_matrix(56);
  bench.rwc().src_a.value = 63;
  bench.run("ZEROACC Mode=CLR_ALL");
  bench.run("MVMUL DstRow=0");
  EXPECT_EQ(bench.dst().bits[7][15], dst_bf16(7 + 15.0F / 16));
}

TEST_P(MatrixArithmetic, MvmulBroadcastsAnyRowOfSrcBToEveryOtherOfSevenRows) {
  unit_matrix(0);
  bench.rwc().src_b.value = 13;
  bench.run("ZEROACC Mode=CLR_ALL");
  bench.run("MVMUL BroadcastSrcBRow=1, DstRow=15");  // & 0x3F9: 9, 11, 13, 15
  for (unsigned row = 8; row < 17; ++row) {
    const bool added = row == 9 || row == 11 || row == 13 || row == 15;
    EXPECT_EQ(bench.dst().is_undefined[row], !added) << row;
    EXPECT_TRUE(!added || bench.dst().bits[row][4] == dst_bf16(5.25F));
  }
}

TEST_P(MatrixArithmetic, DotpvHasNoBroadcastAndGapoolFourRows) {
  unit_matrix(0);
  bench.run("ZEROACC Mode=CLR_ALL");
  bench.run("DOTPV instr_mod19=1, DstRow=8");
  for (unsigned i = 0; i < 8; ++i)
    EXPECT_EQ(bench.dst().bits[8 + i][8], dst_bf16(static_cast<float>(i) + 0.5F));
  bench.rwc().src_b.value = 12;  // still rows 8 to 11
  bench.run("GAPOOL DstRow=22");
  for (unsigned i = 0; i < 4; ++i)
    EXPECT_EQ(bench.dst().bits[20 + i][8], dst_bf16(static_cast<float>(i) + 0.5F));
  EXPECT_TRUE(bench.dst().is_undefined[19] && bench.dst().is_undefined[24]);
}

TEST_P(MatrixArithmetic, ElementwiseTakesAlignedEightsOrBroadcasts) {
  bench.rwc().src_a.value = 9;   // rows 8 to 15: 9 and up
  bench.rwc().src_b.value = 18;  // rows 16 to 23, or row 18
  bench.run("ELWADD DstRow=0");
  EXPECT_EQ(bench.dst().bits[1][8], dst_bf16(10 + 1.5F));
  bench.run("ELWADD BroadcastSrcBRow=1, DstRow=0");
  EXPECT_EQ(bench.dst().bits[1][8], dst_bf16(10 + 2.5F));
  bench.run("ELWSUB BroadcastSrcBCol0=1, DstRow=0");
  EXPECT_EQ(bench.dst().bits[1][8], dst_bf16(10 - 1));
  bench.run("ELWSUB BroadcastSrcBCol0=1, BroadcastSrcBRow=1, DstRow=0, AddDst=1");
  EXPECT_EQ(bench.dst().bits[1][8], dst_bf16(9 + 10 - 2));
  bench.run("ELWMUL BroadcastSrcBRow=1, DstRow=0");
  EXPECT_EQ(bench.dst().bits[1][8], dst_bf16(17 + 10 * 2.5F));
  EXPECT_TRUE(is_untouched(8));
}

TEST_P(MatrixArithmetic, UndefinedRowsAreReadAsZeroAndAreDefinedThen) {
  bench.run("ZEROACC Mode=CLR_16, Imm10=0");
  bench.run("ELWADD AddDst=1, DstRow=0");
  EXPECT_EQ(bench.dst().bits[2][0], dst_bf16(3 + 2));
  EXPECT_FALSE(bench.dst().is_undefined[2]);
  EXPECT_TRUE(bench.dst().is_undefined[8]);
}

TEST_P(MatrixArithmetic, DstRowIsASumOfFourCutTo1024Rows) {
  bench.rwc().dst.value = 24;
  bench.set("DEST_TARGET_REG_CFG_MATH_Offset"_thread_config, 512);
  bench.set("DEST_REGW_BASE_Base"_config, 480);
  bench.run("ELWADD DstRow=16");  // 1032
  EXPECT_FALSE(is_untouched(8));
  EXPECT_TRUE(is_untouched(0) && is_untouched(16));
}

TEST_P(MatrixArithmetic, ThirtyTwoBitsOfDst) {
  bench.set("ALU_ACC_CTRL_Fp32_enabled"_config, 1);
  bench.run("ELWADD DstRow=8");
  for (unsigned i = 0; i < 8; ++i)
    EXPECT_EQ(bench.dst32(8 + i, 1),
              number::dst_from_fp32(std::bit_cast<std::uint32_t>(static_cast<float>(2 * i + 1) + 1.0F / 16)));
  EXPECT_TRUE(is_untouched(15) && !is_untouched(16) && !is_untouched(31) && is_untouched(32));
}

TEST_P(BlackholeMatrixArithmetic, RemappedAndSwizzledRows) {
  bench.set("DEST_ACCESS_CFG_remap_addrs"_config, 1);
  bench.run("ELWADD DstRow=8");
  EXPECT_FALSE(is_untouched(32));  // Dst.md: bit 3 moves to bit 5
  EXPECT_TRUE(is_untouched(8));
  bench.set("DEST_ACCESS_CFG_remap_addrs"_config, 0);
  bench.set("DEST_ACCESS_CFG_swizzle_32b"_config, 1);
  bench.set("ALU_ACC_CTRL_Fp32_enabled"_config, 1);
  bench.run("ELWADD DstRow=64");
  // Rows 64 to 67 stay in front of their eight, 68 to 71 change to the next: 32-bit rows 64.. and 72..
  EXPECT_TRUE(!is_untouched(128) && is_untouched(132) && !is_untouched(136) && !is_untouched(144));
}

TEST_P(MatrixArithmetic, FidelityPhaseIsCounterPlusBase) {
  bench.set("ALU_ACC_CTRL_INT8_math_enabled"_config, 1);
  constexpr std::uint32_t a = 201;
  constexpr std::uint32_t b = 93;
  for (unsigned row = 0; row < 8; ++row) {
    bench.src_a()[row].fill(a << 8U | 16U);
    bench.src_b()[row].fill(b << 8U | 16U);
  }
  bench.run("ZEROACC Mode=CLR_ALL");
  bench.set("FIDELITY_BASE_Phase"_thread_config, 3);
  std::uint32_t sum = 0;
  for (unsigned phase = 0; phase < 4; ++phase) {  // 3, 0, 1, 2
    bench.rwc().fidelity_phase = static_cast<std::uint8_t>(phase);
    bench.run("ELWMUL DstRow=0");
    const unsigned real = (phase + 3) % 4;
    sum += (a & ((real & 1U) != 0 ? 0x1FU : 0xE0U)) * (b & ((real & 2U) != 0 ? 0xFU : 0x3F0U));
    EXPECT_EQ(bench.dst32(3, 7), number::dst_from_int32(static_cast<std::int32_t>(sum)));
  }
  EXPECT_EQ(sum, a * b);
}

TEST_P(MatrixArithmetic, FormatsComeFromTheConfigurationOrAnOverrideOrAreForced) {
  const std::uint32_t half = number::src_from_fp16(0x3800);
  for (unsigned row = 0; row < 8; ++row) {
    bench.src_a()[row].fill(half);
    bench.src_b()[row].fill(half);
  }
  constexpr std::uint16_t one = 15;  // FP16: exponent 15
  bench.set_formats(DataFormat::fp16);
  bench.run("ELWADD DstRow=0");
  EXPECT_EQ(bench.dst().bits[0][0], one);
  bench.set_formats(DataFormat::bf16);
  bench.set("ALU_FORMAT_SPEC_REG_SrcA_override"_config, 1);
  bench.set("ALU_FORMAT_SPEC_REG_SrcA_val"_config, static_cast<std::uint32_t>(DataFormat::fp16));
  bench.run("ELWADD DstRow=8");
  EXPECT_EQ(bench.dst().bits[8][0], one);
  EXPECT_TRUE(bench.reports(DataIssue::matrix_formats));  // SrcB's is BF16 still
  bench.set("ALU_FORMAT_SPEC_REG_SrcA_override"_config, 0);
  bench.set("ALU_ACC_CTRL_Fp32_enabled"_config, 1);
  bench.set("FP16A_FORCE_Enable"_thread_config, 1);
  bench.run("ELWADD DstRow=16");
  EXPECT_EQ(bench.dst().bits[16][0], one);
}

TEST_P(BlackholeMatrixArithmetic, BlackholeTakesTheFormatOfTheBank) {
  const std::uint32_t half = number::src_from_fp16(0x3800);
  for (unsigned row = 0; row < 8; ++row) {
    bench.src_a()[row].fill(half);
    bench.src_b()[row].fill(half);
  }
  bench.set("DISABLE_IMPLIED_SRCA_FMT_Base"_thread_config, 0);
  bench.set("DISABLE_IMPLIED_SRCB_FMT_Base"_thread_config, 0);
  auto& formats = bench.coprocessor.src_registers.format;
  formats[0][0] = formats[1][0] = static_cast<std::uint8_t>(DataFormat::fp16);
  formats[0][1] = formats[1][1] = static_cast<std::uint8_t>(DataFormat::bf16);
  bench.run("ELWADD DstRow=0");
  EXPECT_EQ(bench.dst().bits[0][0], 15);
}

TEST_P(MatrixArithmetic, CodesThatAreNoFormatAreReportedAndTakenForTf32) {
  bench.set("ALU_FORMAT_SPEC_REG0_SrcA"_config, 12);
  bench.set("ALU_FORMAT_SPEC_REG1_SrcB"_config, 13);
  bench.run("ELWADD DstRow=0");
  EXPECT_EQ(bench.dst().bits[0][0], dst_bf16(1));
  EXPECT_TRUE(bench.reports(DataIssue::matrix_format));
}

TEST_P(MatrixArithmetic, GmpoolTakesTheLargestOfSixteenRowsAndOfDst) {
  for (unsigned row = 0; row < 64; ++row)
    bench.src_b()[row].fill(src_bf16(1));
  bench.rwc().src_a.value = 30;  // rows 16 to 31: 17 to 32
  bench.dst().bits[4].fill(dst_bf16(20));
  bench.dst().bits[4][3] = dst_bf16(100);
  bench.run("GMPOOL InstrMod19Low=1, DstRow=6");
  EXPECT_EQ(bench.dst().bits[4][2], dst_bf16(32));
  EXPECT_EQ(bench.dst().bits[4][3], dst_bf16(100));
  for (unsigned row = 5; row < 8; ++row)
    EXPECT_EQ(bench.dst().bits[row][3], 0);
  EXPECT_TRUE(is_untouched(3) && is_untouched(8));
  EXPECT_TRUE(bench.coprocessor.reports.empty());
}

TEST_P(MatrixArithmetic, GmpoolReadsUndefinedRowsAsMinusInfinity) {
  for (unsigned row = 0; row < 64; ++row) {
    bench.src_b()[row].fill(src_bf16(1));
    bench.src_a()[row].fill(src_bf16(-1 - static_cast<float>(row)));
  }
  bench.run("ZEROACC Mode=CLR_ALL");
  bench.run("GMPOOL InstrMod19Low=1, DstRow=0");
  EXPECT_EQ(bench.dst().bits[0][2], dst_bf16(-1));
  EXPECT_TRUE(!bench.dst().is_undefined[3] && bench.dst().is_undefined[4]);
}

TEST_P(MatrixArithmetic, GmpoolsArgmaxCountsPhasesInTheLowBits) {
  for (unsigned row = 0; row < 64; ++row)
    bench.src_b()[row].fill(src_bf16(1));
  bench.src_a()[1].fill(src_bf16(200));
  bench.set("ALU_ACC_CTRL_Fp32_enabled"_config, 1);
  for (unsigned row = 0; row < 32; ++row)
    bench.dst().bits[row].fill(0);
  bench.run("GMPOOL InstrMod19Low=1, ArgMax=1, DstRow=0");
  // Row 1 is numbered 3; phase 0 becomes 1, which stands in bits 8 and up, and in the index's high nibble.
  EXPECT_EQ(bench.dst32(0, 5), std::uint32_t{dst_bf16(200)} << 16U | 0x113U);
  EXPECT_EQ(bench.dst32(1, 5), 0x100U);
}

TEST_P(MatrixArithmetic, LegacyConvolutionsAddZero) {
  bench.dst().bits[8].fill(dst_bf16(3));
  bench.run("ZEROACC Mode=CLR_SPECIFIC, Imm10=9");
  for (const char* each : {"CONV3S1 DstRow=8", "CONV3S2 DstRow=8", "MFCONV3S1 DstRow=8", "APOOL3S1 DstRow=8"})
    bench.run(each);
  EXPECT_EQ(bench.dst().bits[8][1], dst_bf16(3));
  EXPECT_EQ(bench.dst().bits[9][1], 0);
  EXPECT_FALSE(bench.dst().is_undefined[9]);
}

TEST_P(MatrixArithmetic, WhatIsNotModelledStopsByName) {
  bench.set("ALU_ACC_CTRL_Zero_Flag_disabled_dst"_config, 1);
  bench.run("MVMUL DstRow=0");
  ASSERT_TRUE(bench.coprocessor.fault);
  EXPECT_EQ(bench.coprocessor.fault->issue, DataIssue::matrix_zero_flag_dst);
  EXPECT_TRUE(is_untouched(0));
  MatrixBench other(GetParam());
  other.run("MPOOL3S1 DstRow=0");
  ASSERT_TRUE(other.coprocessor.fault);
  EXPECT_EQ(other.coprocessor.fault->issue, DataIssue::matrix_legacy_max_pool);
}

/// 128 sums of 1 and 2^-9: a quarter of BF16's last place is dropped. How many of them went up.
unsigned rounded_up(MatrixBench& bench, std::uint32_t seed) {
  constexpr float quarter_place = 1.0F / 512;
  for (unsigned row = 0; row < 8; ++row) {
    bench.src_a()[row].fill(src_bf16(1));
    bench.src_b()[row].fill(src_bf16(quarter_place));
  }
  const auto word = static_cast<unsigned>("PRNG_SEED_Seed_Val"_config.on(bench.coprocessor.arch).word);
  bench.coprocessor.write_config(*tensix::config_word_store(bench.coprocessor.arch, 0, word, seed));
  bench.run("ELWADD DstRow=0");
  unsigned up = 0;
  for (unsigned row = 0; row < 8; ++row)
    for (const std::uint16_t datum : bench.dst().bits[row]) {
      EXPECT_TRUE(datum == dst_bf16(1) || datum == dst_bf16(1.0078125F));
      up += datum == dst_bf16(1) ? 0U : 1U;
    }
  return up;
}

TEST_P(MatrixArithmetic, StochasticRoundingOfSumsGoesByTheSeedAndIsReported) {
  EXPECT_EQ(rounded_up(bench, 1), 0U);
  EXPECT_TRUE(bench.coprocessor.reports.empty());
  bench.set("ALU_ROUNDING_MODE_Fpu_srnd_en"_config, 1);
  const unsigned once = rounded_up(bench, 1);
  const auto rows = bench.dst().bits;
  unsigned all = 0;
  for (std::uint32_t seed = 2; seed < 50; ++seed)
    all += rounded_up(bench, seed);
  EXPECT_NEAR(all, 48 * 128 / 4, 200);  // a quarter of them: 34 is the standard deviation
  EXPECT_NE(bench.dst().bits, rows);
  EXPECT_EQ(rounded_up(bench, 1), once);
  EXPECT_EQ(bench.dst().bits, rows);
  ASSERT_EQ(bench.coprocessor.reports.size(), 1U);
  EXPECT_EQ(bench.coprocessor.reports[0].issue, DataIssue::matrix_stochastic_rounding);
}

TEST_P(MatrixArithmetic, StochasticRoundingIsForProductsToo) {
  // Dst is 1, and a product of 1 and 2^-9 is added: a quarter of BF16's last place.
  bench.set("ALU_ROUNDING_MODE_Fpu_srnd_en"_config, 1);
  for (const char* instruction : {"MVMUL DstRow=0", "ELWMUL DstRow=0"}) {
    for (unsigned row = 0; row < 16; ++row) {
      const bool is_used = row == 0 || instruction[0] == 'E';
      bench.src_a()[row].fill(src_bf16(is_used ? 1 : 0));
      bench.src_b()[row].fill(src_bf16(1.0F / 512));
    }
    unsigned up = 0;
    for (unsigned round = 0; round < 40; ++round) {
      for (unsigned row = 0; row < 8; ++row)
        bench.dst().bits[row].fill(dst_bf16(1));
      bench.run(instruction);
      for (unsigned row = 0; row < 8; ++row)
        for (const std::uint16_t datum : bench.dst().bits[row])
          up += datum == dst_bf16(1.0078125F) ? 1U : 0U;
    }
    EXPECT_NEAR(up, 40 * 128 / 4, 190) << instruction;  // six standard deviations
  }
}

TEST_P(MatrixArithmetic, SixteenBitRowsCanBeUpperHalves) {  // DBG_FEATURE_DISABLE bit 11
  bench.coprocessor.dst.upper_halves = true;
  for (auto& row : bench.dst().bits)
    row.fill(0x1234);
  bench.src_a()[0].fill(src_bf16(2));
  for (unsigned row = 0; row < 8; ++row)
    bench.src_b()[row].fill(src_bf16(0));
  bench.src_b()[0][0] = src_bf16(3);
  bench.run("ZEROACC Mode=CLR_SPECIFIC, Imm10=8");
  bench.run("ELWADD DstRow=8");
  // Row 8 of 32 bits has its upper half in row 16 and its lower one in row 24.
  EXPECT_EQ(bench.dst().bits[16][0], dst_bf16(5));
  EXPECT_EQ(bench.dst().bits[24][0], 0x1234);
  EXPECT_EQ(bench.dst().bits[8][0], 0x1234);
  ASSERT_EQ(bench.coprocessor.reports.size(), 1U);
  EXPECT_EQ(bench.coprocessor.reports[0].issue, DataIssue::dst16_upper_halves);
}

TEST_P(MatrixArithmetic, AnyConfigurationAndAnyWordStayInBounds) {
  std::uint64_t state = 7;
  const auto random = [&] { return static_cast<std::uint32_t>(tensix::splitmix64(state) >> 32U); };
  constexpr std::array<Word, 21> opcodes{0x08, 0x09, 0x0A, 0x0B, 0x10, 0x11, 0x12, 0x13, 0x16, 0x17, 0x18,
                                         0x22, 0x26, 0x27, 0x28, 0x29, 0x30, 0x33, 0x34, 0x37, 0x38};
  for (unsigned round = 0; round < 300; ++round) {
    auto any = std::make_unique<MatrixBench>(GetParam());
    fill(any->coprocessor, {tensix::Fill::Kind::random, random()});
    any->set("ALU_ACC_CTRL_Zero_Flag_disabled_dst"_config, 0);
    any->coprocessor.dst.upper_halves = random() % 4 == 0;
    any->rwc().src_a.value = random() % 64;
    any->rwc().src_b.value = random() % 64;
    any->rwc().dst.value = random() % 1024;
    for (unsigned i = 0; i < 8; ++i) {
      const Word opcode = opcodes[random() % opcodes.size()];
      const bool flips = opcode >= 0x22;  // bits 22 and 23 would give the banks away
      const Word word = opcode << 24U | (random() & (flips ? 0x3FFFFFU : 0xFFFFFFU));
      std::vector<tensix::Access> accesses;
      tensix::Footprint footprint(accesses);
      any->coprocessor.operation(word).footprint(any->coprocessor,
                                                 {tensix::Entry::pushed(word, 0), MatrixBench::thread}, footprint);
      for (const tensix::Access& access : accesses)
        EXPECT_TRUE(access.resource != tensix::Resource::dst || access.first + access.count <= 1024);
      any->run(word);
      EXPECT_FALSE(any->coprocessor.fault);
    }
  }
}

}  // namespace
}  // namespace tensim::test
