// What cores do and what ended them, in words.
#pragma once

#include <string>
#include <vector>

#include "explain/outcome.hpp"
#include "scenario/scenario.hpp"

namespace tensim::report {

/// What a core is doing, in a few words: "parked at main+0x10 (boot.c:12)".
std::string text_of(const scenario::Scenario& scenario, const explain::CoreState& state);
/// What ended the core's program, and its call stack.
std::vector<std::string> lines_of(const scenario::Scenario& scenario, const explain::CoreEnd& end);
std::string text_of(const scenario::Scenario& scenario, const tile::TileReport& report);
/// Without who, where and when.
std::string what_of(const scenario::Scenario& scenario, const tile::TileReport& report);

}  // namespace tensim::report
