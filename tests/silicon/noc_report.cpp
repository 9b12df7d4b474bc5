#include "tests/silicon/noc_report.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tensim::silicon {
namespace {

std::vector<std::string> probes_of(const std::vector<NocComparison>& all) {
  std::vector<std::string> probes;
  for (const NocComparison& one : all)
    if (std::ranges::find(probes, one.row.probe) == probes.end()) probes.push_back(one.row.probe);
  return probes;
}

bool is_off(const NocComparison& one) {
  return one.ours && std::abs(one.error_percent()) > timing::noc_tolerance_percent;
}

void print_row(const NocComparison& one) {
  const timing::NocFit* const fit = fit_of(one.row);
  fmt::print("{:<10} {:<108} {:>9.1f} {:>9.1f} {:>6.1f}%{} {}\n", name(one.row.arch), label(one.row),
             fmt::join(one.card, "/"), fmt::join(*one.ours, "/"), one.error_percent(), is_off(one) ? "!" : " ",
             fit == nullptr ? "" : fit->constant);
}

void print_summary(const std::vector<NocComparison>& all, std::optional<Arch> arch, const std::string& probe) {
  fmt::print("{:<10} {:<26}", arch ? name(*arch) : "both", probe.empty() ? "all" : probe);
  for (const std::optional<bool> fitted : {std::optional<bool>{}, std::optional(true), std::optional(false)}) {
    const NocSummary summary = summarize(all, arch, probe, fitted);
    if (summary.compared == 0)
      fmt::print(" | {:>4} {:>7} {:>7}", "", "", "");
    else
      fmt::print(" | {:>4} {:>6.1f}% {:>6.1f}%", summary.compared, summary.median_percent, 100 * summary.within_20);
  }
  fmt::print("\n");
}

}  // namespace

unsigned print_noc(const std::vector<Row>& rows, NocMeasurements& measurements) {
  fmt::print(
      "\nNoC and DRAM: programs on a chip with the card's harvesting; last column: the constant that was fitted to "
      "the row\n{:<10} {:<108} {:>9} {:>9} {:>7}\n",
      "arch", "row", "silicon", "ours", "error");
  std::vector<NocComparison> all;
  for (const Row& row : rows) {
    if (all.empty() || all.back().row.probe != row.probe) fmt::print("{}\n", row.probe);
    all.push_back(compare(measurements, row));
    if (all.back().ours) print_row(all.back());
    std::fflush(stdout);
  }
  fmt::print("\nNoC and DRAM, left out\n");
  for (const NocComparison& one : all)
    if (!one.ours)
      fmt::print("{:<10} {:<20} {:<80} {}\n", name(one.row.arch), one.row.probe, label(one.row), one.not_expressed);
  fmt::print("\nNoC and DRAM, off by more than {} %\n", timing::noc_tolerance_percent);
  unsigned unnamed = 0;
  for (const NocComparison& one : all) {
    if (!is_off(one)) continue;
    const timing::NocException* const exception = noc_exception_for(one.row);
    unnamed += exception == nullptr ? 1 : 0;
    fmt::print("{:<10} {:<24} {:<100} {:>6.1f}%  {}\n", name(one.row.arch), one.row.probe, label(one.row),
               one.error_percent(), exception == nullptr ? "NOT NAMED" : exception->why);
  }
  fmt::print("\n{:<10} {:<26} | {:^21} | {:^21} | {:^21}\n", "", "", "all rows", "fitted rows", "other rows");
  fmt::print("{:<10} {:<26}", "arch", "probe");
  for (unsigned i = 0; i < 3; ++i)
    fmt::print(" | {:>4} {:>7} {:>7}", "rows", "median", "<= 20 %");
  fmt::print("\n");
  for (const std::string& probe : probes_of(all))
    for (const Arch arch : all_archs)
      if (summarize(all, arch, probe, std::nullopt).compared != 0) print_summary(all, arch, probe);
  for (const Arch arch : all_archs)
    print_summary(all, arch, "");
  print_summary(all, std::nullopt, "");
  return unnamed;
}

}  // namespace tensim::silicon
