// The kinds of lints in words: `tensim explain LINT-lost-update`, and docs/races.md.
#pragma once

#include <string>
#include <string_view>

#include "report/explanation.hpp"

namespace tensim::report {

/// "LINT-lost-update" names a kind; letters of either case.
bool names_lint(std::string_view what);
/// JSON is of the schema tensim.explain_lint/1.
Explained explain_lint(std::string_view what, Format format);

/// All of them, in Markdown.
std::string lint_kinds_page();

}  // namespace tensim::report
