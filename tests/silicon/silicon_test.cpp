// The coprocessor's rates against the figures measured on cards.
#include <gtest/gtest.h>

#include "tests/silicon/probes.hpp"

namespace tensim::silicon {
namespace {

TEST(Silicon, UnitRatesAreThoseOfTheCards) {
  const auto rows = read_rows(TENSIM_DATA "/silicon/tensix.csv");
  ASSERT_TRUE(rows.has_value());
  unsigned compared = 0;
  for (const Row& row : *rows) {
    const auto ours = measure(row);
    if (!ours) continue;
    ++compared;
    EXPECT_TRUE(agrees(row.cycles, *ours)) << name(row.arch) << " " << row.probe << " [" << row.active << " "
                                           << row.conditions << "]: silicon " << row.cycles << ", ours " << *ours;
  }
  EXPECT_GE(compared, 217U);
}

}  // namespace
}  // namespace tensim::silicon
