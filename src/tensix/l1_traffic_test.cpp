#include "tensix/l1_traffic.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace tensim::tensix {
namespace {

/// Banks are all that a use tells of addresses.
std::int64_t in_bank(std::uint32_t word) {
  return std::int64_t{word} * 16;
}

TEST(L1Pace, EveryWordBeginsInOneStep) {
  for (const std::uint32_t words : {0U, 1U, 3U, 8U, 16U})
    for (const std::uint32_t steps : {1U, 2U, 5U, 11U, 40U}) {
      const L1Pace pace{.words = words, .steps = steps};
      EXPECT_EQ(pace.first_in(0), 0U);
      for (std::uint32_t step = 0; step < steps; ++step) {
        const std::uint32_t begin = pace.first_in(step + 1) - pace.first_in(step);
        EXPECT_GE(begin, words / steps) << words << " in " << steps;
        EXPECT_LE(begin, (words + steps - 1) / steps) << words << " in " << steps;
      }
      EXPECT_EQ(pace.first_in(steps), words);
    }
}

TEST(L1Pace, TheMoversEightUnitsInElevenCycles) {
  const L1Pace pace{.words = 8, .steps = 11};
  std::vector<std::uint32_t> begins;
  for (std::uint32_t step = 0; step < 11; ++step)
    if (pace.first_in(step + 1) != pace.first_in(step)) begins.push_back(step);
  EXPECT_EQ(begins, (std::vector<std::uint32_t>{0, 1, 2, 4, 5, 6, 8, 9}));
}

TEST(L1Pace, AWordOfSeveralStepsGoesOn) {
  const L1Pace pace{.words = 3, .steps = 15, .length = 5};
  for (std::uint32_t step = 0; step < 15; ++step) {
    L1Step use;
    pace.add(use, step, L1Connection(Arch::wormhole, L1Client::packer2), in_bank);
    const std::uint32_t bank = 1U << step / 5;
    EXPECT_EQ(use.begins.banks, step % 5 == 0 ? bank : 0) << step;
    EXPECT_EQ(use.goes_on.banks, step % 5 == 0 ? 0 : bank) << step;
    EXPECT_EQ(use.goes_on.ports, step % 5 == 0 ? 0 : 1) << step;
  }
}

TEST(L1Banks, SixteenOfWormholeAndThirtyTwoOfBlackhole) {
  EXPECT_EQ(l1_bank_of(Arch::wormhole, 0x1F0), 15U);
  EXPECT_EQ(l1_bank_of(Arch::blackhole, 0x1F0), 31U);
  EXPECT_EQ(l1_bank_of(Arch::wormhole, 0x10F), 0U);
  EXPECT_EQ(l1_bank_of(Arch::blackhole, 0x10F), 16U);
  EXPECT_EQ(l1_bank_of(Arch::blackhole, 0x200), 0U);
}

TEST(L1Hold, KeepsWhatItIsTold) {
  L1Hold hold(31, 123456789012);
  EXPECT_EQ(hold.bank(), 31U);
  EXPECT_EQ(hold.until(), 123456789012U);
  EXPECT_FALSE(hold.had_turn(6));
  hold.give_turn(6);
  EXPECT_TRUE(hold.had_turn(6));
  EXPECT_FALSE(hold.had_turn(5));
  EXPECT_EQ(hold.bank(), 31U);
  EXPECT_EQ(hold.until(), 123456789012U);
}

/// A transfer of a word a step, from bank 0 on.
L1Step one_after_the_other(std::uint32_t step) {
  L1Step use;
  use.begins.add(in_bank(step), L1Connection(Arch::wormhole, L1Client::unpacker));
  return use;
}

TEST(L1Traffic, WhereATransferIsDoesNotDependOnWhenSomebodyLooks) {
  L1Traffic traffic;
  traffic.holds = {L1Hold(3, 9), L1Hold(6, 20)};
  const L1Progress begun{.at = 2, .step = 0, .steps = 30};
  const Cycle last = traffic.last_cycle(begun, one_after_the_other);
  EXPECT_EQ(last, 2U + 29 + 4 + 8);  // word 3 in 9 instead of 5, word 6 in 20 instead of 12
  L1Progress looked_at = begun;
  for (Cycle cycle = 2; cycle < last + 1; ++cycle) {
    traffic.advance(looked_at, cycle, one_after_the_other);
    L1Progress at_once = begun;
    traffic.advance(at_once, cycle, one_after_the_other);
    EXPECT_EQ(at_once.step, looked_at.step) << cycle;
    EXPECT_EQ(at_once.at, cycle);
    EXPECT_FALSE(at_once.is_done());
    EXPECT_EQ(traffic.last_cycle(looked_at, one_after_the_other), last);
  }
  traffic.advance(looked_at, last + 1, one_after_the_other);
  EXPECT_TRUE(looked_at.is_done());
}

TEST(L1Traffic, KnowsUntilWhenThereIsAny) {
  L1Traffic traffic;
  EXPECT_EQ(traffic.begin({.at = 10, .step = 0, .steps = 5}, one_after_the_other), 14U);
  EXPECT_EQ(traffic.begin({.at = 2, .step = 0, .steps = 3}, one_after_the_other), 4U);
  EXPECT_EQ(traffic.busy_until, 14U);
}

TEST(L1Traffic, PortsAreSharedByChip) {
  EXPECT_EQ(core_ports_of(Arch::wormhole, L1Client::unpacker), 0);
  EXPECT_EQ(core_ports_of(Arch::wormhole, L1Client::exponents), 1);
  EXPECT_EQ(core_ports_of(Arch::wormhole, L1Client::packer2), 1);
  EXPECT_EQ(core_ports_of(Arch::wormhole, L1Client::packer3), 2);
  EXPECT_EQ(core_ports_of(Arch::wormhole, L1Client::packer0_reads), 1);
  EXPECT_EQ(core_ports_of(Arch::wormhole, L1Client::mover_reads), 1);
  EXPECT_EQ(core_ports_of(Arch::wormhole, L1Client::mover_writes), 2);
  for (unsigned client = 0; client < 9; ++client)
    EXPECT_EQ(core_ports_of(Arch::blackhole, static_cast<L1Client>(client)), 0);
}

}  // namespace
}  // namespace tensim::tensix
