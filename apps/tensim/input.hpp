// Reading what the user names: a file, or "-" for standard input.
#pragma once

#include <optional>
#include <string>

namespace tensim::command {

/// The whole content, or nothing if it cannot be read; files above 1 GiB are refused.
std::optional<std::string> read_input(const std::string& path);

}  // namespace tensim::command
