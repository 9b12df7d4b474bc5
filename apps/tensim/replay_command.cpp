// tensim replay: what a host did to a device, again (docs/replay.md).
#include <memory>

#include <fmt/format.h>
#include <tensim/replay.h>

#include "commands.hpp"
#include "handle.hpp"
#include "input.hpp"
#include "race_options.hpp"
#include "thread_option.hpp"

namespace tensim::command {
namespace {

struct ReplayCommandOptions {
  std::string file;
  RaceOptions races;
  ThreadOption threads;
};

ExitCode exit_code_of(tensim_status status) {
  switch (status) {
    case TENSIM_OK: return ExitCode::fine;
    case TENSIM_FAULT: return ExitCode::guest_fault;
    case TENSIM_RACE: return ExitCode::race;
    default: return ExitCode::expectation_failed;
  }
}

ExitCode run(const CommonOptions& common, ReplayCommandOptions& options) {
  const Input input = read_input(options.file);
  if (!input.content) return bad_input(common, fmt::format("cannot read '{}': {}", options.file, input.problem));
  if (const std::string problem = options.races.prepare(); !problem.empty()) return bad_input(common, problem);
  tensim_replay_options replay_options{};
  replay_options.size = sizeof replay_options;
  options.races.hand_to(replay_options);
  replay_options.threads = options.threads.count();
  Text report;
  const tensim_status status = tensim_replay_with(input.content->data(), input.content->size(), options.file.c_str(),
                                                  &replay_options, common.format(), report.place());
  if (checked(status, report) == TENSIM_BAD_INPUT)
    return bad_input(common, fmt::format("{}: {}", options.file, view(report)));
  print(view(report));
  return exit_code_of(status);
}

}  // namespace

void add_replay_command(Context context) {
  auto options = std::make_shared<ReplayCommandOptions>();
  CLI::App* command = context.app.add_subcommand("replay", "do again what a host did to a device, and compare");
  command->add_option("FILE", options->file, "a recording (TENSIM_RECORD, docs/replay.md); - for standard input")
      ->required();
  options->races.add_to(*command);
  options->threads.add_to(*command);
  command->callback([context, options] { context.exit_code = run(context.options, *options); });
}

}  // namespace tensim::command
