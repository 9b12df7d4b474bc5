#include "output.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>
#include <unistd.h>

#include "handle.hpp"

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

ExitCode bad_input(const CommonOptions& options, const Problem& problem) {
  // It may name a file, and files may be called anything.
  Text text;
  checked(tensim_printable(problem.text.data(), problem.text.size(), text.place()));
  if (options.json) {
    nlohmann::json document{{"schema", "tensim.error/1"}, {"error", view(text)}};
    if (!problem.file.empty()) document["file"] = problem.file;
    if (problem.line != 0) document["line"] = problem.line;
    if (problem.column != 0) document["column"] = problem.column;
    print_json(document);
  }
  print_error(fmt::format("tensim: {}\n", view(text)));
  return ExitCode::bad_input;
}

void OutputFile::open(const std::string& path) {
  path_ = path;
  file_.reset(std::fopen(path.c_str(), "wb"));
  if (file_ == nullptr) note_failure();
}

void OutputFile::write(std::string_view bytes) {
  if (file_ != nullptr && std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) != bytes.size()) note_failure();
}

void OutputFile::write_piece(void* context, const char* bytes, std::size_t size) {
  static_cast<OutputFile*>(context)->write({bytes, size});
}

std::string OutputFile::finish() {
  if (file_ != nullptr && std::fclose(file_.release()) != 0) note_failure();
  return problem_;
}

void OutputFile::note_failure() {
  if (problem_.empty()) problem_ = fmt::format("cannot write '{}': {}", path_, std::strerror(errno));
}

}  // namespace tensim::command
