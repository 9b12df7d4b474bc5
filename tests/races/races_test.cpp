// Every kernel of this folder in both its forms, on both chips: as it should be, and less one wait. The check finds nothing in
// the one, and in the other the pair that is marked, whatever the result was.
#include <algorithm>
#include <array>
#include <ostream>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "insight/order_rules.hpp"
#include "insight/repairs.hpp"
#include "insight/tile_races.hpp"
#include "tests/races/race_kernel.hpp"
#include "tests/support/seeds.hpp"

namespace tensim::races {
namespace {

using insight::Race;
using insight::Repair;
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

/// The marked lines, by what stands in them: a repair moves them. Which came first is the run's business.
using Pair = std::pair<std::string, std::string>;
Pair pair_of(const CheckedRun& run, const Race& race) {
  const Line* const first = run.marked(race.first);
  const Line* const second = run.marked(race.second);
  if (first == nullptr || second == nullptr) return {};
  return {std::min(first->text, second->text), std::max(first->text, second->text)};
}

/// What runs leave behind, without when.
bool leave_the_same(const CheckedRun& one, const CheckedRun& other) {
  const tensix::Coprocessor& a = one.ran.tile->coprocessor;
  const tensix::Coprocessor& b = other.ran.tile->coprocessor;
  const auto values = [](const tensix::Coprocessor& coprocessor) {
    std::vector<unsigned> found;
    for (const tensix::Semaphore& semaphore : coprocessor.sync.semaphores())
      found.push_back(semaphore.value);
    return found;
  };
  return a.dst == b.dst && a.src_registers == b.src_registers && a.vector.registers.lreg == b.vector.registers.lreg &&
         a.gprs == b.gprs && a.config == b.config && values(a) == values(b) && one.ran.tile->l1 == other.ran.tile->l1;
}

bool ended_well(const CheckedRun& run) {
  return run.ran.outcome.kind == explain::OutcomeKind::finished && run.ran.outcome.failed_expectations.empty();
}

/// A run that did not end well has no result.
bool has_result_of(const CheckedRun& run, const CheckedRun& correct) {
  return ended_well(run) && leave_the_same(run, correct);
}

/// Of all threads, or of one alone.
struct Shaking {
  explicit Shaking(unsigned seed)
      : threads(seed % 4 == 3 ? all_threads : 1U << seed % 4),
        number((seed + 1) | (all_threads & ~threads) << tensix::Coprocessor::not_shaken_shift) {}
  bool involves(const CheckedRun& run, const Race& race) const {
    return std::ranges::any_of(std::array{race.first, race.second}, [&](insight::SiteNumber site) {
      const insight::ActorNumber actor = run.races()[site].actor;
      return insight::is_thread(actor) && (threads >> (actor - tile::core_count) & 1U) != 0;
    });
  }
  static constexpr unsigned all_threads = (1U << tensix::thread_count) - 1;
  unsigned threads;
  std::uint32_t number;
};

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
constexpr unsigned shakes = 4;  // 400 by TENSIM_SEEDS

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

TEST_P(RaceKernels, CorrectFormHasTheSameResultHoweverGatesAreShaken) {
  const Kernel kernel = read_kernel(GetParam().kernel);
  const Lines lines = kernel.correct(GetParam().arch);
  const CheckedRun run = run_checked(kernel.file, lines);
  test::for_each_seed(shakes, [&](unsigned seed) {
    const CheckedRun other = run_checked(kernel.file, lines, 0, Shaking(seed).number);
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

/// Delays change results of those that lack something, and none goes without a report of those that were delayed.
TEST_P(BrokenRaceKernels, IsReportedHoweverGatesAreShaken) {
  const bool is_always_found = kernel_.mark("misses").empty();
  test::for_each_seed(shakes, [&](unsigned seed) {
    const Shaking shaking(seed);
    const CheckedRun other = run_checked(kernel_.file, kernel_.broken(GetParam().arch), 0, shaking.number);
    const auto& found = other.races().found();
    // By the rule that is for the order in which they came.
    const auto is_the_pair = [&](const Race& race) { return other.is_marked(race); };
    EXPECT_TRUE(!is_always_found || std::ranges::any_of(found, is_the_pair));
    const bool changed = ended_well(other) != ended_well(run_) || !leave_the_same(other, run_);
    EXPECT_TRUE(!changed ||
                std::ranges::any_of(found, [&](const Race& race) { return shaking.involves(other, race); }));
  });
}

TEST_P(BrokenRaceKernels, IsSilentWithTheWaitThatTheReportNames) {
  if (kernel_.mark("repair") == "elsewhere") GTEST_SKIP() << "the site is not where the instruction is written";
  if (run_.scenario.runs_cores()) GTEST_SKIP() << "code has its places";
  for (const Race& race : run_.races().found()) {
    if (!run_.is_marked(race)) continue;
    const auto lines = repaired(run_, race);
    const bool is_named = insight::repair_of(GetParam().arch, run_.races(), race).kind != Repair::Kind::hand_over;
    ASSERT_EQ(lines.has_value(), is_named) << run_.text_of(race);
    if (!lines) continue;
    const CheckedRun again = run_checked(kernel_.file, *lines);
    EXPECT_TRUE(ended_well(again)) << run_.text_of(race);
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
  for (const Arch arch : all_archs) {
    int right = 0;
    int broken = 0;
    for (const OnChip& on : all_broken()) {
      if (on.arch != arch) continue;
      const Kernel kernel = read_kernel(on.kernel);
      const CheckedRun correct = run_checked(kernel.file, kernel.correct(arch));
      ++broken;
      if (has_result_of(run_checked(kernel.file, kernel.broken(arch)), correct)) ++right;
    }
    EXPECT_GE(2 * right, broken) << name(arch);
    RecordProperty(fmt::format("right_by_luck_on_{}", name(arch)), fmt::format("{} of {}", right, broken));
  }
}

}  // namespace
}  // namespace tensim::races
