// Where a packer reads and writes: Packers/InputAddressGenerator.md, OutputAddressGenerator.md, worked out by hand.
#include "tests/support/packing.hpp"

namespace tensim::test {
namespace {

class PackerInput : public BothArchs {};
TENSIM_BOTH_ARCHS(PackerInput);
class PackerOutput : public BothArchs {};
TENSIM_BOTH_ARCHS(PackerOutput);

using Halves = std::vector<std::uint16_t>;

/// Rows of the pattern, one behind the other.
Halves rows(std::initializer_list<unsigned> wanted) {
  Halves all;
  for (const unsigned row : wanted)
    for (unsigned column = 0; column < 16; ++column)
      all.push_back(Packing::datum(row, column));
  return all;
}

/// One row on either chip.
std::string one_row(Arch arch, std::string_view more = "") {
  return std::string(arch == Arch::wormhole ? "PACR PackerMask=1" : "PACR ReadIntfSel=1") + std::string(more) + "\n";
}

TEST_P(PackerInput, CountersTimesStridesPlusTheOffsetGiveTheRow) {
  Packing test(GetParam());
  test.fill_rows(0, 256);
  test.x_range(0, 15);
  test.adc().channel[0].y.set(3);
  test.adc().channel[0].z.set(1);
  test.adc().channel[0].w.set(2);
  test.set("DEST_TARGET_REG_CFG_PACK_SEC0_Offset"_config, 20);
  test.run(one_row(GetParam(), ", Last=1"));
  EXPECT_EQ(test.halves(Packing::out, 16), rows({3 + 16 + 2 * 64 + 20}));
}

TEST_P(PackerInput, TheBaseIsInBytes) {
  Packing test(GetParam());
  test.fill_rows(0, 8);
  test.x_range(0, 15);
  test.set("PCK0_ADDR_BASE_REG_0_Base"_config, 5 * 32);
  test.run(one_row(GetParam(), ", Last=1"));
  EXPECT_EQ(test.halves(Packing::out, 16), rows({5}));
}

TEST_P(PackerInput, XStartsWithinARow) {
  // BF16: eight datums are 16 bytes. X = 11 with a stride of two bytes is byte 22, so 16 bytes and three datums.
  Packing test(GetParam());
  test.fill_rows(0, 2);
  test.x_range(11, 14);
  test.run(one_row(GetParam(), ", Last=1"));
  const Halves all = rows({0});
  EXPECT_EQ(test.halves(Packing::out, 4), Halves(all.begin() + 11, all.begin() + 15));
  EXPECT_EQ(test.halves(Packing::out + 8, 4), Halves(4, 0)) << "the word is filled up with zeros";
  EXPECT_EQ(test.byte(Packing::out + 16), Packing::untouched);
}

TEST_P(PackerInput, RowsWrapAroundAtTheEndOfDst) {
  Packing test(GetParam());
  test.fill_rows(0, 1);
  test.fill_rows(1023, 1);
  test.set("DEST_TARGET_REG_CFG_PACK_SEC0_Offset"_config, 1023);
  test.x_range(0, GetParam() == Arch::wormhole ? 31 : 15);
  test.run(is_wormhole() ? "PACR PackerMask=1, Last=1" : "PACR ReadIntfSel=3, Last=1");
  EXPECT_EQ(test.halves(Packing::out, 32), rows({1023, 0}));
}

TEST_P(PackerInput, AnAddressModifierMovesYAndZOfBothChannels) {
  Packing test(GetParam());
  test.x_range(0, 15);
  test.set_thread("ADDR_MOD_PACK_SEC2_YsrcIncr"_thread_config, 4);
  test.set_thread("ADDR_MOD_PACK_SEC2_YdstIncr"_thread_config, 3);
  test.set_thread("ADDR_MOD_PACK_SEC2_ZsrcIncr"_thread_config, 1);
  test.adc().channel[1].z.set(6);
  test.set_thread("ADDR_MOD_PACK_SEC2_ZdstClear"_thread_config, 1);
  test.run(one_row(GetParam(), ", AddrMod=2") + one_row(GetParam(), ", AddrMod=2, Last=1"));
  EXPECT_EQ(test.adc().channel[0].y.value, 8U);
  EXPECT_EQ(test.adc().channel[0].y.cr, 0U);
  EXPECT_EQ(test.adc().channel[1].y.value, 6U);
  EXPECT_EQ(test.adc().channel[0].z.value, 2U);
  EXPECT_EQ(test.adc().channel[1].z.value, 0U);
  test.set_thread("ADDR_MOD_PACK_SEC1_YsrcCR"_thread_config, 1);
  test.set_thread("ADDR_MOD_PACK_SEC1_YsrcIncr"_thread_config, 5);
  test.set_thread("ADDR_MOD_PACK_SEC1_YdstClear"_thread_config, 1);
  test.run(one_row(GetParam(), ", AddrMod=1, Last=1"));
  EXPECT_EQ(test.adc().channel[0].y.value, 5U) << "from its carriage-return copy";
  EXPECT_EQ(test.adc().channel[0].y.cr, 5U);
  EXPECT_EQ(test.adc().channel[1].y.value, 0U);
}

TEST_P(PackerInput, AnotherThreadsCountersByName) {
  Packing test(GetParam());
  test.fill_rows(0, 8);
  test.adc(1).channel[1].x.set(15);
  test.adc(1).channel[0].y.set(7);
  test.set_thread("ADDR_MOD_PACK_SEC0_YsrcIncr"_thread_config, 1);
  if (is_wormhole()) test.set_own(0, "THCON_SEC0_REG1_Addr_cnt_context"_config, 1);
  test.run(
      one_row(GetParam(), is_wormhole() ? ", OvrdThreadId=1, Last=1" : ", OvrdThreadId=1, AddrCntContext=1, Last=1"));
  EXPECT_EQ(test.halves(Packing::out, 16), rows({7}));
  EXPECT_EQ(test.adc(1).channel[0].y.value, 8U);
  EXPECT_EQ(test.adc().channel[0].y.value, 0U);
}

TEST(PackerInputWormhole, FourPackersFromFourPlacesToFourPlaces) {
  Packing test(Arch::wormhole);
  test.fill_rows(0, 64);
  test.x_range(0, 255);
  for (unsigned packer = 0; packer < 4; ++packer)
    test.set("DEST_TARGET_REG_CFG_PACK_SEC0_Offset"_config, 16 * packer, packer);
  test.run("PACR PackerMask=15, Last=1");
  for (unsigned packer = 0; packer < 4; ++packer)
    EXPECT_EQ(test.halves(Packing::out + packer * 0x800 + 15 * 32, 16), rows({16 * packer + 15})) << packer;
}

TEST(PackerInputBlackhole, InterfacesTakeRows) {
  Packing test(Arch::blackhole);
  test.fill_rows(0, 64);
  test.x_range(0, 15);
  test.run("PACR Last=1");
  EXPECT_EQ(test.halves(Packing::out, 64), rows({0, 1, 2, 3}));
  test.run("PACR ReadIntfSel=10, Last=1");
  EXPECT_EQ(test.halves(Packing::out, 32), rows({1, 3}));
  test.adc().channel[0].y.set(4);
  test.run("PACR DstAccessMode=1, Last=1");
  EXPECT_EQ(test.halves(Packing::out, 64), rows({4, 12, 20, 28}));
}

TEST(PackerInputBlackhole, WithRemappedRowsStridedInterfacesTakeOneOfEachFace) {
  // Remapping puts row 16 k at row 8 k, so what is eight rows apart in Dst is a face apart for who wrote it.
  Packing test(Arch::blackhole);
  test.coprocessor.config.bank[0][220] = 2;
  for (unsigned face = 0; face < 4; ++face)
    for (unsigned column = 0; column < 16; ++column)
      test.set_bf16(8 * face + 5, column, Packing::datum(16 * face + 5, column));
  test.x_range(0, 15);
  test.adc().channel[0].y.set(5);
  test.run("PACR DstAccessMode=1, Last=1");
  EXPECT_EQ(test.halves(Packing::out, 64), rows({5, 21, 37, 53}));
}

TEST_P(PackerOutput, PacrsAppendUntilTheLast) {
  Packing test(GetParam());
  test.fill_rows(0, 8);
  test.x_range(0, 15);
  test.set_thread("ADDR_MOD_PACK_SEC0_YsrcIncr"_thread_config, 1);
  test.run(one_row(GetParam()));
  test.set_own(0, "THCON_SEC0_REG1_L1_Dest_addr"_config, 0x200);  // too late for this tile
  test.run(one_row(GetParam()) + one_row(GetParam(), ", Last=1"));
  EXPECT_EQ(test.halves(Packing::out, 48), rows({0, 1, 2}));
  test.run(one_row(GetParam(), ", Last=1"));
  EXPECT_EQ(test.halves(0x2010, 16), rows({3}));
}

TEST_P(PackerOutput, WhatDoesNotFillAWordWaits) {
  Packing test(GetParam());
  test.fill_rows(0, 1);
  test.x_range(0, 4);
  test.run(one_row(GetParam()));
  EXPECT_EQ(test.byte(Packing::out), Packing::untouched) << "ten bytes";
  test.run(one_row(GetParam()));
  EXPECT_EQ(test.half(Packing::out + 10), Packing::datum(0, 0)) << "twenty: the first word goes out";
  EXPECT_EQ(test.byte(Packing::out + 16), Packing::untouched);
  test.run("PACR Flush=1");
  EXPECT_EQ(test.half(Packing::out + 18), Packing::datum(0, 4));
  EXPECT_EQ(test.half(Packing::out + 20), 0);
  EXPECT_EQ(test.byte(Packing::out + 32), Packing::untouched);
}

TEST_P(PackerOutput, AFlushPacksNothingButMovesCountersAndAddresses) {
  Packing test(GetParam());
  test.x_range(0, 15);
  test.set_thread("ADDR_MOD_PACK_SEC0_YsrcIncr"_thread_config, 1);
  test.run("PACR Flush=1");
  EXPECT_EQ(test.byte(Packing::out), Packing::untouched);
  EXPECT_EQ(test.adc().channel[0].y.value, 1U);
}

TEST_P(PackerOutput, WithoutAHeaderTheAddressIsExact) {
  Packing test(GetParam());
  test.fill_rows(0, 1);
  test.x_range(0, 15);
  test.set_own(0, "THCON_SEC0_REG1_Sub_l1_tile_header_size"_config, 1);
  test.set_own(0, "THCON_SEC0_REG1_L1_Dest_addr"_config, 0x123);
  test.run(one_row(GetParam(), ", Last=1"));
  EXPECT_EQ(test.halves(0x1230, 16), rows({0}));
}

TEST_P(PackerOutput, CountersOfChannelOneMoveIt) {
  // Y = 3, stride 0x50: 0xF0. Wormhole counts words and drops four bits; Blackhole counts bytes (reference).
  Packing test(GetParam());
  test.fill_rows(0, 1);
  test.x_range(0, 15);
  test.set("PCK0_ADDR_CTRL_XY_REG_1_Ystride"_config, 0x50);
  test.adc().channel[1].y.set(3);
  test.run(one_row(GetParam(), ", Last=1"));
  EXPECT_EQ(test.halves(Packing::out + (is_wormhole() ? 0xF00 : 0xF0), 16), rows({0}));
}

TEST_P(PackerOutput, BeyondTheLimitTheFifoWraps) {
  Packing test(GetParam());
  test.fill_rows(0, 1);
  test.x_range(0, 15);
  test.set("THCON_SEC0_REG9_Pack_0_2_limit_address"_config, 0x7F);  // words up to 0xFF; the tile is at 0x100
  test.set("THCON_SEC0_REG9_Pack_0_2_fifo_size"_config, 0x40);
  test.run(one_row(GetParam(), ", Last=1"));
  EXPECT_EQ(test.halves(Packing::out - 0x800, 16), rows({0}));
  test.set("THCON_SEC0_REG9_Pack_0_2_limit_address"_config, 0x80);
  test.run(one_row(GetParam(), ", Last=1"));
  EXPECT_EQ(test.halves(Packing::out, 16), rows({0})) << "within the limit";
}

TEST_P(PackerOutput, TdmaRiscCanAddAnOffset) {
  Packing test(GetParam());
  test.fill_rows(0, 1);
  test.x_range(0, 15);
  test.set_own(0, "THCON_SEC0_REG1_Add_l1_dest_addr_offset"_config, 1);
  test.coprocessor.packers.l1_dest_addr_offset[0] = 0x10;
  test.run(one_row(GetParam(), ", Last=1"));
  EXPECT_EQ(test.halves(Packing::out + 0x100, 16), rows({0}));
}

TEST(PackerOutputWormhole, Bit31OfPacker0MakesTheOthersRelative) {
  Packing test(Arch::wormhole);
  test.fill_rows(0, 1);
  test.x_range(0, 15);
  test.set_own(0, "THCON_SEC0_REG1_L1_Dest_addr"_config, 0x80000000U | (Packing::out / 16 - 1));
  test.set_own(1, "THCON_SEC0_REG1_L1_Dest_addr"_config, 0x1F);
  test.run("PACR PackerMask=3, Last=1");
  EXPECT_EQ(test.halves(Packing::out, 16), rows({0}));
  EXPECT_EQ(test.halves(Packing::out + 0x200, 16), rows({0}));
}

TEST(PackerConfigWormhole, TheFourBlocksOfSettingsHaveOneLayout) {
  constexpr std::array blocks{"THCON_SEC0_REG8_", "THCON_SEC1_REG1_", "THCON_SEC1_REG8_"};
  const auto find = [](const std::string& name) -> const ConfigField* {
    for (const auto family : config_fields())
      for (const ConfigField& field : family)
        if (field.name == name) return &field;
    return nullptr;
  };
  for (const char* setting : {"Exp_section_size", "L1_Dest_addr", "Disable_zero_compress", "Add_l1_dest_addr_offset",
                              "Out_data_format", "In_data_format", "Dis_shared_exp_assembler", "Enable_out_fifo",
                              "Sub_l1_tile_header_size", "Downsample_mask", "Pack_L1_Acc", "Exp_threshold_en",
                              "Exp_threshold", "Addr_cnt_context", "Force_pack_per_max_xy_plane", "Read_mode"}) {
    const ConfigField* first = find(std::string("THCON_SEC0_REG1_") + setting);
    ASSERT_NE(first, nullptr) << setting;
    for (unsigned block = 0; block < blocks.size(); ++block) {
      constexpr std::array distance{28, 40, 68};
      const ConfigField* other = find(blocks[block] + std::string(setting));
      ASSERT_NE(other, nullptr) << blocks[block] << setting;
      EXPECT_EQ(other->wormhole.word - first->wormhole.word, distance[block]) << other->name;
      EXPECT_EQ(other->wormhole.shift, first->wormhole.shift) << other->name;
      EXPECT_EQ(other->wormhole.width, first->wormhole.width) << other->name;
    }
  }
}

}  // namespace
}  // namespace tensim::test
