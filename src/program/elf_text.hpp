// The executable sections of a 32-bit RISC-V ELF file, for the disassembler.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace tensim::program {

struct TextSection {
  std::string name;
  std::uint32_t address = 0;
  std::span<const std::byte> bytes;  // of the file
};

bool is_elf(std::span<const std::byte> file);

/// The sections, at least one, or what is wrong with the file. Any input is safe, truncated and hostile ones included.
/// The sections point into `file`.
std::variant<std::vector<TextSection>, std::string> executable_sections(std::span<const std::byte> file);

}  // namespace tensim::program
