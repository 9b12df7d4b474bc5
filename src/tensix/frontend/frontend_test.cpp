// A thread's frontend as a whole: FIFO depths, back-pressure and the mux with BRISC (C2, C3, C24, C25).
#include "tensix/frontend/frontend.hpp"

#include "tests/support/three_threads.hpp"

namespace tensim::test {
namespace {

using tensix::Frontend;

class FrontendTest : public BothArchs {};
TENSIM_BOTH_ARCHS(FrontendTest);

constexpr Word nop = 0x02000000U;
constexpr Word sfpnop = 0x8F000000U;
constexpr Word mop = 0x01800000U;

/// Pushes one word a cycle, as far as it is taken, with nothing leaving at the gate.
unsigned pushed_into_a_closed_gate(Arch arch, unsigned thread, unsigned cycles) {
  Frontend frontend(*tensix::unit_timing(arch), thread);
  unsigned pushed = 0;
  for (unsigned cycle = 0; cycle < cycles; ++cycle) {
    frontend.advance(arch);
    if (!frontend.can_push()) continue;
    frontend.push(nop, 0);
    ++pushed;
  }
  return pushed;
}

TEST_P(FrontendTest, TakesAsManyWordsAsItsFifosHold) {  // C2
  // Wormhole: the push FIFO is 32, 16, 16 deep, and 8 + 2 words move on into the FIFOs behind it.
  // Blackhole: 29 on every thread, wherever the words are; it stops above 28.
  for (unsigned thread = 0; thread < 3; ++thread)
    EXPECT_EQ(pushed_into_a_closed_gate(GetParam(), thread, 200),
              is_blackhole() ? 29U : (thread == 0 ? 32U : 16U) + 8U + 2U);
}

TEST_P(FrontendTest, AFullFrontendTakesTheNextWordWhenOneLeaves) {  // C2
  // Blackhole stops at 29 and takes more from 28 down, so one word out lets one in. Wormhole's push
  // FIFO gets a place as the words behind it move up.
  Frontend frontend(*tensix::unit_timing(GetParam()), 0);
  for (unsigned cycle = 0; cycle < 100; ++cycle) {
    frontend.advance(GetParam());
    if (frontend.can_push()) frontend.push(nop, 0);
  }
  ASSERT_FALSE(frontend.can_push());
  for (unsigned i = 0; i < 5; ++i) {
    frontend.pop_candidate();
    frontend.advance(GetParam());
    EXPECT_TRUE(frontend.can_push());
    frontend.push(nop, 0);
    EXPECT_FALSE(frontend.can_push());
  }
}

TEST_P(FrontendTest, EightWordsBeforeReplayAndTwoBeforeTheGate) {  // C3
  // A MOP fills the FIFOs behind the MOP Expander: ten words, however many more it has.
  Frontend frontend(*tensix::unit_timing(GetParam()), 1);
  frontend.mop.config = {1, 100, nop, nop, nop, sfpnop, nop, sfpnop, sfpnop};
  frontend.push(mop, 0);
  unsigned cycles = 0;
  while (frontend.advance(GetParam()))
    ++cycles;
  EXPECT_TRUE(frontend.mop.is_expanding());
  EXPECT_EQ(frontend.words_held(), 8U + 2U);
  EXPECT_EQ(cycles, 10U);  // one word a cycle: the tenth is taken in with the tenth advance
  // Two of them are behind the Replay Expander. A recording swallows its words, so behind two words it is taken in and
  // two stay; behind three the third stands before it, and all five stay.
  const Word record = assemble(GetParam(), "REPLAY Load=1, Index=0, Count=1");
  const auto left = [&](const std::vector<Word>& words) {
    Frontend closed(*tensix::unit_timing(GetParam()), 1);
    for (const Word word : words)
      closed.push(word, 0);
    while (closed.advance(GetParam())) {
    }
    return closed.words_held();
  };
  EXPECT_EQ(left({nop, nop, record, nop}), 2U);
  EXPECT_EQ(left({nop, nop, nop, record, nop}), 5U);
}

TEST_P(FrontendTest, OnBlackholeAMopGivesItsPlaceBack) {
  // Ruling 9. Blackhole: the MOP's expansion holds no place, so 29 words fit behind it beside the ten that it filled
  // the FIFOs with. Wormhole: T0's 32 beside the ten.
  Frontend frontend(*tensix::unit_timing(GetParam()), 0);
  frontend.mop.config = {1, 100, nop, nop, nop, sfpnop, nop, sfpnop, sfpnop};
  frontend.push(mop, 0);
  unsigned pushed = 0;
  for (unsigned cycle = 0; cycle < 100; ++cycle) {
    frontend.advance(GetParam());
    if (!frontend.can_push()) continue;
    frontend.push(nop, 0);
    ++pushed;
  }
  EXPECT_EQ(pushed, is_blackhole() ? 29U : 32U);
  EXPECT_EQ(frontend.words_held(), pushed + 10U);
}

TEST_P(FrontendTest, BriscEntersBehindTheMopExpanderAndCannotUseIt) {  // C24
  // A BRISC word pushed in 0 passes the mux in 1, the Replay Expander in 2, the gate in 3: as a T core's does, but past
  // an expansion that keeps the expander busy. Here the MOP's second word meets it at the mux in cycle 2 and is lost.
  Scenario scenario = one_thread(GetParam(), 0, "MOP.Template1");
  scenario.mop_config = {{0, {1, 50, nop, nop, nop, sfpnop, nop, sfpnop, sfpnop}}};
  scenario.actions = {store(1, B, 0xFFE40000, assemble(GetParam(), "ttsempost 1"))};
  const Ran ran = simulate(scenario);
  EXPECT_EQ(ran.cycle_of(0, "SEMPOST"), 4U);
  EXPECT_EQ(ran.issues[0].size(), 50U);  // 49 of the MOP's 50
  // Its own MOP is expanded by nobody: the word reaches the gate.
  Scenario brisc_mop = three_threads(GetParam(), {"", "", ""});
  brisc_mop.actions = {store(0, B, 0xFFE50000, mop)};
  const Ran faulted = simulate(brisc_mop);
  EXPECT_EQ(faulted.outcome.kind, OutcomeKind::faulted);
  ASSERT_TRUE(faulted.outcome.fault.has_value());
  EXPECT_EQ(faulted.outcome.fault->category, tensix::Fault::Category::frontend_only);
  EXPECT_EQ(faulted.outcome.fault->thread, 1U);
}

TEST_P(FrontendTest, BriscsWordDisplacesTheThreadsInTheSameCycleAndThatIsReported) {  // C25
  // T0 pushes NOP, DMANOP, SFPNOP in 0, 1, 2; they are at the mux in 1, 2, 3. BRISC's word of cycle 1 is there in 2.
  Scenario scenario = one_thread(GetParam(), 0, "NOP\nDMANOP\nSFPNOP");
  scenario.semaphores[0] = {0, 1};
  scenario.actions = {store(1, B, 0xFFE40000, assemble(GetParam(), "ttsempost 1"))};
  const Ran ran = simulate(scenario);
  EXPECT_EQ(ran.words(0), (std::vector<Word>{nop, assemble(GetParam(), "ttsempost 1"), sfpnop}));
  ASSERT_EQ(ran.outcome.reports.size(), 1U);
  EXPECT_EQ(ran.outcome.reports[0].category, Report::Category::mux_drop);
  EXPECT_EQ(ran.outcome.reports[0].thread, 0U);
  EXPECT_EQ(ran.outcome.reports[0].entry.word >> 24U, 0x60U);  // the DMANOP
  // In a cycle in which T0 has nothing at the mux nothing is lost.
  scenario.actions = {store(5, B, 0xFFE40000, assemble(GetParam(), "ttsempost 1"))};
  EXPECT_EQ(simulate(scenario).issues[0].size(), 4U);
  EXPECT_TRUE(simulate(scenario).outcome.reports.empty());
  // Nor on another thread.
  scenario.actions = {store(1, B, 0xFFE50000, assemble(GetParam(), "ttsempost 1"))};
  EXPECT_TRUE(simulate(scenario).outcome.reports.empty());
}

TEST_P(FrontendTest, WithTheReplayFifoFullNeitherSidePassesAndNothingIsLost) {
  // Ruling 10. The gate is closed; the ten places behind the mux are full when BRISC's word comes.
  Frontend frontend(*tensix::unit_timing(GetParam()), 0);
  for (unsigned cycle = 0; cycle < 60; ++cycle) {
    frontend.advance(GetParam());
    if (frontend.can_push()) frontend.push(nop, 0);
  }
  const unsigned held = frontend.words_held();
  frontend.push_from_brisc(sfpnop, 0);
  for (unsigned cycle = 0; cycle < 10; ++cycle)
    frontend.advance(GetParam());
  EXPECT_FALSE(frontend.can_push_from_brisc());
  EXPECT_EQ(frontend.words_held(), held);
  EXPECT_FALSE(frontend.has_notes());
}

}  // namespace
}  // namespace tensim::test
