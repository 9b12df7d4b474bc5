// Parts of an outcome as text, for whoever prints them.
#pragma once

#include <string>

#include "scenario/run.hpp"

namespace tensim::scenario {

/// "latched_wait 28, src_a_not_valid 18": why a thread was held, and for how many cycles.
std::string text_of(const event::StallAccount& account);
/// "operand 12, fetch 40": likewise a core.
std::string text_of(const riscv::CoreAccount& account);

/// In how many cycles an instruction was held.
std::uint64_t held_cycles(const event::StallAccount& account);

/// Who is stuck and why, an empty line before each; empty if the run did not hang.
std::string explain_hang(const Scenario& scenario, const Outcome& outcome);

}  // namespace tensim::scenario
