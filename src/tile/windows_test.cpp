// What each core reaches at which address: instruction buffers, MOP configuration, GPRs, configuration (C7, C21-C23, C26,
// C28, C34). The semaphore window is in semaphore_window_test.cpp.
#include "tests/support/core_accesses.hpp"

namespace tensim::test {
namespace {

class CoreWindows : public BothArchs {};
TENSIM_BOTH_ARCHS(CoreWindows);

constexpr std::array t_core{T0, T1, T2};
constexpr Word nop = 0x02000000U;

/// Which threads have a word in their frontends.
std::vector<unsigned> threads_with_words(const Coprocessor& coprocessor) {
  std::vector<unsigned> threads;
  for (unsigned thread = 0; thread < 3; ++thread)
    if (!coprocessor.frontends[thread].is_empty()) threads.push_back(thread);
  return threads;
}

TEST_P(CoreWindows, InstructionBuffersAreAtFFE40000AndTwoMoreStrides) {  // C21, C22
  for (unsigned i = 0; i < 3; ++i) {
    // BRISC: one window of 0x10000 bytes per thread; any word of it is the same buffer.
    for (const std::uint32_t offset : {0x0U, 0x4U, 0xFFFCU}) {
      CoreAccesses by_brisc(GetParam());
      EXPECT_TRUE(by_brisc.store(CoreId::brisc, 0xFFE40000 + i * 0x10000 + offset, nop).is_done());
      EXPECT_EQ(threads_with_words(by_brisc.coprocessor), (std::vector<unsigned>{i}));
      // T_i: its own thread at the first address.
      CoreAccesses by_t(GetParam());
      EXPECT_TRUE(by_t.store(t_core_ids[i], 0xFFE40000 + offset, nop).is_done());
      EXPECT_EQ(threads_with_words(by_t.coprocessor), (std::vector<unsigned>{i}));
    }
  }
  CoreAccesses cores(GetParam());
  EXPECT_NE(cores.store(CoreId::brisc, 0xFFE70000, nop).fault, AccessFault::none);
  EXPECT_NE(cores.load(CoreId::trisc0, 0xFFE40000).fault, AccessFault::none);
  EXPECT_EQ(cores.store_fault(CoreId::trisc0, 0xFFE40002), "TRISC0 stores to 0xffe40002: misaligned");
}

TEST_P(CoreWindows, ATCoreThatStoresToAnotherThreadsBufferHangs) {  // C23
  for (unsigned i = 0; i < 3; ++i)
    for (const std::uint32_t address : {0xFFE50000U, 0xFFE60000U}) {
      // The store, and everything the core would do after it, never happens; the other cores go on.
      const CoreBit other = t_core[(i + 1) % 3];
      Scenario scenario = three_threads(GetParam(), {"", "", ""});
      scenario.actions = {store(2, t_core[i], address, nop), store(5, t_core[i], 0xFFE80020, 0),
                          store(5, other, 0xFFE80024, 0)};
      const Ran ran = simulate(scenario);
      EXPECT_TRUE(ran.deadlocked());
      ASSERT_EQ(ran.outcome.stuck_cores.size(), 1U);
      EXPECT_EQ(tile::bit(ran.outcome.stuck_cores[0].core), t_core[i]);
      EXPECT_EQ(ran.outcome.stuck_cores[0].scripted->wait, tile::Wait::for_ever);
      EXPECT_EQ(ran.value(0), 0U);
      EXPECT_EQ(ran.value(1), 1U);
      for (unsigned thread = 0; thread < 3; ++thread)
        EXPECT_TRUE(ran.issues[thread].empty());
    }
}

TEST_P(CoreWindows, NcriscCannotPush) {  // C26
  for (const std::uint32_t address : {0xFFE40000U, 0xFFE50000U, 0xFFE60000U}) {
    CoreAccesses cores(GetParam());
    const Answer result = cores.store(CoreId::ncrisc, address, nop);
    EXPECT_EQ(result.fault, AccessFault::unmapped);
    EXPECT_TRUE(threads_with_words(cores.coprocessor).empty());
  }
}

TEST_P(CoreWindows, AFullFrontendKeepsTheCoreWaitingAndLosesNothing) {
  // C20, with a scripted core. T1's thread is stuck at mutex 0, which T0 holds until it releases it in 80. Its core
  // pushes 60 SETC16s, one per cycle: more than fit. When the mutex is free all of them issue, in order.
  Scenario scenario =
      three_threads(GetParam(), {"ttatgetm 0\n" + repeat(76, "NOP") + "ttatrelm 0", "NOP\nttatgetm 0", ""});
  for (unsigned i = 0; i < 60; ++i)
    scenario.actions.push_back(
        store(5 + i, T1, 0xFFE40000, assemble(GetParam(), "SETC16 CfgIndex=40, NewValue=" + std::to_string(i))));
  const Ran ran = simulate(scenario);
  EXPECT_TRUE(ran.finished());
  EXPECT_EQ(ran.cycle_of(0, "ATRELM"), 80U);
  EXPECT_EQ(ran.cycle_of(1, "ATGETM"), 81U);
  const std::vector<Word> words = ran.words(1);
  ASSERT_EQ(words.size(), 62U);
  for (unsigned i = 0; i < 60; ++i)
    EXPECT_EQ(words[2 + i] & 0xFFFFU, i);
}

TEST_P(CoreWindows, MopConfigurationIsNineWriteOnlyWordsOfTheOwnThread) {  // C7
  for (unsigned i = 0; i < 3; ++i) {
    CoreAccesses cores(GetParam());
    for (unsigned word = 0; word < 9; ++word) {
      EXPECT_TRUE(cores.store(t_core_ids[i], 0xFFB80000 + 4 * word, 100 + word).is_done());
      EXPECT_NE(cores.load(t_core_ids[i], 0xFFB80000 + 4 * word).fault, AccessFault::none);
    }
    EXPECT_NE(cores.store(t_core_ids[i], 0xFFB80000 + 4 * 9, 1).fault, AccessFault::none);
    for (unsigned thread = 0; thread < 3; ++thread)
      for (unsigned word = 0; word < 9; ++word)
        EXPECT_EQ(cores.coprocessor.frontends[thread].mop.config[word], thread == i ? 100 + word : 0);
  }
  CoreAccesses cores(GetParam());
  for (const CoreId core : {CoreId::brisc, CoreId::ncrisc})
    EXPECT_EQ(cores.store(core, 0xFFB80000, 1).fault, AccessFault::unmapped);
  // And an expansion uses it: two SFPNOPs, configured by the core before the MOP is pushed.
  Scenario scenario = one_thread(GetParam(), 1, "MOP.Template1");
  scenario.threads[1].start = 20;
  const std::array<Word, 9> config{1, 2, nop, nop, nop, 0x8F000000U, nop, 0x8F000000U, 0x8F000000U};
  for (unsigned word = 0; word < 9; ++word)
    scenario.actions.push_back(store(word, T1, 0xFFB80000 + 4 * word, config[word]));
  EXPECT_EQ(simulate(scenario).cycles(1), (Cycles{23, 24}));
}

TEST_P(CoreWindows, BriscSeesAll192GprsAndATCoreItsOwn64) {  // C28
  CoreAccesses cores(GetParam());
  for (unsigned i = 0; i < 192; ++i, cores.step())
    EXPECT_TRUE(cores.store(CoreId::brisc, 0xFFE00000 + 4 * i, 1000 + i).is_done());  // one per cycle
  cores.step();
  for (unsigned thread = 0; thread < 3; ++thread)
    for (unsigned i = 0; i < 64; ++i) {
      const unsigned expected = 1000 + 64 * thread + i;
      EXPECT_EQ(cores.coprocessor.gprs.value[thread][i], expected);
      EXPECT_EQ(cores.load(CoreId::brisc, 0xFFE00000 + 4 * (64 * thread + i)).value, expected);
      EXPECT_EQ(cores.load(t_core_ids[thread], 0xFFE00000 + 4 * i).value, expected);
      EXPECT_EQ(cores.load(t_core_ids[thread], 0xFFE00100 + 4 * i).value, expected);  // repeats every 256 bytes
    }
  EXPECT_NE(cores.load(CoreId::brisc, 0xFFE00000 + 4 * 192).fault, AccessFault::none);
  EXPECT_NE(cores.load(CoreId::ncrisc, 0xFFE00000).fault, AccessFault::none);
  cores.store(CoreId::trisc2, 0xFFE00004, 7);
  cores.step(2);
  EXPECT_EQ(cores.coprocessor.gprs.value[2][1], 7U);
  EXPECT_EQ(cores.coprocessor.gprs.value[0][1], 1001U);
}

TEST_P(CoreWindows, ConfigurationHasTwoBanksADualWriteWindowAndReadOnlyThreadConfig) {  // C34
  // Bytes from 0xFFEF0000. Wormhole: 188 words a bank, then the threads' 16-bit words every 16 bytes. Blackhole: 224
  // words a bank, a window of as many that writes both, then the threads' words every 4 bytes.
  const std::uint32_t base = 0xFFEF0000;
  const std::uint32_t bank1 = base + (is_wormhole() ? 188U : 224U) * 4;
  const std::uint32_t threads = base + (is_wormhole() ? 188U * 2 : 224U * 3) * 4;
  const std::uint32_t stride = is_wormhole() ? 16 : 4;
  const std::uint32_t words = is_wormhole() ? 57 : 68;
  for (const CoreId core : b_and_t_core_ids) {
    CoreAccesses cores(GetParam());
    const auto stored = [&](std::uint32_t address, std::uint32_t value) {
      EXPECT_TRUE(cores.store(core, address, value).is_done());
      cores.step(2);  // to the Configuration Unit, which processes it
    };
    stored(base + 8, 11);
    stored(bank1 + 8, 12);
    EXPECT_EQ(cores.coprocessor.config.bank[0][2], 11U);
    EXPECT_EQ(cores.coprocessor.config.bank[1][2], 12U);
    EXPECT_EQ(cores.load(core, base + 8).value, 11U);
    EXPECT_EQ(cores.load(core, bank1 + 8).value, 12U);
    if (is_blackhole()) {
      stored(base + 224 * 2 * 4 + 12, 13);
      EXPECT_EQ(cores.coprocessor.config.bank[0][3], 13U);
      EXPECT_EQ(cores.coprocessor.config.bank[1][3], 13U);
    }
    cores.coprocessor.config.thread[2][5] = 99;
    const std::uint32_t address = threads + (2 * words + 5) * stride;
    EXPECT_EQ(cores.load(core, address).value, 99U);
    EXPECT_NE(cores.store(core, address, 1).fault, AccessFault::none);
    EXPECT_EQ(cores.coprocessor.config.thread[2][5], 99U);
  }
  CoreAccesses cores(GetParam());
  EXPECT_NE(cores.store(CoreId::ncrisc, base, 1).fault, AccessFault::none);
}

TEST_P(CoreWindows, WhatIsNotModelledSaysSo) {
  CoreAccesses cores(GetParam());
  EXPECT_EQ(cores.load_fault(CoreId::trisc0, 0xFFB20300), "TRISC0 loads from 0xffb20300: NoC 0 NIU: not modelled yet");
  EXPECT_EQ(cores.store_fault(CoreId::brisc, 0xF0000000), "BRISC stores to 0xf0000000: nothing is mapped there");
}

}  // namespace
}  // namespace tensim::test
