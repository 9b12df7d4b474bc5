// Every kernel of this folder in both its forms, on both chips: as it should be, and less one wait. The check finds nothing in
// the one, and in the other the pair that is marked, whatever the result was.
#include <algorithm>
#include <ostream>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "insight/order_rules.hpp"
#include "tests/races/race_kernel.hpp"
#include "tests/support/seeds.hpp"

namespace tensim::races {
namespace {

using insight::Race;
using insight::Severity;

struct OnChip {
  std::string kernel;
  Arch arch = Arch::blackhole;
};
void PrintTo(const OnChip& on, std::ostream* stream) {
  *stream << on.kernel << " on " << name(on.arch);
}

std::vector<OnChip> kernels_with(bool (*is_meant)(const Kernel&)) {
  std::vector<OnChip> all;
  for (const std::string& name : all_kernels()) {
    const Kernel kernel = read_kernel(name);
    for (const Arch arch : all_archs)
      if (kernel.runs_on(arch) && is_meant(kernel)) all.push_back({name, arch});
  }
  return all;
}
std::vector<OnChip> all_on_chips() {
  return kernels_with([](const Kernel&) { return true; });
}
std::vector<OnChip> all_broken() {
  return kernels_with([](const Kernel& kernel) { return kernel.has_broken_form(); });
}

std::string name_of(const ::testing::TestParamInfo<OnChip>& instance) {
  std::string text = fmt::format("{}_{}", instance.param.kernel, name(instance.param.arch));
  text.erase(text.find(".toml"), std::string_view(".toml").size());
  return text;
}

Severity severity_of(const Kernel& kernel) {
  return kernel.mark("severity") == "warning" ? Severity::warning : Severity::error;
}

bool is_expected(const Kernel& kernel, const CheckedRun& run, const Race& race) {
  return run.is_marked(race) && insight::order_rules()[race.rule].id == kernel.mark("rule") &&
         race.severity == severity_of(kernel);
}

/// The marked lines, by what stands in them: a repair moves them.
using Pair = std::pair<std::string, std::string>;
Pair pair_of(const CheckedRun& run, const Race& race) {
  const Line* const first = run.first(race.first);
  const Line* const second = run.second(race.second);
  return first == nullptr || second == nullptr ? Pair{} : Pair{first->text, second->text};
}

/// What a kernel leaves behind, without when. A run that did not end well has no result.
bool has_result_of(const CheckedRun& run, const CheckedRun& correct) {
  if (run.ran.outcome.kind != explain::OutcomeKind::finished || !run.ran.outcome.failed_expectations.empty())
    return false;
  const tensix::Coprocessor& a = run.ran.tile->coprocessor;
  const tensix::Coprocessor& b = correct.ran.tile->coprocessor;
  const auto values = [](const tensix::Coprocessor& coprocessor) {
    std::vector<unsigned> found;
    for (const tensix::Semaphore& semaphore : coprocessor.sync.semaphores())
      found.push_back(semaphore.value);
    return found;
  };
  return a.dst == b.dst && a.src_registers == b.src_registers && a.gprs == b.gprs && a.config == b.config &&
         values(a) == values(b) && run.ran.tile->l1 == correct.ran.tile->l1;
}

// ---- the correct form ----

class RaceKernels : public ::testing::TestWithParam<OnChip> {};

TEST_P(RaceKernels, CorrectFormEndsAsExpectedAndHasNoRace) {
  const Kernel kernel = read_kernel(GetParam().kernel);
  const CheckedRun run = run_checked(kernel.file, kernel.correct(GetParam().arch));
  ASSERT_TRUE(run.scenario.expect.outcome.has_value()) << "a kernel here says how it ends";
  EXPECT_EQ(run.ran.outcome.failed_expectations, std::vector<std::string>{});
  for (const Race& race : run.races().found())
    ADD_FAILURE() << run.text_of(race);
}

constexpr unsigned feedings = 8;
constexpr unsigned shakes = 4;

TEST_P(RaceKernels, CorrectFormHasTheSameResultHoweverThreadsAreFed) {
  const Kernel kernel = read_kernel(GetParam().kernel);
  const Lines lines = kernel.correct(GetParam().arch);
  const CheckedRun run = run_checked(kernel.file, lines);
  for (unsigned feeding = 1; feeding <= feedings; ++feeding) {
    const CheckedRun other = run_checked(kernel.file, lines, feeding);
    EXPECT_TRUE(has_result_of(other, run)) << "feeding " << feeding;
    for (const Race& race : other.races().found())
      ADD_FAILURE() << "feeding " << feeding << ": " << other.text_of(race);
  }
}

/// A script knows cycles, not what happens in them: only threads and programs can be shaken.
TEST_P(RaceKernels, CorrectFormHasTheSameResultHoweverGatesAreShaken) {
  const Kernel kernel = read_kernel(GetParam().kernel);
  const Lines lines = kernel.correct(GetParam().arch);
  const CheckedRun run = run_checked(kernel.file, lines);
  if (!run.scenario.actions.empty()) GTEST_SKIP() << "scripted";
  test::for_each_seed(shakes, [&](unsigned seed) {
    const CheckedRun other = run_checked(kernel.file, lines, 0, seed + 1);
    EXPECT_TRUE(has_result_of(other, run));
    for (const Race& race : other.races().found())
      ADD_FAILURE() << other.text_of(race);
  });
}

INSTANTIATE_TEST_SUITE_P(Races, RaceKernels, ::testing::ValuesIn(all_on_chips()), name_of);

// ---- the broken form ----

class BrokenRaceKernels : public ::testing::TestWithParam<OnChip> {
 protected:
  const Kernel kernel_ = read_kernel(GetParam().kernel);
  const CheckedRun run_ = run_checked(kernel_.file, kernel_.broken(GetParam().arch));
};

TEST_P(BrokenRaceKernels, IsReportedWithThePairAndTheRuleAndNothingElse) {
  std::size_t found = 0;
  for (const Race& race : run_.races().found()) {
    if (is_expected(kernel_, run_, race))
      ++found;
    else if (!race.is_same_value)  // with the one that it lacks, it lacks what makes such a write harmless
      ADD_FAILURE() << run_.text_of(race);
  }
  EXPECT_NE(found, 0U) << "rule " << kernel_.mark("rule");
}

/// What is reported is not a matter of the cycles of one run.
TEST_P(BrokenRaceKernels, IsReportedHoweverThreadsAreFed) {
  if (!kernel_.mark("misses").empty()) GTEST_SKIP() << kernel_.mark("misses");
  for (unsigned feeding = 1; feeding <= feedings; ++feeding) {
    const CheckedRun other = run_checked(kernel_.file, kernel_.broken(GetParam().arch), feeding);
    EXPECT_TRUE(
        std::ranges::any_of(other.races().found(), [&](const Race& race) { return is_expected(kernel_, other, race); }))
        << "feeding " << feeding;
  }
}

/// Delays change results of those that lack something, and none goes without the report.
TEST_P(BrokenRaceKernels, IsReportedHoweverGatesAreShaken) {
  if (!kernel_.mark("misses").empty()) GTEST_SKIP() << kernel_.mark("misses");
  if (!run_.scenario.actions.empty()) GTEST_SKIP() << "scripted";
  test::for_each_seed(shakes, [&](unsigned seed) {
    const CheckedRun other = run_checked(kernel_.file, kernel_.broken(GetParam().arch), 0, seed + 1);
    EXPECT_TRUE(std::ranges::any_of(other.races().found(),
                                    [&](const Race& race) { return is_expected(kernel_, other, race); }));
  });
}

TEST_P(BrokenRaceKernels, IsSilentWithTheWaitThatTheReportNames) {
  if (kernel_.mark("repair") == "elsewhere") GTEST_SKIP() << "the site is not where the instruction is written";
  for (const Race& race : run_.races().found()) {
    if (!is_expected(kernel_, run_, race)) continue;
    const auto lines = repaired(run_, race);
    if (!lines) continue;  // it takes a hand-over, not a wait
    const CheckedRun again = run_checked(kernel_.file, *lines);
    for (const Race& left : again.races().found())
      EXPECT_NE(pair_of(again, left), pair_of(run_, race)) << run_.text_of(race) << "\nleft: " << again.text_of(left);
  }
}
INSTANTIATE_TEST_SUITE_P(Races, BrokenRaceKernels, ::testing::ValuesIn(all_broken()), name_of);

// ---- all of them together ----

std::set<std::string> marked_with(std::string_view mark) {
  std::set<std::string> values;
  for (const std::string& name : all_kernels()) {
    const Kernel kernel = read_kernel(name);
    if (const std::string_view value = kernel.mark(mark); !value.empty()) values.emplace(value);
  }
  return values;
}

TEST(RaceCorpus, HasFortyKernelsAndHalfOfThemBroken) {
  const std::size_t all = all_on_chips().size();
  const std::size_t broken = all_broken().size();
  EXPECT_GE(all_kernels().size(), 40U);
  EXPECT_GE(2 * broken, all) << broken << " of " << all;
}

TEST(RaceCorpus, HasEveryTrapAndEveryPublicBug) {
  const std::set<std::string> traps = marked_with("trap");
  for (unsigned trap = 1; trap <= 17; ++trap)
    EXPECT_TRUE(traps.contains(std::to_string(trap))) << trap;
  const std::set<std::string> bugs = marked_with("bug");
  for (unsigned bug = 1; bug <= 8; ++bug)
    EXPECT_TRUE(bugs.contains(fmt::format("G{}", bug))) << bug;
}

/// The reason for the check: a result that is right shows nothing.
TEST(RaceCorpus, IsRightByLuckInAtLeastHalfOfTheBrokenForms) {
  std::size_t right = 0;
  const std::vector<OnChip> broken = all_broken();
  for (const auto& [name, arch] : broken) {
    const Kernel kernel = read_kernel(name);
    const CheckedRun correct = run_checked(kernel.file, kernel.correct(arch));
    if (has_result_of(run_checked(kernel.file, kernel.broken(arch)), correct)) ++right;
  }
  EXPECT_GE(2 * right, broken.size());
  RecordProperty("right_by_luck", static_cast<int>(right));
  RecordProperty("broken", static_cast<int>(broken.size()));
}

}  // namespace
}  // namespace tensim::races
