// Replay Expander: recording and playing back (C9, C10). Word n of a thread reaches the expander in cycle 2+n.
#include "tests/support/three_threads.hpp"

namespace tensim::test {
namespace {

class Replay : public BothArchs {};
TENSIM_BOTH_ARCHS(Replay);

/// SETC16s that say which they are.
std::string marked(unsigned first, unsigned count) {
  std::string text;
  for (unsigned i = first; i < first + count; ++i)
    text += "SETC16 CfgIndex=40, NewValue=" + std::to_string(i) + "\n";
  return text;
}

std::vector<unsigned> marks(const Ran& ran) {
  std::vector<unsigned> found;
  for (const Word word : ran.words(0))
    if (word >> 24U == 0xB2) found.push_back(word & 0xFFFFU);
  return found;
}

using Marks = std::vector<unsigned>;

TEST_P(Replay, RecordsWithoutExecutingAndPlaysBack) {  // C9
  // record 2; marks into slots in 3, 4; playback taken in 5 and emits at once, issued 6, 7; NOP waits until 7, issued 8.
  const Ran ran = simulate(
      one_thread(GetParam(), 0, "REPLAY Load=1, Index=3, Count=2\n" + marked(1, 2) + "REPLAY Index=3, Count=2\nNOP"));
  EXPECT_EQ(marks(ran), (Marks{1, 2}));
  EXPECT_EQ(ran.cycles(0), (Cycles{6, 7, 8}));
  // With Exec the words are also passed on while they are recorded: issued 4, 5.
  const Ran executed = simulate(one_thread(
      GetParam(), 0, "REPLAY Load=1, Exec=1, Index=3, Count=2\n" + marked(1, 2) + "REPLAY Index=3, Count=2\nNOP"));
  EXPECT_EQ(marks(executed), (Marks{1, 2, 1, 2}));
  EXPECT_EQ(executed.cycles(0), (Cycles{4, 5, 6, 7, 8}));
  // A part can be played, as often as one likes; no cycle is lost between playbacks.
  const Ran parts =
      simulate(one_thread(GetParam(), 0,
                          "REPLAY Load=1, Index=0, Count=5\n" + marked(1, 5) +
                              "REPLAY Index=1, Count=3\nREPLAY Index=4, Count=1\nREPLAY Index=0, Count=1"));
  EXPECT_EQ(marks(parts), (Marks{2, 3, 4, 5, 1}));
  EXPECT_EQ(parts.cycles(0), (Cycles{9, 10, 11, 12, 13}));
}

TEST_P(Replay, HasThirtyTwoSlotsAndWraps) {  // C9
  // From slot 30, four words go to 30, 31, 0 and 1.
  const Ran ran = simulate(one_thread(
      GetParam(), 0,
      "REPLAY Load=1, Index=30, Count=4\n" + marked(1, 4) + "REPLAY Index=0, Count=2\nREPLAY Index=31, Count=2"));
  EXPECT_EQ(marks(ran), (Marks{3, 4, 2, 3}));
}

TEST_P(Replay, CountZeroIsThirtyTwo) {  // C9
  // 32 words recorded from slot 5, the rest passes; played back from slot 7: the third first, the second last.
  const Ran ran = simulate(
      one_thread(GetParam(), 0, "REPLAY Load=1, Index=5, Count=0\n" + marked(0, 33) + "REPLAY Index=7, Count=0"));
  Marks expected{32};
  for (unsigned i = 0; i < 32; ++i)
    expected.push_back((i + 2) % 32);
  EXPECT_EQ(marks(ran), expected);
}

TEST_P(Replay, OnlyFiveBitsOfTheCountCountAndMoreIsReported) {
  // Errata 8: 34 acts as 2.
  const Ran ran = simulate(
      one_thread(GetParam(), 0, "REPLAY Load=1, Index=0, Count=3\n" + marked(1, 3) + "REPLAY Index=0, Count=34"));
  EXPECT_EQ(marks(ran), (Marks{1, 2}));
  EXPECT_TRUE(ran.reported(Report::Category::replay_count));
  EXPECT_FALSE(
      simulate(one_thread(GetParam(), 0, "REPLAY Index=0, Count=32")).reported(Report::Category::replay_count));
}

TEST_P(Replay, ARecordingThatNeverGetsItsWordsIsReportedAtTheEnd) {
  // Two of five words come, to T1: neither is executed, and three are missing.
  const Ran open = simulate(GetParam(), {"NOP", "REPLAY Load=1, Index=0, Count=5\n" + marked(1, 2), ""});
  EXPECT_TRUE(open.finished());
  ASSERT_EQ(open.outcome.reports.size(), 1U);
  const Report& report = open.outcome.reports.front();
  EXPECT_EQ(report.category, Report::Category::open_recording);
  EXPECT_EQ(report.thread, 1U);
  EXPECT_EQ(report.entry.word, assemble(GetParam(), "REPLAY Load=1, Index=0, Count=5"));
  EXPECT_EQ(report.index, 3U);
  // Also if the words are executed meanwhile, and if another thread hangs.
  EXPECT_TRUE(simulate(one_thread(GetParam(), 0, "REPLAY Load=1, Exec=1, Index=0, Count=2\nNOP"))
                  .reported(Report::Category::open_recording));
  const Ran hangs = simulate(GetParam(), {"REPLAY Load=1, Index=0, Count=1", "MVMUL", ""});
  EXPECT_TRUE(hangs.deadlocked());
  EXPECT_TRUE(hangs.reported(Report::Category::open_recording));
  // Not if it is complete, nor for a playback, which brings its own words.
  EXPECT_FALSE(simulate(one_thread(GetParam(), 0, "REPLAY Load=1, Index=0, Count=1\nNOP\nREPLAY Index=0, Count=1"))
                   .reported(Report::Category::open_recording));
}

TEST_P(Replay, EachThreadHasItsOwnBuffer) {
  const Ran ran =
      simulate(GetParam(), {"REPLAY Load=1, Index=0, Count=1\n" + marked(7, 1) + "NOP\nREPLAY Index=0, Count=1",
                            "REPLAY Load=1, Index=0, Count=1\n" + marked(9, 1) + "NOP", ""});
  EXPECT_EQ(marks(ran), (Marks{7}));
}

TEST_P(Replay, AMopMayEmitReplayAndARecordingNeverHoldsAMop) {  // C10
  // Template 1 emits the same REPLAY twice: each plays marks 1 and 2.
  const Word nop = 0x02000000U;
  const Word replay = assemble(GetParam(), "REPLAY Index=0, Count=2");
  Scenario scenario =
      one_thread(GetParam(), 0, "REPLAY Load=1, Index=0, Count=2\n" + marked(1, 2) + "MOP.Template1\nNOP");
  scenario.mop_config = {{0, {1, 2, nop, nop, nop, replay, nop, replay, replay}}};
  const Ran ran = simulate(scenario);
  EXPECT_TRUE(ran.finished());
  EXPECT_EQ(marks(ran), (Marks{1, 2, 1, 2}));
  // A MOP behind a recording REPLAY is expanded first: what is recorded is its expansion, marks 5 and 6.
  Scenario recorded =
      one_thread(GetParam(), 0, "REPLAY Load=1, Index=0, Count=2\nMOP.Template1\nREPLAY Index=0, Count=2");
  const Word five = assemble(GetParam(), "SETC16 CfgIndex=40, NewValue=5");
  const Word six = assemble(GetParam(), "SETC16 CfgIndex=40, NewValue=6");
  recorded.mop_config = {{0, {1, 2, nop, nop, nop, five, nop, six, six}}};
  const Ran played = simulate(recorded);
  EXPECT_TRUE(played.finished());
  EXPECT_EQ(marks(played), (Marks{5, 6}));
  // A MOP that gets in behind the MOP Expander, as only BRISC can push one, is played back as the word it is, and
  // nothing after the Replay Expander understands it.
  Scenario brisc = three_threads(GetParam(), {"", "", ""});
  brisc.actions = {store(0, B, 0xFFE40000, assemble(GetParam(), "REPLAY Load=1, Index=0, Count=1")),
                   store(5, B, 0xFFE40000, assemble(GetParam(), "MOP.Template1")),
                   store(10, B, 0xFFE40000, assemble(GetParam(), "REPLAY Index=0, Count=1"))};
  const Ran stray = simulate(brisc);
  EXPECT_EQ(stray.outcome.kind, OutcomeKind::faulted);
  ASSERT_TRUE(stray.outcome.fault.has_value());
  EXPECT_EQ(stray.outcome.fault->category, tensix::Fault::Category::frontend_only);
}

}  // namespace
}  // namespace tensim::test
