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

/// "T2's PACR ... (line 12)", "TRISC2's store at main+0x14 (pack.c:80)"
std::string site_text(const scenario::Scenario& scenario, const insight::Site& site);

/// Takes out the races that a suppression file names: a line for each pair, the one that comes second before the one it does not
/// wait for, as reports have them, `*` for any text: "T2's RMWCIB* (pack.c:88) / T2's PACR* (pack.c:80)". Empty lines and
/// those that begin with # say nothing. Empty, or what is wrong with the file.
std::string suppress(const scenario::Scenario& scenario, std::string_view file, insight::Races& races);

/// All of them, errors first.
std::string races_text(const Style& style, const scenario::Scenario& scenario, const insight::Races& races);
nlohmann::json races_json(const scenario::Scenario& scenario, const insight::Races& races);

}  // namespace tensim::report
