// tensim compare: a scenario here and on a reference library, and what differs.
#include <memory>

#include <fmt/format.h>

#include "commands.hpp"
#include "reference/compare.hpp"
#include "scenario_file.hpp"

namespace tensim::command {
namespace {

using reference::Comparison;
using reference::Differences;
using reference::ErrorKind;

struct CompareCommandOptions {
  std::string file;
  std::string library;
  std::vector<std::string> ignored;  // ADDRESS:BYTES
  std::optional<std::uint64_t> budget;
  unsigned time_limit_seconds = 60;
  std::vector<std::uint32_t> tile;  // x and y
  bool no_dst = false;
};

std::optional<reference::Range> range_of(const host::Scenario& scenario, const std::string& text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos) return std::nullopt;
  const auto address = host::address_of(scenario, text.substr(0, colon));
  const auto bytes = host::address_of(scenario, text.substr(colon + 1));
  if (!address || !bytes) return std::nullopt;
  return reference::Range{*address, *bytes};
}

/// A reference that cannot be used is bad input; one that ends has found fault with the program; one that does not come
/// back has used up its time.
ExitCode exit_code_of(ErrorKind kind) {
  if (kind == ErrorKind::ended) return ExitCode::guest_fault;
  return kind == ErrorKind::timed_out ? ExitCode::budget_exhausted : ExitCode::bad_input;
}

ExitCode exit_code_of(const Comparison& comparison) {
  switch (comparison.ours.kind) {
    case host::OutcomeKind::finished:
    case host::OutcomeKind::interrupted: break;  // only a debugger interrupts
    case host::OutcomeKind::deadlocked: return ExitCode::deadlock;
    case host::OutcomeKind::faulted: return ExitCode::guest_fault;
    case host::OutcomeKind::budget_exhausted: return ExitCode::budget_exhausted;
  }
  if (!comparison.reference_ran) return ExitCode::expectation_failed;
  if (!comparison.reference.met) return ExitCode::budget_exhausted;
  const bool same = comparison.l1.count == 0 && (!comparison.dst || comparison.dst->count == 0);
  return same ? ExitCode::fine : ExitCode::expectation_failed;
}

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

nlohmann::json to_json(const host::Scenario& scenario, const Comparison& comparison) {
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

void print_ours(const Style& style, const host::Scenario& scenario, const host::Outcome& outcome) {
  print(fmt::format("here: {} after {} cycles ({})\n", name(outcome.kind), outcome.ended_at, name(scenario.arch)));
  for (const std::string& line : outcome.core_stop)
    print(fmt::format("{}\n", style.error(line)));
  if (outcome.fault) print(fmt::format("{}\n", style.error(host::explain(scenario, *outcome.fault))));
}

void print_text(const Style& style, const host::Scenario& scenario, const Comparison& comparison) {
  print_ours(style, scenario, comparison.ours);
  if (!comparison.reference_ran) {
    for (const std::string& failure : comparison.ours.failed_expectations)
      print(failure + "\n");
    print(style.error("not compared: the run has not finished") + "\n");
    return;
  }
  print(fmt::format("reference: {} after {} clocks\n", comparison.reference.met ? "finished" : "not finished",
                    comparison.reference.clocks));
  const Differences& l1 = comparison.l1;
  if (l1.count == 0)
    print(fmt::format("L1: {}\n", style.strong("the same")));
  else
    print(fmt::format("L1: {}, the first at {:#010x}: {:#010x} here, {:#010x} in the reference\n",
                      style.error(fmt::format("{} words differ", l1.count)), l1.first, l1.ours, l1.theirs));
  if (!comparison.dst_problem.empty()) print(fmt::format("Dst: not compared: {}\n", comparison.dst_problem));
  if (!comparison.dst) return;
  const Differences& dst = *comparison.dst;
  if (dst.count == 0)
    print(fmt::format("Dst: {}\n", style.strong("the same")));
  else
    print(fmt::format("Dst: {}, the first in {}: {:#06x} here, {:#06x} in the reference\n",
                      style.error(fmt::format("{} datums differ", dst.count)), dst_place(dst.first), dst.ours,
                      dst.theirs));
}

ExitCode report(const CommonOptions& common, const reference::Error& error) {
  bad_input(common, fmt::format("reference: {}", error.text));
  return exit_code_of(error.kind);
}

ExitCode run(const CommonOptions& common, const CompareCommandOptions& options) {
  const auto parsed = scenario_of_file(options.file);
  if (const auto* message = std::get_if<std::string>(&parsed)) return bad_input(common, *message);
  const auto& scenario = std::get<host::Scenario>(parsed);
  reference::CompareOptions compare_options;
  compare_options.reference.library = options.library;
  compare_options.reference.time_limit = std::chrono::seconds(options.time_limit_seconds);
  if (!options.tile.empty()) compare_options.reference.tile = {options.tile[0], options.tile[1]};
  compare_options.budget = options.budget;
  compare_options.compares_dst = !options.no_dst;
  for (const std::string& text : options.ignored) {
    const auto range = range_of(scenario, text);
    if (!range)
      return bad_input(common, fmt::format("--ignore '{}': expected ADDRESS:BYTES or CORE:VARIABLE:BYTES", text));
    compare_options.ignored.push_back(*range);
  }
  const auto compared = reference::compare(scenario, compare_options);
  if (const auto* error = std::get_if<reference::Error>(&compared)) return report(common, *error);
  const auto& comparison = std::get<Comparison>(compared);
  if (common.json)
    print_json(to_json(scenario, comparison));
  else
    print_text(common.style(), scenario, comparison);
  return exit_code_of(comparison);
}

}  // namespace

void add_compare_command(Context context) {
  auto options = std::make_shared<CompareCommandOptions>();
  CLI::App* command = context.app.add_subcommand("compare", "run a scenario here and on a reference, and compare");
  command->add_option("FILE", options->file, "scenario (TOML); - for standard input")->required();
  command->add_option("--reference", options->library, "a library with the interface of libttsim")->required();
  command->add_option("--ignore", options->ignored, "a part of L1 that may differ: ADDRESS:BYTES");
  command->add_flag("--no-dst", options->no_dst, "compare L1 only");
  command->add_option("--budget", options->budget, "give up after so many cycles here, or clocks of the reference");
  command->add_option("--time-limit", options->time_limit_seconds, "seconds that a call of the reference may take")
      ->check(CLI::Range(1U, 86'400U));
  command->add_option("--tile", options->tile, "x and y of the reference's tile")
      ->expected(2)
      ->check(CLI::Range(0, 63));
  command->callback([context, options] { context.exit_code = run(context.options, *options); });
}

}  // namespace tensim::command
