// Semaphores in software: words of L1 that cores store to and poll.
#include <gtest/gtest.h>

#include "tests/support/guest_tile.hpp"

namespace tensim {
namespace {

using namespace rv;
using test::GuestTile;
using tile::CoreId;
using tile::Tile;

constexpr std::array all_core_ids{CoreId::brisc, CoreId::trisc0, CoreId::trisc1, CoreId::trisc2, CoreId::ncrisc};
constexpr Word semaphores = 0x20;  // lui of the base, 0x20000
constexpr int slot_bytes = 16;

class SoftwareSemaphore : public ::testing::TestWithParam<Arch> {};
INSTANTIATE_TEST_SUITE_P(Archs, SoftwareSemaphore, ::testing::Values(Arch::wormhole, Arch::blackhole));

/// Waits until the word at `slot` equals `value`, fencing the data cache.
std::vector<Word> wait_equal(int slot, int value) {
  return {lui(t0, semaphores), addi(t2, zero, value), fence, lw(t1, t0, slot * slot_bytes), bne(t1, t2, -8)};
}

TEST_P(SoftwareSemaphore, AStoreSetsItAndALoopOfLoadsWaitsForEquality) {  // P14 P15
  GuestTile guest(GetParam());
  std::vector<Word> waiter = wait_equal(0, 3);
  waiter.insert(waiter.end(), {addi(a0, zero, 1), here});
  guest.start(CoreId::trisc0, 0x6000, waiter);
  // 1, then 3: the waiter passes at 3 and not before.
  guest.start(CoreId::brisc, 0x1000,
              {lui(t0, semaphores), addi(t1, zero, 1), sw(t1, t0, 0), addi(t3, zero, 200), addi(t3, t3, -1),
               bne(t3, zero, -4), addi(t1, zero, 3), sw(t1, t0, 0), here});
  guest.tile.run_until(200);
  EXPECT_EQ(guest.word(0x20000), 1U);
  EXPECT_EQ(guest.x(CoreId::trisc0, a0), 0U);
  EXPECT_EQ(guest.tile.run_until(10'000), Tile::Halt::nothing_left);
  EXPECT_EQ(guest.x(CoreId::trisc0, a0), 1U);
}

TEST_P(SoftwareSemaphore, ALoopOfLoadsWaitsForAMinimum) {  // P15
  GuestTile guest(GetParam());
  constexpr Word bltu_t1_t2_back = 0xFE736CE3;  // bltu t1, t2, -8: while below
  guest.start(CoreId::trisc1, 0xA000,
              {lui(t0, semaphores), addi(t2, zero, 2), fence, lw(t1, t0, 0), bltu_t1_t2_back, addi(a0, t1, 0), here});
  guest.start(CoreId::ncrisc, 0x12000, {lui(t0, semaphores), addi(t1, zero, 5), sw(t1, t0, 0), here});
  EXPECT_EQ(guest.tile.run_until(10'000), Tile::Halt::nothing_left);
  EXPECT_EQ(guest.x(CoreId::trisc1, a0), 5U);
}

TEST_P(SoftwareSemaphore, SlotsAreApartAndAllFiveCoresUseThem) {  // P16 P22
  // A ring: each core waits for its slot of 16 bytes and sets its neighbour's; BRISC starts it.
  GuestTile guest(GetParam());
  for (unsigned i = 0; i < all_core_ids.size(); ++i) {
    std::vector<Word> program;
    const int next = static_cast<int>((i + 1) % all_core_ids.size());
    if (i != 0) program = wait_equal(static_cast<int>(i), 7);
    const std::vector<Word> set_next{lui(t0, semaphores), addi(t1, zero, 7), sw(t1, t0, next * slot_bytes)};
    program.insert(program.end(), set_next.begin(), set_next.end());
    if (i == 0) {
      const std::vector<Word> wait = wait_equal(0, 7);
      program.insert(program.end(), wait.begin(), wait.end());
    }
    program.insert(program.end(), {addi(a0, zero, 1), here});
    guest.start(all_core_ids[i], 0x1000 + 0x400 * i, program);
  }
  EXPECT_EQ(guest.tile.run_until(100'000), Tile::Halt::nothing_left);
  for (const CoreId core : all_core_ids)
    EXPECT_EQ(guest.x(core, a0), 1U) << name(core);
  for (unsigned slot = 0; slot < all_core_ids.size(); ++slot)
    EXPECT_EQ(guest.word(0x20000 + 16 * slot), 7U);
}

/// TRISC0 loads the word, waits, and loads it again; `between` is executed in between.
std::uint32_t second_load(Arch arch, const std::vector<Word>& first, const std::vector<Word>& between) {
  GuestTile guest(arch);
  std::vector<Word> reader = first;
  reader.insert(reader.end(),
                {lui(t0, semaphores), lw(t1, t0, 0), addi(t3, zero, 300), addi(t3, t3, -1), bne(t3, zero, -4)});
  reader.insert(reader.end(), between.begin(), between.end());
  reader.insert(reader.end(), {lw(a0, t0, 0), here});
  guest.start(CoreId::trisc0, 0x6000, reader);
  guest.start(CoreId::brisc, 0x1000,
              {lui(t0, semaphores), addi(t1, zero, 9), addi(t3, zero, 50), addi(t3, t3, -1), bne(t3, zero, -4),
               sw(t1, t0, 0), here});
  guest.tile.run_until(10'000);
  const bool stale = guest.x(CoreId::trisc0, a0) != 9;
  EXPECT_EQ(stale, !guest.tile.reports.empty());
  return guest.x(CoreId::trisc0, a0);
}

TEST(SoftwareSemaphoreBlackhole, TheDataCacheServesOldValuesUnlessFlushedOrDisabled) {  // P23
  EXPECT_EQ(second_load(Arch::blackhole, {}, {}), 0U);                                  // stale, and reported
  EXPECT_EQ(second_load(Arch::blackhole, {}, {fence}), 9U);                             // flushed
  constexpr Word cfg0 = 0x7c0;
  EXPECT_EQ(second_load(Arch::blackhole, {addi(t1, zero, 8), csrrs(zero, cfg0, t1)}, {}), 9U);  // DisLowCash
  EXPECT_EQ(second_load(Arch::wormhole, {}, {}), 9U);                                           // Wormhole has none
}

}  // namespace
}  // namespace tensim
