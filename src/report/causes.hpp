// What a deadlock probably comes from, where the check has seen it: semaphores that somebody waits for and that have lost an
// update, and state of those who are stuck that is raced on.
#pragma once

#include <string>
#include <vector>

#include "explain/outcome.hpp"
#include "scenario/scenario.hpp"

namespace tensim::report {

/// A line each; nothing if the run did not hang, or was not checked.
std::vector<std::string> causes(const scenario::Scenario& scenario, const explain::Outcome& outcome);

}  // namespace tensim::report
