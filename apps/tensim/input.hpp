// Reading what the user names: a file, or "-" for standard input.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include <tensim/base.h>

namespace tensim::command {

/// The whole content, or why it cannot be had.
struct Input {
  std::optional<std::string> content = {};
  std::string problem = {};
};

inline constexpr std::size_t max_input_bytes = std::size_t{1} << 30U;

Input read_input(const std::string& path, std::size_t max_bytes = max_input_bytes);

/// A tensim_load_function's work: the content, or why it cannot be had, goes to `content`; 0 if it is the former.
int load_into(const std::string& path, std::size_t max_bytes, tensim_text* content);

}  // namespace tensim::command
