// A core that counts a heartbeat in L1 is not executed, and nobody can tell: cycle by cycle gives the same.
#include <memory>
#include <random>

#include <gtest/gtest.h>

#include "tests/support/guest_tile.hpp"
#include "tests/support/heartbeat.hpp"
#include "tests/support/same_tile.hpp"

namespace tensim {
namespace {

using namespace rv;
using test::first_difference;
using test::GuestTile;
using test::Heartbeat;
using tile::CoreId;
using tile::Tile;
using time::Cycle;

constexpr std::uint32_t code = 0x4000;

class Beating : public ::testing::TestWithParam<Arch> {
 protected:
  Beating() { lockstep_.tile.walk_in_lockstep(true); }

  void start(CoreId core, std::uint32_t at, const std::vector<Word>& words) {
    for (GuestTile* guest : {&lockstep_, &guest_})
      guest->start(core, at, words);
  }
  /// And lets it run for a while: loops are looked for where a run begins.
  void start(const Heartbeat& heartbeat) {
    start(CoreId::brisc, code, heartbeat.words());
    run_until(guest_.tile.now() + 3000);
  }
  /// Both, to this cycle.
  void run_until(Cycle end) {
    ASSERT_EQ(lockstep_.tile.run_until(end), Tile::Halt::reached);
    if (guest_.tile.run_until(end) == Tile::Halt::nothing_left) guest_.tile.idle_until(end);
    ASSERT_EQ(first_difference(lockstep_.tile, guest_.tile), "") << "at " << end;
  }
  void set_byte(std::uint32_t address, std::uint8_t value) {
    for (GuestTile* guest : {&lockstep_, &guest_})
      guest->tile.write(address, &value, 1);
  }
  const riscv::Core& core() const { return guest_.tile.core(CoreId::brisc); }

