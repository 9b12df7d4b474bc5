// Scalar Unit: how long it works on what, and who waits meanwhile. Word n of a thread is at its gate in cycle 3+n.
#include "tests/support/three_threads.hpp"

namespace tensim::test {
namespace {

class ScalarUnit : public BothArchs {};
TENSIM_BOTH_ARCHS(ScalarUnit);

// C40, Scalar Unit: the table of timing 2.2.
struct Duration {
  const char* instruction;
  Cycle cycles;
};
constexpr std::array durations{
    Duration{"DMANOP", 1},
    Duration{"SETDMAREG.Immediate NewValue=7, ResultHalfReg=8", 1},
    Duration{"REG2FLOP.ADC", 2},
    Duration{"FLUSHDMA", 2},
    Duration{"ADDDMAREG.Immediate ResultReg=60, RightImm6=1, LeftReg=60", 3},
    Duration{"SUBDMAREG.Immediate ResultReg=60, RightImm6=1, LeftReg=60", 3},
    Duration{"MULDMAREG.Immediate ResultReg=60, RightImm6=1, LeftReg=60", 3},
    Duration{"CMPDMAREG.Immediate ResultReg=60, RightImm6=1, LeftReg=60", 3},
    Duration{"BITWOPDMAREG.Immediate ResultReg=60, RightImm6=1, LeftReg=60", 3},
    Duration{"SHIFTDMAREG.Immediate ResultReg=60, RightImm5=1, LeftReg=60", 3},
    Duration{"ADDDMAREG.Register ResultReg=1, RightReg=7, LeftReg=4", 3},  // 4 to 7: one aligned group
    Duration{"ADDDMAREG.Register ResultReg=4, RightReg=7, LeftReg=8", 4},  // two groups
    Duration{"CMPDMAREG.Register ResultReg=4, RightReg=0, LeftReg=63", 4},
    Duration{"STOREIND.L1", 3},
    Duration{"STOREREG", 3},
    Duration{"LOADIND", 3},
    Duration{"LOADREG", 3},
    Duration{"ATCAS", 15},
    Duration{"ATINCGETPTR", 15},
};

TEST_P(ScalarUnit, WorksOnOneInstructionAtATimeForItsCycles) {
  // The next scalar instruction, of this or of another thread, is taken when the first is done: 3, then 3 + cycles.
  for (const auto& [instruction, cycles] : durations) {
    const std::string twice = repeat(2, instruction);
    EXPECT_EQ(cycles_of(GetParam(), twice), (Cycles{3, 3 + cycles})) << instruction;
    const Ran two = simulate(GetParam(), {instruction, "DMANOP", ""});
    EXPECT_EQ(two.cycles(1), (Cycles{3 + cycles})) << instruction;
  }
}

TEST_P(ScalarUnit, ThreeThreadsShareItInTurn) {
  // Three cycles each: T0 3, 12, 21; T1 6, 15, 24; T2 9, 18, 27. So each thread sees one per nine (silicon: 3x).
  const std::string program = repeat(3, "ADDDMAREG.Immediate ResultReg=60, RightImm6=1, LeftReg=60");
  const Ran ran = simulate(GetParam(), {program, program, program});
  EXPECT_EQ(ran.cycles(0), (Cycles{3, 12, 21}));
  EXPECT_EQ(ran.cycles(1), (Cycles{6, 15, 24}));
  EXPECT_EQ(ran.cycles(2), (Cycles{9, 18, 27}));
}

TEST_P(ScalarUnit, OnWormholeAnUnfinishedInstructionClosesItsThreadsGate) {
  // Ruling 12. ADDDMAREG 3 to 5. Wormhole: NOP in 6. Blackhole: NOP in 4. Another thread's NOP is never held.
  const Ran ran =
      simulate(GetParam(), {"ADDDMAREG.Immediate ResultReg=60, RightImm6=1, LeftReg=60\nNOP", "NOP\nNOP", ""});
  EXPECT_EQ(ran.cycles(0), (is_wormhole() ? Cycles{3, 6} : Cycles{3, 4}));
  EXPECT_EQ(ran.held(0, Stall::gate_closed), is_wormhole() ? 2U : 0U);
  EXPECT_EQ(ran.cycles(1), (Cycles{3, 4}));
}

TEST_P(ScalarUnit, AtomicsThatReturnASustainOnePerTwelveCycles) {
  for (const char* instruction : {"ATINCGET", "ATSWAP"}) {
    EXPECT_EQ(cycles_of(GetParam(), repeat(3, instruction)), (Cycles{3, 15, 27})) << instruction;
    // The unit itself is free after three: something else fits in.
    EXPECT_EQ(cycles_of(GetParam(), std::string(instruction) + "\nDMANOP"), (Cycles{3, 6})) << instruction;
  }
}

TEST_P(ScalarUnit, ResultsLandWhenTheInstructionIsDone) {
  // SETDMAREG takes one cycle and ADDDMAREG three, so a chain of dependent ones computes what it says: 7 + 1 + 1, and
  // the upper half is its own.
  const Ran ran = simulate(one_thread(GetParam(), 1,
                                      "SETDMAREG.Immediate NewValue=7, ResultHalfReg=120\n"
                                      "SETDMAREG.Immediate NewValue=2, ResultHalfReg=121\n"
                                      "ADDDMAREG.Immediate ResultReg=60, RightImm6=1, LeftReg=60\n"
                                      "ADDDMAREG.Immediate ResultReg=61, RightImm6=1, LeftReg=60"));
  EXPECT_EQ(ran.cycles(1), (Cycles{3, 4, 5, 8}));
  EXPECT_EQ(ran.gpr(1, 60), 0x20008U);
  EXPECT_EQ(ran.gpr(1, 61), 0x20009U);
  EXPECT_EQ(ran.gpr(0, 60), 0U);
}

TEST_P(ScalarUnit, TheVeryNextScalarInstructionSeesWhatRdcfgRead) {
  // Silicon, "RDCFG visibility": fresh at distance 1 to 4 on both chips. RDCFG 3; ADDDMAREG 4 (Blackhole) or 5.
  for (unsigned distance = 1; distance <= 4; ++distance) {
    Scenario scenario =
        one_thread(GetParam(), 0,
                   "SETDMAREG.Immediate NewValue=1234, ResultHalfReg=0\nDMANOP\nWRCFG InputReg=0, CfgIndex=1\n"
                   "NOP\nNOP\nRDCFG ResultReg=60, CfgIndex=1\n" +
                       repeat(distance - 1, "NOP") + "ADDDMAREG.Immediate ResultReg=63, RightImm6=0, LeftReg=60");
    scenario.gprs[{0, 60}] = 0xDEAD;
    EXPECT_EQ(simulate(scenario).gpr(0, 63), 1234U) << distance;
  }
}

TEST(ScalarUnitBlackhole, TheSumOfADddmaregIsNotThereForTheVeryNextWrcfg) {
  // Ruling 12: on Blackhole nothing holds WRCFG back. ADDDMAREG 3, WRCFG 4 reads the old value; Wormhole waits.
  const std::string program = "ADDDMAREG.Immediate ResultReg=4, RightImm6=5, LeftReg=4\nWRCFG InputReg=4, CfgIndex=1";
  EXPECT_EQ(simulate(one_thread(Arch::blackhole, 0, program)).state->config.bank[0][1], 0U);
  EXPECT_EQ(simulate(one_thread(Arch::wormhole, 0, program)).state->config.bank[0][1], 5U);
}

}  // namespace
}  // namespace tensim::test
