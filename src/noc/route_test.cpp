#include "noc/route.hpp"

#include <gtest/gtest.h>

namespace tensim::noc {
namespace {

constexpr Torus blackhole{17, 12};
constexpr Torus wormhole{10, 12};

TEST(Route, NoC0GoesAlongXFirstAndNoC1AlongY) {
  EXPECT_EQ(unicast_port(0, {1, 1}, {3, 3}), Port::x);
  EXPECT_EQ(unicast_port(0, {3, 1}, {3, 3}), Port::y);
  EXPECT_EQ(unicast_port(1, {1, 1}, {3, 3}), Port::y);
  EXPECT_EQ(unicast_port(1, {1, 3}, {3, 3}), Port::x);
  EXPECT_EQ(unicast_port(0, {3, 3}, {3, 3}), Port::niu);
}

TEST(Route, ThereAndBackIsAWholeTurnOfEachAxisThatIsTravelled) {
  for (const Torus& torus : {blackhole, wormhole})
    for (std::uint8_t x = 0; x < torus.width; ++x)
      for (std::uint8_t y = 0; y < torus.height; ++y) {
        const Position here{4, 5};
        const Position there{x, y};
        const unsigned whole = (x != here.x ? torus.length(Axis::x) : 0) + (y != here.y ? torus.length(Axis::y) : 0);
        EXPECT_EQ(hops(torus, here, there) + hops(torus, there, here), whole);
      }
}

TEST(Route, TheLastRouterOfARowIsJoinedToItsFirst) {
  EXPECT_EQ(blackhole.next({16, 3}, Axis::x), (Position{0, 3}));
  EXPECT_EQ(blackhole.next({16, 11}, Axis::y), (Position{16, 0}));
  EXPECT_TRUE(blackhole.wraps({16, 3}, Axis::x));
  EXPECT_FALSE(blackhole.wraps({16, 3}, Axis::y));
}

TEST(Route, APacketIsOnItsOtherVcBehindTheDatelineUntilItTurns) {
  EXPECT_EQ(vc_out(1, Port::x, Port::x, false), 1U);
  EXPECT_EQ(vc_out(1, Port::x, Port::x, true), 1U + named_vcs);
  EXPECT_EQ(vc_out(1 + named_vcs, Port::x, Port::x, false), 1U + named_vcs);
  EXPECT_EQ(vc_out(1 + named_vcs, Port::x, Port::y, false), 1U);
  EXPECT_EQ(vc_out(1 + named_vcs, Port::x, Port::niu, false), 1U);
}

}  // namespace
}  // namespace tensim::noc
