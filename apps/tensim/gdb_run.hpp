// A run that gdb watches over.
#pragma once

#include <cstdint>
#include <string>

#include "handle.hpp"

namespace tensim::command {

/// Runs the scenario's programs for the client that connects to `port` (0: any; it is said on standard error). The
/// result is that of a run without gdb if the client detaches or comes to the end. Empty, or why nobody can connect.
std::string run_under_gdb(const Scenario& scenario, std::uint16_t port, Result& result);

}  // namespace tensim::command
