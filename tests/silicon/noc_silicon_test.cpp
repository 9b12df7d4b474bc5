// Programs on a simulated chip against the NoC's and DRAM's figures of the cards.
#include <cmath>

#include <gtest/gtest.h>

#include "tests/places.hpp"
#include "tests/silicon/noc_comparison.hpp"

namespace tensim::silicon {
namespace {

std::string title(const Row& row) {
  return std::string(name(row.arch)) + " " + row.probe + " [" + label(row) + "]";
}

std::vector<Row> noc_rows() {
  return read_noc_rows(TENSIM_DATA "/silicon").value_or(std::vector<Row>{});
}

/// Rows of 48 tiles and more take half a minute together: make silicon runs those.
constexpr std::uint64_t most_cost = 12 * 256;

TEST(SiliconNoc, EveryRowSaysWhatIsMeasured) {
  const std::vector<Row> rows = noc_rows();
  EXPECT_EQ(rows.size(), 247U);
  for (const Row& row : rows) {
    EXPECT_FALSE(row.what_is_measured.empty()) << title(row);
    EXPECT_FALSE(figures(row).empty()) << title(row);
  }
}

TEST(SiliconNoc, CardsHaveTheirOwnHarvesting) {
  const noc::FloorPlan& wormhole = card(Arch::wormhole);
  EXPECT_TRUE(wormhole.has_tensix({1, 2}));
  EXPECT_FALSE(wormhole.has_tensix({1, 3}));
  EXPECT_FALSE(wormhole.has_tensix({1, 11}));
  const noc::FloorPlan& blackhole = card(Arch::blackhole);
  EXPECT_TRUE(blackhole.has_tensix({6, 2}));
  EXPECT_FALSE(blackhole.has_tensix({7, 2}));
  EXPECT_FALSE(blackhole.has_tensix({10, 2}));
}

TEST(SiliconNoc, FiguresOfSeveralFlowsAndOfMeans) {
  const auto of = [](const std::string& text) {
    Row row;
    row.is_figure = false;
    row.figure = text;
    return figures(row);
  };
  EXPECT_EQ(of("136.0/136.2"), (std::vector{136.0, 136.2}));
  EXPECT_EQ(of("384..499 (mean 388..408)"), std::vector{398.0});
  EXPECT_EQ(of("404..436 (mean 409)"), std::vector{409.0});
}

/// The bar: a median error of 10 %, nine rows of ten within 20 %, and each of Blackhole's DRAM rates within 10 %.
TEST(SiliconNoc, ProgramsOnTheChipTakeAsLongAsOnTheCards) {
  NocMeasurements measurements;
  std::vector<NocComparison> all;
  unsigned left_out = 0;
  for (const Row& row : noc_rows()) {
    if (NocMeasurements::cost(row) > most_cost) continue;
    NocComparison one = compare(measurements, row);
    if (!one.ours) {
      ++left_out;
      EXPECT_NE(one.not_expressed, "not known to this program") << title(row);
      continue;
    }
    const timing::NocException* const exception = noc_exception_for(row);
    const bool is_rate = row.arch == Arch::blackhole && row.probe.starts_with("dramrate");
    double most = is_rate ? 10 : timing::noc_tolerance_percent;
    if (exception != nullptr) {
      EXPECT_GT(std::abs(one.error_percent()), most) << "not off any more, so this is no exception: " << title(row);
      most = exception->most_percent;
    }
    EXPECT_LE(std::abs(one.error_percent()), most) << title(row);
    all.push_back(std::move(one));
  }
  EXPECT_LE(left_out, 20U);
  EXPECT_GE(all.size(), 220U);
  for (const Arch arch : all_archs)
    for (const std::optional<bool> fitted : {std::optional<bool>{}, std::optional(true), std::optional(false)}) {
      const NocSummary summary = summarize(all, arch, "", fitted);
      EXPECT_LE(summary.median_percent, 10) << name(arch);
      EXPECT_GE(summary.within_20, 0.9) << name(arch);
    }
}

}  // namespace
}  // namespace tensim::silicon
