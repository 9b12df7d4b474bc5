// Races in words.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "insight/races.hpp"
#include "report/style.hpp"
#include "scenario/scenario.hpp"

namespace tensim::report {

/// One race, a fact a line: the pair and what they share, what would order them, and how they lay in this run.
std::vector<std::string> lines_of(const scenario::Scenario& scenario, const insight::Races& races,
                                  const insight::Race& race);

/// All of them, errors first.
std::string races_text(const Style& style, const scenario::Scenario& scenario, const insight::Races& races);
nlohmann::json races_json(const scenario::Scenario& scenario, const insight::Races& races);

}  // namespace tensim::report
