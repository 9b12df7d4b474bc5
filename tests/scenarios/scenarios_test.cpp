// Every scenario under examples/scenarios is a test of its own expectations, in both ways of running. The patterns are
// compared with their comments instruction by instruction, the deadlocks with what their explanation is made of.
#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "isa/table.hpp"
#include "report/conditions.hpp"
#include "report/expected_texts.hpp"
#include "report/hang.hpp"
#include "scenario/run.hpp"
#include "scenario/scenario.hpp"
#include "tests/places.hpp"
#include "trace/text_trace.hpp"

namespace tensim::scenario {
namespace {

using namespace isa::literals;
using event::Stall;
using insight::Releaser;
using insight::StuckAgent;
using insight::UnmetCondition;
using Reason = Releaser::Reason;
using Cycles = std::vector<Cycle>;

isa::LoadedText contents(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) return {std::nullopt, "no such file"};
  std::ostringstream text;
  text << stream.rdbuf();
  return {text.str(), {}};
}

/// What an explanation has to say is expected of its words.
Outcome ran(const Scenario& scenario, const RunOptions& options = {}) {
  Outcome outcome = scenario::run(scenario, options);
  report::check_texts(scenario, outcome);
  return outcome;
}

Scenario load(const std::string& name) {
  const std::string file = std::string(TENSIM_SCENARIOS) + "/" + name;
  auto parsed = parse_scenario(contents(file).text.value_or("?"), file, contents);
  if (const auto* problem = std::get_if<Problem>(&parsed)) {
    ADD_FAILURE() << problem->text;
    return {};
  }
  return std::get<Scenario>(std::move(parsed));
}

class IssueLog : public event::GateListener {
 public:
  std::array<Cycles, thread_count> cycles;
  void issued(std::uint64_t cycle, unsigned thread, std::uint32_t, std::uint32_t) override {
    cycles[thread].push_back(cycle);
  }
  void held(std::uint64_t, std::uint64_t, unsigned, Stall, std::uint32_t) override {}
};

/// The cycles in which each thread issued.
std::array<Cycles, thread_count> issues(const std::string& name) {
  IssueLog log;
  RunOptions options;
  options.listener = &log;
  EXPECT_EQ(ran(load(name), options).failed_expectations, std::vector<std::string>{});
  return log.cycles;
}

// ---- every file ----

std::vector<std::string> all_scenarios() {
  std::vector<std::string> files;
  const std::filesystem::path root(TENSIM_SCENARIOS);
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root))
    if (entry.path().extension() == ".toml")
      files.push_back(std::filesystem::relative(entry.path(), root).generic_string());
  std::ranges::sort(files);
  return files;
}

class ScenarioFiles : public ::testing::TestWithParam<std::string> {};

TEST_P(ScenarioFiles, MeetsItsExpectationsHoweverItIsRun) {
  const Scenario scenario = load(GetParam());
  ASSERT_TRUE(scenario.expect.outcome.has_value()) << "a scenario here says how it ends";
  const Outcome outcome = ran(scenario);
  EXPECT_EQ(outcome.failed_expectations, std::vector<std::string>{});

  std::vector<RunOptions> others;
  others.push_back({.lockstep = true, .listener = nullptr, .budget = {}});
  others.push_back({.evaluation_order = {2, 0, 1}, .listener = nullptr, .budget = {}});
  others.push_back({.lockstep = true, .evaluation_order = {1, 2, 0}, .listener = nullptr, .budget = {}});
  for (const RunOptions& options : others) {
    const Outcome other = ran(scenario, options);
    EXPECT_EQ(other.failed_expectations, std::vector<std::string>{});
    EXPECT_EQ(other.kind, outcome.kind);
    EXPECT_EQ(other.cycles, outcome.cycles);
    EXPECT_EQ(other.ended_at, outcome.ended_at);
    for (unsigned thread = 0; thread < thread_count; ++thread)
      EXPECT_EQ(other.threads[thread].account, outcome.threads[thread].account) << "T" << thread;
  }
}

