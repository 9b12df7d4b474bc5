// The sub-commands. Each adds itself to the command line and sets the exit code when it runs.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <tensim/base.h>

#include "output.hpp"

namespace tensim::command {

struct Context {
  CLI::App& app;
  const CommonOptions& options;
  ExitCode& exit_code;
};

void add_arch_command(Context context);
void add_asm_command(Context context);
void add_compare_command(Context context);
void add_disasm_command(Context context);
void add_explain_command(Context context);
void add_header_command(Context context);
void add_help_command(Context context);
void add_replay_command(Context context);
void add_run_command(Context context);

/// An option or argument that names an architecture; anything else is a usage error.
inline CLI::Option* add_arch(CLI::App& command, const std::string& name, tensim_arch& arch) {
  return command
      .add_option_function<std::string>(
          name, [&arch](const std::string& text) { (void)tensim_parse_arch(text.c_str(), &arch); },
          "wormhole (wh) or blackhole (bh)")
      ->check([](const std::string& text) {
        tensim_arch ignored = TENSIM_BLACKHOLE;
        return tensim_parse_arch(text.c_str(), &ignored) == TENSIM_OK
                   ? std::string()
                   : "unknown architecture '" + text + "'; expected wormhole or blackhole";
      });
}

/// --arch wormhole|blackhole (default blackhole).
inline CLI::Option* add_arch_option(CLI::App& command, tensim_arch& arch) {
  return add_arch(command, "--arch", arch)->default_str("blackhole");
}

/// A whole number of an option: decimal or 0x; none if it is anything else or beyond `most`.
inline std::optional<std::uint64_t> parse_number(std::string_view text, std::uint64_t most) {
  const bool is_hex = text.starts_with("0x") || text.starts_with("0X");
  if (is_hex) text.remove_prefix(2);
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, is_hex ? 16 : 10);
  const bool is_number = error == std::errc{} && end == text.data() + text.size();
  return is_number && value <= most ? std::optional(value) : std::nullopt;
}

/// For the check of an option: a number from `least` to `most`. CLI11's own takes -1 for 2^64 - 1.
inline auto number_from(std::uint64_t least, std::uint64_t most) {
  return [=](const std::string& text) {
    const auto value = parse_number(text, most);
    return value && *value >= least ? std::string()
                                    : fmt::format("'{}' is not a number from {} to {}", text, least, most);
  };
}

/// An option that is a number from `least` to `most`.
template <class T>
CLI::Option* add_number(CLI::App& command, const std::string& name, T& value, std::uint64_t least, std::uint64_t most,
                        const std::string& description) {
  return command
      .add_option_function<std::string>(
          name,
          [&value, most](const std::string& text) {
            using Number = std::remove_cvref_t<decltype(std::optional(value).value())>;
            value = static_cast<Number>(parse_number(text, most).value_or(0));
          },
          description)
      ->check(number_from(least, most));
}

/// Cycles that a run may take.
inline CLI::Option* add_budget(CLI::App& command, std::optional<std::uint64_t>& budget,
                               const std::string& description) {
  constexpr std::uint64_t most = std::uint64_t{1} << 60U;  // as in scenarios
  return add_number(command, "--budget", budget, 1, most, description);
}

/// What a value of several parts must have to be taken for one.
struct ValueForm {
  char separator;
  std::ptrdiff_t separators;  // at least
  std::string_view expected;
};

/// An option that may be given several times, with one value each: what stands behind the value is not another one, but the
/// command's file, say.
inline CLI::Option* add_repeatable(CLI::App& command, const std::string& name, std::vector<std::string>& values,
                                   const ValueForm& form, const std::string& description) {
  return command.add_option(name, values, description + " (may be given again)")
      ->allow_extra_args(false)
      ->check([form](const std::string& text) {
        const bool has_parts = std::ranges::count(text, form.separator) >= form.separators;
        return has_parts ? std::string() : fmt::format("'{}': expected {}", text, form.expected);
      });
}

/// An option with a few named values: the help shows the names, not what they stand for.
template <class T>
CLI::Option* add_choice(CLI::App& command, const std::string& name, T& value, std::map<std::string, T> choices,
                        const std::string& description) {
  std::vector<std::string> names;
  std::string current;
  for (const auto& [text, choice] : choices) {
    names.push_back(text);
    if (choice == value) current = text;
  }
  return command
      .add_option_function<std::string>(
          name, [&value, choices = std::move(choices)](const std::string& text) { value = choices.at(text); },
          description)
      ->check(CLI::IsMember(std::move(names)))
      ->default_str(current);
}

}  // namespace tensim::command
