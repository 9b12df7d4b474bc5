// Miscellaneous Unit: one cycle, one per thread and cycle. Word n of a thread is at its gate in cycle 3+n.
#include "tests/support/three_threads.hpp"

namespace tensim::test {
namespace {

class MiscellaneousUnit : public BothArchs {};
TENSIM_BOTH_ARCHS(MiscellaneousUnit);

// C40, Miscellaneous Unit.
TEST_P(MiscellaneousUnit, TakesOneInstructionPerThreadAndCycle) {
  for (const char* instruction : {"NOP", "SETADC", "SETADCXY", "INCADCXY", "ADDRCRXY", "SETADCZW", "INCADCZW",
                                  "ADDRCRZW", "SETADCXX", "SETDVALID"}) {
    const std::string program = repeat(4, instruction);
    const Ran ran = simulate(GetParam(), {program, program, program});
    for (unsigned thread = 0; thread < 3; ++thread)
      EXPECT_EQ(ran.cycles(thread), (Cycles{3, 4, 5, 6})) << instruction;
  }
}

TEST_P(MiscellaneousUnit, SetdvalidHandsTheUnpackersBankOverForTheNextCycle) {
  // SETDVALID 3: MOVA2D, at its gate from 3 on, passes in 4. The unpacker moves to the other bank.
  const Ran ran = simulate(GetParam(), {"SETDVALID FlipSrcA=1", "MOVA2D", ""});
  EXPECT_EQ(ran.cycles(1), (Cycles{4}));
  EXPECT_EQ(ran.state->src.unpack_bank[0], 1U);
  EXPECT_EQ(ran.state->src.unpack_bank[1], 0U);
  // A bank that is given back in the very cycle in which it is handed over again stays handed over.
  const Ran again = simulate(GetParam(), {"SETDVALID FlipSrcA=1\nSETDVALID FlipSrcA=1\nNOP\nSETDVALID FlipSrcA=1",
                                          "NOP\nNOP\nNOP\nCLEARDVALID FlipSrcA=1", ""});
  EXPECT_EQ(again.cycle_of(0, "SETDVALID", 2), 6U);
  EXPECT_EQ(again.cycle_of(1, "CLEARDVALID"), 6U);
  EXPECT_TRUE(again.state->src.matrix_owns[0][0]);
  EXPECT_FALSE(again.state->src.returning[0][0]);
}

}  // namespace
}  // namespace tensim::test
