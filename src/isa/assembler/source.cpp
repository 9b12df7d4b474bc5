#include "isa/assembler/source.hpp"

#include <fmt/format.h>

namespace tensim::isa {

std::string to_text(const Diagnostic& diagnostic) {
  const char* severity = diagnostic.severity == Diagnostic::Severity::error ? "error" : "warning";
  std::string text = fmt::format("{}:{}:{}: {}: {}\n", diagnostic.at.file, diagnostic.at.line, diagnostic.at.column,
                                 severity, diagnostic.message);
  std::string margin;
  for (unsigned i = 1; i < diagnostic.at.column && i <= diagnostic.source_line.size(); ++i)
    margin += diagnostic.source_line[i - 1] == '\t' ? '\t' : ' ';
  return text + "    " + diagnostic.source_line + "\n    " + margin + "^\n";
}

}  // namespace tensim::isa
