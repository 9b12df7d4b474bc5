// tensim compare: a scenario here and on a reference library, and what differs.
#include <memory>

#include <fmt/format.h>

#include "commands.hpp"
#include "scenario_file.hpp"

namespace tensim::command {
namespace {

struct CompareCommandOptions {
  std::string file;
  std::string library;
  std::vector<std::string> ignored;  // ADDRESS:BYTES
  std::optional<std::uint64_t> budget;
  unsigned time_limit_seconds = 60;
  std::vector<std::uint32_t> tile;  // x and y
  bool no_dst = false;
};

constexpr ValueForm range_form{':', 1, "ADDRESS:BYTES or CORE:VARIABLE:BYTES"};

std::optional<tensim_range> range_of(const Scenario& scenario, const std::string& text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos) return std::nullopt;
  const auto address = address_of(scenario, text.substr(0, colon));
  const auto bytes = address_of(scenario, text.substr(colon + 1));
  if (!address || !bytes) return std::nullopt;
  return tensim_range{*address, *bytes};
}

/// A reference that cannot be used is bad input; one that ends has found fault with the program; one that does not come
/// back has used up its time.
ExitCode exit_code_of(tensim_status status) {
  if (status == TENSIM_FAULT) return ExitCode::guest_fault;
  return status == TENSIM_NOT_REACHED ? ExitCode::budget_exhausted : ExitCode::bad_input;
}

ExitCode exit_code_of(const tensim_comparison* comparison) {
  switch (tensim_comparison_outcome(comparison)) {
    case TENSIM_DEADLOCKED: return ExitCode::deadlock;
    case TENSIM_FAULTED: return ExitCode::guest_fault;
    case TENSIM_BUDGET_EXHAUSTED: return ExitCode::budget_exhausted;
    default: break;
  }
  if (tensim_comparison_reference_ran(comparison) == 0) return ExitCode::expectation_failed;
  if (tensim_comparison_reference_finished(comparison) == 0) return ExitCode::budget_exhausted;
  const bool is_same =
      tensim_comparison_l1_differences(comparison) == 0 && tensim_comparison_dst_differences(comparison) == 0;
  return is_same ? ExitCode::fine : ExitCode::expectation_failed;
}

ExitCode compare(const CommonOptions& common, const Scenario& scenario, const tensim_compare_options& options) {
  Comparison comparison;
  Text text;
  const tensim_status status = tensim_compare(scenario.get(), &options, comparison.place(), text.place());
  if (checked(status, text) != TENSIM_OK) {
    bad_input(common, fmt::format("reference: {}", view(text)));
    return exit_code_of(status);
  }
  checked(tensim_comparison_report(comparison.get(), common.format(), text.place()));
  print(view(text));
  return exit_code_of(comparison.get());
}

ExitCode run(const CommonOptions& common, const CompareCommandOptions& options) {
  Scenario scenario;
  if (const Problem problem = read_scenario(options.file, scenario); !problem.is_none())
    return bad_input(common, problem);
  if (options.budget) checked(tensim_scenario_set_budget(scenario.get(), *options.budget));
  std::vector<tensim_range> ignored;
  for (const std::string& text : options.ignored) {
    const auto range = range_of(scenario, text);
    if (!range) return bad_input(common, fmt::format("--ignore '{}': expected {}", text, range_form.expected));
    ignored.push_back(*range);
  }
  tensim_compare_options compare_options{};
  compare_options.size = sizeof compare_options;
  compare_options.library = options.library.c_str();
  compare_options.ignored = ignored.data();
  compare_options.ignored_count = ignored.size();
  compare_options.time_limit_seconds = options.time_limit_seconds;
  compare_options.without_dst = options.no_dst ? 1 : 0;
  if (!options.tile.empty()) {
    compare_options.has_tile = 1;
    compare_options.tile_x = options.tile[0];
    compare_options.tile_y = options.tile[1];
  }
  return compare(common, scenario, compare_options);
}

}  // namespace

void add_compare_command(Context context) {
  auto options = std::make_shared<CompareCommandOptions>();
  CLI::App* command = context.app.add_subcommand("compare", "run a scenario here and on a reference, and compare");
  command->add_option("FILE", options->file, "scenario (TOML); - for standard input")->required();
  command->add_option("--reference", options->library, "a library with the interface of libttsim")->required();
  add_repeatable(*command, "--ignore", options->ignored, range_form, "a part of L1 that may differ: ADDRESS:BYTES");
  command->add_flag("--no-dst", options->no_dst, "compare L1 only");
  add_budget(*command, options->budget, "give up after so many cycles here, or clocks of the reference");
  add_number(*command, "--time-limit", options->time_limit_seconds, 1, 86'400,
             "seconds that a call of the reference may take");
  command->add_option("--tile", options->tile, "x and y of the reference's tile")
      ->expected(2)
      ->check(number_from(0, 63));
  command->callback([context, options] { context.exit_code = run(context.options, *options); });
}

}  // namespace tensim::command
