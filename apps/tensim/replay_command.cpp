// tensim replay: what a host did to a device, again (docs/replay.md).
#include <memory>

#include <fmt/format.h>

#include "commands.hpp"
#include "device/replay.hpp"
#include "input.hpp"

namespace tensim::command {
namespace {

ExitCode exit_code_of(const device::ReplayResult& result) {
  if (!result.faults.empty()) return ExitCode::guest_fault;
  return result.differences.empty() ? ExitCode::fine : ExitCode::expectation_failed;
}

nlohmann::json to_json(const device::Replay& replay, const device::ReplayResult& result) {
  nlohmann::json document{{"schema", "tensim.replay/1"},      {"arch", name(replay.arch)},
                          {"cycles", result.cycles},          {"lines", replay.steps.size()},
                          {"lines_done", result.steps},       {"differences", result.differences},
                          {"faults", nlohmann::json::array()}};
  for (const device::Fault& fault : result.faults) {
    nlohmann::json entry{{"kind", name(fault.kind)}, {"cycle", fault.cycle}, {"text", fault.lines}};
    if (fault.tile) entry["tile"] = {fault.tile->x, fault.tile->y};
    document["faults"].push_back(std::move(entry));
  }
  return document;
}

void print_text(const Style& style, const std::string& file, const device::Replay& replay,
                const device::ReplayResult& result) {
  print(fmt::format("{}: {} of {} lines done after {} cycles ({})\n", file, result.steps, replay.steps.size(),
                    result.cycles, name(replay.arch)));
  for (const device::Fault& fault : result.faults)
    print(fmt::format("{} {}\n", style.error(fmt::format("{}:", name(fault.kind))), text_of(fault)));
  for (const std::string& difference : result.differences)
    print(fmt::format("{} {}\n", style.error("difference:"), difference));
}

ExitCode run(const CommonOptions& common, const std::string& file) {
  const Input input = read_input(file);
  if (!input.content) return bad_input(common, fmt::format("cannot read '{}': {}", file, input.problem));
  const auto parsed = device::parse_replay(*input.content);
  if (const auto* problem = std::get_if<std::string>(&parsed))
    return bad_input(common, fmt::format("{}: {}", file, *problem));
  const auto& replay = std::get<device::Replay>(parsed);
  const device::ReplayResult result = device::replay(replay);
  if (common.json)
    print_json(to_json(replay, result));
  else
    print_text(common.style(), file, replay, result);
  return exit_code_of(result);
}

}  // namespace

void add_replay_command(Context context) {
  auto file = std::make_shared<std::string>();
  CLI::App* command = context.app.add_subcommand("replay", "do again what a host did to a device, and compare");
  command->add_option("FILE", *file, "a recording (TENSIM_RECORD, docs/replay.md); - for standard input")->required();
  command->callback([context, file] { context.exit_code = run(context.options, *file); });
}

}  // namespace tensim::command
