// tensim help: what there is, or what one sub-command takes.
#include <memory>

#include "commands.hpp"
#include "usage.hpp"

namespace tensim::command {

void add_help_command(Context context) {
  auto about = std::make_shared<std::string>();
  CLI::App* command = context.app.add_subcommand("help", "what there is, or what a sub-command takes");
  command->add_option("COMMAND", *about, "a sub-command");
  command->callback([context, about] {
    // App::help() would speak of the sub-command that was called: this one.
    if (about->empty())
      return print(context.app.get_formatter()->make_help(&context.app, "tensim", CLI::AppFormatMode::Normal));
    for (const CLI::App* known : context.app.get_subcommands({}))
      if (known->get_name() == *about) return print(known->help("tensim"));
    context.exit_code = bad_input(context.options, unknown_subcommand(context.app, *about));
  });
}

}  // namespace tensim::command
