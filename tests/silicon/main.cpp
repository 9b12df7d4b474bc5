// make silicon: silicon, documented, ours, for every row of data/silicon that the model can express.
#include <set>

#include <fmt/format.h>

#include "tests/silicon/comparison.hpp"

namespace {

using namespace tensim;
using namespace tensim::silicon;

std::vector<std::string> units_of(const std::vector<Comparison>& all) {
  std::set<std::string> units;
  for (const Comparison& one : all)
    units.insert(one.row.unit);
  return {units.begin(), units.end()};
}

void print_rows(const std::vector<Comparison>& all, const std::string& unit) {
  fmt::print("\n{}\n{:<10} {:<34} {:<28} {:>10} {:>10} {:>8}  documented\n", unit, "arch", "probe", "threads",
             "silicon", "ours", "error");
  for (const Comparison& one : all) {
    if (one.row.unit != unit || !one.ours) continue;
    const bool is_off = !one.is_within(timing::silicon_tolerance_percent);
    fmt::print("{:<10} {:<34} {:<28} {:>10.4f} {:>10.4f} {:>7.1f}%{} {}\n", name(one.row.arch), one.row.probe,
               one.row.threads(), one.row.cycles, *one.ours, one.error_percent(), is_off ? "!" : " ",
               one.row.documented);
  }
}

void print_summary(const std::vector<Comparison>& all, std::optional<Arch> arch, const std::string& unit) {
  const Summary summary = summarize(all, arch, unit);
  if (summary.compared == 0) return;
  fmt::print("{:<10} {:<10} {:>6} {:>9.2f}% {:>11.1f}% {:>11.1f}%\n", arch ? name(*arch) : "both",
             unit.empty() ? "all" : unit, summary.compared, summary.median_percent, 100 * summary.within_2,
             100 * summary.within_10);
}

void print_not_expressed(const std::vector<Comparison>& all) {
  fmt::print("\nnot expressed\n");
  for (const Comparison& one : all)
    if (!one.ours)
      fmt::print("{:<10} {:<10} {:<34} {:<42} {}\n", name(one.row.arch), one.row.unit, one.row.probe, one.row.threads(),
                 one.not_expressed);
}

/// How many rows are off without being named as exceptions.
unsigned print_exceptions(const std::vector<Comparison>& all) {
  fmt::print("\noff by more than {} %\n", timing::silicon_tolerance_percent);
  unsigned unnamed = 0;
  for (const Comparison& one : all) {
    if (!one.ours || one.is_within(timing::silicon_tolerance_percent)) continue;
    const timing::SiliconException* const exception = exception_for(one.row);
    unnamed += exception == nullptr ? 1 : 0;
    fmt::print("{:<10} {:<10} {:<24} {:<28} {:>7.1f}%  {}\n", name(one.row.arch), one.row.unit, one.row.probe,
               one.row.threads(), one.error_percent(), exception == nullptr ? "NOT NAMED" : exception->why);
  }
  return unnamed;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: tensim_silicon DATA_DIR\n");
    return 2;
  }
  const auto rows = read_tile_rows(argv[1]);
  if (!rows) {
    fmt::print(stderr, "cannot read cores.csv, queue.csv and tensix.csv in {}\n", argv[1]);
    return 2;
  }
  const std::vector<Comparison> all = compare(*rows);
  const std::vector<std::string> units = units_of(all);
  for (const std::string& unit : units)
    print_rows(all, unit);
  print_not_expressed(all);
  const unsigned unnamed = print_exceptions(all);
  fmt::print("\n{:<10} {:<10} {:>6} {:>10} {:>12} {:>12}\n", "arch", "unit", "rows", "median", "within 2 %",
             "within 10 %");
  for (const std::string& unit : units)
    for (const Arch arch : all_archs)
      print_summary(all, arch, unit);
  for (const Arch arch : all_archs)
    print_summary(all, arch, "");
  print_summary(all, std::nullopt, "");
  return unnamed == 0 ? 0 : 1;
}
