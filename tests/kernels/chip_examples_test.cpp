// The examples on several tiles, on both chips: each meets its expectations, in windows and in lock-step.
#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <numeric>

#include <gtest/gtest.h>

#include "noc/workers.hpp"
#include "report/chip_run.hpp"
#include "scenario/chip_run.hpp"
#include "tests/places.hpp"
#include "tests/support/load_file.hpp"

namespace tensim {
namespace {

using scenario::ChipRun;
using scenario::OutcomeKind;
using scenario::Scenario;

/// With the paths of this build, wherever it is.
Scenario read_example(const std::string& name) {
  const std::string file = TENSIM_SCENARIOS "/../guest/" + name + ".toml";
  std::string text = load_file(file).text.value();
  constexpr std::string_view build = "../../../build/examples/guest";
  for (std::size_t at = text.find(build); at != std::string::npos; at = text.find(build, at + 1))
    text.replace(at, build.size(), TENSIM_GUEST_EXAMPLES);
  auto parsed = scenario::parse_scenario(text, file, load_file);
  if (const auto* problem = std::get_if<scenario::Problem>(&parsed)) throw std::runtime_error(problem->text);
  return std::get<Scenario>(std::move(parsed));
}

ChipRun run(const std::string& name, bool lockstep = true) {
  const Scenario read = read_example(name);
  ChipRun run = run_chip(read, {.lockstep = lockstep});
  EXPECT_EQ(run.failed_expectations, std::vector<std::string>{}) << name;
  for (const scenario::TileResult& tile : run.tiles)
    EXPECT_EQ(tile.outcome.failed_expectations, std::vector<std::string>{})
        << name << " " << tile.at.x << "," << tile.at.y;
  return run;
}

std::uint32_t word(const ChipRun& run, noc::Coordinates at, std::uint32_t address) {
  std::uint32_t value = 0;
  run.chip->find(*noc::worker(run.chip->plan(), at))->tile->read(address, reinterpret_cast<std::uint8_t*>(&value), 4);
  return value;
}

class ChipExamples : public ::testing::TestWithParam<Arch> {
 protected:
  void SetUp() override {
    if (!TENSIM_HAS_GUEST_COMPILER) GTEST_SKIP() << "no compiler for guests";
  }
  static std::string file(const std::string& example, const std::string& variant = "") {
    return example + "/" + std::string(name(GetParam())) + variant;
  }
};
INSTANTIATE_TEST_SUITE_P(EachChip, ChipExamples, ::testing::Values(Arch::wormhole, Arch::blackhole));

TEST_P(ChipExamples, ProducerAndConsumer) {  // P18 P22
  EXPECT_EQ(run(file("noc_pair")).kind, OutcomeKind::finished);
}

/// Races that are errors, but for those that the scenario says are meant.
std::size_t errors_of(const std::string& example) {
  const Scenario read = read_example(example);
  scenario::RunOptions options;
  options.races.emplace();
  ChipRun ran = run_chip(read, options);
  for (const std::string& line : read.races_meant)
    report::suppress(report::race_sites(read, ran), line, ran.races->races);
  return ran.races->races.errors();
}

TEST_P(ChipExamples, NothingIsUnorderedButWhatIsShownToBe) {
  for (const char* const example : {"noc_pair", "noc_ring", "noc_pipeline"})
    EXPECT_EQ(errors_of(file(example)), 0U) << example;
  EXPECT_EQ(errors_of(file("noc_matmul", "_multicast")), 0U);
  EXPECT_EQ(errors_of(file("noc_matmul", "_no_multicast")), 0U);
  EXPECT_EQ(errors_of(file("noc_hazards", "_stale")), 0U);
  EXPECT_EQ(errors_of(file("noc_hazards", "_overtaking")), 1U);
}

TEST_P(ChipExamples, ARingOfTilesComesRound) {
  EXPECT_EQ(run(file("noc_ring")).kind, OutcomeKind::finished);
}

TEST_P(ChipExamples, ARingWithAForgetfulTileStandsAndWhoForgotIsFound) {
  const ChipRun ran = run(file("noc_ring", "_forgetful"));
  EXPECT_EQ(ran.kind, OutcomeKind::deadlocked);
  ASSERT_EQ(ran.hang.stuck.size(), 4U);
  for (const explain::StuckWait& stuck :
       ran.hang.stuck) {  // each would be sent its turn, but for the one behind the forgetful one
    const bool is_forgotten = noc::logical(ran.chip->plan(), stuck.wait.who.tile) == noc::Coordinates{3, 0};
    EXPECT_EQ(stuck.would_bring.size(), is_forgotten ? 0U : 1U);
    EXPECT_FALSE(stuck.brought.empty());
  }
}

TEST_P(ChipExamples, EveryTileCountsAndEveryValueIsReturnedOnce) {  // P18 P21
  const ChipRun ran = run(file("noc_count"), false);
  constexpr std::uint32_t before = 0x20010;
  constexpr std::uint32_t times = 1000;
  std::vector<std::uint32_t> returned;
  for (const scenario::TileResult& tile : ran.tiles)
    for (std::uint32_t i = 0; i < times; ++i)
      returned.push_back(word(ran, tile.at, before + 4 * i));
  const noc::WorkerGrid grid = noc::worker_grid(ran.chip->plan());
  ASSERT_EQ(returned.size(), std::size_t{times} * grid.columns * grid.rows);
  std::ranges::sort(returned);
  std::vector<std::uint32_t> all(returned.size());
  std::iota(all.begin(), all.end(), 0U);
  EXPECT_EQ(returned, all);
}

TEST_P(ChipExamples, ReaderComputeWriter) {
  EXPECT_EQ(run(file("noc_pipeline")).kind, OutcomeKind::finished);
}

TEST_P(ChipExamples, AMatmulOfSixteenTilesIsExactAndFasterWithMulticasts) {  // P20
  const ChipRun with = run(file("noc_matmul", "_multicast"));
  const ChipRun without = run(file("noc_matmul", "_no_multicast"));
  EXPECT_LT(with.cycles, without.cycles);
}

TEST_P(ChipExamples, AWordElsewhereInItsSlotIsAFaultByName) {  // P16
  const ChipRun ran = run(file("noc_hazards", "_slots"));
  ASSERT_TRUE(ran.find({0, 0})->outcome.core_end.has_value());
  EXPECT_EQ(ran.find({0, 0})->outcome.core_end->stop.access_fault, tile::fault_of(noc::Refusal::not_congruent_16));
}

TEST_P(ChipExamples, AFlagOnTheOtherNocOvertakesItsData) {  // P17
  const ChipRun ran = run(file("noc_hazards", "_overtaking"));
  EXPECT_GT(word(ran, {1, 0}, 0x20000), 0U) << "the careless one found everything in place";
}

TEST_P(ChipExamples, AnOldLineOfTheDataCacheIsServedUnlessItIsFlushed) {  // P23
  const ChipRun ran = run(file("noc_hazards", "_stale"));
  EXPECT_EQ(ran.find({1, 0})->outcome.core_reports.empty(), GetParam() == Arch::wormhole) << "it is reported";
  EXPECT_TRUE(ran.find({1, 1})->outcome.core_reports.empty());
}

}  // namespace
}  // namespace tensim
