// tensim explain: everything about one word, or about a field of the configuration.
#include <memory>

#include "commands.hpp"
#include "handle.hpp"

namespace tensim::command {
namespace {

struct ExplainOptions {
  tensim_arch arch = TENSIM_BLACKHOLE;
  std::string what;
  bool ttinsn = false;
};

ExitCode run(const CommonOptions& common, const ExplainOptions& options) {
  Text text;
  const tensim_status status =
      tensim_explain(options.arch, options.what.c_str(), options.ttinsn ? 1 : 0, common.format(), text.place());
  if (checked(status, text) != TENSIM_OK) return bad_input(common, view(text));
  print(view(text));
  return ExitCode::fine;
}

}  // namespace

void add_explain_command(Context context) {
  auto options = std::make_shared<ExplainOptions>();
  CLI::App* command =
      context.app.add_subcommand("explain", "explain a word or an instruction, bit by bit, or a configuration field");
  add_arch_option(*command, options->arch);
  command->add_option("WORD", options->what, "hexadecimal word, an instruction in quotes, or a configuration field")
      ->required();
  command->add_flag("--ttinsn", options->ttinsn, "WORD stands rotated, as in a RISC-V stream");
  command->callback([context, options] { context.exit_code = run(context.options, *options); });
}

}  // namespace tensim::command
