#include "tensix/registers/written.hpp"

#include <gtest/gtest.h>

#include "report/notes.hpp"
#include "tests/support/three_threads.hpp"

namespace tensim::test {
namespace {

using tensix::Written;
using Texts = std::vector<std::string>;

/// What the run said about reads of uninitialised state, without cycle and instruction.
Texts notes(const Scenario& scenario) {
  Texts texts;
  for (const Report& report : simulate(scenario).outcome.reports) {
    if (report.category != Report::Category::uninitialised_read) continue;
    const std::string text = report::text_of(scenario, report);
    texts.push_back(text.substr(text.rfind(": ") + 2));
  }
  return texts;
}
Texts notes(Arch arch, const std::string& program) {
  return notes(one_thread(arch, 1, program));
}

const std::string tail = " is read before anybody has written it";

TEST(Written, AConfigurationStoreMarksItsWordsInItsBanks) {
  Written written;
  written.add_config(Arch::blackhole, {.banks = 2, .first = 8, .count = 4}, 0);
  EXPECT_FALSE(written.config[0][8]);
  for (unsigned word = 8; word < 12; ++word)
    EXPECT_TRUE(written.config[1][word]);
  EXPECT_FALSE(written.config[1][12]);
  const unsigned global = tensix::config_global_base(Arch::blackhole);
  written.add_config(Arch::blackhole, {.banks = 1, .first = static_cast<std::uint16_t>(global)}, 0);
  EXPECT_TRUE(written.config[1][global]);
  written.add_config(Arch::blackhole, {.banks = 1, .first = 4}, tensix::state_reset);
  EXPECT_TRUE(written.config[0][0] && written.config[0][global - 1]);
  EXPECT_FALSE(written.config[1][0]);
}

class UninitialisedRead : public BothArchs {};
TENSIM_BOTH_ARCHS(UninitialisedRead);

TEST_P(UninitialisedRead, OfGprsByScalarInstructionsAndWrcfg) {
  EXPECT_EQ(notes(GetParam(), "ADDDMAREG.Register ResultReg=3, RightReg=2, LeftReg=12"),
            (Texts{"GPR 2 of T1" + tail, "GPR 12 of T1" + tail}));
  EXPECT_EQ(notes(GetParam(), "WRCFG InputReg=5, CfgIndex=8"), (Texts{"GPR 5 of T1" + tail}));
  EXPECT_EQ(notes(GetParam(), "WRCFG InputReg=5, CfgIndex=8, Is128Bit=1").size(), 4U);
  EXPECT_EQ(notes(GetParam(), "STOREREG DataReg=7, AddrLo=0"), (Texts{"GPR 7 of T1" + tail}));
  // A result, and what a load brings, is written; half a register is half written.
  EXPECT_EQ(notes(GetParam(),
                  "ADDDMAREG.Immediate ResultReg=3, LeftReg=12\n" + repeat(8, "NOP") + "WRCFG InputReg=3, CfgIndex=8"),
            (Texts{"GPR 12 of T1" + tail}));
  EXPECT_EQ(notes(GetParam(), "LOADREG ResultReg=7, AddrLo=0\nSTOREREG DataReg=7, AddrLo=0"), Texts{});
  const std::string low = "SETDMAREG.Immediate NewValue=1, ResultHalfReg=10\n";
  const std::string high = "SETDMAREG.Immediate NewValue=1, ResultHalfReg=11\n";
  EXPECT_EQ(notes(GetParam(), low + "STOREREG DataReg=5, AddrLo=0"), (Texts{"GPR 5 of T1" + tail}));
  EXPECT_EQ(notes(GetParam(), low + high + "STOREREG DataReg=5, AddrLo=0"), Texts{});
  EXPECT_EQ(notes(GetParam(), low + "MULDMAREG.Immediate ResultReg=3, RightImm6=2, LeftReg=5"), Texts{});
  Scenario initial = one_thread(GetParam(), 1, "STOREREG DataReg=5, AddrLo=0");
  initial.gprs[{1, 5}] = 0;
  EXPECT_EQ(notes(initial), Texts{});
}

TEST_P(UninitialisedRead, OfConfigurationWordsEachOnce) {
  EXPECT_EQ(notes(GetParam(), "RDCFG ResultReg=1, CfgIndex=12\nRDCFG ResultReg=1, CfgIndex=12"),
            (Texts{"configuration word 12 of bank 0" + tail}));
  EXPECT_EQ(notes(GetParam(), "RMWCIB0 Mask=1, NewValue=1, Index4=12"),
            (Texts{"configuration word 12 of bank 0" + tail}));
  EXPECT_EQ(notes(GetParam(), "SETC16 CfgIndex=0, NewValue=1\nRDCFG ResultReg=1, CfgIndex=12"),
            (Texts{"configuration word 12 of bank 1" + tail}));
  Scenario written =
      one_thread(GetParam(), 1, "WRCFG InputReg=5, CfgIndex=12\nNOP\nNOP\nRDCFG ResultReg=1, CfgIndex=12");
  written.gprs[{1, 5}] = 0;
  EXPECT_EQ(notes(written), Texts{});
  Scenario by_core = one_thread(GetParam(), 1, repeat(20, "NOP") + "RDCFG ResultReg=1, CfgIndex=8");
  by_core.actions = {store(1, T1, 0xFFEF0000 + 8 * 4, 3)};
  EXPECT_EQ(notes(by_core), Texts{});
}

TEST(UninitialisedReadBlackhole, CfgshiftmaskReadsItsWordAndAScratchRegister) {
  EXPECT_EQ(notes(Arch::blackhole, "CFGSHIFTMASK CfgIndex=20, ScratchIndex=1"),
            (Texts{"configuration word 20 of bank 0" + tail, "configuration word 210 of bank 0" + tail}));
}

TEST_P(UninitialisedRead, OfSemaphores) {
  for (const char* line : {"ttsempost 8", "ttsemget 8", "ttsemwait 64,8,1"})
    EXPECT_EQ(notes(GetParam(), line), (Texts{"semaphore 3" + tail})) << line;
  EXPECT_EQ(notes(GetParam(), "ttsempost 10\nttsempost 10"), (Texts{"semaphore 1" + tail, "semaphore 3" + tail}));
  EXPECT_EQ(notes(GetParam(), "ttseminit 8,3,8\nttsempost 8"), Texts{});
  Scenario initial = one_thread(GetParam(), 1, "ttsempost 8");
  initial.semaphores[3] = {0, 2};
  EXPECT_EQ(notes(initial), Texts{});
}

TEST_P(UninitialisedRead, OfReplaySlots) {
  const std::string record = "REPLAY Index=6, Count=2, Load=1, Exec=1\nNOP\nNOP\n";
  EXPECT_EQ(notes(GetParam(), record + "REPLAY Index=6, Count=2"), Texts{});
  EXPECT_EQ(notes(GetParam(), record + "REPLAY Index=5, Count=4"),
            (Texts{"replay slot 5 of T1" + tail, "replay slot 8 of T1" + tail}));
}

TEST_P(UninitialisedRead, OfMopCfgWordsThatTheExpansionTakes) {
  const std::string mop = "ttmop 1,0,0";
  // Both counts are read, and the outer one is 0: nothing else is.
  EXPECT_EQ(notes(GetParam(), mop), (Texts{"MopCfg word 0 of T1" + tail, "MopCfg word 1 of T1" + tail}));
  Scenario partly = one_thread(GetParam(), 1, repeat(10, "NOP") + mop);
  const Word nop = assemble(GetParam(), "NOP");
  // Without Loop1Last, which an OuterCount of 1 never takes. EndOp1 is looked at because EndOp0 is no NOP.
  for (const auto& [word, value] :
       std::initializer_list<std::pair<unsigned, Word>>{{0, 1}, {1, 2}, {2, nop}, {5, nop}, {6, nop}, {7, nop}})
    partly.actions.push_back(store(word, T1, 0xFFB80000 + word * 4, value));
  EXPECT_EQ(notes(partly), (Texts{"MopCfg word 3 of T1" + tail, "MopCfg word 4 of T1" + tail}));
  Scenario all = one_thread(GetParam(), 1, mop);
  all.mop_config.emplace_back(1, std::array<Word, 9>{1, 2, nop, nop, nop, nop, nop, nop, nop});
  EXPECT_EQ(notes(all), Texts{});
}

}  // namespace
}  // namespace tensim::test
