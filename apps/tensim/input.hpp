// Reading what the user names: a file, or "-" for standard input.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace tensim::command {

/// The whole content, or why it cannot be had.
struct Input {
  std::optional<std::string> content = {};
  std::string problem = {};
};

inline constexpr std::size_t max_input_bytes = std::size_t{1} << 30U;

Input read_input(const std::string& path, std::size_t max_bytes = max_input_bytes);

}  // namespace tensim::command
