// Semaphores as Tensix instructions see them (checklist U and P). Word n of a thread is at its gate in cycle 3+n.
#include "report/conditions.hpp"
#include "tensix/fill.hpp"
#include "tests/support/three_threads.hpp"

namespace tensim::test {
namespace {

class Semaphore : public BothArchs {};
TENSIM_BOTH_ARCHS(Semaphore);

TEST_P(Semaphore, ThereAreEightOfFourBitsValueAndFourBitsMax) {  // U1
  // Semaphore i gets value 15 - i and maximum 8 + i, each from one SEMINIT.
  std::string program;
  for (unsigned i = 0; i < 8; ++i)
    program += "SEMINIT max=" + std::to_string(8 + i) + ", value=" + std::to_string(15 - i) +
               ", sem=" + std::to_string(1U << i) + "\n";
  const Ran ran = simulate(one_thread(GetParam(), 0, program));
  EXPECT_EQ(ran.state->sync.semaphores().size(), 8U);
  for (unsigned i = 0; i < 8; ++i) {
    EXPECT_EQ(ran.value(i), 15 - i);
    EXPECT_EQ(ran.max(i), 8 + i);
  }
}

TEST_P(Semaphore, SeminitSetsValueAndMaxOfEverySelectedOne) {
  // Errata 7. 0xA3: Max in 23:20, Value in 19:16, mask in 9:2: max 9, value 5, semaphores 0, 3, 7.
  const Ran ran = simulate(one_thread(GetParam(), 2, ".word 0xA3950224"));
  for (unsigned i = 0; i < 8; ++i) {
    const bool selected = i == 0 || i == 3 || i == 7;
    EXPECT_EQ(ran.value(i), selected ? 5U : 0U) << i;
    EXPECT_EQ(ran.max(i), selected ? 9U : 0U) << i;
  }
}

TEST_P(Semaphore, SempostStopsAt15AndDoesNotLookAtMax) {                          // P3
  Scenario scenario = one_thread(GetParam(), 0, repeat(20, ".word 0xA4000008"));  // mask 0x02
  scenario.semaphores[1] = {.value = 0, .max = 2};
  const Ran ran = simulate(scenario);
  EXPECT_EQ(ran.value(1), 15U);
  EXPECT_EQ(ran.max(1), 2U);
  EXPECT_EQ(ran.value(0) + ran.value(2), 0U);
  EXPECT_EQ(ran.cycles(0).back(), 3U + 19U);  // a post at 15 does not wait either
  EXPECT_TRUE(ran.reported(Report::Category::semaphore_limit));
  const Ran three = simulate(one_thread(GetParam(), 0, repeat(3, "ttsempost 2")));
  EXPECT_EQ(three.value(1), 3U);
  EXPECT_FALSE(three.reported(Report::Category::semaphore_limit));
}

TEST_P(Semaphore, SemgetStopsAt0) {  // P4
  Scenario scenario = one_thread(GetParam(), 0, repeat(5, ".word 0xA5000008"));
  scenario.semaphores[1] = {.value = 3, .max = 2};
  const Ran ran = simulate(scenario);
  EXPECT_EQ(ran.value(1), 0U);
  EXPECT_EQ(ran.max(1), 2U);
  EXPECT_EQ(ran.cycles(0), (Cycles{3, 4, 5, 6, 7}));
  EXPECT_TRUE(ran.reported(Report::Category::semaphore_limit));
  scenario.semaphores[1].value = 9;
  EXPECT_EQ(simulate(scenario).value(1), 4U);
}

TEST_P(Semaphore, SemwaitLatchesAndLeavesTheSemaphoreAlone) {  // P5
  // 0xA6, block 0x100, mask 0x02, condition 1: SFPNOP is held, NOP is not.
  Scenario scenario = one_thread(GetParam(), 0, ".word 0xA6800009\nNOP\nSFPNOP");
  scenario.semaphores[1] = {.value = 0, .max = 1};
  const Ran ran = simulate(scenario);
  EXPECT_TRUE(ran.deadlocked());
  EXPECT_EQ(ran.cycles(0), (Cycles{3, 4}));
  EXPECT_TRUE(ran.state->gates.latches[0].is_valid());
  EXPECT_EQ(ran.value(1), 0U);
}

TEST_P(Semaphore, TheGroupTakesOneOperationPerCycleFromAllThreads) {  // U2
  // Two threads present in 3: T0 passes (round-robin from T0), T1 in 4.
  std::vector<std::string> group{"ttseminit 1,0,2", "ttsempost 1", "ttsemget 1", "ttstallwait 64,1",
                                 "ttsemwait 64,4,2"};
  if (GetParam() == Arch::blackhole) group.emplace_back("ttstreamwait 64,0,0,0");
  for (const std::string& first : group)
    for (const std::string& second : group) {
      const Ran ran = simulate(GetParam(), {first, second, "NOP"});
      EXPECT_EQ(ran.cycles(0), (Cycles{3})) << first << " against " << second;
      EXPECT_EQ(ran.cycles(1), (Cycles{4})) << first << " against " << second;
      EXPECT_EQ(ran.stall_in(1, 3), Stall::semaphore_group);
      EXPECT_EQ(ran.cycles(2), (Cycles{3}));
    }
  // Three threads at one a cycle: nobody starves, T0 3, 6, 9; T1 4, 7, 10; T2 5, 8, 11.
  const Ran three =
      simulate(GetParam(), {repeat(3, "ttsempost 1"), repeat(3, "ttsempost 1"), repeat(3, "ttsempost 1")});
  EXPECT_EQ(three.cycles(0), (Cycles{3, 6, 9}));
  EXPECT_EQ(three.cycles(1), (Cycles{4, 7, 10}));
  EXPECT_EQ(three.cycles(2), (Cycles{5, 8, 11}));
  EXPECT_EQ(three.value(0), 9U);
}

TEST_P(Semaphore, EachOperationTakesOneCycle) {  // U5
  // Back to back they issue every cycle: SEMINIT 3, SEMPOST 4, SEMGET 5.
  EXPECT_EQ(cycles_of(GetParam(), "ttseminit 1,0,1\nttsempost 1\nttsemget 1\nttseminit 2,0,1"), (Cycles{3, 4, 5, 6}));
  // What they do is there in the next cycle. T0: SEMWAIT 3, latched for 4. T1: SEMPOST 3, seen in 4: latch gone for 5.
  // (T1's SEMPOST goes first: it stands at its gate in 3, T0's wait comes a cycle later.)
  Scenario scenario = three_threads(GetParam(), {"NOP\nttsemwait 256,1,1\nSFPNOP", "NOP\nNOP\nttsempost 1", ""});
  scenario.semaphores[0] = {.value = 0, .max = 1};
  // T0: NOP 3, SEMWAIT 4. T1: SEMPOST 5. In 5 the value is still 0; in 6 it is 1, the latch is gone for 7.
  const Ran posted = simulate(scenario);
  EXPECT_EQ(posted.cycles(0), (Cycles{3, 4, 7}));
  EXPECT_EQ(posted.cycle_of(1, "SEMPOST"), 5U);
  // The latch of a STALLWAIT or SEMWAIT is there in the next cycle, too: a caught follower never passes right behind.
  EXPECT_EQ(cycles_of(GetParam(), "ttstallwait 256,1\nSFPNOP"), (Cycles{3, 5}));
  Scenario met = one_thread(GetParam(), 0, "ttsemwait 256,1,1\nSFPNOP");
  met.semaphores[0] = {.value = 1, .max = 1};
  EXPECT_EQ(simulate(met).cycles(0), (Cycles{3, 5}));
}

TEST(SemaphoreBlackhole, StreamwaitHoldsUntilTheStreamHasCountedThatFar) {  // U5 W3
  // STREAMWAIT 3, latched for 4; its condition is met from the start, so SFPNOP is held in 4 and passes in 5.
  EXPECT_EQ(cycles_of(Arch::blackhole, "ttstreamwait 256,0,0,0\nSFPNOP"), (Cycles{3, 5}));
  // Stream 9 by STREAM_ID_SYNC_SEC1; 1029 messages are 1 in NUM_MSGS_HI and 5 in the instruction.
  Scenario scenario = one_thread(Arch::blackhole, 0, "ttstreamwait 256,5,1,1\nSFPNOP");
  scenario.thread_config = {{0, 60, 9}, {0, 58, 1}};
  scenario.streams[9] = {.phase = 0, .messages = 1029};
  EXPECT_EQ(simulate(scenario).cycles(0), (Cycles{3, 5}));
  scenario.streams[9].messages = 1028;
  const Ran ran = simulate(scenario);
  EXPECT_TRUE(ran.deadlocked());
  ASSERT_EQ(ran.outcome.graph.agents.size(), 1U);
  EXPECT_EQ(report::text_of(Arch::blackhole, ran.outcome.graph.agents[0].unmet[0].condition).what,
            "stream 9: messages received must reach 1029");
}

TEST_P(Semaphore, AWaitOnlyMovesIntoTheGateOfItsThread) {  // U6
  // STALLWAIT and SEMWAIT issue at once though their conditions are unmet, and the Sync Unit serves T1 in the very next
  // cycle: they do not stay there.
  Scenario scenario =
      three_threads(GetParam(), {"ttsemwait 256,1,1", "ttstallwait 256,SRCA_VLD", repeat(4, "ttsempost 2")});
  const Ran ran = simulate(scenario);
  EXPECT_EQ(ran.cycles(0), (Cycles{3}));
  EXPECT_EQ(ran.cycles(1), (Cycles{4}));
  EXPECT_EQ(ran.cycles(2), (Cycles{5, 6, 7, 8}));
  EXPECT_EQ(ran.state->gates.latches[0].kind, tensix::LatchedWait::Kind::semaphore);
  EXPECT_EQ(ran.state->gates.latches[1].kind, tensix::LatchedWait::Kind::stall);
  EXPECT_FALSE(ran.state->gates.latches[2].is_valid());
  EXPECT_TRUE(ran.finished());  // with nothing behind the waits (ruling 11)
  EXPECT_TRUE(ran.outcome.threads[0].wait_left);
}

TEST_P(Semaphore, TheGateLooksAtItsLatchInEveryCycle) {  // U7
  // SEMWAIT while zero, 3. The semaphore is 1 in exactly one cycle: SEMPOST 10, SEMGET 11, so it is 1 in 11 only. That
  // is enough: the latch is gone for 12.
  Scenario scenario =
      three_threads(GetParam(), {"ttsemwait 256,1,1\nSFPNOP", repeat(7, "NOP") + "ttsempost 1\nttsemget 1", ""});
  scenario.semaphores[0] = {.value = 0, .max = 1};
  const Ran ran = simulate(scenario);
  EXPECT_EQ(ran.cycle_of(1, "SEMPOST"), 10U);
  EXPECT_EQ(ran.cycle_of(1, "SEMGET"), 11U);
  EXPECT_EQ(ran.cycles(0), (Cycles{3, 12}));
  EXPECT_EQ(ran.value(0), 0U);
}

TEST_P(Semaphore, NoInstructionWaitsAndThenModifies) {  // U8
  // SEMGET at 0 and SEMPOST at the maximum pass at once; SEMWAIT changes nothing. So wait and get are two instructions,
  // and another thread's get fits between: two threads wait for one post, and both proceed.
  EXPECT_EQ(cycles_of(GetParam(), "ttsemget 1\nNOP"), (Cycles{3, 4}));
  const std::string consumer = "ttsemwait 2,1,1\nttsemget 1\nNOP";
  Scenario scenario = three_threads(GetParam(), {consumer, consumer, repeat(10, "NOP") + "ttsempost 1"});
  scenario.semaphores[0] = {.value = 0, .max = 1};
  const Ran ran = simulate(scenario);
  EXPECT_TRUE(ran.finished());
  EXPECT_EQ(ran.value(0), 0U);
  // SEMPOST 13: both latches are gone for 15; the gets go in 15 and 16.
  EXPECT_EQ(ran.cycle_of(2, "SEMPOST"), 13U);
  EXPECT_EQ(ran.cycle_of(0, "SEMGET") + ran.cycle_of(1, "SEMGET"), 15U + 16U);
}

TEST_P(Semaphore, AMaskOfSeveralChangesAllOfThemInOneCycle) {  // U13
  // T1 changes semaphores 0 and 7 together; T0 waits while any is zero. Had they changed one by one the wait would end
  // later: SEMPOST 5, both 1 in 6, latch gone for 7.
  Scenario scenario = three_threads(GetParam(), {"ttsemwait 256,0x81,1\nSFPNOP", "NOP\nNOP\nttsempost 0x81", ""});
  const Ran posted = simulate(scenario);
  EXPECT_EQ(posted.cycles(0), (Cycles{3, 7}));
  EXPECT_EQ(posted.value(0), 1U);
  EXPECT_EQ(posted.value(7), 1U);
  const Ran all = simulate(one_thread(GetParam(), 0, "ttseminit 3,2,0xff\nttsemget 0x0f\nttsempost 0xc0"));
  EXPECT_EQ(all.cycles(0), (Cycles{3, 4, 5}));
  for (unsigned i = 0; i < 8; ++i) {
    EXPECT_EQ(all.value(i), i < 4 ? 1U : i < 6 ? 2U : 3U);
    EXPECT_EQ(all.max(i), 3U);
  }
}

TEST_P(Semaphore, StallwaitOnSyncDelaysSemaphoreOperations) {  // U16
  // MVMUL 3, in the Matrix Unit 3 to 7. STALLWAIT 4; the follower is held while MATH holds, that is in 5 to 7, and
  // once more in 8, in which the latch goes: 9. Without the STALLWAIT it would pass in 4.
  for (const char* instruction : {"ttseminit 3,1,1", "ttsempost 1", "ttsemget 1"}) {
    Scenario scenario =
        one_thread(GetParam(), 0, std::string("MVMUL DstRow=0\nSTALLWAIT block=STALL_SYNC, cond=MATH\n") + instruction);
    scenario.src_a_valid = scenario.src_b_valid = true;
    EXPECT_EQ(simulate(scenario).cycles(0), (Cycles{3, 4, 9})) << instruction;
  }
}

TEST_P(Semaphore, OperationsAreAttributedToTheirThread) {  // U17
  for (unsigned thread = 0; thread < 3; ++thread) {
    // Mutex owner and latch.
    const Ran ran = simulate(one_thread(GetParam(), thread, "ttatgetm 2\nttsemwait 256,1,1"));
    EXPECT_EQ(ran.owner(2), static_cast<int>(thread));
    for (unsigned other = 0; other < 3; ++other)
      EXPECT_EQ(ran.state->gates.latches[other].is_valid(), other == thread);
    // Conditions: the FPU is busy with another thread's MVMUL (3 to 7), which is none of this thread's business.
    std::array<std::string, 3> programs;
    programs[thread] = "STALLWAIT block=STALL_SFPU, cond=MATH\nSFPNOP";
    programs[(thread + 1) % 3] = "MVMUL DstRow=0";
    Scenario scenario = three_threads(GetParam(), programs);
    scenario.src_a_valid = scenario.src_b_valid = true;
    EXPECT_EQ(simulate(scenario).cycles(thread), (Cycles{3, 5}));
  }
}

TEST(SemaphoreStates, AreThoseOfTheSemaphores) {  // W33, W34
  tensix::SyncUnit sync;
  std::uint64_t random = 1;
  const auto pick = [&](unsigned bound) { return static_cast<std::uint8_t>(tensix::splitmix64(random) % bound); };
  for (unsigned i = 0; i < 5000; ++i) {
    switch (pick(4)) {
      case 0: sync.init(pick(255), pick(16), pick(16)); break;
      case 1: sync.set_semaphore(pick(8), {pick(16), pick(16)}); break;
      case 2: sync.post(pick(255)); break;
      default: sync.get(pick(255));
    }
    for (unsigned index = 0; index < 8; ++index) {
      const auto [value, max] = sync.semaphores()[index];
      const unsigned mask = 1U << index;
      EXPECT_EQ(sync.keeps_waiting(tensix::awaited_states(mask, 1)), value == 0);
      EXPECT_EQ(sync.keeps_waiting(tensix::awaited_states(mask, 2)), value >= max);
      EXPECT_EQ(sync.keeps_waiting(tensix::awaited_states(mask, 3)), value == 0 || value >= max);
    }
  }
}

}  // namespace
}  // namespace tensim::test
