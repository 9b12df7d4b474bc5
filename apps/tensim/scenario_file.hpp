// Reading a scenario that the user names.
#pragma once

#include <string>
#include <variant>

#include "host/scenario.hpp"

namespace tensim::command {

/// Of a scenario, and of each file that it names.
inline constexpr std::size_t max_scenario_bytes = std::size_t{128} << 20U;

/// The scenario, or what is wrong with it.
std::variant<host::Scenario, std::string> scenario_of_file(const std::string& file);

}  // namespace tensim::command
