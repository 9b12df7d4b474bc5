// The head of a line table: how its program is encoded, and the names of its files.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "program/byte_cursor.hpp"

namespace tensim::program {

/// Where names that are not in the table itself are.
struct LineStrings {
  std::span<const std::uint8_t> line_strings;  // .debug_line_str
  std::span<const std::uint8_t> strings;       // .debug_str
};

struct LineHeader {
  struct File {
    std::string_view name;
    std::uint64_t directory = 0;
  };

  unsigned version = 0;
  std::uint8_t instruction_length = 1;
  std::int8_t line_base = 0;
  std::uint8_t line_range = 1;  // never 0
  std::uint8_t opcode_base = 1;
  std::vector<std::uint8_t> operand_counts;  // of the standard opcodes, from 1
  std::vector<std::string_view> directories;
  std::vector<File> files;

  /// An entry as before DWARF 5, of which the name is read. False if it is broken or one too many.
  bool add_file(std::string_view name, ByteCursor& rest);
  [[nodiscard]] const File* file(std::uint64_t index) const;
  /// Base name, or path below the directory of the build: where it was built is nobody's business.
  [[nodiscard]] std::string path(const File& file) const;
};

/// Reads up to the program. `unit` begins behind the length of the unit.
std::optional<LineHeader> read_line_header(ByteCursor& unit, const LineStrings& strings);

}  // namespace tensim::program
