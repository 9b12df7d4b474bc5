// The executable sections of a 32-bit RISC-V ELF file, for the disassembler.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace tensim::host {

struct TextSection {
  std::string name;
  std::uint32_t address = 0;
  std::vector<std::uint32_t> words;  // little-endian; a tail of fewer than four bytes is left out
};

bool is_elf(std::span<const std::byte> file);

/// The sections, or what is wrong with the file. Any input is safe, truncated and hostile ones included.
std::variant<std::vector<TextSection>, std::string> executable_sections(std::span<const std::byte> file);

}  // namespace tensim::host
