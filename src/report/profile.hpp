// Where the cycles of a run went, in words.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "insight/profile.hpp"
#include "report/style.hpp"
#include "scenario/scenario.hpp"

namespace tensim::report {

/// Who did what with his cycles, in which lines they went, the most first, and what the waits cost.
std::string profile_text(const Style& style, const scenario::Scenario& scenario, const insight::Profile& profile);
/// All of it, by instruction.
nlohmann::json profile_json(const scenario::Scenario& scenario, const insight::Profile& profile);

}  // namespace tensim::report
