// What a program can still push, seen from where its core is.
#include "program/tensix_code.hpp"

#include <bit>
#include <cstring>

#include <gtest/gtest.h>

#include "isa/assembler/assemble.hpp"
#include "isa/decode.hpp"

namespace tensim::program {
namespace {

constexpr std::uint32_t base = 0x1000;
constexpr isa::Word sempost = 0xA4000004;
constexpr isa::Word seminit = 0xA3220010;

constexpr std::uint32_t ttinsn(isa::Word word) {
  return std::rotl(word, 2);
}
static_assert(isa::word_of_ttinsn(ttinsn(sempost)) == sempost);

constexpr std::uint32_t nop = 0x00000013;
constexpr std::uint32_t ret = 0x00008067;
constexpr std::uint32_t spin = 0x0000006F;             // jal x0, 0
constexpr std::uint32_t call_8_on = 0x008000EF;        // jal ra, +8
constexpr std::uint32_t jump_to_a0 = 0x00050067;       // jalr x0, 0(a0)
constexpr std::uint32_t back_8_if_equal = 0xFE000CE3;  // beq x0, x0, -8

TensixCode code_of(const std::vector<std::uint32_t>& words, std::vector<std::uint32_t> from = {base}) {
  Segment segment;
  segment.load_address = segment.run_address = base;
  segment.executable = true;
  segment.bytes.resize(words.size() * 4);
  std::memcpy(segment.bytes.data(), words.data(), segment.bytes.size());
  Image image;
  image.segments.push_back(segment);
  return tensix_code(Arch::blackhole, image, from);
}

TEST(TensixCode, WhatTheCoreHasPassedIsNotAhead) {
  const std::vector<std::uint32_t> program{ttinsn(sempost), nop, ttinsn(seminit), spin};
  ASSERT_EQ(code_of(program).words.size(), 2U);
  const TensixCode later = code_of(program, {base + 4});
  ASSERT_EQ(later.words.size(), 1U);
  EXPECT_EQ(later.words[0].word, seminit);
  EXPECT_EQ(later.words[0].pc, base + 8);
}

TEST(TensixCode, ALoopHasItsBeginningAheadOfItsEnd) {
  EXPECT_EQ(code_of({ttinsn(sempost), nop, back_8_if_equal, spin}, {base + 4}).words.size(), 1U);
}

TEST(TensixCode, AReturnGoesWhereTheCallersGoOnAndNowhereElse) {
  const std::vector<std::uint32_t> program{ttinsn(seminit), call_8_on, spin, nop, ret};
  EXPECT_TRUE(code_of(program, {base + 12}).words.empty());
  EXPECT_EQ(code_of(program, {base + 12, base}).words.size(), 1U);
}

TEST(TensixCode, ACallIsGoneIntoAndComesBack) {
  EXPECT_EQ(code_of({call_8_on, ttinsn(sempost), ttinsn(seminit), ret}).words.size(), 2U);
}

TEST(TensixCode, BehindAJumpThroughARegisterAnythingIsPossible) {
  EXPECT_EQ(code_of({ttinsn(sempost), jump_to_a0}, {base + 4}).words.size(), 1U);
}

TEST(TensixCode, ConstantsThatAreStoredAreFoundWhereTheyAreMade) {
  constexpr std::uint32_t lui_a5 = (seminit & 0xFFFFF000U) | 0x7B7U;  // lui a5, upper bits
  constexpr std::uint32_t addi_a5 = (seminit & 0xFFFU) << 20U | 0x78793U;
  const TensixCode code = code_of({lui_a5, nop, addi_a5, spin});
  ASSERT_EQ(code.words.size(), 1U);
  EXPECT_EQ(code.words[0].word, seminit);
  EXPECT_EQ(code.constants, std::vector<std::uint32_t>{seminit});
}

}  // namespace
}  // namespace tensim::program