INSTANTIATE_TEST_SUITE_P(Examples, ScenarioFiles, ::testing::ValuesIn(all_scenarios()), [](const auto& instance) {
  std::string name = instance.param;
  name.resize(name.size() - std::string_view(".toml").size());
  for (char& letter : name)
    if (std::isalnum(static_cast<unsigned char>(letter)) == 0) letter = '_';
  return name;
});

// ---- the patterns, instruction by instruction ----

TEST(Scenarios, PatternOneWrcfgAfterThcon) {  // W46
  const auto [t0, t1, t2] = issues("patterns/1_wrcfg_after_thcon.toml");
  EXPECT_EQ(t0, (Cycles{3, 4, 5, 7}));
  EXPECT_EQ(t1, (Cycles{23, 24, 34}));
  EXPECT_EQ(t2, (Cycles{3, 4, 5, 6, 12}));
}

TEST(Scenarios, PatternTwoMovd2aAfterSrcValid) {  // W47
  const auto [t0, t1, t2] = issues("patterns/2_movd2a_after_src_valid.toml");
  EXPECT_EQ(t0, (Cycles{3, 5}));
  EXPECT_EQ(t1, (Cycles{3, 4, 14, 15, 16, 18, 19, 22}));
  EXPECT_EQ(t2, Cycles{});
}

TEST(Scenarios, PatternThreeUnpackToDest) {  // W48
  const auto [t0, t1, t2] = issues("patterns/3_unpack_to_dest.toml");
  EXPECT_EQ(t0, (Cycles{3, 5, 7, 16, 17, 22, 24, 33}));
  EXPECT_EQ(t1, (Cycles{4, 18, 20, 21, 22, 35, 37, 38}));
  EXPECT_EQ(t2, Cycles{});
}

TEST(Scenarios, PatternFourMathPack) {  // W49
  const auto [t0, t1, t2] = issues("patterns/4_math_pack.toml");
  EXPECT_EQ(t0, Cycles{});
  EXPECT_EQ(t1, (Cycles{3, 5, 6, 11, 12, 14, 15, 20, 21, 36, 37, 42}));
  EXPECT_EQ(t2, (Cycles{4, 13, 14, 34, 35, 37, 38, 58, 59, 61, 62, 82}));
}

TEST(Scenarios, PatternFivePackBeforeReconfiguration) {  // W50
  EXPECT_EQ(issues("patterns/5_pack_before_reconfiguration.toml")[2], (Cycles{3, 4, 16, 17, 18, 19, 39}));
}

TEST(Scenarios, PatternSixDestFlip) {  // W51
  EXPECT_EQ(issues("patterns/6_dest_flip.toml")[1], (Cycles{3, 4, 5, 9, 10, 11, 12, 16}));
}

TEST(Scenarios, PatternSevenTriscCfg) {  // W52
  const auto [t0, t1, t2] = issues("patterns/7_trisc_cfg.toml");
  EXPECT_EQ(t0, (Cycles{7, 16}));
  EXPECT_EQ(t2, (Cycles{3, 4, 5, 6, 7, 8, 9, 10, 11, 12}));
}

TEST(Scenarios, PatternEightPostAfterCompute) {  // W53
  const auto [t0, t1, t2] = issues("patterns/8_post_after_compute.toml");
  EXPECT_EQ(t1, (Cycles{3, 4, 5, 9, 10, 12}));
  EXPECT_EQ(t2, (Cycles{3, 11}));
}

TEST(Scenarios, ThreeThreadsOverlap) {  // C39
  const auto [t0, t1, t2] = issues("patterns/three_thread_overlap.toml");
  EXPECT_EQ(t0, (Cycles{3, 6, 7, 9, 26, 27, 29, 30, 32, 49, 50, 52, 53, 55, 72, 73, 75, 76, 78, 95}));
  Cycles math;
  const auto tile = [&](Cycles before, Cycle first_sfpmad, Cycles after) {
    math.insert(math.end(), before.begin(), before.end());
    for (Cycle i = 0; i < 8; ++i)
      math.push_back(first_sfpmad + i);
    math.insert(math.end(), after.begin(), after.end());
  };
  tile({4, 28, 30}, 32, {40, 42});
  tile({43, 51, 53}, 55, {63, 65});
  tile({66, 74, 76}, 78, {86, 88});
  tile({89, 97, 98}, 100, {108, 110});
  EXPECT_EQ(t1, math);
  EXPECT_EQ(t2, (Cycles{5, 44, 45, 61, 62, 67, 68, 84, 85, 90, 91, 107, 109, 112, 113, 129}));
}

