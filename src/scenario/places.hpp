// Where a run's programs, data and awaited words can be: in L1, and code also in the instruction RAM of Wormhole's NCRISC.
#pragma once

#include <cstdint>
#include <string>

#include "arch/arch.hpp"
#include "program/image.hpp"

namespace tensim::scenario {

/// Why [address, address + bytes) cannot be filled before a run; empty if it can.
std::string place_problem(Arch arch, std::uint32_t address, std::size_t bytes);

/// The first segment of a program that a tile has no place for, and why; empty if all fit.
std::string place_problem(Arch arch, const program::Image& image);

/// Whether a word of L1 is at this address, to be waited for or compared.
bool is_word_of_l1(Arch arch, std::uint32_t address);

}  // namespace tensim::scenario
