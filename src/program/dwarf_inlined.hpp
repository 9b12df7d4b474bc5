// Calls that compilers have replaced by the code of the function: .debug_info, DWARF 2 to 5. Everything else that stands there is
// skipped.
#pragma once

#include <vector>

#include "program/code_ranges.hpp"
#include "program/dwarf_lines.hpp"
#include "program/elf_file.hpp"
#include "program/source_map.hpp"

namespace tensim::program {

/// Files that only such calls name are added to those of the lines. What is wrong, or not understood, is left out.
std::vector<InlinedRow> read_inlined(const ElfFile& file, const CodeRanges& code, SourceLines& lines);

}  // namespace tensim::program
