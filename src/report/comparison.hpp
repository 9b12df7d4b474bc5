// What a run here and the same on a reference have left behind, and where that differs.
#pragma once

#include <string>

#include "reference/compare.hpp"
#include "report/style.hpp"

namespace tensim::report {

/// JSON is of the schema tensim.compare/1.
std::string comparison_report(const scenario::Scenario& scenario, const reference::Comparison& comparison,
                              Format format);

}  // namespace tensim::report
