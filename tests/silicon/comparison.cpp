#include "tests/silicon/comparison.hpp"

#include <algorithm>
#include <cmath>

#include "tests/silicon/guest_probes.hpp"
#include "tests/silicon/retire_zones.hpp"

namespace tensim::silicon {
namespace {

std::string reason(const Row& row) {
  if (!row.is_figure) return "a range read off other rows";
  if (row.probe.starts_with("matmul")) return "needs the data path: a whole matmul kernel";
  if (row.probe == "RDCFG visibility") return "says that a value is fresh, not how long anything takes";
  return "not known to this program";
}

}  // namespace

bool Comparison::is_within(double percent) const {
  return std::abs(error_percent()) <= percent;
}

std::vector<Comparison> compare(const std::vector<Row>& rows) {
  GuestMeasurements guests;
  const std::vector<ZoneResult> zones = run_retire_zones();
  std::vector<Comparison> all;
  for (const Row& row : rows) {
    Comparison one{.row = row, .ours = std::nullopt, .not_expressed = {}};
    one.ours = row.unit == "RV(BRISC)" ? measure_zone(zones, row) : guests.measure(row);
    if (!one.ours) one.not_expressed = reason(row);
    all.push_back(std::move(one));
  }
  return all;
}

Summary summarize(const std::vector<Comparison>& all, std::optional<Arch> arch, std::string_view unit) {
  std::vector<double> errors;
  for (const Comparison& one : all)
    if (one.ours && (!arch || one.row.arch == *arch) && (unit.empty() || one.row.unit == unit))
      errors.push_back(std::abs(one.error_percent()));
  Summary summary;
  if (errors.empty()) return summary;
  std::ranges::sort(errors);
  const auto share = [&](double percent) {
    return static_cast<double>(std::ranges::upper_bound(errors, percent) - errors.begin()) /
           static_cast<double>(errors.size());
  };
  summary.compared = static_cast<unsigned>(errors.size());
  summary.median_percent = errors[errors.size() / 2];
  summary.within_2 = share(2);
  summary.within_10 = share(timing::silicon_tolerance_percent);
  return summary;
}

const std::vector<timing::SiliconException>& exceptions() {
  static constexpr std::array table = timing::silicon_exceptions();
  static const std::vector<timing::SiliconException> all(table.begin(), table.end());
  return all;
}

const timing::SiliconException* exception_for(const Row& row) {
  for (const timing::SiliconException& exception : exceptions())
    if (exception.archs.contains(row.arch) && exception.unit == row.unit && matches(exception.probe, row.probe) &&
        matches(exception.threads, row.threads()))
      return &exception;
  return nullptr;
}

bool matches(std::string_view pattern, std::string_view text) {
  if (pattern.empty()) return text.empty();
  if (pattern[0] == '*') {
    for (std::size_t skipped = 0; skipped <= text.size(); ++skipped)
      if (matches(pattern.substr(1), text.substr(skipped))) return true;
    return false;
  }
  if (text.empty()) return false;
  if (pattern[0] != '[') return pattern[0] == text[0] && matches(pattern.substr(1), text.substr(1));
  const std::size_t end = pattern.find(']');
  return pattern.substr(1, end - 1).find(text[0]) != std::string_view::npos &&
         matches(pattern.substr(end + 1), text.substr(1));
}

}  // namespace tensim::silicon
