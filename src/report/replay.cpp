#include "report/replay.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "report/device_faults.hpp"

namespace tensim::report {
namespace {

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
  return text;
}

}  // namespace

std::string replay_report(const std::string& file, const device::Replay& replay, const device::ReplayResult& result,
                          Format format) {
  return format == Format::json ? document_text(to_json(replay, result))
                                : to_text(style_of(format), file, replay, result);
}

}  // namespace tensim::report
