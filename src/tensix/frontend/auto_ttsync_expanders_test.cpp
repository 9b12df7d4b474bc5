// Auto TTSync (C38) behind the expanders: MOPs, REPLAYs, and random mixtures of both, in which it must not change anything.
#include <deque>

#include "tensix/fill.hpp"
#include "tests/support/auto_ttsync_thread.hpp"

namespace tensim::test {
namespace {

using namespace auto_ttsync;

// ---- MOP and REPLAY ----

/// Template 1 with `count` words in the inner loop, the last of them too.
void set_mop(Thread& thread, std::string_view line, unsigned count, unsigned outer = 1) {
  const Word word = assemble(Arch::blackhole, line);
  const Word nop = assemble(Arch::blackhole, "NOP");
  const std::array<Word, 9> words{outer, count, nop, nop, nop, word, nop, word, word};
  for (unsigned i = 0; i < words.size(); ++i)
    thread.coprocessor.write_mop_config(Thread::self, i, words[i]);
}
const std::string mop = "MOP.Template1";

TEST(AutoTtsync, OfAMopTheFirstInstructionWaitsAndTheOthersAreImmune) {  // C38
  Thread thread;
  set_mop(thread, "NOP", 6);  // uses nothing, but the MOP is said to use everything
  const auto ticket = thread.load_starts(tdma_risc);
  thread.bring_to_gate(mop);
  EXPECT_EQ(thread.step(), Stall::auto_ttsync);
  thread.step(10);
  thread.done(ticket);
  EXPECT_EQ(thread.step(), Stall::auto_ttsync);  // lingers
  EXPECT_EQ(thread.step(), Stall::issued);
  const auto later = thread.store_starts(gprs);
  for (unsigned i = 1; i < 6; ++i)
    EXPECT_EQ(thread.step(), Stall::issued) << i;
  thread.done(later);
}

TEST(AutoTtsync, AnAccessWaitsForAllOfAMop) {  // C38
  Thread thread;
  set_mop(thread, "NOP", 6);
  thread.push(mop);
  for (unsigned issued = 0; issued < 6;) {
    EXPECT_FALSE(thread.may_store(gprs));
    EXPECT_FALSE(thread.may_load(tdma_risc));
    issued += thread.step() == Stall::issued ? 1U : 0U;
    ASSERT_LT(thread.coprocessor.now, 100U);
  }
  EXPECT_TRUE(thread.may_store(every_resource));
}

TEST(AutoTtsync, AMopThatExpandsToNothingIsDoneWhenItIsTakenIn) {  // C38
  Thread thread;
  set_mop(thread, "NOP", 6, 0);
  thread.push(mop);
  EXPECT_FALSE(thread.may_store(gprs));
  thread.step();
  EXPECT_TRUE(thread.may_store(gprs));
  thread.drain();
}

TEST(AutoTtsync, OnlyTheDeclarationOfTheMopCounts) {  // C38
  Thread thread;
  thread.push("RESOURCEDECL LingerTime=1, Resources=READ_TDMA, OpClass=MOP");
  set_mop(thread, writes_gpr, 3);
  const auto ticket = thread.store_starts(gprs);
  thread.push(mop);
  EXPECT_TRUE(thread.may_store(gprs));
  EXPECT_TRUE(thread.may_load(tdma_risc));
  EXPECT_FALSE(thread.may_store(tdma_risc));
  EXPECT_EQ(thread.issues().size(), 3U);
  EXPECT_EQ(thread.coprocessor.accounts[Thread::self][Stall::auto_ttsync], 0U);
  thread.done(ticket);
}

void record(Thread& thread, unsigned count) {
  thread.push("REPLAY Index=0, Count=" + std::to_string(count) + ", Exec=0, Load=1");
  for (unsigned i = 0; i < count; ++i)
    thread.push("NOP");
  thread.drain();
}

TEST(AutoTtsync, OfAReplayTheFirstInstructionWaitsAndAnAccessForAll) {  // C38
  Thread thread;
  record(thread, 4);
  EXPECT_TRUE(thread.may_store(every_resource)) << "what was recorded only is gone";
  const auto ticket = thread.store_starts(gprs);
  thread.bring_to_gate("REPLAY Index=0, Count=4, Exec=0, Load=0");
  EXPECT_EQ(thread.step(), Stall::auto_ttsync);
  thread.done(ticket);
  EXPECT_EQ(thread.step(), Stall::auto_ttsync);
  for (unsigned i = 0; i < 4; ++i) {
    EXPECT_FALSE(thread.may_load(bank0)) << i;
    EXPECT_EQ(thread.step(), Stall::issued) << i;
  }
  EXPECT_TRUE(thread.may_load(every_resource));
}

TEST(AutoTtsync, WhileRecordingEachWordCountsForItself) {  // C38
  Thread thread;
  thread.push("REPLAY Index=0, Count=2, Exec=1, Load=1");
  thread.push("NOP");
  thread.push(writes_gpr);
  EXPECT_FALSE(thread.may_store(tdma_risc)) << "REPLAY itself";
  thread.step(3);
  EXPECT_TRUE(thread.may_store(tdma_risc));
  EXPECT_FALSE(thread.may_store(gprs));
  thread.drain();
  EXPECT_TRUE(thread.may_store(gprs));
}

TEST(AutoTtsync, AReplayWithinAMopBelongsToTheMop) {  // C38
  Thread thread;
  record(thread, 3);
  thread.push("RESOURCEDECL LingerTime=1, Resources=READ_TDMA, OpClass=MOP");
  set_mop(thread, "REPLAY Index=0, Count=3, Exec=0, Load=0", 2);
  thread.push(mop);
  EXPECT_TRUE(thread.may_store(gprs));
  unsigned issued = 0;
  for (unsigned i = 0; i < 100 && !thread.may_store(tdma_risc); ++i)
    issued += thread.step() == Stall::issued ? 1U : 0U;
  EXPECT_EQ(issued, 6U);
}

// ---- what it must not change ----

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::size_t below(std::size_t bound) { return tensix::splitmix64(state_) % bound; }

