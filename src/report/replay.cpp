#include "report/replay.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "noc/workers.hpp"
#include "report/device_faults.hpp"
#include "report/races.hpp"
#include "report/tile_names.hpp"

namespace tensim::report {
namespace {

/// Nobody has said what ran.
RaceSites race_sites(const device::Replay& replay, const device::ReplayResult& result,
                     const scenario::Scenario& programs) {
  TileNames names = names_of_one(programs);
  names.name = [&plan = replay.plan](noc::Coordinates raw) {
    const auto at = noc::logical(plan, raw);
    return at ? text_of(*at) : fmt::format("NoC 0's {}", text_of(raw));
  };
  return {replay.plan.arch(), names, result.races->places};
}

/// Programs without names or lines.
scenario::Scenario unknown_programs(Arch arch) {
  scenario::Scenario scenario;
  scenario.arch = arch;
  scenario.cores.front().emplace();
  return scenario;
}

nlohmann::json to_json(const device::Replay& replay, const device::ReplayResult& result) {
  nlohmann::json document{{"schema", "tensim.replay/1"},      {"arch", name(replay.plan.arch())},
                          {"cycles", result.cycles},          {"lines", replay.steps.size()},
                          {"lines_done", result.steps},       {"differences", result.differences},
                          {"faults", nlohmann::json::array()}};
  for (const device::Fault& fault : result.faults) {
    nlohmann::json entry{{"kind", name(fault.kind)}, {"cycle", fault.cycle}, {"text", lines_of(fault)}};
    if (fault.tile) entry["tile"] = {fault.tile->x, fault.tile->y};
    document["faults"].push_back(std::move(entry));
  }
  const scenario::Scenario programs = unknown_programs(replay.plan.arch());
  if (result.races) document["races"] = races_json(race_sites(replay, result, programs), result.races->races);
  return document;
}

std::string to_text(const Style& style, const std::string& file, const device::Replay& replay,
                    const device::ReplayResult& result) {
  std::string text = fmt::format("{}: {} of {} lines done after {} cycles ({})\n", file, result.steps,
                                 replay.steps.size(), result.cycles, name(replay.plan.arch()));
  for (const device::Fault& fault : result.faults)
    text += fmt::format("{} {}\n", style.error(fmt::format("{}:", name(fault.kind))), text_of(fault));
  for (const std::string& difference : result.differences)
    text += fmt::format("{} {}\n", style.error("difference:"), difference);
  const scenario::Scenario programs = unknown_programs(replay.plan.arch());
  if (result.races) text += races_text(style, race_sites(replay, result, programs), result.races->races);
  return text;
}

}  // namespace

std::string replay_report(const std::string& file, const device::Replay& replay, const device::ReplayResult& result,
                          Format format) {
  return format == Format::json ? document_text(to_json(replay, result))
                                : to_text(style_of(format), file, replay, result);
}

std::string suppress(const device::Replay& replay, std::string_view file, device::ReplayResult& result) {
  const scenario::Scenario programs = unknown_programs(replay.plan.arch());
  return suppress(race_sites(replay, result, programs), file, result.races->races);
}

}  // namespace tensim::report
