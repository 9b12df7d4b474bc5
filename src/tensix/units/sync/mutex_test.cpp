// Mutexes: ATGETM and ATRELM (checklist M). A word pushed in cycle t issues in t+3 at the earliest, so the n-th word of
// a thread (counting from 0) is at its gate in cycle 3+n.
#include "arch/address_map.hpp"
#include "arch/mutexes.hpp"
#include "tests/support/core_accesses.hpp"

namespace tensim::test {
namespace {

class Mutex : public BothArchs {};
TENSIM_BOTH_ARCHS(Mutex);

/// A program on thread i, another on i+1, a third on i+2.
std::array<std::string, 3> rotated(unsigned i, const std::string& first, const std::string& second,
                                   const std::string& third) {
  std::array<std::string, 3> programs;
  programs[i] = first;
  programs[(i + 1) % 3] = second;
  programs[(i + 2) % 3] = third;
  return programs;
}

TEST_P(Mutex, EveryMutexIsHeldByNobodyOrByOneThread) {  // M1, M12
  for (const Symbol& mutex : mutexes(GetParam()).symbols)
    for (unsigned thread = 0; thread < 3; ++thread) {
      const std::string index = std::to_string(mutex.value);
      const Ran taken = simulate(one_thread(GetParam(), thread, "ttatgetm " + index));
      EXPECT_TRUE(taken.finished());
      for (const Symbol& other : mutexes(GetParam()).symbols)
        EXPECT_EQ(taken.owner(other.value), other.value == mutex.value ? static_cast<int>(thread) : -1);
      const Ran given_back = simulate(one_thread(GetParam(), thread, "ttatgetm " + index + "\nttatrelm " + index));
      EXPECT_EQ(given_back.owner(mutex.value), -1);
    }
}

TEST_P(Mutex, AllAreFreeAtPowerOn) {  // M5
  const Coprocessor fresh(GetParam());
  for (const std::uint8_t owner : fresh.sync.mutex_owner)
    EXPECT_EQ(owner, tensix::SyncUnit::nobody);
}

/// Indices that do not exist: 1, and everything above 4 or 7. 8 and 0x100 would be 0 if only low bits counted (errata 3).
std::vector<std::string> invalid_indices(Arch arch) {
  std::vector<std::string> indices{"1", "8", "9", "0x100", "0xffff"};
  if (arch == Arch::blackhole) indices.insert(indices.end(), {"5", "6", "7"});
  return indices;
}

void expect_stuck_for_ever(Arch arch, unsigned thread, const std::string& instruction) {
  const Ran ran = simulate(one_thread(arch, thread, "NOP\n" + instruction + "\nNOP"));
  EXPECT_TRUE(ran.deadlocked()) << instruction;
  EXPECT_EQ(ran.cycles(thread), (Cycles{3})) << instruction;  // neither it nor what follows
  ASSERT_EQ(ran.outcome.graph.agents.size(), 1U) << instruction;
  EXPECT_EQ(ran.outcome.graph.agents[0].thread, thread);
  EXPECT_EQ(ran.outcome.graph.agents[0].stall, Stall::mutex_invalid);
  EXPECT_TRUE(ran.outcome.graph.agents[0].for_ever);
}

TEST_P(Mutex, AcquireOfAnInvalidIndexStallsTheThreadForEver) {  // M8
  for (unsigned thread = 0; thread < 3; ++thread)
    for (const std::string& index : invalid_indices(GetParam()))
      expect_stuck_for_ever(GetParam(), thread, "ttatgetm " + index);
}

TEST_P(Mutex, ReleaseOfAnInvalidIndexStallsTheThreadForEver) {  // M9
  for (unsigned thread = 0; thread < 3; ++thread)
    for (const std::string& index : invalid_indices(GetParam()))
      expect_stuck_for_ever(GetParam(), thread, "ttatrelm " + index);
}

TEST_P(Mutex, BitsAboveTheIndexAreIgnoredAndReported) {
  // Errata 3: the index is bits 15:0; 23:16 mean nothing.
  const Ran ran = simulate(one_thread(GetParam(), 0, ".word 0xA0050002"));
  EXPECT_TRUE(ran.finished());
  EXPECT_EQ(ran.owner(2), 0);
  EXPECT_TRUE(ran.reported(Report::Category::unused_bits));
}

TEST_P(Mutex, AWaitingThreadPassesNothingWhileTheOthersRunOn) {  // M10, M13, M18
  // T0: ATGETM 3, NOP 4 to 13, ATRELM 14. T1: NOP 3, ATGETM at the gate from 4 on, held until the mutex is free in 15;
  // its NOPs behind follow in 16, 17. T2 issues every cycle meanwhile.
  const Ran ran = simulate(
      GetParam(), {"ttatgetm 0\n" + repeat(10, "NOP") + "ttatrelm 0", "NOP\nttatgetm 0\nNOP\nNOP", repeat(12, "NOP")});
  EXPECT_TRUE(ran.finished());
  EXPECT_EQ(ran.cycle_of(0, "ATRELM"), 14U);
  EXPECT_EQ(ran.cycles(1), (Cycles{3, 15, 16, 17}));
  for (Cycle cycle = 4; cycle < 15; ++cycle)
    EXPECT_EQ(ran.stall_in(1, cycle), Stall::mutex_held) << cycle;
  EXPECT_EQ(ran.cycles(2), (Cycles{3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14}));
  EXPECT_EQ(ran.owner(0), 1);
}

TEST_P(Mutex, AcquireOfAnOwnMutexSucceedsAndOneReleaseFreesIt) {  // M14, M15, M20
  // T0: ATGETM 3, 4, 5 (each takes its one cycle), ATRELM 6. T1: ATGETM held 4 to 6, passes in 7.
  const Ran ran = simulate(GetParam(), {"ttatgetm 0\nttatgetm 0\nttatgetm 0\nttatrelm 0", "NOP\nttatgetm 0", ""});
  EXPECT_EQ(ran.cycles(0), (Cycles{3, 4, 5, 6}));
  EXPECT_EQ(ran.cycles(1), (Cycles{3, 7}));
  EXPECT_EQ(ran.owner(0), 1);
}

TEST_P(Mutex, ReleaseByAnotherThreadCompletesAndChangesNothing) {  // M16
  // T1's ATRELM passes in 5 although T0 holds the mutex from 4 on; so does a release of a free one.
  const Ran ran = simulate(GetParam(), {"ttatgetm 0", "NOP\nNOP\nttatrelm 0\nNOP", "ttatrelm 2"});
  EXPECT_TRUE(ran.finished());
  EXPECT_EQ(ran.cycles(1), (Cycles{3, 4, 5, 6}));
  EXPECT_EQ(ran.owner(0), 0);
  EXPECT_EQ(ran.owner(2), -1);
  EXPECT_TRUE(ran.reported(Report::Category::foreign_release));
}

TEST_P(Mutex, ReleaseWithBothOthersWaitingGivesItToTheNextThread) {  // M17
  // Thread i: ATGETM 3, NOP 4 to 13, ATRELM 14. The others wait from 4 on. i+1 takes it in 15 and releases it in 16;
  // i+2 takes it in 17.
  for (unsigned i = 0; i < 3; ++i) {
    const std::string waiter = "NOP\nttatgetm 3\nttatrelm 3";
    const Ran ran = simulate(GetParam(), rotated(i, "ttatgetm 3\n" + repeat(10, "NOP") + "ttatrelm 3", waiter, waiter));
    EXPECT_EQ(ran.cycle_of(i, "ATRELM"), 14U);
    EXPECT_EQ(ran.cycles((i + 1) % 3), (Cycles{3, 15, 16})) << i;
    EXPECT_EQ(ran.cycles((i + 2) % 3), (Cycles{3, 17, 18})) << i;
  }
}

TEST_P(Mutex, OfSimultaneousAcquiresTheOneAfterTheLastReleaserWins) {  // M19
  // At reset as if T2 had released last (ruling 6): T0 in 3, released in 4; T1 in 5, 6; T2 in 7, 8.
  const std::string program = "ttatgetm 0\nttatrelm 0";
  const Ran ran = simulate(GetParam(), {program, program, program});
  EXPECT_EQ(ran.cycles(0), (Cycles{3, 4}));
  EXPECT_EQ(ran.cycles(1), (Cycles{5, 6}));
  EXPECT_EQ(ran.cycles(2), (Cycles{7, 8}));
  // T0 has released last when T1 and T2 (and T0 again) come in 6: T1, T2, T0.
  const Ran again =
      simulate(GetParam(), {"ttatgetm 0\nttatrelm 0\nNOP\nttatgetm 0\nttatrelm 0",
                            "NOP\nNOP\nNOP\nttatgetm 0\nttatrelm 0", "NOP\nNOP\nNOP\nttatgetm 0\nttatrelm 0"});
  EXPECT_EQ(again.cycle_of(1, "ATGETM"), 6U);
  EXPECT_EQ(again.cycle_of(2, "ATGETM"), 8U);
  EXPECT_EQ(again.cycle_of(0, "ATGETM", 1), 10U);
}

TEST_P(Mutex, ThreeDifferentMutexesAreServedInOneCycle) {  // M21
  const Ran ran = simulate(GetParam(), {"ttatgetm 0\nttatrelm 0", "ttatgetm 2\nttatrelm 2", "ttatgetm 3\nttatrelm 3"});
  for (unsigned thread = 0; thread < 3; ++thread)
    EXPECT_EQ(ran.cycles(thread), (Cycles{3, 4})) << thread;
}

TEST_P(Mutex, ContentionForOneMutexCostsUpToTwoCycles) {  // M22
  // One operation per mutex and cycle. Releases of a free mutex do nothing but take their turn: 3, 4, 5.
  const Ran ran = simulate(GetParam(), {"ttatrelm 0", "ttatrelm 0", "ttatrelm 0"});
  EXPECT_EQ(ran.cycles(0), (Cycles{3}));
  EXPECT_EQ(ran.cycles(1), (Cycles{4}));
  EXPECT_EQ(ran.cycles(2), (Cycles{5}));
  EXPECT_EQ(ran.held(2, Stall::mutex_contended), 2U);
}

TEST_P(Mutex, MutexOperationsRunBesideOneSemaphoreOperation) {  // M23
  const Ran ran =
      simulate(GetParam(), {"ttatgetm 0\nttatrelm 0", "ttatgetm 2\nttatrelm 2", "ttsempost 1\nttsempost 1"});
  for (unsigned thread = 0; thread < 3; ++thread)
    EXPECT_EQ(ran.cycles(thread), (Cycles{3, 4})) << thread;
  EXPECT_EQ(ran.value(0), 2U);
}

TEST_P(Mutex, NoAddressOfAnyCoreReachesAMutex) {  // M25
  for (const Region& region : address_map(GetParam())) {
    EXPECT_EQ(region.name.find("mutex"), std::string_view::npos) << region.name;
    // And no store changes one: a few words at each end of each region, by each core that sees it.
    if (region.name.find("instruction buffer") != std::string_view::npos) continue;  // instructions may, of course
    for (unsigned i = 0; i < tile::core_count; ++i) {
      const auto core = static_cast<CoreId>(i);
      if ((region.cores & bit(core)) == 0) continue;
      CoreAccesses cores(GetParam());
      cores.coprocessor.sync.acquire(0, 1);
      const auto before = cores.coprocessor.sync.mutex_owner;
      for (const std::uint32_t offset : {0U, 4U, 32U, 36U, region.size_bytes - 4})
        for (const std::uint32_t value : {0U, 1U, ~0U}) {
          cores.store(core, region.base + offset, value);
          cores.step();
        }
      EXPECT_EQ(cores.coprocessor.sync.mutex_owner, before) << region.name;
    }
  }
}

TEST_P(Mutex, BriscPushingAnAcquireMakesTheThreadTheOwner) {  // M27
  for (unsigned thread = 0; thread < 3; ++thread) {
    Scenario scenario = three_threads(GetParam(), {"", "", ""});
    scenario.actions = {store(0, B, 0xFFE40000 + thread * 0x10000, assemble(GetParam(), "ttatgetm 0"))};
    const Ran ran = simulate(scenario);
    EXPECT_TRUE(ran.finished());
    EXPECT_EQ(ran.owner(0), static_cast<int>(thread));
  }
}

}  // namespace
}  // namespace tensim::test
