// The Vector Unit's floating point: examples worked out by hand from the instructions' pages.
#include <bit>
#include <cmath>

#include "tests/support/vector_bench.hpp"

namespace tensim::test {
namespace {

class VectorFloat : public BothArchs {};
TENSIM_BOTH_ARCHS(VectorFloat);

constexpr std::uint32_t bits(float x) {
  return std::bit_cast<std::uint32_t>(x);
}
constexpr std::uint32_t infinity = 0x7F800000;
constexpr std::uint32_t minus_zero = 0x80000000;
constexpr std::uint32_t smallest = 0x00800000;

TEST_P(VectorFloat, MultipliesAndAdds) {
  const VectorExample examples[]{
      {"SFPMAD VA=1, VB=2, VC=10, VD=0", 0, bits(3.0F), bits(-2.5F), bits(-6.5F)},
      {"SFPADD VA=10, VB=1, VC=2, VD=0", 0, bits(3.0F), bits(-2.5F), bits(0.5F)},
      {"SFPMUL VA=1, VB=2, VC=9, VD=0", 0, bits(3.0F), bits(-2.5F), bits(-7.5F)},
      {"SFPADDI Imm16=0x3FC0, VD=0", bits(1.0F), 0, 0, bits(2.5F)},
      {"SFPMULI Imm16=0x3FC0, VD=0", bits(3.0F), 0, 0, bits(4.5F)},
      {"SFPMUL VA=1, VB=2, VC=9, VD=0", 0, 0x00400000, bits(4.0F), 0},  // a denormal is a zero
      {"SFPMUL VA=1, VB=2, VC=9, VD=0", 0, smallest, bits(0.25F), 0},   // and so is a result that would be one
      {"SFPMUL VA=1, VB=2, VC=9, VD=0", 0, 0x7F000000, bits(4.0F), infinity},
      {"SFPADD VA=10, VB=1, VC=2, VD=0", 0, infinity, bits(1.0F), infinity},
      // Half an ulp up to even; ties to even.
      {"SFPADD VA=10, VB=1, VC=2, VD=0", 0, 0x4B800001, bits(1.0F), 0x4B800002},
      {"SFPADD VA=10, VB=1, VC=2, VD=0", 0, 0x4B800000, bits(1.0F), 0x4B800000},
  };
  for (const VectorExample& example : examples)
    expect(GetParam(), example);
}

TEST_P(VectorFloat, TheProductIsCutNotFused) {
  // (1 + 2^-23)^2 - (1 + 2^-22) is 2^-46 when fused; three bits below the addend's last are kept, the last of them sticky.
  expect(GetParam(), {"SFPMAD VA=1, VB=1, VC=2, VD=0", 0, 0x3F800001, 0xBF800002, bits(0x1p-26F)});
}

TEST_P(VectorFloat, NansAndZerosDependOnTheChip) {
  const bool blackhole = is_blackhole();
  const VectorExample examples[]{
      {"SFPMUL VA=1, VB=2, VC=9, VD=0", 0, infinity, 0, blackhole ? 0x7FC00000U : 0x7F800001U},
      {"SFPADD VA=10, VB=1, VC=2, VD=0", 0, infinity, 0xFF800000, blackhole ? 0x7FC00000U : 0x7F800001U},
      {"SFPADD VA=10, VB=1, VC=2, VD=0", 0, minus_zero, minus_zero, blackhole ? minus_zero : 0U},
      {"SFPMUL VA=1, VB=2, VC=9, VD=0", 0, minus_zero, bits(1.0F), 0},
      {"SFPADD VA=10, VB=1, VC=2, VD=0", 0, bits(1.0F), 0xFF812344, blackhole ? 0x7FC00000U : 0xFF800001U},
      // Bits of the sum join Wormhole's NaN: 0x4000018 - 0x3FFFFFC is 11100 in binary, of which 1100... is the mantissa.
      {"SFPADD VA=10, VB=1, VC=2, VD=0", 0, 0x7F800003, 0xFF7FFFFF, blackhole ? 0x7FC00000U : 0x7FE00001U},
  };
  for (const VectorExample& example : examples)
    expect(GetParam(), example);
}

TEST(VectorFloatBlackhole, ModifiersTurnSigns) {
  const std::uint32_t two = bits(2.0F);
  const std::uint32_t three = bits(3.0F);
  const VectorExample examples[]{
      {"SFPMAD VA=1, VB=2, VC=10, VD=0, Mod1=1", 0, two, three, bits(-5.0F)},
      {"SFPMAD VA=1, VB=2, VC=10, VD=0, Mod1=2", 0, two, three, bits(5.0F)},
      {"SFPMAD VA=1, VB=2, VC=10, VD=0, Mod1=3", 0, two, three, bits(-7.0F)},
      {"SFPMUL VA=1, VB=2, VC=9, VD=0, Mod1=2", 0, minus_zero, three, minus_zero},
      {"SFPADDI Imm16=0x3F80, VD=0, Mod1=2", two, 0, 0, bits(-1.0F)},
      {"SFPMULI Imm16=0x4040, VD=0, Mod1=2", two, 0, 0, bits(-6.0F)},
  };
  for (const VectorExample& example : examples)
    expect(Arch::blackhole, example);
  expect(Arch::wormhole, {"SFPMAD VA=1, VB=2, VC=10, VD=0, Mod1=3", 0, two, three, bits(7.0F)});
}

TEST_P(VectorFloat, LReg7NamesRegistersLaneByLane) {
  VectorBench bench(GetParam());
  for (unsigned lreg = 0; lreg < 7; ++lreg)
    bench.fill(lreg, bits(static_cast<float>(lreg)));
  for (unsigned lane = 0; lane < lane_count; ++lane)
    bench.lreg(7)[lane] = lane % 4 | 0x30;  // the low four bits count
  bench.run("SFPMAD VA=9, VB=10, VC=10, VD=5, Mod1=4");
  for (unsigned lane = 0; lane < lane_count; ++lane)
    EXPECT_EQ(bench.lreg(5)[lane], bits(static_cast<float>(lane % 4) + 1.0F)) << lane;
  bench.run("SFPADDI Imm16=0x42C8, VD=6, Mod1=8");  // 100
  for (unsigned lane = 0; lane < lane_count; ++lane)
    for (unsigned lreg = 0; lreg < 4; ++lreg)
      EXPECT_EQ(bench.lreg(lreg)[lane], bits(lreg == lane % 4 ? 106.0F : static_cast<float>(lreg))) << lane;
  EXPECT_EQ(bench.first(6), bits(6.0F));
}

TEST_P(VectorFloat, LooksUpPiecesOfLines) {
  struct Example {
    float argument;
    float piece_8, piece_32, piece_6;
  };
  // SFPLUT's byte 0x10 is 0.5, 0x90 is -0.5, 0x00 is 1.
  const Example examples[]{{0.5F, 0.5F * 0.5F + 1.0F, 0.5F * 2.0F + 1.0F, 0.5F * 2.0F + 5.0F},
                           {-0.25F, -(0.25F * 0.5F + 1.0F), 0.25F * 2.0F + 1.0F, 0.25F * 1.0F + 4.0F},
                           {1.5F, 1.5F * -0.5F + 0.5F, 1.5F * 3.0F + 2.0F, 1.5F * 2.0F + 5.0F},
                           {3.5F, 3.5F * 1.0F - 0.5F, 3.5F * 4.0F + 3.0F, 3.5F * 2.0F + 5.0F}};
  for (const Example& example : examples) {
    VectorBench bench(GetParam());
    bench.fill(0, 0x1000);
    bench.fill(1, 0x9010);
    bench.fill(2, 0x0090);
    bench.fill(3, bits(example.argument));
    bench.run("SFPLUT VD=7, Mod0=4\nSFPNOP");
    // The sign of the argument replaces the result's.
    EXPECT_EQ(bench.first(7), bits(std::copysign(example.piece_8, example.argument)));
    for (unsigned i = 0; i < 3; ++i) {
      bench.fill(i, bits(static_cast<float>(i + 2)));
      bench.fill(4 + i, bits(static_cast<float>(i + 1)));
    }
    bench.run("SFPLUTFP32 VD=7, Mod1=0\nSFPNOP");
    EXPECT_EQ(bench.first(7), bits(example.piece_32));
    for (unsigned i = 0; i < 3; ++i) {
      bench.fill(i, 0x4000'3C00);      // 2 and 1 in FP16
      bench.fill(4 + i, 0x4500'4400);  // 5 and 4
    }
    bench.run("SFPLUTFP32 VD=7, Mod1=2\nSFPNOP");
    EXPECT_EQ(bench.first(7), bits(example.piece_6));
    bench.fill(7, 6);
    bench.run("SFPLUTFP32 VD=1, Mod1=10\nSFPNOP");  // goes where LReg 7 says
    EXPECT_EQ(bench.first(6), bits(std::abs(example.argument) * 2.0F + 1.0F));
    EXPECT_EQ(bench.first(1), 0x4000'3C00U);
  }
  VectorBench bench(GetParam());
  for (unsigned i = 0; i < 3; ++i) {
    bench.fill(i, 0x4000'3C00);
    bench.fill(4 + i, 0x4500'4400);
  }
  bench.fill(3, bits(3.5F));
  bench.run("SFPLUTFP32 VD=7, Mod1=3\nSFPNOP");  // the last piece begins at 4
  EXPECT_EQ(bench.first(7), bits(3.5F * 1.0F + 4.0F));
}

TEST_P(VectorFloat, CastsAndRounds) {
  const VectorExample examples[]{
      {"SFPCAST VC=1, VD=0", 0, 0x80000003, 0, bits(-3.0F)},
      {"SFPCAST VC=1, VD=0", 0, 0x01000001, 0, 0x4B800000},  // to even
      {"SFPCAST VC=1, VD=0", 0, 0x01000003, 0, 0x4B800002},
      {"SFPCAST VC=1, VD=0", 0, minus_zero, 0, minus_zero},
      {"SFPSTOCHRND VC=1, VD=0, Mod1=1", 0, 0x3F808000, 0, 0x3F810000},  // ties go up
      {"SFPSTOCHRND VC=1, VD=0, Mod1=1", 0, 0x3F807FFF, 0, 0x3F800000},
      {"SFPSTOCHRND VC=1, VD=0, Mod1=0", 0, 0x3F801000, 0, 0x3F802000},
      {"SFPSTOCHRND VC=1, VD=0, Mod1=1", 0, 0xFFC12345, 0, 0xFF800000},
      {"SFPSTOCHRND VC=1, VD=0, Mod1=1", 0, 0x80012345, 0, 0},
      {"SFPSTOCHRND VC=1, VD=0, Mod1=3", 0, bits(-2.5F), 0, 0x80000003},
      {"SFPSTOCHRND VC=1, VD=0, Mod1=3", 0, bits(-1000.0F), 0, 0x8000007F},
      {"SFPSTOCHRND VC=1, VD=0, Mod1=3", 0, bits(-0.4F), 0, 0},
      {"SFPSTOCHRND VC=1, VD=0, Mod1=2", 0, bits(-200.0F), 0, 200},
      {"SFPSTOCHRND VC=1, VD=0, Mod1=2", 0, bits(300.0F), 0, 255},
      {"SFPSTOCHRND VC=1, VD=0, Mod1=6", 0, bits(65535.6F), 0, 65535},
      {"SFPSTOCHRND VC=1, VD=0, Mod1=7", 0, infinity, 0, 32767},
      {"SFPSTOCHRND VB=2, VC=1, VD=0, Mod1=5", 0, 0x80000018, 4, 0x80000002},
      {"SFPSTOCHRND Imm5=3, VB=2, VC=1, VD=0, UseImm5=1, Mod1=4", 0, 0x80000018, 4, 3},
      {"SFPSTOCHRND Imm5=0, VB=2, VC=1, VD=0, UseImm5=1, Mod1=4", 0, 0x7FFFFFFF, 4, 255},
  };
  for (const VectorExample& example : examples)
    expect(GetParam(), example);
}

TEST(VectorFloatBlackhole, CastsBetweenComplementsAndApproximates) {
  const VectorExample examples[]{
      {"SFPCAST VC=1, VD=0, Mod1=3", 0, 0xFFFFFFFB, 0, 0x80000005},
      {"SFPCAST VC=1, VD=0, Mod1=3", 0, 0x80000005, 0, 0xFFFFFFFB},
      {"SFPCAST VC=1, VD=0, Mod1=3", 0, 0x80000000, 0, 0x80000000},
      {"SFPCAST VC=1, VD=0, Mod1=2", 0, 0xFFFFFFFB, 0, 5},
      {"SFPARECIP VC=1, VD=0", 0, bits(1.0F), 0, bits(0.99609375F)},
      {"SFPARECIP VC=1, VD=0", 0, bits(-1.0F), 0, bits(-0.99609375F)},
      {"SFPARECIP VC=1, VD=0", 0, minus_zero, 0, 0xFF800000},
      {"SFPARECIP VC=1, VD=0", 0, 0x7E800000, 0, 0},
      {"SFPARECIP VB=2, VC=1, VD=0, Mod1=1", 0, bits(-1.0F), 0x80000000, bits(0.99609375F)},
      {"SFPARECIP VB=2, VC=1, VD=0, Mod1=1", 0, bits(-1.0F), 0x00000001, bits(-1.0F)},
      {"SFPARECIP VC=1, VD=0, Mod1=2", 0, bits(1.0F), 0, bits(2.703125F)},
      {"SFPARECIP VC=1, VD=0, Mod1=2", 0, 0, 0, bits(1.0F)},
      {"SFPSTOCHRND RoundingMode=2, VC=1, VD=0, Mod1=1", 0, 0x3F80FFFE, 0, 0x3F800000},
      {"SFPSTOCHRND RoundingMode=2, VC=1, VD=0, Mod1=1", 0, 0x3F80FFFF, 0, 0x3F810000},  // documented as a bug
      {"SFPSTOCHRND RoundingMode=2, VC=1, VD=0, Mod1=3", 0, bits(2.9F), 0, 2},
  };
  for (const VectorExample& example : examples)
    expect(Arch::blackhole, example);
}

TEST_P(VectorFloat, RandomNumbersAreTheDocumentedOnes) {
  VectorBench bench(GetParam());
  bench.registers().random.fill(0x80000001);  // two taps: the next top bit is 1
  bench.run("SFPMOV VC=9, VD=0, Mod1=8\nSFPMOV VC=9, VD=1, Mod1=8");
  EXPECT_EQ(bench.first(0), 0x80000001U);
  EXPECT_EQ(bench.first(1), 0xC0000000U);
  // Rounding takes one from every enabled lane, whether it needs it or not; the others' stay.
  bench.registers().random.fill(0x80000001);
  bench.enable(1);
  bench.run("SFPSTOCHRND VC=1, VD=0, Mod1=1");
  EXPECT_EQ(bench.registers().random[0], 0xC0000000U);
  EXPECT_EQ(bench.registers().random[1], 0x80000001U);
}

TEST_P(VectorFloat, StochasticRoundingComparesWithRandomBits) {
  const auto rounded = [&](const char* text, std::uint32_t random, std::uint32_t value) {
    VectorBench bench(GetParam());
    bench.registers().random.fill(random);
    bench.fill(1, value);
    bench.run(text);
    return bench.first(0);
  };
  const char* bf16 = is_blackhole() ? "SFPSTOCHRND RoundingMode=1, VC=1, VD=0, Mod1=1"
                                    : "SFPSTOCHRND StochasticRounding=1, VC=1, VD=0, Mod1=1";
  EXPECT_EQ(rounded(bf16, 0x1234 << 7, 0x3F801234), 0x3F810000U);  // not less
  EXPECT_EQ(rounded(bf16, 0x1235 << 7, 0x3F801234), 0x3F800000U);
  EXPECT_EQ(rounded("SFPCAST VC=1, VD=0, Mod1=1", 0x40 << 9, 0x40000041), 0x4E800001U);  // 0x82 is more than 0x40
  EXPECT_EQ(rounded("SFPCAST VC=1, VD=0, Mod1=1", 0x82 << 9, 0x40000041), 0x4E800000U);
}

TEST_P(VectorFloat, WritingTheSeedSeedsEveryLane) {
  VectorBench bench(GetParam());
  const unsigned word = is_blackhole() ? 186 : 164;
  bench->write_config(*tensix::config_word_store(GetParam(), 0, word, 0x1234));
  const auto seeded = bench.registers().random;
  EXPECT_NE(seeded[0], seeded[31]);
  bench->write_config(*tensix::config_word_store(GetParam(), 0, word, 0x1234));
  EXPECT_EQ(bench.registers().random, seeded);
}

TEST(VectorFloatBlackhole, AnUndocumentedRoundingModeIsReported) {
  VectorBench bench(Arch::blackhole);
  bench.run("SFPSTOCHRND RoundingMode=3, VC=1, VD=0, Mod1=1");
  EXPECT_TRUE(bench.reported(DataIssue::vector_rounding));
}

}  // namespace
}  // namespace tensim::test
