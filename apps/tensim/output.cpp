#include "output.hpp"

#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>
#include <unistd.h>

namespace tensim::command {
namespace {

// Names of files need not be UTF-8: replace rather than throw.
constexpr auto replace = nlohmann::json::error_handler_t::replace;

}  // namespace

tensim_format CommonOptions::format() const {
  if (json) return TENSIM_JSON;
  const bool is_coloured = color == Colour::always || (color == Colour::automatic && isatty(STDOUT_FILENO) == 1 &&
                                                       std::getenv("NO_COLOR") == nullptr);
  return is_coloured ? TENSIM_COLOURED : TENSIM_PLAIN;
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

void print_piece(void* /*context*/, const char* text, std::size_t size) {
  print({text, size});
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
