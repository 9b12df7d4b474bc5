// Vector Unit: latencies and Blackhole's interlock, with the cases it does not see. Word n of a thread is at its gate in
// cycle 3+n.
#include "tests/support/three_threads.hpp"

namespace tensim::test {
namespace {

class VectorUnit : public BothArchs {};
TENSIM_BOTH_ARCHS(VectorUnit);

const std::string mad_to_l3 = "SFPMAD VA=0, VB=1, VC=2, VD=3";

/// Cycles from the first instruction to the second.
Cycle distance(Arch arch, const std::string& first, const std::string& second) {
  const Cycles cycles = cycles_of(arch, first + "\n" + second);
  return cycles.size() == 2 ? cycles[1] - cycles[0] : 0;
}

/// Cycles in the unit, as a wait latched before sees it: STALLWAIT 3, instruction 4 to 3 + L, SETC16 5 + L.
Cycle latency(Arch arch, const std::string& instruction) {
  const Cycles cycles =
      cycles_of(arch, "STALLWAIT block=STALL_CFG, cond=WAIT_SFPU\n" + instruction + "\nSETC16 CfgIndex=40, NewValue=1");
  return cycles.size() == 3 ? cycles[2] - 5 : 0;
}

// C40, Vector Unit.
TEST_P(VectorUnit, LatenciesAreOneOrTwoCycles) {
  for (const char* two : {"SFPMAD", "SFPADD", "SFPMUL", "SFPADDI Imm16=0", "SFPMULI Imm16=0", "SFPLUT VD=0",
                          "SFPLUTFP32 VD=0", "SFPSWAP VD=0", "SFPSHFT2 Mod1=2", "SFPSHFT2 Mod1=3", "SFPSHFT2 Mod1=4"}) {
    const std::string text = std::string(two).find(' ') == std::string::npos ? std::string(two) + " VD=0" : two;
    EXPECT_EQ(latency(GetParam(), text), 2U) << two;
  }
  EXPECT_EQ(latency(Arch::blackhole, "SFPMUL24 VD=0"), 2U);  // Wormhole does not have it
  for (const char* one : {"SFPNOP", "SFPMOV VD=0", "SFPABS VD=0", "SFPLOAD VD=0", "SFPSTORE VD=0", "SFPLOADI VD=0",
                          "SFPSHFT2 Mod1=0", "SFPSHFT2 Mod1=1", "SFPSHFT2 Mod1=5"})
    EXPECT_EQ(latency(GetParam(), one), 1U) << one;
  EXPECT_LE(latency(GetParam(), "SFPCONFIG VD=0"), 2U);
}

TEST_P(VectorUnit, TakesOneInstructionPerCycleOverAllThreads) {
  EXPECT_EQ(cycles_of(GetParam(), repeat(4, mad_to_l3)), (Cycles{3, 4, 5, 6}));
  EXPECT_EQ(cycles_of(GetParam(), repeat(4, "SFPNOP")), (Cycles{3, 4, 5, 6}));
  const std::string program = repeat(3, "SFPMOV VC=1, VD=2");
  const Ran ran = simulate(GetParam(), {program, program, program});
  EXPECT_EQ(ran.cycles(0), (Cycles{3, 6, 9}));
  EXPECT_EQ(ran.cycles(1), (Cycles{4, 7, 10}));
  EXPECT_EQ(ran.cycles(2), (Cycles{5, 8, 11}));
}

TEST_P(VectorUnit, OnBlackholeAReaderRightBehindAMultiplyAddWaitsOneCycle) {
  const Cycle held = is_blackhole() ? 2 : 1;  // Wormhole has no interlock: software puts an SFPNOP between
  for (const char* reader :
       {"SFPMOV VC=3, VD=5", "SFPMAD VA=3, VB=0, VC=0, VD=5", "SFPMAD VA=0, VB=3, VC=0, VD=5",
        "SFPMAD VA=0, VB=0, VC=3, VD=5", "SFPSTORE VD=3", "SFPADDI Imm16=0, VD=3", "SFPMULI Imm16=0, VD=3"})
    EXPECT_EQ(distance(GetParam(), mad_to_l3, reader), held) << reader;
  for (const char* other : {"SFPMOV VC=4, VD=3", "SFPMAD VA=4, VB=5, VC=6, VD=3", "SFPNOP", "SFPSTORE VD=4",
                            "SFPADDI Imm16=0, VD=4", "SFPLOAD VD=3"})
    EXPECT_EQ(distance(GetParam(), mad_to_l3, other), 1U) << other;
  // Each of the class, and only the class.
  for (const char* writer : {"SFPADD VA=10, VB=0, VC=1, VD=3", "SFPMUL VA=0, VB=1, VC=9, VD=3", "SFPADDI Imm16=0, VD=3",
                             "SFPMULI Imm16=0, VD=3", "SFPLUT VD=3", "SFPLUTFP32 VD=3"})
    EXPECT_EQ(distance(GetParam(), writer, "SFPMOV VC=3, VD=5"), held) << writer;
  EXPECT_EQ(distance(GetParam(), "SFPMOV VC=1, VD=3", "SFPMOV VC=3, VD=5"), 1U);
  // One instruction between is enough; nothing else is held.
  EXPECT_EQ(cycles_of(GetParam(), mad_to_l3 + "\nSFPNOP\nSFPMOV VC=3, VD=5"), (Cycles{3, 4, 5}));
}

TEST(VectorUnitBlackhole, TheInterlockHasHoles) {
  const auto after_mad = [](const char* reader) { return distance(Arch::blackhole, mad_to_l3, reader); };
  // Documented: SFPAND and SFPOR are always taken to read VD and never VB; SFPIADD and SFPSHFT never VD; SFPCONFIG never
  // LReg 0; SFPSWAP, except in mode SWAP, and SFPSHFT2's shuffles nothing; its shifts VD instead of VB.
  EXPECT_EQ(after_mad("SFPAND VB=3, VC=0, VD=5, Mod1=1"), 1U);
  EXPECT_EQ(after_mad("SFPAND VB=5, VC=0, VD=3, Mod1=1"), 2U);
  EXPECT_EQ(after_mad("SFPOR VB=3, VC=0, VD=5, Mod1=1"), 1U);
  EXPECT_EQ(after_mad("SFPOR VB=5, VC=0, VD=3, Mod1=1"), 2U);
  EXPECT_EQ(after_mad("SFPIADD VC=0, VD=3"), 1U);
  EXPECT_EQ(after_mad("SFPSHFT VC=0, VD=3"), 1U);
  EXPECT_EQ(distance(Arch::blackhole, "SFPMAD VA=1, VB=1, VC=1, VD=0", "SFPCONFIG VD=0"), 1U);
  EXPECT_EQ(after_mad("SFPSWAP VC=3, VD=5, Mod1=1"), 1U);
  EXPECT_EQ(after_mad("SFPSWAP VC=3, VD=5, Mod1=0"), 2U);
  EXPECT_EQ(after_mad("SFPSHFT2 VC=3, VD=5, Mod1=3"), 1U);
  EXPECT_EQ(after_mad("SFPSHFT2 Imm12=3, VC=0, VD=5, Mod1=5"), 1U);
  EXPECT_EQ(after_mad("SFPSHFT2 Imm12=5, VC=0, VD=3, Mod1=5"), 2U);
  // INDIRECT_VA: taken to read every register. INDIRECT_VD: to write every register.
  EXPECT_EQ(after_mad("SFPMAD VA=0, VB=1, VC=2, VD=4, Mod1=4"), 2U);
  EXPECT_EQ(distance(Arch::blackhole, "SFPMAD VA=0, VB=1, VC=2, VD=3, Mod1=8", "SFPMOV VC=6, VD=5"), 2U);
}

TEST_P(VectorUnit, SwapAndOnBlackholeShufflesLetOnlySfpnopPassInTheNextCycle) {
  EXPECT_EQ(distance(GetParam(), "SFPSWAP VC=1, VD=2", "SFPMOV VC=5, VD=6"), 2U);
  EXPECT_EQ(distance(GetParam(), "SFPSWAP VC=1, VD=2", "SFPNOP"), 1U);
  for (const char* mode : {"2", "3", "4"}) {
    const std::string shuffle = std::string("SFPSHFT2 VC=1, VD=2, Mod1=") + mode;
    EXPECT_EQ(distance(GetParam(), shuffle, "SFPMOV VC=5, VD=6"), is_blackhole() ? 2U : 1U) << mode;
    EXPECT_EQ(distance(GetParam(), shuffle, "SFPNOP"), 1U) << mode;
  }
  for (const char* mode : {"0", "1", "5", "6"})
    EXPECT_EQ(distance(GetParam(), std::string("SFPSHFT2 VC=1, VD=2, Mod1=") + mode, "SFPMOV VC=5, VD=6"), 1U) << mode;
}

}  // namespace
}  // namespace tensim::test
