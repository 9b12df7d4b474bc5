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
#include "tests/places.hpp"
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

/// "/* rule: 28 repair: noc_read_barrier */" in its first line. The correct form has what the repair names, where it says.
struct Expected {
  std::string rule;
  std::string repair;
};
Expected expected_of(const std::string& kernel) {
  std::ifstream source(folder() / (kernel + ".c"));
  std::string word;
  Expected expected;
  source >> word >> word >> expected.rule >> word >> expected.repair;
  return expected;
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
  std::vector<std::string> lines_of(const Race& race) const {
    return report::lines_of(report::race_sites(scenario_, ran_), races(), race);
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
  const Expected expected = expected_of(GetParam().kernel);
  for (const Race& race : races().found()) {
    const std::string line = lines_of(race)[0];
    EXPECT_EQ(insight::order_rules()[race.rule].id, expected.rule) << line;
    EXPECT_NE(lines_of(race)[1].find(expected.repair), std::string::npos) << lines_of(race)[1];
    EXPECT_EQ(race.severity, Severity::error) << line;
    const std::size_t first = line.find("at first+");
    const std::size_t second = line.find("at second+");
    EXPECT_TRUE(first != std::string::npos && second < first) << line;
  }
}

/// Not where windows end, nor whether cores run ahead, makes a difference: the run compares, and has no failed expectation.
TEST_P(NocRaces, LockStepFindsTheSame) {
  run("_less", true);
}

INSTANTIATE_TEST_SUITE_P(Kernels, NocRaces, ::testing::ValuesIn(all_on_chips()), [](const auto& instance) {
  return fmt::format("{}_{}", instance.param.kernel, name(instance.param.arch));
});

}  // namespace
}  // namespace tensim::races
