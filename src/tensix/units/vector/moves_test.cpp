// Moves between the Vector Unit's registers and lanes, and its configuration.
#include <bit>

#include "tests/support/vector_bench.hpp"

namespace tensim::test {
namespace {

class VectorMoves : public BothArchs {};
TENSIM_BOTH_ARCHS(VectorMoves);

TEST_P(VectorMoves, SfpmovMovesNegatesAndIgnoresFlags) {
  expect(GetParam(), {"SFPMOV VC=1, VD=0", 0, 0x12345678, 0, 0x12345678});
  expect(GetParam(), {"SFPMOV VC=1, VD=0, Mod1=1", 0, 0x12345678, 0, 0x92345678});
  VectorBench bench(GetParam());
  bench.fill(1, 5);
  bench.enable(0);
  bench.run("SFPMOV VC=1, VD=0");
  EXPECT_EQ(bench.first(0), 0U);
  bench.run("SFPMOV VC=1, VD=0, Mod1=2");
  EXPECT_EQ(bench.lreg(0), number::all_lanes(5));
}

TEST_P(VectorMoves, SfpswapSwapsOrOrders) {
  // Lanes of row 0 to 3 hold 1 to 4 against 2.5: what VD and VC become, by Mod1.
  constexpr std::array<std::uint32_t, 10> vd_minimum_rows{0, 0xF, 0x3, 0x5, 0x9, 0x1, 0x2, 0x4, 0x8, 0x0};
  for (unsigned mod = 0; mod < vd_minimum_rows.size(); ++mod) {
    VectorBench bench(GetParam());
    for (unsigned lane = 0; lane < lane_count; ++lane)
      bench.lreg(0)[lane] = lane % 2 != 0 ? 10 : 30;
    bench.fill(1, 20);
    bench.run("SFPSWAP VC=1, VD=0, Mod1=" + std::to_string(mod));
    for (unsigned lane = 0; lane < lane_count; ++lane) {
      const std::uint32_t other = lane % 2 != 0 ? 10 : 30;
      const bool minimum = (vd_minimum_rows[mod] >> lane / 8 & 1U) != 0;
      const std::uint32_t vd = mod == 0 ? 20 : minimum ? std::min(other, 20U) : std::max(other, 20U);
      EXPECT_EQ(bench.lreg(0)[lane], vd) << mod << " lane " << lane;
      EXPECT_EQ(bench.lreg(1)[lane], other + 20 - vd) << mod << " lane " << lane;
    }
  }
}

TEST_P(VectorMoves, SfpswapWithIndicesSwapsThemToo) {
  VectorBench bench(GetParam());
  bench.run("SFPCONFIG Imm16=4, VD=15, Mod1=1\nSFPNOP");
  bench.number(0, 0, 2);
  bench.fill(1, 31);
  bench.fill(4, 100);
  bench.fill(5, 200);
  bench.run("SFPSWAP VC=1, VD=0, Mod1=1");
  for (unsigned lane = 0; lane < lane_count; ++lane) {
    const bool swapped = 2 * lane > 31;
    EXPECT_EQ(bench.lreg(0)[lane], swapped ? 31 : 2 * lane);
    EXPECT_EQ(bench.lreg(4)[lane], swapped ? 200U : 100U);
    EXPECT_EQ(bench.lreg(5)[lane], swapped ? 100U : 200U);
  }
  // EXCHANGE_SRCB_SRCC turns the comparison round.
  bench.run("SFPCONFIG Imm16=0x100, VD=15, Mod1=1\nSFPNOP");
  bench.fill(0, 1);
  bench.fill(1, 2);
  bench.run("SFPSWAP VC=1, VD=0, Mod1=1");
  EXPECT_EQ(bench.first(0), 2U);
}

TEST_P(VectorMoves, ResultsInIndexRegistersAreReportedWhileIndicesAreOn) {
  VectorBench bench(GetParam());
  bench.run("SFPCONFIG Imm16=4, VD=15, Mod1=1\nSFPNOP\nSFPMOV VC=1, VD=3");
  EXPECT_FALSE(bench.reported(DataIssue::vector_index_write));
  bench.run("SFPMOV VC=1, VD=4");
  EXPECT_TRUE(bench.reported(DataIssue::vector_index_write));
}

TEST_P(VectorMoves, SfptranspExchangesRegistersAndRows) {
  VectorBench bench(GetParam());
  for (unsigned lreg = 0; lreg < 8; ++lreg)
    bench.number(lreg, lreg * 100);
  bench.run("SFPTRANSP");
  for (unsigned lreg = 0; lreg < 8; ++lreg)
    for (unsigned lane = 0; lane < lane_count; ++lane)
      EXPECT_EQ(bench.lreg(lreg)[lane], (lreg / 4 * 4 + lane / 8) * 100 + lreg % 4 * 8 + lane % 8);
}

TEST_P(VectorMoves, Sfpshft2MovesRegistersDownAndLanesToTheRight) {
  const auto numbered = [&](unsigned mod) {
    VectorBench bench(GetParam());
    for (unsigned lreg = 0; lreg < 8; ++lreg)
      bench.number(lreg, lreg * 100);
    bench.run("SFPSHFT2 VC=6, VD=7, Mod1=3\nSFPNOP\nSFPSHFT2 VC=5, VD=4, Mod1=" + std::to_string(mod) + "\nSFPNOP");
    return bench;
  };
  for (const unsigned mod : {0U, 1U, 2U}) {
    VectorBench bench = numbered(mod);
    for (unsigned lane = 0; lane < lane_count; ++lane) {
      for (unsigned lreg = 0; lreg < 3; ++lreg)
        EXPECT_EQ(bench.lreg(lreg)[lane], (lreg + 1) * 100 + lane);
      const unsigned right = lane % 8 != 0 ? lane - 1 : lane + 7;
      EXPECT_EQ(bench.lreg(3)[lane], mod == 2 ? 500 + right : mod == 1 && lane < 24 ? lane + 8 : 0U);
    }
  }
  VectorBench rotated = numbered(3);
  VectorBench shifted = numbered(4);
  for (unsigned lane = 0; lane < lane_count; ++lane) {
    const bool first = lane % 8 == 0;
    EXPECT_EQ(rotated.lreg(4)[lane], 500 + (first ? lane + 7 : lane - 1));
    // Wormhole puts in what was rotated last.
    EXPECT_EQ(shifted.lreg(4)[lane], !first ? 500 + lane - 1 : is_blackhole() ? 0U : 600 + lane + 7);
  }
  VectorBench bench(GetParam());
  bench.run("SFPSHFT2 VC=5, VD=4, Mod1=9");
  EXPECT_TRUE(bench.reported(DataIssue::vector_mode));
}

TEST_P(VectorMoves, SfpconfigBroadcastsTheFirstRow) {
  VectorBench bench(GetParam());
  bench.number(0, 100);
  bench.run("SFPCONFIG VD=12");
  for (unsigned lane = 0; lane < lane_count; ++lane)
    EXPECT_EQ(bench.lreg(12)[lane], 100 + lane % 8);
  bench.run("SFPCONFIG Imm16=0x0010, VD=13, Mod1=8");  // column 2 only
  for (unsigned lane = 0; lane < lane_count; ++lane)
    EXPECT_EQ(bench.lreg(13)[lane], lane % 8 == 2 ? 102U : 0U);
  bench.enable(0xFFFF'FF02);  // of the first row, lane 1
  bench.run("SFPCONFIG VD=14");
  for (unsigned lane = 0; lane < lane_count; ++lane)
    EXPECT_EQ(bench.lreg(14)[lane], lane % 8 == 1 ? 101U : 0U);
}

TEST_P(VectorMoves, SfpconfigWithAnImmediateWritesDefaultsOrConfiguration) {
  VectorBench bench(GetParam());
  bench.run("SFPCONFIG VD=11, Mod1=1\nSFPCONFIG VD=12, Mod1=1\nSFPCONFIG VD=13, Mod1=1\nSFPCONFIG VD=14, Mod1=1");
  EXPECT_EQ(bench.first(11), 0xBF800000U);
  EXPECT_EQ(bench.first(12), 0x37800000U);
  EXPECT_EQ(bench.first(13), std::bit_cast<std::uint32_t>(-0.67487759F));
  EXPECT_EQ(bench.first(14), std::bit_cast<std::uint32_t>(-0.34484843F));
  bench.fill(0, 0x3'0021);
  bench.run(
      "SFPCONFIG VD=15\nSFPCONFIG Imm16=0x0110, VD=15, Mod1=3\nSFPCONFIG Imm16=0x0130, VD=15, Mod1=5\n"
      "SFPCONFIG Imm16=0x0100, VD=15, Mod1=7\nSFPMOV VC=15, VD=1, Mod1=8");
  EXPECT_EQ(bench.first(1), 0x3'0030U);  // or, and, exclusive or; the upper two bits stay
  bench.fill(0, 0x12345678);
  bench.run(
      "SFPCONFIG VD=2\nSFPCONFIG Imm16=0xBEEF, VD=5, Mod1=1\nSFPCONFIG Imm16=0xFABC, VD=8, Mod1=1\n"
      "SFPMOV VC=2, VD=1, Mod1=8\nSFPMOV VC=5, VD=2, Mod1=8\nSFPMOV VC=8, VD=3, Mod1=8\nSFPMOV VC=10, VD=4, Mod1=8");
  EXPECT_EQ(bench.first(1), 0x12345678U);
  EXPECT_EQ(bench.first(2), 0xBEEFU);
  EXPECT_EQ(bench.first(3), 0xABCU);  // twelve bits
  EXPECT_EQ(bench.first(4), 0U);
}

TEST_P(VectorMoves, InstructionsThatNameLReg12AndUpBecomeTemplates) {
  VectorBench bench(GetParam());
  bench.fill(1, 5);
  bench.run("SFPMOV VC=1, VD=13\nSFPMOV VC=1, VD=2, Mod1=8");
  EXPECT_EQ(bench.first(2), assemble(GetParam(), "SFPMOV VC=1, VD=13"));
  // Not with DISABLE_BACKDOOR_LOAD; then it does what it says, which is nothing to a constant.
  bench.run("SFPCONFIG Imm16=2, VD=15, Mod1=1\nSFPNOP\nSFPNOT VC=1, VD=13\nSFPMOV VC=1, VD=3, Mod1=8");
  EXPECT_EQ(bench.first(3), bench.first(2));
  EXPECT_FALSE(bench.reported(DataIssue::vector_backdoor));
  bench.run("SFPCONFIG Imm16=0, VD=15, Mod1=1\nSFPNOT VC=1, VD=13");
  EXPECT_TRUE(bench.reported(DataIssue::vector_backdoor));  // the instruction right behind it may see either
}

TEST_P(VectorMoves, ASwapWithAConstantNeedsTheBackdoorClosed) {
  VectorBench bench(GetParam());
  bench.fill(1, 5);
  bench.run("SFPCONFIG Imm16=2, VD=15, Mod1=1\nSFPNOP\nSFPSWAP VC=1, VD=15, Mod1=0");
  EXPECT_EQ(bench.lreg(1)[3], 6U);
  EXPECT_EQ(bench.lreg(15)[3], 6U);
}

}  // namespace
}  // namespace tensim::test
