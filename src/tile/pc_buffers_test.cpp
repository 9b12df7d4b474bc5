// PCBufs and TTSync (C29-C31).
#include "tests/support/core_accesses.hpp"

namespace tensim::test {
namespace {

class PcBuffers : public BothArchs {};
TENSIM_BOTH_ARCHS(PcBuffers);

constexpr std::uint32_t own = 0xFFE80000;
constexpr std::uint32_t coprocessor_done = own + 4;
constexpr std::uint32_t mop_done = own + 8;
constexpr Word nop = 0x02000000U;

constexpr std::uint32_t brisc_side(unsigned thread) {
  return 0xFFE80000U + 0x10000U * thread;
}

TEST_P(PcBuffers, SixteenWordsFromBriscInOrder) {  // C29
  for (unsigned i = 0; i < 3; ++i) {
    CoreAccesses cores(GetParam());
    for (std::uint32_t word = 0; word < 16; ++word)
      EXPECT_TRUE(cores.store(CoreId::brisc, brisc_side(i) + 4 * word, word).is_done());
    EXPECT_EQ(cores.store(CoreId::brisc, brisc_side(i), 16).wait, Wait::pc_buffer_full);
    EXPECT_EQ(cores.value(t_core_ids[i], own), 0U);
    EXPECT_NE(cores.woken() & B, 0);
    EXPECT_TRUE(cores.store(CoreId::brisc, brisc_side(i), 16).is_done());
    EXPECT_EQ(cores.woken(), bit(t_core_ids[i]));
    for (std::uint32_t word = 1; word <= 16; ++word)
      EXPECT_EQ(cores.value(t_core_ids[i], own), word);
    EXPECT_EQ(cores.load(t_core_ids[i], own).wait, Wait::pc_buffer_empty);
    EXPECT_EQ(cores.load(t_core_ids[(i + 1) % 3], own).wait, Wait::pc_buffer_empty);
  }
}

TEST_P(PcBuffers, BriscLoadWaitsForAllThreeConditions) {  // C29
  for (unsigned i = 0; i < 3; ++i) {
    CoreAccesses cores(GetParam());
    const auto barrier = [&] { return cores.load(CoreId::brisc, brisc_side(i)); };
    EXPECT_EQ(barrier().wait, Wait::pc_buffer_not_drained);  // empty and idle, but the T core does not wait
    cores.store(CoreId::brisc, brisc_side(i), 7);
    cores.coprocessor.push(i, nop, 0);
    EXPECT_EQ(cores.value(t_core_ids[i], own), 7U);
    cores.woken();
    EXPECT_EQ(cores.load(t_core_ids[i], own).wait, Wait::pc_buffer_empty);
    EXPECT_EQ(cores.woken(), B);                             // it starts to wait
    EXPECT_EQ(barrier().wait, Wait::pc_buffer_not_drained);  // the NOP is in flight
    cores.step(4);
    ASSERT_TRUE(barrier().is_done());
    EXPECT_EQ(barrier().value, 0U);
    cores.store(CoreId::brisc, brisc_side(i), 8);
    EXPECT_EQ(barrier().wait, Wait::pc_buffer_not_drained);  // a word left
    EXPECT_EQ(cores.value(t_core_ids[i], own), 8U);
    EXPECT_EQ(barrier().wait, Wait::pc_buffer_not_drained);  // and the T core has gone on
  }
}

TEST_P(PcBuffers, StoresOfATCoreAreDropped) {  // C29
  CoreAccesses cores(GetParam());
  for (const CoreId core : t_core_ids) {
    EXPECT_TRUE(cores.store(core, own, 5).is_done());
    EXPECT_EQ(cores.load(core, own).wait, Wait::pc_buffer_empty);
  }
}

TEST_P(PcBuffers, TheOverrideAnswersAnEmptyLoadAndEndsBarriers) {  // C29-C31
  for (unsigned i = 0; i < 3; ++i) {
    CoreAccesses cores(GetParam());
    cores.coprocessor.push(i, nop, 0);
    const auto set_override = [&](std::uint32_t bits) {
      EXPECT_TRUE(cores.store(CoreId::ncrisc, 0xFFB12090, bits << (10 * i)).is_done());
    };
    set_override(0xA5U << 2U | 1U);
    EXPECT_EQ(cores.value(t_core_ids[i], own), 0xA5U);
    EXPECT_EQ(cores.load(t_core_ids[(i + 1) % 3], own).wait, Wait::pc_buffer_empty);
    EXPECT_EQ(cores.load(CoreId::brisc, brisc_side(i)).wait, Wait::pc_buffer_not_drained);  // not OverrideBusy
    EXPECT_EQ(cores.load(t_core_ids[i], coprocessor_done).wait, Wait::thread_not_idle);
    set_override(0xA5U << 2U | 3U);
    EXPECT_TRUE(cores.load(CoreId::brisc, brisc_side(i)).is_done());
    EXPECT_TRUE(cores.load(t_core_ids[i], coprocessor_done).is_done());
    cores.store(CoreId::brisc, brisc_side(i), 9);
    EXPECT_EQ(cores.value(t_core_ids[i], own), 9U);  // a word that is there comes first
  }
}

TEST_P(PcBuffers, CoprocessorDoneWaitsUntilTheThreadHasNothingInFlight) {  // C30
  // A NOP pushed in cycle 0 is issued, and done, in 3; an ADDDMAREG stays in the Scalar Unit longer.
  for (unsigned i = 0; i < 3; ++i) {
    CoreAccesses cores(GetParam());
    EXPECT_TRUE(cores.store(t_core_ids[i], 0xFFE40000, nop).is_done());
    for (; cores.coprocessor.now < 4; cores.step()) {
      EXPECT_EQ(cores.load(t_core_ids[i], coprocessor_done).wait, Wait::thread_not_idle);
      EXPECT_TRUE(cores.load(t_core_ids[(i + 1) % 3], coprocessor_done).is_done());
    }
    EXPECT_TRUE(cores.load(t_core_ids[i], coprocessor_done).is_done());
    EXPECT_TRUE(cores.store(t_core_ids[i], 0xFFE40000, assemble(GetParam(), "ttadddmareg 1,1,1,1")).is_done());
    const auto start = cores.coprocessor.now;
    while (!cores.load(t_core_ids[i], coprocessor_done).is_done())
      cores.step();
    EXPECT_EQ(cores.coprocessor.now - start, 5U);  // two hops, then three cycles in the unit
  }
}

TEST_P(PcBuffers, MopDoneWaitsWhileAMopIsQueuedOrExpanding) {  // C31
  CoreAccesses cores(GetParam());
  const std::array<Word, 9> config{1, 5, nop, nop, nop, nop, nop, nop, nop};
  for (unsigned word = 0; word < 9; ++word)
    cores.store(CoreId::trisc1, 0xFFB80000 + 4 * word, config[word]);
  EXPECT_TRUE(cores.load(CoreId::trisc1, mop_done).is_done());
  cores.store(CoreId::trisc1, 0xFFE40000, assemble(GetParam(), "MOP.Template1"));
  unsigned cycles = 0;
  for (; !cores.load(CoreId::trisc1, mop_done).is_done(); cores.step())
    ++cycles;
  EXPECT_GE(cycles, 5U);                                                                // five words, one per cycle
  EXPECT_EQ(cores.load(CoreId::trisc1, coprocessor_done).wait, Wait::thread_not_idle);  // they have yet to issue
}

TEST_P(PcBuffers, StoresToTtsyncOnlyOrder) {  // C30
  CoreAccesses cores(GetParam());
  EXPECT_TRUE(cores.store(CoreId::trisc0, coprocessor_done, 1).is_done());
  EXPECT_TRUE(cores.store(CoreId::trisc0, mop_done, 1).is_done());
  EXPECT_EQ(cores.load(CoreId::trisc0, own + 12).fault, AccessFault::no_register);
}

}  // namespace
}  // namespace tensim::test
