#include "tensim/compare.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/places.hpp"
#include "tests/support/c_scenario.hpp"

namespace tensim::test {
namespace {

using Comparison = std::unique_ptr<tensim_comparison, void (*)(tensim_comparison*)>;

struct Compared {
  tensim_status status = TENSIM_OK;
  Comparison comparison{nullptr, tensim_comparison_free};
  std::string problem;
};

/// 1 ^ 1 to 0x20000, which the stand-in for a reference gets wrong; then `last`.
Parsed scenario_that_differs(rv::Word last = rv::addi(rv::zero, rv::zero, 0)) {
  using namespace rv;
  const std::vector<Word> words{lui(a0, 0x20), addi(a1, zero, 1), xori(a2, a1, 1), sw(a2, a0, 0),
                                last,          addi(a3, zero, 7), sw(a3, a0, 4),   here};
  return parse_scenario("[cores]\nbrisc = { raw = \"code\", address = 0 }\n[until]\n\"0x20004\" = 7\n",
                        {{"code", {reinterpret_cast<const char*>(words.data()), 4 * words.size()}}});
}

tensim_compare_options options_for(const char* library) {
  tensim_compare_options options{};
  options.size = sizeof options;
  options.library = library;
  return options;
}

Compared compare(const Parsed& parsed, const tensim_compare_options& options) {
  Compared compared;
  CText problem;
  tensim_comparison* made = nullptr;
  compared.status = tensim_compare(parsed.scenario.get(), &options, &made, problem.place());
  compared.comparison.reset(made);
  compared.problem = problem.str();
  return compared;
}

TEST(CApiCompare, CountsWhatDiffers) {
  const Compared compared = compare(scenario_that_differs(), options_for(TENSIM_FAKE_REFERENCES "/blackhole.so"));
  ASSERT_EQ(compared.status, TENSIM_OK) << compared.problem;
  const tensim_comparison* comparison = compared.comparison.get();
  EXPECT_EQ(tensim_comparison_outcome(comparison), TENSIM_FINISHED);
  EXPECT_EQ(tensim_comparison_reference_ran(comparison), 1);
  EXPECT_EQ(tensim_comparison_reference_finished(comparison), 1);
  EXPECT_EQ(tensim_comparison_l1_differences(comparison), 1U);
  EXPECT_EQ(tensim_comparison_dst_differences(comparison), 0U);
  CText text;
  ASSERT_EQ(tensim_comparison_report(comparison, TENSIM_JSON, text.place()), TENSIM_OK);
  EXPECT_EQ(nlohmann::json::parse(text.str())["l1"]["first"]["address"], 0x20000);
}

TEST(CApiCompare, WhatIsIgnoredDoesNotDiffer) {
  const tensim_range ignored{0x20000, 4};
  auto options = options_for(TENSIM_FAKE_REFERENCES "/blackhole.so");
  options.ignored = &ignored;
  options.ignored_count = 1;
  options.without_dst = 1;
  const Compared compared = compare(scenario_that_differs(), options);
  ASSERT_EQ(compared.status, TENSIM_OK) << compared.problem;
  EXPECT_EQ(tensim_comparison_l1_differences(compared.comparison.get()), 0U);
  CText text;
  ASSERT_EQ(tensim_comparison_report(compared.comparison.get(), TENSIM_PLAIN, text.place()), TENSIM_OK);
  EXPECT_FALSE(text.has("Dst")) << text.str();
}

TEST(CApiCompare, AReferenceThatEndsIsAFaultWithItsWords) {
  const Compared compared = compare(scenario_that_differs(rv::mul(rv::t0, rv::a1, rv::a1)),
                                    options_for(TENSIM_FAKE_REFERENCES "/blackhole.so"));
  EXPECT_EQ(compared.status, TENSIM_FAULT);
  EXPECT_NE(compared.problem.find("FAKE ERROR"), std::string::npos) << compared.problem;
  EXPECT_EQ(compared.comparison, nullptr);
}

TEST(CApiCompare, AReferenceThatCannotBeUsedIsBadInput) {
  EXPECT_EQ(compare(scenario_that_differs(), options_for("/no/such/library.so")).status, TENSIM_BAD_INPUT);
  EXPECT_EQ(compare(scenario_that_differs(), options_for(TENSIM_FAKE_REFERENCES "/wormhole.so")).status,
            TENSIM_BAD_INPUT);
  EXPECT_EQ(compare(scenario_that_differs(), options_for(nullptr)).status, TENSIM_BAD_ARGUMENT);
}

TEST(CApiCompare, ARunThatDoesNotFinishIsNotCompared) {
  const Parsed parsed = scenario_that_differs();
  ASSERT_EQ(tensim_scenario_set_budget(parsed.scenario.get(), 2), TENSIM_OK);
  const Compared compared = compare(parsed, options_for(TENSIM_FAKE_REFERENCES "/blackhole.so"));
  ASSERT_EQ(compared.status, TENSIM_OK) << compared.problem;
  EXPECT_EQ(tensim_comparison_outcome(compared.comparison.get()), TENSIM_BUDGET_EXHAUSTED);
  EXPECT_EQ(tensim_comparison_reference_ran(compared.comparison.get()), 0);
  EXPECT_EQ(tensim_comparison_reference_finished(compared.comparison.get()), 0);
}

}  // namespace
}  // namespace tensim::test
