#include "chip/chip.hpp"

#include <cstring>
#include <set>

#include <gtest/gtest.h>

#include "tests/support/chip_bench.hpp"
#include "tests/support/same_tile.hpp"

namespace tensim::chip {
namespace {

using namespace tensim::test;
using noc::operator""_counter;
using tile::CoreId;

class ChipTest : public ::testing::TestWithParam<Arch>, protected ChipBench {
 protected:
  ChipTest() : ChipBench(GetParam()) {}
};

TEST_P(ChipTest, AWriteArrivesAndIsAcknowledged) {
  fill(tile(0), data_at, 64, 1);
  NocProgram program(plan);
  program.target(name(0), data_at);
  program.back(name(1), there);
  program.go(ctrl_write, 64);
  program.wait(program.counter("NIU_MST_WR_ACK_RECEIVED"_counter), 1);
  start(0, program);
  ASSERT_TRUE(run(1));
  EXPECT_EQ(std::memcmp(tile(0).l1.data() + data_at, tile(1).l1.data() + there, 64), 0);
  const auto& sent = tile(0).devices.nius.niu[0].counters;
  const auto& received = tile(1).devices.nius.niu[0].counters;
  const std::uint32_t flits = 64 / noc::flit_bytes(GetParam());
  EXPECT_EQ(sent["NIU_MST_CMD_ACCEPTED"_counter], 1U);
  EXPECT_EQ(sent["NIU_MST_NONPOSTED_WR_REQ_SENT"_counter], 1U);
  EXPECT_EQ(sent["NIU_MST_NONPOSTED_WR_DATA_WORD_SENT"_counter], flits);
  EXPECT_EQ(sent["NIU_MST_REQS_OUTSTANDING_ID"_counter], 0U);
  EXPECT_EQ(received["NIU_SLV_NONPOSTED_WR_REQ_RECEIVED"_counter], 1U);
  EXPECT_EQ(received["NIU_SLV_WR_ACK_SENT"_counter], 1U);
}

TEST_P(ChipTest, AReadBringsWhatIsThere) {
  fill(tile(1), there, 4096, 2);
  NocProgram program(plan);
  program.target(name(1), there);
  program.back(name(0), data_at);
  program.go(ctrl_read, 4096);
  program.wait(program.counter("NIU_MST_RD_RESP_RECEIVED"_counter), 1);
  start(0, program);
  ASSERT_TRUE(run(1));
  EXPECT_EQ(std::memcmp(tile(0).l1.data() + data_at, tile(1).l1.data() + there, 4096), 0);
}

TEST_P(ChipTest, RequestsOnNoc1ArriveToo) {
  fill(tile(0), data_at, 256, 3);
  NocProgram program(plan, 1);
  program.target(name(0), data_at);
  program.back(name(5), there);
  program.go(ctrl_write, 256);
  program.wait(program.counter("NIU_MST_WR_ACK_RECEIVED"_counter), 1);
  start(0, program);
  ASSERT_TRUE(run(1));
  EXPECT_EQ(std::memcmp(tile(0).l1.data() + data_at, tile(5).l1.data() + there, 256), 0);
}

TEST_P(ChipTest, ATileTalksToItself) {
  fill(tile(0), data_at, 64, 4);
  NocProgram program(plan);
  program.target(name(0), data_at);
  program.back(name(0), there);
  program.go(ctrl_write, 64);
  program.wait(program.counter("NIU_MST_WR_ACK_RECEIVED"_counter), 1);
  start(0, program);
  ASSERT_TRUE(run(1));
  EXPECT_EQ(std::memcmp(tile(0).l1.data() + data_at, tile(0).l1.data() + there, 64), 0);
}

TEST_P(ChipTest, IncrementsOfManyTilesAddUpAndEachOldValueComesOnce) {
  constexpr unsigned tiles = 12;
  constexpr unsigned times = 20;
  constexpr std::uint32_t counted = 0x8000;
  for (unsigned n = 0; n < tiles; ++n) {
    NocProgram program(plan);
    program.target(name(tiles), counted);
    for (unsigned i = 0; i < times; ++i) {
      program.back(name(n), there + 16 * i);
      program.go(ctrl_atomic, increment_of(counted), 1);
    }
    program.wait(program.counter("NIU_MST_ATOMIC_RESP_RECEIVED"_counter), times);
    start(n, program);
  }
  ASSERT_TRUE(run(tiles));
  EXPECT_EQ(word_of(tile(tiles), counted), tiles * times);
  std::set<std::uint32_t> old;
  for (unsigned n = 0; n < tiles; ++n)
    for (unsigned i = 0; i < times; ++i)
      old.insert(word_of(tile(n), there + 16 * i));
  EXPECT_EQ(old.size(), tiles * times);
  EXPECT_EQ(*old.rbegin(), tiles * times - 1);
}

TEST_P(ChipTest, AMulticastReachesTheRectangleAndEveryReceiverAcknowledges) {
  fill(tile(0), data_at, 64, 5);
  const Coordinates corner = tensix(0);
  const Coordinates from{corner.x + 1, corner.y + 1};
  const Coordinates to{corner.x + 2, corner.y + 3};
  NocProgram program(plan);
  program.target(name(0), data_at);
  program.back(plan.translated(to), there, plan.translated(from));
  program.go(ctrl_multicast_write, 64);
  program.wait(program.counter("NIU_MST_WR_ACK_RECEIVED"_counter), 6);
  start(0, program);
  ASSERT_TRUE(run(1));
  for (unsigned y = from.y; y <= to.y; ++y)
    for (unsigned x = from.x; x <= to.x; ++x)
      EXPECT_EQ(std::memcmp(tile(0).l1.data() + data_at, chip.touch({x, y}).tile->l1.data() + there, 64), 0)
          << x << "," << y;
  EXPECT_EQ(chip.find({to.x + 1, to.y}), nullptr) << "nobody else has been touched";
}

TEST_P(ChipTest, MemoryKeepsWhatIsWrittenAndGivesItBack) {
  fill(tile(0), data_at, 4096, 6);
  const Coordinates bank =
      GetParam() == Arch::wormhole ? plan.bank_tiles(0)[0] : plan.translated(plan.bank_tiles(0)[0]);
  NocProgram program(plan);
  program.target(name(0), data_at);
  program.back(bank, 0x40000);
  program.go(ctrl_write, 4096);
  program.wait(program.counter("NIU_MST_WR_ACK_RECEIVED"_counter), 1);
  program.target(bank, 0x40000);
  program.back(name(0), there);
  program.go(ctrl_read, 4096);
  program.wait(program.counter("NIU_MST_RD_RESP_RECEIVED"_counter), 1);
  start(0, program);
  ASSERT_TRUE(run(1));
  EXPECT_EQ(std::memcmp(tile(0).l1.data() + data_at, tile(0).l1.data() + there, 4096), 0);
}

TEST_P(ChipTest, ACoreOfAnotherTileIsLetGoOverTheNoc) {
  NocProgram other(plan);
  other.store(done_at, 1);
  other.stay();
  tile(1).write(0, reinterpret_cast<const std::uint8_t*>(other.words().data()), 4 * other.words().size());
  const std::uint32_t all = tile(1).devices.control.soft_reset();
  NocProgram program(plan);
  program.target(name(1), tile::TileControl::soft_reset_address);
  program.go(ctrl_inline_write, 0xF, all & ~(1U << 11U));
  program.wait(program.counter("NIU_MST_WR_ACK_RECEIVED"_counter), 1);
  start(0, program);
  EXPECT_TRUE(run(2));
}

/// Its pc and its local RAM: what it has of its own is seen in the cycle of the read, however far it has run ahead.
TEST_P(ChipTest, WhatBelongsToARunningCoreIsReadOverTheNoc) {
  if (GetParam() == Arch::wormhole) return;  // shows neither
  constexpr std::array<std::uint32_t, 2> seen{0xFFB1'3138, 0xFFB1'4010};
  NocProgram other(plan);
  other.set(rv::t0, 0xFFB0'0000);
  other.add(rv::addi(rv::t1, rv::t1, 1));
  other.add(rv::sw(rv::t1, rv::t0, 16));
  other.add(rv::jal(rv::zero, -8));
  NocProgram program(plan);
  for (unsigned i = 0; i < 20; ++i) {
    program.target(name(1), seen[i % 2]);
    program.back(name(0), data_at + 4 * (i % 2) + 16 * i);
    program.go(ctrl_read, 4);
  }
  program.wait(program.counter("NIU_MST_RD_RESP_RECEIVED"_counter), 20);
  ChipBench walked(GetParam());
  walked.chip.walk_in_lockstep(true);
  for (ChipBench* each : {static_cast<ChipBench*>(this), &walked}) {
    each->start(1, other);
    each->chip.run_until(2500);  // local RAM is being zeroed first
    each->start(0, program);
    each->chip.run_until(6000);
    each->chip.settle();
    EXPECT_TRUE(each->is_done(0));
  }
  EXPECT_EQ(first_difference(tile(0), walked.tile(0)), "");
  EXPECT_NE(word_of(tile(0), data_at + 16 + 4), word_of(tile(0), data_at + 48 + 4));
}

/// Nobody else is in its tile who could write; but what comes over the NoC is not known beyond the window.
TEST_P(ChipTest, ACoreThatIsAloneInItsTileDoesNotReadPastTheWindow) {
  NocProgram other(plan);
  other.set(rv::t0, there);
  other.set(rv::t4, 600);
  other.add(rv::lw(rv::t1, rv::t0, 0));
  other.add(rv::add(rv::t3, rv::t3, rv::t1));
  other.add(rv::addi(rv::t4, rv::t4, -1));
  other.add(rv::bne(rv::t4, rv::zero, -12));
  NocProgram program(plan);
  for (unsigned i = 0; i < 300; ++i)
    program.add(rv::addi(rv::t3, rv::t3, 1));
  program.target(name(0), data_at);
  program.back(name(1), there);
  program.go(ctrl_write, 16);
  const std::uint32_t one = 1;
  ChipBench walked(GetParam());
  walked.chip.walk_in_lockstep(true);
  for (ChipBench* each : {static_cast<ChipBench*>(this), &walked}) {
    each->tile(0).write(data_at, reinterpret_cast<const std::uint8_t*>(&one), sizeof one);
    each->start(1, other);
    each->start(0, program);
    each->chip.run_until(20'000);
    each->chip.settle();
    EXPECT_TRUE(each->is_done(1));
  }
  EXPECT_EQ(first_difference(tile(1), walked.tile(1)), "");
  EXPECT_GT(tile(1).core(CoreId::brisc).x[rv::t3], 10U) << "it has seen the write for a while";
}

TEST_P(ChipTest, APieceLongerThanAPacketIsCut) {
  constexpr std::uint32_t bytes = 40'000;
  fill(tile(0), data_at, bytes, 7);
  const std::uint32_t packets = (bytes - 1) / noc::packet_bytes(GetParam()) + 1;
  NocProgram program(plan);
  program.target(name(0), data_at);
  program.back(name(2), there);
  program.go(ctrl_write, bytes);
  program.wait(program.counter("NIU_MST_WR_ACK_RECEIVED"_counter), packets);
  start(0, program);
  ASSERT_TRUE(run(1));
  EXPECT_EQ(std::memcmp(tile(0).l1.data() + data_at, tile(2).l1.data() + there, bytes), 0);
}

TEST_P(ChipTest, AWildRequestStopsItsCoreWithItsName) {
  NocProgram program(plan);
  program.target(name(1), there);
  program.back(name(0), data_at + 4);
  program.go(ctrl_read, 64);
  start(0, program);
  EXPECT_FALSE(run(1, 5000));
  ASSERT_TRUE(tile(0).core(CoreId::brisc).stop.has_value());
  EXPECT_EQ(tile(0).core(CoreId::brisc).stop->access_fault, tile::fault_of(noc::Refusal::not_congruent_16));
}

TEST_P(ChipTest, ARequestThatNobodyAnswersIsNotLost) {
  NocProgram program(plan);
  program.target(plan.arc(), 0x1000);
  program.back(name(0), data_at);
  program.go(ctrl_read, 64);
  program.wait(program.counter("NIU_MST_RD_RESP_RECEIVED"_counter), 1);
  start(0, program);
  EXPECT_FALSE(run(1, 5000));
  const std::vector<Unanswered> requests = chip.take_unanswered();
  ASSERT_EQ(requests.size(), 1U);
  EXPECT_EQ(requests.front().tile, plan.arc());
  EXPECT_EQ(requests.front().message->issuer.tile, tensix(0));
}

INSTANTIATE_TEST_SUITE_P(Chips, ChipTest, ::testing::Values(Arch::wormhole, Arch::blackhole));

}  // namespace
}  // namespace tensim::chip
