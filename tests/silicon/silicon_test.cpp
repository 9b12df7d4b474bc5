// The model against the figures measured on cards.
#include <cmath>

#include <gtest/gtest.h>

#include "tests/places.hpp"
#include "tests/silicon/comparison.hpp"
#include "tests/silicon/rates.hpp"
#include "tests/silicon/retire_zones.hpp"

namespace tensim::silicon {
namespace {

std::string title(const Row& row) {
  return std::string(name(row.arch)) + " " + row.unit + " " + row.probe + " [" + row.threads() + "]";
}

TEST(Silicon, UnitRatesAreThoseOfTheCards) {
  const auto rows = read_rows(TENSIM_DATA "/silicon/tensix.csv");
  ASSERT_TRUE(rows.has_value());
  unsigned compared = 0;
  for (const Row& row : *rows) {
    const auto ours = measure_rate(row);
    if (!ours) continue;
    ++compared;
    EXPECT_LE(std::abs(*ours - row.cycles), std::max(0.05, 0.03 * row.cycles))
        << title(row) << ": silicon " << row.cycles << ", ours " << *ours;
  }
  EXPECT_GE(compared, 217U);
}

/// The bar: a median error of 2 %, and nearly all rows within 10 %; what is not is named, with how far it may be off.
TEST(Silicon, ProgramsOnTheTileTakeAsLongAsOnTheCards) {
  const auto rows = read_tile_rows(TENSIM_DATA "/silicon");
  ASSERT_TRUE(rows.has_value());
  const std::vector<Comparison> all = compare(*rows);
  std::vector<unsigned> off(exceptions().size());
  for (const Comparison& one : all) {
    if (!one.ours) {
      EXPECT_NE(one.not_expressed, "not known to this program") << title(one.row);
      continue;
    }
    const timing::SiliconException* const exception = exception_for(one.row);
    const double most = exception == nullptr ? timing::silicon_tolerance_percent : exception->most_percent;
    EXPECT_TRUE(one.is_within(most)) << title(one.row) << ": silicon " << one.row.cycles << ", ours " << *one.ours
                                     << ", " << one.error_percent() << " %";
    if (exception != nullptr && !one.is_within(timing::silicon_tolerance_percent))
      ++off[static_cast<std::size_t>(exception - exceptions().data())];
  }
  for (std::size_t i = 0; i < off.size(); ++i)
    EXPECT_GT(off[i], 0U) << "no row is off any more, so this is no exception: " << exceptions()[i].unit << " "
                          << exceptions()[i].probe << " [" << exceptions()[i].threads << "]";
  const Summary summary = summarize(all, std::nullopt, "");
  EXPECT_GE(summary.compared, 995U);
  EXPECT_LE(summary.median_percent, 2);
  EXPECT_GE(summary.within_10, 0.95);
}

TEST(Silicon, ZonesOnBriscRetireWhatTheCardRetired) {
  const auto rows = read_rows(TENSIM_DATA "/silicon/cores.csv");
  ASSERT_TRUE(rows.has_value());
  const std::vector<ZoneResult> zones = run_retire_zones();
  ASSERT_EQ(zones.size(), 12U);
  unsigned compared = 0;
  for (const Row& row : *rows) {
    const auto stated = stated_retired(row);
    if (!stated) continue;
    ++compared;
    for (const ZoneResult& zone : zones) {
      if (row.probe == "retirebench " + zone.name) {
        EXPECT_EQ(zone.retired, *stated) << zone.name;
      }
    }
  }
  EXPECT_EQ(compared, zones.size());
}

TEST(Silicon, PatternsOfExceptions) {
  EXPECT_TRUE(matches("rv_store_*", "rv_store_spread"));
  EXPECT_TRUE(matches("*, n=4", "2 issuing threads, T0, n=4"));
  EXPECT_FALSE(matches("*, n=4", "2 issuing threads, T0, n=48"));
  EXPECT_TRUE(matches("T0+T1+T2 on T[12]", "T0+T1+T2 on T2"));
  EXPECT_FALSE(matches("T0+T1+T2 on T[12]", "T0+T1+T2 on T0"));
  EXPECT_FALSE(matches("", "T0"));
}

}  // namespace
}  // namespace tensim::silicon
