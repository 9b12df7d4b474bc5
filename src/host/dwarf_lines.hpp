// The source lines of a program: .debug_line, DWARF 2 to 5.
//
// Read here and not with libdw, which reads a line table once for each unit that points to (a part of) it and keeps all
// its rows: a file of 300 kB can take gigabytes. Here each byte is read once.
#pragma once

#include <string>
#include <vector>

#include "host/code_ranges.hpp"
#include "host/elf_file.hpp"
#include "host/source_map.hpp"

namespace tensim::host {

struct SourceLines {
  std::vector<std::string> files;
  std::vector<LineRow> rows;
};

/// What is wrong is noted; what could be read is there.
SourceLines read_lines(const ElfFile& file, const CodeRanges& code, std::vector<std::string>& notes);

}  // namespace tensim::host
