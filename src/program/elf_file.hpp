// The tables of a 32-bit RISC-V ELF file, checked against its size.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tensim::program {

struct ProgramHeader {
  std::uint32_t type = 0;
  std::uint32_t flags = 0;
  std::uint32_t offset = 0;
  std::uint32_t virtual_address = 0;
  std::uint32_t physical_address = 0;
  std::uint32_t file_size = 0;
  std::uint32_t memory_size = 0;
};

struct ElfSection {
  std::string_view name;  // of the file; cut short if very long
  std::uint32_t type = 0;
  std::uint32_t flags = 0;
  std::uint32_t address = 0;
  std::uint32_t size = 0;
  std::uint32_t link = 0;
  std::span<const std::uint8_t> bytes;  // of the file; empty if it has none, or not all of them
};

struct ElfFile {
  std::uint16_t type = 0;
  std::uint32_t flags = 0;
  std::uint32_t entry = 0;
  std::vector<ProgramHeader> program_headers;
  std::vector<ElfSection> sections;

  [[nodiscard]] const ElfSection* section(std::string_view name) const;
  /// Of a section, empty if there is none or it cannot be used; the reason is noted.
  [[nodiscard]] std::span<const std::uint8_t> contents(std::string_view name, std::vector<std::string>& notes) const;
};

/// Points into `bytes`.
std::variant<ElfFile, std::string> read_elf_file(std::span<const std::uint8_t> bytes);

}  // namespace tensim::program
