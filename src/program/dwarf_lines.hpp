// The source lines of a program: .debug_line, DWARF 2 to 5.
//
// Read here and not with libdw, which reads a line table once for each unit that points to (a part of) it and keeps all
// its rows: a file of 300 kB can take gigabytes. Here each byte is read once.
#pragma once

#include <string>
#include <vector>

#include "program/code_ranges.hpp"
#include "program/elf_file.hpp"
#include "program/source_map.hpp"

namespace tensim::program {

struct SourceLines {
  std::vector<std::string> files;
  std::vector<LineRow> rows;
};

/// What is wrong is noted; what could be read is there.
SourceLines read_lines(const ElfFile& file, const CodeRanges& code, std::vector<std::string>& notes);

}  // namespace tensim::program
