#include "number/format.hpp"

#include <set>

#include <gtest/gtest.h>

namespace tensim::number {
namespace {

TEST(DataFormat, CodesAreTheFourBitsOfTheConfiguration) {
  std::set<DataFormat> seen;
  for (unsigned code = 0; code < 16; ++code) {
    const auto format = format_of_code(code);
    EXPECT_EQ(format.has_value(), code != 12 && code != 13) << code;
    if (!format) continue;
    EXPECT_EQ(static_cast<unsigned>(*format), code);
    EXPECT_EQ(facts(*format).format, *format);
    seen.insert(*format);
  }
  EXPECT_EQ(seen.size(), format_facts.size());
  EXPECT_FALSE(format_of_code(16));
}

// The code's low bits are the size: 0 is 32 bits, 1 is 16, 2 is 8, and 3 is what is left.
TEST(DataFormat, SizesFollowFromTheCode) {
  constexpr std::array<unsigned, 3> sizes{32, 16, 8};
  for (const FormatFacts& row : format_facts) {
    const unsigned low = static_cast<unsigned>(row.format) & 3U;
    if (low < 3) {
      EXPECT_EQ(row.datum_bits, sizes[low]) << row.name;
    } else {
      EXPECT_LT(row.datum_bits, 8U) << row.name;
    }
  }
}

TEST(DataFormat, ABfpTileOf1024DatumsHas64ExponentBytesInFront) {
  EXPECT_EQ(exponent_section_bytes(DataFormat::bfp8, 1024), 64U);
  EXPECT_EQ(exponent_section_bytes(DataFormat::bfp2a, 256), 16U);
  EXPECT_EQ(exponent_section_bytes(DataFormat::bfp4, 16), 16U);   // filled up to a word of L1
  EXPECT_EQ(exponent_section_bytes(DataFormat::bfp4, 257), 32U);  // 17 exponents
  EXPECT_EQ(exponent_section_bytes(DataFormat::bf16, 1024), 0U);
  EXPECT_EQ(exponent_index(15), 0U);
  EXPECT_EQ(exponent_index(16), 1U);
}

TEST(DataFormat, FourExponentBitsOfFp8AreBlackholesAlone) {
  EXPECT_TRUE(has_fp8_exponent(Arch::wormhole, Fp8Exponent::bits_5));
  EXPECT_FALSE(has_fp8_exponent(Arch::wormhole, Fp8Exponent::bits_4));
  EXPECT_TRUE(has_fp8_exponent(Arch::blackhole, Fp8Exponent::bits_4));
}

TEST(DataFormat, ComputationsTakeSrcForOneOfThreeFloats) {
  EXPECT_EQ(src_style(DataFormat::bfp4), SrcStyle::bf16);
  EXPECT_EQ(src_style(DataFormat::int32), SrcStyle::bf16);
  EXPECT_EQ(src_style(DataFormat::fp8), SrcStyle::fp16);
  EXPECT_EQ(src_style(DataFormat::int8), SrcStyle::fp16);
  EXPECT_EQ(src_style(DataFormat::tf32), SrcStyle::tf32);
}

}  // namespace
}  // namespace tensim::number
