#include "isa/assembler/source.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "text/printable.hpp"

namespace tensim::isa {
namespace {

constexpr std::size_t shown_line = 120;
constexpr std::size_t shown_message = 400;

bool continues_utf8(char c) {
  return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

/// How many columns a terminal needs for it.
std::size_t display_width(std::string_view text) {
  return text.size() - static_cast<std::size_t>(std::ranges::count_if(text, continues_utf8));
}

std::string clipped(std::string_view text, std::size_t size) {
  if (text.size() <= size) return std::string(text);
  while (size > 0 && continues_utf8(text[size]))
    --size;
  return std::string(text.substr(0, size)) + "...";
}

}  // namespace

std::string to_text(const Diagnostic& diagnostic) {
  const char* severity = diagnostic.severity == Diagnostic::Severity::error ? "error" : "warning";
  std::string shown =
      fmt::format("{}:{}:{}: {}: {}\n", text::printable(diagnostic.at.file), diagnostic.at.line, diagnostic.at.column,
                  severity, text::printable(clipped(diagnostic.message, shown_message)));
  if (diagnostic.source_line.empty()) return shown;
  // Of a long line, the part round the column.
  const std::string_view line = diagnostic.source_line;
  const std::size_t caret =
      std::min<std::size_t>(diagnostic.at.column == 0 ? 0 : diagnostic.at.column - 1, line.size());
  std::size_t begin = line.size() <= shown_line || caret < shown_line / 2 ? 0 : caret - shown_line / 2;
  while (begin > 0 && begin < caret && continues_utf8(line[begin]))
    ++begin;
  const std::string before = (begin > 0 ? "..." : "") + text::printable(line.substr(begin, caret - begin));
  const std::string_view rest = line.substr(caret);
  const std::string after = text::printable(clipped(rest, shown_line - std::min(shown_line, caret - begin)));
  return shown + "    " + before + after + "\n    " + std::string(display_width(before), ' ') + "^\n";
}

}  // namespace tensim::isa
