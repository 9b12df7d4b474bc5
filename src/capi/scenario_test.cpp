#include "tensim/scenario.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/support/c_scenario.hpp"

namespace tensim::test {
namespace {

constexpr std::string_view waits_for_ever = R"(
[T0]
program = "SEMWAIT block=STALL_SYNC, sem=2, cond=STALL_ON_ZERO\nSEMGET sem=2\n"
[expect]
outcome = "deadlocked"
)";

TEST(CApiScenario, ProgramsRunAndLeaveTheirMemory) {
  const Parsed parsed = small_scenario();
  ASSERT_EQ(parsed.status, TENSIM_OK) << parsed.problem;
  EXPECT_EQ(tensim_scenario_runs_cores(parsed.scenario.get()), 1);
  EXPECT_EQ(tensim_scenario_arch(parsed.scenario.get()), TENSIM_BLACKHOLE);
  const CResult result = run(parsed.scenario);
  EXPECT_EQ(tensim_result_outcome(result.get()), TENSIM_FINISHED);
  EXPECT_GT(tensim_result_cycles(result.get()), 3U);
  std::uint32_t word = 0;
  EXPECT_EQ(tensim_result_read(result.get(), 0x20004, &word, sizeof word), TENSIM_OK);
  EXPECT_EQ(word, 7U);
  const std::size_t size = tensim_result_memory_size(result.get());
  EXPECT_GT(size, 0x20004U);
  EXPECT_EQ(tensim_result_read(result.get(), static_cast<std::uint32_t>(size) - 2, &word, 4), TENSIM_BAD_ARGUMENT);
  EXPECT_EQ(tensim_result_read(result.get(), 0, &word, size + 1), TENSIM_BAD_ARGUMENT);
  EXPECT_EQ(tensim_result_read(result.get(), 0, nullptr, 4), TENSIM_BAD_ARGUMENT);
}

TEST(CApiScenario, AnExpectedDeadlockIsExplainedAndExpected) {
  const Parsed parsed = parse_scenario(waits_for_ever);
  ASSERT_EQ(parsed.status, TENSIM_OK) << parsed.problem;
  const CResult result = run(parsed.scenario);
  EXPECT_EQ(tensim_result_outcome(result.get()), TENSIM_DEADLOCKED);
  EXPECT_EQ(tensim_result_is_expected(result.get()), 1);
  EXPECT_EQ(tensim_result_failed_expectations(result.get()), 0U);
  EXPECT_EQ(tensim_result_memory_size(result.get()), 0U);
  EXPECT_NE(report_of(result).find("nobody will come"), std::string::npos);
  EXPECT_EQ(nlohmann::json::parse(report_of(result, TENSIM_JSON))["outcome"], "deadlocked");
}

TEST(CApiScenario, ARecordingThatNeverGotItsWordsIsANoteWithItsLine) {
  const Parsed parsed = parse_scenario("[T0]\nprogram = \"\"\"\nREPLAY Load=1, Count=3\nNOP\n\"\"\"\n");
  ASSERT_EQ(parsed.status, TENSIM_OK) << parsed.problem;
  const CResult result = run(parsed.scenario);
  EXPECT_EQ(tensim_result_outcome(result.get()), TENSIM_FINISHED);
  const std::string note =
      "REPLAY Count=3, Load=1 (line 3): its recording is still open: 2 more words would have to come";
  EXPECT_NE(report_of(result).find(note), std::string::npos) << report_of(result);
  const auto notes = nlohmann::json::parse(report_of(result, TENSIM_JSON))["reports"];
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_NE(notes[0].get<std::string>().find(note), std::string::npos);
}

TEST(CApiScenario, ARecordingThatACoreLeavesOpenIsANoteToo) {
  using namespace rv;
  const std::vector<Word> words{lui(a0, 0xFFE40), lui(a1, 0x04000), addi(a1, a1, 0x31), sw(a1, a0, 0), here};
  const std::string program(reinterpret_cast<const char*>(words.data()), 4 * words.size());
  const Parsed parsed = parse_scenario("[cores]\nbrisc = { raw = \"code\", address = 0 }\n", {{"code", program}});
  ASSERT_EQ(parsed.status, TENSIM_OK) << parsed.problem;
  const std::string report = report_of(run(parsed.scenario));
  EXPECT_NE(report.find("its recording is still open: 3 more words would have to come"), std::string::npos) << report;
}

TEST(CApiScenario, FailedExpectationsAreCounted) {
  const Parsed parsed = parse_scenario("[T0]\nprogram = \"ttnop\"\n[expect]\ncycles = 1000\n");
  ASSERT_EQ(parsed.status, TENSIM_OK) << parsed.problem;
  const CResult result = run(parsed.scenario);
  EXPECT_EQ(tensim_result_is_expected(result.get()), 0) << "it names no outcome";
  EXPECT_EQ(tensim_result_failed_expectations(result.get()), 1U);
}

TEST(CApiScenario, WhatIsWrongWithATextIsSaidWithItsLine) {
  const Parsed parsed = parse_scenario("budgets = 1");
  EXPECT_EQ(parsed.status, TENSIM_BAD_INPUT);
  EXPECT_EQ(parsed.scenario, nullptr);
  EXPECT_EQ(parsed.problem, "test.toml:1:1: scenario has no 'budgets'; did you mean 'budget'?");
  EXPECT_NE(parse_scenario("[cores]\nbrisc = { raw = \"code\", address = 0 }\n").problem.find("no such file"),
            std::string::npos);
}

TEST(CApiScenario, WhereAProblemIsIsSaidInNumbersToo) {
  constexpr std::string_view text = "title = \"x\"\n  budgets = 1";
  tensim_scenario* scenario = nullptr;
  CText problem;
  EXPECT_EQ(tensim_scenario_parse(text.data(), text.size(), "test.toml", nullptr, nullptr, &scenario, problem.place()),
            TENSIM_BAD_INPUT);
  EXPECT_STREQ(tensim_text_file(problem.get()), "test.toml");
  EXPECT_EQ(tensim_text_line(problem.get()), 2U);
  EXPECT_EQ(tensim_text_column(problem.get()), 3U);
}

TEST(CApiScenario, WordsToWaitForAreWordsOfL1) {
  const Parsed parsed = small_scenario();
  EXPECT_EQ(tensim_scenario_add_until(parsed.scenario.get(), "0x17fffc", 1), TENSIM_OK);
  for (const char* word : {"0x180000", "0x20002", "0xffb00000"})
    EXPECT_EQ(tensim_scenario_add_until(parsed.scenario.get(), word, 1), TENSIM_BAD_INPUT) << word;
}

TEST(CApiScenario, WithoutAnyoneToReadFilesThereAreNone) {
  constexpr std::string_view text = "[cores]\nbrisc = { raw = \"code\", address = 0 }\n";
  tensim_scenario* scenario = nullptr;
  CText problem;
  EXPECT_EQ(tensim_scenario_parse(text.data(), text.size(), "t", nullptr, nullptr, &scenario, problem.place()),
            TENSIM_BAD_INPUT);
  EXPECT_TRUE(problem.has("nobody reads files here")) << problem.str();
  EXPECT_EQ(tensim_scenario_parse(text.data(), text.size(), "t", nullptr, nullptr, &scenario, nullptr),
            TENSIM_BAD_INPUT)
      << "nobody wants to know";
}

TEST(CApiScenario, ABudgetEndsARun) {
  const Parsed parsed = small_scenario();
  ASSERT_EQ(tensim_scenario_set_budget(parsed.scenario.get(), 2), TENSIM_OK);
  EXPECT_EQ(tensim_result_outcome(run(parsed.scenario).get()), TENSIM_BUDGET_EXHAUSTED);
}

TEST(CApiScenario, AWordEndsARun) {
  using namespace rv;
  const std::vector<Word> counts{lui(a0, 0x20), addi(a1, a1, 1), sw(a1, a0, 4), fence, jal(zero, -12)};
  const Parsed parsed = parse_scenario("budget = 5000\n[cores]\nbrisc = { raw = \"code\", address = 0 }\n",
                                       {{"code", {reinterpret_cast<const char*>(counts.data()), 4 * counts.size()}}});
  ASSERT_EQ(parsed.status, TENSIM_OK) << parsed.problem;
  EXPECT_EQ(tensim_result_outcome(run(parsed.scenario).get()), TENSIM_BUDGET_EXHAUSTED);
  ASSERT_EQ(tensim_scenario_add_until(parsed.scenario.get(), "0x20004", 10), TENSIM_OK);
  const CResult result = run(parsed.scenario);
  EXPECT_EQ(tensim_result_outcome(result.get()), TENSIM_FINISHED);
  std::uint32_t word = 0;
  EXPECT_EQ(tensim_result_read(result.get(), 0x20004, &word, sizeof word), TENSIM_OK);
  EXPECT_EQ(word, 10U);
  EXPECT_EQ(tensim_scenario_add_until(parsed.scenario.get(), "brisc:nothing", 0), TENSIM_BAD_INPUT);
}

TEST(CApiScenario, ResultsOutliveTheirScenarioAndItsChanges) {
  Parsed parsed = small_scenario("[expect]\noutcome = \"finished\"\n");
  const CResult result = run(parsed.scenario);
  const std::string before = report_of(result);
  ASSERT_EQ(tensim_scenario_set_fill(parsed.scenario.get(), "ones"), TENSIM_OK);
  parsed.scenario.reset();
  EXPECT_EQ(report_of(result), before);
  EXPECT_EQ(tensim_result_is_expected(result.get()), 1);
}

TEST(CApiScenario, TheFillIsOneOfThree) {
  const Parsed parsed = small_scenario();
  for (const char* fill : {"zero", "ones", "random:7"})
    EXPECT_EQ(tensim_scenario_set_fill(parsed.scenario.get(), fill), TENSIM_OK) << fill;
  EXPECT_EQ(tensim_scenario_set_fill(parsed.scenario.get(), "twos"), TENSIM_BAD_INPUT);
  EXPECT_EQ(tensim_scenario_set_fill(parsed.scenario.get(), nullptr), TENSIM_BAD_ARGUMENT);
}

TEST(CApiScenario, ATraceHasALinePerCycleAndChangesNothing) {
  const Parsed parsed = parse_scenario(waits_for_ever);
  CText trace;
  ASSERT_EQ(tensim_text_create(trace.place()), TENSIM_OK);
  tensim_run_options options{};
  options.size = sizeof options;
  options.lockstep = 1;
  options.trace = tensim_write_to_text;
  options.trace_context = trace.get();
  EXPECT_EQ(report_of(run(parsed.scenario, &options)), report_of(run(parsed.scenario)));
  EXPECT_TRUE(trace.has("SEMWAIT")) << trace.str();
}

TEST(CApiScenario, WhatIsNoProgramIsNotTaken) {
  tensim_scenario* made = nullptr;
  ASSERT_EQ(tensim_scenario_create(TENSIM_WORMHOLE, &made), TENSIM_OK);
  const CScenario scenario(made, tensim_scenario_free);
  CText problem;
  EXPECT_EQ(tensim_scenario_add_program(made, TENSIM_BRISC, "not an ELF", 10, nullptr, 0, problem.place()),
            TENSIM_BAD_ELF);
  EXPECT_NE(problem.str(), "");
  EXPECT_EQ(tensim_scenario_add_program(made, TENSIM_BRISC, nullptr, 0, nullptr, 0, nullptr), TENSIM_BAD_ARGUMENT);
  EXPECT_EQ(tensim_scenario_runs_cores(made), 0);
  EXPECT_EQ(tensim_scenario_arch(made), TENSIM_WORMHOLE);
}

TEST(CApiScenario, NothingIsABadArgument) {
  tensim_result* result = nullptr;
  CText text;
  EXPECT_EQ(tensim_scenario_run(nullptr, nullptr, &result), TENSIM_BAD_ARGUMENT);
  EXPECT_EQ(tensim_result_report(nullptr, TENSIM_PLAIN, text.place()), TENSIM_BAD_ARGUMENT);
  EXPECT_EQ(tensim_scenario_set_budget(nullptr, 1), TENSIM_BAD_ARGUMENT);
  EXPECT_EQ(tensim_result_outcome(nullptr), TENSIM_RUNNING);
  EXPECT_EQ(tensim_result_cycles(nullptr), 0U);
  EXPECT_EQ(tensim_result_read(nullptr, 0, nullptr, 0), TENSIM_BAD_ARGUMENT);
  tensim_result_free(nullptr);
  tensim_scenario_free(nullptr);
}

}  // namespace
}  // namespace tensim::test
