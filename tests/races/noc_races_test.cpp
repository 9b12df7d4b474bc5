// Kernels of several tiles in both their forms, on both chips: the check finds nothing in the one, and in the other the pair of first()
// and second(), by the rule that the source names.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <ostream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "report/chip_run.hpp"
#include "scenario/chip_run.hpp"
#include "tests/support/load_file.hpp"

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

std::filesystem::path folder() {
  return std::filesystem::path(TENSIM_RACES) / "noc";
}

std::vector<OnChip> all_on_chips() {
  std::vector<OnChip> all;
  for (const auto& file : std::filesystem::directory_iterator(folder()))
    if (file.path().extension() == ".c")
      for (const Arch arch : all_archs)
        all.push_back({file.path().stem(), arch});
  std::ranges::sort(all, {}, [](const OnChip& on) { return std::pair(on.kernel, on.arch); });
  return all;
}

/// "/* rule: 28 */" in its first line.
std::string rule_of(const std::string& kernel) {
  std::ifstream source(folder() / (kernel + ".c"));
  std::string word;
  source >> word >> word >> word;
  return word;
}

class NocRaces : public ::testing::TestWithParam<OnChip> {
 protected:
  void SetUp() override {
    if (!TENSIM_HAS_GUEST_COMPILER) GTEST_SKIP() << "no compiler for the cores";
  }

  /// Tiles (0, 0) to (2, 0) run the same program.
  void run(const std::string& form, bool lockstep = false) {
    const std::string program =
        fmt::format("{}/{}/{}{}.elf", TENSIM_RACE_GUESTS, name(GetParam().arch), GetParam().kernel, form);
    const std::string text =
        fmt::format("arch = \"{}\"\n[[tile]]\nat = \"0-2,0\"\ncores.brisc = \"{}\"\n[expect]\noutcome = \"finished\"\n",
                    name(GetParam().arch), program);
    auto parsed = scenario::parse_scenario(text, "kernel.toml", load_file);
    ASSERT_TRUE(std::holds_alternative<scenario::Scenario>(parsed)) << std::get<scenario::Problem>(parsed).text;
    scenario_ = std::get<scenario::Scenario>(std::move(parsed));
    scenario::RunOptions options;
    options.races.emplace();
    options.lockstep = lockstep;
    ran_ = scenario::run_chip(scenario_, options);
    ASSERT_EQ(ran_.kind, explain::OutcomeKind::finished) << report::chip_report(scenario_, ran_, report::Format::plain);
    EXPECT_EQ(ran_.failed_count(), 0U);
  }
  const insight::Races& races() const { return ran_.races->races; }
  std::string text() const { return report::chip_report(scenario_, ran_, report::Format::plain); }
  std::string first_line(const Race& race) const {
    return report::lines_of(report::race_sites(scenario_, ran_), races(), race).front();
  }

  scenario::Scenario scenario_;
  scenario::ChipRun ran_;
};

TEST_P(NocRaces, NothingIsSaidOfTheCorrectForm) {
  run("");
  EXPECT_TRUE(races().found().empty()) << text();
}

TEST_P(NocRaces, ThePairIsNamedByItsRule) {
  run("_less");
  ASSERT_FALSE(races().found().empty());
  for (const Race& race : races().found()) {
    const std::string line = first_line(race);
    EXPECT_EQ(insight::order_rules()[race.rule].id, rule_of(GetParam().kernel)) << line;
    EXPECT_EQ(race.severity, Severity::error) << line;
    const std::size_t first = line.find("at first+");
    const std::size_t second = line.find("at second+");
    EXPECT_TRUE(first != std::string::npos && second < first) << line;
  }
}

INSTANTIATE_TEST_SUITE_P(Kernels, NocRaces, ::testing::ValuesIn(all_on_chips()), [](const auto& instance) {
  return fmt::format("{}_{}", instance.param.kernel, name(instance.param.arch));
});

}  // namespace
}  // namespace tensim::races
