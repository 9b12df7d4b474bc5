// What a loop waits for, read off its own code.
#include "explain/poll_loop.hpp"

#include <gtest/gtest.h>

#include "tests/support/chip_programs.hpp"

namespace tensim::explain {
namespace {

using namespace tensim::test;
using tile::CoreId;
using Relation = Need::Relation;

constexpr rv::Word bgeu(rv::Word rs1, rv::Word rs2, int offset) {
  return rv::b_type(7, rs1, rs2, offset);
}
constexpr rv::Word sltu(rv::Word rd, rv::Word rs1, rv::Word rs2) {
  return rv::r_type(0x33, 3, 0, rd, rs1, rs2);
}

constexpr std::uint32_t word_at = 0x8000;
constexpr std::uint32_t local_at = 0xFFB00100;

class PollLoopTest : public ChipPrograms {
 protected:
  /// A program that loads the address of the word into t0 and then goes round this loop.
  std::vector<AwaitedWord> awaited(const std::vector<rv::Word>& loop, std::uint32_t now) {
    NocProgram program(plan_);
    program.store(local_at, 5);
    program.set(rv::t1, 7);
    program.set(rv::t0, word_at);
    program.set(rv::t3, local_at);
    for (const rv::Word word : loop)
      program.add(word);
    chip::Slot& slot = chip_.touch(tensix(0));
    slot.tile->write(word_at, reinterpret_cast<const std::uint8_t*>(&now), sizeof now);
    start(0, program);
    EXPECT_TRUE(chip_.run_until_idle(100'000));
    return awaited_words(*slot.tile, CoreId::brisc);
  }
  /// The one word that it waits for, and what it needs; nothing if the loop does not say it.
  std::optional<Need> need(const std::vector<rv::Word>& loop, std::uint32_t now) {
    const std::vector<AwaitedWord> words = awaited(loop, now);
    EXPECT_EQ(words.size(), 1U);
    if (words.size() != 1) return std::nullopt;
    EXPECT_EQ(words[0].address, word_at);
    return words[0].need;
  }
};

TEST_P(PollLoopTest, UntilItIsTheValue) {
  EXPECT_EQ(need({rv::lw(rv::t2, rv::t0, 0), rv::bne(rv::t2, rv::t1, -4)}, 3), (Need{Relation::equal, 7, ~0U}));
}

TEST_P(PollLoopTest, UntilItIsAnotherValue) {
  EXPECT_EQ(need({rv::lw(rv::t2, rv::t0, 0), rv::beq(rv::t2, rv::t1, -4)}, 7), (Need{Relation::not_equal, 7, ~0U}));
}

TEST_P(PollLoopTest, UntilItHasReachedTheValue) {
  EXPECT_EQ(need({rv::lw(rv::t2, rv::t0, 0), rv::bltu(rv::t2, rv::t1, -4)}, 3), (Need{Relation::at_least, 7, ~0U}));
}

TEST_P(PollLoopTest, TheWayOutMayBeInTheMiddleOfTheLoop) {
  EXPECT_EQ(need({rv::lw(rv::t2, rv::t0, 0), bgeu(rv::t2, rv::t1, 8), rv::jal(rv::zero, -8)}, 3),
            (Need{Relation::at_least, 7, ~0U}));
}

TEST_P(PollLoopTest, UntilItIsAsMuchAsAVariableOfTheCore) {
  EXPECT_EQ(need({rv::lw(rv::t4, rv::t3, 0), rv::lw(rv::t2, rv::t0, 0), rv::bne(rv::t2, rv::t4, -8)}, 3),
            (Need{Relation::equal, 5, ~0U}));
}

TEST_P(PollLoopTest, AByteOfIt) {
  const std::vector<AwaitedWord> words = awaited({rv::lbu(rv::t2, rv::t0, 0), rv::bne(rv::t2, rv::t1, -4)}, 0x1203);
  ASSERT_EQ(words.size(), 1U);
  EXPECT_EQ(words[0].size_bytes, 1);
  EXPECT_EQ(words[0].value, 3U);
  EXPECT_EQ(words[0].need, (Need{Relation::equal, 7, 0xFF}));
}

TEST_P(PollLoopTest, OneBitOfIt) {
  EXPECT_EQ(need({rv::lw(rv::t2, rv::t0, 0), rv::andi(rv::t2, rv::t2, 8), rv::beq(rv::t2, rv::zero, -8)}, 3),
            (Need{Relation::not_equal, 0, 8}));
}

TEST_P(PollLoopTest, SoManyMoreThanThereWereModulo16Bits) {  // pages of a circular buffer
  EXPECT_EQ(need({rv::lw(rv::t2, rv::t0, 0), rv::addi(rv::t2, rv::t2, -3), rv::slli(rv::t2, rv::t2, 16),
                  rv::srli(rv::t2, rv::t2, 16), rv::bltu(rv::t2, rv::t1, -16)},
                 4),
            (Need{Relation::at_least, 10, 0xFFFF}));
}

TEST_P(PollLoopTest, AComparisonThatIsKeptInARegister) {
  EXPECT_EQ(need({rv::lw(rv::t2, rv::t0, 0), sltu(rv::t2, rv::t2, rv::t1), rv::bne(rv::t2, rv::zero, -8)}, 3),
            (Need{Relation::at_least, 7, ~0U}));
}

TEST_P(PollLoopTest, WhatIsNotUnderstoodIsNotSaid) {  // the word times itself
  EXPECT_EQ(need({rv::lw(rv::t2, rv::t0, 0), rv::mul(rv::t2, rv::t2, rv::t2), rv::bne(rv::t2, rv::t1, -8)}, 3),
            std::nullopt);
}

TEST(SatisfiedNeed, IsAValueThatTheLoopIsLeftWith) {
  EXPECT_EQ(satisfied({Relation::equal, 7, ~0U}, 3), 7U);
  EXPECT_EQ(satisfied({Relation::not_equal, 7, ~0U}, 7), 6U);
  EXPECT_EQ(satisfied({Relation::at_least, 7, 0xFFFF}, 0x50003), 0x50007U);
  EXPECT_EQ(satisfied({Relation::below, 7, ~0U}, 9), 6U);
  EXPECT_EQ(satisfied({Relation::not_equal, 0, 8}, 3), 11U);
}

INSTANTIATE_TEST_SUITE_P(Chips, PollLoopTest, ::testing::ValuesIn(all_archs),
                         [](const auto& each) { return std::string(tensim::name(each.param)); });

}  // namespace
}  // namespace tensim::explain
