// The waits that kernels are made of (W46-W51, W53), with the operands as objdump shows them. The numbers are Blackhole's
// (ruling 20); where Wormhole has other bits the names stand for them. Word n of a thread is at its gate in cycle 3+n.
#include "tests/support/three_threads.hpp"

namespace tensim::test {
namespace {

class WaitPattern : public BothArchs {};
TENSIM_BOTH_ARCHS(WaitPattern);

const std::string setc16 = "SETC16 CfgIndex=40, NewValue=1";

Scenario with_operands(Scenario scenario) {
  scenario.src_a_valid = scenario.src_b_valid = true;
  return scenario;
}

TEST_P(WaitPattern, ThconBeforeWrcfg) {  // W46
  // SETDMAREG 3, STALLWAIT 4; nothing is outstanding, so WRCFG pays the one cycle: 6 (errata 33). It writes the value.
  for (const char* wait : {"ttstallwait 128,1", "ttstallwait 128,9"}) {
    const Ran ran = simulate(one_thread(
        GetParam(), 0, std::string("SETDMAREG.Immediate NewValue=77, ResultHalfReg=8\n") + wait + "\nttwrcfg 4,0,1"));
    EXPECT_EQ(ran.cycles(0), (Cycles{3, 4, 6})) << wait;
    EXPECT_EQ(ran.state->config.bank[0][1], 77U) << wait;
  }
  // With a load outstanding (3 to 12) both forms hold WRCFG until 14; with a PACR (3 to 18) only 9 does, until 20.
  for (const char* wait : {"128,1", "128,9"}) {
    const Ran load =
        simulate(one_thread(GetParam(), 0, std::string("LOADIND\nttstallwait ") + wait + "\nttwrcfg 4,0,1"));
    EXPECT_EQ(load.cycle_of(0, "WRCFG"), 14U) << wait;
  }
  EXPECT_EQ(cycles_of(GetParam(), "PACR\nttstallwait 128,1\nttwrcfg 4,0,1"), (Cycles{3, 4, 6}));
  EXPECT_EQ(cycles_of(GetParam(), "PACR\nttstallwait 128,9\nttwrcfg 4,0,1"), (Cycles{3, 4, 20}));
}

TEST_P(WaitPattern, ThconBetweenASumAndWrcfg) {  // W46
  // How unpack threads step an address: read it, add the size of a tile, write it back. Size and address are in different
  // groups of four GPRs, so that the sum takes four cycles: 4 to 7. Wormhole's gate is closed meanwhile.
  const std::string step =
      "RDCFG ResultReg=12, CfgIndex=1\nADDDMAREG.Register ResultReg=12, RightReg=12, LeftReg=36\n"
      "ttstallwait 128,1\nttwrcfg 12,0,1\n";
  Scenario scenario = one_thread(GetParam(), 0, step);
  scenario.gprs[{0, 36}] = 128;
  scenario.gprs[{0, 12}] = 5;
  const Ran ran = simulate(scenario);
  EXPECT_EQ(ran.cycles(0), (is_wormhole() ? Cycles{3, 5, 9, 11} : Cycles{3, 4, 5, 9}));
  EXPECT_EQ(ran.state->config.bank[0][1], 128U);
}

TEST_P(WaitPattern, SrcValidBeforeTheMovesThatDoNotWaitThemselves) {  // W47
  struct Case {
    const char* blackhole;
    const char* named;
    const char* move;
    const char* hand_over;
    bool waits_for_b = false;
  };
  for (const Case& test :
       {Case{"ttstallwait 64,128", "STALLWAIT block=STALL_MATH, cond=SRCA_VLD", "MOVD2A", "SETDVALID FlipSrcA=1"},
        Case{"ttstallwait 64,256", "STALLWAIT block=STALL_MATH, cond=SRCB_VLD", "MOVD2B", "SETDVALID FlipSrcB=1"},
        Case{"ttstallwait 64,384", "STALLWAIT block=STALL_MATH, cond=SRCA_VLD|SRCB_VLD", "MOVB2A",
             "SETDVALID FlipSrcA=1, FlipSrcB=1", true}}) {
    // By itself the move passes at once, owned or not; MOVB2A waits for SrcB by itself, in vain here.
    EXPECT_EQ(cycles_of(GetParam(), test.move), test.waits_for_b ? Cycles{} : Cycles{3}) << test.move;
    // Behind the wait: SETDVALID 13, seen in 14, passes in 15.
    const std::string wait = is_blackhole() ? test.blackhole : test.named;
    const Ran ran = simulate(GetParam(), {wait + "\n" + test.move, repeat(10, "NOP") + test.hand_over, ""});
    EXPECT_EQ(ran.cycles(0), (Cycles{3, 15})) << wait;
    EXPECT_EQ(assemble(Arch::blackhole, test.blackhole), assemble(Arch::blackhole, test.named));
  }
  // The combined form needs both: SrcA alone in 13 is not enough.
  const Ran half = simulate(GetParam(), {"STALLWAIT block=STALL_MATH, cond=SRCA_VLD|SRCB_VLD\nMOVB2A",
                                         repeat(10, "NOP") + "SETDVALID FlipSrcA=1", ""});
  EXPECT_EQ(half.cycles(0), (Cycles{3}));
  // Without a wait, MOVB2A needs no bank of SrcA, which it writes: SrcB in 13, seen in 14.
  const Ran alone = simulate(GetParam(), {"MOVB2A", repeat(10, "NOP") + "SETDVALID FlipSrcB=1", ""});
  EXPECT_EQ(alone.cycles(0), (Cycles{14}));
}

TEST_P(WaitPattern, UnpackToDestHandshake) {  // W48
  // T0 unpacks a tile to Dst and posts UNPACK_TO_DEST when the unpacker is done; T1's SEMGET waits for it: SEMWAIT 2,4,1.
  // UNPACR 3 (data 5 to 20), STALLWAIT 5, SEMPOST 22, seen in 23: T1's SEMGET 24, and its MVMUL behind it 25.
  Scenario scenario = with_operands(three_threads(
      GetParam(), {"UNPACR.Regular WhichUnpacker=0\nSTALLWAIT block=STALL_SYNC, cond=UNPACK0\nttsempost 4",
                   "ttsemwait 2,4,1\nttsemget 4\nMVMUL DstRow=0", ""}));
  scenario.semaphores[2] = {.value = 0, .max = 1};
  const Ran ran = simulate(scenario);
  EXPECT_TRUE(ran.finished());
  EXPECT_EQ(ran.cycles(0), (Cycles{3, 5, 22}));
  EXPECT_EQ(ran.cycles(1), (Cycles{3, 24, 25}));
  EXPECT_EQ(ran.value(2), 0U);
}

TEST_P(WaitPattern, MathPackHandshake) {  // W49
  // Math (T1) fills half of Dst when MATH_PACK is below its maximum of 1, pack (T2) empties it when above 0.
  for (const char* block : {"320", "322"}) {
    const std::string math = std::string("ttsemwait ") + block + ",2,2\nMVMUL DstRow=0\n" +
                             "STALLWAIT block=STALL_SYNC, cond=MATH|WAIT_SFPU\nttsempost 2\n";
    const std::string pack = "ttsemwait 1,2,1\nPACR\nSTALLWAIT block=STALL_SYNC, cond=PACK\nttsemget 2\n";
    Scenario scenario = with_operands(three_threads(GetParam(), {"", math + math, pack + pack}));
    scenario.semaphores[1] = {.value = 0, .max = 1};
    const Ran ran = simulate(scenario);
    EXPECT_TRUE(ran.finished());
    EXPECT_EQ(ran.value(1), 0U);
    // SEMWAIT of T1 3 and of T2 4. MVMUL held in 4, 5 (in the FPU 5 to 9), STALLWAIT 6, SEMPOST 11.
    EXPECT_EQ(ran.cycle_of(1, "MVMUL"), 5U) << block;
    EXPECT_EQ(ran.cycle_of(1, "SEMPOST"), 11U) << block;
    // PACR 13 (in the packer 13 to 28), SEMGET 30. The second MVMUL waits for it: 32.
    EXPECT_EQ(ran.cycle_of(2, "PACR"), 13U) << block;
    EXPECT_EQ(ran.cycle_of(2, "SEMGET"), 30U) << block;
    EXPECT_EQ(ran.cycle_of(1, "MVMUL", 1), 32U) << block;
    EXPECT_GT(ran.cycle_of(2, "PACR", 1), ran.cycle_of(1, "SEMPOST", 1)) << block;
  }
  // 322 also holds the Sync Unit's instructions, 320 does not; neither lets MATH or SFPU pass.
  for (const char* instruction : {"ttsempost 4", "INCRWC", "SFPNOP"})
    for (const char* block : {"320", "322"}) {
      Scenario scenario = one_thread(GetParam(), 0, std::string("ttsemwait ") + block + ",2,2\n" + instruction);
      const bool passes = std::string_view(instruction) == "ttsempost 4" && std::string_view(block) == "320";
      EXPECT_EQ(simulate(scenario).cycles(0), (passes ? Cycles{3, 4} : Cycles{3})) << block << " " << instruction;
    }
}

TEST_P(WaitPattern, PackBeforePackerReconfiguration) {  // W50
  // PACR 3, in the packer 3 to 18; STALLWAIT 4; each configuration instruction waits until 20.
  for (const char* write :
       {"SETC16 CfgIndex=40, NewValue=1", "ttwrcfg 4,0,1", "RMWCIB0 Mask=1, NewValue=1, Index4=1"}) {
    EXPECT_EQ(cycles_of(GetParam(), std::string("PACR\nttstallwait 128,8\n") + write), (Cycles{3, 4, 20})) << write;
    EXPECT_EQ(cycles_of(GetParam(), std::string("PACR\nttstallwait 128,9\n") + write), (Cycles{3, 4, 20})) << write;
  }
  // PACK|THCON also waits for a load (Blackhole 4 to 13, until 15, when the packer is still busy; here it is longer).
  Scenario scenario = one_thread(GetParam(), 0, "PACR\nLOADIND\nttstallwait 128,9\n" + setc16);
  scenario.timing["scalar_memory_cycles"] = 30;  // LOADIND 4: outstanding 4 to 33
  EXPECT_EQ(simulate(scenario).cycle_of(0, "SETC16"), 35U);
}

TEST_P(WaitPattern, MathAndSfpuBeforeTheDestFlip) {  // W51
  // MVMUL 3, in the FPU 3 to 7; SFPMAD 4, in the SFPU 4 and 5; STALLWAIT 5; SETC16 9.
  const std::string wait =
      is_blackhole() ? "ttstallwait 128,0x810\n" : "STALLWAIT block=STALL_CFG, cond=MATH|WAIT_SFPU\n";
  const Ran ran = simulate(with_operands(one_thread(
      GetParam(), 0, "MVMUL DstRow=0\nSFPMAD VA=0, VB=1, VC=2, VD=3\n" + wait + "SETC16 CfgIndex=1, NewValue=0")));
  EXPECT_EQ(ran.cycles(0), (Cycles{3, 4, 5, 9}));
  // The SFPU alone: SFPNOPs behind the wait are not held, and hold it: 4 to 6, SETC16 8.
  EXPECT_EQ(cycles_of(GetParam(), wait + repeat(3, "SFPNOP") + "SETC16 CfgIndex=1, NewValue=0"),
            (Cycles{3, 4, 5, 6, 8}));
}

TEST_P(WaitPattern, EndOfMath) {  // W53
  // MVMUL 3, in the FPU until 7; STALLWAIT 4; SEMPOST 9; STALLWAIT 10; SETC16 12.
  const bool blackhole = is_blackhole();
  const std::string first = blackhole ? "ttstallwait 2,2064\n" : "STALLWAIT block=STALL_SYNC, cond=MATH|WAIT_SFPU\n";
  const std::string second = blackhole ? "ttstallwait 128,2064\n" : "STALLWAIT block=STALL_CFG, cond=MATH|WAIT_SFPU\n";
  const Ran ran = simulate(
      with_operands(one_thread(GetParam(), 1, "MVMUL DstRow=0\n" + first + "ttsempost 2\n" + second + setc16)));
  EXPECT_EQ(ran.cycles(1), (Cycles{3, 4, 9, 10, 12}));
  EXPECT_EQ(ran.value(1), 1U);
}

}  // namespace
}  // namespace tensim::test
