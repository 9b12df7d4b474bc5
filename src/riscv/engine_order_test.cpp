// What may pass what on the way to memory: the store queue, the retire queue, fences, atomics, and caches.
#include <gtest/gtest.h>

#include "tests/support/timed_core.hpp"

namespace tensim {
namespace {

using namespace rv;
using riscv::Core;
using riscv::CoreReport;
using riscv::CoreStall;
using test::Code;
using test::operator+;
using test::cycles_of;
using test::GuestTile;
using test::li;
using test::TimedCore;
using test::times;
using tile::CoreId;
using tile::Tile;

constexpr Word nop = addi(zero, zero, 0);
constexpr Word cfg0 = 0x7C0;

class Ordering : public ::testing::TestWithParam<Arch> {
 public:
  static bool is_blackhole() { return GetParam() == Arch::blackhole; }
};
INSTANTIATE_TEST_SUITE_P(Archs, Ordering, ::testing::ValuesIn(all_archs),
                         [](const auto& of) { return std::string(name(of.param)); });

// ---- loads and earlier stores ----

TEST_P(Ordering, ALoadPassesEarlierStoresToOtherBytes) {
  const Code before = li(s0, 0x20000) + times(3, {sw(t1, s0, 0), sw(t1, s0, 32)});
  EXPECT_EQ(cycles_of(GetParam(), CoreId::brisc, before, {lw(t0, s0, 64), addi(t1, t0, 0)}), 9U);
}

TEST_P(Ordering, ALoadWaitsForAnEarlierStoreToTheSameBytes) {
  TimedCore timed(GetParam(), CoreId::brisc);
  const tile::Cycle end =
      timed.run(li(s0, 0x20000) + li(t1, 0x1234'5678) + Code{sw(t1, s0, 0), lw(t0, s0, 0), addi(t2, t0, 0)});
  EXPECT_EQ(timed.x(CoreId::brisc, t2), 0x1234'5678U);
  EXPECT_GT(timed.core().account[CoreStall::store_queue], 0U);
  EXPECT_NE(end, tile::never);
}

TEST_P(Ordering, ALoadOfPartOfAStoreGetsThatPart) {
  TimedCore timed(GetParam(), CoreId::brisc);
  timed.run(li(s0, 0x20000) + li(t1, 0x1234'5678) + Code{sw(t1, s0, 0), lbu(t0, s0, 2), sb(t1, s0, 7), lw(t2, s0, 4)});
  EXPECT_EQ(timed.x(CoreId::brisc, t0), 0x34U);
  EXPECT_EQ(timed.x(CoreId::brisc, t2), 0x7800'0000U);
}

TEST(BlackholeOrdering, DisLdBufBypMakesLoadsWaitForAllStores) {
  const Code store_and_load{sw(t1, s0, 0), lw(t0, s0, 64), addi(t1, t0, 0)};
  const Code plain = li(s0, 0x20000);
  const Code waiting = plain + Code{csrrs(zero, cfg0, zero), addi(t2, zero, 1), csrrs(zero, cfg0, t2)};
  EXPECT_EQ(cycles_of(Arch::blackhole, CoreId::brisc, plain, store_and_load), 10U);
  EXPECT_GT(cycles_of(Arch::blackhole, CoreId::brisc, waiting, store_and_load), 10U + 15U);  // StMergeTimer is 16
}

/// When a store to L1 is seen there, counted from the cycle in which it entered the pipeline. Others to its block may
/// follow.
tile::Cycle seen_after(std::uint32_t config, const Code& others = {}) {
  TimedCore timed(Arch::blackhole, CoreId::brisc);
  const Code before = li(s0, 0x20000) + li(t2, config) + Code{csrrw(zero, cfg0, t2), addi(t1, zero, 1)};
  const tile::Cycle enters = TimedCore(Arch::blackhole, CoreId::brisc).run(before);
  timed.start(before + Code{sw(t1, s0, 0)} + others + Code{here});
  while (timed.word(0x20000) == 0 && timed.tile.now() < 1000)
    timed.tile.run_until(timed.tile.now() + 1);
  return timed.tile.now() - enters;
}

TEST(BlackholeOrdering, AStoreWaitsForOthersAsLongAsStMergeTimerSays) {
  EXPECT_EQ(seen_after(16U << 13U) - seen_after(0), 16U);
  EXPECT_EQ(seen_after(31U << 13U) - seen_after(0), 31U);
}

TEST(BlackholeOrdering, StMergeTimerRunsFromTheFirstStoreOfABlock) {
  const Code others = times(4, {nop, sw(t1, s0, 4), sw(t1, s0, 0)});
  EXPECT_EQ(seen_after(16U << 13U, others), seen_after(16U << 13U));
}

TEST(BlackholeOrdering, ABlockThatIsStoredToAllTheTimeGetsToL1) {
  for (const bool lockstep : {true, false}) {
    TimedCore timed(Arch::blackhole, CoreId::brisc);
    timed.tile.walk_in_lockstep(lockstep);
    timed.start(li(s0, 0x20000) + Code{addi(t1, t1, 1), sw(t1, s0, 0), jal(zero, -8)});
    std::uint32_t last = 0;
    for (const tile::Cycle end : {1000U, 2000U, 3000U}) {
      timed.tile.run_until(end);
      EXPECT_GT(timed.word(0x20000), last) << end << (lockstep ? " walking" : " running ahead");
      last = timed.word(0x20000);
    }
  }
}

TEST(BlackholeOrdering, AStoreDoesNotMergeWithOneThatHasLeft) {
  for (const bool lockstep : {true, false}) {
    TimedCore timed(Arch::blackhole, CoreId::brisc);
    timed.tile.walk_in_lockstep(lockstep);
    timed.tile.stop_when(0x20000, 1);
    timed.start(li(s0, 0x20000) + Code{addi(t1, zero, 1), sw(t1, s0, 0)} + times(40, {nop}) + Code{sw(t1, s0, 4)} +
                times(100, {nop}) + Code{here});
    EXPECT_EQ(timed.tile.run_until(10'000), Tile::Halt::met);
    EXPECT_LT(timed.tile.now(), 30U) << (lockstep ? "walking" : "running ahead");
    EXPECT_EQ(timed.word(0x20004), 0U);
  }
}

TEST_P(Ordering, AStoreToLocalRamDoesNotQueueBehindOneThatHasLeft) {
  std::array<tile::Cycle, 2> seen{};
  for (const bool lockstep : {false, true}) {
    TimedCore timed(GetParam(), CoreId::brisc);
    timed.tile.walk_in_lockstep(lockstep);
    timed.tile.stop_when(0x20020, 1);
    timed.start(li(s0, 0x20000) + li(s1, 0xFFB00000) +
                Code{addi(t1, zero, 1), sw(t1, s0, 0), sw(t1, s0, 64), nop, nop, sw(t1, s1, 0), sw(t1, s0, 32), here});
    EXPECT_EQ(timed.tile.run_until(10'000), Tile::Halt::met);
    seen[lockstep ? 1 : 0] = timed.tile.now();
  }
  EXPECT_EQ(seen[0], seen[1]);
}

TEST_P(Ordering, FourStoresFitBehindTheQueuesHeadWhileNobodyTakesIt) {
  for (const bool lockstep : {false, true}) {
    TimedCore timed(GetParam(), CoreId::brisc);
    timed.tile.walk_in_lockstep(lockstep);
    // BRISC's mailbox to itself holds four words; the fifth stays in the store queue, with three more.
    timed.start(li(s0, 0xFFEC0000) + times(12, {sw(t1, s0, 0), nop, nop}) + Code{here});
    timed.tile.run_until(1000);
    EXPECT_EQ(timed.core().stores.size(), 4U);
    EXPECT_EQ(timed.core().pc, TimedCore::code_address + 8 + 8 * 12) << (lockstep ? "walking" : "running ahead");
  }
}

TEST(BlackholeOrdering, DisStMergeLetsAStoreLeaveAtOnce) {
  EXPECT_EQ(seen_after(1U << 12U | 31U << 13U), seen_after(0));
}

TEST_P(Ordering, AStoreToNothingStopsTheRunInItsCycle) {
  std::array<tile::Cycle, 2> stopped{};
  for (const bool lockstep : {false, true}) {
    TimedCore timed(GetParam(), CoreId::brisc);
    timed.tile.walk_in_lockstep(lockstep);
    timed.start(li(s0, 0xE000'0000) + Code{sw(t1, s0, 0)} + times(50, {nop}) + Code{here});
    EXPECT_EQ(timed.tile.run_until(10'000), Tile::Halt::core_stopped);
    stopped[lockstep ? 1 : 0] = timed.core().stop->cycle;
  }
  EXPECT_EQ(stopped[0], stopped[1]);
}

TEST_P(Ordering, AStoreToNothingStopsTheCoreAtTheStore) {
  TimedCore timed(GetParam(), CoreId::brisc);
  timed.start(li(s0, 0xE000'0000) + li(s1, 0x20000) + Code{sw(t1, s0, 0), sw(s1, s1, 0), sw(s1, s1, 32), nop, here});
  EXPECT_EQ(timed.tile.run_until(10'000), Tile::Halt::core_stopped);
  ASSERT_TRUE(timed.core().stop);
  EXPECT_EQ(timed.core().stop->pc, TimedCore::code_address + 16);
  EXPECT_EQ(timed.core().stop->address, 0xE000'0000U);
  EXPECT_TRUE(timed.core().stop->is_store);
  EXPECT_EQ(timed.word(0x20000), 0U);  // a later store does not happen
}

// ---- the retire queue ----

/// A load from BRISC's empty mailbox to itself, `between`, then the store that fills it.
Code mailbox_read_from_the_future(const Code& between) {
  return li(t0, 0xFFEC0000) + Code{addi(t1, zero, 123), lw(t2, t0, 0)} + between +
         Code{sw(t1, t0, 0), addi(a0, t2, 0), here};
}

TEST_P(Ordering, AMailboxCanBeReadBeforeItIsFilled) {
  for (const unsigned between : {0U, 1U, 5U, 6U}) {
    TimedCore timed(GetParam(), CoreId::brisc);
    timed.start(mailbox_read_from_the_future(times(between, {nop})));
    EXPECT_EQ(timed.tile.run_until(10'000), Tile::Halt::nothing_left);
    EXPECT_EQ(timed.x(CoreId::brisc, a0), 123U) << between;
  }
}

TEST_P(Ordering, TheEighthInstructionBehindALoadWaitsForIt) {
  TimedCore timed(GetParam(), CoreId::brisc);
  timed.start(mailbox_read_from_the_future(times(7, {nop})));
  EXPECT_EQ(timed.tile.run_until(10'000), Tile::Halt::nothing_left);
  EXPECT_EQ(timed.core().status, Core::Status::waits_for_answer);
  EXPECT_EQ(timed.core().waiting, CoreStall::retire_queue);
  EXPECT_EQ(timed.x(CoreId::brisc, a0), 0U);
}

TEST_P(Ordering, AFenceKeepsTheMailboxFromBeingFilledOnBlackhole) {
  TimedCore timed(GetParam(), CoreId::brisc);
  timed.start(mailbox_read_from_the_future({fence}));
  EXPECT_EQ(timed.tile.run_until(10'000), Tile::Halt::nothing_left);
  EXPECT_EQ(timed.x(CoreId::brisc, a0), is_blackhole() ? 0U : 123U);
}

TEST_P(Ordering, AnInstructionThatNeedsALoadHoldsUpAllBehindIt) {
  TimedCore timed(GetParam(), CoreId::brisc);
  timed.start(mailbox_read_from_the_future({addi(t3, t2, 0)}));
  EXPECT_EQ(timed.tile.run_until(10'000), Tile::Halt::nothing_left);
  EXPECT_EQ(timed.core().status, Core::Status::waits_for_answer);
  EXPECT_EQ(timed.core().waiting, CoreStall::operand);
}

TEST_P(Ordering, LaterLoadsOfOtherRegionsAreAnsweredBeforeAnEarlierOne) {
  TimedCore timed(GetParam(), CoreId::brisc);
  const Code other_load = Code{lw(t3, s0, 0), addi(t4, t3, 1)};
  timed.set_word(0x20000, 41);
  timed.start(li(s0, 0x20000) + mailbox_read_from_the_future(other_load));
  EXPECT_EQ(timed.tile.run_until(10'000), Tile::Halt::nothing_left);
  EXPECT_EQ(timed.x(CoreId::brisc, t4), 42U);
  EXPECT_EQ(timed.x(CoreId::brisc, a0), 123U);
}

// ---- fences and atomics ----

TEST_P(Ordering, AFenceWaitsForTheStoreQueueOnBlackholeAndIsANopOnWormhole) {
  const Code before = li(s0, 0x20000) + times(2, {sw(t1, s0, 0), sw(t1, s0, 32)});
  const tile::Cycle cycles = cycles_of(GetParam(), CoreId::brisc, before, {fence});
  if (is_blackhole())
    EXPECT_GT(cycles, 15U);
  else
    EXPECT_EQ(cycles, 1U);
}

TEST(BlackholeOrdering, AnAtomicWaitsForEarlierStores) {
  TimedCore timed(Arch::blackhole, CoreId::brisc);
  timed.run(li(s0, 0x20000) + Code{addi(t1, zero, 40), addi(t2, zero, 2), sw(t1, s0, 0), sw(t1, s0, 32),
                                   amoadd(t0, t2, s0), lw(t3, s0, 0), addi(t4, t3, 0)});
  EXPECT_EQ(timed.x(CoreId::brisc, t0), 40U);
  EXPECT_EQ(timed.x(CoreId::brisc, t4), 42U);
  EXPECT_EQ(timed.word(0x20020), 40U);
}

TEST(BlackholeOrdering, AtomicsOfFiveCoresLoseNoIncrement) {
  GuestTile guest(Arch::blackhole);
  const Code increments = li(s0, 0x20000) + Code{addi(t1, zero, 1), addi(t2, zero, 50), amoadd(t0, t1, s0),
                                                 addi(t2, t2, -1),  bne(t2, zero, -8),  here};
  for (unsigned core = 0; core < tile::core_count; ++core)
    guest.start(static_cast<CoreId>(core), 0x1000 + 0x1000 * core, increments);
  EXPECT_EQ(guest.tile.run_until(100'000), Tile::Halt::nothing_left);
  EXPECT_EQ(guest.word(0x20000), 250U);
}

TEST(BlackholeOrdering, AnAtomicOutsideL1StopsTheCore) {
  TimedCore timed(Arch::blackhole, CoreId::brisc);
  timed.run(li(s0, 0xFFB00000) + Code{amoadd(t0, t1, s0)});
  ASSERT_TRUE(timed.core().stop);
  EXPECT_EQ(timed.core().stop->reason, riscv::CoreStop::Reason::access);
  EXPECT_EQ(timed.core().stop->access_fault, tile::AccessFault::not_atomic);
}

// ---- the L0 data cache ----

/// TRISC0 loads a word, waits until BRISC has changed it, does `refresh`, and loads it again into a0.
GuestTile read_changed_word(const Code& before, const Code& refresh) {
  GuestTile guest(Arch::blackhole);
  guest.start(CoreId::trisc0, 0x2000,
              li(s0, 0x20000) + before + Code{lw(t0, s0, 0), addi(t2, zero, 200), addi(t2, t2, -1), bne(t2, zero, -4)} +
                  refresh + Code{lw(a0, s0, 0), addi(a1, a0, 0), here});
  guest.start(CoreId::brisc, 0x1000,
              li(s0, 0x20000) + Code{addi(t0, zero, 5)} + times(30, {nop}) + Code{sw(t0, s0, 0), here});
  guest.tile.run_until(10'000);
  return guest;
}

TEST(BlackholeOrdering, TheDataCacheServesStaleWordsAndThatIsReported) {  // P23
  const GuestTile guest = read_changed_word({}, {});
  EXPECT_EQ(guest.x(CoreId::trisc0, a1), 0U);
  ASSERT_EQ(guest.tile.reports.size(), 1U);
  const CoreReport& report = guest.tile.reports[0].report;
  EXPECT_EQ(report.category, CoreReport::Category::stale_read);
  EXPECT_EQ(report.address, 0x20000U);
  EXPECT_EQ(report.value, 0U);
  EXPECT_EQ(report.memory, 5U);
}

TEST(BlackholeOrdering, AFenceAnAtomicOrCfg0KeepsItFromServingThem) {  // P23
  const Code disable{addi(t1, zero, 8), csrrs(zero, cfg0, t1)};
  const Code atomic = li(s1, 0x30000) + Code{amoadd(zero, zero, s1)};
  for (const auto& [before, refresh] :
       {std::pair<Code, Code>{{}, {fence}}, std::pair<Code, Code>{{}, atomic}, std::pair<Code, Code>{disable, {}}}) {
    const GuestTile guest = read_changed_word(before, refresh);
    EXPECT_EQ(guest.x(CoreId::trisc0, a1), 5U);
    EXPECT_TRUE(guest.tile.reports.empty());
  }
}

TEST(BlackholeOrdering, AnOwnStoreFlushesItsLine) {
  TimedCore timed(Arch::blackhole, CoreId::brisc);
  timed.run(li(s0, 0x20000) + Code{lw(t0, s0, 0), addi(t0, t0, 7), sw(t0, s0, 0), lw(t1, s0, 0), addi(t2, t1, 0)});
  EXPECT_EQ(timed.x(CoreId::brisc, t2), 7U);
  EXPECT_TRUE(timed.tile.reports.empty());
}

// ---- stops ----

TEST(WormholeOrdering, AStopInInstructionRamNamesTheWord) {
  GuestTile guest(Arch::wormhole);
  guest.start(CoreId::ncrisc, 0xFFC00000, {nop, 0xFFFF'FFFF});
  EXPECT_EQ(guest.tile.run_until(1000), Tile::Halt::core_stopped);
  EXPECT_EQ(guest.tile.core(CoreId::ncrisc).stop->pc, 0xFFC00004U);
  EXPECT_EQ(guest.tile.core(CoreId::ncrisc).stop->word, 0xFFFF'FFFFU);
}

// ---- misaligned accesses and jumps ----

TEST_P(Ordering, AJumpBetweenInstructionsStopsTheCoreThoughTheCodeIsCached) {
  for (const Code& jump : {li(t0, 0x1006) + Code{jalr(zero, t0, 0)}, Code{jal(zero, 6)}, Code{beq(zero, zero, 6)}}) {
    TimedCore timed(GetParam(), CoreId::brisc);
    timed.start(jump + times(4, {nop}) + Code{here});
    EXPECT_EQ(timed.tile.run_until(10'000), Tile::Halt::core_stopped);
    ASSERT_TRUE(timed.core().stop);
    EXPECT_EQ(timed.core().stop->reason, riscv::CoreStop::Reason::misaligned_jump);
    EXPECT_EQ(timed.core().stop->pc % 4, 2U);
  }
}

TEST_P(Ordering, AMisalignedLoadGoesToTheAlignedAddressOnWormholeAndStopsBlackhole) {
  TimedCore timed(GetParam(), CoreId::brisc);
  timed.set_word(0x20000, 0x1234'5678);
  timed.run(li(s0, 0x20000) + Code{lw(t0, s0, 2), addi(t1, t0, 0)});
  if (is_blackhole()) {
    EXPECT_EQ(timed.core().stop->reason, riscv::CoreStop::Reason::access);
    EXPECT_EQ(timed.core().stop->access_fault, tile::AccessFault::misaligned);
    return;
  }
  EXPECT_EQ(timed.x(CoreId::brisc, t1), 0x1234'5678U);
  ASSERT_EQ(timed.tile.reports.size(), 1U);
  EXPECT_EQ(timed.tile.reports[0].report.category, CoreReport::Category::rounded_down);
  EXPECT_EQ(timed.tile.reports[0].report.address, 0x20002U);
}

TEST(WormholeOrdering, AMisalignedStoreGoesToTheAlignedAddress) {
  TimedCore timed(Arch::wormhole, CoreId::brisc);
  timed.run(li(s0, 0x20000) + li(t0, 0x1234'5678) + Code{sw(t0, s0, 3), sh(t0, s0, 9), fence} + times(20, {nop}));
  EXPECT_EQ(timed.word(0x20000), 0x1234'5678U);
  EXPECT_EQ(timed.word(0x20004), 0U);
  EXPECT_EQ(timed.word(0x20008), 0x5678U);
}

}  // namespace
}  // namespace tensim
