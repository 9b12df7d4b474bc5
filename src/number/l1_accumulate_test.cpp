#include "number/l1_accumulate.hpp"

#include <bit>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

namespace tensim::number {
namespace {

/// Not for NaNs.
std::uint32_t flushed(std::uint32_t x) {
  return (x & 0x7f80'0000U) == 0 ? x & 0x8000'0000U : x;
}

TEST(L1Accumulate, Fp32IsTheHostsAdditionButForDenormalsAndNans) {
  std::mt19937 random(1);
  for (int i = 0; i < 200'000; ++i) {
    const auto a = static_cast<std::uint32_t>(random());
    auto b = static_cast<std::uint32_t>(random());
    // Exponents near each other half of the time.
    if ((i & 1) != 0) b = (b & 0x807f'ffffU) | ((a + (b & 0x0780'0000U)) & 0x7f80'0000U);
    const float sum = std::bit_cast<float>(flushed(a)) + std::bit_cast<float>(flushed(b));
    const std::uint32_t expected = std::isnan(sum) ? 0x7fc0'0000U : flushed(std::bit_cast<std::uint32_t>(sum));
    ASSERT_EQ(l1_accumulate_fp32(a, b), expected) << std::hex << a << " " << b;
  }
}

TEST(L1Accumulate, InfinitiesCancelToNanAndNansAreNumbersInBf16) {
  EXPECT_EQ(l1_accumulate_bf16(0x7f80, 0xff80), 0x7fc0);
  EXPECT_EQ(l1_accumulate_bf16(0x7fc1, 0xff80), 0xff80);
  EXPECT_EQ(l1_accumulate_bf16(0x7fc1, 0xff7f), 0x7f80);
  EXPECT_EQ(l1_accumulate_bf16(0xff80, 0x7fc1), 0xff80);
  // 1.5 * 2^128 - 2^127 is 2^128: too large. 1.0078125 * 2^128 less the largest number is finite.
  EXPECT_EQ(l1_accumulate_bf16(0xff00, 0x7fc0), 0x7f80);
  EXPECT_EQ(l1_accumulate_bf16(0xff7f, 0x7f81), 0x7c40);
}

TEST(L1Accumulate, Fp16TurnsUnderflowAndSomeCancellationsIntoTheLargestNumber) {
  EXPECT_EQ(l1_accumulate_fp16(0x3c00, 0x3c00), 0x4000);
  EXPECT_EQ(l1_accumulate_fp16(0x3c00, 0xbc00), 0x0000);
  EXPECT_EQ(l1_accumulate_fp16(0x7800, 0xf800), 0x7fff);
  EXPECT_EQ(l1_accumulate_fp16(0x0400, 0x8401), 0xffff);  // far below the smallest normal number
  EXPECT_EQ(l1_accumulate_fp16(0x05ff, 0x8800), 0x8000);  // just below it: a zero of its sign
  EXPECT_EQ(l1_accumulate_fp16(0x7fff, 0x7fff), 0x7fff);
}

}  // namespace
}  // namespace tensim::number
