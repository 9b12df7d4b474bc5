// What `monitor ...` says: the parts of a tile that a debugger of cores has no words for.
#pragma once

#include <string>
#include <string_view>

#include "debug/debugger.hpp"
#include "scenario/scenario.hpp"

namespace tensim::debug {

/// The answer to a command, in lines; of an unknown one, what there is.
std::string monitor(const scenario::Scenario& scenario, const Debugger& debugger, std::string_view command);

}  // namespace tensim::debug
