// Every row of the cores and the coprocessor in data/silicon beside what the model gives.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "arch/timing/silicon_exceptions.hpp"
#include "tests/silicon/rows.hpp"

namespace tensim::silicon {

struct Comparison {
  Row row;
  std::optional<double> ours;
  std::string not_expressed;  // why, if there is no figure of ours

  double error_percent() const { return 100 * (ours.value_or(0) - row.cycles) / row.cycles; }
  bool is_within(double percent) const;
};

/// Runs everything.
std::vector<Comparison> compare(const std::vector<Row>& rows);

struct Summary {
  unsigned compared = 0;
  double median_percent = 0;
  double within_2 = 0;   // share, 0 to 1
  double within_10 = 0;  // share, 0 to 1
};
/// Of the rows that have a figure of ours; empty names stand for all.
Summary summarize(const std::vector<Comparison>& all, std::optional<Arch> arch, std::string_view unit);

/// The entry of arch/timing/silicon_exceptions.hpp that names the row, or nothing.
const timing::SiliconException* exception_for(const Row& row);
const std::vector<timing::SiliconException>& exceptions();

/// `*` stands for any text, `[ab]` for one of the letters.
bool matches(std::string_view pattern, std::string_view text);

}  // namespace tensim::silicon
