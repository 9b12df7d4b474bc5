// The Wait Gate's latch: when it catches, when it lets go (checklist W16-W18, W38-W44, U7). Word n of a thread is at its
// gate in cycle 3+n; a wait issued in t is latched from t+1 on.
#include "tensix/frontend/wait_gate.hpp"

#include "tests/support/three_threads.hpp"

namespace tensim::test {
namespace {

class WaitGate : public BothArchs {};
TENSIM_BOTH_ARCHS(WaitGate);

/// T0's issues with semaphore 0 at zero, while T1 posts it in cycle 13.
Ran posted_in_13(Arch arch, const std::string& program) {
  Scenario scenario = three_threads(arch, {program, repeat(10, "NOP") + "ttsempost 1", ""});
  scenario.semaphores[0] = {.value = 0, .max = 1};
  Ran ran = simulate(scenario);
  EXPECT_EQ(ran.cycle_of(1, "SEMPOST"), 13U);
  return ran;
}

TEST_P(WaitGate, TheLatchIsThereForTheVeryNextInstruction) {  // W38
  // STALLWAIT 3, on a bank that is never handed over. SFPNOP, right behind it, never passes.
  const Ran ran = simulate(one_thread(GetParam(), 0, "STALLWAIT block=STALL_SFPU, cond=SRCA_VLD\nSFPNOP"));
  EXPECT_TRUE(ran.deadlocked());
  EXPECT_EQ(ran.cycles(0), (Cycles{3}));
  EXPECT_EQ(ran.stall_in(0, 4), Stall::latched_wait);
  // The wait that issues in this cycle does not catch what issues in this cycle on another thread.
  EXPECT_EQ(simulate(GetParam(), {"ttstallwait 256,1\nSFPNOP", "SFPNOP", ""}).cycles(1), (Cycles{3}));
}

TEST_P(WaitGate, TheBlockTestUsesTheLatchAsItWasAtTheStartOfTheCycle) {  // W39
  // SEMPOST 13: the semaphore is 1 in 14. In 14 the condition no longer holds, but SFPNOP is still caught; 15.
  const Ran ran = posted_in_13(GetParam(), "ttsemwait 256,1,1\nSFPNOP");
  EXPECT_EQ(ran.stall_in(0, 13), Stall::latched_wait);
  EXPECT_EQ(ran.stall_in(0, 14), Stall::latched_wait);
  EXPECT_EQ(ran.cycles(0), (Cycles{3, 15}));
}

TEST_P(WaitGate, AlreadyMetWaitHoldsABlockedFollowerForExactlyOneCycle) {  // W40
  // No ThCon request is outstanding. STALLWAIT 3, SFPNOP caught in 4, passes in 5. NOP is not caught: 4.
  EXPECT_EQ(cycles_of(GetParam(), "ttstallwait 256,1\nSFPNOP"), (Cycles{3, 5}));
  EXPECT_EQ(cycles_of(GetParam(), "ttstallwait 256,1\nNOP"), (Cycles{3, 4}));
  EXPECT_EQ(cycles_of(GetParam(), "ttstallwait 256,1\nNOP\nSFPNOP"), (Cycles{3, 4, 5}));
  Scenario scenario = one_thread(GetParam(), 0, "ttsemwait 256,1,1\nSFPNOP");
  scenario.semaphores[0] = {.value = 1, .max = 1};
  EXPECT_EQ(simulate(scenario).cycles(0), (Cycles{3, 5}));
  scenario = one_thread(GetParam(), 0, "ttsemwait 256,1,1\nNOP");
  EXPECT_EQ(simulate(scenario).cycles(0), (Cycles{3, 4}));  // not even unmet
}

TEST_P(WaitGate, UnblockedInstructionsPassUntilTheFirstBlockedOne) {  // W41
  // SEMWAIT 3 holds SFPU only: NOP 4, SETC16 5, INCRWC 6 pass though it is unmet. SFPNOP stands at the gate from 7 on;
  // the NOP behind it, which the mask would not catch, cannot overtake. SEMPOST 13: SFPNOP 15, NOP 16.
  const Ran ran =
      posted_in_13(GetParam(), "ttsemwait 256,1,1\nNOP\nSETC16 CfgIndex=40, NewValue=1\nINCRWC\nSFPNOP\nNOP\nSFPNOP");
  EXPECT_EQ(ran.cycles(0), (Cycles{3, 4, 5, 6, 15, 16, 17}));
  EXPECT_EQ(ran.held(0, Stall::latched_wait), 8U);
}

TEST(WaitGateBlackhole, ASecondWaitWaitsForTheFirst) {  // W42
  // SEMWAIT 3 is unmet until SEMPOST 13; its latch is gone for 15. The second wait issues in 15 at the earliest, whatever
  // bits the first one blocks; its own follower, an already met wait's, passes in 17.
  for (const char* block : {"1", "2", "4", "8", "16", "32", "64", "128", "256"})
    for (const char* second : {"ttstallwait 256,1", "ttsemwait 256,2,2"}) {
      const Ran ran = posted_in_13(Arch::blackhole,
                                   std::string("ttseminit 3,0,2\nttsemwait ") + block + ",1,1\n" + second + "\nSFPNOP");
      EXPECT_EQ(ran.cycles(0), (Cycles{3, 4, 15, 17})) << block << " then " << second;
    }
}

TEST(WaitGateWormhole, SemwaitReplacesALatchWithoutB1AndStallwaitNever) {  // W43
  // The first wait is unmet until SEMPOST 13 (gone for 15). The second SEMWAIT (met: semaphore 1 is below its maximum)
  // passes in 5 and replaces it: SFPNOP is caught in 6 and passes in 7. With B1 in the first mask it cannot.
  for (const char* block : {"1", "4", "8", "16", "32", "64", "128", "256", "0x1fd"}) {
    const Ran ran = posted_in_13(
        Arch::wormhole, std::string("ttseminit 3,0,2\nttsemwait ") + block + ",1,1\nttsemwait 256,2,2\nSFPNOP");
    EXPECT_EQ(ran.cycles(0), (Cycles{3, 4, 5, 7})) << block;
  }
  for (const char* block : {"2", "3", "0x1ff"}) {
    const Ran ran = posted_in_13(
        Arch::wormhole, std::string("ttseminit 3,0,2\nttsemwait ") + block + ",1,1\nttsemwait 256,2,2\nSFPNOP");
    EXPECT_EQ(ran.cycles(0), (Cycles{3, 4, 15, 17})) << block;
  }
  for (const char* block : {"1", "2", "4", "8", "16", "32", "64", "128", "256"}) {
    const Ran ran = posted_in_13(
        Arch::wormhole, std::string("ttseminit 3,0,2\nttsemwait ") + block + ",1,1\nttstallwait 256,1\nSFPNOP");
    EXPECT_EQ(ran.cycles(0), (Cycles{3, 4, 15, 17})) << block;
  }
}

TEST_P(WaitGate, AWaitIssuedInTheCycleInWhichTheOldOneGoesWins) {
  // Ruling 4, Wormhole. STALLWAIT 3 is met in 4, the cycle in which SEMWAIT issues: its latch must not be dropped with
  // the old one. It is unmet until SEMPOST 13, so SFPNOP passes in 15. Blackhole: SEMWAIT 5, and the same end.
  const Ran ran = posted_in_13(GetParam(), "ttstallwait 256,1\nttsemwait 256,1,1\nSFPNOP");
  EXPECT_EQ(ran.cycles(0), (is_wormhole() ? Cycles{3, 4, 15} : Cycles{3, 5, 15}));
}

TEST_P(WaitGate, GatesAreIndependent) {  // W44
  // T0 is held until 15; T1 and T2 issue the very instructions that T0's mask catches.
  Scenario scenario = three_threads(
      GetParam(), {"ttsemwait 0x1ff,1,1\nNOP", repeat(10, "SFPNOP") + "ttsempost 1", "ttsemwait 256,2,2\nINCRWC"});
  scenario.semaphores[0] = {.value = 0, .max = 1};
  scenario.semaphores[1] = {.value = 0, .max = 1};
  const Ran ran = simulate(scenario);
  EXPECT_EQ(ran.cycles(0), (Cycles{3, 15}));
  EXPECT_EQ(ran.cycles(1), (Cycles{3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13}));
  EXPECT_EQ(ran.cycles(2), (Cycles{4, 5}));  // its SEMWAIT comes after T0's, and is its own
}

TEST_P(WaitGate, StallThreadStopsEverythingIncludingNop) {
  // W16 and W13 in the model: 0x1FF catches NOP, each mask with one bit missing does not.
  EXPECT_EQ(posted_in_13(GetParam(), "ttsemwait 0x1ff,1,1\nNOP").cycles(0), (Cycles{3, 15}));
  for (unsigned missing = 0; missing < 9; ++missing) {
    const unsigned mask = 0x1FFU & ~(1U << missing);
    EXPECT_EQ(posted_in_13(GetParam(), "ttsemwait " + std::to_string(mask) + ",1,1\nNOP").cycles(0), (Cycles{3, 4}));
  }
}

TEST_P(WaitGate, MasksOfZeroHaveDefaults) {
  // W17 and W18 in the model. Block mask 0 catches the Matrix Unit's instructions and no others.
  EXPECT_EQ(posted_in_13(GetParam(), "ttsemwait 0,1,1\nINCRWC").cycles(0), (Cycles{3, 15}));
  EXPECT_EQ(posted_in_13(GetParam(), "ttsemwait 0,1,1\nSFPNOP").cycles(0), (Cycles{3, 4}));
  // Condition mask 0 is C0 to C3 on Blackhole: the packer counts, the Matrix Unit (C4) does not. On Wormhole it is C0
  // to C6: the four packers; the Matrix Unit (C7) does not. PACR 3 is in the packer 3 to 18; STALLWAIT 4; SFPNOP 20.
  EXPECT_EQ(cycles_of(GetParam(), "PACR\nttstallwait 256,0\nSFPNOP"), (Cycles{3, 4, 20}));
  Scenario scenario = one_thread(GetParam(), 0, "MVMUL DstRow=0\nttstallwait 256,0\nSFPNOP");
  scenario.src_a_valid = scenario.src_b_valid = true;
  EXPECT_EQ(simulate(scenario).cycles(0), (Cycles{3, 4, 6}));
}

TEST_P(WaitGate, SemwaitWithoutAConditionActsAsStallwaitWithTheDefaultsAndIsReported) {
  // W36, errata 30.
  const Ran ran = simulate(one_thread(GetParam(), 0, "PACR\nttsemwait 256,1,0\nSFPNOP"));
  EXPECT_EQ(ran.cycles(0), (Cycles{3, 4, 20}));
  EXPECT_TRUE(ran.reported(Report::Category::semwait_no_condition));
  // An empty semaphore mask never waits.
  EXPECT_EQ(cycles_of(GetParam(), "ttsemwait 256,0,3\nSFPNOP"), (Cycles{3, 5}));
}

}  // namespace
}  // namespace tensim::test
