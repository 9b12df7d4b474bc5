// Conditional execution in the Vector Unit: flags, their stack, comparisons.
#include "tests/support/vector_bench.hpp"

namespace tensim::test {
namespace {

class VectorFlags : public BothArchs {};
TENSIM_BOTH_ARCHS(VectorFlags);

constexpr LaneMask some = 0x00FF'0F0F;

TEST_P(VectorFlags, SfpenccSetsKeepsOrTurnsTheUseOfFlags) {
  VectorBench bench(GetParam());
  EXPECT_EQ(bench.registers().enabled(), every_lane);  // flags are not used at first
  bench.run("SFPENCC Imm2=1, Mod1=10");
  EXPECT_EQ(bench.registers().uses_flags, every_lane);
  EXPECT_EQ(bench.registers().flags, 0U);
  EXPECT_EQ(bench.registers().enabled(), 0U);
  bench.run("SFPENCC");  // flags become true; their use stays
  EXPECT_EQ(bench.registers().uses_flags, every_lane);
  EXPECT_EQ(bench.registers().flags, every_lane);
  bench.run("SFPENCC Imm2=0, Mod1=9");
  EXPECT_EQ(bench.registers().uses_flags, 0U);
  EXPECT_EQ(bench.registers().flags, 0U);
}

TEST_P(VectorFlags, SfpsetccComparesWithZero) {
  struct Example {
    const char* mod;
    bool negative, zero, positive;
  };
  for (const Example& example : {Example{"0", true, false, false}, Example{"2", true, false, true},
                                 Example{"4", false, true, true}, Example{"6", false, true, false}}) {
    VectorBench bench(GetParam());
    bench.enable(every_lane & ~1U);
    bench.lreg(0)[1] = 0x80000001;
    bench.lreg(0)[3] = 7;
    bench.run(std::string("SFPSETCC VC=0, Mod1=") + example.mod);
    EXPECT_EQ(bench.registers().flags >> 1U & 1U, example.negative ? 1U : 0U) << example.mod;
    EXPECT_EQ(bench.registers().flags >> 2U & 1U, example.zero ? 1U : 0U) << example.mod;
    EXPECT_EQ(bench.registers().flags >> 3U & 1U, example.positive ? 1U : 0U) << example.mod;
    EXPECT_EQ(bench.registers().flags & 1U, 0U) << "a lane that is off stays off";
  }
  VectorBench bench(GetParam());
  bench.enable(some);
  bench.run("SFPSETCC Imm1=1, Mod1=1");
  EXPECT_EQ(bench.registers().flags, some);
  bench.run("SFPSETCC Mod1=8");
  EXPECT_EQ(bench.registers().flags, 0U);
  bench.registers().flags = every_lane;
  bench.registers().uses_flags = 0;
  bench.run("SFPSETCC Imm1=1, Mod1=1");  // flags that are not used are cleared
  EXPECT_EQ(bench.registers().flags, 0U);
}

TEST_P(VectorFlags, PushSetComplementAndPopMakeAnIfWithAnElse) {
  VectorBench bench(GetParam());
  bench.enable(every_lane);
  bench.number(1, 0xFFFFFFF0);  // sixteen negative lanes
  bench.run(
      "SFPPUSHC\nSFPSETCC VC=1, Mod1=0\nSFPLOADI VD=0, Mod0=2, Imm16=1\nSFPCOMPC\nSFPLOADI VD=0, Mod0=2, "
      "Imm16=2\nSFPPOPC");
  for (unsigned lane = 0; lane < lane_count; ++lane)
    EXPECT_EQ(bench.lreg(0)[lane], lane < 16 ? 1U : 2U);
  EXPECT_EQ(bench.registers().flags, every_lane);
  EXPECT_TRUE(bench.registers().stack.empty());
}

TEST_P(VectorFlags, SfpcompcIsFalseWhereTheTopOfTheStackIs) {
  VectorBench bench(GetParam());
  bench.enable(some);
  bench.run("SFPPUSHC\nSFPSETCC VC=15, Mod1=6\nSFPCOMPC");  // only lane 0 is zero
  EXPECT_EQ(bench.registers().flags, some & ~1U);
  bench.registers().stack.uses_flags[0] = 0;
  bench.run("SFPCOMPC");
  EXPECT_EQ(bench.registers().flags, 0U);
}

constexpr LaneMask a_flags = 0x0000'FFFF;
constexpr LaneMask b_flags = 0x00FF'00FF;
constexpr std::array<LaneMask, 13> combinations{0,
                                                b_flags,
                                                ~b_flags,
                                                a_flags& b_flags,
                                                a_flags | b_flags,
                                                a_flags & ~b_flags,
                                                a_flags | ~b_flags,
                                                ~a_flags& b_flags,
                                                ~a_flags | b_flags,
                                                ~a_flags & ~b_flags,
                                                ~a_flags | ~b_flags,
                                                a_flags ^ b_flags,
                                                ~(a_flags ^ b_flags)};

TEST_P(VectorFlags, SfppopcCombinesFlagsWithTheTopWithoutPopping) {
  for (unsigned mod = 1; mod <= 15; ++mod) {
    VectorBench bench(GetParam());
    bench.enable(b_flags);
    bench.run("SFPPUSHC");
    bench.registers().flags = a_flags;
    bench.registers().uses_flags = some;
    bench.run("SFPPOPC Mod1=" + std::to_string(mod));
    const LaneMask expected = mod <= 12 ? combinations[mod] : mod == 13 ? ~a_flags : mod == 14 ? every_lane : 0U;
    EXPECT_EQ(bench.registers().flags, expected) << mod;
    EXPECT_EQ(bench.registers().uses_flags, mod == 13 ? some : every_lane) << mod;
    EXPECT_EQ(bench.registers().stack.depth, 1U);
  }
}

TEST(VectorFlagsBlackhole, SfppushcChangesTheTop) {
  for (unsigned mod = 1; mod <= 15; ++mod) {
    VectorBench bench(Arch::blackhole);
    bench.enable(a_flags);
    bench.run("SFPPUSHC");
    bench.registers().flags = b_flags;
    bench.registers().uses_flags = some;
    bench.run("SFPPUSHC Mod1=" + std::to_string(mod));
    const tensix::FlagStack& stack = bench.registers().stack;
    const LaneMask expected = mod <= 12 ? combinations[mod] : mod == 13 ? ~b_flags : mod == 14 ? every_lane : 0U;
    EXPECT_EQ(stack.flags[0], expected) << mod;
    EXPECT_EQ(stack.uses_flags[0], mod >= 14 ? every_lane : some) << mod;
    EXPECT_EQ(bench.registers().flags, mod == 13 ? ~b_flags : b_flags) << mod;
  }
  VectorBench bench(Arch::blackhole);
  bench.run("SFPPUSHC Mod1=1");
  EXPECT_TRUE(bench.reported(DataIssue::vector_stack_empty));
}

TEST_P(VectorFlags, TheStackHasEightEntries) {
  VectorBench bench(GetParam());
  for (unsigned i = 0; i < 8; ++i) {
    bench.enable(1U << i);
    bench.run("SFPPUSHC");
  }
  EXPECT_FALSE(bench.reported(DataIssue::vector_stack_full));
  bench.run("SFPPUSHC");
  EXPECT_TRUE(bench.reported(DataIssue::vector_stack_full));
  bench.run("SFPPOPC Mod1=1");
  EXPECT_EQ(bench.registers().stack.flags[0], is_blackhole() ? 1U : 0x80U);  // Wormhole's bug
  bench.registers().stack.depth = 0;
  bench.run("SFPPOPC");
  EXPECT_TRUE(bench.reported(DataIssue::vector_stack_empty));
  EXPECT_EQ(bench.registers().uses_flags, 0U);
}

TEST(VectorFlagsBlackhole, ComparesAsSignAndMagnitude) {
  struct Example {
    std::uint32_t vd, vc;
    bool greater;
  };
  for (const Example& example : {Example{5, 3, true}, Example{3, 5, false}, Example{5, 5, false},
                                 Example{0, 0x80000000, true}, Example{0x80000005, 0x80000003, false},
                                 Example{0x80000003, 0x80000005, true}, Example{0x7FC00000, 0x7F800000, true}}) {
    VectorBench bench(Arch::blackhole);
    bench.enable(every_lane);
    bench.fill(0, example.vd);
    bench.fill(1, example.vc);
    bench.run("SFPPUSHC\nSFPGT VC=1, VD=0, Mod1=3");
    EXPECT_EQ(bench.registers().flags, example.greater ? every_lane : 0U);
    EXPECT_EQ(bench.registers().stack.flags[0], example.greater ? every_lane : 0U);
    EXPECT_EQ(bench.first(0), example.vd);
    bench.enable(every_lane);
    bench.run("SFPLE VC=1, VD=0, Mod1=6");  // joins the stack's
    EXPECT_EQ(bench.registers().stack.flags[0], every_lane);
    bench.run("SFPLE VC=1, VD=0, Mod1=8");
    EXPECT_EQ(bench.first(0), example.greater ? 0U : 0xFFFFFFFFU);
  }
}

TEST_P(VectorFlags, RowMaskTurnsRowsOff) {
  VectorBench bench(GetParam());
  bench.fill(0, 0x4000);  // ROW_MASK of row 2
  bench.lreg(0)[3] = 0;   // but not in column 3
  bench.run("SFPCONFIG VD=15\nSFPNOP\nSFPLOADI VD=1, Mod0=2, Imm16=9");
  for (unsigned lane = 0; lane < lane_count; ++lane)
    EXPECT_EQ(bench.lreg(1)[lane], lane / 8 == 2 && lane % 8 != 3 ? 0U : 9U) << lane;
}

}  // namespace
}  // namespace tensim::test
