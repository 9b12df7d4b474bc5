// Where the cycles of threads and cores went, in words.
#pragma once

#include <string>

#include "event/stall.hpp"
#include "riscv/account.hpp"

namespace tensim::report {

/// "latched_wait 28, src_a_not_valid 18": why a thread was held, and for how many cycles.
std::string text_of(const event::StallAccount& account);
/// "operand 12, fetch 40": likewise a core.
std::string text_of(const riscv::CoreAccount& account);

/// In how many cycles an instruction was held.
std::uint64_t held_cycles(const event::StallAccount& account);

}  // namespace tensim::report
