#include "noc/identity.hpp"

#include <set>

#include <gtest/gtest.h>

namespace tensim::noc {
namespace {

TEST(Identity, NodeIdIsRawAndLogicalIdIsTranslated) {
  const FloorPlan plan(Arch::wormhole);
  EXPECT_EQ(node_id(plan, {1, 1}, 0), 1U | 1U << 6U | 10U << 12U | 12U << 19U | 1U << 28U);
  EXPECT_EQ(node_id(plan, {1, 1}, 1), 8U | 10U << 6U | 10U << 12U | 12U << 19U);
  EXPECT_EQ(logical_id(plan, {1, 1}), 18U | 18U << 6U);
}

TEST(Identity, NodeIdSaysWhereTheDatelinesAre) {
  for (const Arch arch : all_archs) {
    const FloorPlan plan(arch);
    const std::uint32_t right = plan.width() - 1;
    const std::uint32_t bottom = plan.height() - 1;
    const auto datelines = [&](Coordinates tile, unsigned noc) { return node_id(plan, tile, noc) >> 26U & 3U; };
    EXPECT_EQ(datelines({right, 3}, 0), 1U);
    EXPECT_EQ(datelines({3, bottom}, 0), 2U);
    EXPECT_EQ(datelines({right, bottom}, 1), 0U);
    EXPECT_EQ(datelines({0, 0}, 1), 3U) << "the last of both axes as NoC 1 counts";
  }
}

TEST(Identity, EndpointIdHasKindAndNumber) {
  const FloorPlan wormhole(Arch::wormhole);
  EXPECT_EQ(endpoint_id(wormhole, {1, 1}, 0), 0x0001'0000U);
  EXPECT_EQ(endpoint_id(wormhole, {9, 11}, 1), 0x0101'004FU) << "the last of 80";
  EXPECT_EQ(endpoint_id(wormhole, {9, 0}, 0), 0x0002'0000U) << "Ethernet 0";
  EXPECT_EQ(endpoint_id(wormhole, {5, 7}, 0), 0x0008'0502U) << "the third tile of memory 5";
  EXPECT_EQ(endpoint_id(wormhole, {0, 3}, 0), 0x0003'0002U) << "PCIe";
  EXPECT_EQ(endpoint_id(wormhole, {0, 10}, 1), 0x0105'0000U) << "ARC";
  const FloorPlan blackhole(Arch::blackhole);
  EXPECT_EQ(endpoint_id(blackhole, {16, 11}, 0), 0x0001'008BU) << "the last of 140";
  EXPECT_EQ(endpoint_id(blackhole, {10, 1}, 0), 0x0002'000DU) << "Ethernet 13";
  EXPECT_EQ(endpoint_id(blackhole, {9, 6}, 1), 0x0108'0007U) << "memory 7";
  EXPECT_EQ(endpoint_id(blackhole, {8, 9}, 0), 0x0009'0101U) << "the second L2CPU";
  EXPECT_EQ(endpoint_id(blackhole, {8, 2}, 0), 0x000A'0000U) << "security";
}

TEST(Identity, WormholesEndpointIdsAreAllDifferent) {
  const FloorPlan plan(Arch::wormhole);
  std::set<std::uint32_t> seen;
  for (unsigned noc = 0; noc < noc_count; ++noc)
    for (std::uint32_t y = 0; y < plan.height(); ++y)
      for (std::uint32_t x = 0; x < plan.width(); ++x)
        EXPECT_TRUE(seen.insert(endpoint_id(plan, {x, y}, noc)).second) << x << "," << y;
}

}  // namespace
}  // namespace tensim::noc
