#include "tile/l1_ports.hpp"

#include <gtest/gtest.h>

namespace tensim::test {
namespace {

using tile::L1Ports;
using time::Cycle;
using time::never;

constexpr unsigned brisc = 0;
constexpr unsigned trisc0 = 1;
constexpr unsigned trisc1 = 2;
constexpr unsigned trisc2 = 3;
constexpr unsigned ncrisc = 4;
constexpr Cycle narrow = 5;  // a store of less than a block

constexpr std::uint32_t bank(unsigned number) {
  return 16 * number;
}

TEST(L1Ports, TwoOfThem) {
  for (const unsigned core : {brisc, trisc0, ncrisc})
    EXPECT_EQ(L1Ports::port_of(core), 0U);
  for (const unsigned core : {trisc1, trisc2})
    EXPECT_EQ(L1Ports::port_of(core), 1U);
}

TEST(L1Ports, CoresTakeTurns) {
  L1Ports ports(Arch::wormhole);
  ports.want(brisc, 10, bank(0));
  ports.want(trisc0, 10, bank(1));
  ports.want(ncrisc, 10, bank(2));
  Cycle cycle = 10;
  for (const unsigned core : {brisc, trisc0, ncrisc}) {
    const L1Ports::Plan next = ports.plan_anew(0);
    EXPECT_EQ(next.core, core);
    EXPECT_EQ(next.cycle, cycle);
    ports.go(0, narrow);
    ports.want(core, cycle + 1, bank(core));  // the next one waits already
    cycle += narrow;
  }
  EXPECT_EQ(ports.plan_anew(0).core, brisc);
}

TEST(L1Ports, WhoIsReadyFirstGoesFirst) {
  L1Ports ports(Arch::wormhole);
  EXPECT_TRUE(ports.want(trisc2, 12, bank(0)));
  EXPECT_TRUE(ports.want(trisc1, 14, bank(1)));
  EXPECT_FALSE(ports.want(trisc1, 14, bank(1))) << "no news";
  EXPECT_EQ(ports.plan_anew(1).core, trisc2);
  ports.go(1, narrow);
  EXPECT_EQ(ports.plan_anew(1).cycle, 17U);
  EXPECT_EQ(ports.plan(1).core, trisc1);
  EXPECT_TRUE(ports.want(trisc1, never, 0));
  EXPECT_EQ(ports.plan_anew(1).cycle, never);
}

TEST(L1Ports, ABankIsBusyForBothPorts) {
  L1Ports ports(Arch::wormhole);
  ports.want(brisc, 10, bank(3));
  ports.plan_anew(0);
  ports.go(0, narrow);
  ports.want(trisc1, 11, bank(3));
  ports.want(trisc2, 12, bank(4));
  EXPECT_TRUE(ports.plan_anew(1).core == trisc2 && ports.plan(1).cycle == 12U) << "whose bank is free";
  EXPECT_TRUE(ports.wants_bank_of(0) == false);
}

TEST(L1Ports, ABankTakesThePortsInTurn) {
  L1Ports ports(Arch::wormhole);
  ports.want(brisc, 10, bank(3));
  ports.plan_anew(0);
  ports.go(0, 1);
  ports.want(brisc, 20, bank(3));
  ports.want(trisc1, 20, bank(3));
  ports.plan_anew(0);
  ports.plan_anew(1);
  EXPECT_TRUE(ports.lets_other_port_pass(0));
  EXPECT_FALSE(ports.lets_other_port_pass(1));
  ports.miss(0);
  EXPECT_EQ(ports.plan_anew(0).cycle, 21U);
}

TEST(L1Ports, KnowWhenACoreHasLoaded) {
  L1Ports ports(Arch::wormhole);
  ports.load(0, 10);
  ports.load(0, 700);
  EXPECT_TRUE(ports.has_load(0, 10));
  EXPECT_TRUE(ports.has_load(0, 700));
  EXPECT_FALSE(ports.has_load(0, 11));
  EXPECT_FALSE(ports.has_load(0, 701)) << "not yet";
  EXPECT_FALSE(ports.has_load(1, 10));
}

TEST(L1Ports, ALowerBoundForThoseWhoWait) {
  L1Ports ports(Arch::wormhole);
  ports.want(brisc, 10, bank(0));
  ports.want(trisc0, 10, bank(1));
  ports.want(ncrisc, 30, bank(2));
  ports.plan_anew(0);
  EXPECT_EQ(ports.earliest(brisc), 0U) << "nothing but its own time holds it";
  EXPECT_EQ(ports.earliest(trisc0), 10U) << "somebody else goes then";
  EXPECT_EQ(ports.earliest(ncrisc), 0U) << "it may be ready earlier than it thinks";
}

}  // namespace
}  // namespace tensim::test
