#include "number/max_pool.hpp"

#include <gtest/gtest.h>

namespace tensim::number {
namespace {

SrcColumn filled(std::uint32_t bf16) {
  SrcColumn column{};
  column.fill(src_from_bf16(bf16));
  return column;
}

constexpr std::uint32_t undefined_dst = 0xffff'ffff;

TEST(MaxPool, TakesTheLargestOfSixteenRowsAndDst) {
  SrcColumn a = filled(0xbf80);
  a[9] = src_from_bf16(0x4040);
  const std::uint32_t three = dst_from_bf16(0x4040) << 16U;
  EXPECT_EQ(max_pool_column(undefined_dst, a, filled(0x3f80), {}), three);
  const std::uint32_t four = dst_from_bf16(0x4080) << 16U;
  EXPECT_EQ(max_pool_column(four, a, filled(0x3f80), {}), four);
  EXPECT_EQ(max_pool_column(dst_from_bf16(0xc040) << 16U, filled(0xbf80), filled(0x3f80), {}), dst_from_bf16(0xbf80)
                                                                                                   << 16U);
}

TEST(MaxPool, ScalesRowsByTheExponentsOfSrcB) {
  SrcColumn a = filled(0x3f80);
  SrcColumn b = filled(0x3f80);
  b[3] = src_from_bf16(0x41ff);  // 31.9, taken for 16
  EXPECT_EQ(max_pool_column(undefined_dst, a, b, {}), dst_from_bf16(0x4180) << 16U);
  b = filled(0);  // zero scales lose to everything
  EXPECT_EQ(max_pool_column(dst_from_bf16(0xff7f) << 16U, a, b, {}), dst_from_bf16(0xff7f) << 16U);
}

TEST(MaxPool, IndexIsThatOfTheLargestOfTheFirstEightRows) {
  const MaxPoolMode mode{.src_a = SrcStyle::bf16, .dst_32b = true, .arg_max = true};
  SrcColumn a = filled(0x3f80);
  a[5] = src_from_bf16(0x4000);
  EXPECT_EQ(max_pool_column(0, a, filled(0x3f80), mode), (dst_from_bf16(0x4000) << 16U) | 0x100U | 0x17U);
  // Of equals the last visited wins; row 3 is visited after row 7.
  EXPECT_EQ(max_pool_column(0, filled(0x3f80), filled(0x3f80), mode) & 0xfU, detail::index_of_row[3]);
  EXPECT_EQ(max_pool_other_row(0x1fU, mode), 0x100U);
  EXPECT_EQ(max_pool_other_row(0x1fU, {}), 0U);
}

TEST(MaxPool, IntegersKeepThirteenBits) {
  const MaxPoolMode mode{.src_a = SrcStyle::int8, .dst_32b = true};
  SrcColumn a{};
  a.fill((5U << 8U) | 16U);
  a[2] = (77U << 8U) | 16U;
  EXPECT_EQ(max_pool_column(0, a, filled(0x3f80), mode), 77U);
  EXPECT_EQ(max_pool_column(0x2fff, a, filled(0x3f80), mode), 0x0fffU);
}

}  // namespace
}  // namespace tensim::number