TEST(Scenarios, TraceNamesThreadInstructionAndReasonOfEveryCycle) {  // W56
  const Scenario scenario = load("patterns/8_post_after_compute.toml");
  for (const bool lockstep : {false, true}) {
    std::vector<std::string> of_pack;
    trace::TextTrace trace(scenario.arch, [&](const std::string& line) {
      if (line.find("  T2  ") != std::string::npos) of_pack.push_back(line);
    });
    ran(scenario, {.lockstep = lockstep, .listener = &trace, .budget = {}});
    ASSERT_EQ(of_pack.size(), 9U);
    EXPECT_EQ(of_pack.front(), "       3  T2  SEMWAIT block=STALL_TDMA, sem=MATH_PACK, cond=STALL_ON_ZERO\n");
    for (std::size_t i = 1; i < 8; ++i)
      EXPECT_EQ(of_pack[i],
                (i + 3 < 10 ? "       " : "      ") + std::to_string(i + 3) + "  T2  -- latched_wait: PACR Last=1\n");
    EXPECT_EQ(of_pack.back(), "      11  T2  PACR Last=1\n");
  }
}

// ---- the deadlocks, by what their explanation is made of ----

std::vector<std::string> names(const Outcome& outcome) {
  std::vector<std::string> names;
  for (const StuckAgent& agent : outcome.graph.agents)
    names.push_back(report::name(agent.agent));
  return names;
}

const StuckAgent& agent(const Outcome& outcome, std::string_view name) {
  static const StuckAgent none;
  const auto found = std::ranges::find_if(outcome.graph.agents,
                                          [&](const StuckAgent& stuck) { return report::name(stuck.agent) == name; });
  if (found != outcome.graph.agents.end()) return *found;
  ADD_FAILURE() << name << " is not stuck";
  return none;
}

/// The one condition, with the one releaser, of an agent that has no more.
const Releaser& only_releaser(const StuckAgent& agent) {
  static const Releaser none;
  EXPECT_EQ(agent.unmet.size(), 1U) << report::name(agent.agent);
  if (agent.unmet.empty()) return none;
  EXPECT_EQ(agent.unmet.front().releasers.size(), 1U) << report::name(agent.agent);
  return agent.unmet.front().releasers.front();
}

std::uint8_t opcode(const std::optional<tensix::Entry>& entry) {
  return entry ? isa::opcode_of(entry->word) : std::uint8_t{0};
}

using Names = std::vector<std::string>;
using Rings = std::vector<std::vector<unsigned>>;

/// By the numbers of their threads.
Rings rings(const Outcome& outcome) {
  Rings found;
  for (const auto& ring : outcome.graph.cycles) {
    found.emplace_back();
    for (const insight::Agent& member : ring) {
      EXPECT_EQ(member.kind, insight::Agent::Kind::thread);
      found.back().push_back(member.number.value_or(9));
    }
  }
  return found;
}

/// What the releaser itself waits for.
std::string waits_for(const Releaser& releaser) {
  return releaser.waits_for ? report::text_of(Arch::blackhole, *releaser.waits_for).what : "";
}
/// The first thing that an agent waits for.
report::ConditionText first_text(const StuckAgent& agent) {
  return report::text_of(Arch::blackhole, agent.unmet.front().condition);
}

TEST(Deadlocks, MissingSempost) {  // M11
  const Outcome outcome = ran(load("deadlocks/missing_sempost.toml"));
  EXPECT_EQ(names(outcome), (Names{"T2"}));
  const StuckAgent& pack = agent(outcome, "T2");
  EXPECT_EQ(pack.stall, Stall::latched_wait);
  EXPECT_EQ(isa::opcode_of(pack.instruction.word), "PACR"_op);
  EXPECT_EQ(opcode(pack.latched_by), "SEMWAIT"_op);
  EXPECT_TRUE(pack.for_ever);
  EXPECT_EQ(only_releaser(pack).reason, Reason::none_left);
  EXPECT_EQ(rings(outcome), Rings{});
  EXPECT_TRUE(outcome.graph.partial) << "T0 and T1 have finished";
}

