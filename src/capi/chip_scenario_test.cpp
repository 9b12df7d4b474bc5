// Scenarios of several tiles through the C interface.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/support/c_scenario.hpp"

namespace tensim::test {
namespace {

Parsed two_tiles(const std::string& more = "") {
  return parse_scenario("[[tile]]\nat = \"0-1,0\"\ncores.brisc = { raw = \"code\", address = 0 }\n" + more,
                        {{"code", small_program()}});
}

std::uint32_t word_of(const CResult& result, std::uint32_t x, std::uint32_t y) {
  std::uint32_t word = 0;
  EXPECT_EQ(tensim_result_read_tile(result.get(), x, y, 0x20004, &word, sizeof word), TENSIM_OK);
  return word;
}

TEST(ChipScenarioC, RunsAndSaysOfEachTileHowItEnded) {
  const Parsed parsed = two_tiles();
  ASSERT_EQ(parsed.status, TENSIM_OK) << parsed.problem;
  EXPECT_EQ(tensim_scenario_runs_chip(parsed.scenario.get()), 1);
  EXPECT_EQ(tensim_scenario_runs_cores(parsed.scenario.get()), 1);
  const CResult result = run(parsed.scenario);
  EXPECT_EQ(tensim_result_outcome(result.get()), TENSIM_FINISHED);
  EXPECT_EQ(tensim_result_tile_outcome(result.get(), 1, 0), TENSIM_FINISHED);
  EXPECT_EQ(tensim_result_tile_outcome(result.get(), 2, 0), TENSIM_RUNNING) << "nobody has touched it";
  EXPECT_EQ(word_of(result, 1, 0), 7U);
  EXPECT_EQ(word_of(result, 2, 0), 0U);
  std::uint32_t word = 0;
  EXPECT_EQ(tensim_result_read_tile(result.get(), 14, 0, 0, &word, sizeof word), TENSIM_BAD_ARGUMENT);
  EXPECT_EQ(tensim_result_read_tile(result.get(), 0, 0, 0xFFFF'FFFE, &word, sizeof word), TENSIM_BAD_ARGUMENT);
  EXPECT_EQ(tensim_result_read(result.get(), 0, &word, sizeof word), TENSIM_BAD_ARGUMENT);
}

TEST(ChipScenarioC, TheReportListsTiles) {
  const CResult result = run(two_tiles().scenario);
  EXPECT_NE(report_of(result).find("tiles 0-1,0: finished after"), std::string::npos) << report_of(result);
  const auto document = nlohmann::json::parse(report_of(result, TENSIM_JSON));
  EXPECT_EQ(document["schema"], "tensim.chip_run/1");
  ASSERT_EQ(document["tiles"].size(), 2U);
  EXPECT_EQ(document["tiles"][1]["at"], (nlohmann::json{1, 0}));
  EXPECT_EQ(document["tiles"][1]["outcome"], "finished");
}

TEST(ChipScenarioC, IsMadeOfProgramsMemoryAndDram) {
  tensim_scenario* made = nullptr;
  ASSERT_EQ(tensim_scenario_create(TENSIM_WORMHOLE, &made), TENSIM_OK);
  const CScenario scenario(made, tensim_scenario_free);
  CText problem;
  EXPECT_EQ(tensim_scenario_set_chip(made, "p150", problem.place()), TENSIM_BAD_INPUT);
  EXPECT_EQ(problem.str(), "p150 is a blackhole, not a wormhole");
  ASSERT_EQ(tensim_scenario_set_chip(made, "n300", nullptr), TENSIM_OK);
  const std::uint32_t seven = 7;
  ASSERT_EQ(tensim_scenario_add_tile_memory(made, "0-1,0", 0x20004, &seven, sizeof seven, nullptr), TENSIM_OK);
  EXPECT_EQ(tensim_scenario_add_tile_memory(made, "0,8", 0x20004, &seven, sizeof seven, problem.place()),
            TENSIM_BAD_INPUT);
  EXPECT_EQ(problem.str(), "the chip has no tile 0,8: its Tensix tiles that work are counted from 0,0 to 7,7");
  EXPECT_EQ(tensim_scenario_add_tile_until(made, "1,0", "0x20004", 7, nullptr), TENSIM_OK);
  EXPECT_EQ(tensim_scenario_add_tile_until(made, "1,0", "brisc:x", 7, nullptr), TENSIM_BAD_INPUT);
  ASSERT_EQ(tensim_scenario_add_dram(made, 11, 0x10, &seven, sizeof seven, nullptr), TENSIM_OK);
  EXPECT_EQ(tensim_scenario_add_dram(made, 12, 0x10, &seven, sizeof seven, nullptr), TENSIM_BAD_INPUT);
  EXPECT_EQ(tensim_scenario_add_dram(made, 0, 0x3FFF'FFFE, &seven, sizeof seven, nullptr), TENSIM_BAD_INPUT);
  const CResult result = run(scenario);
  EXPECT_EQ(tensim_result_outcome(result.get()), TENSIM_FINISHED);
  EXPECT_EQ(word_of(result, 0, 0), 7U);
  std::uint32_t word = 0;
  ASSERT_EQ(tensim_result_read_dram(result.get(), 11, 0x10, &word, sizeof word), TENSIM_OK);
  EXPECT_EQ(word, 7U);
  EXPECT_EQ(tensim_result_read_dram(result.get(), 12, 0, &word, sizeof word), TENSIM_BAD_ARGUMENT);
}

TEST(ChipScenarioC, WhatIsNotThereForSeveralTilesIsRefused) {
  const Parsed parsed = two_tiles();
  EXPECT_EQ(tensim_scenario_add_until(parsed.scenario.get(), "0x20004", 7), TENSIM_BAD_ARGUMENT);
  const Parsed one = small_scenario();
  EXPECT_EQ(tensim_scenario_runs_chip(one.scenario.get()), 0);
  EXPECT_EQ(tensim_scenario_set_chip(one.scenario.get(), "p150", nullptr), TENSIM_BAD_ARGUMENT) << "it has programs";
  EXPECT_EQ(tensim_result_tile_outcome(run(one.scenario).get(), 0, 0), TENSIM_RUNNING);
}

}  // namespace
}  // namespace tensim::test
