// How a stop is told to gdb: a signal, a few words about it, or that the program has exited.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "debug/debugger.hpp"
#include "scenario/scenario.hpp"

namespace tensim::debug {

inline constexpr std::array<std::string_view, tile::core_count> thread_names{"B", "T0", "T1", "T2", "NC"};

/// Threads count from 1: 0 means any of them.
constexpr unsigned thread_id(tile::CoreId core) {
  return static_cast<unsigned>(core) + 1;
}

/// "T05thread:2;", "T05watch:20004;thread:1;"
std::string stop_reply(const Debugger& debugger, const Stop& stop);

/// What the user should read: why a core has stopped, who waits for whom. Often nothing.
std::string stop_text(const scenario::Scenario& scenario, const Debugger& debugger, const Stop& stop);

/// The run is over, with this exit code (those of the command, docs/command.md).
std::optional<int> exit_code(const scenario::Scenario& scenario, const Debugger& debugger, const Stop& stop);

}  // namespace tensim::debug
