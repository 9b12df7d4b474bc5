// Every row of the NoC and DRAM in data/silicon beside what programs on a simulated chip take.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "arch/timing/silicon_noc.hpp"
#include "tests/silicon/noc_probes.hpp"

namespace tensim::silicon {

struct NocComparison {
  Row row;
  std::vector<double> card;
  std::optional<std::vector<double>> ours;
  std::string not_expressed;  // why, if there are no figures of ours

  /// Of several figures, the one that is furthest off.
  double error_percent() const;
};

/// What the row is about, in its own words; entries of arch/timing/silicon_noc.hpp name rows by it.
std::string label(const Row& row);
NocComparison compare(NocMeasurements& measurements, const Row& row);

/// The constant that was chosen by looking at the row, or nothing.
const timing::NocFit* fit_of(const Row& row);
/// The entry that says why the row is further off than a fifth, or nothing.
const timing::NocException* noc_exception_for(const Row& row);

struct NocSummary {
  unsigned compared = 0;
  double median_percent = 0;
  double within_20 = 0;  // share, 0 to 1
};
/// Of rows that have figures of ours; an empty probe stands for all of them.
NocSummary summarize(const std::vector<NocComparison>& all, std::optional<Arch> arch, std::string_view probe,
                     std::optional<bool> is_fitted);

}  // namespace tensim::silicon
