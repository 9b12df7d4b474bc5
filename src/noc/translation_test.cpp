#include "noc/translation.hpp"

#include <gtest/gtest.h>

#include "noc/floor_plan.hpp"

namespace tensim::noc {
namespace {

using Words = std::vector<std::uint32_t>;

Words words(Arch arch, const TranslationTable& table) {
  return {table.begin(), table.begin() + table_registers(arch)};
}

/// Numbers 0 to 31 lead to themselves.
TranslationTable identity(Arch arch) {
  TranslationEntries entries{};
  for (std::uint8_t i = 0; i < entries.size(); ++i)
    entries[i] = i % 16;
  return packed(arch, entries);
}

TEST(Translation, WormholesRegistersAreThePrintedOnes) {
  const FloorPlan plan(Arch::wormhole);
  const Words raw{0x76543210, 0xFEDCBA98};
  EXPECT_EQ(words(Arch::wormhole, plan.translation(0).x), (Words{raw[0], raw[1], 0x76432150, 0x00000098}));
  EXPECT_EQ(words(Arch::wormhole, plan.translation(1).x), (Words{raw[0], raw[1], 0x23567849, 0x00000001}));
  EXPECT_EQ(words(Arch::wormhole, plan.translation(0).y), (Words{raw[0], raw[1], 0x75432160, 0x0000BA98}));
  EXPECT_EQ(words(Arch::wormhole, plan.translation(1).y), (Words{raw[0], raw[1], 0x46789A5B, 0x00000123}));
}

TEST(Translation, WormholesPageHasRows7And10Off) {
  const FloorPlan plan = *read_floor_plan("wormhole rows=7,10").plan;
  const std::array<std::uint8_t, 16> noc_0{0, 6, 1, 2, 3, 4, 5, 8, 9, 11, 7, 10, 0, 0, 0, 0};
  const std::array<std::uint8_t, 16> noc_1{11, 5, 10, 9, 8, 7, 6, 3, 2, 0, 4, 1, 0, 0, 0, 0};
  for (std::uint32_t i = 0; i < 16; ++i) {
    EXPECT_EQ(entry(Arch::wormhole, plan.translation(0).y, 16 + i), noc_0[i]) << i;
    EXPECT_EQ(entry(Arch::wormhole, plan.translation(1).y, 16 + i), noc_1[i]) << i;
  }
}

/// noc_init.c of the card's firmware: ComputeNocTranslation, CopyNoc0ToNoc1.
TEST(Translation, BlackholesFirmwareUsesTwoTablesAndTheRowMask) {
  const FloorPlan plan(Arch::blackhole);
  const std::array<std::uint8_t, 32> x{0,  1, 2, 3, 4, 5,  6, 7,  8, 9, 10, 11, 12, 13, 14, 15,
                                       16, 0, 9, 2, 1, 16, 2, 15, 3, 4, 13, 12, 6,  11, 7,  10};
  const std::array<std::uint8_t, 32> y{0,  1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0, 1, 11, 2,
                                       10, 3, 9, 4, 8, 5, 7, 6, 0, 1, 3,  9,  5, 7, 2,  0};
  for (std::uint32_t i = 0; i < 32; ++i) {
    EXPECT_EQ(entry(Arch::blackhole, plan.translation(0).x, i), x[i]) << i;
    EXPECT_EQ(entry(Arch::blackhole, plan.translation(1).x, i), 16 - x[i]) << i;
    EXPECT_EQ(entry(Arch::blackhole, plan.translation(0).y, i), y[i]) << i;
    EXPECT_EQ(entry(Arch::blackhole, plan.translation(1).y, i), 11 - y[i]) << i;
  }
  for (unsigned noc = 0; noc < noc_count; ++noc) {
    EXPECT_EQ(plan.translation(noc).row_mask, 0b11U);
    EXPECT_EQ(plan.translation(noc).col_mask, 0U);
    EXPECT_EQ(plan.translation(noc).ddr, TranslationTable{});
    EXPECT_EQ(plan.translation(noc).col_swap, 0U);
  }
}

TEST(Translation, TablesHoldWhatIsPacked) {
  for (const Arch arch : all_archs) {
    TranslationEntries entries{};
    for (std::uint32_t i = 0; i < entries.size(); ++i)
      entries[i] = static_cast<std::uint8_t>((i * 7 + 3) % (arch == Arch::wormhole ? 16 : 32));
    const TranslationTable table = packed(arch, entries);
    for (std::uint32_t i = 0; i < 2 * entries.size(); ++i)
      EXPECT_EQ(entry(arch, table, i), entries[i % entries.size()]) << "numbers count modulo 32";
  }
}

TEST(Translation, WhoWritesTheRegistersChangesTheNames) {
  for (const Arch arch : all_archs) {
    Translation registers = FloorPlan(arch).translation(0);
    ASSERT_EQ(translate(arch, registers, {4, 5}), (Coordinates{4, 5}));
    registers.x[0] = registers.y[0] = 0;
    EXPECT_EQ(translate(arch, registers, {4, 5}), (Coordinates{0, 0}));
  }
}

/// The rule of the page, branch by branch.
class JointTranslation : public testing::Test {
 protected:
  Coordinates of(Coordinates given) const { return translate(Arch::blackhole, registers, given); }
  void activate(std::uint32_t column) { registers.ddr[5] |= 1U << (column == 9 ? 10U : 11U); }
  Translation registers{.x = identity(Arch::blackhole), .y = identity(Arch::blackhole)};
};

TEST_F(JointTranslation, RowMaskKeepsXWithAllItsBits) {
  EXPECT_EQ(of({20, 3}), (Coordinates{4, 3}));
  registers.row_mask = 1U << 3U;
  EXPECT_EQ(of({20, 3}), (Coordinates{20, 3}));
  EXPECT_EQ(of({52, 35}), (Coordinates{52, 3})) << "the row counts modulo 32";
  EXPECT_EQ(of({20, 4}), (Coordinates{4, 4}));
}

TEST_F(JointTranslation, ColumnMaskKeepsY) {
  registers.col_mask = 1U << 8U;
  EXPECT_EQ(of({8, 30}), (Coordinates{8, 30}));
  EXPECT_EQ(of({7, 30}), (Coordinates{7, 14}));
}

TEST_F(JointTranslation, ActiveDramColumnsHaveATableOfTheirOwn) {
  registers.ddr = packed(Arch::blackhole, {11, 10, 9});
  EXPECT_EQ(of({9, 1}), (Coordinates{9, 1})) << "not active";
  activate(9);
  EXPECT_EQ(of({9, 1}), (Coordinates{9, 10}));
  EXPECT_EQ(of({0, 1}), (Coordinates{0, 1})) << "the other is not active";
  registers.col_mask = 1U << 9U;
  EXPECT_EQ(of({9, 1}), (Coordinates{9, 10})) << "before the mask";
  activate(0);
  EXPECT_EQ(of({0, 2}), (Coordinates{0, 9}));
}

TEST_F(JointTranslation, ColumnsOfDramChangePlacesInRowsThatSaySo) {
  registers.col_swap = 1U << 2U;
  EXPECT_EQ(of({0, 2}), (Coordinates{0, 2})) << "neither is active";
  activate(9);
  EXPECT_EQ(of({0, 2}).x, 9U) << "the one it would go to is active";
  EXPECT_EQ(of({9, 2}).x, 9U);
  activate(0);
  EXPECT_EQ(of({9, 2}).x, 0U);
  registers.row_mask = 1U << 2U;
  EXPECT_EQ(of({9, 2}).x, 0U) << "before the mask";
  EXPECT_EQ(of({9, 3}).x, 9U);
}

}  // namespace
}  // namespace tensim::noc
