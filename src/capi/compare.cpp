#include "tensim/compare.h"

#include <chrono>
#include <utility>

#include "capi/boundary.hpp"
#include "capi/outcomes.hpp"
#include "capi/run_handles.hpp"
#include "reference/compare.hpp"
#include "report/comparison.hpp"

using namespace tensim;

struct tensim_comparison {
  std::shared_ptr<const scenario::Scenario> scenario;
  reference::Comparison comparison;
};

namespace {

constexpr std::uint32_t default_time_limit_seconds = 60;

/// A reference that cannot be used is bad input; one that ends has found fault with the program.
tensim_status status_of(reference::ErrorKind kind) {
  if (kind == reference::ErrorKind::ended) return TENSIM_FAULT;
  return kind == reference::ErrorKind::timed_out ? TENSIM_NOT_REACHED : TENSIM_BAD_INPUT;
}

reference::CompareOptions options_for(const tensim_compare_options& given) {
  reference::CompareOptions options;
  options.reference.library = given.library;
  options.reference.time_limit =
      std::chrono::seconds(given.time_limit_seconds == 0 ? default_time_limit_seconds : given.time_limit_seconds);
  if (given.has_tile != 0) options.reference.tile = {given.tile_x, given.tile_y};
  options.compares_dst = given.without_dst == 0;
  for (std::size_t i = 0; i < given.ignored_count; ++i)
    options.ignored.push_back({given.ignored[i].address, given.ignored[i].bytes});
  return options;
}

}  // namespace

extern "C" {

TENSIM_EXPORT tensim_status tensim_compare(const tensim_scenario* scenario, const tensim_compare_options* options,
                                           tensim_comparison** comparison, tensim_text** problem) {
  return capi::guarded(problem, [&] {
    if (comparison != nullptr) *comparison = nullptr;
    const auto given = capi::options_of(options);
    if (scenario == nullptr || comparison == nullptr || !given || given->library == nullptr ||
        (given->ignored == nullptr && given->ignored_count != 0))
      return capi::fail(problem, TENSIM_BAD_ARGUMENT, "expected a scenario, a reference and where to put the result");
    if (scenario->scenario->runs_chip())
      return capi::fail(problem, TENSIM_BAD_INPUT, "a scenario of several tiles cannot be compared yet");
    auto compared = reference::compare(*scenario->scenario, options_for(*given));
    if (const auto* error = std::get_if<reference::Error>(&compared))
      return capi::fail(problem, status_of(error->kind), error->text);
    *comparison = new tensim_comparison{scenario->scenario, std::move(std::get<reference::Comparison>(compared))};
    return TENSIM_OK;
  });
}

TENSIM_EXPORT void tensim_comparison_free(tensim_comparison* comparison) {
  delete comparison;
}

TENSIM_EXPORT tensim_outcome tensim_comparison_outcome(const tensim_comparison* comparison) {
  return comparison == nullptr ? TENSIM_RUNNING : capi::outcome_of(comparison->comparison.ours.kind);
}

TENSIM_EXPORT int tensim_comparison_reference_ran(const tensim_comparison* comparison) {
  return comparison != nullptr && comparison->comparison.reference_ran ? 1 : 0;
}

TENSIM_EXPORT int tensim_comparison_reference_finished(const tensim_comparison* comparison) {
  return tensim_comparison_reference_ran(comparison) != 0 && comparison->comparison.reference.met ? 1 : 0;
}

TENSIM_EXPORT uint64_t tensim_comparison_l1_differences(const tensim_comparison* comparison) {
  return comparison == nullptr ? 0 : comparison->comparison.l1.count;
}

TENSIM_EXPORT uint64_t tensim_comparison_dst_differences(const tensim_comparison* comparison) {
  return comparison == nullptr || !comparison->comparison.dst ? 0 : comparison->comparison.dst->count;
}

TENSIM_EXPORT tensim_status tensim_comparison_report(const tensim_comparison* comparison, tensim_format format,
                                                     tensim_text** text) {
  const auto wanted = capi::format_of(format);
  return capi::new_text(text, comparison != nullptr && wanted, [&] {
    return report::comparison_report(*comparison->scenario, comparison->comparison, *wanted);
  });
}

}  // extern "C"
