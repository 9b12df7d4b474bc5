// Deadlocks across tiles: who waits for what, what has come, whose packet would have brought it, and why it does not come.
#include "explain/chip_outcome.hpp"

#include <gtest/gtest.h>

#include "tests/support/chip_programs.hpp"

namespace tensim::explain {
namespace {

using namespace tensim::test;
using noc::operator""_counter;
using noc::operator""_niu;
using tile::CoreId;
using Relation = Need::Relation;
using What = ChipWait::What;
using Why = Unanswered::Why;

constexpr std::uint32_t flag = 0x8000;

class ChipOutcomeTest : public ChipPrograms {
 protected:
  /// From the programs that were started, to the end; explained by running the same again.
  ChipOutcome outcome() {
    chip::Chip start = chip_;
    const bool ended = chip_.run_until_idle(1'000'000);
    EXPECT_TRUE(ended);
    return chip_outcome(chip_, ended, [&](event::PacketObserver& observer) {
      start.observe(&observer);
      start.run_until_idle(1'000'000);
    });
  }
  /// A program that adds one to a word of a tile.
  void increment(NocProgram& program, unsigned of) {
    program.target(name(of), flag);
    program.back(name(of), 0x9000);
    program.go(ctrl_atomic, increment_of(flag), 1);
  }
  CoreOfChip brisc(unsigned n) const { return {tensix(n), CoreId::brisc}; }
};

TEST_P(ChipOutcomeTest, AnIncrementThatNeverComes) {
  // Tile 0 wants four; 1, 2 and 3 send theirs, and 4 ends without.
  NocProgram waits(plan_);
  waits.wait(flag, 4);
  start(0, waits);
  for (unsigned n = 1; n <= 3; ++n) {
    NocProgram sends(plan_);
    increment(sends, 0);
    start(n, sends);
  }
  start(4, NocProgram(plan_));
  const ChipOutcome result = outcome();
  EXPECT_EQ(result.kind, OutcomeKind::deadlocked);
  ASSERT_EQ(result.stuck.size(), 1U);
  const StuckWait& stuck = result.stuck[0];
  EXPECT_EQ(stuck.wait.who, brisc(0));
  EXPECT_EQ(stuck.wait.word, (AwaitedWord{flag, 4, 3, true, Need{Relation::equal, 4, ~0U}}));
  ASSERT_EQ(stuck.brought.size(), 3U);
  for (const Brought& brought : stuck.brought) {
    EXPECT_EQ(brought.kind, noc::MessageKind::atomic);
    EXPECT_EQ(brought.count, 1U);
    EXPECT_LT(brought.last, result.cycles);
  }
  ASSERT_EQ(stuck.ended.size(), 1U);
  EXPECT_EQ(stuck.ended[0].tile, tensix(4));
  EXPECT_LT(stuck.ended[0].cycle, stuck.brought[0].last);
  EXPECT_TRUE(stuck.would_bring.empty());
  EXPECT_TRUE(result.rings.empty());
}

TEST_P(ChipOutcomeTest, TwoTilesThatWaitForEachOtherAreARing) {
  for (unsigned n = 0; n < 2; ++n) {
    NocProgram program(plan_);
    program.wait(flag, 1);
    increment(program, 1 - n);
    start(n, program);
  }
  const ChipOutcome result = outcome();
  EXPECT_EQ(result.kind, OutcomeKind::deadlocked);
  ASSERT_EQ(result.stuck.size(), 2U);
  for (unsigned n = 0; n < 2; ++n) {
    EXPECT_TRUE(result.stuck[n].brought.empty());
    ASSERT_EQ(result.stuck[n].would_bring.size(), 1U);
    EXPECT_EQ(result.stuck[n].would_bring[0].by, brisc(1 - n));
    EXPECT_EQ(result.stuck[n].would_bring[0].kind, noc::MessageKind::atomic);
  }
  ASSERT_EQ(result.rings.size(), 1U);
  EXPECT_EQ(result.rings[0], (Ring{brisc(0), brisc(1)}));
}

TEST_P(ChipOutcomeTest, ARingOfThreeIsNamedInOrderAndWhoOnlyWaitsForItIsNotInIt) {
  for (unsigned n = 0; n < 3; ++n) {  // n waits for n + 1
    NocProgram program(plan_);
    program.wait(flag, 1);
    increment(program, (n + 2) % 3);
    if (n == 0) increment(program, 3);
    start(n, program);
  }
  NocProgram outside(plan_);
  outside.wait(flag, 1);
  start(3, outside);
  const ChipOutcome result = outcome();
  ASSERT_EQ(result.stuck.size(), 4U);
  ASSERT_EQ(result.rings.size(), 1U);
  EXPECT_EQ(result.rings[0], (Ring{brisc(0), brisc(1), brisc(2)}));
  ASSERT_EQ(result.stuck[3].would_bring.size(), 1U);
  EXPECT_EQ(result.stuck[3].would_bring[0].by, brisc(0));
}

TEST_P(ChipOutcomeTest, ABarrierForOneMoreThanWasSentHasNothingUnanswered) {
  NocProgram program(plan_);
  program.target(name(0), 0x10000);
  program.back(name(1), 0x20000);
  program.go(ctrl_write, 64);
  program.wait(program.counter("NIU_MST_WR_ACK_RECEIVED"_counter), 2);
  start(0, program);
  const ChipOutcome result = outcome();
  ASSERT_EQ(result.stuck.size(), 1U);
  const StuckWait& stuck = result.stuck[0];
  EXPECT_EQ(stuck.wait.what, What::counter);
  EXPECT_EQ(stuck.wait.number, "NIU_MST_WR_ACK_RECEIVED"_counter);
  EXPECT_EQ(stuck.wait.word.value, 1U);
  EXPECT_EQ(stuck.wait.word.need, (Need{Relation::equal, 2, ~0U}));
  ASSERT_EQ(stuck.brought.size(), 1U);
  EXPECT_EQ(stuck.brought[0].from, tensix(1));
  EXPECT_EQ(stuck.brought[0].kind, noc::MessageKind::acknowledgement);
  EXPECT_TRUE(stuck.unanswered.empty());
}

TEST_P(ChipOutcomeTest, AnAcknowledgementCannotComeFromATileThatStandsStill) {
  NocProgram stops(plan_);
  stops.add(0x00100073);  // ebreak
  start(1, stops);
  NocProgram program(plan_);
  for (unsigned i = 0; i < 200; ++i)
    program.add(rv::addi(rv::zero, rv::zero, 0));
  program.target(name(0), 0x10000);
  program.back(name(1), 0x20000);
  program.go(ctrl_write, 64);
  program.wait(program.counter("NIU_MST_WR_ACK_RECEIVED"_counter), 1);
  start(0, program);
  const ChipOutcome result = outcome();
  EXPECT_EQ(result.kind, OutcomeKind::faulted);
  ASSERT_EQ(result.stuck.size(), 1U);
  ASSERT_EQ(result.stuck[0].unanswered.size(), 1U);
  const Unanswered& unanswered = result.stuck[0].unanswered[0];
  EXPECT_EQ(unanswered.why, Why::receiver_stands_still);
  EXPECT_EQ(unanswered.at, tensix(1));
  EXPECT_EQ(unanswered.request.kind, noc::MessageKind::write);
  EXPECT_EQ(unanswered.request.address, 0x20000U);
  EXPECT_EQ(unanswered.request.issuer.tile, tensix(0));
}

TEST_P(ChipOutcomeTest, WhoNeedsAnAnswerOfItsOwnTileWaitsForThatCore) {
  // BRISC sends when the flag is there; NCRISC of the same tile would set it, but waits for a packet of tile 1 that has ended.
  NocProgram sends(plan_);
  sends.wait(flag, 1);
  increment(sends, 1);
  start(0, sends);
  NocProgram sets(plan_);
  sets.wait(flag + 0x40, 7);
  sets.store(flag, 1);
  start(0, sets, CoreId::trisc0, 0x6000);
  start(1, NocProgram(plan_));
  const ChipOutcome result = outcome();
  ASSERT_EQ(result.stuck.size(), 2U);
  ASSERT_EQ(result.stuck[0].would_bring.size(), 1U);
  EXPECT_EQ(result.stuck[0].would_bring[0].by, (CoreOfChip{tensix(0), CoreId::trisc0}));
  EXPECT_FALSE(result.stuck[0].would_bring[0].is_packet);
  EXPECT_EQ(result.stuck[1].wait.word.need, (Need{Relation::equal, 7, ~0U}));
}

TEST_P(ChipOutcomeTest, WithoutASecondRunNothingIsSaidOfThePast) {
  NocProgram waits(plan_);
  waits.wait(flag, 1);
  start(0, waits);
  const bool ended = chip_.run_until_idle(1'000'000);
  const ChipOutcome result = chip_outcome(chip_, ended);
  ASSERT_EQ(result.stuck.size(), 1U);
  EXPECT_FALSE(result.stuck[0].has_history);
}

TEST_P(ChipOutcomeTest, AChipWhoseProgramsHaveEndedHasFinished) {
  NocProgram sends(plan_);
  increment(sends, 1);
  start(0, sends);
  const ChipOutcome result = outcome();
  EXPECT_EQ(result.kind, OutcomeKind::finished);
  EXPECT_TRUE(result.stuck.empty());
}

INSTANTIATE_TEST_SUITE_P(Chips, ChipOutcomeTest, ::testing::ValuesIn(all_archs),
                         [](const auto& each) { return std::string(tensim::name(each.param)); });

}  // namespace
}  // namespace tensim::explain
