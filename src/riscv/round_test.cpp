// Which loops are the same in every round but for what they store.
#include "riscv/round.hpp"

#include <gtest/gtest.h>

#include "tests/support/heartbeat.hpp"
#include "tests/support/timed_core.hpp"

namespace tensim {
namespace {

using namespace rv;
using riscv::Round;
using test::Code;
using test::TimedCore;
using tile::CoreId;

/// The round of the loop at the beginning of the code.
std::optional<Round> round_of(const Code& code) {
  TimedCore timed(Arch::wormhole, CoreId::brisc);
  timed.start(code);
  timed.core().x[s0] = 0x2000;
  return next_round(timed.core(), {timed.tile.l1.data(), timed.tile.l1.size()});
}

TEST(Round, OfAHeartbeat) {
  TimedCore timed(Arch::wormhole, CoreId::brisc);
  timed.start(test::Heartbeat{.step = 3}.words());
  timed.core().pc += 16;  // at the head of the loop
  timed.core().x[s0] = 0x2000;
  const auto round = next_round(timed.core(), {timed.tile.l1.data(), timed.tile.l1.size()});
  ASSERT_TRUE(round);
  EXPECT_EQ(round->gains[s11], 3U);
  EXPECT_EQ(round->gains[a2], 0U) << "worked out anew in every round";
  EXPECT_TRUE(round->stores_to(0x10));
  ASSERT_EQ(round->reads.size(), 1U);
  EXPECT_EQ(round->reads[0].address, test::Heartbeat::polled);
  EXPECT_EQ(round->instructions, 10U);
}

TEST(Round, WhatIsCountedMayGoThroughAnyArithmetic) {
  EXPECT_TRUE(round_of({addi(t0, t0, 1), mul(t1, t0, t0), xor_(t2, t1, t0), sw(t2, s0, 0), jal(zero, -16)}));
  EXPECT_TRUE(round_of({sub(t0, t0, s0), add(t1, s0, t0), sb(t1, s0, 1), jal(zero, -12)}));
}

TEST(Round, WhatIsCountedDecidesNothing) {
  EXPECT_FALSE(round_of({addi(t0, t0, 1), sw(t0, s0, 0), bne(t0, s0, -8)})) << "a branch";
  EXPECT_FALSE(round_of({addi(t0, t0, 1), andi(t1, t0, 1), sw(t0, s0, 0), bne(t1, s0, -12)})) << "what comes of it";
  EXPECT_FALSE(round_of({addi(t0, t0, 4), sw(t0, t0, 0), jal(zero, -8)})) << "where a store goes";
  EXPECT_FALSE(round_of({addi(t0, t0, 4), lw(t1, t0, 0), sw(t1, s0, 0), jal(zero, -12)})) << "what is loaded";
  EXPECT_FALSE(round_of({addi(t0, t0, 1), divu(t1, s0, t0), sw(t1, s0, 0), jal(zero, -12)})) << "how long it takes";
}

TEST(Round, ARegisterGainsTheSameInEveryRound) {
  EXPECT_FALSE(round_of({add(t0, t0, t0), addi(t0, t0, 1), sw(t0, s0, 0), jal(zero, -12)}));
  EXPECT_FALSE(round_of({addi(t0, t0, 1), add(t1, t1, t0), sw(t1, s0, 0), jal(zero, -12)})) << "but for what it adds";
  EXPECT_FALSE(round_of({xori(t0, t0, 1), sw(t0, s0, 0), jal(zero, -8)}));
}

TEST(Round, NothingIsLoadedThatIsStored) {
  EXPECT_FALSE(round_of({addi(t0, t0, 1), lw(t1, s0, 8), sw(t0, s0, 0), jal(zero, -12)})) << "a block of 16 bytes";
  EXPECT_TRUE(round_of({addi(t0, t0, 1), lw(t1, s0, 16), sw(t0, s0, 0), jal(zero, -12)}));
}

TEST(Round, StoresGoToL1AndLoadsComeFromMemory) {
  const Code clock{lui(t1, 0xFFB12), lw(t2, t1, 0x1F0), addi(t0, t0, 1), sw(t0, s0, 0), jal(zero, -16)};
  EXPECT_FALSE(round_of(clock));
  EXPECT_FALSE(round_of({lui(t1, 0xFFB00), addi(t0, t0, 1), sw(t0, t1, 0), jal(zero, -12)})) << "the local RAM";
  EXPECT_TRUE(round_of({lui(t1, 0xFFB00), addi(t0, t0, 1), lw(t2, t1, 0), sw(t0, s0, 0), jal(zero, -16)}));
  EXPECT_FALSE(round_of({addi(t0, t0, 1), sw(t0, s0, 2), jal(zero, -8)})) << "misaligned";
}

}  // namespace
}  // namespace tensim