 private:
  std::uint64_t state_;
};

/// Random words, MOPs and REPLAYs among them; when each of what came of them was issued. Either with words of BRISC in
/// between, which may displace some, or with recordings, which must not lose any.
Cycles random_run(unsigned seed, unsigned enables) {
  const bool with_brisc = seed % 2 == 0;
  const std::vector<std::vector<std::string>> groups{
      {"NOP"},
      {writes_gpr},
      {"SFPNOP"},
      {mop},
      {"MOP_CFG MaskHi=0"},
      {"REPLAY Index=0, Count=3, Exec=0, Load=0"},
      {"REPLAY Index=2, Count=1, Exec=1, Load=1", writes_gpr},
      {"REPLAY Index=6, Count=2, Exec=0, Load=1", "SFPNOP", "NOP"},
  };
  Thread thread(0);
  record(thread, 32);
  set_mop(thread, "REPLAY Index=3, Count=2, Exec=0, Load=0", 3, 2);
  thread.enable(enables);
  Random random(seed);
  std::deque<std::string> to_push;
  Cycles issues;
  for (unsigned i = 0; i < 400; ++i) {
    if (to_push.empty())
      for (const std::string& line : groups[random.below(with_brisc ? groups.size() - 2 : groups.size())])
        to_push.push_back(line);
    if (thread.coprocessor.can_push(Thread::self) && random.below(3) != 0) {
      thread.push(to_push.front());
      to_push.pop_front();
    }
    if (with_brisc && random.below(9) == 0 && thread.coprocessor.can_push_from_brisc(Thread::self))
      thread.coprocessor.push_from_brisc(Thread::self, assemble(Arch::blackhole, "NOP"), 0);
    if (thread.step() == Stall::issued) issues.push_back(thread.coprocessor.now);
  }
  for (; !to_push.empty(); to_push.pop_front())
    thread.push(to_push.front());
  thread.drain();
  EXPECT_FALSE(thread.coprocessor.fault);
  EXPECT_TRUE(thread.may_store(every_resource)) << "a record is left, seed " << seed;
  return issues;
}

TEST(AutoTtsync, WithoutAccessesOfTheCoreItChangesNothing) {  // C38
  for (unsigned seed = 0; seed < 50; ++seed)
    EXPECT_EQ(random_run(seed, track_all), random_run(seed, 0)) << seed;
}

}  // namespace
}  // namespace tensim::test
