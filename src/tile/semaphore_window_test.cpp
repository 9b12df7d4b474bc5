// The cores' window on the semaphores, and BRISC's other way, through the instruction buffers (U3, U4, U9-U12, U15,
// P7-P13).
#include "report/accesses.hpp"
#include "tests/support/core_accesses.hpp"

namespace tensim::test {
namespace {

class SemaphoreWindow : public BothArchs {};
TENSIM_BOTH_ARCHS(SemaphoreWindow);

constexpr std::uint32_t window = 0xFFE80020;
std::uint32_t read(CoreAccesses& cores, CoreId core, unsigned semaphore) {
  return cores.value(core, window + 4 * semaphore);
}

void write(CoreAccesses& cores, CoreId core, unsigned semaphore, std::uint32_t value) {
  EXPECT_TRUE(cores.store(core, window + 4 * semaphore, value).is_done());
  cores.step();  // the Sync Unit takes it
}

TEST_P(SemaphoreWindow, ALoadReturnsTheValueAndNeverTheMaximum) {  // U9
  CoreAccesses cores(GetParam());
  for (unsigned i = 0; i < 8; ++i)
    cores.coprocessor.sync.set_semaphore(i, {static_cast<std::uint8_t>(i), 15});
  for (const CoreId core : t_core_ids)
    for (unsigned i = 0; i < 8; ++i)
      EXPECT_EQ(read(cores, core, i), i);
}

TEST_P(SemaphoreWindow, AnOddStoreGetsAndStopsAtZero) {  // U10
  CoreAccesses cores(GetParam());
  cores.coprocessor.sync.set_semaphore(3, {2, 1});
  for (const unsigned expected : {1U, 0U, 0U, 0U}) {
    write(cores, CoreId::trisc1, 3, 1);
    EXPECT_EQ(cores.coprocessor.sync.semaphores()[3].value, expected);
  }
  EXPECT_EQ(cores.coprocessor.sync.semaphores()[3].max, 1U);
}

TEST_P(SemaphoreWindow, AnEvenStorePostsAndStopsAt15) {  // U11
  CoreAccesses cores(GetParam());
  cores.coprocessor.sync.set_semaphore(3, {13, 1});  // above its maximum, which does not matter
  for (const unsigned expected : {14U, 15U, 15U, 15U}) {
    write(cores, CoreId::trisc1, 3, 0);
    EXPECT_EQ(cores.coprocessor.sync.semaphores()[3].value, expected);
  }
}

TEST_P(SemaphoreWindow, OtherBitsOfTheDataAreIgnored) {  // U12
  CoreAccesses cores(GetParam());
  for (unsigned bit = 1; bit < 32; ++bit) {
    cores.coprocessor.sync.set_semaphore(0, {5, 7});
    write(cores, CoreId::trisc0, 0, 1U << bit);
    EXPECT_EQ(cores.coprocessor.sync.semaphores()[0], (tensix::Semaphore{6, 7})) << bit;
    write(cores, CoreId::trisc0, 0, 1U << bit | 1U);
    EXPECT_EQ(cores.coprocessor.sync.semaphores()[0], (tensix::Semaphore{5, 7})) << bit;
  }
}

TEST_P(SemaphoreWindow, AllThreeTCoresSeeOneStateAtOneAddress) {  // P7
  CoreAccesses cores(GetParam());
  for (unsigned i = 0; i < 8; ++i) {
    write(cores, t_core_ids[i % 3], i, 0);
    write(cores, t_core_ids[(i + 1) % 3], i, 0);
    for (const CoreId core : t_core_ids)
      EXPECT_EQ(read(cores, core, i), 2U);
    EXPECT_EQ(cores.coprocessor.sync.semaphores()[i].value, 2U);
  }
  // Eight words, no more.
  EXPECT_EQ(cores.load(CoreId::trisc0, window + 4 * 8).fault, AccessFault::no_register);
}

TEST_P(SemaphoreWindow, LoadsAreServedOnePerCoreAndCycleWhateverElseHappens) {  // U3
  // T0's thread posts semaphore 0 in every cycle from 3 to 12, T1's core stores to it once, and all three cores load it in
  // every cycle: each load is answered in its cycle, with what the cycles before it left, so they all see the same
  // sequence. Only T1 waits once, for its own store.
  CoreAccesses cores(GetParam());
  const Word post = assemble(GetParam(), "ttsempost 1");
  std::vector<std::uint32_t> seen;
  for (unsigned cycle = 0; cycle < 15; ++cycle) {
    const std::uint32_t value = read(cores, CoreId::trisc0, 0);
    if (cycle == 7)
      EXPECT_EQ(cores.load(CoreId::trisc1, window).wait, Wait::semaphore_store) << "behind its own store";
    else
      EXPECT_EQ(read(cores, CoreId::trisc1, 0), value);
    EXPECT_EQ(read(cores, CoreId::trisc2, 0), value);
    EXPECT_EQ(value, cores.coprocessor.sync.semaphores()[0].value) << cycle;
    seen.push_back(value);
    cores.coprocessor.step();
    if (cycle < 10) cores.coprocessor.push(0, post, 0);
    if (cycle == 6) cores.coprocessor.store_semaphore(static_cast<unsigned>(CoreId::trisc1), 0, 0);
  }
  EXPECT_EQ(seen,
            (std::vector<std::uint32_t>{0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}));  // no cycle was lost to loads
}

TEST_P(SemaphoreWindow, ALoadSeesASempostFromTheNextCycleOn) {  // U3
  // SEMPOST 3. T2's store of 3 is with the Sync Unit in 4: a load sees it from 5 on.
  Scenario scenario = one_thread(GetParam(), 0, "ttsempost 1");
  scenario.actions = {load(3, T0, window, 0), load(3, T1, window, 0), store(3, T2, window, 0), load(4, T0, window, 1),
                      load(4, T1, window, 1), load(5, T0, window, 2), load(5, T1, window, 2)};
  EXPECT_EQ(simulate(scenario).outcome.failed_expectations, std::vector<std::string>{});
}

TEST_P(SemaphoreWindow, ALoadWaitsForTheCoresOwnStore) {  // U4
  CoreAccesses cores(GetParam());
  EXPECT_TRUE(cores.store(CoreId::trisc1, window, 0).is_done());
  EXPECT_EQ(cores.load(CoreId::trisc1, window).wait, Wait::semaphore_store);
  EXPECT_EQ(cores.load(CoreId::trisc1, window + 4).wait, Wait::semaphore_store) << "one region, one order";
  EXPECT_EQ(read(cores, CoreId::trisc0, 0), 0U) << "it is not T0's";
  EXPECT_EQ(report::describe(Wait::semaphore_store, {.core = CoreId::trisc1, .address = window}),
            "TRISC1 loads from 0xffe80020: an earlier store to the semaphores has not been processed");
  cores.step();
  EXPECT_EQ(read(cores, CoreId::trisc1, 0), 1U);
}

TEST_P(SemaphoreWindow, StoresTakeTheGroupsSlot) {  // U4
  // T0 posts semaphore 1 from 3 on. A core's store of cycle 5 is with the Sync Unit in 6: T0 had 5, so the store has its
  // turn (T1 and T2 want nothing), and T0's next goes in 7.
  Scenario scenario = one_thread(GetParam(), 0, repeat(6, "ttsempost 2"));
  scenario.actions = {store(5, T2, window, 0)};
  const Ran ran = simulate(scenario);
  EXPECT_EQ(ran.cycles(0), (Cycles{3, 4, 5, 7, 8, 9}));
  EXPECT_EQ(ran.stall_in(0, 6), Stall::semaphore_group);
  EXPECT_EQ(ran.value(0), 1U);
  EXPECT_EQ(ran.value(1), 6U);
  // With all three threads at it, it is every fourth cycle's. 3, 4, 5 are T0, T1, T2; 6 the store; 7, 8, 9 T0, T1, T2.
  const std::string posts = repeat(2, "ttsempost 2");
  Scenario all = three_threads(GetParam(), {posts, posts, posts});
  all.actions = {store(2, T0, window, 0)};
  const Ran busy = simulate(all);
  EXPECT_EQ(busy.cycles(0), (Cycles{3, 7}));
  EXPECT_EQ(busy.cycles(1), (Cycles{4, 8}));
  EXPECT_EQ(busy.cycles(2), (Cycles{5, 9}));
  // Mutex operations and other units are not disturbed.
  Scenario other = three_threads(GetParam(), {repeat(6, "ttatgetm 0"), repeat(6, "NOP"), ""});
  other.actions = {store(5, T2, window, 0)};
  EXPECT_EQ(simulate(other).cycles(0), (Cycles{3, 4, 5, 6, 7, 8}));
}

TEST_P(SemaphoreWindow, APollingCoreSeesSeminitSempostAndSemget) {  // U15
  // T0's thread: SEMINIT to 5, SEMPOST, SEMPOST, SEMGET, apart enough for a poll every second cycle to see each value.
  const std::string program =
      "ttseminit 9,5,1\nNOP\nNOP\nttsempost 1\nNOP\nNOP\nttsempost 1\nNOP\nNOP\nttsemget 1\nNOP\nNOP";
  CoreAccesses cores(GetParam());
  const Scenario scenario = one_thread(GetParam(), 0, program);
  std::vector<std::uint32_t> changes{0};
  for (unsigned cycle = 0; cycle < 20; ++cycle) {
    const std::uint32_t value = cycle % 2 == 0 ? read(cores, CoreId::trisc2, 0) : changes.back();
    if (value != changes.back()) changes.push_back(value);
    cores.coprocessor.step();
    const auto& words = scenario.threads[0].words;
    if (cycle < words.size()) cores.coprocessor.push(0, words[cycle].word, 0);
  }
  EXPECT_EQ(changes, (std::vector<std::uint32_t>{0, 5, 6, 7, 6}));
}

TEST_P(SemaphoreWindow, ItBypassesTheInstructionFifo) {  // P8
  // T0's core pushes a SEMINIT behind a wait that only its own later window store ends: the store overtakes it.
  Scenario scenario = one_thread(GetParam(), 0, "ttsemwait 2,1,1\nttseminit 3,3,2\n" + repeat(10, "NOP"));
  scenario.actions = {store(20, T0, window, 0)};
  const Ran ran = simulate(scenario);
  EXPECT_TRUE(ran.finished());
  EXPECT_EQ(ran.cycle_of(0, "SEMINIT"), 23U);  // store with the unit 21, seen 22, latch gone for 23
  EXPECT_EQ(ran.value(0), 1U);
}

TEST_P(SemaphoreWindow, BriscReachesItsPcbufThere) {  // P9
  for (unsigned i = 0; i < 8; ++i) {
    CoreAccesses cores(GetParam());
    EXPECT_TRUE(cores.store(CoreId::brisc, window + 4 * i, 6).is_done());
    EXPECT_EQ(cores.value(CoreId::trisc0, 0xFFE80000), 6U);
    cores.coprocessor.step();
    for (const tensix::Semaphore& semaphore : cores.coprocessor.sync.semaphores())
      EXPECT_EQ(semaphore, tensix::Semaphore{});
  }
}

TEST_P(SemaphoreWindow, NcriscHasNothingThere) {  // P10
  for (unsigned i = 0; i < 8; ++i) {
    CoreAccesses cores(GetParam());
    EXPECT_EQ(cores.store(CoreId::ncrisc, window + 4 * i, 0).fault, AccessFault::unmapped);
    EXPECT_EQ(cores.load(CoreId::ncrisc, window + 4 * i).fault, AccessFault::unmapped);
    cores.step();
    EXPECT_EQ(cores.coprocessor.sync.semaphores()[i].value, 0U);
  }
}

/// BRISC pushes words to T0's frontend, eight cycles apart, from cycle 0 on.
Scenario pushed_by_brisc(Arch arch, const std::vector<Word>& words) {
  Scenario scenario = three_threads(arch, {"", "", ""});
  for (const Word word : words)
    scenario.actions.push_back(store(8 * scenario.actions.size(), B, 0xFFE40000, word));
  return scenario;
}

TEST_P(SemaphoreWindow, BriscsSeminitGoesThroughT0sFrontend) {  // P11
  for (unsigned id = 0; id < 8; ++id) {
    Scenario scenario = pushed_by_brisc(GetParam(), {0xA3100000U | 1U << (id + 2)});
    for (unsigned i = 0; i < 8; ++i)
      scenario.semaphores[i] = {.value = 9, .max = 9};
    const Ran ran = simulate(scenario);
    EXPECT_EQ(ran.cycles(0), (Cycles{3}));
    EXPECT_EQ(ran.words(0), (std::vector<Word>{0xA3100000U | 1U << (id + 2)}));
    for (unsigned i = 0; i < 8; ++i) {
      EXPECT_EQ(ran.value(i), i == id ? 0U : 9U);
      EXPECT_EQ(ran.max(i), i == id ? 1U : 9U);
    }
  }
}

TEST_P(SemaphoreWindow, HardwareInitialisesNothingAndFirmwareFourOfThem) {  // P12
  Coprocessor fresh(GetParam());
  for (unsigned cycle = 0; cycle < 100; ++cycle)
    fresh.step();
  for (const tensix::Semaphore& semaphore : fresh.sync.semaphores())
    EXPECT_EQ(semaphore, tensix::Semaphore{});
  // tt-metal's BRISC: MATH_PACK, UNPACK_TO_DEST, PACK_DONE, MATH_DONE. The seed lacks PACK_DONE.
  for (const std::vector<unsigned>& ids : {std::vector<unsigned>{1, 2, 4, 7}, std::vector<unsigned>{1, 2, 7}}) {
    std::vector<Word> words;
    for (const unsigned id : ids)
      words.push_back(0xA3100000U | 1U << (id + 2));
    const Ran ran = simulate(pushed_by_brisc(GetParam(), words));
    for (unsigned i = 0; i < 8; ++i) {
      EXPECT_EQ(ran.value(i), 0U);
      EXPECT_EQ(ran.max(i), std::ranges::count(ids, i));
    }
  }
}

TEST_P(SemaphoreWindow, BriscMayPushAnySemaphoreInstructionAtAnyTime) {  // P13
  // While T0's own core pushes, too, but never in the same cycle: T0 every second cycle from 0 on, at the mux in odd
  // cycles, BRISC's at the mux in even ones. Semaphore 0: init to 3, post, post, get; the SEMWAIT is met.
  Scenario scenario = one_thread(GetParam(), 0, repeat(30, "NOP"));
  scenario.threads[0].cycles_per_word = 2;
  const std::array lines{"ttseminit 8,3,1", "ttsempost 1", "ttsempost 1", "ttsemget 1", "ttsemwait 64,1,1"};
  for (unsigned i = 0; i < lines.size(); ++i)
    scenario.actions.push_back(store(11 + 4 * i, B, 0xFFE40000, assemble(GetParam(), lines[i])));
  const Ran ran = simulate(scenario);
  EXPECT_TRUE(ran.finished());
  EXPECT_EQ(ran.value(0), 4U);
  EXPECT_EQ(ran.issues[0].size(), 35U);  // nothing was lost
  EXPECT_TRUE(ran.outcome.reports.empty());
  for (unsigned i = 0; i < lines.size(); ++i)
    EXPECT_EQ(ran.cycle_of(0, std::array{"SEMINIT", "SEMPOST", "SEMPOST", "SEMGET", "SEMWAIT"}[i], i == 2 ? 1 : 0),
              14U + 4 * i);  // one cycle to the mux, one to the Replay Expander, one to the gate
}

}  // namespace
}  // namespace tensim::test