  GuestTile lockstep_{GetParam()};
  GuestTile guest_{GetParam()};
};
INSTANTIATE_TEST_SUITE_P(Archs, Beating, ::testing::ValuesIn(all_archs),
                         [](const auto& of) { return std::string(name(of.param)); });

TEST_P(Beating, IsTheSameWhereverARunEnds) {
  start({});
  for (Cycle end = 20'000; end < 20'060; ++end) {
    run_until(end);
    Tile copy = guest_.tile;  // and far from it, too
    copy.run_until(3 * end);
    EXPECT_GT(copy.left_out(), end);
  }
  EXPECT_GT(guest_.tile.left_out(), 10'000U);
}

/// The core's rounds are of one length, so what 10^9 cycles give is known from a few.
TEST_P(Beating, CountsEveryRoundOfAThousandMillionCycles) {
  start({});
  run_until(6000);
  const auto near = std::make_unique<Tile>(lockstep_.tile);
  Cycle cycles = 0;  // of rounds whose times recur
  const std::uint32_t pc = lockstep_.tile.core(CoreId::brisc).pc;
  std::uint32_t rounds = 0;
  do {  // Blackhole's data cache flushes itself every 128 hits
    const std::uint32_t before = lockstep_.tile.core(CoreId::brisc).x[s11];
    lockstep_.tile.run_until(6000 + ++cycles);
    if (lockstep_.tile.core(CoreId::brisc).x[s11] != before) ++rounds;
  } while (lockstep_.tile.core(CoreId::brisc).pc != pc || lockstep_.tile.core(CoreId::brisc).clock != 6000 + cycles ||
           rounds % 128 != 0 || lockstep_.tile.core(CoreId::brisc).l0 != near->core(CoreId::brisc).l0);
  const Cycle many = 1'000'000'000 / cycles;
  const std::uint64_t retired = lockstep_.tile.core(CoreId::brisc).retired - near->core(CoreId::brisc).retired;
  ASSERT_EQ(guest_.tile.run_until(6000 + many * cycles), Tile::Halt::reached);
  EXPECT_EQ(core().x[s11], near->core(CoreId::brisc).x[s11] + static_cast<std::uint32_t>(many * rounds));
  EXPECT_EQ(core().retired, near->core(CoreId::brisc).retired + many * retired);
  EXPECT_EQ(core().clock, near->core(CoreId::brisc).clock + many * cycles);
  EXPECT_EQ(core().pc, pc);
  EXPECT_EQ(guest_.word(Heartbeat::word) & 0xFFFFU,
            (lockstep_.word(Heartbeat::word) + static_cast<std::uint32_t>((many - 1) * rounds)) & 0xFFFFU);
}

TEST_P(Beating, GoesPastTheEndOfItsSixteenBitsAndOfItsRegister) {
  for (const std::uint32_t first : {0xFF80U, 0xFFFF'FF80U}) {
    start({.first = first});
    run_until(guest_.tile.now() + 30'000);
    EXPECT_EQ(guest_.word(Heartbeat::word) >> 16U, 0xAABBU);
    EXPECT_LT(guest_.word(Heartbeat::word) & 0xFFFFU, 0x8000U);
  }
  EXPECT_GT(guest_.tile.left_out(), 30'000U);
}

TEST_P(Beating, StepsOfAnySizeAndRoundsOfAnyLength) {
  for (const unsigned nops : {0U, 1U, 2U, 3U, 7U, 20U}) {
    start({.step = 7 - static_cast<int>(nops), .nops = nops});
    run_until(guest_.tile.now() + 12'000 + nops);
  }
  EXPECT_GT(guest_.tile.left_out(), 12'000U);
}

/// A window costs nothing to end, and L1 is what it is then.
TEST_P(Beating, WhoReadsTheWordInBetweenSeesItsValue) {
  start({});
  std::mt19937 random(1);
  for (Cycle at = 0; at < 200'000;) {
    at += 1 + random() % (random() % 2 == 0 ? 40 : 9000);
    ASSERT_EQ(lockstep_.tile.run_until(at), Tile::Halt::reached);
    ASSERT_EQ(guest_.tile.run_window(at), Tile::Halt::reached);
    ASSERT_EQ(guest_.word(Heartbeat::word), lockstep_.word(Heartbeat::word)) << "at " << at;
    if (random() % 4 == 0) {
      guest_.tile.settle();
      ASSERT_EQ(first_difference(lockstep_.tile, guest_.tile), "") << "at " << at;
    }
  }
  EXPECT_GT(guest_.tile.left_out(), 30'000U);
}

TEST_P(Beating, WhatTheHostWritesEndsItInTheSameCycle) {
  start({});
  for (unsigned i = 0; i < 24; ++i) {  // at every point of a round
    run_until(guest_.tile.now() + 9000 + i);
    set_byte(Heartbeat::polled, Heartbeat::go);
    run_until(guest_.tile.now() +
              (GetParam() == Arch::wormhole ? 150 : 3000));  // Blackhole's data cache has the old one
    EXPECT_NE(guest_.word(Heartbeat::ended), 0U);
    set_byte(Heartbeat::polled, 0);
    start({});
  }
  EXPECT_GT(guest_.tile.left_out(), 24U * 2000);
}

TEST_P(Beating, ACopyGoesOnLikeTheTileItself) {
  start({});
  run_until(15'000);
  const auto copy = std::make_unique<Tile>(guest_.tile);
  run_until(40'000);
  copy->run_window(27'000);
  const auto second = std::make_unique<Tile>(*copy);
  for (Tile* each : {copy.get(), second.get()}) {
    each->run_until(40'000);
    EXPECT_EQ(first_difference(lockstep_.tile, *each), "");
  }
}

/// The word that another core polls changes once in a while only: that core sleeps, and has to wake in time.
TEST_P(Beating, ACoreThatPollsTheWordIsWoken) {
  start(CoreId::brisc, code, {lui(s0, 2), addi(s11, s11, 1), srli(a5, s11, 9), sw(a5, s0, 0), jal(zero, -12)});
  start(CoreId::trisc1, 0x6000,
        {lui(s0, 2), fence, lw(t0, s0, 0), beq(t0, t1, -8), addi(t1, t0, 0), addi(t2, t2, 1), jal(zero, -20)});
  for (Cycle end = 3000; end <= 90'000; end += 3000)
    ASSERT_EQ(guest_.tile.run_window(end), Tile::Halt::reached);
  run_until(guest_.tile.now() + 1);
  EXPECT_GT(guest_.x(CoreId::trisc1, t2), 20U);
}

/// Their loads take the port, awake or asleep; those of T1 another one.
TEST_P(Beating, BesideCoresThatPollSomethingElse) {
  for (const CoreId other : {CoreId::trisc1, CoreId::trisc0, CoreId::ncrisc}) {
    start(other, 0x6000, {lui(s0, 3), fence, lw(t0, s0, 0), beq(t0, zero, -8), addi(t1, t1, 1), here});
    start({});
    const Cycle before = guest_.tile.left_out();
    run_until(guest_.tile.now() + 90'000);  // who sleeps does so from the second stretch on
    EXPECT_EQ(guest_.tile.left_out() > before + 10'000, other == CoreId::trisc1);
    for (GuestTile* guest : {&lockstep_, &guest_})
      guest->set_word(0x3000, 1);
    run_until(guest_.tile.now() + 300);
    EXPECT_EQ(guest_.x(other, t1), 1U);
    for (GuestTile* guest : {&lockstep_, &guest_})
      guest->set_word(0x3000, 0);
  }
}

TEST_P(Beating, ARunEndsWhenTheWordHasItsValue) {
  start({});
  for (const std::uint32_t value : {0xAABB'0400U, 0xAABB'0900U}) {
    for (GuestTile* guest : {&lockstep_, &guest_}) {
      guest->tile.stop_when(Heartbeat::word, value);
      EXPECT_EQ(guest->tile.run_until(100'000), Tile::Halt::met);
      guest->tile.forget_stop_words();
    }
    EXPECT_EQ(first_difference(lockstep_.tile, guest_.tile), "");
  }
}

TEST_P(Beating, ACoreInResetCountsNoMore) {
  start({});
  run_until(20'011);
  const std::uint32_t counted = guest_.word(Heartbeat::word);
  for (GuestTile* guest : {&lockstep_, &guest_})
    guest->tile.write_register(tile::TileControl::soft_reset_address, tile::TileControl::all_cores_held);
  ASSERT_EQ(guest_.tile.run_until(100'000), Tile::Halt::nothing_left);
  EXPECT_LE(guest_.word(Heartbeat::word) - counted, 1U);
}

}  // namespace
}  // namespace tensim
