#include "report/style.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace tensim::report {
namespace {

// Names in a hostile ELF need not be UTF-8: replace rather than throw.
constexpr auto replace = nlohmann::json::error_handler_t::replace;

}  // namespace

std::string Style::wrapped(std::string_view code, std::string_view text) const {
  return is_coloured_ ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : std::string(text);
}

std::string document_text(const nlohmann::json& document) {
  return document.dump(2, ' ', false, replace) + "\n";
}

std::string entry_text(const nlohmann::json& entry) {
  return entry.dump(-1, ' ', false, replace);
}

}  // namespace tensim::report
