// Where text came from, and what is wrong with it.
#pragma once

#include <cstdint>
#include <string>

namespace tensim::isa {

struct SourceLocation {
  std::string file;
  unsigned line = 0;    // from 1
  unsigned column = 0;  // from 1
};

struct Diagnostic {
  enum class Severity : std::uint8_t { error, warning };
  Severity severity = Severity::error;
  SourceLocation at;
  std::string message;
  std::string source_line;  // for the caret under it; empty if there is nothing to show
};

/// "file:3:12: error: ...", then the line and a caret if there is a line to show.
std::string to_text(const Diagnostic& diagnostic);

}  // namespace tensim::isa
