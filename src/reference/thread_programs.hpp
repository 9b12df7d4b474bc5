// A scenario that feeds the three threads, as programs on the T cores that push the same words: what a reference can
// run.
#pragma once

#include <string>
#include <variant>

#include "scenario/scenario.hpp"

namespace tensim::reference {

/// When the words come to their threads is not kept, and nothing is expected of the result. What no program can do
/// (accesses of cores in certain cycles, streams) is an error, and its text.
std::variant<scenario::Scenario, std::string> as_programs(const scenario::Scenario& scenario);

}  // namespace tensim::reference
