// When results of the Vector Unit can be read: interlocks, their holes, and what is read too early.
#include "tests/support/vector_bench.hpp"

namespace tensim::test {
namespace {

class VectorTime : public BothArchs {};
TENSIM_BOTH_ARCHS(VectorTime);

constexpr std::uint32_t one = 0x3F800000;

TEST_P(VectorTime, AReaderRightBehindAMultiplyAddWaitsOrGetsTheOldValue) {
  VectorBench bench(GetParam());
  bench.fill(3, 5);
  bench.run("SFPMUL VA=10, VB=10, VC=9, VD=3\nSFPMOV VC=3, VD=4\nSFPMOV VC=3, VD=5");
  EXPECT_EQ(bench.first(3), one);
  EXPECT_EQ(bench.first(4), is_blackhole() ? one : 5U);
  EXPECT_EQ(bench.first(5), one);
  EXPECT_EQ(bench.reported(DataIssue::vector_early_read), !is_blackhole());
}

TEST_P(VectorTime, BehindAnSfpnopTheResultIsThere) {
  VectorBench bench(GetParam());
  bench.run("SFPMUL VA=10, VB=10, VC=9, VD=3\nSFPNOP\nSFPMOV VC=3, VD=4");
  EXPECT_EQ(bench.first(4), one);
  EXPECT_TRUE(bench->reports.empty());
}

TEST_P(VectorTime, HolesOfTheInterlockReadTheOldValueToo) {
  const std::pair<const char*, std::uint32_t> holes[]{
      {"SFPIADD Imm12=0, VC=9, VD=3, Mod1=4", 5},   // VD
      {"SFPSHFT VC=9, VD=3", 5},                    // VD
      {"SFPSHFT2 Imm12=3, VC=9, VD=3, Mod1=5", 5},  // VB is LReg 3; VD is seen, see below
  };
  for (const auto& [text, old] : holes) {
    VectorBench bench(GetParam());
    bench.fill(3, old);
    bench.run(std::string("SFPMUL VA=10, VB=10, VC=9, VD=3\n") + text);
    const bool seen = is_blackhole() && std::string(text).starts_with("SFPSHFT2");
    EXPECT_EQ(bench.first(3), seen ? one : old) << text;
    EXPECT_EQ(bench.reported(DataIssue::vector_early_read), !seen) << text;
  }
}

TEST(VectorTimeBlackhole, EachDocumentedHole) {
  const auto run = [](const char* text, unsigned lreg) {
    VectorBench bench(Arch::blackhole);
    bench.fill(0, 7);
    bench.fill(3, 5);
    bench.run(std::string("SFPMUL VA=10, VB=10, VC=9, VD=3\nSFPNOP\nSFPLOADI VD=3, Mod0=2, Imm16=5\n") +
              "SFPMUL VA=10, VB=10, VC=9, VD=3\n" + text + "\nSFPNOP");
    EXPECT_TRUE(bench.reported(DataIssue::vector_early_read)) << text;
    return bench.first(lreg);
  };
  EXPECT_EQ(run("SFPAND VB=3, VC=0, VD=4, Mod1=1", 4), 5U);
  EXPECT_EQ(run("SFPOR VB=3, VC=9, VD=4, Mod1=1", 4), 5U);
  EXPECT_EQ(run("SFPSHFT2 Imm12=3, VC=9, VD=4, Mod1=5", 4), 5U);
  EXPECT_EQ(run("SFPSHFT2 VC=3, VD=4, Mod1=3", 4), 5U);
  EXPECT_EQ(run("SFPSWAP VC=9, VD=3, Mod1=1", 3), 0U);  // 5 is compared, but one is swapped
}

TEST(VectorTimeBlackhole, SfpconfigReadsLReg0TooEarly) {
  VectorBench bench(Arch::blackhole);
  bench.fill(0, 7);
  bench.run("SFPMUL VA=10, VB=10, VC=9, VD=0\nSFPCONFIG VD=11");
  EXPECT_EQ(bench.first(11), 7U);
  EXPECT_TRUE(bench.reported(DataIssue::vector_early_read));
}

TEST_P(VectorTime, WhatIsNotReadIsNotReported) {
  VectorBench bench(GetParam());
  bench.enable(every_lane);
  for (const char* text :
       {"SFPCONFIG VD=11, Mod1=1", "SFPSHFT2 VC=9, VD=4, Mod1=5, Imm12=9", "SFPLOADI VD=0, Mod0=8, Imm16=1"})
    bench.run(std::string("SFPMUL VA=10, VB=10, VC=9, VD=0\n") + text + "\nSFPNOP");
  EXPECT_TRUE(bench->reports.empty());
}

TEST(VectorTimeBlackhole, WhatIsNotDocumentedAsAHoleIsHeld) {
  const auto distance = [](const char* reader) {
    const Cycles cycles = cycles_of(Arch::blackhole, std::string("SFPMAD VA=0, VB=1, VC=2, VD=3\n") + reader);
    return cycles.size() == 2 ? cycles[1] - cycles[0] : 0;
  };
  for (const char* reader :
       {"SFPXOR VC=0, VD=3", "SFPSETEXP VC=0, VD=3", "SFPSETMAN VC=0, VD=3", "SFPSETSGN VC=0, VD=3", "SFPGT VC=0, VD=3",
        "SFPLE VC=0, VD=3", "SFPTRANSP", "SFPLUT VD=6", "SFPLUTFP32 VD=6", "SFPSHFT2 Mod1=0", "SFPSHFT2 Mod1=1",
        "SFPMUL24 VA=0, VB=0, VC=0, VD=0, Mod1=4"})
    EXPECT_EQ(distance(reader), 2U) << reader;
  EXPECT_EQ(distance("SFPCOMPC"), 1U);
}

TEST_P(VectorTime, WritesStayInTheOrderOfTheProgram) {
  VectorBench bench(GetParam());
  bench.run("SFPMUL VA=10, VB=10, VC=9, VD=3\nSFPLOADI VD=3, Mod0=2, Imm16=9\nSFPNOP");
  EXPECT_EQ(bench.first(3), 9U);
}

TEST(VectorTimeWormhole, TwoMultiplyAddsInARowEachTakeTwoCycles) {
  VectorBench bench(Arch::wormhole);
  bench.fill(3, one);
  // Each adds one to what it sees; the second does not see the first.
  bench.run("SFPADD VA=10, VB=10, VC=3, VD=3\nSFPADD VA=10, VB=10, VC=3, VD=3\nSFPNOP");
  EXPECT_EQ(bench.first(3), 0x40000000U);
}

TEST(VectorTimeWormhole, ShufflesNeedAnSfpnopBehindThem) {
  VectorBench bench(Arch::wormhole);
  bench.run(
      "SFPSHFT2 VC=1, VD=2, Mod1=3\nSFPMAD VA=0, VB=0, VC=0, VD=4\nSFPNOP\nSFPSHFT2 VC=1, VD=2, Mod1=3\nSFPNOP\nSFPMOV "
      "VC=5, VD=6");
  EXPECT_TRUE(bench->reports.empty());
  bench.run("SFPSHFT2 VC=1, VD=2, Mod1=3\nSFPMOV VC=5, VD=6");
  EXPECT_TRUE(bench.reported(DataIssue::vector_shuffle_write));
  EXPECT_FALSE(bench.reported(DataIssue::vector_early_read));
  bench.run("SFPSHFT2 VC=1, VD=2, Mod1=3\nSFPSTORE VD=2, Mod0=4");
  EXPECT_TRUE(bench.reported(DataIssue::vector_early_read));
}

TEST_P(VectorTime, APlaceIsReportedOnce) {
  VectorBench bench(GetParam());
  for (unsigned i = 0; i < 3; ++i)
    bench.run("SFPMUL VA=10, VB=10, VC=9, VD=3\nSFPIADD VC=9, VD=3, Mod1=4");
  EXPECT_EQ(bench->reports.size(), 1U);
}

}  // namespace
}  // namespace tensim::test
