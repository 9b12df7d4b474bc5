#include "tile/read_ahead.hpp"

#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/riscv_words.hpp"
#include "tests/support/same_tile.hpp"
#include "tile/tile.hpp"

namespace tensim::test {
namespace {

using tile::CoreId;
using tile::ReadAhead;
using tile::Tile;

constexpr std::uint32_t page = 0x10000;
constexpr std::uint32_t page_number = page / ReadAhead::page_bytes;
constexpr unsigned enough_waits = 64;

TEST(ReadAhead, APageIsItsReadersUntilAnotherWritesThere) {
  ReadAhead pages(1U << 20U);
  for (unsigned i = 0; i < enough_waits; ++i) {
    EXPECT_FALSE(pages.is_own(1, page));
    pages.has_waited(1, page + 4 * i);
  }
  EXPECT_TRUE(pages.is_own(1, page));
  EXPECT_FALSE(pages.is_own(2, page));
  EXPECT_FALSE(pages.is_own(1, page + ReadAhead::page_bytes));
  EXPECT_EQ(pages.write(1, page_number), ReadAhead::nobody) << "its own stores change nothing";
  EXPECT_EQ(pages.write(0, page_number), 1);
  pages.share(page_number);
  for (unsigned i = 0; i < enough_waits; ++i)
    pages.has_waited(1, page);
  EXPECT_FALSE(pages.is_own(1, page)) << "shared for good";
}

TEST(ReadAhead, WhatOthersWriteOrReadInBetweenStartsTheCountAnew) {
  ReadAhead pages(1U << 20U);
  const auto wait = [&](unsigned core, unsigned times) {
    for (unsigned i = 0; i < times; ++i)
      pages.has_waited(core, page);
  };
  wait(1, enough_waits - 1);
  EXPECT_EQ(pages.write(0, page_number), ReadAhead::nobody);
  wait(1, enough_waits - 1);
  EXPECT_FALSE(pages.is_own(1, page));
  wait(2, 1);
  wait(1, enough_waits - 1);
  EXPECT_FALSE(pages.is_own(1, page));
  wait(1, 1);
  EXPECT_TRUE(pages.is_own(1, page));
}

using Code = std::vector<rv::Word>;

/// Sums a word of its page up, round by round.
Code reader() {
  using namespace rv;
  return {lui(s0, page >> 12U), lw(t0, s0, 0), add(a0, a0, t0), addi(a1, a1, 1), bne(a1, zero, -12)};
}

/// Counts, then changes that word, again and again.
Code writer(std::uint32_t rounds) {
  using namespace rv;
  return {lui(s0, page >> 12U), lui(a2, rounds >> 12U), addi(a2, a2, -1),    bne(a2, zero, -4),
          addi(a3, a3, 1),      sw(a3, s0, 0),          beq(zero, zero, -20)};
}

/// Writes to a page of its own all the time, and to two blocks in turn, which Blackhole does not merge: without pages of
/// one's own the reader would wait for each store.
Code bystander() {
  using namespace rv;
  return {lui(s0, (page >> 12U) + 1), addi(a0, a0, 1), sw(a0, s0, 0), sw(a0, s0, 64), beq(zero, zero, -12)};
}

std::unique_ptr<Tile> tile_with_three(Arch arch, bool lockstep) {
  auto tile = std::make_unique<Tile>(arch);
  tile->walk_in_lockstep(lockstep);
  const auto start = [&](CoreId core, std::uint32_t at, const Code& code) {
    tile->write(at, reinterpret_cast<const std::uint8_t*>(code.data()), 4 * code.size());
    tile->release(core, at);
  };
  start(CoreId::trisc0, 0x1000, reader());
  start(CoreId::brisc, 0x2000, writer(0x1000));
  start(CoreId::trisc1, 0x3000, bystander());
  return tile;
}

class ReadAheadOnTheTile : public ::testing::TestWithParam<Arch> {};

// The reader has the page for its own and is far ahead when the first store comes.
TEST_P(ReadAheadOnTheTile, AStoreToAPageThatWasReadAheadIsSeenInItsCycle) {
  const auto ahead = tile_with_three(GetParam(), false);
  const auto lockstep = tile_with_three(GetParam(), true);
  for (const tile::Cycle end : {4'000U, 20'000U, 50'000U}) {
    ahead->run_until(end);
    lockstep->run_until(end);
    EXPECT_EQ(first_difference(*lockstep, *ahead), "");
  }
  EXPECT_NE(ahead->core(CoreId::trisc0).x[rv::a0], 0U);
}

INSTANTIATE_TEST_SUITE_P(Archs, ReadAheadOnTheTile, ::testing::Values(Arch::wormhole, Arch::blackhole));

}  // namespace
}  // namespace tensim::test
