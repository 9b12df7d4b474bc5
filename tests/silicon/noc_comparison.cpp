#include "tests/silicon/noc_comparison.hpp"

#include <algorithm>
#include <cmath>

#include "tests/silicon/comparison.hpp"

namespace tensim::silicon {

double NocComparison::error_percent() const {
  double worst = 0;
  for (std::size_t i = 0; ours && i < card.size(); ++i) {
    const double error = 100 * ((*ours)[i] / card[i] - 1);
    if (std::abs(error) > std::abs(worst)) worst = error;
  }
  return worst;
}

std::string label(const Row& row) {
  return row.what_is_measured + "; " + row.conditions;
}

NocComparison compare(NocMeasurements& measurements, const Row& row) {
  NocComparison one{.row = row, .card = figures(row), .ours = measurements.measure(row), .not_expressed = {}};
  if (!one.ours) one.not_expressed = NocMeasurements::not_expressed(row);
  return one;
}

const timing::NocFit* fit_of(const Row& row) {
  static constexpr std::array table = timing::noc_fits();
  for (const timing::NocFit& fit : table)
    if (fit.archs.contains(row.arch) && matches(fit.probe, row.probe) && matches(fit.label, label(row))) return &fit;
  return nullptr;
}

const timing::NocException* noc_exception_for(const Row& row) {
  static constexpr std::array table = timing::noc_exceptions();
  for (const timing::NocException& exception : table)
    if (exception.archs.contains(row.arch) && matches(exception.probe, row.probe) &&
        matches(exception.label, label(row)))
      return &exception;
  return nullptr;
}

NocSummary summarize(const std::vector<NocComparison>& all, std::optional<Arch> arch, std::string_view probe,
                     std::optional<bool> is_fitted) {
  std::vector<double> errors;
  for (const NocComparison& one : all)
    if (one.ours && (!arch || one.row.arch == *arch) && (probe.empty() || one.row.probe == probe) &&
        (!is_fitted || *is_fitted == (fit_of(one.row) != nullptr)))
      errors.push_back(std::abs(one.error_percent()));
  NocSummary summary;
  if (errors.empty()) return summary;
  std::ranges::sort(errors);
  const auto within = std::ranges::upper_bound(errors, timing::noc_tolerance_percent) - errors.begin();
  summary.compared = static_cast<unsigned>(errors.size());
  summary.median_percent = errors[errors.size() / 2];
  summary.within_20 = static_cast<double>(within) / static_cast<double>(errors.size());
  return summary;
}

}  // namespace tensim::silicon
