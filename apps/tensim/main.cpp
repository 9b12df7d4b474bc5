// tensim: the command. See docs/command.md.
#include <exception>

#include <fmt/format.h>

#include "commands.hpp"

namespace {

using namespace tensim::command;

int run(int argc, char** argv) {
  CLI::App app{"tensim: Tensix kernels, cycle by cycle", "tensim"};
  app.set_version_flag("--version", "tensim " TENSIM_VERSION);
  app.require_subcommand(1);
  app.fallthrough();
  CommonOptions options;
  app.add_flag("--json", options.json, "print JSON (every document has a schema field)");
  app.add_option("--color", options.color, "when to use colour")
      ->transform(CLI::CheckedTransformer(std::map<std::string, Style::Mode>{
          {"auto", Style::Mode::automatic}, {"always", Style::Mode::always}, {"never", Style::Mode::never}}));
  app.footer("exit codes: 0 fine, 1 an expectation failed, 2 bad input, 3 deadlock, 4 guest fault, 5 budget exhausted");
  ExitCode exit_code = ExitCode::fine;
  const Context context{app, options, exit_code};
  add_asm_command(context);
  add_disasm_command(context);
  add_explain_command(context);
  add_arch_command(context);
  add_run_command(context);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : static_cast<int>(ExitCode::bad_input);
  }
  return static_cast<int>(exit_code);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    // Out of memory and the like: everything a guest or an input file can cause is a value, not an exception.
    fmt::print(stderr, "tensim: {}\n", error.what());
    return static_cast<int>(ExitCode::bad_input);
  }
}