TEST(Deadlocks, MaximumOfZero) {  // M11
  const Outcome outcome = ran(load("deadlocks/max_zero.toml"));
  EXPECT_EQ(names(outcome), (Names{"T1", "T2"}));
  EXPECT_EQ(only_releaser(agent(outcome, "T1")).reason, Reason::none_left) << "a SEMGET is left, but does not help";
  const Releaser& math = only_releaser(agent(outcome, "T2"));
  EXPECT_EQ(math.reason, Reason::stuck);
  EXPECT_EQ(math.thread, 1U);
  EXPECT_EQ(opcode(math.instruction), "SEMPOST"_op);
  EXPECT_EQ(opcode(math.held_at), "MVMUL"_op);
  EXPECT_EQ(waits_for(math), "semaphore 1 (MATH_PACK) must fall below its maximum");
  EXPECT_EQ(rings(outcome), Rings{});
}

TEST(Deadlocks, InvalidMutex) {  // M8, M10, M11
  const Outcome outcome = ran(load("deadlocks/invalid_mutex.toml"));
  EXPECT_EQ(names(outcome), (Names{"T0"}));
  const StuckAgent& stuck = agent(outcome, "T0");
  EXPECT_EQ(stuck.stall, Stall::mutex_invalid);
  EXPECT_EQ(isa::opcode_of(stuck.instruction.word), "ATGETM"_op);
  EXPECT_FALSE(stuck.latched_by.has_value());
  EXPECT_EQ(only_releaser(stuck).reason, Reason::never);
  EXPECT_TRUE(stuck.for_ever);
  EXPECT_TRUE(outcome.graph.partial);
  EXPECT_EQ(outcome.threads[1].issued, 5U) << "the other thread runs on";
}

TEST(Deadlocks, ReleaseOfAnInvalidMutex) {  // M9, M11
  const Outcome outcome = ran(load("deadlocks/atrelm_invalid_mutex.toml"));
  const StuckAgent& stuck = agent(outcome, "T2");
  EXPECT_EQ(stuck.stall, Stall::mutex_invalid);
  EXPECT_EQ(isa::opcode_of(stuck.instruction.word), "ATRELM"_op);
  EXPECT_EQ(only_releaser(stuck).reason, Reason::never);
}

TEST(Deadlocks, TwoMutexesInOppositeOrder) {  // M11
  const Outcome outcome = ran(load("deadlocks/mutex_cycle.toml"));
  EXPECT_EQ(names(outcome), (Names{"T0", "T1"}));
  for (unsigned thread = 0; thread < 2; ++thread) {
    const StuckAgent& stuck = outcome.graph.agents.at(thread);
    EXPECT_EQ(stuck.stall, Stall::mutex_held);
    EXPECT_TRUE(stuck.for_ever);
    const Releaser& owner = only_releaser(stuck);
    EXPECT_EQ(owner.reason, Reason::stuck);
    EXPECT_EQ(owner.thread, 1 - thread);
    EXPECT_EQ(opcode(owner.instruction), "ATRELM"_op);
    EXPECT_EQ(opcode(owner.held_at), "ATGETM"_op);
  }
  EXPECT_EQ(first_text(agent(outcome, "T0")).state, "T1 holds it");
  EXPECT_EQ(rings(outcome), (Rings{{0, 1}}));
}

TEST(Deadlocks, MutexThatItsOwnerForgot) {  // M11
  const Outcome outcome = ran(load("deadlocks/mutex_never_released.toml"));
  EXPECT_EQ(names(outcome), (Names{"T1", "T2"}));
  for (const StuckAgent& stuck : outcome.graph.agents) {
    EXPECT_EQ(stuck.stall, Stall::mutex_held);
    EXPECT_EQ(only_releaser(stuck).reason, Reason::none_left);
    EXPECT_EQ(only_releaser(stuck).thread, 0U);
  }
  EXPECT_EQ(rings(outcome), Rings{});
}

