// From a word to an instruction. Total: every word decodes, to Op::undefined if the architecture has no such instruction.
#pragma once

#include "arch/arch.hpp"
#include "riscv/instruction.hpp"

namespace tensim::riscv {

/// What `word` is on `arch`. Whether a particular core has it, extensions() of table.hpp says.
Instruction decode(Arch arch, Word word);

}  // namespace tensim::riscv
