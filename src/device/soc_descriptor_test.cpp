#include "device/soc_descriptor.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "noc/dram_views.hpp"

namespace tensim::device {
namespace {

using noc::Coordinates;
using noc::FloorPlan;
using noc::TileKind;

/// "x-y" of the list behind `key:`, whatever brackets and lines it has.
std::vector<Coordinates> tiles_behind(const std::string& text, const std::string& key) {
  const std::size_t begin = text.find("\n" + key + ":");
  EXPECT_NE(begin, std::string::npos) << key;
  std::size_t at = text.find('[', begin);
  std::vector<Coordinates> tiles;
  for (int depth = 0;; ++at) {
    if (text[at] == '[') ++depth;
    if (text[at] == ']' && --depth == 0) return tiles;
    if (text[at] != '-') continue;
    const std::size_t first = text.find_last_not_of("0123456789", at - 1) + 1;
    tiles.push_back({static_cast<std::uint32_t>(std::stoul(text.substr(first))),
                     static_cast<std::uint32_t>(std::stoul(text.substr(at + 1)))});
  }
}

std::vector<Coordinates> all_tiles(const FloorPlan& plan) {
  std::vector<Coordinates> tiles;
  for (std::uint32_t y = 0; y < plan.height(); ++y)
    for (std::uint32_t x = 0; x < plan.width(); ++x)
      tiles.push_back({x, y});
  return tiles;
}

class SocDescriptor : public testing::TestWithParam<noc::Product> {
 protected:
  FloorPlan plan{GetParam()};
  std::string text = soc_descriptor(plan);
  bool is_wormhole = plan.arch() == Arch::wormhole;
};
INSTANTIATE_TEST_SUITE_P(Products, SocDescriptor, testing::ValuesIn(noc::products().begin(), noc::products().end()),
                         [](const auto& row) { return std::string(row.param.name); });

/// What tt-umd makes of the list of workers: rows counted from 18,18 on Wormhole, the same coordinates on Blackhole.
TEST_P(SocDescriptor, WorkersComeToTheNamesOfTilesThatWork) {
  std::vector<Coordinates> workers = tiles_behind(text, "functional_workers");
  std::set<std::uint32_t> rows;
  std::set<std::uint32_t> columns;
  for (const Coordinates tile : workers) {
    rows.insert(tile.y);
    columns.insert(tile.x);
  }
  EXPECT_EQ(workers.size(), rows.size() * columns.size());
  for (std::size_t i = 0; i < workers.size(); ++i) {
    const auto x = static_cast<std::uint32_t>(i % columns.size());
    const auto y = static_cast<std::uint32_t>(i / columns.size());
    const Coordinates name = is_wormhole ? Coordinates{18 + x, 18 + y} : workers[i];
    const auto raw = plan.tile(name);
    ASSERT_TRUE(raw);
    EXPECT_TRUE(plan.has_tensix(*raw));
    EXPECT_TRUE(!is_wormhole || *raw == workers[i]);
  }
  const auto count = std::ranges::count_if(all_tiles(plan), [&](Coordinates raw) { return plan.has_tensix(raw); });
  EXPECT_EQ(workers.size(), static_cast<std::size_t>(count));
}

/// tt-umd calls the tiles of Blackhole's memory i 17,12 and on, four memories a column.
TEST_P(SocDescriptor, MemoriesAreInTheOrderOfTheirNames) {
  const std::vector<Coordinates> tiles = tiles_behind(text, "dram");
  ASSERT_EQ(tiles.size(), 3 * plan.bank_count());
  for (std::uint32_t i = 0; i < tiles.size(); ++i) {
    EXPECT_EQ(plan.kind(tiles[i]), TileKind::dram);
    EXPECT_TRUE(is_wormhole || plan.translated(tiles[i]) == (Coordinates{17 + i / 12, 12 + i % 12})) << i;
  }
}

TEST_P(SocDescriptor, EthernetTilesComeToTheirNames) {
  std::vector<Coordinates> tiles = tiles_behind(text, "eth");
  EXPECT_EQ(tiles.size(), plan.off().ethernet == 0x3FFF ? 0 : plan.ethernet_tiles().size());
  if (tiles.empty()) return;
  if (is_wormhole) return;
  tiles.erase(tiles.begin() + 8);
  tiles.erase(tiles.begin() + 5);
  for (std::uint32_t i = 0; i < tiles.size(); ++i)
    EXPECT_EQ(plan.translated(tiles[i]), (Coordinates{20 + i, 25}));
}

TEST_P(SocDescriptor, ViewsHaveAMemoryThatWorks) {
  const auto views = noc::dram_views(plan);
  EXPECT_EQ(views.size(), is_wormhole ? 12U : plan.off().dram != 0 ? 7U : 8U);
  std::size_t at = text.find("dram_views:");
  for (const noc::DramView& view : views) {
    at = text.find("channel: ", at) + std::string_view("channel: ").size();
    EXPECT_EQ(plan.bank_named(static_cast<unsigned>(std::stoul(text.substr(at)))), view.bank);
    for (unsigned noc = 0; noc < noc::noc_count; ++noc) {
      const Coordinates tile = worker_endpoint(plan, view, noc);
      EXPECT_EQ(plan.bank(tile), view.bank);
      EXPECT_FALSE(plan.is_off(tile));
    }
  }
  EXPECT_EQ(text.find("channel: ", at), std::string::npos) << "no more";
}

TEST_P(SocDescriptor, HasWhatTtMetalReads) {
  for (const std::string_view key : {"dram_view_size: ", "translation_id_enabled: True",
                                     "worker_l1_size: ", "dram_bank_size: ", "eth_l1_size: ", "arc: [", "pcie: [",
                                     "router_only: [", "harvested_workers: []"})
    EXPECT_NE(text.find(key), std::string::npos) << key;
  EXPECT_NE(text.find(is_wormhole ? "dram_view_size: 1073741824" : "dram_view_size: 4278190080"), std::string::npos);
}

/// noc 8, from tt-metal's descriptions.
TEST(DramViews, EndpointsAreTtMetals) {
  const auto endpoints = [](Arch arch, unsigned noc) {
    const FloorPlan plan(arch);
    std::vector<Coordinates> tiles;
    for (const noc::DramView& view : noc::dram_views(plan))
      tiles.push_back(worker_endpoint(plan, view, noc));
    return tiles;
  };
  EXPECT_EQ(endpoints(Arch::wormhole, 0),
            (std::vector<Coordinates>{
                {0, 11}, {0, 1}, {0, 5}, {0, 7}, {5, 1}, {5, 11}, {5, 2}, {5, 9}, {5, 8}, {5, 3}, {5, 5}, {5, 7}}));
  EXPECT_EQ(endpoints(Arch::wormhole, 0), endpoints(Arch::wormhole, 1));
  EXPECT_EQ(endpoints(Arch::blackhole, 0),
            (std::vector<Coordinates>{{0, 11}, {0, 2}, {0, 9}, {0, 5}, {9, 11}, {9, 3}, {9, 8}, {9, 6}}));
  EXPECT_EQ(endpoints(Arch::blackhole, 1),
            (std::vector<Coordinates>{{0, 1}, {0, 10}, {0, 4}, {0, 7}, {9, 1}, {9, 10}, {9, 4}, {9, 7}}));
}

}  // namespace
}  // namespace tensim::device
