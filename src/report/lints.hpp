// Lints in words: those that were heard (insight/lints.hpp), and the reports of coprocessor and cores that are lints.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "explain/outcome.hpp"
#include "report/style.hpp"
#include "scenario/scenario.hpp"

namespace tensim::report {

struct FoundLint {
  insight::LintKind kind = insight::LintKind::lost_update;
  std::string text = {};
  std::optional<unsigned> semaphore = {};
  std::uint64_t cycle = 0;  // when it was met first
  std::uint64_t count = 1;
  std::uint64_t unmet = 0;  // of displaced waits: those whose conditions still held
};

/// Of a run that was checked, one for each place, in the order in which they were met.
std::vector<FoundLint> found_lints(const scenario::Scenario& scenario, const explain::Outcome& outcome);

std::string lints_text(const Style& style, const scenario::Scenario& scenario, const explain::Outcome& outcome);
nlohmann::json lints_json(const scenario::Scenario& scenario, const explain::Outcome& outcome);

}  // namespace tensim::report
