// How a run ended, where its cycles went, and who is stuck on what.
#pragma once

#include <string>

#include "report/style.hpp"
#include "scenario/run.hpp"

namespace tensim::report {

/// JSON is of the schema tensim.run/1.
std::string run_report(const scenario::Scenario& scenario, const scenario::Outcome& outcome, Format format);

}  // namespace tensim::report