TEST(Deadlocks, MutexWhoseOwnerWaits) {  // M11
  const Outcome outcome = ran(load("deadlocks/mutex_owner_stuck.toml"));
  EXPECT_EQ(agent(outcome, "T0").stall, Stall::latched_wait);
  const Releaser& owner = only_releaser(agent(outcome, "T1"));
  EXPECT_EQ(owner.reason, Reason::stuck);
  EXPECT_EQ(owner.thread, 0U);
  EXPECT_EQ(waits_for(owner), "semaphore 0 (FPU_SFPU) must rise above 0");
  EXPECT_EQ(rings(outcome), (Rings{{0, 1}}));
}

TEST(Deadlocks, MvmulWithoutSrc) {  // M11, W55
  const Outcome outcome = ran(load("deadlocks/mvmul_without_src.toml"));
  EXPECT_EQ(names(outcome), (Names{"T1"}));
  const StuckAgent& math = agent(outcome, "T1");
  EXPECT_EQ(math.stall, Stall::src_a_not_valid);
  EXPECT_EQ(only_releaser(math).reason, Reason::none_left) << "an UNPACR that keeps its bank does not count";
  EXPECT_TRUE(outcome.graph.partial);
}

TEST(Deadlocks, SemwaitThatHoldsItsOwnSempost) {  // M11
  const Outcome outcome = ran(load("deadlocks/semwait_blocks_own_sempost.toml"));
  const StuckAgent& stuck = agent(outcome, "T0");
  EXPECT_EQ(only_releaser(stuck).reason, Reason::behind_itself);
  EXPECT_EQ(only_releaser(stuck).instruction, stuck.instruction);
  EXPECT_TRUE(stuck.for_ever);
  EXPECT_EQ(rings(outcome), (Rings{{0}}));
  EXPECT_FALSE(outcome.graph.partial) << "T1 and T2 have no program";
}

TEST(Deadlocks, SemwaitBeforeItsOwnSempost) {  // M11
  const Outcome outcome = ran(load("deadlocks/semwait_before_own_sempost.toml"));
  const StuckAgent& stuck = agent(outcome, "T0");
  EXPECT_EQ(isa::opcode_of(stuck.instruction.word), "SETC16"_op);
  EXPECT_EQ(only_releaser(stuck).reason, Reason::behind_itself);
  EXPECT_EQ(opcode(only_releaser(stuck).instruction), "SEMPOST"_op);
  EXPECT_EQ(rings(outcome), (Rings{{0}}));
}

TEST(Deadlocks, TwoFaultsAtOnce) {  // M11
  const Outcome outcome = ran(load("deadlocks/chain.toml"));
  EXPECT_EQ(names(outcome), (Names{"T0", "T1", "T2"}));
  EXPECT_EQ(only_releaser(agent(outcome, "T0")).reason, Reason::never);
  EXPECT_EQ(only_releaser(agent(outcome, "T1")).reason, Reason::behind_itself);
  const Releaser& math = only_releaser(agent(outcome, "T2"));
  EXPECT_EQ(math.reason, Reason::stuck);
  EXPECT_EQ(math.thread, 1U);
  EXPECT_EQ(rings(outcome), (Rings{{1}}));
  EXPECT_FALSE(outcome.graph.partial);
  EXPECT_TRUE(std::ranges::all_of(outcome.graph.agents, &StuckAgent::for_ever));
}

TEST(Deadlocks, RingBesideABusyThread) {  // M11
  const Outcome outcome = ran(load("deadlocks/partial_beside_busy.toml"));
  EXPECT_EQ(outcome.kind, OutcomeKind::budget_exhausted);
  EXPECT_EQ(names(outcome), (Names{"T0", "T1"}));
  EXPECT_TRUE(std::ranges::all_of(outcome.graph.agents, &StuckAgent::for_ever));
  EXPECT_TRUE(outcome.graph.partial);
  EXPECT_EQ(rings(outcome), (Rings{{0, 1}}));
}

