#include "number/pack.hpp"

#include <gtest/gtest.h>

#include "number/bfp_block.hpp"
#include "number/unpack.hpp"

namespace tensim::number {
namespace {

std::uint32_t pack(const PackMode& mode, std::uint32_t dst) {
  const auto plan = plan_pack(mode);
  EXPECT_TRUE(plan);
  return plan ? pack_late(*plan, pack_early(*plan, mode.read_32b, dst)) : 0;
}

std::uint32_t pack_fp32(PackMode mode, std::uint32_t fp32) {
  mode.read_32b = true;
  return pack(mode, dst_from_fp32(fp32));
}

TEST(Pack, RoundingTiesGoAwayFromZero) {
  const PackMode to_bf16{.intermediate = DataFormat::bf16, .late_to = DataFormat::bf16};
  EXPECT_EQ(pack_fp32(to_bf16, 0x3f80'8000), 0x3f81U);
  EXPECT_EQ(pack_fp32(to_bf16, 0xbf80'8000), 0xbf81U);
  EXPECT_EQ(pack_fp32(to_bf16, 0x3f80'7fff), 0x3f80U);
  EXPECT_EQ(pack_fp32(to_bf16, 0x7f7f'ffff), 0x7f80U);
  EXPECT_EQ(pack_fp32(to_bf16, 0xffc0'0000), 0xff80U);  // NaN becomes infinity
  EXPECT_EQ(pack_fp32(to_bf16, 0x8000'0000), 0U);       // and minus zero plus zero
}

TEST(Pack, SixBitsOfMantissaSaturateInsteadOfOverflowing) {
  const PackMode mode{.intermediate = DataFormat::bfp8a, .late_to = DataFormat::fp16};
  EXPECT_EQ(pack(mode, dst_from_fp16(0x7ff7)), 0x7ff0U);
  EXPECT_EQ(pack(mode, dst_from_fp16(0x7ff8)), 0x7ff0U);
  EXPECT_EQ(pack(mode, dst_from_fp16(0xffff)), 0xfff0U);
  EXPECT_EQ(pack(mode, dst_from_fp16(0x3c08)), 0x3c10U);  // a tie
  EXPECT_EQ(pack(mode, dst_from_fp16(0x03f7)), 0U);       // denormal after rounding
}

TEST(Pack, RawReadsTruncate) {
  const PackMode raw{.intermediate = DataFormat::bf16, .late_to = DataFormat::bf16, .read_raw = true};
  EXPECT_EQ(pack_fp32(raw, 0x3f80'ffff), 0x3f80U);
  EXPECT_EQ(pack_fp32(raw, 0x8000'ffff), 0x8000U);
  EXPECT_EQ(pack(raw, dst_from_bf16(0x7fc1)), 0x7fc1U);  // NaN and denormals pass
  EXPECT_EQ(pack(raw, dst_from_bf16(0x8001)), 0x8001U);
}

TEST(Pack, TenBitsOfMantissaMakeTf32) {
  const PackMode mode{.intermediate = DataFormat::fp32, .late_to = DataFormat::tf32, .round_10b_mantissa = true};
  EXPECT_EQ(pack_fp32(mode, 0x3f80'1000), 0x3f80'2000U);
  PackMode identity = mode;
  identity.round_10b_mantissa = false;
  identity.read_32b = true;
  EXPECT_FALSE(plan_pack(identity));  // FP32 to TF32 is no late conversion
}

TEST(Pack, IntegersShiftRoundAndSaturate) {
  PackMode mode{.intermediate = DataFormat::int8, .late_to = DataFormat::int8, .shift = 4};
  EXPECT_EQ(pack_fp32(mode, 0x18), 2U);  // 1.5 away from zero
  EXPECT_EQ(pack_fp32(mode, 0x17), 1U);
  EXPECT_EQ(pack_fp32(mode, 0x8000'0018), 0x82U);
  EXPECT_EQ(pack_fp32(mode, 0x7fff'ffff), 127U);
  mode.read_unsigned = true;
  EXPECT_EQ(pack_fp32(mode, 0x7fff'ffff), 255U);
  EXPECT_EQ(pack_fp32(mode, 0x8000'0018), 0U);
  mode.read_raw = true;
  EXPECT_EQ(pack_fp32(mode, 0x1234), 0x34U);
  mode.read_unsigned = false;
  EXPECT_EQ(pack_fp32(mode, 0x8000'12ff), 0xffU);
}

TEST(Pack, ReluAndItsThresholds) {
  PackMode mode{.intermediate = DataFormat::bf16, .late_to = DataFormat::bf16, .relu = Relu::zero};
  EXPECT_EQ(pack(mode, dst_from_bf16(0xbf80)), 0U);
  EXPECT_EQ(pack(mode, dst_from_bf16(0x3f80)), 0x3f80U);
  mode.relu = Relu::min_threshold;
  mode.relu_threshold = 0x3f80;
  EXPECT_EQ(pack(mode, dst_from_bf16(0x3f80)), 0U);
  EXPECT_EQ(pack(mode, dst_from_bf16(0x3f81)), 0x3f81U);
  mode.relu = Relu::max_threshold;
  EXPECT_EQ(pack(mode, dst_from_bf16(0x4000)), 0x3f80U);
  EXPECT_EQ(pack(mode, dst_from_bf16(0x3f00)), 0x3f00U);
  mode.relu_threshold = 0xbf80;
  EXPECT_FALSE(plan_pack(mode));  // below zero: undefined
}

TEST(Pack, SmallExponentsCanBeFlushed) {
  PackMode mode{.intermediate = DataFormat::bf16,
                .late_to = DataFormat::bf16,
                .exponent_threshold_enabled = true,
                .exponent_threshold = 127};
  EXPECT_EQ(pack(mode, dst_from_bf16(0x3f7f)), 0U);
  EXPECT_EQ(pack(mode, dst_from_bf16(0xbf80)), 0xbf80U);
  mode.exponent_threshold_enabled = false;
  EXPECT_EQ(pack(mode, dst_from_bf16(0x3f7f)), 0x3f7fU);
  mode = {.intermediate = DataFormat::fp16,
          .late_to = DataFormat::fp16,
          .exponent_threshold_enabled = true,
          .exponent_threshold = 15};
  EXPECT_EQ(pack(mode, dst_from_fp16(0x3800)), 0U);
  EXPECT_EQ(pack(mode, dst_from_fp16(0x3c00)), 0x3c00U);
}

TEST(Pack, NarrowerExponentsSaturate) {
  const PackMode mode{.intermediate = DataFormat::fp32, .late_to = DataFormat::fp16};
  EXPECT_EQ(pack_fp32(mode, 0xc800'0000), 0xffffU);
  EXPECT_EQ(pack_fp32(mode, 0x7f80'0000), 0x7fffU);
  EXPECT_EQ(pack_fp32(mode, 0x3c00'3fff), 0x2001U);  // truncated
  const PackMode fp8{.intermediate = DataFormat::fp8, .late_to = DataFormat::fp8, .read_raw = true};
  EXPECT_EQ(pack(fp8, dst_from_fp16(0x3dff)), 0x3dU);
}

TEST(Pack, BlackholesFp8WithFourExponentBitsFlushesAndSaturates) {
  const PackMode mode{
      .intermediate = DataFormat::fp16, .late_to = DataFormat::fp8, .fp8_exponent = Fp8Exponent::bits_4};
  EXPECT_EQ(pack(mode, dst_from_fp16(0x3c00)), 0x38U);  // 1.0, bias 7
  EXPECT_EQ(pack(mode, dst_from_fp16(0x2400)), 0x08U);  // the smallest
  EXPECT_EQ(pack(mode, dst_from_fp16(0xa3ff)), 0x80U);  // just below
  EXPECT_EQ(pack(mode, dst_from_fp16(0x5c00)), 0x78U);  // the largest exponent
  EXPECT_EQ(pack(mode, dst_from_fp16(0xe000)), 0xffU);  // just above
  for (std::uint32_t fp8 = 0x08; fp8 < 0x80; ++fp8) {
    EXPECT_EQ(pack(mode, dst_from_fp16(fp16_from_fp8_e4m3(fp8))), fp8);
  }
}

TEST(Pack, Bf16CanBeTheUpperHalfOfFp32) {
  const PackMode mode{.intermediate = DataFormat::fp32, .late_to = DataFormat::fp32};
  EXPECT_EQ(pack(mode, dst_from_bf16(0xbf81)), 0xbf81'0000U);
  EXPECT_EQ(pack(mode, dst_from_bf16(0x0001)), 0x0001'0000U);
}

TEST(Pack, WhatThePagesDoNotDefineHasNoPlan) {
  EXPECT_FALSE(plan_pack({.intermediate = DataFormat::bf16, .late_to = DataFormat::int8}));
  EXPECT_FALSE(plan_pack({.intermediate = DataFormat::bfp4, .late_to = DataFormat::bfp4}));
  EXPECT_FALSE(plan_pack({.intermediate = DataFormat::int8, .late_to = DataFormat::int8}));
  EXPECT_FALSE(plan_pack({.intermediate = DataFormat::fp16,
                          .late_to = DataFormat::fp16,
                          .read_32b = true,
                          .round_10b_mantissa = true,
                          .arch = Arch::wormhole}));
  EXPECT_FALSE(plan_pack({.intermediate = DataFormat::fp16,
                          .late_to = DataFormat::fp8,
                          .fp8_exponent = Fp8Exponent::bits_4,
                          .arch = Arch::wormhole}));
  EXPECT_FALSE(plan_pack({.intermediate = DataFormat::int32,
                          .late_to = DataFormat::int32,
                          .read_32b = true,
                          .relu = Relu::max_threshold}));
}

/// Every plan the planner gives, on every kind of datum: nothing wider than its format comes out.
TEST(Pack, EveryPlanStaysWithinItsFormat) {
  for (unsigned bits = 0; bits < (1U << 13U); ++bits) {
    PackMode mode;
    const auto intermediate = format_of_code(bits & 15U);
    const auto to = format_of_code((bits >> 4U) & 15U);
    if (!intermediate || !to) continue;
    mode.intermediate = *intermediate;
    mode.late_to = *to;
    mode.read_32b = ((bits >> 8U) & 1U) != 0;
    mode.round_10b_mantissa = ((bits >> 9U) & 1U) != 0;
    mode.read_raw = ((bits >> 10U) & 1U) != 0;
    mode.fp8_exponent = static_cast<Fp8Exponent>((bits >> 11U) & 1U);
    mode.arch = static_cast<Arch>((bits >> 12U) & 1U);
    const auto plan = plan_pack(mode);
    if (!plan) continue;
    const unsigned width = is_bfp(*to) ? 16 : facts(*to).datum_bits;
    for (std::uint32_t dst = 0; dst < 0xffff'0000U; dst += 0x0123'4567U) {
      const std::uint32_t datum = pack_late(*plan, pack_early(*plan, mode.read_32b, mode.read_32b ? dst : dst >> 16U));
      ASSERT_TRUE(width == 32 || datum < (1U << width)) << facts(*intermediate).name << " to " << facts(*to).name;
    }
  }
}

TEST(BfpBlock, WhatIsPackedUnpacksToItself) {
  std::array<std::uint16_t, bfp_block_datums> inputs{};
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    inputs[i] = static_cast<std::uint16_t>(0x3f80U + (i << 1U) + ((i & 1U) << 15U));
  }
  const BfpBlock block = pack_bfp_block(inputs, DataFormat::bfp8);
  EXPECT_EQ(block.exponent, 127);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    EXPECT_EQ(bf16_from_bfp8(block.datums[i], block.exponent), inputs[i]);
  }
}

TEST(BfpBlock, TheLargestExponentRulesAndRoundingDoesNotRaiseIt) {
  std::array<std::uint16_t, bfp_block_datums> inputs{};
  inputs[0] = 0x3fff;  // would round up to 2.0
  inputs[1] = 0x3f00;  // half
  inputs[2] = 0x3c01;  // 2^-7 and a bit: rounds up to the last bit of magnitude
  inputs[3] = 0xbb80;  // half of the last bit below: nothing, and no sign
  const BfpBlock block = pack_bfp_block(inputs, DataFormat::bfp8);
  EXPECT_EQ(block.exponent, 127);
  EXPECT_EQ(block.datums[0], 127);
  EXPECT_EQ(block.datums[1], 32);
  EXPECT_EQ(block.datums[2], 1);
  EXPECT_EQ(block.datums[3], 0);
  const BfpBlock narrow = pack_bfp_block(inputs, DataFormat::bfp4);
  EXPECT_EQ(narrow.datums[0], 7);
  EXPECT_EQ(narrow.datums[1], 2);
}

TEST(BfpBlock, FiveBitExponentsAreSharedLikewise) {
  std::array<std::uint16_t, bfp_block_datums> inputs{};
  inputs[0] = 0x3c00;
  inputs[1] = 0xb800;
  const BfpBlock block = pack_bfp_block(inputs, DataFormat::bfp8a);
  EXPECT_EQ(block.exponent, 15);
  EXPECT_EQ(block.datums[0], 64);
  EXPECT_EQ(block.datums[1], 0x80 | 32);
}

}  // namespace
}  // namespace tensim::number
