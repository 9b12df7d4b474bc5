#include "output.hpp"

#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>
#include <unistd.h>

namespace tensim::command {
namespace {

// Names in a hostile ELF need not be UTF-8: replace rather than throw.
constexpr auto replace = nlohmann::json::error_handler_t::replace;

}  // namespace

Style::Style(Mode mode)
    : enabled_(mode == Mode::always ||
               (mode == Mode::automatic && isatty(STDOUT_FILENO) == 1 && std::getenv("NO_COLOR") == nullptr)) {}

std::string Style::wrapped(std::string_view code, std::string_view text) const {
  return enabled_ ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : std::string(text);
}

void print(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
}

void print_error(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
}

void print_json(const nlohmann::json& document) {
  print(document.dump(2, ' ', false, replace) + "\n");
}

std::string json_line(const nlohmann::json& entry) {
  return entry.dump(-1, ' ', false, replace);
}

bool flush_output() {
  return std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
}

ExitCode bad_input(const CommonOptions& options, std::string_view message) {
  if (options.json) print_json(nlohmann::json{{"schema", "tensim.error/1"}, {"error", message}});
  print_error(fmt::format("tensim: {}\n", message));
  return ExitCode::bad_input;
}

}  // namespace tensim::command
