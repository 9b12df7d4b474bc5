// The NoC as a C header for programs on the cores: registers, counters, fields, streams of the overlay, names of tiles and banks,
// from the tables that the model uses.
#pragma once

#include <string>

#include "arch/arch.hpp"

namespace tensim::chip {

/// tensim/noc_registers.h of the chip.
std::string noc_header(Arch arch);

}  // namespace tensim::chip
