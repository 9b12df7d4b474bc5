// What each core reaches at which address: instruction buffers, MOP configuration, GPRs, configuration (C7, C21-C23, C26,
// C28, C34). The semaphore window is in core_semaphore_test.cpp.
#include "host/core_access.hpp"

#include "tests/support/three_threads.hpp"

namespace tensim::test {
namespace {

using host::access;
using host::AccessResult;
using Status = AccessResult::Status;

class CoreAccess : public BothArchs {};
TENSIM_BOTH_ARCHS(CoreAccess);

constexpr std::array t_core{T0, T1, T2};
constexpr Word nop = 0x02000000U;

AccessResult read(Coprocessor& coprocessor, CoreBit core, std::uint32_t address) {
  return access(coprocessor, load(0, core, address, 0));
}
AccessResult write(Coprocessor& coprocessor, CoreBit core, std::uint32_t address, std::uint32_t value) {
  return access(coprocessor, store(0, core, address, value));
}

/// Which threads have a word in their frontends.
std::vector<unsigned> threads_with_words(const Coprocessor& coprocessor) {
  std::vector<unsigned> threads;
  for (unsigned thread = 0; thread < 3; ++thread)
    if (!coprocessor.frontends[thread].is_empty()) threads.push_back(thread);
  return threads;
}

TEST_P(CoreAccess, InstructionBuffersAreAtFFE40000AndTwoMoreStrides) {  // C21, C22
  for (unsigned i = 0; i < 3; ++i) {
    // BRISC: one window of 0x10000 bytes per thread; any word of it is the same buffer.
    for (const std::uint32_t offset : {0x0U, 0x4U, 0xFFFCU}) {
      Coprocessor by_brisc(GetParam());
      EXPECT_EQ(write(by_brisc, B, 0xFFE40000 + i * 0x10000 + offset, nop).status, Status::done);
      EXPECT_EQ(threads_with_words(by_brisc), (std::vector<unsigned>{i}));
      // T_i: its own thread at the first address.
      Coprocessor by_t(GetParam());
      EXPECT_EQ(write(by_t, t_core[i], 0xFFE40000 + offset, nop).status, Status::done);
      EXPECT_EQ(threads_with_words(by_t), (std::vector<unsigned>{i}));
    }
  }
  Coprocessor coprocessor(GetParam());
  EXPECT_EQ(write(coprocessor, B, 0xFFE70000, nop).status, Status::fault);
  EXPECT_EQ(read(coprocessor, T0, 0xFFE40000).status, Status::fault);
  EXPECT_EQ(write(coprocessor, T0, 0xFFE40002, nop).message, "TRISC0 stores to 0xffe40002: misaligned");
}

TEST_P(CoreAccess, ATCoreThatStoresToAnotherThreadsBufferHangs) {  // C23
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
      EXPECT_EQ(ran.outcome.stuck_cores[0].action.core, t_core[i]);
      EXPECT_NE(ran.outcome.stuck_cores[0].message.find("the core hangs"), std::string::npos);
      EXPECT_EQ(ran.value(0), 0U);
      EXPECT_EQ(ran.value(1), 1U);
      for (unsigned thread = 0; thread < 3; ++thread)
        EXPECT_TRUE(ran.issues[thread].empty());
    }
}

TEST_P(CoreAccess, NcriscCannotPush) {  // C26
  for (const std::uint32_t address : {0xFFE40000U, 0xFFE50000U, 0xFFE60000U}) {
    Coprocessor coprocessor(GetParam());
    const AccessResult result = write(coprocessor, NC, address, nop);
    EXPECT_EQ(result.status, Status::fault);
    EXPECT_NE(result.message.find("NCRISC"), std::string::npos);
    EXPECT_TRUE(threads_with_words(coprocessor).empty());
  }
}

TEST_P(CoreAccess, AFullFrontendKeepsTheCoreWaitingAndLosesNothing) {
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

TEST_P(CoreAccess, MopConfigurationIsNineWriteOnlyWordsOfTheOwnThread) {  // C7
  for (unsigned i = 0; i < 3; ++i) {
    Coprocessor coprocessor(GetParam());
    for (unsigned word = 0; word < 9; ++word) {
      EXPECT_EQ(write(coprocessor, t_core[i], 0xFFB80000 + 4 * word, 100 + word).status, Status::done);
      EXPECT_EQ(read(coprocessor, t_core[i], 0xFFB80000 + 4 * word).status, Status::fault);
    }
    EXPECT_EQ(write(coprocessor, t_core[i], 0xFFB80000 + 4 * 9, 1).status, Status::fault);
    for (unsigned thread = 0; thread < 3; ++thread)
      for (unsigned word = 0; word < 9; ++word)
        EXPECT_EQ(coprocessor.frontends[thread].mop.config[word], thread == i ? 100 + word : 0);
  }
  Coprocessor coprocessor(GetParam());
  for (const CoreBit core : {B, NC})
    EXPECT_NE(write(coprocessor, core, 0xFFB80000, 1).message.find("nothing is mapped there"), std::string::npos);
  // And an expansion uses it: two SFPNOPs, configured by the core before the MOP is pushed.
  Scenario scenario = one_thread(GetParam(), 1, "MOP.Template1");
  scenario.threads[1].start = 20;
  const std::array<Word, 9> config{1, 2, nop, nop, nop, 0x8F000000U, nop, 0x8F000000U, 0x8F000000U};
  for (unsigned word = 0; word < 9; ++word)
    scenario.actions.push_back(store(word, T1, 0xFFB80000 + 4 * word, config[word]));
  EXPECT_EQ(simulate(scenario).cycles(1), (Cycles{23, 24}));
}

TEST_P(CoreAccess, BriscSeesAll192GprsAndATCoreItsOwn64) {  // C28
  Coprocessor coprocessor(GetParam());
  for (unsigned i = 0; i < 192; ++i)
    EXPECT_EQ(write(coprocessor, B, 0xFFE00000 + 4 * i, 1000 + i).status, Status::done);
  for (unsigned thread = 0; thread < 3; ++thread)
    for (unsigned i = 0; i < 64; ++i) {
      const unsigned expected = 1000 + 64 * thread + i;
      EXPECT_EQ(coprocessor.gprs.value[thread][i], expected);
      EXPECT_EQ(read(coprocessor, B, 0xFFE00000 + 4 * (64 * thread + i)).value, expected);
      EXPECT_EQ(read(coprocessor, t_core[thread], 0xFFE00000 + 4 * i).value, expected);
      EXPECT_EQ(read(coprocessor, t_core[thread], 0xFFE00100 + 4 * i).value, expected);  // repeats every 256 bytes
    }
  EXPECT_EQ(read(coprocessor, B, 0xFFE00000 + 4 * 192).status, Status::fault);
  EXPECT_EQ(read(coprocessor, NC, 0xFFE00000).status, Status::fault);
  write(coprocessor, T2, 0xFFE00004, 7);
  EXPECT_EQ(coprocessor.gprs.value[2][1], 7U);
  EXPECT_EQ(coprocessor.gprs.value[0][1], 1001U);
}

TEST_P(CoreAccess, ConfigurationHasTwoBanksADualWriteWindowAndReadOnlyThreadConfig) {  // C34
  // Bytes from 0xFFEF0000. Wormhole: 188 words a bank, then the threads' 16-bit words every 16 bytes. Blackhole: 224
  // words a bank, a window of as many that writes both, then the threads' words every 4 bytes.
  const std::uint32_t base = 0xFFEF0000;
  const std::uint32_t bank1 = base + (is_wormhole() ? 188U : 224U) * 4;
  const std::uint32_t threads = base + (is_wormhole() ? 188U * 2 : 224U * 3) * 4;
  const std::uint32_t stride = is_wormhole() ? 16 : 4;
  const std::uint32_t words = is_wormhole() ? 57 : 68;
  for (const CoreBit core : {B, T0, T1, T2}) {
    Coprocessor coprocessor(GetParam());
    const auto stored = [&](std::uint32_t address, std::uint32_t value) {
      EXPECT_EQ(write(coprocessor, core, address, value).status, Status::done);
      coprocessor.step();  // the Configuration Unit processes it
    };
    stored(base + 8, 11);
    stored(bank1 + 8, 12);
    EXPECT_EQ(coprocessor.config.bank[0][2], 11U);
    EXPECT_EQ(coprocessor.config.bank[1][2], 12U);
    EXPECT_EQ(read(coprocessor, core, base + 8).value, 11U);
    EXPECT_EQ(read(coprocessor, core, bank1 + 8).value, 12U);
    if (is_blackhole()) {
      stored(base + 224 * 2 * 4 + 12, 13);
      EXPECT_EQ(coprocessor.config.bank[0][3], 13U);
      EXPECT_EQ(coprocessor.config.bank[1][3], 13U);
    }
    coprocessor.config.thread[2][5] = 99;
    const std::uint32_t address = threads + (2 * words + 5) * stride;
    EXPECT_EQ(read(coprocessor, core, address).value, 99U);
    EXPECT_EQ(write(coprocessor, core, address, 1).status, Status::fault);
    EXPECT_EQ(coprocessor.config.thread[2][5], 99U);
  }
  Coprocessor coprocessor(GetParam());
  EXPECT_EQ(write(coprocessor, NC, base, 1).status, Status::fault);
}

TEST_P(CoreAccess, AutoTtsyncHoldsBackAnAccessThatAPushedInstructionConflictsWith) {  // C38
  Coprocessor coprocessor(GetParam());
  write(coprocessor, T1, 0xFFE40000, assemble(GetParam(), "SETC16 CfgIndex=56, NewValue=0x1F"));
  for (unsigned cycle = 0; cycle < 5; ++cycle)
    coprocessor.step();
  write(coprocessor, T1, 0xFFE40000, assemble(GetParam(), "RDCFG ResultReg=0, CfgIndex=1"));
  const Status expected = is_blackhole() ? Status::retry : Status::done;
  const AccessResult held = read(coprocessor, T1, 0xFFE00000);
  EXPECT_EQ(held.status, expected);
  EXPECT_EQ(held.message,
            is_blackhole() ? "Auto TTSync: instructions of T1 that use GPRs have not passed the Wait Gate" : "");
  EXPECT_EQ(read(coprocessor, T1, 0xFFEF0004).status, Status::done) << "RDCFG only reads it,";
  EXPECT_EQ(write(coprocessor, T1, 0xFFEF0004, 1).status, expected) << "but a store has to wait";
  EXPECT_EQ(write(coprocessor, T2, 0xFFE00000, 1).status, Status::done) << "another core's does not,";
  EXPECT_EQ(write(coprocessor, B, 0xFFE00100, 1).status, Status::done) << "nor BRISC's, though it is the same GPR";
  for (unsigned cycle = 0; cycle < 3; ++cycle)
    coprocessor.step();
  EXPECT_EQ(read(coprocessor, T1, 0xFFE00000).status, Status::done);
}

TEST_P(CoreAccess, WhatIsNotModelledSaysSo) {
  Coprocessor coprocessor(GetParam());
  EXPECT_EQ(read(coprocessor, T0, 0xFFB11000).message, "TRISC0 loads from 0xffb11000: TDMA-RISC: not modelled yet");
  EXPECT_EQ(write(coprocessor, B, 0xF0000000, 1).message, "BRISC stores to 0xf0000000: nothing is mapped there");
}

}  // namespace
}  // namespace tensim::test
