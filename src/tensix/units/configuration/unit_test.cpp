// Configuration Unit: Blackhole's pipeline, Wormhole's rule about the previous cycle, and who is served when. Word n of a
// thread is at its gate in cycle 3+n.
#include <algorithm>

#include "tests/support/three_threads.hpp"

namespace tensim::test {
namespace {

class ConfigurationUnit : public BothArchs {};
TENSIM_BOTH_ARCHS(ConfigurationUnit);

const std::string setc16 = "SETC16 CfgIndex=40, NewValue=1";
const std::string wrcfg = "WRCFG InputReg=0, CfgIndex=1";
const std::string rdcfg = "RDCFG ResultReg=60, CfgIndex=1";
const std::string rmwcib = "RMWCIB0 Mask=255, NewValue=7, Index4=1";
const std::string cfgshiftmask = "CFGSHIFTMASK CfgIndex=1";

// C40, Configuration Unit, without STREAMWRCFG, which is not modelled.

TEST_P(ConfigurationUnit, Setc16TakesOneCyclePerThread) {
  const std::string program = repeat(3, setc16);
  const Ran ran = simulate(GetParam(), {program, program, program});
  for (unsigned thread = 0; thread < 3; ++thread) {
    EXPECT_EQ(ran.cycles(thread), (Cycles{3, 4, 5}));
    EXPECT_EQ(ran.state->config.thread[thread][40], 1U);
  }
}

TEST_P(ConfigurationUnit, WrcfgGoesAtOnePerCycleAndIsSeenTwoCyclesLater) {
  EXPECT_EQ(cycles_of(GetParam(), repeat(3, wrcfg)), (Cycles{3, 4, 5}));
  const Ran three = simulate(GetParam(), {repeat(2, wrcfg), repeat(2, wrcfg), repeat(2, wrcfg)});
  EXPECT_EQ(three.cycles(0), (Cycles{3, 6}));
  EXPECT_EQ(three.cycles(1), (Cycles{4, 7}));
  EXPECT_EQ(three.cycles(2), (Cycles{5, 8}));
  // A core that looks on: WRCFG 3 works in 3 and 4 and lands with the end of 4: a load of 4 finds the old word, of 5 the new.
  for (const auto& [cycle, expected] : {std::pair{Cycle{4}, 0U}, std::pair{Cycle{5}, 9U}}) {
    Scenario scenario = one_thread(GetParam(), 0, wrcfg);
    scenario.gprs[{0, 0}] = 9;
    scenario.actions = {load(cycle, B, 0xFFEF0004, expected)};
    EXPECT_TRUE(simulate(scenario).outcome.failed_expectations.empty()) << cycle;
  }
}

TEST_P(ConfigurationUnit, RmwcibReadsAndWritesInOneCycle) {
  EXPECT_EQ(cycles_of(GetParam(), repeat(3, rmwcib)), (Cycles{3, 4, 5}));
  // Two threads change different bits of one byte in successive cycles: nothing is lost.
  const Ran ran =
      simulate(GetParam(), {"RMWCIB1 Mask=15, NewValue=5, Index4=2", "RMWCIB1 Mask=0xf0, NewValue=0xa0, Index4=2", ""});
  EXPECT_EQ(ran.cycles(1), (Cycles{4}));
  EXPECT_EQ(ran.state->config.bank[0][2], 0xA500U);
}

TEST_P(ConfigurationUnit, ACoreSeesRmwcibFromTheNextCycleOn) {
  // RMWCIB 3.
  for (const auto& [cycle, expected] : {std::pair{Cycle{3}, 0U}, std::pair{Cycle{4}, 5U}}) {
    Scenario scenario = one_thread(GetParam(), 0, "RMWCIB0 Mask=15, NewValue=5, Index4=2");
    scenario.actions = {load(cycle, B, 0xFFEF0008, expected)};
    EXPECT_TRUE(simulate(scenario).outcome.failed_expectations.empty()) << cycle;
  }
}

TEST_P(ConfigurationUnit, RdcfgHoldsItsThreadOnWormholeOnly) {
  // Silicon: RDCFG back to back 1.97 on Wormhole, 1.00 on Blackhole; RDCFG;STALLWAIT 3.97 and 2.97.
  EXPECT_EQ(cycles_of(GetParam(), repeat(3, rdcfg)), (is_wormhole() ? Cycles{3, 5, 7} : Cycles{3, 4, 5}));
  EXPECT_EQ(cycles_of(GetParam(), rdcfg + "\nNOP"), (is_wormhole() ? Cycles{3, 5} : Cycles{3, 4}));
  const Cycles pairs = cycles_of(GetParam(), repeat(3, rdcfg + "\nSTALLWAIT block=STALL_THREAD, cond=TRISC_CFG"));
  EXPECT_EQ(pairs[2] - pairs[0], is_wormhole() ? 4U : 3U);
  EXPECT_EQ(pairs[4] - pairs[2], is_wormhole() ? 4U : 3U);
  // The value: word 1 is 5; RDCFG 3, in the register for 5.
  Scenario scenario = one_thread(GetParam(), 0, "RMWCIB0 Mask=255, NewValue=5, Index4=1\n" + rdcfg);
  EXPECT_EQ(simulate(scenario).gpr(0, 60), 5U);
}

TEST(ConfigurationUnitBlackhole, Pipeline) {
  const auto distance = [](const std::string& first, const std::string& second) {
    const Cycles cycles = cycles_of(Arch::blackhole, first + "\n" + second);
    return cycles.size() == 2 ? cycles[1] - cycles[0] : 0;
  };
  // WRCFG enters at -1 and is in stage 0 in the next cycle: RMWCIB and RDCFG, which enter at 0, wait one.
  EXPECT_EQ(distance(wrcfg, rmwcib), 2U);
  EXPECT_EQ(distance(wrcfg, rdcfg), 2U);
  EXPECT_EQ(distance(wrcfg, wrcfg), 1U);
  EXPECT_EQ(distance(rmwcib, wrcfg), 1U);
  EXPECT_EQ(distance(rdcfg, wrcfg), 1U);
  EXPECT_EQ(distance(rdcfg, rmwcib), 1U);
  // CFGSHIFTMASK: two cycles in stage 0, and in its first cycle it bars -1 as well (ruling 16).
  EXPECT_EQ(distance(cfgshiftmask, cfgshiftmask), 2U);
  EXPECT_EQ(distance(cfgshiftmask, rmwcib), 2U);
  EXPECT_EQ(distance(cfgshiftmask, rdcfg), 2U);
  EXPECT_EQ(distance(cfgshiftmask, wrcfg), 1U);  // in stage 0 when it is free again
  EXPECT_EQ(distance(wrcfg, cfgshiftmask), 2U);
  // SETC16 is another group.
  for (const std::string& first : {wrcfg, rdcfg, rmwcib, cfgshiftmask})
    EXPECT_EQ(distance(first, setc16), 1U) << first;
  // The rule does not look at threads: T1's RMWCIB, second in the arbiter, waits for T0's WRCFG in stage 0.
  const Ran ran = simulate(Arch::blackhole, {wrcfg, rmwcib, ""});
  EXPECT_EQ(ran.cycles(0), (Cycles{3}));
  EXPECT_EQ(ran.cycles(1), (Cycles{5}));
}

/// Stream 3, by the thread's second selector.
Scenario streamwrcfg_scenario(const std::string& program) {
  Scenario scenario = one_thread(Arch::blackhole, 0, program);
  scenario.streams[3].phase = 11;
  scenario.streams[3].messages = 22;
  scenario.streams[3].registers = {{36, 33}};
  scenario.thread_config.emplace_back(0U, 60U, std::uint16_t{3});  // STREAM_ID_SYNC_SEC1_BankSel
  return scenario;
}

TEST(ConfigurationUnitBlackhole, StreamwrcfgCopiesRegistersOfAStream) {
  // STREAM_CURR_PHASE is register 29, STREAM_NUM_MSGS_RECEIVED 259; others are what the scenario says.
  const Ran ran =
      simulate(streamwrcfg_scenario("STREAMWRCFG StreamSelect=1, RegIndex=29, CfgIndex=8\n"
                                    "STREAMWRCFG StreamSelect=1, RegIndex=259, CfgIndex=5\n"
                                    "STREAMWRCFG StreamSelect=1, RegIndex=36, CfgIndex=6\n"
                                    "STREAMWRCFG StreamSelect=0, RegIndex=29, CfgIndex=7\n"));
  const auto& bank = ran.state->config.bank[0];
  EXPECT_EQ((std::array{bank[8], bank[5], bank[6], bank[7]}), (std::array{11U, 22U, 33U, 0U}));
  EXPECT_EQ(ran.cycles(0), (Cycles{3, 4, 5, 6}));  // pipelined
  EXPECT_TRUE(ran.finished());
  const Ran unknown = simulate(streamwrcfg_scenario("STREAMWRCFG StreamSelect=1, RegIndex=37, CfgIndex=8"));
  ASSERT_TRUE(unknown.state->fault.has_value());
  EXPECT_EQ(unknown.state->fault->issue, tensix::DataIssue::stream_register);
}

TEST(ConfigurationUnitBlackhole, WhatFollowsStreamwrcfgWaitsForItsStages) {
  // It is in stages -4 to 0 in cycles 3 to 7. WRCFG enters at -1 in 7, RMWCIB at 0 in 8 (ConfigurationUnit.md).
  const std::string first = "STREAMWRCFG StreamSelect=1, RegIndex=29, CfgIndex=8\n";
  EXPECT_EQ(simulate(streamwrcfg_scenario(first + wrcfg)).cycles(0), (Cycles{3, 7}));
  EXPECT_EQ(simulate(streamwrcfg_scenario(first + rmwcib)).cycles(0), (Cycles{3, 8}));
  // A reader behind it in the unit finds the value: stage 0 was its last.
  const Ran ran = simulate(streamwrcfg_scenario(first + "RDCFG ResultReg=9, CfgIndex=8"));
  EXPECT_EQ(ran.gpr(0, 9), 11U);
}

TEST(ConfigurationUnitBlackhole, AConsumerRightBehindWrcfgInsideTheUnitSeesItsResult) {
  // The entry rule spaces them: WRCFG 3, RDCFG 5, and the new word.
  Scenario scenario = one_thread(Arch::blackhole, 0, wrcfg + "\n" + rdcfg);
  scenario.gprs[{0, 0}] = 77;
  EXPECT_EQ(simulate(scenario).gpr(0, 60), 77U);
}

TEST(ConfigurationUnitWormhole, TheCycleAfterRdcfgOrWrcfgBarsTheSlowGroup) {
  // WRCFG 3 of T0; T1's RMWCIB or RDCFG presented in 4 waits until 5; T2's WRCFG does not.
  for (const std::string& first : {wrcfg, rdcfg}) {
    const std::string rest = "NOP\n";
    EXPECT_EQ(simulate(Arch::wormhole, {first, rest + rmwcib, ""}).cycle_of(1, 1), 5U) << first;
    EXPECT_EQ(simulate(Arch::wormhole, {first, rest + rdcfg, ""}).cycle_of(1, 1), 5U) << first;
    EXPECT_EQ(simulate(Arch::wormhole, {first, rest + wrcfg, ""}).cycle_of(1, 1), 4U) << first;
    EXPECT_EQ(simulate(Arch::wormhole, {first, rest + setc16, ""}).cycle_of(1, 1), 4U) << first;
  }
  EXPECT_EQ(simulate(Arch::wormhole, {rmwcib, "NOP\n" + rmwcib, ""}).cycle_of(1, 1), 4U);
}

TEST(ConfigurationUnitWormhole, OfSimultaneousRdcfgsOneIsExecutedAndTheOthersAreLost) {
  // Ruling 14. All three pass in 3; T0's is executed.
  Scenario scenario = three_threads(Arch::wormhole, {rdcfg, rdcfg, rdcfg});
  for (unsigned thread = 0; thread < 3; ++thread)
    scenario.gprs[{thread, 60}] = 99;
  const Ran ran = simulate(scenario);
  for (unsigned thread = 0; thread < 3; ++thread)
    EXPECT_EQ(ran.cycles(thread), (Cycles{3}));
  EXPECT_EQ(ran.gpr(0, 60), 0U);
  EXPECT_EQ(ran.gpr(1, 60), 99U);
  EXPECT_EQ(ran.gpr(2, 60), 99U);
  EXPECT_TRUE(ran.reported(Report::Category::rdcfg_dropped));
  EXPECT_EQ(std::ranges::count(ran.outcome.reports, Report::Category::rdcfg_dropped, &Report::category), 2);
}

/// The cycle in which a core's store of cycle 5 (so with the unit from 7 on) lands, while T0 runs `program`: the one
/// before the first load that sees the word.
Cycle landing(Arch arch, const std::string& program) {
  for (Cycle cycle = 6; cycle < 40; ++cycle) {
    Scenario scenario = one_thread(arch, 0, program);
    scenario.actions = {store(5, T1, 0xFFEF0000 + 8 * 4, 3), load(cycle, B, 0xFFEF0000 + 8 * 4, 3)};
    if (simulate(scenario).outcome.failed_expectations.empty()) return cycle - 1;
  }
  return 0;
}

TEST_P(ConfigurationUnit, ACoresStoreWaitsForAFreeCycleOfTheGroup) {
  EXPECT_EQ(landing(GetParam(), ""), 7U);
  // T0's instructions issue in 3 to 12. SETC16 is not of the group and does not delay it.
  EXPECT_EQ(landing(GetParam(), repeat(10, setc16)), 7U);
  EXPECT_EQ(landing(GetParam(), repeat(10, rmwcib)), 13U);
  // WRCFG 3 to 12. Blackhole: stage 0 is taken until 13. Wormhole: 13 is the cycle after a WRCFG.
  EXPECT_EQ(landing(GetParam(), repeat(10, wrcfg)), 14U);
}

}  // namespace
}  // namespace tensim::test
