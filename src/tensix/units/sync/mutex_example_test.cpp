// What mutexes are for: the examples of the checklist (M29 to M31).
#include "tests/support/three_threads.hpp"

namespace tensim::test {
namespace {

class MutexExample : public BothArchs {};
TENSIM_BOTH_ARCHS(MutexExample);

constexpr unsigned alu_format_spec = 1;  // the word of ALU_FORMAT_SPEC_REG0, REG1 and REG2 on both chips

/// Ten times: read the word, add, write it back, perhaps under mutex 0. The DMANOP is taken when the sum is there
/// (ruling 12: on Blackhole nothing else waits for it); the NOP lets WRCFG's second cycle pass.
std::string read_modify_write(unsigned addend, bool guarded) {
  const std::string word = std::to_string(alu_format_spec);
  return std::string(".rept 10\n") + (guarded ? "ATGETM mutex=REG_RMW\n" : "") + "RDCFG ResultReg=8, CfgIndex=" + word +
         "\nADDDMAREG.Immediate ResultReg=8, LeftReg=8, RightImm6=" + std::to_string(addend) +
         "\nDMANOP\nWRCFG InputReg=8, CfgIndex=" + word + "\nNOP\n" + (guarded ? "ATRELM mutex=REG_RMW\n" : "") +
         ".endr";
}

TEST_P(MutexExample, GuardedReadModifyWriteOfOneConfigWordLosesNothing) {  // M29
  const Ran guarded = simulate(GetParam(), {read_modify_write(1, true), "", read_modify_write(3, true)});
  EXPECT_TRUE(guarded.finished());
  EXPECT_EQ(guarded.state->config.bank[0][alu_format_spec], 10U * 1 + 10U * 3);
  EXPECT_EQ(guarded.owner(0), -1);
  // Without the mutex updates are lost: the test would notice.
  const Ran unguarded = simulate(GetParam(), {read_modify_write(1, false), "", read_modify_write(3, false)});
  EXPECT_LT(unguarded.state->config.bank[0][alu_format_spec], 40U);
}

TEST_P(MutexExample, TwoThreadsShareTheVectorUnitUnderMutex4) {  // M30
  const std::string program =
      ".rept 5\nATGETM mutex=SFPU\nSFPMAD VA=0, VB=1, VC=2, VD=3\nSFPNOP\n"
      "SFPMAD VA=3, VB=1, VC=2, VD=4\nSFPNOP\nATRELM mutex=SFPU\n.endr";
  const Ran ran = simulate(GetParam(), {"", program, program});
  EXPECT_TRUE(ran.finished());
  // The two bodies never overlap, and the threads take turns: T1 first, then T2 (M17).
  for (std::size_t round = 0; round < 5; ++round) {
    EXPECT_LT(ran.cycle_of(1, "ATRELM", round), ran.cycle_of(2, "ATGETM", round));
    EXPECT_EQ(ran.cycle_of(2, "ATGETM", round), ran.cycle_of(1, "ATRELM", round) + 1);
    if (round == 4) break;
    EXPECT_LT(ran.cycle_of(2, "ATRELM", round), ran.cycle_of(1, "ATGETM", round + 1));
  }
}

TEST_P(MutexExample, LockGuardAcquiresRunsTheBodyAndReleases) {  // M31
  // T0: ATGETM 3, body 4 to 6, ATRELM 7. T1 asks in 3 as well, loses to T0, and has its turn from 8 on.
  const std::string program =
      "ttatgetm 0\nSETC16 CfgIndex=40, NewValue=1\nSETC16 CfgIndex=40, NewValue=2\nNOP\n"
      "ttatrelm 0\nNOP";
  const Ran ran = simulate(GetParam(), {program, program, ""});
  EXPECT_EQ(ran.cycles(0), (Cycles{3, 4, 5, 6, 7, 8}));
  EXPECT_EQ(ran.cycles(1), (Cycles{8, 9, 10, 11, 12, 13}));
  EXPECT_EQ(ran.owner(0), -1);
}

}  // namespace
}  // namespace tensim::test
