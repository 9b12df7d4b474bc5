// tensim: the command. See docs/command.md.
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <exception>

#include <fmt/format.h>

#include "commands.hpp"
#include "usage.hpp"

namespace {

using namespace tensim::command;

int run(int argc, char** argv) {
  CLI::App app{"tensim: Tensix kernels, cycle by cycle", "tensim"};
  app.set_version_flag("--version", std::string("tensim ") + tensim_version());
  app.require_subcommand(1);
  app.fallthrough();
  CommonOptions options;
  app.add_flag("--json", options.json, "print JSON (every document has a schema field)");
  add_choice<Colour>(app, "--color", options.color,
                     {{"auto", Colour::automatic}, {"always", Colour::always}, {"never", Colour::never}},
                     "when to use colour");
  app.footer(
      "exit codes: 0 fine, 1 an expectation failed, 2 bad input or output, 3 deadlock, 4 guest fault, 5 budget "
      "exhausted");
  ExitCode exit_code = ExitCode::fine;
  const Context context{app, options, exit_code};
  add_asm_command(context);
  add_disasm_command(context);
  add_explain_command(context);
  add_header_command(context);
  add_help_command(context);
  add_arch_command(context);
  add_run_command(context);
  add_compare_command(context);
  add_replay_command(context);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    // The parser stopped before it could say whether --json was there.
    const std::vector<std::string_view> arguments(argv + 1, argv + argc);
    options.json = std::ranges::find(arguments, "--json") != arguments.end();
    if (arguments.empty()) {
      print_error(app.help());
      return static_cast<int>(ExitCode::bad_input);
    }
    exit_code = bad_input(options, usage_problem(app, error));
    print_error("tensim help lists what there is\n");
  }
  return static_cast<int>(exit_code);
}

int report(const std::exception& error) {
  print_error(fmt::format("tensim: {}\n", error.what()));
  return static_cast<int>(ExitCode::bad_input);
}

}  // namespace

int main(int argc, char** argv) {
  int exit_code = 0;
  try {
    exit_code = run(argc, argv);
  } catch (const std::exception& error) {
    // Out of memory and the like: everything a guest or an input file can cause is a value, not an exception.
    exit_code = report(error);
  }
  if (!flush_output()) {
    print_error(fmt::format("tensim: cannot write the output: {}\n", std::strerror(errno)));
    return static_cast<int>(ExitCode::bad_input);
  }
  return exit_code;
}
