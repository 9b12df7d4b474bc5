// What users read is made here, as text and as JSON; nothing here prints.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

namespace tensim::report {

/// How a report is wanted.
enum class Format : unsigned char { plain, coloured, json };

/// Takes a long report piece by piece: whole in memory it would be many times its input.
using Write = std::function<void(std::string_view text)>;

/// Marks parts of a text with a terminal's colours, or leaves them as they are.
class Style {
 public:
  explicit Style(bool is_coloured) : is_coloured_(is_coloured) {}

  std::string strong(std::string_view text) const { return wrapped("1", text); }
  std::string dim(std::string_view text) const { return wrapped("2", text); }
  std::string name(std::string_view text) const { return wrapped("36", text); }
  std::string warning(std::string_view text) const { return wrapped("33", text); }
  std::string error(std::string_view text) const { return wrapped("31;1", text); }

 private:
  std::string wrapped(std::string_view code, std::string_view text) const;
  bool is_coloured_;
};

inline Style style_of(Format format) {
  return Style(format == Format::coloured);
}

/// A whole document, indented, with a line end.
std::string document_text(const nlohmann::json& document);
/// One entry of a long list, on a line of its own.
std::string entry_text(const nlohmann::json& entry);

}  // namespace tensim::report
