// What the command prints, and with which code it ends.
#pragma once

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

/// Reports bad input, as JSON if asked for, and returns the code to end with.
ExitCode bad_input(const CommonOptions& options, std::string_view message);

}  // namespace tensim::command
