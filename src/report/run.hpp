// How a run ended, where its cycles went, and who is stuck on what.
#pragma once

#include <string>

#include "host/run.hpp"
#include "report/style.hpp"

namespace tensim::report {

/// JSON is of the schema tensim.run/1.
std::string run_report(const host::Scenario& scenario, const host::Outcome& outcome, Format format);

}  // namespace tensim::report
