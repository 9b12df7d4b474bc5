// The symbol table of an ELF file, with the names the source has.
#pragma once

#include <string_view>
#include <vector>

#include "host/elf_file.hpp"
#include "host/source_map.hpp"

namespace tensim::host {

/// Text of a file for people and for JSON: printable ASCII, the rest replaced by '?'.
std::string printable(std::string_view text);

std::vector<Symbol> read_symbols(const ElfFile& file);

}  // namespace tensim::host
