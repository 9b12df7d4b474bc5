// tensim replay: what a host did to a device, again (docs/replay.md).
#include <memory>

#include <fmt/format.h>
#include <tensim/replay.h>

#include "commands.hpp"
#include "handle.hpp"
#include "input.hpp"

namespace tensim::command {
namespace {

ExitCode exit_code_of(tensim_status status) {
  if (status == TENSIM_FAULT) return ExitCode::guest_fault;
  return status == TENSIM_OK ? ExitCode::fine : ExitCode::expectation_failed;
}

ExitCode run(const CommonOptions& common, const std::string& file) {
  const Input input = read_input(file);
  if (!input.content) return bad_input(common, fmt::format("cannot read '{}': {}", file, input.problem));
  Text report;
  const tensim_status status =
      tensim_replay(input.content->data(), input.content->size(), file.c_str(), common.format(), report.place());
  if (checked(status, report) == TENSIM_BAD_INPUT) return bad_input(common, fmt::format("{}: {}", file, view(report)));
  print(view(report));
  return exit_code_of(status);
}

}  // namespace

void add_replay_command(Context context) {
  auto file = std::make_shared<std::string>();
  CLI::App* command = context.app.add_subcommand("replay", "do again what a host did to a device, and compare");
  command->add_option("FILE", *file, "a recording (TENSIM_RECORD, docs/replay.md); - for standard input")->required();
  command->callback([context, file] { context.exit_code = run(context.options, *file); });
}

}  // namespace tensim::command
