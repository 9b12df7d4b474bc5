// Bits, integers and fields of FP32 in the Vector Unit: examples worked out by hand from the instructions' pages.
#include "tests/support/vector_bench.hpp"

namespace tensim::test {
namespace {

class VectorInteger : public BothArchs {};
TENSIM_BOTH_ARCHS(VectorInteger);

TEST_P(VectorInteger, ComputesWhatThePagesSay) {
  const VectorExample examples[]{
      {"SFPAND VC=1, VD=0", 0xFF00FF00, 0x0FF00FF0, 0, 0x0F000F00},
      {"SFPOR VC=1, VD=0", 0xFF00FF00, 0x0FF00FF0, 0, 0xFFF0FFF0},
      {"SFPXOR VC=1, VD=0", 0xFF00FF00, 0x0FF00FF0, 0, 0xF0F0F0F0},
      {"SFPNOT VC=1, VD=0", 0, 0x0FF00FF0, 0, 0xF00FF00F},
      {"SFPLZ VC=1, VD=0", 0, 0, 0, 32},
      {"SFPLZ VC=1, VD=0", 0, 0x00010000, 0, 15},
      {"SFPLZ VC=1, VD=0", 0, 0x80010000, 0, 0},
      {"SFPLZ VC=1, VD=0, Mod1=4", 0, 0x80010000, 0, 15},
      {"SFPABS VC=1, VD=0", 0, 0xFFFFFFFB, 0, 5},
      {"SFPABS VC=1, VD=0", 0, 0x80000000, 0, 0x80000000},
      {"SFPABS VC=1, VD=0, Mod1=1", 0, 0xBF800000, 0, 0x3F800000},
      {"SFPABS VC=1, VD=0, Mod1=1", 0, 0xFF800000, 0, 0x7F800000},
      {"SFPABS VC=1, VD=0, Mod1=1", 0, 0xFF800001, 0, 0xFF800001},  // a NaN keeps its sign
      {"SFPIADD VC=1, VD=0, Mod1=4", 7, 0xFFFFFFFF, 0, 6},
      {"SFPIADD VC=1, VD=0, Mod1=6", 7, 5, 0, 0xFFFFFFFE},  // VC - VD
      {"SFPIADD Imm12=-3, VC=1, VD=0, Mod1=5", 7, 5, 0, 2},
      {"SFPSHFT VC=1, VD=0", 0x80000001, 4, 0, 0x00000010},
      {"SFPSHFT VC=1, VD=0", 0x80000001, 0xFFFFFFFC, 0, 0x08000000},
      {"SFPSHFT VC=1, VD=0", 0x80000001, 33, 0, 0x00000002},  // modulo 32
      {"SFPSHFT Imm12=-31, VD=0, Mod1=1", 0x80000001, 4, 0, 1},
      {"SFPSHFT2 Imm12=2, VC=1, VD=0, Mod1=5", 0, 8, 0x12345678, 0x34567800},
      {"SFPSHFT2 Imm12=2, VC=1, VD=0, Mod1=5", 0, 0xFFFFFFF8, 0x12345678, 0x00123456},
      {"SFPSHFT2 Imm12=2, VD=0, Mod1=6", 0, 0, 0x12345678, 0x48D159E0},  // LReg 2, by 2
      {"SFPSHFT2 Imm12=-14, VD=0, Mod1=6", 0, 0, 0x12345678, 0x000048D1},
  };
  for (const VectorExample& example : examples)
    expect(GetParam(), example);
}

TEST_P(VectorInteger, TakesFloatsApart) {
  const VectorExample examples[]{
      {"SFPDIVP2 Imm8=3, VC=1, VD=0", 0, 0xC0490FDB, 0, 0x81C90FDB},
      {"SFPDIVP2 Imm8=3, VC=1, VD=0, Mod1=1", 0, 0xC0490FDB, 0, 0xC1C90FDB},
      {"SFPDIVP2 Imm8=255, VC=1, VD=0, Mod1=1", 0, 0x3F800000, 0, 0x3F000000},
      {"SFPDIVP2 Imm8=1, VC=1, VD=0, Mod1=1", 0, 0xFF812345, 0, 0xFF812345},  // not of infinity or NaN
      {"SFPDIVP2 Imm8=2, VC=1, VD=0, Mod1=1", 0, 0x7F012345, 0, 0x00012345},  // it wraps
      {"SFPEXEXP VC=1, VD=0", 0, 0x3F000000, 0, 0xFFFFFFFF},
      {"SFPEXEXP VC=1, VD=0, Mod1=1", 0, 0xBF000000, 0, 126},
      {"SFPEXMAN VC=1, VD=0", 0, 0xC0490FDB, 0, 0x00C90FDB},
      {"SFPEXMAN VC=1, VD=0, Mod1=1", 0, 0xC0490FDB, 0, 0x00490FDB},
      {"SFPSETEXP Imm8=128, VC=1, VD=0, Mod1=1", 0, 0xBF812345, 0, 0xC0012345},
      {"SFPSETEXP VC=1, VD=0", 0x12345681, 0xBF812345, 0, 0xC0812345},
      {"SFPSETEXP VC=1, VD=0, Mod1=2", 0xC1000000, 0xBF812345, 0, 0xC1012345},
      {"SFPSETMAN Imm12=0xABC, VC=1, VD=0, Mod1=1", 0, 0xBF812345, 0, 0xBFD5E000},
      {"SFPSETMAN VC=1, VD=0", 0xFFC54321, 0xBF812345, 0, 0xBFC54321},
      {"SFPSETSGN Imm1=1, VC=1, VD=0, Mod1=1", 0, 0x3F812345, 0, 0xBF812345},
      {"SFPSETSGN Imm1=0, VC=1, VD=0, Mod1=1", 0, 0xBF812345, 0, 0x3F812345},
      {"SFPSETSGN VC=1, VD=0", 0x80000000, 0x3F812345, 0, 0xBF812345},
  };
  for (const VectorExample& example : examples)
    expect(GetParam(), example);
}

TEST(VectorIntegerBlackhole, HasModesThatWormholeLacks) {
  const VectorExample examples[]{
      {"SFPAND VB=2, VC=1, VD=0, Mod1=1", 0, 0xFF00FF00, 0x0FF00FF0, 0x0F000F00},
      {"SFPOR VB=2, VC=1, VD=0, Mod1=1", 0, 0xFF00FF00, 0x0FF00FF0, 0xFFF0FFF0},
      {"SFPSHFT VC=1, VD=0, Mod1=2", 0x80000000, 0xFFFFFFFC, 0, 0xF8000000},
      {"SFPSHFT Imm12=-4, VC=1, VD=0, Mod1=7", 0, 0x80000000, 0, 0xF8000000},
      {"SFPSHFT Imm12=-4, VC=1, VD=0, Mod1=5", 0, 0x80000000, 0, 0x08000000},
      {"SFPMUL24 VA=1, VB=2, VC=9, VD=0", 0, 0x00FFFFFF, 3, 0x007FFFFD},
      {"SFPMUL24 VA=1, VB=2, VC=9, VD=0, Mod1=1", 0, 0x00400000, 0x00000006, 3},
      {"SFPMUL24 VA=1, VB=2, VC=10, VD=0", 0, 0, 0, 0x01000000 & 0x7FFFFF},
  };
  for (const VectorExample& example : examples)
    expect(Arch::blackhole, example);
}

TEST(VectorIntegerWormhole, IgnoresModesThatOnlyBlackholeHas) {
  expect(Arch::wormhole, {"SFPSHFT VC=1, VD=0, Mod1=2", 0x80000000, 0xFFFFFFFC, 0, 0x08000000});
  expect(Arch::wormhole, {"SFPSHFT Imm12=-4, VC=1, VD=0, Mod1=5", 0x100, 0x80000000, 0, 0x10});
}

TEST_P(VectorInteger, OnlyEnabledLanesChange) {
  VectorBench bench(GetParam());
  bench.number(1, 100);
  bench.fill(0, 7);
  bench.enable(0x0F0F'00FF);
  bench.run("SFPMOV VC=1, VD=0");
  for (unsigned lane = 0; lane < lane_count; ++lane)
    EXPECT_EQ(bench.lreg(0)[lane], (0x0F0F'00FFU >> lane & 1U) != 0 ? 100 + lane : 7) << lane;
}

TEST_P(VectorInteger, ConstantsAreNeverWritten) {
  for (const unsigned constant : {8U, 9U, 10U, 11U}) {
    VectorBench bench(GetParam());
    bench.fill(1, 0x1234);
    const Lanes before = bench.lreg(constant);
    for (const char* text : {"SFPMOV VC=1, VD=", "SFPIADD VC=1, VD=", "SFPMAD VA=1, VB=1, VC=1, VD="})
      bench.run(text + std::to_string(constant));
    EXPECT_EQ(bench.lreg(constant), before) << constant;
  }
  VectorBench bench(GetParam());
  EXPECT_EQ(bench.first(8), 0x3F56594BU);
  EXPECT_EQ(bench.first(9), 0U);
  EXPECT_EQ(bench.first(10), 0x3F800000U);
  EXPECT_EQ(bench.lreg(15)[31], 62U);
}

TEST_P(VectorInteger, SomeResultsSetFlags) {
  struct Example {
    const char* text;
    std::uint32_t l0, l1;
    bool flag;
  };
  const Example examples[]{
      {"SFPIADD VC=1, VD=0", 1, 0xFFFFFFFE, true},
      {"SFPIADD VC=1, VD=0", 1, 0xFFFFFFFF, false},
      {"SFPIADD VC=1, VD=0, Mod1=4", 1, 0xFFFFFFFF, true},   // left alone
      {"SFPIADD VC=1, VD=0, Mod1=8", 1, 0xFFFFFFFE, false},  // not negative
      {"SFPIADD VC=1, VD=0, Mod1=12", 1, 5, false},          // turned round
      {"SFPLZ VC=1, VD=0, Mod1=2", 1, 0x80000000, true},
      {"SFPLZ VC=1, VD=0, Mod1=6", 1, 0x80000000, false},
      {"SFPLZ VC=1, VD=0, Mod1=10", 1, 0x80000000, false},
      {"SFPEXEXP VC=1, VD=0, Mod1=2", 0, 0x3F000000, true},
      {"SFPEXEXP VC=1, VD=0, Mod1=10", 0, 0x3F000000, false},
  };
  for (const Example& example : examples) {
    VectorBench bench(GetParam());
    bench.fill(0, example.l0);
    bench.fill(1, example.l1);
    bench.enable(every_lane);
    bench.run(example.text);
    EXPECT_EQ(bench.registers().flags, example.flag ? every_lane : 0U) << example.text;
  }
}

}  // namespace
}  // namespace tensim::test
