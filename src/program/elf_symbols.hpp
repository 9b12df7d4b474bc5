// The symbol table of an ELF file, with the names the source has.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "program/elf_file.hpp"
#include "program/source_map.hpp"

namespace tensim::program {

/// Of very many only the first; that some are missing is noted.
std::vector<Symbol> read_symbols(const ElfFile& file, std::vector<std::string>& notes);

}  // namespace tensim::program
