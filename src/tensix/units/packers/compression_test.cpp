// Compression: the format of Packers/Compression.md by hand, and that the unpackers read back what the packers write.
#include "tensix/units/packers/compression.hpp"

#include <random>

#include "tests/support/packing.hpp"
#include "tests/support/unpacker_bench.hpp"

namespace tensim::test {
namespace {

using tensix::DataIssue;
using tensix::PackCompression;

struct Kept {
  std::vector<std::uint32_t> datums;
  std::vector<std::array<std::uint8_t, 16>> counts;
  std::vector<unsigned> row_starts;

  void put(std::uint32_t datum) { datums.push_back(datum); }
  void put_counts(const std::array<std::uint8_t, 16>& group) { counts.push_back(group); }
  void put_row_start(std::uint16_t kept) { row_starts.push_back(kept); }
  unsigned zeros_behind(unsigned i) const { return counts[i / 32][i % 32 / 2] >> (i % 2 * 4) & 15U; }
};

Kept compress(const std::vector<std::vector<std::uint32_t>>& rows, PackCompression& compression) {
  Kept kept;
  for (const auto& row : rows) {
    for (const std::uint32_t datum : row)
      compression.add(datum, kept);
    compression.end_row(kept);
  }
  compression.end_tile(kept);
  return kept;
}

TEST(PackCompression, FirstAndLastOfARowStayOtherZerosAreCounted) {
  PackCompression compression;
  const Kept kept = compress({{0, 0, 5, 0, 0, 0, 7, 0}, {0, 0, 0}, {9}}, compression);
  const std::vector<std::uint32_t> expected{0, 5, 7, 0, 0, 0, 9};
  EXPECT_EQ(std::vector(kept.datums.begin(), kept.datums.begin() + 7), expected);
  EXPECT_EQ(kept.datums.size(), 32U) << "filled up";
  const std::array<unsigned, 7> zeros{1, 3, 0, 0, 1, 0, 0};
  for (unsigned i = 0; i < zeros.size(); ++i)
    EXPECT_EQ(kept.zeros_behind(i), zeros[i]) << i;
  EXPECT_EQ(kept.row_starts, (std::vector<unsigned>{0, 4, 6, 7}));
  EXPECT_EQ(compression.all_zero_rows, 0b010U);
  EXPECT_TRUE(compression.is_at_start());
}

TEST(PackCompression, FifteenZerosAreTheMost) {
  PackCompression compression;
  std::vector<std::uint32_t> row(40, 0);
  row.front() = 1;
  const Kept kept = compress({row}, compression);
  EXPECT_EQ(kept.row_starts, (std::vector<unsigned>{0, 4})) << "1 and 15, 0 and 15, 0 and 6, the last";
  EXPECT_EQ(kept.zeros_behind(0), 15U);
  EXPECT_EQ(kept.zeros_behind(1), 15U);
  EXPECT_EQ(kept.zeros_behind(2), 6U);
  EXPECT_EQ(kept.zeros_behind(3), 0U);
}

class PackerCompression : public BothArchs {
 protected:
  static void set_up(Packing& test, unsigned format) {
    test.formats(5, format);
    test.set_own(0, "THCON_SEC0_REG1_Disable_zero_compress"_config, 0);
    test.set_own(0, "THCON_SEC0_REG1_Row_start_section_size"_config, 9);  // 65 row starts are 130 bytes
    test.set_own(0, "THCON_SEC0_REG1_Exp_section_size"_config, 4);        // of 1024 datums
    test.set_own(0, "THCON_SEC0_REG1_L1_Dest_addr"_config, UnpackerBench::tile_word);
    test.x_range(0, 15);
    // Each PACR a row of Dst further.
    test.set_thread("ADDR_MOD_PACK_SEC0_YsrcIncr"_thread_config, 1);
  }
  static std::string pacr(const std::string& more = "") {
    return std::string(GetParam() == Arch::wormhole ? "PACR PackerMask=1" : "PACR ReadIntfSel=1") + more;
  }
  static std::string rows(unsigned count) {
    std::string text;
    for (unsigned i = 0; i < count; ++i)
      text += pacr(i + 1 == count ? ", Last=1\n" : "\n");
    return text;
  }
};
TENSIM_BOTH_ARCHS(PackerCompression);

TEST_P(PackerCompression, SectionsInL1) {
  Packing test(GetParam());
  set_up(test, 5);
  test.set_bf16(0, 0, 0x3F80);
  test.set_bf16(0, 10, 0x4000);
  test.run(rows(2));
  const std::uint32_t starts = UnpackerBench::tile_at;
  const std::uint32_t data = starts + 9 * 16;
  // Row 0: 1 and nine zeros, 2 and four zeros, the last one. Row 1: a zero and fourteen, the last one.
  EXPECT_EQ(test.halves(starts, 4), (std::vector<std::uint16_t>{0, 3, 5, 0}));
  EXPECT_EQ(test.byte(starts + 16), Packing::untouched) << "the word of row starts, and no more";
  EXPECT_EQ(test.halves(data, 6), (std::vector<std::uint16_t>{0x3F80, 0x4000, 0, 0, 0, 0}));
  EXPECT_EQ(test.word(data + 64), 0x0000E049U) << "counts behind 32 datums of 16 bits";
  EXPECT_EQ(test.byte(data + 80), Packing::untouched);
  EXPECT_EQ(test.coprocessor.packers.packer[0].compression.all_zero_rows, 0b10U);
}

TEST_P(PackerCompression, ConcatGoesOnWithTheRow) {
  Packing test(GetParam());
  set_up(test, 5);
  test.run(pacr(", Concat=1\n") + pacr(", Last=1\n"));
  EXPECT_EQ(test.halves(UnpackerBench::tile_at, 2), (std::vector<std::uint16_t>{0, 3}))
      << "32 zeros: one and fifteen, one and fourteen, the last";
}

TEST_P(PackerCompression, UnpackersReadItBack) {
  for (const unsigned format : {5U, 6U, 7U}) {  // BF16, BFP8, BFP4
    std::mt19937 random{format};
    Packing packing(GetParam());
    set_up(packing, format);
    for (unsigned row = 0; row < 64; ++row)
      for (unsigned column = 0; column < 16; ++column)
        // Powers of two, so that no block rounds; a third of them are not zero.
        packing.set_bf16(row, column, random() % 3 == 0 ? 0x4000 : 0);
    packing.run(rows(64));
    ASSERT_FALSE(packing.coprocessor.fault) << format;

    UnpackerBench unpacking(GetParam());
    unpacking.set_up_tile(format, format);
    unpacking.l1 = packing.l1;
    unpacking.coprocessor.memory.l1 = unpacking.l1;
    unpacking.descriptor_word(0) = format | 16U << 16U;  // compressed, rows of 16
    unpacking.descriptor_word(1) = 64U | 1U << 16U;
    unpacking.adc().channel[0].x.set(63);  // rows 0 to 63
    unpacking.run("UNPACR.Regular WhichUnpacker=0, RowSearch=1, FlipSrc=1, Last=1");
    ASSERT_FALSE(unpacking.coprocessor.fault) << format;
    for (unsigned row = 0; row < 64; ++row)
      for (unsigned column = 0; column < 16; ++column) {
        const std::uint32_t bits = number::bf16_from_dst(packing.coprocessor.dst.bits[row][column]);
        ASSERT_EQ(unpacking.coprocessor.src_registers.bank(tensix::Src::a, 0)[row][column], number::src_from_bf16(bits))
            << format << " " << row << " " << column;
      }
  }
}

TEST_P(PackerCompression, WhatNoPageHasStopsByName) {
  Packing narrow(GetParam());
  set_up(narrow, 15);  // BFP2
  narrow.run(rows(1));
  ASSERT_TRUE(narrow.coprocessor.fault);
  EXPECT_EQ(narrow.coprocessor.fault->issue, DataIssue::pack_compression);
  Packing adding(GetParam());
  set_up(adding, 5);
  adding.set_own(0, "THCON_SEC0_REG1_Pack_L1_Acc"_config, 1);
  adding.run(rows(1));
  ASSERT_TRUE(adding.coprocessor.fault);
  EXPECT_EQ(adding.coprocessor.fault->issue, DataIssue::pack_compression);
}

TEST_P(PackerCompression, BeyondL1IsReportedWhenItHappens) {
  Packing test(GetParam());
  set_up(test, 5);
  test.set_own(0, "THCON_SEC0_REG1_L1_Dest_addr"_config, Packing::l1_bytes / 16 - 2);
  test.run(rows(2));
  EXPECT_FALSE(test.coprocessor.fault);
  EXPECT_TRUE(test.reported(DataIssue::l1_range));
}

// ---- sizes of tiles, and stochastic rounding ----

TEST_P(PackerCompression, SetdmaregShowsSizesAndFlags) {
  Packing test(GetParam());
  set_up(test, 5);
  test.set_own(0, "THCON_SEC0_REG1_Add_tile_header_size"_config, 1);
  test.run(rows(2));  // a word of row starts, four of datums, one of counts
  auto& gprs = test.coprocessor.gprs.value[Packing::thread];
  const auto read = [&](unsigned source, unsigned which = 0) {
    test.run("SETDMAREG.Special ResultSize=2, ResultHalfReg=8, InputSource=" + std::to_string(source) +
             ", WhichPackers=" + std::to_string(which));
    return std::array{gprs[4], gprs[5], gprs[6], gprs[7]};
  };
  EXPECT_EQ(read(0)[0], 7U << 16U | 6U);
  EXPECT_EQ(read(1)[0], 3U) << "both rows are zeros";
  EXPECT_EQ(read(2), (std::array{7U, 5U << 16U, 3U, 0U})) << "a tile header: size with itself, format, flags";
  EXPECT_EQ(read(8, 1)[0], 1U);
  EXPECT_EQ(read(0)[0], 6U) << "the sum starts again";
  EXPECT_EQ(read(15), (std::array{0U, 0U, 0U, 0U})) << "no such source";
}

TEST_P(PackerCompression, StochasticRoundingFollowsTheSeed) {
  const auto packed = [&](std::uint32_t seed) {
    Packing test(GetParam());
    test.formats(5, 5, true);
    test.set("ALU_ROUNDING_MODE_Gasket_srnd_en"_config, 1);
    test.x_range(0, 15);
    test.coprocessor.packers.seed(seed);
    for (unsigned column = 0; column < 16; ++column)
      test.set_fp32(0, column, 0x3F808000);  // half way
    test.run(pacr(", Last=1"));
    EXPECT_FALSE(test.coprocessor.fault);
    EXPECT_TRUE(test.reported(DataIssue::pack_stochastic_rounding));
    return test.halves(Packing::out, 16);
  };
  const auto one = packed(1);
  EXPECT_EQ(one, packed(1));
  EXPECT_NE(one, packed(2));
  for (const std::uint16_t datum : one)
    EXPECT_TRUE(datum == 0x3F80 || datum == 0x3F81);
  EXPECT_NE(std::ranges::count(one, 0x3F80), 0);
  EXPECT_NE(std::ranges::count(one, 0x3F81), 0);
}

TEST_P(PackerCompression, PrngSeedSeedsThePackers) {
  Packing test(GetParam());
  const unsigned word = GetParam() == Arch::wormhole ? 164 : 186;
  tensix::Packers seeded;
  seeded.seed(77);
  EXPECT_FALSE(test.coprocessor.packers.packer[0].noise == seeded.packer[0].noise);
  test.coprocessor.write_config(*tensix::config_word_store(GetParam(), 0, word, 77));
  EXPECT_TRUE(test.coprocessor.packers.packer[0].noise == seeded.packer[0].noise);
}

}  // namespace
}  // namespace tensim::test
