// How to find callers: .debug_frame and .eh_frame, as rows for the stack pointer, ra and s0. Read here and not with
// libdw for its answers, which take an open file and repeat their work for each address.
#pragma once

#include <string>
#include <vector>

#include "program/code_ranges.hpp"
#include "program/elf_file.hpp"
#include "program/source_map.hpp"

namespace tensim::program {

/// What is wrong is noted; what could be read is there.
std::vector<FrameRow> read_frames(const ElfFile& file, const CodeRanges& code, std::vector<std::string>& notes);

}  // namespace tensim::program
