// SEMWAIT's conditions, and who can end the wait (W33-W37). Word n of a thread is at its gate in cycle 3+n. A change made
// in cycle t is seen in t+1, and what the wait held passes in t+2 (ruling 3).
#include "tests/support/three_threads.hpp"

namespace tensim::test {
namespace {

class Semwait : public BothArchs {};
TENSIM_BOTH_ARCHS(Semwait);

using scenario::SemaphoreState;

/// T0 waits with `wait` and has SFPNOP behind it; T1 issues `change` in cycle 13. Cycles of T0.
Cycles cycles_with(Arch arch, const std::map<unsigned, SemaphoreState>& semaphores, const std::string& wait,
                   const std::string& change) {
  Scenario scenario = three_threads(arch, {wait + "\nSFPNOP", repeat(10, "NOP") + change, ""});
  scenario.semaphores = semaphores;
  return simulate(scenario).cycles(0);
}

const Cycles at_once{3, 5};
const Cycles after_the_change{3, 15};
const Cycles never{3};

TEST_P(Semwait, Condition0WaitsWhileAnySelectedValueIsZero) {  // W33
  const std::string wait = "ttsemwait 256,0x06,1";             // semaphores 1 and 2
  EXPECT_EQ(cycles_with(GetParam(), {{1, {1, 0}}, {2, {7, 0}}}, wait, "NOP"), at_once);
  EXPECT_EQ(cycles_with(GetParam(), {{1, {0, 5}}, {2, {7, 5}}}, wait, "NOP"), never);
  EXPECT_EQ(cycles_with(GetParam(), {{1, {7, 5}}, {2, {0, 5}}}, wait, "NOP"), never);
  EXPECT_EQ(cycles_with(GetParam(), {{1, {0, 5}}, {2, {7, 5}}}, wait, "ttsempost 0x02"), after_the_change);
  EXPECT_EQ(cycles_with(GetParam(), {{1, {0, 5}}, {2, {0, 5}}}, wait, "ttsempost 0x02"), never);
  EXPECT_EQ(cycles_with(GetParam(), {{1, {0, 5}}, {2, {0, 5}}}, wait, "ttsempost 0x06"), after_the_change);
  // Those that are not selected do not matter: 0, and 3 to 7, are zero throughout.
}

TEST_P(Semwait, Condition1WaitsWhileAnySelectedValueIsAtOrAboveItsMaximum) {  // W34
  const std::string wait = "ttsemwait 256,0x06,2";
  EXPECT_EQ(cycles_with(GetParam(), {{1, {1, 2}}, {2, {0, 1}}}, wait, "NOP"), at_once);
  EXPECT_EQ(cycles_with(GetParam(), {{1, {2, 2}}, {2, {0, 1}}}, wait, "NOP"), never);
  EXPECT_EQ(cycles_with(GetParam(), {{1, {0, 2}}, {2, {1, 1}}}, wait, "NOP"), never);
  EXPECT_EQ(cycles_with(GetParam(), {{1, {0, 0}}, {2, {0, 1}}}, wait, "NOP"), never);  // 0 of 0 is full
  EXPECT_EQ(cycles_with(GetParam(), {{1, {2, 2}}, {2, {0, 1}}}, wait, "ttsemget 0x02"), after_the_change);
  // Above the maximum (posts do not stop there): at 4 of 2 one get is not enough, and 3 == 2 would be no test.
  EXPECT_EQ(cycles_with(GetParam(), {{1, {4, 2}}, {2, {0, 1}}}, wait, "ttsemget 0x02"), never);
  EXPECT_EQ(cycles_with(GetParam(), {{1, {4, 2}}, {2, {0, 1}}}, wait, "ttsemget 2\nttsemget 2\nttsemget 2"),
            (Cycles{3, 17}));  // gets 13, 14, 15: below 2 in 16
}

TEST_P(Semwait, BothConditionsAndSeveralSemaphoresTogether) {  // W35
  const std::string wait = "ttsemwait 256,0x81,3";             // 0 and 7, neither empty nor full
  EXPECT_EQ(cycles_with(GetParam(), {{0, {1, 2}}, {7, {3, 4}}}, wait, "NOP"), at_once);
  for (const auto& [zero, seven] :
       {std::pair{SemaphoreState{0, 2}, SemaphoreState{3, 4}}, std::pair{SemaphoreState{2, 2}, SemaphoreState{3, 4}},
        std::pair{SemaphoreState{1, 2}, SemaphoreState{0, 4}}, std::pair{SemaphoreState{1, 2}, SemaphoreState{4, 4}}})
    EXPECT_EQ(cycles_with(GetParam(), {{0, zero}, {7, seven}}, wait, "NOP"), never);
  // 0 is empty and 7 is full: a post of 0 alone, or a get of 7 alone, is not enough.
  const std::map<unsigned, SemaphoreState> both{{0, {0, 2}}, {7, {4, 4}}};
  EXPECT_EQ(cycles_with(GetParam(), both, wait, "ttsempost 0x01"), never);
  EXPECT_EQ(cycles_with(GetParam(), both, wait, "ttsemget 0x80"), never);
  EXPECT_EQ(cycles_with(GetParam(), both, wait, "ttsempost 0x01\nttsemget 0x80"), (Cycles{3, 16}));
}

TEST_P(Semwait, SeminitSempostAndSemgetOfAnyThreadAndAWindowStoreEndIt) {  // W37, U14
  struct Case {
    SemaphoreState state;
    const char* condition;
    const char* change;
    std::uint32_t stored;
  };
  for (const Case& test : {Case{{0, 2}, "1", "ttsempost 2", 0}, Case{{0, 2}, "1", "ttseminit 2,1,2", 0},
                           Case{{2, 2}, "2", "ttsemget 2", 1}, Case{{2, 2}, "2", "ttseminit 3,2,2", 1}}) {
    const std::string wait = std::string("ttsemwait 256,2,") + test.condition + "\nSFPNOP";
    for (unsigned thread = 1; thread < 3; ++thread) {
      std::array<std::string, 3> programs{wait, "", ""};
      programs[thread] = repeat(10, "NOP") + test.change;
      Scenario scenario = three_threads(GetParam(), programs);
      scenario.semaphores[1] = test.state;
      EXPECT_EQ(simulate(scenario).cycles(0), after_the_change) << test.change;
    }
    // Its own thread, with an instruction that the mask does not catch: SEMWAIT 3, the change 4, SFPNOP 6.
    Scenario own =
        one_thread(GetParam(), 0, std::string("ttsemwait 256,2,") + test.condition + "\n" + test.change + "\nSFPNOP");
    own.semaphores[1] = test.state;
    EXPECT_EQ(simulate(own).cycles(0), (Cycles{3, 4, 6})) << test.change;
    // A core's store of cycle 12 reaches the Sync Unit in 13.
    for (const CoreBit core : {T0, T1, T2}) {
      Scenario scenario = one_thread(GetParam(), 0, wait);
      scenario.semaphores[1] = test.state;
      scenario.actions = {store(12, core, 0xFFE80020 + 4, test.stored)};
      EXPECT_EQ(simulate(scenario).cycles(0), after_the_change);
    }
  }
}

}  // namespace
}  // namespace tensim::test
