// What the assembler has made.
#pragma once

#include "isa/assembler/assemble.hpp"
#include "report/style.hpp"

namespace tensim::report {

struct WordsFormat {
  bool binary = false;  // little-endian words instead of hexadecimal lines
  bool ttinsn = false;  // rotated as they stand in a RISC-V stream
};

/// Words from 0xC0000000 up cannot stand in a RISC-V stream: the first one is made an error.
void check_ttinsn(isa::Assembly& assembly);

void write_words(Arch arch, const isa::Assembly& assembly, const WordsFormat& format, const Write& write);
/// Schema tensim.asm/1: words and diagnostics.
void write_assembly_json(Arch arch, const isa::Assembly& assembly, const Write& write);

}  // namespace tensim::report
