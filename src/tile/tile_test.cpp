#include "tile/tile.hpp"

#include <gtest/gtest.h>

#include "tests/support/guest_tile.hpp"

namespace tensim {
namespace {

using namespace rv;
using test::GuestTile;
using tile::CoreId;
using tile::Tile;
using time::Cycle;

class EachChip : public ::testing::TestWithParam<Arch> {};
INSTANTIATE_TEST_SUITE_P(Tile, EachChip, ::testing::Values(Arch::wormhole, Arch::blackhole));

TEST_P(EachChip, ACoreCountsDownAndParks) {
  GuestTile guest(GetParam());
  guest.start(CoreId::brisc, 0x1000,
              {addi(t0, zero, 100), addi(t0, t0, -1), bne(t0, zero, -4), addi(a0, zero, 7), here});
  EXPECT_EQ(guest.tile.run_until(100'000), Tile::Halt::nothing_left);
  EXPECT_EQ(guest.x(CoreId::brisc, a0), 7U);
  EXPECT_EQ(guest.x(CoreId::brisc, t0), 0U);
}

// Firmware's loops are long enough for that: the guesses change in every round, and are the same after it.
TEST_P(EachChip, ACoreSleepsThoughTwoBranchesOfItsLoopShareAGuess) {
  GuestTile guest(GetParam());
  constexpr std::uint32_t start = 0x1000;
  constexpr std::uint32_t far = 0x400;  // a multiple of both chips' tables
  std::vector<Word> words{lui(t0, 0x20), fence, lw(t1, t0, 0), bne(t1, zero, 8), jal(zero, far - 4)};
  const std::size_t branch = 3;
  words.resize(branch + far / 4, here);
  words.push_back(beq(t1, zero, 4 - static_cast<int>(4 * branch + far)));
  guest.start(CoreId::brisc, start, words);
  EXPECT_EQ(guest.tile.run_until(100'000), Tile::Halt::nothing_left);
}

TEST_P(EachChip, WhatOneCoreStoresAnotherThatPollsSees) {
  GuestTile guest(GetParam());
  // BRISC counts for a while, then stores 5 to 0x4000.
  guest.start(
      CoreId::brisc, 0x1000,
      {lui(t1, 4), addi(t0, zero, 1000), addi(t0, t0, -1), bne(t0, zero, -4), addi(t2, zero, 5), sw(t2, t1, 0), here});
  // TRISC0 polls it, a fence in the loop for the data cache.
  guest.start(CoreId::trisc0, 0x2000, {lui(t1, 4), fence, lw(t0, t1, 0), beq(t0, zero, -8), addi(a0, t0, 1), here});
  EXPECT_EQ(guest.tile.run_until(100'000), Tile::Halt::nothing_left);
  EXPECT_EQ(guest.x(CoreId::trisc0, a0), 6U);
}

TEST_P(EachChip, LockStepAndRunningAheadEndInTheSameState) {
  GuestTile ahead(GetParam());
  GuestTile lockstep(GetParam());
  lockstep.tile.walk_in_lockstep(true);
  for (GuestTile* guest : {&ahead, &lockstep}) {
    guest->start(CoreId::brisc, 0x1000,
                 {lui(t1, 4), addi(t0, zero, 1000), addi(t0, t0, -1), bne(t0, zero, -4), addi(t2, zero, 5),
                  sw(t2, t1, 0), here});
    guest->start(CoreId::trisc0, 0x2000, {lui(t1, 4), fence, lw(t0, t1, 0), beq(t0, zero, -8), addi(a0, t0, 1), here});
    if (guest->tile.run_until(5000) == Tile::Halt::nothing_left) guest->tile.idle_until(5000);
  }
  for (const CoreId core : {CoreId::brisc, CoreId::trisc0}) {
    EXPECT_EQ(ahead.tile.core(core).clock, lockstep.tile.core(core).clock);
    EXPECT_EQ(ahead.tile.core(core).retired, lockstep.tile.core(core).retired);
    EXPECT_EQ(ahead.tile.core(core).x, lockstep.tile.core(core).x);
    EXPECT_EQ(ahead.tile.core(core).account, lockstep.tile.core(core).account);
    EXPECT_EQ(ahead.tile.core(core).pc, lockstep.tile.core(core).pc);
  }
}

TEST_P(EachChip, IdleCoresGoOnHoweverOftenTheyAreLookedAt) {
  GuestTile guest(GetParam());
  guest.start(CoreId::brisc, 0x1000, {here});
  ASSERT_EQ(guest.tile.run_until(1000), Tile::Halt::nothing_left);
  for (const Cycle end : {1000U, 1500U, 1500U, 4000U}) {
    guest.tile.idle_until(end);
    EXPECT_EQ(guest.tile.core(CoreId::brisc).clock, end);
  }
}

TEST_P(EachChip, ACoprocessorThatNobodyUsesHasIssuedNothing) {
  Tile tile(GetParam());
  tile.idle_until(1000);
  EXPECT_EQ(tile.coprocessor.accounts[0][event::Stall::issued], 0U);
  EXPECT_EQ(tile.coprocessor.accounts[0][event::Stall::empty], 1000U);
}

TEST_P(EachChip, WhatTheHostWritesASleepingCoreSees) {
  GuestTile guest(GetParam());
  guest.start(CoreId::trisc0, 0x2000, {lui(t1, 4), fence, lw(t0, t1, 0), beq(t0, zero, -8), addi(a0, t0, 1), here});
  EXPECT_EQ(guest.tile.run_until(100'000), Tile::Halt::nothing_left);
  guest.set_word(0x4000, 5);
  EXPECT_EQ(guest.tile.run_until(200'000), Tile::Halt::nothing_left);
  EXPECT_EQ(guest.x(CoreId::trisc0, a0), 6U);
}

TEST_P(EachChip, APushReachesTheCoprocessor) {
  GuestTile guest(GetParam());
  constexpr Word sempost_1 = 0xA4000008;
  guest.start(CoreId::trisc1, 0x3000, {ttinsn(sempost_1), ttinsn(sempost_1), here});
  guest.tile.coprocessor.sync.set_semaphore(1, {0, 15});
  EXPECT_EQ(guest.tile.run_until(10'000), Tile::Halt::nothing_left);
  EXPECT_EQ(guest.tile.coprocessor.sync.semaphores()[1].value, 2);
}

TEST_P(EachChip, AnAssertionStopsTheRunInItsCycle) {
  GuestTile guest(GetParam());
  guest.start(CoreId::brisc, 0x1000, {addi(t0, zero, 100), addi(t0, t0, -1), bne(t0, zero, -4), ebreak});
  guest.start(CoreId::trisc0, 0x2000, {addi(t0, t0, 1), jal(zero, -4)});
  EXPECT_EQ(guest.tile.run_until(100'000), Tile::Halt::core_stopped);
  EXPECT_EQ(guest.tile.stopped_core(), CoreId::brisc);
  const auto& stop = *guest.tile.core(CoreId::brisc).stop;
  EXPECT_EQ(stop.pc, 0x100CU);
  EXPECT_LE(guest.tile.core(CoreId::trisc0).clock, stop.cycle + 8);  // not far ahead of it
}

TEST_P(EachChip, AStoreThatMeansNothingStopsTheCoreInItsCycle) {
  GuestTile ahead(GetParam());
  GuestTile lockstep(GetParam());
  lockstep.tile.walk_in_lockstep(true);
  for (GuestTile* guest : {&ahead, &lockstep}) {
    std::vector<Word> words{lui(t1, 0xF0000), sw(t0, t1, 0)};
    words.insert(words.end(), 100, addi(t0, t0, 1));  // the core goes on before the store leaves it
    words.push_back(here);
    guest->start(CoreId::brisc, 0x1000, words);
    EXPECT_EQ(guest->tile.run_until(10'000), Tile::Halt::core_stopped);
    EXPECT_EQ(guest->tile.core(CoreId::brisc).stop->pc, 0x1004U);
  }
  EXPECT_EQ(ahead.tile.core(CoreId::brisc).stop->cycle, lockstep.tile.core(CoreId::brisc).stop->cycle);
  EXPECT_EQ(ahead.tile.core(CoreId::brisc).retired, lockstep.tile.core(CoreId::brisc).retired);
}

TEST_P(EachChip, ALoadSeesTheCoresOwnStoreToConfiguration) {
  GuestTile guest(GetParam());
  guest.start(CoreId::brisc, 0x1000,
              {lui(t1, 0xFFEF0), addi(t0, zero, 77), sw(t0, t1, 4), lw(a0, t1, 4), addi(a0, a0, 1), lui(t1, 0xFFE00),
               sw(t0, t1, 8), lw(a1, t1, 8), here});
  EXPECT_EQ(guest.tile.run_until(10'000), Tile::Halt::nothing_left);
  EXPECT_EQ(guest.x(CoreId::brisc, a0), 78U);
  EXPECT_EQ(guest.x(CoreId::brisc, a1), 77U);
}

TEST_P(EachChip, TheCoprocessorWaitsForPushesThatItHasMadeRoomFor) {
  // Pushes more than the FIFOs hold behind a wait that a store of TRISC1 ends: each push lands in the same cycle
  // whether agents run ahead or not.
  constexpr Word semwait_0 = 0xA6FF8005;  // everything, while semaphore 0 is zero
  constexpr Word nop = 0x02000000;
  GuestTile ahead(GetParam());
  GuestTile lockstep(GetParam());
  lockstep.tile.walk_in_lockstep(true);
  for (GuestTile* guest : {&ahead, &lockstep}) {
    std::vector<Word> words{ttinsn(semwait_0)};
    for (int i = 0; i < 80; ++i) {
      words.push_back(ttinsn(nop));
      words.push_back(addi(t0, t0, 1));
    }
    words.push_back(here);
    guest->tile.coprocessor.sync.set_semaphore(0, {0, 15});
    guest->start(CoreId::trisc0, 0x1000, words);
    guest->start(
        CoreId::trisc1, 0x2000,
        {addi(t0, zero, 500), addi(t0, t0, -1), bne(t0, zero, -4), lui(t1, 0xFFE80), sw(zero, t1, 0x20), here});
    if (guest->tile.run_until(5000) == Tile::Halt::nothing_left) guest->tile.idle_until(5000);
  }
  EXPECT_EQ(ahead.tile.core(CoreId::trisc0).account, lockstep.tile.core(CoreId::trisc0).account);
  EXPECT_EQ(ahead.tile.core(CoreId::trisc0).retired, lockstep.tile.core(CoreId::trisc0).retired);
}

TEST(TileBlackhole, SoftwareNumbersCoresDifferentlyFromHardwaresMasks) {  // C36
  // The pc snapshots stand in the order of software: B, NC, T0, T1, T2. Masks have B, T0, T1, T2, NC.
  GuestTile guest(Arch::blackhole);
  const std::array ids{CoreId::ncrisc, CoreId::trisc0, CoreId::trisc1, CoreId::trisc2};
  for (unsigned i = 0; i < ids.size(); ++i)
    guest.start(ids[i], 0x6000 + 0x1000 * i, {here});
  guest.start(CoreId::brisc, 0x1000,
              {lui(t0, 0xFFB13), lw(a0, t0, 0x13C), lw(a1, t0, 0x140), lw(a2, t0, 0x144), lw(a3, t0, 0x148), here});
  guest.tile.run_until(2000);
  for (unsigned i = 0; i < ids.size(); ++i)
    EXPECT_EQ(guest.x(CoreId::brisc, a0 + i), 0x6000 + 0x1000 * i);
  EXPECT_EQ(bit(CoreId::brisc) | bit(CoreId::trisc0) << 1U, 1 | 2 << 1);
  EXPECT_EQ(bit(CoreId::ncrisc), 16);
}

}  // namespace
}  // namespace tensim
