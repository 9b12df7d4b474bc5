// Unpackers: address phase, data phase, bank hand-over. Word n of a thread is at its gate in cycle 3+n.
#include "tests/support/three_threads.hpp"

namespace tensim::test {
namespace {

class Unpackers : public BothArchs {};
TENSIM_BOTH_ARCHS(Unpackers);

// C40, Unpackers, as far as the model goes: the data phase is a parameter, its speeds are not modelled.
TEST_P(Unpackers, TheAddressPhaseHoldsTheThreadAndEveryUnpacr) {
  // UNPACR 3, address in 3 and 4. Its thread's NOP passes in 5; T1's UNPACR of the other unpacker too; T2's NOP at once.
  const Ran ran =
      simulate(GetParam(), {"UNPACR.Regular WhichUnpacker=0\nNOP", "UNPACR.Regular WhichUnpacker=1", "NOP\nNOP"});
  EXPECT_EQ(ran.cycles(0), (Cycles{3, 5}));
  EXPECT_EQ(ran.stall_in(0, 4), Stall::address_phase);
  EXPECT_EQ(ran.cycles(1), (Cycles{5}));
  EXPECT_EQ(ran.cycles(2), (Cycles{3, 4}));
}

TEST_P(Unpackers, OneMovesDataWhileTheNextComputesItsAddress) {
  // 16 cycles of data. UNPACR 3: address 3, 4, data 5 to 20. UNPACR 5: address 5, 6, then waits. A third finds the
  // unpacker taken until the first is done: 21. Data of the second 21 to 36; the fourth 37.
  EXPECT_EQ(cycles_of(GetParam(), repeat(4, "UNPACR.Regular WhichUnpacker=0")), (Cycles{3, 5, 21, 37}));
  // Unpacker 1 has its own: alternately they issue every two cycles, until both have two.
  const std::string both = "UNPACR.Regular WhichUnpacker=0\nUNPACR.Regular WhichUnpacker=1\n";
  EXPECT_EQ(cycles_of(GetParam(), both + both), (Cycles{3, 5, 7, 9}));
}

TEST_P(Unpackers, TheBankIsHandedOverAtTheEndOfTheTransfer) {
  // Lessons 4. UNPACR with FlipSrc 3: data 5 to 20, the bank is the Matrix Unit's in 21. MOVA2D waits for it at the gate.
  const Ran ran = simulate(GetParam(), {"UNPACR.Regular WhichUnpacker=0, FlipSrc=1", "MOVA2D", ""});
  EXPECT_EQ(ran.cycles(1), (Cycles{21}));
  EXPECT_TRUE(ran.state->src.matrix_owns[0][0]);
  EXPECT_EQ(ran.state->src.unpack_bank[0], 1U);
  // Without FlipSrc it stays.
  EXPECT_TRUE(simulate(GetParam(), {"UNPACR.Regular WhichUnpacker=0", "MOVA2D", ""}).deadlocked());
  // SrcB is unpacker 1's.
  EXPECT_EQ(simulate(GetParam(), {"UNPACR.Regular WhichUnpacker=1, FlipSrc=1", "MOVB2D", ""}).cycles(1), (Cycles{21}));
}

TEST_P(Unpackers, TheDurationOfTheDataPhaseIsAParameter) {
  Scenario scenario = three_threads(GetParam(), {"UNPACR.Regular WhichUnpacker=0, FlipSrc=1", "MOVA2D", ""});
  scenario.timing["unpack_data_cycles"] = 3;  // data 5 to 7
  EXPECT_EQ(simulate(scenario).cycles(1), (Cycles{8}));
}

/// Cycles in unpacker 0, as a wait latched before sees it: STALLWAIT 3, instruction 4 to 3 + L, SETC16 5 + L.
Cycle latency(Arch arch, const std::string& instruction) {
  const Cycles cycles =
      cycles_of(arch, "STALLWAIT block=STALL_CFG, cond=UNPACK0\n" + instruction + "\nSETC16 CfgIndex=40, NewValue=1");
  return cycles.size() == 3 ? cycles[2] - 5 : 0;
}

TEST_P(Unpackers, UnpacrNopTakesOneCycle) {
  EXPECT_EQ(latency(GetParam(), "UNPACR_NOP.Nop"), 1U);
  EXPECT_EQ(cycles_of(GetParam(), repeat(3, "UNPACR_NOP.Nop")), (Cycles{3, 4, 5}));
  // The forms of UNPACR that move nothing have their address phase only.
  EXPECT_EQ(latency(GetParam(), "UNPACR.IncrementContextCounter"), 2U);
}

TEST_P(Unpackers, UnpacrNopThatSetsDvalidHandsOverBehindEarlierTransfers) {
  // Wormhole has a form for it, Blackhole sets it in ZEROSRC. Alone: 3, the bank is the Matrix Unit's in 4. Behind a
  // transfer (3, data 5 to 20) it waits for its turn in the unpacker.
  const std::string nop = is_wormhole() ? "UNPACR_NOP.SETDVALID WhichUnpacker=0" : ".word 0x43000101";
  EXPECT_EQ(simulate(GetParam(), {nop, "MOVA2D", ""}).cycles(1), (Cycles{4}));
  const Ran ran = simulate(GetParam(), {"UNPACR.Regular WhichUnpacker=0\n" + nop, "MOVA2D", ""});
  EXPECT_EQ(ran.cycle_of(0, 1), 5U);
  EXPECT_GT(ran.cycles(1).at(0), 20U);
}

TEST_P(Unpackers, UnpacrNopThatClearsWaitsForTheBankOfTheMatrixUnit) {
  // Both banks handed over in 3 and 4. ZEROSRC 5 waits until the Matrix Unit's is given back.
  const std::string supply = "SETDVALID FlipSrcA=1\nSETDVALID FlipSrcA=1\nUNPACR_NOP.ZEROSRC WhichUnpacker=0";
  EXPECT_TRUE(simulate(GetParam(), {supply, "", ""}).deadlocked());
  const Ran ran =
      simulate(GetParam(), {supply, repeat(20, "NOP") + "CLEARDVALID FlipSrcA=1, KeepReadingSameSrc=1", ""});
  EXPECT_TRUE(ran.finished());
  EXPECT_FALSE(ran.state->src.matrix_owns[0][0]);
}

}  // namespace
}  // namespace tensim::test
