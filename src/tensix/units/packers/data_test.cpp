// What a packer makes of datums: formats, masks, ReLU, histograms, downsampling, accumulation. Pages: Packers/*.md.
#include "tests/support/packing.hpp"

namespace tensim::test {
namespace {

class PackerData : public BothArchs {
 protected:
  static constexpr std::uint32_t fp32 = 0;
  static constexpr std::uint32_t fp16 = 1;
  static constexpr std::uint32_t bf16 = 5;
  static constexpr std::uint32_t bfp8 = 6;
  static constexpr std::uint32_t bfp4 = 7;
  static constexpr std::uint32_t int32 = 8;
  static constexpr std::uint32_t out = Packing::out;

  /// One row, packed and closed.
  static std::string row(std::string_view more = ", Last=1") {
    return (GetParam() == Arch::wormhole ? "PACR PackerMask=1" : "PACR ReadIntfSel=1") + std::string(more) + "\n";
  }
};
TENSIM_BOTH_ARCHS(PackerData);

TEST_P(PackerData, Fp32GoesThroughAsItIs) {
  Packing test(GetParam());
  test.formats(fp32, fp32, true);
  test.set_fp32(9, 0, 0x3F800001);
  test.set_fp32(9, 15, 0x7FC12345);  // a NaN keeps its bits
  test.x_range(0, 15);
  test.adc().channel[0].y.set(9);
  test.run(row());
  EXPECT_EQ(test.word(out), 0x3F800001U);
  EXPECT_EQ(test.word(out + 60), 0x7FC12345U);
}

TEST_P(PackerData, Fp16GoesThroughWithoutDenormals) {
  Packing test(GetParam());
  test.formats(fp16, fp16);
  test.coprocessor.dst.bits[0][0] = static_cast<std::uint16_t>(number::dst_from_fp16(0x3C01));
  test.coprocessor.dst.bits[0][1] = static_cast<std::uint16_t>(number::dst_from_fp16(0x0001));
  test.x_range(0, 15);
  test.run(row());
  EXPECT_EQ(test.half(out), 0x3C01);
  EXPECT_EQ(test.half(out + 2), 0);
}

TEST_P(PackerData, Bf16OfA32BitDstIsRoundedAwayFromZeroOnTies) {
  Packing test(GetParam());
  test.formats(bf16, bf16, true);
  test.set_fp32(0, 0, 0x3F808000);
  test.set_fp32(0, 1, 0xBF808000);
  test.set_fp32(0, 2, 0x3F807FFF);
  test.x_range(0, 15);
  test.run(row());
  EXPECT_EQ(test.half(out), 0x3F81);
  EXPECT_EQ(test.half(out + 2), 0xBF81);
  EXPECT_EQ(test.half(out + 4), 0x3F80);
}

TEST_P(PackerData, UndefinedRowsReadAsZero) {
  Packing test(GetParam());
  test.fill_rows(0, 1);
  test.coprocessor.dst.is_undefined[0] = true;
  test.x_range(0, 15);
  test.run(row());
  EXPECT_EQ(test.halves(out, 16), std::vector<std::uint16_t>(16, 0));
  test.formats(fp32, fp32, true);
  test.set_fp32(0, 0, 0x3F801234);
  test.coprocessor.dst.is_undefined[8] = true;  // the lower halves
  test.run(row());
  EXPECT_EQ(test.word(out), 0x3F800000U);
}

TEST_P(PackerData, ABlockSharesTheLargestExponent) {
  // 1.0, 0.5, -0.25 and zeros: exponent 127, magnitudes 64, 32, 16 of 64 to one.
  Packing test(GetParam());
  test.formats(bf16, bfp8);
  test.set_own(0, "THCON_SEC0_REG1_Exp_section_size"_config, 2);
  test.set_bf16(0, 0, 0x3F80);
  test.set_bf16(0, 1, 0x3F00);
  test.set_bf16(0, 2, 0xBE80);
  test.x_range(0, 15);
  test.run(row());
  EXPECT_EQ(test.byte(out), 127);
  EXPECT_EQ(test.byte(out + 1), 0) << "the section's word is filled up";
  EXPECT_EQ(test.byte(out + 16), Packing::untouched) << "the section's second word stays";
  EXPECT_EQ(test.byte(out + 32), 64);
  EXPECT_EQ(test.byte(out + 33), 32);
  EXPECT_EQ(test.byte(out + 34), 0x80 | 16);
  EXPECT_EQ(test.byte(out + 47), 0);
  EXPECT_EQ(test.byte(out + 48), Packing::untouched);
}

TEST_P(PackerData, TheFirstOfTwoDatumsIsInTheLowBits) {
  Packing test(GetParam());
  test.formats(bf16, bfp4);
  test.set_own(0, "THCON_SEC0_REG1_Exp_section_size"_config, 1);
  test.set_bf16(0, 0, 0x3F80);
  test.set_bf16(0, 1, 0xBF00);
  test.x_range(0, 15);
  test.run(row());
  EXPECT_EQ(test.byte(out + 16), (0x8 | 2) << 4 | 4);
}

TEST_P(PackerData, ABlockWaitsForItsSixteenthDatum) {
  Packing test(GetParam());
  test.formats(bf16, bfp8);
  test.set_own(0, "THCON_SEC0_REG1_Exp_section_size"_config, 1);
  test.set_bf16(0, 0, 0x3F80);
  test.set_bf16(1, 0, 0x4000);  // twice that, in the second half of the block
  test.x_range(0, 7);
  test.set_thread("ADDR_MOD_PACK_SEC0_YsrcIncr"_thread_config, 1);
  test.run(row("") + row());
  EXPECT_EQ(test.byte(out), 128);
  EXPECT_EQ(test.byte(out + 16), 32);
  EXPECT_EQ(test.byte(out + 24), 64);
  test.adc().channel[0].y.set(0);
  test.run(row());  // half a block, closed: the rest counts as zeros
  EXPECT_EQ(test.byte(out), 127);
  EXPECT_EQ(test.byte(out + 16), 64);
  EXPECT_EQ(test.byte(out + 24), 0);
}

TEST_P(PackerData, EdgeMasksReplaceColumnsByRow) {
  // Rows 0 and 2 pass whole, row 1 keeps columns 0 and 15.
  Packing test(GetParam());
  test.fill_rows(0, 3);
  test.set("PCK_EDGE_OFFSET_SEC0_mask"_config, 0x8001, 2);  // SEC2
  test.set("TILE_ROW_SET_MAPPING_1_row_set_mapping_1"_config, 2);
  test.set("PCK_EDGE_TILE_ROW_SET_SELECT_select"_config, 1);
  test.x_range(0, 15);
  test.set_thread("ADDR_MOD_PACK_SEC0_YsrcIncr"_thread_config, 1);
  const auto packed = [&](unsigned r, unsigned c) { return test.half(out + 32 * r + 2 * c); };
  test.run(row("") + row("") + row());
  EXPECT_EQ(packed(0, 5), Packing::datum(0, 5));
  EXPECT_EQ(packed(1, 0), Packing::datum(1, 0));
  EXPECT_EQ(packed(1, 1), 0);
  EXPECT_EQ(packed(1, 14), 0);
  EXPECT_EQ(packed(1, 15), Packing::datum(1, 15));
  EXPECT_EQ(packed(2, 1), Packing::datum(2, 1));
  test.set("PCK_EDGE_MODE_mode"_config, 1);
  test.adc().channel[0].y.set(0);
  test.run(row("") + row("") + row());
  EXPECT_EQ(packed(1, 1), 0xFF80) << "minus infinity; the position started again after the last PACR";
  test.set("STACC_RELU_ApplyRelu"_config, 1);
  test.adc().channel[0].y.set(0);
  test.run(row("") + row("") + row());
  EXPECT_EQ(packed(1, 1), 0) << "ReLU comes after the masks";
}

TEST_P(PackerData, FacesCanHaveMasksOfTheirOwn) {
  // Two rows make a face. The packer's face map 3 sends face 1 (with an offset of 4: entry 5) to row map 1: SEC3.
  Packing test(GetParam());
  test.fill_rows(0, 3);
  test.set("PACK_COUNTERS_SEC0_pack_reads_per_xy_plane"_config, 2);
  test.set("PCK_EDGE_TILE_FACE_SET_SELECT_enable"_config, 1);
  test.set("PCK_EDGE_TILE_FACE_SET_SELECT_select"_config, 3);
  test.set("DEST_TARGET_REG_CFG_PACK_SEC0_ZOffset"_config, 4);
  test.set("TILE_FACE_SET_MAPPING_3_face_set_mapping_5"_config, 1);
  test.set("TILE_ROW_SET_MAPPING_1_row_set_mapping_0"_config, 3);
  test.set("PCK_EDGE_OFFSET_SEC0_mask"_config, 1, 3);
  test.x_range(0, 15);
  test.set_thread("ADDR_MOD_PACK_SEC0_YsrcIncr"_thread_config, 1);
  test.run(row("") + row("") + row());
  EXPECT_EQ(test.half(out + 34), Packing::datum(1, 1));
  EXPECT_EQ(test.half(out + 64), Packing::datum(2, 0));
  EXPECT_EQ(test.half(out + 66), 0);
}

TEST_P(PackerData, ReluAndThresholds) {
  Packing test(GetParam());
  test.set_bf16(0, 0, 0xBF80);
  test.set_bf16(0, 1, 0x3F80);
  test.set_bf16(0, 2, 0x4080);
  test.x_range(0, 15);
  test.set("STACC_RELU_ApplyRelu"_config, 3);
  test.set("STACC_RELU_ReluThreshold"_config, 0x4000);
  test.run(row());
  EXPECT_EQ(test.halves(out, 3), (std::vector<std::uint16_t>{0, 0x3F80, 0x4000}));
  test.set("STACC_RELU_ApplyRelu"_config, 0);
  test.set_own(0, "THCON_SEC0_REG1_Exp_threshold_en"_config, 1);
  test.set_own(0, "THCON_SEC0_REG1_Exp_threshold"_config, 128);
  test.run(row());
  EXPECT_EQ(test.halves(out, 3), (std::vector<std::uint16_t>{0, 0, 0x4080}));
}

TEST_P(PackerData, DownsamplingKeepsTheDatumsOfAMask) {
  Packing test(GetParam());
  test.fill_rows(0, 2);
  test.set_own(0, "THCON_SEC0_REG1_Downsample_mask"_config, 0x8005);
  test.x_range(0, 15);
  test.set_thread("ADDR_MOD_PACK_SEC0_YsrcIncr"_thread_config, 1);
  test.run(row("") + row());
  EXPECT_EQ(test.halves(out, 8),
            (std::vector<std::uint16_t>{Packing::datum(0, 0), Packing::datum(0, 2), Packing::datum(0, 15),
                                        Packing::datum(1, 0), Packing::datum(1, 2), Packing::datum(1, 15), 0, 0}));
  EXPECT_EQ(test.byte(out + 16), Packing::untouched);
}

TEST_P(PackerData, ExponentsAreCountedWhenAThreadAsks) {
  Packing test(GetParam());
  for (unsigned column = 0; column < 16; ++column)
    test.set_bf16(0, column, column < 3 ? 0x3F80 : 0x4100);  // exponents 127 and 130
  test.x_range(0, 15);
  test.run(row());
  const tensix::Packer& packer = test.coprocessor.packers.packer[0];
  EXPECT_EQ(packer.max_exponent, 130) << "always";
  EXPECT_EQ(packer.histogram[127 % 32], 0) << "only if enabled";
  test.set_thread("ENABLE_ACC_STATS_Enable"_thread_config, 1, 0);
  test.run(row());
  EXPECT_EQ(packer.histogram[127 % 32], 3);
  EXPECT_EQ(packer.histogram[130 % 32], 13);
  for (unsigned i = 0; i < 30; ++i)
    test.run(row());
  EXPECT_EQ(packer.histogram[130 % 32], 255) << "saturated";
  test.run("SETDMAREG.Special ResultSize=2, InputSource=7, ResultHalfReg=16\nDMANOP");
  EXPECT_EQ(test.coprocessor.gprs.value[2][8 + 15 / 4] >> 24U, 31U * 3U) << "bin 31, the last byte";
  test.run("SETDMAREG.Special ResultSize=1, InputSource=9, InputHalfReg=0, ResultHalfReg=2\nDMANOP");
  EXPECT_EQ(test.coprocessor.gprs.value[2][1], 130U);
  test.run("SETDMAREG.Special ResultSize=0, InputSource=6, InputHalfReg=1, ResultHalfReg=5\nDMANOP");
  EXPECT_EQ(test.coprocessor.gprs.value[2][2] >> 16U, 255U) << "bins 2 and 3";
  test.run("CLREXPHIST");
  EXPECT_EQ(packer.max_exponent, 0);
}

TEST_P(PackerData, L1Accumulates) {
  Packing test(GetParam());
  test.set_bf16(0, 0, 0x3F80);
  test.set_own(0, "THCON_SEC0_REG1_Pack_L1_Acc"_config, 1);
  for (unsigned i = 0; i < 16; ++i)
    test.set_half(out + 2 * i, 0x4000);
  test.x_range(0, 15);
  test.run(row());
  EXPECT_EQ(test.half(out), 0x4040);
  EXPECT_EQ(test.half(out + 2), 0x4000);
}

TEST_P(PackerData, L1AccumulatesIntegersAndSaturates) {
  Packing test(GetParam());
  test.formats(int32, int32, true);
  test.set_own(0, "THCON_SEC0_REG1_Pack_L1_Acc"_config, 1);
  const std::array<std::array<std::uint32_t, 3>, 4> sums{{{5, 0x80000007, 0x80000002},
                                                          {0x7FFFFFFF, 1, 0x7FFFFFFF},
                                                          {0xFFFFFFFF, 0x80000001, 0xFFFFFFFF},
                                                          {0x80000003, 3, 0}}};
  for (unsigned i = 0; i < 16; ++i) {
    test.set_fp32(0, i, sums[i % 4][1]);
    test.set_word(out + 4 * i, sums[i % 4][0]);
  }
  test.x_range(0, 15);
  test.run(row());
  for (unsigned i = 0; i < 4; ++i)
    EXPECT_EQ(test.word(out + 4 * i), sums[i][2]) << i;
}

TEST_P(PackerData, ZeroWriteDoesNotLookAtDst) {
  Packing test(GetParam());
  test.fill_rows(0, 1);
  test.x_range(0, 15);
  test.run(row(", ZeroWrite=1, Last=1"));
  EXPECT_EQ(test.halves(out, 16), std::vector<std::uint16_t>(16, 0));
  EXPECT_EQ(test.byte(out + 32), Packing::untouched);
}

TEST(PackerDataBlackhole, ZerosWithoutInterfacesAreOneRun) {
  Packing test(Arch::blackhole);
  test.x_range(0, 79);
  test.run("PACR ZeroWrite=1, Last=1");
  EXPECT_EQ(test.byte(Packing::out + 159), 0);
  EXPECT_EQ(test.byte(Packing::out + 160), Packing::untouched);
  EXPECT_TRUE(test.coprocessor.reports.empty());
}

TEST(PackerDataBlackhole, RowsCanBeFilledUpWithZeros) {
  Packing test(Arch::blackhole);
  test.fill_rows(0, 4);
  test.x_range(0, 9);
  test.run("PACR ReadIntfSel=3, RowPadZero=1, Last=1");  // each row
  EXPECT_EQ(test.half(Packing::out + 18), Packing::datum(0, 9));
  EXPECT_EQ(test.half(Packing::out + 20), 0);
  EXPECT_EQ(test.half(Packing::out + 32), Packing::datum(1, 0));
  EXPECT_EQ(test.half(Packing::out + 52), 0);
  EXPECT_EQ(test.byte(Packing::out + 64), Packing::untouched);
  Packing total(Arch::blackhole);
  total.fill_rows(0, 4);
  total.x_range(0, 9);
  total.run("PACR ReadIntfSel=3, RowPadZero=7, Concat=1\nPACR ReadIntfSel=1, RowPadZero=7, Last=1");  // all, at the end
  EXPECT_EQ(total.half(Packing::out + 20), Packing::datum(1, 0));
  EXPECT_EQ(total.half(Packing::out + 40), Packing::datum(0, 0));
  EXPECT_EQ(total.half(Packing::out + 60), 0) << "thirty datums, filled up to thirty-two";
  EXPECT_EQ(total.byte(Packing::out + 64), Packing::untouched);
}

TEST(PackerDataWormhole, Packer0CanReadL1) {
  Packing test(Arch::wormhole);
  test.set_own(0, "THCON_SEC0_REG1_Source_interface_selection"_config, 1);
  test.set("PCK0_ADDR_BASE_REG_0_Base"_config, 0x400);
  for (unsigned i = 0; i < 40; ++i)
    test.set_half(0x400 + 2 * i, static_cast<std::uint16_t>(i == 1 ? 0xBF80 : i));  // denormals stay
  test.set("STACC_RELU_ApplyRelu"_config, 1);                                       // only of datums from Dst
  test.x_range(9, 28);
  test.run("PACR PackerMask=1, Last=1");
  EXPECT_EQ(test.half(Packing::out), 9);
  EXPECT_EQ(test.half(Packing::out + 38), 28);
  EXPECT_EQ(test.half(Packing::out + 40), 0);
  test.formats(5, 0);
  test.x_range(0, 3);
  test.run("PACR PackerMask=1, Last=1");
  EXPECT_EQ(test.word(Packing::out + 4), 0xBF800000U) << "ReLU is for datums from Dst";
}

}  // namespace
}  // namespace tensim::test
