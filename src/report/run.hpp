// How a run ended, where its cycles went, and who is stuck on what.
#pragma once

#include <string>

#include "explain/outcome.hpp"
#include "report/style.hpp"
#include "report/tile_names.hpp"
#include "scenario/scenario.hpp"

namespace tensim::report {

/// JSON is of the schema tensim.run/1.
std::string run_report(const scenario::Scenario& scenario, const explain::Outcome& outcome, Format format);

/// The part of it that is about what went wrong or is worth a remark: faults, who is stuck, notes, expectations that failed.
std::string details_text(const Style& style, const scenario::Scenario& scenario, const explain::Outcome& outcome,
                         const TileNames& names);

}  // namespace tensim::report
