#include "number/matrix_arithmetic.hpp"

#include <bit>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

namespace tensim::number {
namespace {

std::uint32_t bits(float x) {
  return std::bit_cast<std::uint32_t>(x);
}

/// Src and Dst for numbers that their formats hold exactly.
std::uint32_t src(float x) {
  return src_from_tf32(bits(x) >> 13U);
}

std::uint32_t dst32(float x) {
  return dst_from_fp32(bits(x));
}

std::uint32_t dst16(float x) {
  return dst_from_bf16(bits(x) >> 16U);
}

float float_of(std::uint32_t dst) {
  return std::bit_cast<float>(fp32_from_dst(dst));
}

constexpr MatrixMode tf32_to_fp32{.src_a = SrcStyle::tf32, .src_b = SrcStyle::tf32, .dst_32b = true};
constexpr MatrixMode bf16_to_bf16{};

MatrixMode phase(MatrixMode mode, unsigned number) {
  mode.fidelity_phase = number;
  return mode;
}

static_assert(multiply_add_element(0, 0x0007f, 0x0007f, {}) == dst_from_bf16(0x3f80), "one times one, at compile time");

TEST(MatrixArithmetic, FourPhasesMultiplyAllBitsButTheLastOfSrcA) {
  std::mt19937 random(3);
  for (int i = 0; i < 2000; ++i) {
    const std::uint32_t a = ((static_cast<std::uint32_t>(random()) & 0x3feU) << 8U) | 127U;
    const std::uint32_t b = ((static_cast<std::uint32_t>(random()) & 0x3ffU) << 8U) | 127U;
    std::uint32_t dst = 0;
    for (unsigned number = 0; number < 4; ++number)
      dst = multiply_add_element(dst, a, b, phase(tf32_to_fp32, number));
    const float exact = std::bit_cast<float>(tf32_from_src(a) << 13U) * std::bit_cast<float>(tf32_from_src(b) << 13U);
    ASSERT_EQ(float_of(dst), exact);
    ASSERT_EQ(multiply_add_element(0, a | 0x100U, b, phase(tf32_to_fp32, 1)),
              multiply_add_element(0, a, b, phase(tf32_to_fp32, 1)));
  }
}

TEST(MatrixArithmetic, ADotProductOfSmallIntegersIsExact) {
  SrcColumn a{};
  SrcColumn b{};
  float expected = 100.0F;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const auto x = static_cast<float>(static_cast<int>(i) - 8);
    a[i] = src(x);
    b[i] = src(3.0F - x);
    expected += x * (3.0F - x);
  }
  EXPECT_EQ(float_of(multiply_add_dot(dst32(100.0F), a, b, tf32_to_fp32)), expected);
  EXPECT_EQ(multiply_add_dot(dst16(100.0F), a, b, bf16_to_bf16), dst16(-268.0F));
}

TEST(MatrixArithmetic, ProductsAreRoundedToTheLargestOfTheirGroup) {
  SrcColumn a{};
  SrcColumn b{};
  b.fill(src(1.0F));
  a[0] = src(1.0F);
  a[1] = src(std::ldexp(1.0F, -11));  // half of the last bit of 12 is 2^-11 of one, so it counts as the whole bit
  EXPECT_EQ(float_of(multiply_add_dot(0, a, b, tf32_to_fp32)), 1.0F + std::ldexp(1.0F, -10));
  a[1] = src(std::ldexp(1.0F, -12));
  EXPECT_EQ(float_of(multiply_add_dot(0, a, b, tf32_to_fp32)), 1.0F);
  // The other group has its own exponent.
  a[1] = 0;
  a[9] = src(std::ldexp(1.0F, -12));
  EXPECT_EQ(float_of(multiply_add_dot(0, a, b, tf32_to_fp32)), 1.0F + std::ldexp(1.0F, -12));
}

TEST(MatrixArithmetic, TiesOfNegativeSumsGoUpAndOfDstAwayFromZero) {
  const float tiny = std::ldexp(1.0F, -24);  // half of the last bit of 1.0
  EXPECT_EQ(float_of(add_element(dst32(1.0F), src(tiny), 0, AddOrSubtract::add, true, tf32_to_fp32)), 1.0F + 2 * tiny);
  EXPECT_EQ(float_of(add_element(dst32(-1.0F), src(-tiny), 0, AddOrSubtract::add, true, tf32_to_fp32)), -1.0F);
  EXPECT_EQ(float_of(add_element(dst32(-tiny), src(-1.0F), 0, AddOrSubtract::add, true, tf32_to_fp32)),
            -1.0F - 2 * tiny);
}

TEST(MatrixArithmetic, ZeroResultsAreAlwaysPlusZero) {
  EXPECT_EQ(add_element(0, src(2.0F), src(2.0F), AddOrSubtract::subtract, true, tf32_to_fp32), 0U);
  EXPECT_EQ(add_element(dst_from_fp32(0x8000'0000), 0x40000, 0x40000, AddOrSubtract::add, true, tf32_to_fp32), 0U);
  EXPECT_EQ(multiply_add_element(dst32(-6.0F), src(2.0F), src(3.0F), tf32_to_fp32), 0U);
  // A denormal in Dst is a zero.
  EXPECT_EQ(multiply_add_element(dst_from_fp32(0x807f'ffff), 0, 0, tf32_to_fp32), 0U);
}

TEST(MatrixArithmetic, TooLargeIsInfinityOrFp16sLargest) {
  const std::uint32_t huge = src_from_tf32(0x3fbff);
  EXPECT_EQ(multiply_add_element(0, huge, huge, tf32_to_fp32), dst_from_fp32(0x7f80'0000));
  EXPECT_EQ(multiply_add_element(0, huge, huge ^ 0x40000U, bf16_to_bf16), dst_from_bf16(0xff80));
  const MatrixMode fp16{.src_a = SrcStyle::fp16, .src_b = SrcStyle::fp16};
  EXPECT_EQ(multiply_add_element(0, src_from_fp16(0x7bff), src_from_fp16(0x7bff), fp16), dst_from_fp16(0x7fff));
  // An infinity is a number like others: twice its exponent's power, less itself, is nothing.
  const std::uint32_t infinity = src_from_bf16(0x7f80);
  EXPECT_EQ(add_element(0, infinity, infinity, AddOrSubtract::subtract, true, bf16_to_bf16), 0U);
}

TEST(MatrixArithmetic, AZeroProductOfFp16RoundsASmallFp32Away) {
  const MatrixMode mode{.src_a = SrcStyle::fp16, .src_b = SrcStyle::fp16, .dst_32b = true};
  // A zero product has exponent 97 here, 2^-30.
  EXPECT_EQ(float_of(multiply_add_element(dst32(std::ldexp(1.0F, -54)), 0, 0, mode)), std::ldexp(1.0F, -53));
  EXPECT_EQ(float_of(multiply_add_element(dst32(std::ldexp(1.0F, -55)), 0, 0, mode)), 0.0F);
}

TEST(MatrixArithmetic, WormholeMiscountsTheSignsOfMinusOne) {
  MatrixMode mode = tf32_to_fp32;
  const std::uint32_t just_below = dst_from_fp32(bits(-1.0F) + 1U);
  mode.arch = Arch::blackhole;
  EXPECT_EQ(float_of(multiply_add_element(just_below, src(1.0F), src(1.0F), mode)), -std::ldexp(1.0F, -23));
  mode.arch = Arch::wormhole;
  EXPECT_EQ(float_of(multiply_add_element(just_below, src(1.0F), src(1.0F), mode)), -16.0F);
}

TEST(MatrixArithmetic, IntegersSaturateSymmetrically) {
  const MatrixMode mode{.src_a = SrcStyle::int8, .src_b = SrcStyle::int8, .dst_32b = true};
  const std::uint32_t seven = (7U << 8U) | 16U;
  EXPECT_EQ(multiply_add_element(dst_from_int32(0x7fff'fff0), seven, seven, phase(mode, 3)),
            dst_from_int32(0x7fff'ffff));
  EXPECT_EQ(multiply_add_element(dst_from_int32(-0x7fff'fff0), seven | 0x40000U, seven, phase(mode, 3)),
            dst_from_int32(-0x7fff'ffff));
  EXPECT_EQ(add_element(dst_from_int32(5), seven, seven, AddOrSubtract::subtract, false, mode), 0U);
  // Without its exponent a datum is zero.
  EXPECT_EQ(add_element(0, 7U << 8U, seven, AddOrSubtract::add, true, mode), dst_from_int32(7));
}

TEST(MatrixArithmetic, IntegerPhasesAddUpToTheProduct) {
  const MatrixMode mode{.src_a = SrcStyle::int8, .src_b = SrcStyle::int8, .dst_32b = true};
  for (std::int32_t a = -255; a <= 255; a += 17) {
    for (std::int32_t b = -1023; b <= 1023; b += 31) {
      const auto src_int = [](std::int32_t x) {
        return (x < 0 ? 0x40000U : 0U) | (static_cast<std::uint32_t>(std::abs(x)) << 8U) | 16U;
      };
      std::uint32_t dst = dst_from_int32(1000);
      for (unsigned number = 0; number < 4; ++number) {
        dst = multiply_add_element(dst, src_int(a), src_int(b), phase(mode, number));
      }
      ASSERT_EQ(int32_from_dst(dst), 1000 + a * b);
    }
  }
}

TEST(MatrixArithmetic, APhaseDividesElwadd) {
  EXPECT_EQ(float_of(add_element(0, src(64.0F), src(32.0F), AddOrSubtract::add, true, phase(tf32_to_fp32, 1))), 3.0F);
  EXPECT_EQ(float_of(add_element(0, src(64.0F), src(64.0F), AddOrSubtract::add, true, phase(tf32_to_fp32, 2))), 1.0F);
}

TEST(MatrixArithmetic, KeptDenormalsHaveALeadingOneButZerosDoNot) {
  MatrixMode mode = tf32_to_fp32;
  mode.keep_src_b_denormals = true;
  const std::uint32_t smallest = src_from_tf32(0x400);                          // 2^-126
  EXPECT_EQ(add_element(0, smallest, 0x10000, AddOrSubtract::add, true, mode),  // a quarter of mantissa, exponent 0
            dst_from_fp32(0x00d0'0000));
  EXPECT_EQ(add_element(0, smallest, 0, AddOrSubtract::subtract, true, mode), dst_from_fp32(0x0080'0000));
}

}  // namespace
}  // namespace tensim::number
