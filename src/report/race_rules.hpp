// The rules of the race check in words: `tensim explain RACE-19b`, and docs/races.md.
#pragma once

#include <string>
#include <string_view>

#include "report/explanation.hpp"

namespace tensim::report {

/// "RACE-19b" names a rule; letters of either case.
bool names_race_rule(std::string_view what);
/// JSON is of the schema tensim.explain_race/1.
Explained explain_race_rule(std::string_view what, Format format);

/// A section for each rule, in Markdown.
std::string race_rules_page();

}  // namespace tensim::report
