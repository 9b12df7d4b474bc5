// How long instructions take in the pipeline: arithmetic, branches, loads by what they read, and stores.
#include <gtest/gtest.h>

#include "tests/support/timed_core.hpp"

namespace tensim {
namespace {

using namespace rv;
using test::Code;
using test::operator+;
using test::cycles_of;
using test::li;
using test::times;
using tile::CoreId;

class Pipeline : public ::testing::TestWithParam<Arch> {
 public:
  static bool is_blackhole() { return GetParam() == Arch::blackhole; }
  static tile::Cycle cycles(const Code& before, const Code& code) {
    return cycles_of(GetParam(), CoreId::trisc1, before, code);
  }
};
INSTANTIATE_TEST_SUITE_P(Archs, Pipeline, ::testing::ValuesIn(all_archs),
                         [](const auto& of) { return std::string(name(of.param)); });

// ---- arithmetic and branches ----

TEST_P(Pipeline, IntegerInstructionsTakeACycleDependentOrNot) {
  EXPECT_EQ(cycles({}, {addi(t0, zero, 1), addi(t1, zero, 1), add(t2, zero, zero)}), 3U);
  EXPECT_EQ(cycles({}, {addi(t0, t0, 1), addi(t0, t0, 1), add(t0, t0, t0)}), 3U);
}

TEST_P(Pipeline, AProductIsThereAfterTwoCycles) {
  EXPECT_EQ(cycles({}, {mul(t0, t1, t2), mul(t0, t0, t2), addi(t0, t0, 1)}), 5U);
}

TEST_P(Pipeline, IndependentMultipliesFollowEachOtherOnBlackholeOnly) {
  EXPECT_EQ(cycles({}, {mul(t0, t1, t2), mul(s0, t1, t2), mul(s1, t1, t2)}), is_blackhole() ? 3U : 6U);
}

TEST_P(Pipeline, DivisionIsShortInTrivialCasesAndOtherwiseGrowsWithTheDividend) {
  const auto division = [&](std::uint32_t dividend, std::uint32_t divisor) {
    return cycles(li(t0, dividend) + li(t1, divisor), {divu(t2, t0, t1)});
  };
  EXPECT_EQ(division(100, 0), 2U);
  EXPECT_EQ(division(100, 1), 2U);
  EXPECT_EQ(division(3, 2), 6U);
  EXPECT_EQ(division(0xFFFF'FFFF, 3), 33U);
  EXPECT_GT(division(0x10'0000, 3), division(0x1000, 3));
}

TEST_P(Pipeline, TheMostNegativeValueByMinusOneIsTrivial) {
  constexpr Word div_t2_t0_t1 = r_type(0x33, 4, 1, t2, t0, t1);
  EXPECT_EQ(cycles(li(t0, 0x8000'0000) + li(t1, ~0U), {div_t2_t0_t1}), 2U);
}

TEST_P(Pipeline, AForwardBranchIsGuessedNotTaken) {
  const unsigned bubble = is_blackhole() ? 4 : 2;
  EXPECT_EQ(cycles({}, {bne(zero, zero, 8)}), 1U);
  EXPECT_EQ(cycles({}, {beq(zero, zero, 4)}), 1U + bubble);
  EXPECT_EQ(cycles({}, {jal(zero, 4)}), 1U + bubble);
}

TEST_P(Pipeline, ABranchBackCostsNothingInsideALoop) {
  const auto loop = [&](int rounds) { return cycles({addi(t0, zero, rounds)}, {addi(t0, t0, -1), bne(t0, zero, -4)}); };
  // Unknown at first, then guessed to do what it did last.
  const unsigned bubble = is_blackhole() ? 4 : 2;
  EXPECT_EQ(loop(1), 2U);
  EXPECT_EQ(loop(2), 4U + 2 * bubble);
  EXPECT_EQ(loop(10) - loop(9), 2U);
}

TEST(BlackholePipeline, ALoopEnteredAgainCostsABubbleBehindItsFirstTripAndItsLast) {
  // Silicon s_co_plain: 24, 36 and 60 cycles for 2, 4 and 8 trips of 6.
  const auto again = [](int rounds) {
    const Code loop{addi(t0, zero, rounds), addi(t0, t0, -1), bne(t0, zero, -4), addi(t1, t1, -1), bne(t1, zero, -16)};
    const auto passes = [&](int count) {
      return cycles_of(Arch::blackhole, CoreId::brisc, {addi(t1, zero, count)}, loop);
    };
    return passes(6) - passes(5);
  };
  EXPECT_EQ(again(1), 5U);
  EXPECT_EQ(again(2), 7U + 4U + 4U);
  EXPECT_EQ(again(8), 19U + 4U + 4U);
}

TEST_P(Pipeline, BlackholeLearnsWhereAnIndirectJumpGoes) {
  // Twice through a call and its return.
  const Code twice{addi(t0, zero, 2), jal(ra, 16),  addi(t0, t0, -1),
                   bne(t0, zero, -8), jal(zero, 8), jalr(zero, ra, 0)};
  const Code once{addi(t0, zero, 1), jal(ra, 16), addi(t0, t0, -1), bne(t0, zero, -8), jal(zero, 8), jalr(zero, ra, 0)};
  // Call, return, addi, branch: Wormhole pays for call and return again, Blackhole for neither, but twice for the branch.
  EXPECT_EQ(cycles({}, twice) - cycles({}, once), is_blackhole() ? 4U + 2U * 4U : 8U);
}

// ---- loads ----

struct LoadedFrom {
  const char* what;
  std::uint32_t address;
  unsigned wormhole, blackhole;
};

constexpr LoadedFrom latencies[] = {
    {"local RAM", 0xFFB00000, 2, 2},      {"a mailbox's state", 0xFFEC0004, 3, 3},
    {"a semaphore", 0xFFE80020, 3, 3},    {"TTSync", 0xFFE80004, 4, 7},
    {"a GPR", 0xFFE00000, 4, 4},          {"configuration", 0xFFEF0000, 4, 4},
    {"the wall clock", 0xFFB121F0, 7, 7}, {"L1", 0x20000, 8, 8},
};

TEST_P(Pipeline, ALoadsResultCanBeUsedAfterTheLatencyOfItsRegion) {
  for (const LoadedFrom& from : latencies) {
    const unsigned latency = is_blackhole() ? from.blackhole : from.wormhole;
    EXPECT_EQ(cycles(li(s0, from.address), {lw(t0, s0, 0), addi(t1, t0, 0)}), latency + 1) << from.what;
  }
}

TEST_P(Pipeline, IndependentInstructionsHideALoadsLatency) {
  for (const LoadedFrom& from : latencies) {
    const unsigned latency = is_blackhole() ? from.blackhole : from.wormhole;
    const Code hidden = Code{lw(t0, s0, 0)} + times(latency - 1, {addi(t2, t2, 1)}) + Code{addi(t1, t0, 0)};
    EXPECT_EQ(cycles(li(s0, from.address), hidden), latency + 1) << from.what;
  }
}

TEST_P(Pipeline, FourLoadsFromL1AreUnderWayAtATime) {
  Code loads;
  for (int i = 0; i < 16; ++i)
    loads.push_back(lw(a0 + static_cast<Word>(i) % 8, s0, 16 * i));
  const auto first = [&](int count) { return cycles(li(s0, 0x20000), {loads.begin(), loads.begin() + count}); };
  EXPECT_EQ(first(4), 4U);
  EXPECT_EQ(first(5), 8U);
  EXPECT_EQ(first(12) - first(8), 7U);
  EXPECT_EQ(first(16) - first(12), 7U);
}

TEST_P(Pipeline, LoadsFromLocalRamEnterEveryCycle) {
  EXPECT_EQ(cycles(li(s0, 0xFFB00000), times(16, {lw(t0, s0, 0)})), 16U);
}

TEST(BlackholePipeline, AHitOfTheDataCacheTakesTwoCycles) {
  const Code miss_then_hit{lw(t0, s0, 0), addi(t1, t0, 0), lw(t0, s0, 12), addi(t1, t0, 0)};
  EXPECT_EQ(cycles_of(Arch::blackhole, CoreId::brisc, li(s0, 0x20000), miss_then_hit), 9U + 3U);
  EXPECT_EQ(cycles_of(Arch::wormhole, CoreId::brisc, li(s0, 0x20000), miss_then_hit), 9U + 9U);
}

TEST(BlackholePipeline, AnAtomicTakesTwelveCycles) {
  EXPECT_EQ(cycles_of(Arch::blackhole, CoreId::brisc, li(s0, 0x20000), {amoadd(t0, t1, s0), addi(t1, t0, 0)}), 13U);
}

// ---- stores ----

/// Word stores whose blocks of 16 bytes are all different.
Code scattered_stores(int count) {
  Code stores;
  for (int i = 0; i < count; ++i)
    stores.push_back(sw(t0, s0, 32 * i));
  return stores;
}

Code stores_of_following_words(int count) {
  Code stores;
  for (int i = 0; i < count; ++i)
    stores.push_back(sw(t0, s0, 4 * i));
  return stores;
}

TEST_P(Pipeline, FourStoresWaitWhileL1TakesOneEveryFiveCycles) {
  const auto first = [&](int count) { return cycles(li(s0, 0x20000), scattered_stores(count)); };
  EXPECT_EQ(first(5), 5U);  // one has left when the fifth comes
  EXPECT_GT(first(7), 7U);
  EXPECT_EQ(first(13) - first(8), 25U);
}

TEST_P(Pipeline, StoresThatFillWholeBlocksTakeACycleOnBlackhole) {
  const auto first = [&](int count) { return cycles(li(s0, 0x20000), stores_of_following_words(count)); };
  EXPECT_EQ(first(64) - first(32), is_blackhole() ? 32U : 32U * 5U);
}

TEST(BlackholePipeline, StoresThatFillBlocksInPartTakeFiveCyclesABlock) {
  const auto first = [](int blocks) {
    Code stores;
    for (int i = 0; i < blocks; ++i)
      stores = stores + Code{sw(t0, s0, 16 * i), sw(t0, s0, 16 * i + 4)};
    return cycles_of(Arch::blackhole, CoreId::brisc, li(s0, 0x20000), stores);
  };
  EXPECT_EQ(first(20) - first(10), 50U);
}

TEST(BlackholePipeline, StoresMoreThanFourBytesApartDoNotMerge) {
  const auto stores = [](int distance) {
    Code code;
    for (int i = 0; i < 20; ++i)
      code = code + Code{sw(t0, s0, 0), sw(t0, s0, distance)};
    return cycles_of(Arch::blackhole, CoreId::brisc, li(s0, 0x20000), code);
  };
  EXPECT_EQ(stores(4), 40U);  // all one block
  EXPECT_GT(stores(8), 150U);
}

TEST_P(Pipeline, StoresToLocalRamAndToGprsTakeACycle) {
  for (const std::uint32_t address : {0xFFB00000U, 0xFFE00000U}) {
    const auto first = [&](unsigned count) { return cycles(li(s0, address), times(count, {sw(t0, s0, 0)})); };
    EXPECT_EQ(first(40) - first(20), 20U) << std::hex << address;
  }
}

}  // namespace
}  // namespace tensim
