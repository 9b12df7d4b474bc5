// The sub-commands. Each adds itself to the command line and sets the exit code when it runs.
#pragma once

#include <map>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
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
inline void add_arch_option(CLI::App& command, tensim_arch& arch) {
  add_arch(command, "--arch", arch)->default_str("blackhole");
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
