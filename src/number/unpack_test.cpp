#include "number/unpack.hpp"

#include <bit>

#include <gtest/gtest.h>

#include "number/move.hpp"

namespace tensim::number {
namespace {

std::uint32_t unpack(const UnpackMode& mode, std::uint32_t datum, std::uint32_t exponent = 0) {
  const auto plan = plan_unpack(mode);
  EXPECT_TRUE(plan);
  return plan ? unpack_datum(*plan, datum, exponent) : 0;
}

UnpackMode same(DataFormat format, bool to_dst = false) {
  return {.in = format, .out = format, .to_dst = to_dst};
}

TEST(Layout, SixteenBitsComeBackFromDstAndSrc) {
  for (std::uint32_t x = 0; x < 0x10000; ++x) {
    ASSERT_EQ(bf16_from_dst(dst_from_bf16(x)), x);
    ASSERT_EQ(fp16_from_dst(dst_from_fp16(x)), x);
    ASSERT_EQ(tf32_from_src(src_from_bf16(x)), x << 3U);
    // Unpacked to Src and moved to Dst is the same as unpacked to Dst.
    ASSERT_EQ(dst16_from_src(src_from_bf16(x), SrcStyle::bf16), dst_from_bf16(x));
    ASSERT_EQ(dst16_from_src(src_from_fp16(x), SrcStyle::fp16), dst_from_fp16(x));
    ASSERT_EQ(src_from_dst16(dst_from_fp16(x), SrcStyle::fp16), src_from_fp16(x));
    ASSERT_EQ(dst16_from_src(src_from_int16(x), SrcStyle::bf16), x);
  }
}

TEST(Layout, IntegersAreSignAndMagnitude) {
  EXPECT_EQ(fp32_from_dst(dst_from_int32(-5)), 0x8000'0005U);
  EXPECT_EQ(int32_from_dst(dst_from_int32(-0x7fff'ffff)), -0x7fff'ffff);
  EXPECT_EQ(int32_from_dst(dst_from_fp32(0x8000'0000)), 0);
}

TEST(Move, TheLowHalfAsTf32IsTheThirteenBitsThatTf32Drops) {
  EXPECT_EQ(src_from_dst32(0x1234'5678, SrcStyle::tf32, true), 0x1678U);
  const std::uint32_t dst = dst_from_fp32(0x3fab'e000);
  EXPECT_EQ(dst32_from_src_tf32(src_from_dst32(dst, SrcStyle::tf32, false)), dst);
}

TEST(Unpack, EveryBfpMagnitudeIsExact) {
  for (std::uint32_t datum = 1; datum < 128; ++datum) {
    // Magnitude over 2^6, exponent 127: the number itself has bias 127 too.
    const std::uint32_t bf16 = bf16_from_bfp8(datum, 127);
    const double value = std::bit_cast<float>(bf16 << 16U);
    ASSERT_EQ(value, static_cast<double>(datum) / 64.0);
    ASSERT_EQ(bf16_from_bfp8(datum | 0x80U, 127), bf16 | 0x8000U);
  }
}

TEST(Unpack, ABfpZeroWithASignIsMinusInfinity) {
  EXPECT_EQ(bf16_from_bfp8(0x80, 1), 0xff80U);
  EXPECT_EQ(fp16_from_bfp8a(0x80, 1), 0xfc00U);
  EXPECT_EQ(bf16_from_bfp8(0, 200), 0U);
  EXPECT_EQ(bf16_from_bfp8(1, 3), (0xfdU << 7U));  // the exponent wraps around
}

TEST(Unpack, NarrowBfpFormatsAreBfp8WithZerosBelow) {
  EXPECT_EQ(unpack(same(DataFormat::bfp4), 0x7, 130), src_from_bf16(bf16_from_bfp8(0x70, 130)));
  EXPECT_EQ(unpack(same(DataFormat::bfp2, true), 0x3, 130), dst_from_bf16(bf16_from_bfp8(0xc0, 130)));
  EXPECT_EQ(unpack(same(DataFormat::bfp8a), 0x41, 20), src_from_fp16(fp16_from_bfp8a(0x41, 20)));
  EXPECT_EQ(unpack(same(DataFormat::bfp2a), 0x1, 20), src_from_fp16(0x5000));  // 1.0 * 2^(20-15)
  EXPECT_EQ(unpack(same(DataFormat::bfp4a), 0x2, 20), src_from_fp16(0x4c00));  // half of it
}

TEST(Unpack, NarrowBfpFormatsCanBeUnpackedAsBfp8AndNotTheOtherWayRound) {
  struct Narrow {
    DataFormat in, out;
    std::uint32_t end;
  };
  for (const auto& [in, out, end] :
       {Narrow{DataFormat::bfp4, DataFormat::bfp8, 16}, Narrow{DataFormat::bfp2, DataFormat::bfp8, 4},
        Narrow{DataFormat::bfp4a, DataFormat::bfp8a, 16}, Narrow{DataFormat::bfp2a, DataFormat::bfp8a, 4}}) {
    for (std::uint32_t datum = 0; datum < end; ++datum)
      EXPECT_EQ(unpack({.in = in, .out = out}, datum, 20), unpack(same(in), datum, 20)) << facts(in).name << datum;
    EXPECT_FALSE(plan_unpack({.in = out, .out = in})) << facts(in).name;
    EXPECT_FALSE(plan_unpack({.in = in, .out = DataFormat::bf16})) << facts(in).name;
  }
  // BFP2 has a sign and one bit of magnitude, which is a one of the exponent: 2^3 of 130, and its negative.
  const UnpackMode bfp2_as_bfp8{.in = DataFormat::bfp2, .out = DataFormat::bfp8};
  EXPECT_EQ(unpack(bfp2_as_bfp8, 0, 130), 0U);
  EXPECT_EQ(unpack(bfp2_as_bfp8, 1, 130), src_from_bf16(0x4100));
  EXPECT_EQ(unpack(bfp2_as_bfp8, 3, 130), src_from_bf16(0xc100));
  EXPECT_FALSE(plan_unpack({.in = DataFormat::bfp2, .out = DataFormat::bfp4}));
  EXPECT_FALSE(plan_unpack({.in = DataFormat::bfp4a, .out = DataFormat::bfp8}));
  EXPECT_FALSE(plan_unpack({.in = DataFormat::bfp2, .out = DataFormat::bfp8a}));
}

TEST(Unpack, OnlyFp32ConvertsAndOnlyDstHoldsAllOfIt) {
  EXPECT_FALSE(plan_unpack({.in = DataFormat::fp32, .out = DataFormat::fp32, .to_dst = false}));
  EXPECT_FALSE(plan_unpack({.in = DataFormat::tf32, .out = DataFormat::tf32, .to_dst = false}));
  EXPECT_FALSE(plan_unpack({.in = DataFormat::int32, .out = DataFormat::int32, .to_dst = false}));
  EXPECT_FALSE(plan_unpack({.in = DataFormat::bf16, .out = DataFormat::fp16}));
  EXPECT_FALSE(plan_unpack({.in = DataFormat::fp32, .out = DataFormat::bfp8}));
  EXPECT_FALSE(plan_unpack(
      {.in = DataFormat::fp8, .out = DataFormat::fp8, .fp8_exponent = Fp8Exponent::bits_4, .arch = Arch::wormhole}));
  EXPECT_TRUE(plan_unpack({.in = DataFormat::tf32, .out = DataFormat::tf32, .to_dst = true}));
}

TEST(Unpack, TheLargestFp8DiffersBetweenTheArchitectures) {
  UnpackMode mode = same(DataFormat::fp8, true);
  mode.arch = Arch::wormhole;
  EXPECT_EQ(unpack(mode, 0x7f), dst_from_fp16(0x7f00));
  mode.arch = Arch::blackhole;
  EXPECT_EQ(unpack(mode, 0x7f), dst_from_fp16(0x7fff));
  EXPECT_EQ(unpack(mode, 0x7e), dst_from_fp16(0x7e00));
}

TEST(Unpack, IntegersOfEightBitsCarryADummyExponent) {
  EXPECT_EQ(unpack(same(DataFormat::int8), 0x85), 0x40510U);
  EXPECT_EQ(unpack(same(DataFormat::int8), 0x80), 0x40000U);
  UnpackMode mode = same(DataFormat::int8);
  mode.int8_unsigned = true;
  EXPECT_EQ(unpack(mode, 0x85), 0x08510U);
}

TEST(Unpack, Fp32TruncatesAndFlushes) {
  EXPECT_EQ(unpack({.in = DataFormat::fp32, .out = DataFormat::bf16}, 0x3fff'ffff), src_from_bf16(0x3fff));
  EXPECT_EQ(unpack({.in = DataFormat::fp32, .out = DataFormat::bf16}, 0x807f'ffff), src_from_bf16(0x8000));
  EXPECT_EQ(unpack({.in = DataFormat::fp32, .out = DataFormat::fp16}, 0x4800'0000), src_from_fp16(0x7fff));
  EXPECT_EQ(unpack({.in = DataFormat::fp32, .out = DataFormat::fp16}, 0x7fc0'0000), src_from_fp16(0x7fff));
}

}  // namespace
}  // namespace tensim::number