TEST(Deadlocks, WhatMayStillComeIsNotADeadlock) {
  // The same, but the busy thread will post in the end: while that is possible nothing is reported.
  Scenario scenario = load("deadlocks/partial_beside_busy.toml");
  const isa::Assembly post = isa::assemble(scenario.arch, "SEMPOST sem=FPU_SFPU", "test");
  scenario.threads[2].words.push_back(post.words.front());
  scenario.threads[2].words.back().file = 0;
  scenario.expect = {};
  Outcome outcome = ran(scenario);
  EXPECT_EQ(outcome.kind, OutcomeKind::budget_exhausted);
  EXPECT_EQ(names(outcome), Names{});
  EXPECT_FALSE(outcome.graph.partial);
  // With time enough it does come.
  outcome = ran(scenario, {.listener = nullptr, .budget = 10'000});
  EXPECT_EQ(outcome.kind, OutcomeKind::finished);

  // So it is if a core will do it.
  scenario = load("deadlocks/partial_beside_busy.toml");
  scenario.expect = {};
  scenario.actions.push_back({.cycle = 600, .core = T1, .address = 0xFFE80020, .value = 0});
  EXPECT_EQ(names(ran(scenario)), Names{});
  EXPECT_EQ(ran(scenario, {.listener = nullptr, .budget = 10'000}).kind, OutcomeKind::finished);
}

TEST(Deadlocks, NoBudgetCutsARunningExchangeIntoADeadlock) {
  // Wherever a healthy run is stopped, nobody in it waits for ever.
  for (const std::string& name : all_scenarios()) {
    Scenario scenario = load(name);
    if (scenario.expect.outcome != OutcomeKind::finished) continue;
    scenario.expect = {};
    const Cycle end = ran(scenario).ended_at;
    for (Cycle budget = 1; budget < end; ++budget) {
      const Outcome outcome = ran(scenario, {.listener = nullptr, .budget = budget});
      EXPECT_EQ(outcome.kind, OutcomeKind::budget_exhausted) << name;
      EXPECT_EQ(names(outcome), Names{}) << name << ", stopped after " << budget;
    }
  }
}

TEST(Deadlocks, UnpacrStuckInItsTransfer) {  // M11, W55
  const Outcome outcome = ran(load("deadlocks/unpacr_stuck.toml"));
  EXPECT_EQ(names(outcome), (Names{"unpacker 0"}));
  const StuckAgent& unpacker = agent(outcome, "unpacker 0");
  EXPECT_TRUE(unpacker.agent == insight::Agent::of_unpacker(0));
  EXPECT_EQ(unpacker.thread, 0U);
  EXPECT_EQ(only_releaser(unpacker).reason, Reason::none_left);
  EXPECT_TRUE(unpacker.for_ever);
  EXPECT_TRUE(outcome.graph.partial) << "the thread itself has finished";
}

TEST(Deadlocks, RingThroughAnUnpacker) {  // M11
  const Outcome outcome = ran(load("deadlocks/unpacr_ring.toml"));
  EXPECT_EQ(names(outcome), (Names{"T0", "T1", "unpacker 0"}));
  EXPECT_EQ(agent(outcome, "T0").stall, Stall::unit_busy);
  const Releaser& job = only_releaser(agent(outcome, "T0"));
  EXPECT_EQ(job.reason, Reason::stuck);
  EXPECT_EQ(job.unpacker, 0U);
  EXPECT_EQ(waits_for(job), "the unpackers must own SrcA bank 0");
  const Releaser& unpack = only_releaser(agent(outcome, "T1"));
  EXPECT_EQ(unpack.thread, 0U);
  EXPECT_EQ(opcode(unpack.held_at), "UNPACR"_op);
  const Releaser& math = only_releaser(agent(outcome, "unpacker 0"));
  EXPECT_EQ(math.thread, 1U);
  EXPECT_EQ(opcode(math.instruction), "CLEARDVALID"_op);
  EXPECT_EQ(rings(outcome), (Rings{{0, 1}}));
}

TEST(Deadlocks, WaitForAStuckUnpacker) {  // M11
  const Outcome outcome = ran(load("deadlocks/drain_of_stuck_unpacker.toml"));
  EXPECT_EQ(names(outcome), (Names{"T0", "unpacker 0"}));
  const StuckAgent& thread = agent(outcome, "T0");
  EXPECT_EQ(thread.stall, Stall::latched_wait);
  EXPECT_EQ(opcode(thread.latched_by), "STALLWAIT"_op);
  EXPECT_EQ(first_text(thread).what, "UNPACK0 must end") << "UNPACK1 is selected too, but holds nothing up";
  EXPECT_EQ(only_releaser(thread).unpacker, 0U);
  EXPECT_EQ(only_releaser(agent(outcome, "unpacker 0")).reason, Reason::none_left);
}

TEST(Deadlocks, RingOfThree) {  // M11
  const Outcome outcome = ran(load("deadlocks/ring_of_three.toml"));
  EXPECT_EQ(names(outcome), (Names{"T0", "T1", "T2"}));
  const std::array<unsigned, 3> awaited{2, 0, 1};
  for (unsigned thread = 0; thread < thread_count; ++thread) {
    const Releaser& releaser = only_releaser(outcome.graph.agents.at(thread));
    EXPECT_EQ(releaser.reason, Reason::stuck);
    EXPECT_EQ(releaser.thread, awaited[thread]);
  }
  EXPECT_EQ(rings(outcome), (Rings{{0, 2, 1}}));
  EXPECT_FALSE(outcome.graph.partial);
}

TEST(Deadlocks, CoreHangsOnAnotherThreadsBuffer) {  // C23, M11
  const Outcome outcome = ran(load("deadlocks/core_hangs_on_foreign_buffer.toml"));
  ASSERT_EQ(outcome.stuck_cores.size(), 1U);
  EXPECT_EQ(outcome.stuck_cores.front().core, tile::CoreId::trisc1);
  EXPECT_EQ(outcome.stuck_cores.front().scripted->wait, tile::Wait::for_ever);
  EXPECT_FALSE(outcome.core_fault.has_value());
  const Releaser& core = only_releaser(agent(outcome, "T2"));
  EXPECT_EQ(core.reason, Reason::stuck);
  EXPECT_EQ(core.core, tile::CoreId::trisc1);
  EXPECT_FALSE(core.thread.has_value());
}

TEST(Deadlocks, AHangingCoreIsADeadlockThoughAllThreadsFinish) {  // C23
  Scenario scenario = load("deadlocks/core_hangs_on_foreign_buffer.toml");
  scenario.threads = {};
  scenario.expect = {};
  const Outcome outcome = ran(scenario);
  EXPECT_EQ(outcome.kind, OutcomeKind::deadlocked);
  EXPECT_EQ(names(outcome), Names{});
  EXPECT_EQ(outcome.stuck_cores.size(), 1U);
  EXPECT_FALSE(outcome.graph.partial) << "no thread had anything to do";
  // A thread that has finished counts.
  scenario.threads[0].words = isa::assemble(scenario.arch, "NOP", "test").words;
  EXPECT_TRUE(ran(scenario).graph.partial);
}

TEST(Deadlocks, CoreBehindAFullFifo) {  // C20, M11
  const Outcome outcome = ran(load("deadlocks/core_behind_full_fifo.toml"));
  ASSERT_EQ(outcome.stuck_cores.size(), 1U);
  EXPECT_EQ(outcome.stuck_cores.front().core, tile::CoreId::trisc0);
  EXPECT_NE(outcome.stuck_cores.front().scripted->wait, tile::Wait::for_ever);
  EXPECT_LT(outcome.ended_at, 100U) << "proven, not timed out";
  EXPECT_EQ(only_releaser(agent(outcome, "T0")).core, tile::CoreId::trisc0);

  // Another core frees the thread: the stalled store goes on, and nothing was lost.
  Scenario scenario = load("deadlocks/core_behind_full_fifo.toml");
  scenario.expect = {};
  scenario.actions.push_back({.cycle = 60, .core = T1, .address = 0xFFE80034, .value = 0});
  const Outcome freed = ran(scenario);
  EXPECT_EQ(freed.kind, OutcomeKind::finished);
  EXPECT_EQ(freed.threads[0].issued, 1U + 29 + 1);
}

}  // namespace
}  // namespace tensim::scenario
