#include "noc/floor_plan.hpp"

#include <set>

#include <gtest/gtest.h>

namespace tensim::noc {
namespace {

FloorPlan plan_of(std::string_view text) {
  ReadPlan read = read_floor_plan(text);
  EXPECT_TRUE(read.plan) << read.error;
  return *read.plan;
}

std::vector<Coordinates> tiles(const FloorPlan& plan) {
  std::vector<Coordinates> all;
  for (std::uint32_t y = 0; y < plan.height(); ++y)
    for (std::uint32_t x = 0; x < plan.width(); ++x)
      all.push_back({x, y});
  return all;
}

unsigned tensix_count(const FloorPlan& plan) {
  unsigned count = 0;
  for (const Coordinates raw : tiles(plan))
    count += plan.has_tensix(raw) ? 1U : 0U;
  return count;
}

class Products : public testing::TestWithParam<Product> {
 protected:
  FloorPlan plan{GetParam()};
};
INSTANTIATE_TEST_SUITE_P(All, Products, testing::ValuesIn(products().begin(), products().end()),
                         [](const auto& row) { return std::string(row.param.name); });

TEST_P(Products, AreChipsThatCanBe) {
  EXPECT_EQ(FloorPlan::refusal(GetParam().arch, GetParam().off), std::nullopt);
  EXPECT_EQ(plan.kind(plan.arc()), TileKind::arc);
  EXPECT_EQ(plan.kind(plan.pcie()), TileKind::pcie);
  EXPECT_FALSE(GetParam().source.empty());
}

TEST_P(Products, NamesLeadBackToEveryTileOnBothNocs) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> names;
  for (const Coordinates raw : tiles(plan)) {
    const Coordinates name = plan.translated(raw);
    EXPECT_TRUE(names.emplace(name.x, name.y).second) << "two tiles are called " << name.x << "," << name.y;
    EXPECT_EQ(plan.tile(name, 0), raw);
    // Blackhole's rows 0 and 1 are raw, and mirrored on NoC 1, but for what has a name elsewhere and the middle column.
    const bool is_raw = plan.arch() == Arch::blackhole && name.y < 2 && name.x != 8;
    EXPECT_EQ(plan.tile(is_raw ? Coordinates{16 - name.x, name.y} : name, 1), raw) << name.x << "," << name.y;
  }
}

/// On Wormhole raw coordinates stay; on Blackhole rows 0 and 1 do as far as x goes.
TEST_P(Products, RawCoordinatesAreMirroredOnNoc1) {
  for (const Coordinates raw : tiles(plan)) {
    const Coordinates mirrored = plan.on_noc(raw, 1);
    EXPECT_EQ(plan.on_noc(mirrored, 1), raw);
    if (plan.arch() == Arch::wormhole) {
      EXPECT_EQ(plan.tile(raw, 0), raw);
      EXPECT_EQ(plan.tile(mirrored, 1), raw);
    }
  }
}

TEST_P(Products, TensixTilesThatWorkAreOneBlockOfNames) {
  const Coordinates first = on<Coordinates>(plan.arch(), {18, 18}, {1, 2});
  std::uint32_t last_x = 0;
  std::uint32_t last_y = 0;
  for (const Coordinates raw : tiles(plan)) {
    const Coordinates name = plan.translated(raw);
    if (!plan.has_tensix(raw)) continue;
    EXPECT_GE(name.x, first.x);
    EXPECT_GE(name.y, first.y);
    last_x = std::max(last_x, name.x);
    last_y = std::max(last_y, name.y);
  }
  for (const Coordinates raw : tiles(plan)) {
    const Coordinates name = plan.translated(raw);
    if (plan.kind(raw) != TileKind::tensix || !plan.is_off(raw)) continue;
    EXPECT_TRUE(plan.arch() == Arch::wormhole ? name.y > last_y : name.x > last_x) << name.x << "," << name.y;
  }
}

TEST_P(Products, ExactlyTensixTilesThatWorkTakeBroadcasts) {
  for (unsigned noc = 0; noc < noc_count; ++noc)
    for (const Coordinates raw : tiles(plan)) {
      const Coordinates own = plan.on_noc(raw, noc);
      const bool is_out =
          (plan.broadcast_off_columns(noc) >> own.x & 1U) != 0 || (plan.broadcast_off_rows(noc) >> own.y & 1U) != 0;
      EXPECT_EQ(!is_out, plan.has_tensix(raw)) << raw.x << "," << raw.y;
    }
}

TEST_P(Products, MemoriesHaveThreeTilesEach) {
  for (unsigned bank = 0; bank < plan.bank_count(); ++bank)
    for (const Coordinates raw : plan.bank_tiles(bank)) {
      EXPECT_EQ(plan.kind(raw), TileKind::dram);
      EXPECT_EQ(plan.bank(raw), bank);
    }
}

TEST(FloorPlan, ProductsHaveAsManyTilesAsTheyAreSoldWith) {
  const auto count = [](std::string_view name) { return tensix_count(FloorPlan(*product(name))); };
  EXPECT_EQ(count("wormhole"), 80U);
  EXPECT_EQ(count("n150"), 72U);
  EXPECT_EQ(count("n300"), 64U);
  EXPECT_EQ(count("blackhole"), 140U);
  EXPECT_EQ(count("p100"), 120U);
  EXPECT_EQ(count("p150"), 140U);
  EXPECT_EQ(count("p150_120"), 120U);
}

TEST(FloorPlan, TranslatedCoordinatesNameTheSameTiles) {
  const FloorPlan wormhole(Arch::wormhole);
  EXPECT_EQ(wormhole.tile({18, 18}), (Coordinates{1, 1}));
  EXPECT_EQ(wormhole.tile({25, 27}), (Coordinates{9, 11}));
  EXPECT_EQ(wormhole.tile({8, 10}, 1), (Coordinates{1, 1})) << "NoC 1 counts from the other corner";
  EXPECT_EQ(wormhole.tile({18, 18}, 1), (Coordinates{1, 1}));
  EXPECT_EQ(wormhole.tile({18, 1}), (Coordinates{1, 1})) << "each axis by itself";
  const FloorPlan blackhole(Arch::blackhole);
  EXPECT_EQ(blackhole.tile({16, 11}), (Coordinates{16, 11}));
  for (std::uint32_t y = 12; y < 24; ++y)
    for (const std::uint32_t x : {17U, 18U}) {
      const auto raw = blackhole.tile({x, y});
      ASSERT_TRUE(raw);
      ASSERT_EQ(blackhole.kind(*raw), TileKind::dram);
      EXPECT_EQ(raw->x, x == 17 ? 0U : 9U) << "ruling N12";
      EXPECT_EQ(blackhole.bank(*raw), 4 * (x - 17) + (y - 12) / 3);
    }
  for (std::uint32_t x = 20; x < 32; ++x)
    EXPECT_EQ(blackhole.kind(*blackhole.tile({x, 25})), TileKind::ethernet);
  for (std::uint32_t y = 26; y < 30; ++y)
    EXPECT_EQ(blackhole.kind(*blackhole.tile({8, y})), TileKind::l2cpu);
  EXPECT_EQ(blackhole.tile({8, 30}), (Coordinates{8, 2}));
}

/// Tables lead everywhere; only some of it is meant.
TEST(FloorPlan, CoordinatesThatLeadToATileByChanceNameNone) {
  const FloorPlan wormhole(Arch::wormhole);
  for (const Coordinates given : {Coordinates{10, 0}, {0, 12}, {26, 16}, {16, 28}, {34, 16}, {31, 31}, {63, 63}})
    EXPECT_FALSE(wormhole.tile(given)) << given.x << "," << given.y;
  const FloorPlan blackhole(Arch::blackhole);
  EXPECT_EQ(translate(Arch::blackhole, blackhole.translation(0), {19, 12}), blackhole.pcie());
  for (const Coordinates given : {Coordinates{19, 12}, {1, 12}, {17, 2}, {20, 24}, {8, 31}, {33, 2}, {63, 63}})
    EXPECT_FALSE(blackhole.tile(given)) << given.x << "," << given.y;
}

// ---- pictures of BlackholeA0/NoC/Coordinates.md ----

TEST(FloorPlan, BlackholesPictureOfEthernet) {
  const FloorPlan plan(*product("p150"));
  const std::array<std::uint32_t, 12> columns{1, 16, 2, 15, 3, 4, 13, 12, 6, 11, 7, 10};  // of 20 to 31
  for (std::uint32_t i = 0; i < columns.size(); ++i)
    for (unsigned noc = 0; noc < noc_count; ++noc)
      EXPECT_EQ(plan.tile({20 + i, 25}, noc), (Coordinates{columns[i], 1}));
  EXPECT_TRUE(plan.is_off({14, 1}));
  EXPECT_TRUE(plan.is_off({5, 1}));
}

TEST(FloorPlan, BlackholesPictureOfDramWithMemory2Off) {
  const FloorPlan plan = plan_of("blackhole dram=2");
  const std::array<std::uint32_t, 12> names{12, 13, 15, 17, 22, 18, 20, 19, 23, 21, 16, 14};  // of rows 0 to 11
  for (std::uint32_t y = 0; y < names.size(); ++y)
    for (unsigned noc = 0; noc < noc_count; ++noc) {
      EXPECT_EQ(plan.tile({18, names[y]}, noc), (Coordinates{0, y}));
      EXPECT_EQ(plan.tile({17, names[y]}, noc), (Coordinates{9, y}));
    }
}

/// The picture has columns 5 and 11 off. Where the columns that work are is its; for those that are off it is an example, and
/// firmware and tt-umd have them the other way round.
TEST(FloorPlan, BlackholesPictureOfColumns5And11Off) {
  const FloorPlan plan = plan_of("blackhole columns=5,11");
  const std::array<std::uint32_t, 12> columns{1, 2, 3, 4, 6, 7, 10, 12, 13, 14, 15, 16};
  const std::array<std::uint32_t, 12> names{1, 2, 3, 4, 5, 6, 7, 10, 11, 12, 13, 14};
  for (std::size_t i = 0; i < names.size(); ++i)
    EXPECT_EQ(plan.translated({columns[i], 7}), (Coordinates{names[i], 7}));
  EXPECT_EQ(plan.translated({5, 7}).x, 16U) << "the first of the two on the die";
  EXPECT_EQ(plan.translated({11, 7}).x, 15U);
}

// ---- what tt-umd expects: tests/baremetal/test_core_coord_translation_{wh,bh}.cpp ----

TEST(FloorPlan, TtUmdsCoreWithTheFirstLineOff) {
  const FloorPlan wormhole = plan_of("wormhole rows=1");
  EXPECT_EQ(wormhole.tile({18, 18}), (Coordinates{1, 2})) << "top left";
  EXPECT_EQ(wormhole.tile({25, 18}), (Coordinates{9, 2})) << "top right";
  EXPECT_EQ(wormhole.tile({18, 26}), (Coordinates{1, 11})) << "bottom left";
  const FloorPlan blackhole = plan_of("blackhole columns=1");
  EXPECT_EQ(blackhole.translated({16, 2}), (Coordinates{15, 2})) << "top right";
  EXPECT_EQ(blackhole.translated({2, 11}), (Coordinates{1, 11})) << "bottom left";
  const FloorPlan two = plan_of("blackhole columns=1,2");
  EXPECT_EQ(two.translated({1, 2}), (Coordinates{16, 2}));
  EXPECT_EQ(two.translated({2, 2}), (Coordinates{15, 2}));
}

/// CoordinateManager::translate_dram_coords: with a memory of the left column off, that column is the second.
TEST(FloorPlan, TtUmdsDramWithAnyMemoryOff) {
  for (unsigned off = 0; off < 8; ++off) {
    const FloorPlan plan = plan_of("blackhole dram=" + std::to_string(off));
    for (const Coordinates raw : plan.bank_tiles(off)) {
      EXPECT_TRUE(plan.is_off(raw));
      EXPECT_EQ(plan.translated(raw).x, 18U) << "last column";
      EXPECT_GE(plan.translated(raw).y, 21U) << "last memory";
    }
    EXPECT_EQ(plan.bank_named(7), off);
    EXPECT_EQ(plan.tile({17, 12})->x, off < 4 ? 9U : 0U);
    for (unsigned i = 0; i < 8; ++i)
      EXPECT_EQ(plan.translated(plan.bank_tiles(plan.bank_named(i))[0]), (Coordinates{17 + i / 4, 12 + i % 4 * 3}));
  }
}

TEST(FloorPlan, DieOrderIsWhatFusesCount) {
  EXPECT_EQ(plan_of("wormhole rows=11").tensix_off_on_die(), 1U << 0U);
  EXPECT_EQ(plan_of("n300").tensix_off_on_die(), 1U << 0U | 1U << 5U);
  EXPECT_EQ(plan_of("p100").tensix_off_on_die(), 0x3000U) << "the last two columns of the die";
}

/// noc_init.c, InitNocTranslationFromHarvesting: the last one that is off, of 4 to 6 and of 7 to 9, is left out.
TEST(FloorPlan, FirmwareHasNamesForTwelveEthernetTiles) {
  EXPECT_EQ(FloorPlan(Arch::blackhole).named_ethernet(), 0x3EDFU);
  EXPECT_EQ(plan_of("blackhole ethernet=4,9").named_ethernet(), 0x3FFFU & ~0x210U);
  EXPECT_EQ(plan_of("blackhole ethernet=4,6,7").named_ethernet(), 0x3FFFU & ~0xC0U);
  EXPECT_EQ(plan_of("p100").named_ethernet(), 0x3FFFU & ~0x240U);
  EXPECT_EQ(FloorPlan(Arch::wormhole).named_ethernet(), 0xFFFFU);
}

TEST(FloorPlan, WhatNoChipIsIsRefused) {
  const auto error = [](std::string_view text) { return read_floor_plan(text).error; };
  EXPECT_EQ(error("p200"),
            "no product is called p200; expected one of wormhole, n150, n300, blackhole, p100, p100a, p150, p150_120");
  EXPECT_EQ(error("wormhole columns=3"), "columns=3: of a wormhole expected rows that are off, as in rows=7");
  EXPECT_EQ(error("blackhole rows=3"),
            "rows=3: of a blackhole expected columns, dram or ethernet that are off, as in columns=7");
  EXPECT_EQ(error("wormhole rows=6"), "wormhole has no Tensix tiles in row 6");
  EXPECT_EQ(error("blackhole columns=9"), "blackhole has no Tensix tiles in column 9");
  EXPECT_EQ(error("blackhole columns=1,2,3,4,5,6,7,10"), "8 columns are off: firmware can do without 7 at most");
  EXPECT_EQ(error("blackhole dram=1,2"), "memories 1, 2 are off: a Blackhole can do without one of 0 to 7");
  EXPECT_EQ(error("p100 dram=1"), "memories 1, 3 are off: a Blackhole can do without one of 0 to 7");
  EXPECT_EQ(error("blackhole ethernet=14"), "Ethernet tiles 14 are off: a Blackhole has 0 to 13");
  for (const std::string_view text : {"n150 rows", "n150 rows=", "n150 rows=x", "n150 rows=,1", "n150 rows=32"})
    EXPECT_NE(error(text).find("expected numbers"), std::string::npos) << text;
  EXPECT_EQ(tensix_count(plan_of("n150 rows=2")), 64U) << "another one";
}

TEST(FloorPlanText, ReadsAsTheSameChip) {
  std::vector<std::string> texts{"wormhole rows=1,7", "blackhole columns=7 dram=3", "p100a ethernet=5"};
  for (const Product& row : products())
    texts.emplace_back(row.name);
  for (const std::string& text : texts) {
    const FloorPlan plan = *read_floor_plan(text).plan;
    const ReadPlan again = read_floor_plan(text_of(plan));
    ASSERT_TRUE(again.plan.has_value()) << text_of(plan);
    EXPECT_EQ(again.plan->arch(), plan.arch());
    EXPECT_EQ(again.plan->off(), plan.off()) << text;
    EXPECT_EQ(again.plan->pcie(), plan.pcie()) << text;
  }
  EXPECT_EQ(text_of(FloorPlan(Arch::wormhole)), "wormhole");
  EXPECT_EQ(text_of(*read_floor_plan("blackhole columns=10,7 dram=3").plan), "blackhole columns=7,10 dram=3");
}

}  // namespace
}  // namespace tensim::noc
