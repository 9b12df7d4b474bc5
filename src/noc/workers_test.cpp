#include "noc/workers.hpp"

#include <set>

#include <gtest/gtest.h>

#include "noc/dram_views.hpp"

namespace tensim::noc {
namespace {

TEST(Workers, EveryTileThatWorksIsCountedOnceOnEveryProduct) {
  for (const Product& product : products()) {
    SCOPED_TRACE(product.name);
    const FloorPlan plan(product);
    const WorkerGrid grid = worker_grid(plan);
    std::set<std::size_t> seen;
    for (unsigned y = 0; y < grid.rows; ++y)
      for (unsigned x = 0; x < grid.columns; ++x) {
        const auto raw = worker(plan, {x, y});
        ASSERT_TRUE(raw.has_value());
        EXPECT_TRUE(plan.has_tensix(*raw));
        EXPECT_EQ(logical(plan, *raw), (Coordinates{x, y}));
        EXPECT_EQ(plan.translated(*raw), worker_name(plan.arch(), {x, y}));
        seen.insert(plan.index(*raw));
      }
    std::size_t working = 0;
    for (unsigned y = 0; y < plan.height(); ++y)
      for (unsigned x = 0; x < plan.width(); ++x)
        working += plan.has_tensix({x, y}) ? 1U : 0U;
    EXPECT_EQ(seen.size(), working);
    EXPECT_EQ(worker(plan, {grid.columns, 0}), std::nullopt);
    EXPECT_EQ(worker(plan, {0, grid.rows}), std::nullopt);
  }
}

/// noc 5: n150 72 tiles, n300 64, p100 120, p150 140.
TEST(Workers, GridsAreThoseOfTheCards) {
  EXPECT_EQ(worker_grid(FloorPlan(*product("n150"))), (WorkerGrid{8, 9}));
  EXPECT_EQ(worker_grid(FloorPlan(*product("n300"))), (WorkerGrid{8, 8}));
  EXPECT_EQ(worker_grid(FloorPlan(*product("p100"))), (WorkerGrid{12, 10}));
  EXPECT_EQ(worker_grid(FloorPlan(*product("p150"))), (WorkerGrid{14, 10}));
}

TEST(NamedBanks, EveryBankIsReachedOnBothNocsAndIsItsOwnMemory) {
  for (const Product& product : products()) {
    SCOPED_TRACE(product.name);
    const FloorPlan plan(product);
    std::set<std::pair<unsigned, std::uint64_t>> seen;
    for (unsigned bank = 0; bank < named_banks(plan); ++bank) {
      const unsigned memory = memory_of_named_bank(plan, bank);
      for (unsigned noc = 0; noc < noc_count; ++noc) {
        const NamedBank named = named_bank(plan.arch(), bank, noc);
        const auto raw = plan.tile(named.tile, noc);
        ASSERT_TRUE(raw.has_value()) << bank;
        EXPECT_EQ(plan.kind(*raw), TileKind::dram);
        EXPECT_FALSE(plan.is_off(*raw));
        EXPECT_EQ(plan.bank(*raw), memory);
      }
      seen.emplace(memory, named_bank(plan.arch(), bank, 0).address_offset);
    }
    EXPECT_EQ(seen.size(), named_banks(plan));
  }
}

/// noc 8: the second bank of a memory of Wormhole is 1 GiB further; NoC 1 counts from the other corner.
TEST(NamedBanks, AreWhereTtMetalHasThem) {
  EXPECT_EQ(named_bank(Arch::wormhole, 1, 0).address_offset, 0x4000'0000U);
  EXPECT_EQ(named_bank(Arch::wormhole, 0, 0).tile, (Coordinates{0, 11}));
  EXPECT_EQ(named_bank(Arch::wormhole, 0, 1).tile, (Coordinates{9, 0}));
  EXPECT_EQ(named_bank(Arch::blackhole, 0, 0).tile, (Coordinates{17, 14}));
  EXPECT_EQ(named_bank(Arch::blackhole, 5, 1).tile, (Coordinates{18, 16}));
}

}  // namespace
}  // namespace tensim::noc
