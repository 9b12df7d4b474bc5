// make silicon: silicon, documented, ours, for every row of data/silicon that the model can express.
#include <array>
#include <cstdlib>
#include <set>

#include <fmt/format.h>

#include "tests/silicon/comparison.hpp"
#include "tests/silicon/noc_report.hpp"

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

/// The cores' rows and the coprocessor's.
unsigned print_tile(const std::vector<Row>& rows) {
  const std::vector<Comparison> all = compare(rows);
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
  return unnamed;
}

/// Sets a row of the timing on the chips that have it.
bool set(std::array<Timing, 2>& timing, const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) return false;
  bool is_set = false;
  for (Timing& one : timing)
    is_set |= one.set(text.substr(0, equals), std::atof(text.c_str() + equals + 1)) == Timing::Refusal::none;
  return is_set;
}

}  // namespace

/// With rows of the timing (noc_hop_latency=9), the NoC's rows alone, with these values instead of the chips'.
int main(int argc, char** argv) {
  const auto rows = argc < 2 ? std::nullopt : read_tile_rows(argv[1]);
  const auto noc_rows = argc < 2 ? std::nullopt : read_noc_rows(argv[1]);
  if (!rows || !noc_rows) {
    fmt::print(stderr, "usage: tensim_silicon DATA_DIR [ROW=VALUE ...]: cores.csv, queue.csv, tensix.csv, noc.csv\n");
    return 2;
  }
  std::array timing{Timing(Arch::wormhole), Timing(Arch::blackhole)};
  for (int i = 2; i < argc; ++i)
    if (!set(timing, argv[i])) {
      fmt::print(stderr, "{}: no such row, or not this value\n", argv[i]);
      return 2;
    }
  NocMeasurements measurements(timing[0], timing[1]);
  const unsigned unnamed = (argc == 2 ? print_tile(*rows) : 0) + print_noc(*noc_rows, measurements);
  return unnamed == 0 ? 0 : 1;
}
