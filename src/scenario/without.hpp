// The same scenario with a wait left out: what would it cost not to have it?
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "scenario/scenario.hpp"

namespace tensim::scenario {

/// Without the waits (STALLWAIT, SEMWAIT, STREAMWAIT) that stand at `place`, "pack.h:62", or "33" for a line of the scenario itself;
/// of code that stands in the place of calls, the lines of these calls are places, too. In a program a wait becomes an instruction that
/// does nothing. Or why not.
std::variant<Scenario, std::string> without(const Scenario& scenario, std::string_view place);

}  // namespace tensim::scenario
