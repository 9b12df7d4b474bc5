// Loads that poll and loads that do not, by the code around them.
#include "riscv/polling_load.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "tests/support/riscv_words.hpp"

namespace tensim::riscv {
namespace {

using Code = std::vector<rv::Word>;
using namespace rv;

constexpr std::uint32_t base = 0x1000;
constexpr Word sltu(Word rd, Word rs1, Word rs2) {
  return r_type(0x33, 3, 0, rd, rs1, rs2);
}
constexpr Word nop = addi(zero, zero, 0);
constexpr Word ret = jalr(zero, ra, 0);

class PollingLoad : public ::testing::TestWithParam<Arch> {
 protected:
  /// Of the load that is word number `at`.
  static bool polls(const Code& code, std::size_t at) {
    const auto word_at = [&](std::uint32_t address) -> std::optional<std::uint32_t> {
      const std::size_t place = (address - base) / 4;
      return place < code.size() ? std::optional(code[place]) : std::nullopt;
    };
    return is_polling_load(GetParam(), word_at, base + static_cast<std::uint32_t>(4 * at));
  }
};

TEST_P(PollingLoad, IsInALoopThatItsValueEnds) {
  EXPECT_TRUE(polls({lw(a5, a0, 0), bne(a5, a1, -4), ret}, 0));
  EXPECT_TRUE(polls({lw(a5, a0, 0), beq(a5, a1, 8), jal(zero, -8), ret}, 0));
}

TEST_P(PollingLoad, MayInvalidateCachesBetweenLooks) {
  EXPECT_TRUE(polls({fence, lw(a5, a0, 0), bne(a5, a1, -8), ret}, 1));
  const Code with_csr{lw(a5, a0, 0), csrrs(zero, 0x7c0, t0), bne(a5, a1, -8), ret};
  EXPECT_EQ(polls(with_csr, 0), GetParam() == Arch::blackhole) << "Wormhole has no CSRs";
  const Code calls{lw(a5, a0, 0), jal(ra, 12), bne(a5, a1, -8), ret, /* the function: */ fence, ret};
  EXPECT_TRUE(polls(calls, 0));
}

TEST_P(PollingLoad, MayCallNothingThatStores) {
  EXPECT_FALSE(polls({lw(s0, a0, 0), jal(ra, 12), bne(s0, a1, -8), ret, sw(a1, a2, 0), ret}, 0));
}

TEST_P(PollingLoad, MayBeMaskedAndShifted) {
  EXPECT_TRUE(polls({lw(a5, a0, 0), andi(a4, a5, 1), beq(a4, zero, -8), ret}, 0));
  EXPECT_TRUE(polls({lw(a5, a0, 0), slli(a5, a5, 16), sub(a5, a5, a3), sltu(a5, a5, a2), bne(a5, zero, -16), ret}, 0));
}

TEST_P(PollingLoad, MayBeOneOfTwoThatAreAddedUp) {
  const Code sum{lw(a5, a0, 0), lw(a4, a1, 4), add(a5, a5, a4), bltu(a5, a2, -12), ret};
  EXPECT_TRUE(polls(sum, 0));
  EXPECT_TRUE(polls(sum, 1));
}

TEST_P(PollingLoad, IsNotOneWhoseValueDecidesNothing) {
  const Code reads{lw(a4, a0, 0), lw(a5, a1, 0), bne(a5, a2, -8), ret};
  EXPECT_FALSE(polls(reads, 0));
  EXPECT_TRUE(polls(reads, 1));
}

TEST_P(PollingLoad, IsNotInALoopThatDoesMore) {
  EXPECT_FALSE(polls({lw(a5, a0, 0), sw(a5, a2, 0), bne(a5, a1, -8), ret}, 0));
  EXPECT_FALSE(polls({lw(a5, a0, 0), ttinsn(0x02000000), bne(a5, a1, -8), ret}, 0));
  EXPECT_FALSE(polls({lw(a5, a0, 0), sb(a5, a2, 0), bne(a5, a1, -8), ret}, 0));
}

TEST_P(PollingLoad, IsNotASearchThroughMemory) {
  EXPECT_FALSE(polls({lw(a5, a0, 0), addi(a0, a0, 4), bne(a5, a1, -8), ret}, 0));
  EXPECT_FALSE(polls({lw(a0, a0, 0), bne(a0, zero, -4), ret}, 0)) << "a list";
}

TEST_P(PollingLoad, MayHaveItsAddressMadeAnewInEveryRound) {
  EXPECT_TRUE(polls({lui(a5, 0x20), lw(a5, a5, 8), bne(a5, a1, -8), ret}, 1));
  EXPECT_TRUE(polls({lw(a4, sp, 12), lw(a5, a4, 0), bne(a5, a1, -8), ret}, 1)) << "out of a variable";
}

TEST_P(PollingLoad, MayBeLookedAtInTheNextRound) {
  EXPECT_TRUE(polls({lw(a5, a0, 0), /* head: */ beq(a5, a1, 16), fence, lw(a5, a0, 0), jal(zero, -12), ret}, 3));
}

TEST_P(PollingLoad, MayBeTheFirstLookAheadOfTheLoop) {
  const Code peeled{lw(a5, a0, 0), beq(a5, a1, 16), /* the loop: */ fence, lw(a5, a0, 0), bne(a5, a1, -8), ret};
  EXPECT_TRUE(polls(peeled, 0));
  EXPECT_TRUE(polls(peeled, 3));
}

TEST_P(PollingLoad, IsNotALoadThatIsLookedAtOnce) {
  EXPECT_FALSE(polls({lw(a5, a0, 0), beq(a5, a1, 8), nop, ret}, 0));
  // Ahead of a loop that polls something else.
  EXPECT_FALSE(polls({lw(a5, a0, 0), beq(a5, a1, 16), fence, lw(a5, a2, 0), bne(a5, a1, -8), ret}, 0));
}

/// A loop that polls, in a loop that works.
TEST_P(PollingLoad, IsOneInTheInnermostLoop) {
  const Code work{lw(a5, a0, 0), bne(a5, a1, -4), lw(a4, a2, 0), sw(a4, a3, 0), addi(a1, a1, 1), bne(a1, a6, -20), ret};
  EXPECT_TRUE(polls(work, 0));
  EXPECT_FALSE(polls(work, 2));
}

/// What lies between the head and the jump back, but leads out, is not the loop's.
TEST_P(PollingLoad, MayHaveStoresBesideItsLoop) {
  const Code code{lw(a5, a0, 0), bne(a5, a1, 16), sw(zero, a0, 0), ret, nop, jal(zero, -20)};
  EXPECT_TRUE(polls(code, 0));
}

TEST_P(PollingLoad, MayGoBackToItsLoopFromWhatItWaitedFor) {
  // Firmware: what else may come is answered with a store, and then it looks again.
  const Code firmware{lw(a5, a0, 0), beq(a5, a1, 20), bne(a5, a2, -8), sw(zero, a0, 4), jal(zero, -16), nop, ret};
  EXPECT_TRUE(polls(firmware, 0));
}

TEST_P(PollingLoad, IsALoad) {
  EXPECT_FALSE(polls({addi(a5, a0, 0), bne(a5, a1, -4), ret}, 0));
  EXPECT_FALSE(polls({lw(a5, a0, 0)}, 4)) << "no code";
}

INSTANTIATE_TEST_SUITE_P(Chips, PollingLoad, ::testing::Values(Arch::wormhole, Arch::blackhole));

}  // namespace
}  // namespace tensim::riscv
