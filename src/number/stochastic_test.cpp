#include "number/stochastic.hpp"

#include <random>

#include <gtest/gtest.h>

#include "number/bfp_block.hpp"
#include "number/pack.hpp"

namespace tensim::number {
namespace {

TEST(Stochastic,
     TheGeneratorIsTheVectorUnits) {  // VectorUnit.md: taps 0x80200003, inverted parity shifted in at the top
  RoundingNoise noise;
  noise.seed(0);
  RoundingNoise same;
  for (unsigned i = 0; i < 100; ++i)
    EXPECT_EQ(noise.next(3), same.next(3));
  std::uint32_t state = RoundingNoise::first_state(0, 3);
  same.seed(0);
  for (unsigned i = 0; i < 1000; ++i) {
    EXPECT_EQ(same.next(3), state & 0x7FFFFFU);
    unsigned parity = 0;
    for (const unsigned tap : {0U, 1U, 21U, 31U})
      parity ^= state >> tap & 1U;
    state = (parity ^ 1U) << 31U | state >> 1U;
  }
}

TEST(Stochastic, AColumnsBitsDoNotDependOnOthers) {
  RoundingNoise one;
  RoundingNoise other;
  for (unsigned i = 0; i < 10; ++i)
    (void)other.next(1);
  for (unsigned i = 0; i < 10; ++i)
    EXPECT_EQ(one.next(0), other.next(0));
}

TEST(Stochastic, DroppedBitsDecide) {
  EXPECT_EQ(drop_bits(0b1011, 2, 0x600000), 3U) << "three quarters, not below three quarters";
  EXPECT_EQ(drop_bits(0b1011, 2, 0x600001), 2U);
  EXPECT_EQ(drop_bits(0b1000, 2, 1), 2U);
  EXPECT_EQ(drop_bits(0b1000, 2, 0), 3U) << "hardware's flaw: goes up though nothing is lost";
}

/// The deterministic roundings are the stochastic ones with one half for random bits.
TEST(Stochastic, OneHalfIsRoundingToNearest) {
  std::mt19937 random{3};
  constexpr std::uint32_t half = RoundingNoise::to_nearest;
  for (unsigned i = 0; i < 100'000; ++i) {
    const auto x = static_cast<std::uint32_t>(random());
    for (const unsigned mantissa_bits : {6U, 7U, 10U})
      ASSERT_EQ(detail::round_fp32_by(x, mantissa_bits, half), detail::round_fp32(x, mantissa_bits)) << std::hex << x;
    ASSERT_EQ(detail::round_fp16_to_e5m6_by(x & 0xFFFFU, half), detail::round_fp16_to_e5m6(x & 0xFFFFU));
    ASSERT_EQ(detail::int32_to_8_bits_by(x, i % 24, i % 2 == 0, half), detail::int32_to_8_bits(x, i % 24, i % 2 == 0));
    ASSERT_EQ(detail::bfp_magnitude_by(x & 0xFFU, i % 9, half), detail::bfp_magnitude(x & 0xFFU, i % 9));
  }
}

TEST(Stochastic, OnAverageTheValueStays) {
  RoundingNoise noise;
  noise.seed(12345);
  constexpr std::uint32_t x = 0x3F804000;  // a quarter of the way between two BF16
  unsigned up = 0;
  constexpr unsigned tries = 64'000;
  for (unsigned i = 0; i < tries; ++i)
    up += detail::round_fp32_by(x, 7, noise.next(i % 16)) == 0x3F810000 ? 1U : 0U;
  // 16,000 expected; the generator is poor, but not as poor as that.
  EXPECT_GT(up, 15'000U);
  EXPECT_LT(up, 17'000U);
}

}  // namespace
}  // namespace tensim::number
