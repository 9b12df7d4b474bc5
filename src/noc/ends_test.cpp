#include "noc/ends.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace tensim::noc {
namespace {

Request read_from(Coordinates tile, Coordinates to) {
  Request request;
  request.target.tile = tile;
  request.other.tile = to;
  request.length = 16;
  return request;
}

TEST(Ends, TilesAreFoundThroughTheInitiatorsRegisters) {
  const FloorPlan plan(*product("n300"));  // rows 3 and 11 off
  const Initiator initiator{.tile = {1, 1}, .noc = 1};
  const auto found =
      std::get<FoundTiles>(find_tiles(plan, initiator, &plan.translation(1), read_from({18, 20}, {18, 18})));
  EXPECT_EQ(found.target, (Coordinates{1, 4}));
  EXPECT_EQ(found.other, (Coordinates{1, 1}));
  EXPECT_FALSE(found.ends.target.is_off);
  const auto off =
      std::get<FoundTiles>(find_tiles(plan, initiator, &plan.translation(1), read_from({18, 26}, {18, 18})));
  EXPECT_TRUE(off.ends.target.is_off);
  Translation changed = plan.translation(1);
  changed.y[2] = 0;  // 16 to 23
  const auto other = std::get<FoundTiles>(find_tiles(plan, initiator, &changed, read_from({18, 20}, {18, 18})));
  EXPECT_EQ(other.target, (Coordinates{1, 11})) << "y 0 of NoC 1";
}

TEST(Ends, CoordinatesAreRawWithoutTranslation) {
  const FloorPlan plan(Arch::blackhole);
  EXPECT_EQ(lead_to(plan, 0, nullptr, {9, 3}), (Coordinates{9, 3}));
  EXPECT_EQ(lead_to(plan, 1, nullptr, {9, 3}), (Coordinates{7, 8}));
  EXPECT_EQ(lead_to(plan, 0, nullptr, {17, 12}), std::nullopt);
}

TEST(Ends, CoordinatesOfNoTileAreRefused) {
  const FloorPlan plan(Arch::wormhole);
  const Initiator initiator{.tile = {1, 1}, .noc = 0};
  EXPECT_EQ(std::get<Refusal>(find_tiles(plan, initiator, &plan.translation(0), read_from({12, 18}, {18, 18}))),
            Refusal::no_such_tile);
  EXPECT_EQ(std::get<Refusal>(find_tiles(plan, initiator, &plan.translation(0), read_from({18, 18}, {18, 13}))),
            Refusal::no_such_tile);
  Request posted = read_from({18, 18}, {18, 13});
  posted.kind = RequestKind::write;
  posted.is_posted = true;
  EXPECT_TRUE(std::holds_alternative<FoundTiles>(find_tiles(plan, initiator, &plan.translation(0), posted)))
      << "nobody is told";
}

/// Corners are translated, and then taken in the direction of the NoC: software exchanges them on NoC 1 (ruling N8).
TEST(Ends, RectanglesAreTakenInTheDirectionOfTheNoc) {
  const FloorPlan plan(Arch::wormhole);
  const Broadcast broadcast{.tiles = {.start = {18, 18}, .end = {19, 20}}};
  const Initiator outside{.tile = {9, 11}, .noc = 0};
  const std::vector<Coordinates> block{{1, 1}, {2, 1}, {1, 2}, {2, 2}, {1, 3}, {2, 3}};
  EXPECT_EQ(rectangle_tiles(plan, outside, &plan.translation(0), broadcast), block);
  const Initiator on_noc_1{.tile = {9, 11}, .noc = 1};
  const Broadcast exchanged{.tiles = {.start = {19, 20}, .end = {18, 18}}};
  auto tiles = rectangle_tiles(plan, on_noc_1, &plan.translation(1), exchanged).value();
  std::ranges::reverse(tiles);
  EXPECT_EQ(tiles, block);
  const auto round_the_edge = rectangle_tiles(plan, on_noc_1, &plan.translation(1), broadcast).value();
  EXPECT_EQ(round_the_edge.size(), 10U * 11U - 1U) << "from x 8 on to 7, from y 10 on to 8, without the initiator";
}

TEST(Ends, InitiatorIsPartOfItsBroadcastIfItSaysSo) {
  const FloorPlan plan(Arch::blackhole);
  const Initiator inside{.tile = {2, 3}, .noc = 0};
  Broadcast broadcast{.tiles = {.start = {1, 2}, .end = {3, 4}}};
  EXPECT_EQ(rectangle_tiles(plan, inside, &plan.translation(0), broadcast)->size(), 8U);
  broadcast.includes_source = true;
  EXPECT_EQ(rectangle_tiles(plan, inside, &plan.translation(0), broadcast)->size(), 9U);
  broadcast.excluded = Quadrant{.corner = {2, 3}, .is_upward_x = true, .is_upward_y = true};
  EXPECT_EQ(rectangle_tiles(plan, inside, &plan.translation(0), broadcast)->size(), 5U);
  broadcast.tiles.end = {63, 63};
  broadcast.excluded.reset();
  EXPECT_EQ(rectangle_tiles(plan, inside, nullptr, broadcast), std::nullopt);
}

TEST(Ends, FirmwareLeavesBroadcastsToTensixTiles) {
  const FloorPlan plan(*product("p100"));
  for (unsigned noc = 0; noc < noc_count; ++noc) {
    const auto takes = [&](Coordinates tile) {
      return takes_broadcasts(plan.broadcast_off_columns(noc), plan.broadcast_off_rows(noc), plan.on_noc(tile, noc));
    };
    EXPECT_TRUE(takes({1, 2}));
    EXPECT_TRUE(takes({16, 11}));
    EXPECT_FALSE(takes({7, 2})) << "off";
    EXPECT_FALSE(takes({0, 5})) << "DRAM";
    EXPECT_FALSE(takes({1, 1})) << "Ethernet";
  }
}

}  // namespace
}  // namespace tensim::noc
