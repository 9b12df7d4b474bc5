// Deadlocks across tiles: who waits for what, what has come, whose packet would have brought it, and why it does not come.
#include "explain/chip_outcome.hpp"

#include <gtest/gtest.h>

#include "tests/support/hanging_chips.hpp"

namespace tensim::explain {
namespace {

using namespace tensim::test;
using noc::operator""_counter;
using noc::operator""_niu;
using tile::CoreId;
using Relation = Need::Relation;
using What = ChipWait::What;
using Why = Unanswered::Why;

class ChipOutcomeTest : public HangingChips {
 protected:
  CoreOfChip brisc(unsigned n) const { return {tensix(n), CoreId::brisc}; }
};

TEST_P(ChipOutcomeTest, AnIncrementThatNeverComes) {
  start_with_one_increment_too_few();
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
  start_two_that_wait_for_each_other();
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
  start_a_barrier_for_more_than_was_sent(0);
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
  start_a_write_to_a_tile_that_stands_still();
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

TEST_P(ChipOutcomeTest, ARequestThatWasStartedOverTheNocIsNotTakenForThePacketThatStartedIt) {
  // Tile 0 lets tile 1's NIU write to tile 2, which stands still: its own write is answered, and that one is not.
  NocProgram stops(plan_);
  stops.add(0x00100073);  // ebreak
  start(2, stops);
  NocProgram waits(plan_);
  waits.target(name(1), 0x10000);
  waits.back(name(2), 0x20000);
  waits.store(waits.reg("NOC_CTRL"_niu), ctrl_write);
  waits.store(waits.reg("NOC_AT_LEN_BE"_niu), 64);
  waits.wait(waits.counter("NIU_MST_WR_ACK_RECEIVED"_counter), 1);
  start(1, waits);
  NocProgram program(plan_);
  program.wait_cycles(1000);
  program.target(name(1), waits.command());
  program.go(ctrl_inline_write, 0xF, 1);
  start(0, program);
  const ChipOutcome result = outcome();
  ASSERT_EQ(result.stuck.size(), 1U);
  ASSERT_EQ(result.stuck[0].unanswered.size(), 1U);
  EXPECT_EQ(result.stuck[0].unanswered[0].request.issuer.tile, tensix(0));
  EXPECT_EQ(result.stuck[0].unanswered[0].request.return_tile, tensix(1));
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
