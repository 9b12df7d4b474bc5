// A run that gdb watches over.
#pragma once

#include <cstdint>
#include <string>
#include <variant>

#include "host/run.hpp"
#include "host/scenario.hpp"
#include "tile/tile.hpp"

namespace tensim::command {

/// Runs the scenario's programs for the client that connects to `port` (0: any; it is said on standard error). The
/// outcome is that of a run without gdb if the client detaches or comes to the end; the tile is left in `into`. Or why
/// nobody can connect.
std::variant<host::Outcome, std::string> run_under_gdb(const host::Scenario& scenario, const host::RunOptions& options,
                                                       std::uint16_t port, tile::Tile& into);

}  // namespace tensim::command
