// Who is stuck and why, in words.
#pragma once

#include <string>
#include <vector>

#include "explain/outcome.hpp"
#include "scenario/scenario.hpp"

namespace tensim::report {

/// The explanation of a stuck agent, one fact a line.
std::vector<std::string> lines_of(const scenario::Scenario& scenario, const insight::StuckAgent& agent);
std::string text_of(const scenario::Scenario& scenario, const explain::Outcome& outcome,
                    const explain::StuckCore& core);

/// What its author may have forgotten, where the hang looks like it.
std::vector<std::string> hints(const scenario::Scenario& scenario, const explain::Outcome& outcome);

/// All of it, an empty line before each; empty if the run did not hang.
std::string hang_text(const scenario::Scenario& scenario, const explain::Outcome& outcome);

}  // namespace tensim::report
