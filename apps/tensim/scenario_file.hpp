// Reading a scenario that the user names, and what users write about one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "handle.hpp"
#include "output.hpp"

namespace tensim::command {

/// Of a scenario, and of each file that it names.
inline constexpr std::size_t max_scenario_bytes = std::size_t{128} << 20U;

/// None, or why there is no scenario.
Problem read_scenario(const std::string& file, Scenario& scenario);

/// A number, or where CORE:VARIABLE is.
std::optional<std::uint32_t> address_of(const Scenario& scenario, const std::string& name);

}  // namespace tensim::command
