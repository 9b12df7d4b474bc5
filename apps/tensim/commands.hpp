// The sub-commands. Each adds itself to the command line and sets the exit code when it runs.
#pragma once

#include <CLI/CLI.hpp>

#include "arch/arch.hpp"
#include "output.hpp"

namespace tensim::command {

struct Context {
  CLI::App& app;
  const CommonOptions& options;
  ExitCode& exit_code;
};

void add_arch_command(Context context);
void add_asm_command(Context context);
void add_disasm_command(Context context);
void add_explain_command(Context context);
void add_run_command(Context context);

/// --arch wormhole|blackhole (default blackhole).
inline void add_arch_option(CLI::App& command, Arch& arch) {
  command
      .add_option_function<std::string>(
          "--arch", [&arch](const std::string& text) { arch = parse_arch(text).value_or(arch); },
          "wormhole (wh) or blackhole (bh)")
      ->check([](const std::string& text) {
        return parse_arch(text) ? std::string() : "unknown architecture '" + text + "'; expected wormhole or blackhole";
      })
      ->default_str("blackhole");
}

}  // namespace tensim::command
