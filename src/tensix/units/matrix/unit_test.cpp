// Matrix Unit: what it holds back, for how long, and how threads share it. Word n of a thread is at its gate in cycle
// 3+n.
#include "tests/support/three_threads.hpp"

namespace tensim::test {
namespace {

class MatrixUnit : public BothArchs {};
TENSIM_BOTH_ARCHS(MatrixUnit);

Scenario with_operands(Scenario scenario) {
  scenario.src_a_valid = scenario.src_b_valid = true;
  return scenario;
}
Cycles cycles_with_operands(Arch arch, const std::string& program) {
  return simulate(with_operands(one_thread(arch, 0, program))).cycles(0);
}

// C40, Matrix Unit: latency of each instruction as STALLWAIT sees it. Instruction 3, STALLWAIT on MATH 4, and a SETC16
// behind it that passes two cycles after the last cycle in the unit; but in 6 at the earliest.
struct Latency {
  const char* instruction;
  Cycle cycles;
};
constexpr std::array latencies{
    Latency{"MVMUL", 5},   Latency{"DOTPV", 5},       Latency{"GAPOOL", 5},     Latency{"ELWMUL", 5},
    Latency{"GMPOOL", 5},  Latency{"ELWADD", 5},      Latency{"ELWSUB", 5},     Latency{"SETRWC", 1},
    Latency{"INCRWC", 1},  Latency{"CLEARDVALID", 1}, Latency{"CLREXPHIST", 1}, Latency{"GATESRCRST", 1},
    Latency{"ZEROACC", 1}, Latency{"ZEROSRC", 1},     Latency{"TRNSPSRCB", 1},  Latency{"ttshiftxa 0,0", 1},
    Latency{"SHIFTXB", 2}, Latency{"MOVD2A", 2},      Latency{"MOVB2A", 4},     Latency{"MOVD2B", 4},
    Latency{"MOVA2D", 4},  Latency{"MOVDBGA2D", 4},   Latency{"MOVB2D", 4},
};

TEST_P(MatrixUnit, EachInstructionIsInTheUnitForItsLatency) {
  // Latched first, so that latencies of one cycle show as well: STALLWAIT 3 (blocks SETC16 only), instruction 4, in the
  // unit until 3 + L; SETC16 5 + L.
  for (const auto& [instruction, cycles] : latencies)
    EXPECT_EQ(cycles_with_operands(GetParam(), std::string("STALLWAIT block=STALL_CFG, cond=MATH\n") + instruction +
                                                   "\nSETC16 CfgIndex=40, NewValue=1"),
              (Cycles{3, 4, 5 + cycles}))
        << instruction;
}

TEST_P(MatrixUnit, TakesOneInstructionPerCycleOnDifferentBlocks) {
  for (const char* instruction : {"MVMUL", "DOTPV", "GAPOOL", "ELWMUL", "GMPOOL", "ELWADD", "ELWSUB"}) {
    std::string program;
    for (unsigned i = 0; i < 6; ++i)
      program += std::string(instruction) + " DstRow=" + std::to_string(8 * i) + "\n";
    EXPECT_EQ(cycles_with_operands(GetParam(), program), (Cycles{3, 4, 5, 6, 7, 8})) << instruction;
  }
  for (const char* instruction : {"SETRWC", "INCRWC", "CLREXPHIST", "GATESRCRST", "ZEROACC", "ZEROSRC", "TRNSPSRCB",
                                  "ttshiftxa 0,0", "MOVD2A", "MOVB2A", "MOVD2B", "MOVA2D", "MOVDBGA2D", "MOVB2D"})
    EXPECT_EQ(cycles_with_operands(GetParam(), repeat(3, instruction)), (Cycles{3, 4, 5})) << instruction;
}

TEST_P(MatrixUnit, ABlockOfDstIsReadableSixCyclesAfterAWrite) {
  // Ruling 13, silicon: 6 cycles on one 8x16 block, accumulating or not; rows 0 and 7 are one block, row 8 is the next.
  for (const char* instruction : {"MVMUL", "ELWADD", "ELWMUL"}) {
    const std::string name = instruction;
    EXPECT_EQ(cycles_with_operands(GetParam(), repeat(3, name + " DstRow=0")), (Cycles{3, 9, 15})) << name;
    EXPECT_EQ(cycles_with_operands(GetParam(), name + " DstRow=0\n" + name + " DstRow=7"), (Cycles{3, 9})) << name;
    EXPECT_EQ(cycles_with_operands(GetParam(), name + " DstRow=0\n" + name + " DstRow=8"), (Cycles{3, 4})) << name;
  }
  // Five blocks in rotation are one too few, six are enough.
  for (const auto& [blocks, sixth] : {std::pair{5U, Cycle{9}}, std::pair{6U, Cycle{9}}}) {
    std::string program;
    for (unsigned i = 0; i <= blocks; ++i)
      program += "MVMUL DstRow=" + std::to_string(8 * (i % blocks)) + "\n";
    const Cycles cycles = cycles_with_operands(GetParam(), program);
    EXPECT_EQ(cycles.back(), sixth) << blocks;
  }
}

TEST_P(MatrixUnit, TheArbiterPicksAThreadBeforeItLooksAtDst) {
  // Ruling 13, silicon: on one block 6, 12, 18 cycles per instruction at one, two, three threads.
  const std::string program = repeat(3, "MVMUL DstRow=0");
  const Ran two = simulate(with_operands(three_threads(GetParam(), {program, program, ""})));
  EXPECT_EQ(two.cycles(0), (Cycles{3, 15, 27}));
  EXPECT_EQ(two.cycles(1), (Cycles{9, 21, 33}));
  const Ran three = simulate(with_operands(three_threads(GetParam(), {program, program, program})));
  EXPECT_EQ(three.cycles(2), (Cycles{15, 33, 51}));
  // T1 writes other blocks every time; still it waits for T0, which holds the port.
  const Ran mixed = simulate(
      with_operands(three_threads(GetParam(), {program, "MVMUL DstRow=64\nMVMUL DstRow=72\nMVMUL DstRow=80", ""})));
  EXPECT_EQ(mixed.cycles(0), (Cycles{3, 9, 15}));
  EXPECT_EQ(mixed.cycles(1), (Cycles{4, 10, 16}));
}

TEST_P(MatrixUnit, MovesBarOthersFromTheNextCycles) {
  const auto second_after = [&](const std::string& first, const std::string& second) {
    const Cycles cycles = cycles_with_operands(GetParam(), first + "\n" + second);
    return cycles.size() == 2 ? cycles[1] - cycles[0] : 0;
  };
  EXPECT_EQ(second_after("SHIFTXB", "SHIFTXB"), 2U);  // the unit accepts nothing in the next cycle
  EXPECT_EQ(second_after("SHIFTXB", "INCRWC"), 2U);
  for (const char* move : {"MOVD2A", "MOVB2A"}) {  // the next cycle only MOVD2A and MOVB2A
    EXPECT_EQ(second_after(move, "MOVD2A"), 1U) << move;
    EXPECT_EQ(second_after(move, "MOVB2A"), 1U) << move;
    EXPECT_EQ(second_after(move, "INCRWC"), 2U) << move;
    EXPECT_EQ(second_after(move, "MVMUL"), 2U) << move;
  }
  EXPECT_EQ(second_after("MOVD2B", "MOVD2B"), 1U);  // the next three only MOVD2B
  for (const char* other : {"MOVD2A", "MOVB2A", "INCRWC", "MVMUL"})
    EXPECT_EQ(second_after("MOVD2B", other), 4U) << other;
  // After a move to Dst the next three cycles hold MOVD2A, MOVD2B, multiplies and pools, whatever the block; not the
  // additions. (DstRow 512 keeps the Dst hazard out of it.)
  for (const char* move : {"MOVA2D DstRow=512", "MOVDBGA2D DstRow=512", "MOVB2D DstRow=512"}) {
    for (const char* held : {"MOVD2A", "MOVD2B", "ELWMUL", "MVMUL", "DOTPV", "GMPOOL", "GAPOOL"})
      EXPECT_EQ(second_after(move, held), 4U) << move << " " << held;
    for (const char* free : {"ELWADD", "ELWSUB", "INCRWC", "MOVA2D", "MOVB2A"})
      EXPECT_EQ(second_after(move, free), 1U) << move << " " << free;
  }
  // Whichever thread it is: T1's INCRWC is barred by T0's MOVD2B.
  const Ran ran = simulate(with_operands(three_threads(GetParam(), {"MOVD2B", "INCRWC", ""})));
  EXPECT_EQ(ran.cycles(1), (Cycles{7}));
}

TEST_P(MatrixUnit, ReadersOfSrcWaitAtTheGateAndUnpacrWaitsInTheUnpacker) {  // W55
  struct Reader {
    const char* instruction;
    const char* needs;
  };
  // Which banks each waits for (timing 2.2). SETDVALID by T1 in 13 is seen in 14: no latch is in the way, so 14.
  for (const auto& [instruction, needs] :
       {Reader{"MVMUL", "AB"}, Reader{"DOTPV", "AB"}, Reader{"GAPOOL", "AB"}, Reader{"GMPOOL", "AB"},
        Reader{"ELWADD", "AB"}, Reader{"ELWSUB", "AB"}, Reader{"ELWMUL", "AB"}, Reader{"MOVA2D", "A"},
        Reader{"MOVB2D", "B"}, Reader{"MOVB2A", "B"}, Reader{"TRNSPSRCB", "B"}, Reader{"ttshiftxa 0,0", "A"},
        Reader{"SHIFTXB", "B"}}) {
    std::string hand_over = "SETDVALID ";
    for (const char file : std::string_view(needs))
      hand_over += std::string(hand_over.back() == ' ' ? "" : ", ") + "FlipSrc" + file + "=1";
    const Ran ran = simulate(GetParam(), {instruction, repeat(10, "NOP") + hand_over, ""});
    EXPECT_EQ(ran.cycles(0), (Cycles{14})) << instruction;
    EXPECT_EQ(ran.stall_in(0, 13), *needs == 'A' ? Stall::src_a_not_valid : Stall::src_b_not_valid) << instruction;
    if (std::string_view(needs) != "AB") continue;
    EXPECT_TRUE(simulate(GetParam(), {instruction, "SETDVALID FlipSrcA=1", ""}).deadlocked()) << instruction;
    EXPECT_TRUE(simulate(GetParam(), {instruction, "SETDVALID FlipSrcB=1", ""}).deadlocked()) << instruction;
  }
  for (const char* free : {"MOVD2A", "MOVD2B", "MOVDBGA2D", "ZEROSRC", "ZEROACC", "SETRWC", "CLEARDVALID"})
    EXPECT_EQ(cycles_of(GetParam(), free), (Cycles{3})) << free;
  if (is_blackhole()) {
    EXPECT_EQ(cycles_of(GetParam(), "MOVDBGB2D"), (Cycles{3}));
  }
  // UNPACR issues though its bank is the Matrix Unit's, and waits inside: UNPACK0 stays true, and its thread issues on.
  // Both banks are handed over in 3 and 4. UNPACR 5, NOP 7. T1's CLEARDVALID 20 gives bank 0 back for 21: data in 21 to
  // 36. STALLWAIT 8 lets SETC16 pass in 38.
  const std::string t0 =
      "SETDVALID FlipSrcA=1\nSETDVALID FlipSrcA=1\nUNPACR.Regular WhichUnpacker=0\nNOP\n"
      "STALLWAIT block=STALL_CFG, cond=UNPACK0\nSETC16 CfgIndex=40, NewValue=1";
  const Ran ran = simulate(GetParam(), {t0, repeat(17, "NOP") + "CLEARDVALID FlipSrcA=1", ""});
  EXPECT_EQ(ran.cycle_of(1, "CLEARDVALID"), 20U);
  EXPECT_EQ(ran.cycles(0), (Cycles{3, 4, 5, 7, 8, 38}));
}

TEST_P(MatrixUnit, ABankOnItsWayBackIsNotValidEither) {
  // Ruling 17. Bank 0 is valid, bank 1 is handed over in 3. MVMULs 3 and 4 give both back, and the third is on bank 0 again,
  // which the unpackers have from 8 on; it waits for the hand-over of 20. LLK's face-compressed matmul does this.
  const std::string mvmul = "MVMUL FlipSrcA=1, DstRow=";
  const std::string t1 = "SETDVALID FlipSrcA=1\n" + repeat(16, "NOP") + "SETDVALID FlipSrcA=1";
  const Ran ran =
      simulate(with_operands(three_threads(GetParam(), {mvmul + "0\n" + mvmul + "8\n" + mvmul + "16", t1, ""})));
  EXPECT_EQ(ran.cycle_of(1, "SETDVALID", 1), 20U);
  EXPECT_EQ(ran.cycles(0), (Cycles{3, 4, 21}));
  // So says SRCA_VLD.
  const Ran waits = simulate(with_operands(three_threads(
      GetParam(),
      {mvmul + "0\n" + mvmul + "8\nSTALLWAIT block=STALL_CFG, cond=SRCA_VLD\nSETC16 CfgIndex=40, NewValue=1", t1,
       ""})));
  EXPECT_EQ(waits.cycle_of(0, "STALLWAIT"), 5U);
  EXPECT_GT(waits.cycle_of(0, "SETC16"), 20U);
}

TEST_P(MatrixUnit, ABankGoesBackAfterTheLatencyWhileThePointerMovesAtOnce) {
  // Ruling 17. Only bank 0 is valid. MVMUL with both flips 3: the next MVMUL looks at bank 1 in 4, which is not valid.
  Scenario scenario = with_operands(three_threads(
      GetParam(), {"MVMUL DstRow=0, FlipSrcA=1, FlipSrcB=1\nMVMUL DstRow=8", "SETDVALID FlipSrcA=1, FlipSrcB=1", ""}));
  scenario.threads[1].start = 10;  // SETDVALID 13
  EXPECT_EQ(simulate(scenario).cycles(0), (Cycles{3, 14}));
  // SRCA_CLR of bank 0, which the unpacker is on after two hand-overs: MVMUL 5 keeps it until 9, so clear in 10.
  const Ran returned = simulate(with_operands(three_threads(
      GetParam(), {"SETDVALID FlipSrcA=1\nSTALLWAIT block=STALL_CFG, cond=SRCA_CLR\nSETC16 CfgIndex=40, NewValue=1",
                   "NOP\nNOP\nMVMUL DstRow=0, FlipSrcA=1, FlipSrcB=1", ""})));
  EXPECT_EQ(returned.cycle_of(1, "MVMUL"), 5U);
  EXPECT_EQ(returned.cycles(0), (Cycles{3, 4, 11}));
}

}  // namespace
}  // namespace tensim::test
