// What the command prints, and with which code it ends.
#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace tensim::command {

enum class ExitCode : int {
  fine = 0,
  expectation_failed = 1,
  bad_input = 2,
  deadlock = 3,
  guest_fault = 4,
  budget_exhausted = 5,
};

/// Colour on a terminal, plain text elsewhere; NO_COLOR and --color override.
class Style {
 public:
  enum class Mode { automatic, always, never };
  explicit Style(Mode mode = Mode::automatic);

  std::string strong(std::string_view text) const { return wrapped("1", text); }
  std::string dim(std::string_view text) const { return wrapped("2", text); }
  std::string name(std::string_view text) const { return wrapped("36", text); }
  std::string warning(std::string_view text) const { return wrapped("33", text); }
  std::string error(std::string_view text) const { return wrapped("31;1", text); }

 private:
  std::string wrapped(std::string_view code, std::string_view text) const;
  bool enabled_;
};

/// Options that every command understands.
struct CommonOptions {
  bool json = false;
  Style::Mode color = Style::Mode::automatic;

  Style style() const { return Style(color); }
};

void print(std::string_view text);
/// To standard error; unlike fmt::print it does not throw when nobody can read it.
void print_error(std::string_view text);
void print_json(const nlohmann::json& document);

/// One entry of a long list, on a line of its own: documents of many entries are written as they are made, because the
/// whole document in memory would be many times its input.
std::string json_line(const nlohmann::json& entry);

/// False if anything printed so far could not be written (a full disk, say).
bool flush_output();

/// Reports bad input, as JSON if asked for, and returns the code to end with.
ExitCode bad_input(const CommonOptions& options, std::string_view message);

}  // namespace tensim::command
