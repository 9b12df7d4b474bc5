// What a scenario expects of its explanation is expected of the words that its author reads.
#pragma once

#include "explain/outcome.hpp"
#include "scenario/scenario.hpp"

namespace tensim::report {

/// Adds to `failed_expectations`: who is not stuck, and what the explanation of who is does not say.
void check_texts(const scenario::Scenario& scenario, explain::Outcome& outcome);

}  // namespace tensim::report
