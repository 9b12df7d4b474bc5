#include "noc/atomic.hpp"

#include <cstring>

#include <gtest/gtest.h>

namespace tensim::noc {
namespace {

using Words = std::array<std::uint32_t, 4>;
constexpr Words before{0x11111111, 0x22222222, 0x33333333, 0x44444444};

struct Done {
  Words after;
  std::uint32_t returned;
  friend bool operator==(const Done&, const Done&) = default;
};

Refusal refused(Arch arch, std::uint32_t at_len_be) {
  const auto decoded = decode_atomic(arch, at_len_be);
  EXPECT_TRUE(std::holds_alternative<Refusal>(decoded)) << std::hex << at_len_be;
  return std::holds_alternative<Refusal>(decoded) ? std::get<Refusal>(decoded) : Refusal::reserved_type;
}

Done on_words(Arch arch, std::uint32_t at_len_be, std::uint32_t immediate, std::uint32_t address,
              const Words& words = before) {
  const auto decoded = decode_atomic(arch, at_len_be);
  if (!std::holds_alternative<Atomic>(decoded)) {
    ADD_FAILURE() << name(std::get<Refusal>(decoded));
    return {};
  }
  std::array<std::uint8_t, 16> line{};
  std::memcpy(line.data(), words.data(), line.size());
  Done done{};
  done.returned = carry_out(std::get<Atomic>(decoded), immediate, address, line);
  std::memcpy(done.after.data(), line.data(), line.size());
  return done;
}

class Atomics : public testing::TestWithParam<Arch> {
 protected:
  Done run(std::uint32_t at_len_be, std::uint32_t immediate, std::uint32_t address = 0x100,
           const Words& words = before) {
    return on_words(GetParam(), at_len_be, immediate, address, words);
  }
};
INSTANTIATE_TEST_SUITE_P(Archs, Atomics, testing::ValuesIn(all_archs),
                         [](const auto& chip) { return std::string(name(chip.param)); });

/// As tt-metal issues it: 0x107C and which word.
TEST_P(Atomics, IncrementOfAWholeWordWraps) {
  EXPECT_EQ(run(0x107C | 2U, 5, 0x108), (Done{{before[0], before[1], 0x33333338, before[3]}, before[2]}));
  EXPECT_EQ(run(0x107C, 2, 0x100, {0xFFFFFFFF, 0, 0, 0}), (Done{{1, 0, 0, 0}, 0xFFFFFFFF}));
}

TEST_P(Atomics, IncrementWithinTheLowBitsKeepsTheOthers) {
  EXPECT_EQ(run(0x1000 | 3U << 2U, 0xF, 0x100, {0xABCD0009, 0, 0, 0}).after[0], 0xABCD0008U) << "four bits";
  EXPECT_EQ(run(0x1000 | 15U << 2U, 1, 0x100, {0xABCDFFFF, 0, 0, 0}).after[0], 0xABCD0000U) << "sixteen";
  EXPECT_EQ(run(0x1000, 1, 0x100, {0x3, 0, 0, 0}).after[0], 0x2U) << "one";
}

TEST_P(Atomics, ReturnedIsTheWordAtTheAddressEvenIfAnotherIsActedOn) {
  EXPECT_EQ(run(0x107C | 3U, 1, 0x104), (Done{{before[0], before[1], before[2], 0x44444445}, before[1]}));
  EXPECT_EQ(run(0x7000 | 3U << 2U, 7, 0x10C).returned, before[3]);
}

TEST_P(Atomics, CompareAndSwapHasFourBitsOfEach) {
  const Words words{9, 9, 9, 9};
  EXPECT_EQ(run(0x4000 | 1U | 9U << 2U | 5U << 6U, 0, 0x104, words), (Done{{9, 5, 9, 9}, 9}));
  EXPECT_EQ(run(0x4000 | 1U | 8U << 2U | 5U << 6U, 0, 0x104, words), (Done{words, 9})) << "not equal";
  EXPECT_EQ(run(0x4000 | 1U << 2U | 5U << 6U, 0, 0x100, {0x11, 0, 0, 0}).after[0], 0x11U) << "all 32 bits are compared";
}

TEST_P(Atomics, SwapByMaskTakesHalvesInTurn) {
  const Done done = run(0x3000 | 0b10000110U << 2U, 0xAAAABBBB);
  EXPECT_EQ(done.after, (Words{0xAAAA1111, 0x2222BBBB, before[2], 0xAAAA4444}));
  EXPECT_EQ(done.returned, before[0]);
}

TEST_P(Atomics, SwapByIndexStoresTheImmediate) {
  EXPECT_EQ(run(0x6000 | 0x4U | 2U, 77).after, (Words{before[0], before[1], 77, before[3]}));
  EXPECT_EQ(run(0x7000 | 2U << 2U, 77).after, (Words{before[0], before[1], 77, before[3]}));
  EXPECT_EQ(run(0x7000 | 2U << 2U | 3U, 77).after[2], 77U) << "other bits are ignored";
}

TEST_P(Atomics, WhatNoPageHasIsRefusedByName) {
  EXPECT_EQ(refused(GetParam(), 0x0000), Refusal::atomic_no_operation);
  EXPECT_EQ(refused(GetParam(), 0x2000), Refusal::atomic_incr_get_ptr);
  EXPECT_EQ(refused(GetParam(), 0x5000), Refusal::atomic_get_tile_map);
  EXPECT_EQ(refused(GetParam(), 0x6000), Refusal::atomic_swap_form);
  for (const std::uint32_t opcode : {0x8U, 0xBU, 0xCU, 0xDU, 0xEU, 0xFU})
    EXPECT_EQ(refused(GetParam(), opcode << 12U), Refusal::atomic_unknown_opcode);
}

TEST(AtomicsOfWormhole, DoNotHaveBlackholesOpcodes) {
  EXPECT_EQ(refused(Arch::wormhole, 0x9000), Refusal::atomic_of_blackhole);
  EXPECT_EQ(refused(Arch::wormhole, 0xA300), Refusal::atomic_of_blackhole);
  EXPECT_EQ(refused(Arch::wormhole, 0xA800), Refusal::atomic_of_blackhole);
}

class AtomicsOfBlackhole : public testing::Test {
 protected:
  static Done run(std::uint32_t at_len_be, std::uint32_t immediate, const Words& words) {
    return on_words(Arch::blackhole, at_len_be, immediate, 0x100, words);
  }
  static std::uint32_t zaamo(std::uint32_t operation, std::uint32_t old, std::uint32_t immediate) {
    const Done done = run(0xA800 | operation << 8U | 1U, immediate, {1, old, 3, 4});
    EXPECT_EQ(done.returned, 1U);
    return done.after[1];
  }
};

TEST_F(AtomicsOfBlackhole, Zaamo) {
  constexpr std::uint32_t minus_one = 0xFFFFFFFF;
  EXPECT_EQ(zaamo(0, 5, 7), 12U) << "add";
  EXPECT_EQ(zaamo(1, 0b0110, 0b0011), 0b0101U) << "xor";
  EXPECT_EQ(zaamo(2, 0b0110, 0b0011), 0b0111U) << "or";
  EXPECT_EQ(zaamo(3, 0b0110, 0b0011), 0b0010U) << "and";
  EXPECT_EQ(zaamo(4, 5, minus_one), minus_one) << "min";
  EXPECT_EQ(zaamo(5, 5, minus_one), 5U) << "max";
  EXPECT_EQ(zaamo(6, 5, minus_one), 5U) << "minu";
  EXPECT_EQ(zaamo(7, 5, minus_one), minus_one) << "maxu";
}

TEST_F(AtomicsOfBlackhole, SwapHasAThirdForm) {
  EXPECT_EQ(run(0xA300 | 3U, 9, before).after, (Words{before[0], before[1], before[2], 9}));
  for (const std::uint32_t form : {0U, 1U, 2U, 4U, 5U, 6U, 7U})
    EXPECT_EQ(refused(Arch::blackhole, 0xA000 | form << 8U), Refusal::atomic_zaamo_form);
}

TEST_F(AtomicsOfBlackhole, ParallelAdditionOfIntegers) {
  const Words words{0xFFFFFFFF, 1, 0x80000000, 0x00FF00FF};
  for (const std::uint32_t format : {4U, 12U, 13U})
    EXPECT_EQ(run(0x9000 | format, 2, words).after, (Words{1, 3, 0x80000002, 0x00FF0101})) << format;
  EXPECT_EQ(run(0x9000 | 15U, 0x01020304, {0xFFFFFFFF, 0, 0x10203040, 0}).after,
            (Words{0x00010203, 0x01020304, 0x11223344, 0x01020304}))
      << "bytes wrap";
  EXPECT_EQ(run(0x9000 | 7U, 0x01020304, {0xFFFEFDFC, 0, 0x10203040, 0xFFFFFFFF}).after,
            (Words{0xFFFFFFFF, 0x01020304, 0x11223344, 0xFFFFFFFF}))
      << "bytes saturate";
}

TEST_F(AtomicsOfBlackhole, ParallelAdditionOfFloats) {
  constexpr std::uint32_t one = 0x3F800000;
  constexpr std::uint32_t two = 0x40000000;
  constexpr std::uint32_t denormal = 0x00000001;
  for (const std::uint32_t format : {0U, 8U})
    EXPECT_EQ(run(0x9000 | format, one, {one, 0, denormal, 0xBF800000}).after, (Words{two, one, one, 0})) << format;
  for (const std::uint32_t format : {1U, 9U})
    EXPECT_EQ(run(0x9000 | format, 0x3C004000, {0x3C003C00, 0, 0, 0}).after,
              (Words{0x40004200, 0x3C004000, 0x3C004000, 0x3C004000}))
        << "1 and 2 as fp16";
  for (const std::uint32_t format : {2U, 10U})
    EXPECT_EQ(run(0x9000 | format, 0x3F804000, {0x3F803F80, 0, 0, 0}).after,
              (Words{0x40004040, 0x3F804000, 0x3F804000, 0x3F804000}))
        << "1 and 2 as bf16";
}

TEST_F(AtomicsOfBlackhole, OtherFormatsAreRefused) {
  for (const std::uint32_t format : {3U, 5U, 6U, 11U, 14U})
    EXPECT_EQ(refused(Arch::blackhole, 0x9000 | format), Refusal::atomic_accumulate_format);
}

/// Nothing but the opcode and its own operands decides.
TEST_F(AtomicsOfBlackhole, BitsAboveTheOpcodeAreIgnored) {
  EXPECT_EQ(decode_atomic(Arch::blackhole, 0xFFFF'107C), decode_atomic(Arch::blackhole, 0x107C));
}

}  // namespace
}  // namespace tensim::noc
