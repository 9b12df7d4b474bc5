// Packers and mover: who may start when. Word n of a thread is at its gate in cycle 3+n.
#include "tests/support/three_threads.hpp"

namespace tensim::test {
namespace {

class Packers : public BothArchs {};
TENSIM_BOTH_ARCHS(Packers);
class Mover : public BothArchs {};
TENSIM_BOTH_ARCHS(Mover);

TEST_P(Packers, APacrKeepsThePackerForItsData) {
  // 16 cycles (a parameter): 3, 19, 35; its thread is held only if the next is a PACR again.
  EXPECT_EQ(cycles_of(GetParam(), repeat(3, "PACR")), (Cycles{3, 19, 35}));
  EXPECT_EQ(cycles_of(GetParam(), "PACR\nNOP\nNOP"), (Cycles{3, 4, 5}));
  Scenario scenario = one_thread(GetParam(), 0, repeat(3, "PACR"));
  scenario.timing["pack_data_cycles"] = 1;  // then one starts per cycle
  EXPECT_EQ(simulate(scenario).cycles(0), (Cycles{3, 4, 5}));
}

TEST_P(Packers, ThreadsTakeTurns) {
  const Ran ran = simulate(GetParam(), {repeat(2, "PACR"), repeat(2, "PACR"), ""});
  EXPECT_EQ(ran.cycles(0), (Cycles{3, 35}));
  EXPECT_EQ(ran.cycles(1), (Cycles{19, 51}));
}

TEST_P(Mover, XmovWaitsUntilTheMoverCanStartAndThenTakesOneCycle) {
  // 11 cycles of moving (a parameter). XMOV 3, its thread goes on in 4; the next XMOV, of any thread, 14.
  EXPECT_EQ(cycles_of(GetParam(), "XMOV\nNOP\nXMOV\nNOP"), (Cycles{3, 4, 14, 15}));
  const Ran ran = simulate(GetParam(), {"XMOV", "XMOV\nNOP", "NOP"});
  EXPECT_EQ(ran.cycles(1), (Cycles{14, 15}));
  EXPECT_EQ(ran.stall_in(1, 5), Stall::mover_busy);
}

}  // namespace
}  // namespace tensim::test
