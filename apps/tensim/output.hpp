// What the command prints, and with which code it ends.
#pragma once

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>
#include <tensim/base.h>

namespace tensim::command {

enum class ExitCode : int {
  fine = 0,
  expectation_failed = 1,
  bad_input = 2,
  deadlock = 3,
  guest_fault = 4,
  budget_exhausted = 5,
  race = 6,
};

/// Colour on a terminal, plain text elsewhere; NO_COLOR and --color override.
enum class Colour { automatic, always, never };

/// Options that every command understands.
struct CommonOptions {
  bool json = false;
  Colour color = Colour::automatic;

  /// How reports are wanted.
  tensim_format format() const;
};

void print(std::string_view text);
/// To standard error; unlike fmt::print it does not throw when nobody can read it.
void print_error(std::string_view text);
void print_json(const nlohmann::json& document);
/// print(), for the C interface to call.
void print_piece(void* context, const char* text, std::size_t size);

/// False if anything printed so far could not be written (a full disk, say).
bool flush_output();

/// What is wrong with what the user gave, and where that stands if it is in a file.
struct Problem {
  std::string text = {};
  std::string file = {};
  unsigned line = 0;    // from 1; 0 if it is nowhere in particular
  unsigned column = 0;  // from 1

  bool is_none() const { return text.empty(); }
};

/// Reports bad input, as JSON if asked for, and returns the code to end with.
ExitCode bad_input(const CommonOptions& options, const Problem& problem);
inline ExitCode bad_input(const CommonOptions& options, std::string_view message) {
  return bad_input(options, Problem{.text = std::string(message)});
}

/// A file that the user wants written. A disk may be full, and that shows late: finish() tells.
class OutputFile {
 public:
  /// Begins the file anew.
  void open(const std::string& path);
  bool is_open() const { return file_ != nullptr; }
  void write(std::string_view bytes);
  /// write(), for the C interface to call; the context is an OutputFile.
  static void write_piece(void* context, const char* bytes, std::size_t size);
  /// Closes it. Empty if everything has been written, else what went wrong: it names the file.
  std::string finish();

 private:
  void note_failure();

  std::string path_;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_{nullptr, std::fclose};
  std::string problem_;  // the first one
};

}  // namespace tensim::command
