#include "noc/multicast_tree.hpp"

#include <map>
#include <set>

#include <gtest/gtest.h>

namespace tensim::noc {
namespace {

constexpr Torus torus{10, 12};

MulticastTree tree_of(Position source, MulticastArea rectangle) {
  return {torus, source, rectangle, std::vector<std::uint8_t>(torus.routers(), 1)};
}

std::set<Position> receivers(const MulticastTree& tree) {
  std::set<Position> places;
  for (const MulticastTree::Node& node : tree.nodes())
    if (node.receives) places.insert(torus.place(node.router));
  return places;
}

/// Links of the tree, by the axis that they lie along.
std::map<Axis, unsigned> links(const MulticastTree& tree) {
  std::map<Axis, unsigned> counts;
  for (const MulticastTree::Node& node : tree.nodes())
    for (const Axis axis : {Axis::x, Axis::y})
      counts[axis] += node.next[static_cast<unsigned>(axis)] != MulticastTree::none ? 1U : 0U;
  return counts;
}

unsigned depth(const MulticastTree& tree) {
  unsigned most = 0;
  for (const MulticastTree::Node& node : tree.nodes())
    most = std::max<unsigned>(most, node.depth);
  return most;
}

TEST(MulticastTree, FromOutsideItGoesToTheFirstColumnDownAndAlongEachRow) {
  const MulticastTree tree = tree_of({1, 1}, {.start = {3, 4}, .end = {5, 5}});
  EXPECT_EQ(receivers(tree), (std::set<Position>{{3, 4}, {4, 4}, {5, 4}, {3, 5}, {4, 5}, {5, 5}}));
  EXPECT_EQ(links(tree), (std::map<Axis, unsigned>{{Axis::x, 2 + 2 * 2}, {Axis::y, 4}}));
  EXPECT_EQ(depth(tree), 2U + 4 + 2);
  EXPECT_EQ(tree.leaves(), 2U);
}

TEST(MulticastTree, YAsTheMajorAxisSwapsTheAxes) {
  const MulticastTree tree = tree_of({1, 1}, {.start = {3, 4}, .end = {5, 5}, .major = Axis::y});
  EXPECT_EQ(receivers(tree).size(), 6U);
  EXPECT_EQ(links(tree), (std::map<Axis, unsigned>{{Axis::x, 4}, {Axis::y, 3 + 3 * 1}}));
}

TEST(MulticastTree, FromItsFirstCornerItNeverLeavesTheRectangle) {
  const MulticastTree tree = tree_of({3, 4}, {.start = {3, 4}, .end = {5, 5}, .includes_source = true});
  EXPECT_EQ(receivers(tree).size(), 6U);
  EXPECT_EQ(tree.nodes().size(), 6U);
  EXPECT_EQ(depth(tree), 3U);
}

TEST(MulticastTree, FromInsideRowsGoAroundTheWholeRing) {
  const MulticastTree tree = tree_of({4, 4}, {.start = {3, 4}, .end = {5, 5}, .includes_source = true});
  EXPECT_EQ(receivers(tree).size(), 6U);
  EXPECT_EQ(links(tree), (std::map<Axis, unsigned>{{Axis::x, 2 * 9}, {Axis::y, 1}}));
}

TEST(MulticastTree, ASourceBelowTheFirstRowGoesAroundToMeetAllRows) {
  const MulticastTree tree = tree_of({1, 5}, {.start = {3, 4}, .end = {3, 6}});
  EXPECT_EQ(receivers(tree), (std::set<Position>{{3, 4}, {3, 5}, {3, 6}}));
  EXPECT_EQ(links(tree)[Axis::y], 11U);
}

TEST(MulticastTree, ARectangleWhoseStartIsBehindItsEndIsTheOutside) {
  const MulticastTree tree = tree_of({4, 4}, {.start = {8, 11}, .end = {1, 0}});
  EXPECT_EQ(receivers(tree), (std::set<Position>{{8, 11}, {9, 11}, {0, 11}, {1, 11}, {8, 0}, {9, 0}, {0, 0}, {1, 0}}));
  EXPECT_EQ(links(tree), (std::map<Axis, unsigned>{{Axis::x, 4 + 2 * 3}, {Axis::y, 8}}));
}

TEST(MulticastTree, OnlySrcIncludeLetsTheSourceReceive) {
  EXPECT_FALSE(receivers(tree_of({3, 4}, {.start = {3, 4}, .end = {5, 5}})).contains({3, 4}));
  EXPECT_TRUE(receivers(tree_of({3, 4}, {.start = {3, 4}, .end = {5, 5}, .includes_source = true})).contains({3, 4}));
  EXPECT_FALSE(receivers(tree_of({1, 1}, {.start = {3, 4}, .end = {5, 5}, .includes_source = true})).contains({1, 1}));
}

TEST(MulticastTree, TilesThatDoNotAcceptPassItOn) {
  std::vector<std::uint8_t> accepts(torus.routers(), 1);
  accepts[torus.at({4, 4})] = 0;
  const MulticastTree tree(torus, {1, 4}, {.start = {3, 4}, .end = {5, 4}}, accepts);
  EXPECT_EQ(receivers(tree), (std::set<Position>{{3, 4}, {5, 4}}));
}

}  // namespace
}  // namespace tensim::noc
