// Linked transactions: requests of one NIU that keep their virtual channel along the path until the last of them (noc 6), and
// what is carried out with a warning.
#include <gtest/gtest.h>

#include "tests/support/chip_bench.hpp"

namespace tensim::chip {
namespace {

using namespace tensim::test;
using noc::operator""_counter;
using noc::operator""_niu;
using noc::Refusal;
using time::Cycle;

constexpr std::uint32_t linked = 1U << 6U;
constexpr std::uint32_t path_reserve = 1U << 8U;
constexpr std::uint32_t go_on_at = 0x200;

class LinkedTest : public ::testing::TestWithParam<Arch>, protected ChipBench {
 protected:
  LinkedTest() : ChipBench(GetParam()) {}

  /// A multicast of 64 bytes to 2 x 2 tiles that tile 0 is not among, so often; cycles until all have been acknowledged.
  Cycle multicasts(unsigned times, bool is_linked) {
    const noc::Coordinates corner = tensix(0);
    const noc::Coordinates from{corner.x + 1, corner.y + 1};
    const noc::Coordinates to{corner.x + 2, corner.y + 2};
    NocProgram program(plan);
    program.target(name(0), data_at);
    program.back(plan.translated(to), there, plan.translated(from));
    program.go(ctrl_multicast_write | (is_linked ? linked : 0), 64);
    for (unsigned i = 2; i < times; ++i) {  // registers keep what they have
      program.store(program.command(), 1);
      program.wait(program.command(), 0);
    }
    program.store(program.reg("NOC_CTRL"_niu), ctrl_multicast_write);
    program.store(program.command(), 1);
    program.wait(program.counter("NIU_MST_WR_ACK_RECEIVED"_counter), 4 * times);
    start(0, program);
    const Cycle before = chip.now();
    while (!is_done(0) && chip.now() < before + 100'000)
      chip.run_until(chip.now() + 10);
    EXPECT_TRUE(is_done(0));
    for (unsigned y = from.y; y <= to.y; ++y)
      for (unsigned x = from.x; x <= to.x; ++x)
        EXPECT_EQ(chip.touch({x, y}).tile->devices.nius.niu[0].counters["NIU_SLV_WR_ACK_SENT"_counter], times);
    return chip.now() - before;
  }
  /// Tile 0's write to tile 2 stays linked until somebody stores 1 to go_on_at.
  NocProgram linked_writes() {
    NocProgram program(plan);
    program.target(name(0), data_at);
    program.back(name(2), there);
    program.go(ctrl_write | linked, 64);
    program.wait(program.counter("NIU_MST_WR_ACK_RECEIVED"_counter), 1);
    program.store(go_on_at + 4, 1);
    program.wait(go_on_at, 1);
    program.go(ctrl_write, 64);
    program.wait(program.counter("NIU_MST_WR_ACK_RECEIVED"_counter), 2);
    return program;
  }
};

/// Only the first of them reserves the tree (noc 7: 24 to 27 cycles each instead of 169 and more).
TEST_P(LinkedTest, LinkedMulticastsDoNotReserveTheirPathAgain) {
  constexpr unsigned times = 32;
  const Cycle apart = multicasts(times, false);
  ChipBench& fresh = *this;
  fresh.chip = Chip(plan);
  const Cycle together = multicasts(times, true);
  EXPECT_LT(together, times * 50) << "software needs most of it";
  EXPECT_GT(apart, times * 80);
}

TEST_P(LinkedTest, NobodyElseGetsTheChannelUntilTheTransactionEnds) {
  start(0, linked_writes());
  NocProgram other(plan);  // its way to tile 2 is the last link of tile 0's
  other.wait(go_on_at, 1);
  other.target(name(1), data_at);
  other.back(name(2), there + 64);
  other.go(ctrl_write, 64);
  other.wait(other.counter("NIU_MST_WR_ACK_RECEIVED"_counter), 1);
  start(1, other);
  const std::uint32_t one = 1;
  const auto let_go = [&](unsigned n) {
    tile(n).settle();
    tile(n).idle_until(chip.now());
    tile(n).write(go_on_at, reinterpret_cast<const std::uint8_t*>(&one), sizeof one);
    chip.touch(tensix(n)).is_idle = false;
  };
  chip.run_until(2000);
  ASSERT_EQ(word_of(tile(0), go_on_at + 4), 1U) << "its first write has been acknowledged";
  let_go(1);
  chip.run_until(6000);
  EXPECT_FALSE(is_done(1));
  EXPECT_EQ(counters(2)["NIU_SLV_WR_ACK_SENT"_counter], 1U);
  let_go(0);
  EXPECT_TRUE(run(2));
  EXPECT_EQ(counters(2)["NIU_SLV_WR_ACK_SENT"_counter], 3U);
}

TEST_P(LinkedTest, OtherChannelsOfTheLinkAreFree) {
  start(0, linked_writes());
  NocProgram other(plan);
  other.target(name(1), data_at);
  other.back(name(2), there + 64);
  other.go(0x92, 64);  // the other buddy
  other.wait(other.counter("NIU_MST_WR_ACK_RECEIVED"_counter), 1);
  start(1, other);
  chip.run_until(6000);
  EXPECT_TRUE(is_done(1));
  EXPECT_FALSE(is_done(0));
}

TEST_P(LinkedTest, KindsOfRequestMayBeMixedAndHardwareKeepsTheChannelItChose) {
  NocProgram program(plan);
  program.target(name(0), data_at);
  program.back(name(3), there);
  program.go((ctrl_write & ~0x80U) | linked, 64);  // no static channel: hardware chooses
  program.target(name(3), there);
  program.back(name(0), data_at + 64);
  program.go((ctrl_read & ~0x80U) | linked, 64);
  program.go(ctrl_atomic & ~0x80U, increment_of(there), 1);
  program.wait(program.counter("NIU_MST_ATOMIC_RESP_RECEIVED"_counter), 1);
  fill(tile(0), data_at, 64, 1);
  const std::uint32_t first = word_of(tile(0), data_at);
  start(0, program);
  ASSERT_TRUE(run(1));
  EXPECT_EQ(word_of(tile(3), there), first + 1);
  EXPECT_EQ(word_of(tile(0), data_at + 64), first) << "a linked read is served before what comes behind it";
  EXPECT_FALSE(tile(0).devices.nius.niu[0].open.has_value());
}

// ---- warnings ----

TEST_P(LinkedTest, APostedAtomicOfBlackholeIsCarriedOutAndReportedOncePerPlace) {
  constexpr std::uint32_t posted = ctrl_atomic & ~0x10U;
  NocProgram program(plan);
  program.target(name(1), there);
  program.back(name(0), data_at);
  program.store(go_on_at, 3);
  const auto loop = static_cast<int>(program.words().size());
  program.go(posted, increment_of(there), 1);
  const auto guilty = static_cast<std::uint32_t>(code_at + 4 * program.last_store());
  program.set(rv::t0, go_on_at);
  program.add(rv::lw(rv::t1, rv::t0, 0));
  program.add(rv::addi(rv::t1, rv::t1, -1));
  program.add(rv::sw(rv::t1, rv::t0, 0));
  program.add(rv::bne(rv::t1, rv::zero, 4 * (loop - static_cast<int>(program.words().size()))));
  start(0, program);
  ASSERT_TRUE(run(1));
  chip.run_until(chip.now() + 1000);
  EXPECT_EQ(word_of(tile(1), there), 3U);
  const auto& reports = tile(0).reports;
  if (GetParam() == Arch::wormhole) {
    EXPECT_TRUE(reports.empty());
    return;
  }
  ASSERT_EQ(reports.size(), 1U);
  EXPECT_EQ(static_cast<Refusal>(reports[0].report.value), Refusal::posted_atomic);
  EXPECT_EQ(reports[0].report.pc, guilty);
}

TEST_P(LinkedTest, AMulticastThatDoesNotReserveItsPathArrivesAndIsReported) {
  NocProgram program(plan);
  program.target(name(0), data_at);
  program.back(name(2), there, name(1));
  program.go((ctrl_multicast_write & ~path_reserve) | linked, 64);
  program.go(ctrl_multicast_write & ~path_reserve, 64);
  program.wait(program.counter("NIU_MST_WR_ACK_RECEIVED"_counter), 4);
  start(0, program);
  ASSERT_TRUE(run(1));
  ASSERT_EQ(tile(0).reports.size(), 1U) << "only the first of a transaction could have reserved it";
  EXPECT_EQ(static_cast<Refusal>(tile(0).reports[0].report.value), Refusal::multicast_unreserved);
}

INSTANTIATE_TEST_SUITE_P(Chips, LinkedTest, ::testing::Values(Arch::wormhole, Arch::blackhole));

}  // namespace
}  // namespace tensim::chip
