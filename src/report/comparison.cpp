#include "report/comparison.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "report/cores.hpp"
#include "report/notes.hpp"

namespace tensim::report {
namespace {

using reference::Comparison;
using reference::Differences;

std::string dst_place(std::uint32_t place) {
  return fmt::format("row {} column {}", place / tensix::Dst::columns, place % tensix::Dst::columns);
}

nlohmann::json to_json(const Differences& differences, bool is_dst) {
  nlohmann::json entry{{"count", differences.count}};
  if (differences.count == 0) return entry;
  entry["first"] = {{"ours", differences.ours}, {"reference", differences.theirs}};
  if (is_dst) {
    entry["first"]["row"] = differences.first / tensix::Dst::columns;
    entry["first"]["column"] = differences.first % tensix::Dst::columns;
  } else {
    entry["first"]["address"] = differences.first;
  }
  return entry;
}

nlohmann::json to_json(const scenario::Scenario& scenario, const Comparison& comparison) {
  nlohmann::json document{{"schema", "tensim.compare/1"},
                          {"scenario", scenario.file},
                          {"arch", name(scenario.arch)},
                          {"outcome", name(comparison.ours.kind)},
                          {"cycles", comparison.ours.ended_at}};
  if (!comparison.reference_ran) return document;
  document["reference_finished"] = comparison.reference.met;
  document["reference_clocks"] = comparison.reference.clocks;
  document["l1"] = to_json(comparison.l1, false);
  if (comparison.dst) document["dst"] = to_json(*comparison.dst, true);
  if (!comparison.dst_problem.empty()) document["dst_problem"] = comparison.dst_problem;
  return document;
}

std::string ours_text(const Style& style, const scenario::Scenario& scenario, const explain::Outcome& outcome) {
  std::string text =
      fmt::format("here: {} after {} cycles ({})\n", name(outcome.kind), outcome.ended_at, name(scenario.arch));
  if (!outcome.problem.empty()) text += fmt::format("{}\n", style.error(outcome.problem));
  if (outcome.core_end)
    for (const std::string& line : lines_of(scenario, *outcome.core_end))
      text += fmt::format("{}\n", style.error(line));
  if (outcome.fault) text += fmt::format("{}\n", style.error(text_of(scenario, *outcome.fault)));
  return text;
}

std::string to_text(const Style& style, const scenario::Scenario& scenario, const Comparison& comparison) {
  std::string text = ours_text(style, scenario, comparison.ours);
  if (!comparison.reference_ran) {
    for (const std::string& failure : comparison.ours.failed_expectations)
      text += failure + "\n";
    return text + style.error("not compared: the run has not finished") + "\n";
  }
  text += fmt::format("reference: {} after {} clocks\n", comparison.reference.met ? "finished" : "not finished",
                      comparison.reference.clocks);
  const Differences& l1 = comparison.l1;
  if (l1.count == 0)
    text += fmt::format("L1: {}\n", style.strong("the same"));
  else
    text += fmt::format("L1: {}, the first at {:#010x}: {:#010x} here, {:#010x} in the reference\n",
                        style.error(fmt::format("{} words differ", l1.count)), l1.first, l1.ours, l1.theirs);
  if (!comparison.dst_problem.empty()) text += fmt::format("Dst: not compared: {}\n", comparison.dst_problem);
  if (!comparison.dst) return text;
  const Differences& dst = *comparison.dst;
  if (dst.count == 0)
    text += fmt::format("Dst: {}\n", style.strong("the same"));
  else
    text += fmt::format("Dst: {}, the first in {}: {:#06x} here, {:#06x} in the reference\n",
                        style.error(fmt::format("{} datums differ", dst.count)), dst_place(dst.first), dst.ours,
                        dst.theirs);
  return text;
}

}  // namespace

std::string comparison_report(const scenario::Scenario& scenario, const Comparison& comparison, Format format) {
  return format == Format::json ? document_text(to_json(scenario, comparison))
                                : to_text(style_of(format), scenario, comparison);
}

}  // namespace tensim::report
