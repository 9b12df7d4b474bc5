// The instruction set as a C header: what guest programs push instructions with (guest/README.md).
#pragma once

#include <string>

#include "arch/arch.hpp"

namespace tensim::isa {

/// tensim/tensix_instructions.h for `arch`: names of waits, semaphores and mutexes, and three macros per instruction.
std::string c_header(Arch arch);

}  // namespace tensim::isa
