// tensim run: a scenario to its end.
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <memory>

#include <fmt/format.h>

#include "commands.hpp"
#include "gdb_run.hpp"
#include "host/outcome_json.hpp"
#include "host/outcome_text.hpp"
#include "host/run.hpp"
#include "host/scenario.hpp"
#include "host/tile_run.hpp"
#include "input.hpp"
#include "insight/text_trace.hpp"
#include "scenario_file.hpp"

namespace tensim::command {
namespace {

struct RunCommandOptions {
  std::string file;
  Arch arch = Arch::blackhole;
  std::array<std::string, tile::core_count> programs;  // ELF files
  std::vector<std::string> held;
  std::vector<std::string> until;  // WORD=VALUE
  std::vector<std::string> dumps;  // ADDRESS:BYTES:FILE
  bool lockstep = false;
  std::string trace;  // "true" for standard output, else a file
  std::optional<std::uint64_t> budget;
  std::string fill;
  std::optional<std::uint16_t> gdb;  // port
};

/// An ending that nobody expected speaks for itself; an expected one is fine, whatever it is.
ExitCode exit_code_of(const host::Scenario& scenario, const host::Outcome& outcome) {
  if (scenario.expect.outcome != outcome.kind) {
    switch (outcome.kind) {
      case host::OutcomeKind::finished: break;
      case host::OutcomeKind::interrupted: return ExitCode::fine;
      case host::OutcomeKind::deadlocked: return ExitCode::deadlock;
      case host::OutcomeKind::faulted: return ExitCode::guest_fault;
      case host::OutcomeKind::budget_exhausted: return ExitCode::budget_exhausted;
    }
  }
  return outcome.failed_expectations.empty() ? ExitCode::fine : ExitCode::expectation_failed;
}

void print_accounts(const Style& style, const host::Outcome& outcome) {
  for (unsigned thread = 0; thread < host::thread_count; ++thread) {
    const host::ThreadResult& result = outcome.threads[thread];
    const std::string reasons = host::text_of(result.account);
    if (result.issued == 0 && reasons.empty()) continue;
    print(fmt::format("  T{}  {:>6} issued, {:>6} held{}{}\n", thread, result.issued, host::held_cycles(result.account),
                      reasons.empty() ? "" : ": ", style.dim(reasons)));
    if (result.wait_left) print(fmt::format("      {}\n", style.dim("a wait is latched with nothing behind it")));
  }
}

void print_cores(const Style& style, const host::Outcome& outcome) {
  for (unsigned i = 0; i < tile::core_count; ++i) {
    const host::CoreResult& result = outcome.cores[i];
    if (!result.ran) continue;
    const std::string reasons = host::text_of(result.account);
    print(fmt::format("  {:<6} {:>8} retired{}{}; {}\n", tile::core_names[i], result.retired,
                      reasons.empty() ? "" : ", stalled: ", style.dim(reasons), result.state));
  }
}

/// What the cores printed, a line at a time, with the cycle in which it was complete.
void print_printed(const Style& style, const host::Outcome& outcome) {
  std::array<std::string, tile::core_count> open;
  const auto print_line = [&](unsigned core, std::string_view text, tile::Cycle cycle) {
    print(fmt::format("{} {} {}\n", style.dim(fmt::format("{:>8}", cycle)),
                      style.name(fmt::format("{}:", tile::core_names[core])), text));
  };
  tile::Cycle last = 0;
  for (const tile::PrintedText& printed : outcome.printed) {
    const auto core = static_cast<unsigned>(printed.core);
    last = printed.cycle;
    if (printed.lost != 0) open[core] += fmt::format("[{} bytes lost]", printed.lost);
    for (const char letter : printed.text) {
      if (letter != '\n') {
        open[core].push_back(letter);
        continue;
      }
      print_line(core, open[core], printed.cycle);
      open[core].clear();
    }
  }
  for (unsigned core = 0; core < tile::core_count; ++core)
    if (!open[core].empty()) print_line(core, open[core], last);
}

void print_text(const Style& style, const host::Scenario& scenario, const host::Outcome& outcome) {
  print_printed(style, outcome);
  const std::string kind(name(outcome.kind));
  const std::string verdict = outcome.kind == host::OutcomeKind::finished ? style.strong(kind) : style.error(kind);
  print(fmt::format("{}: {} after {} cycles ({})\n", scenario.title.empty() ? scenario.file : scenario.title, verdict,
                    outcome.cycles, name(scenario.arch)));
  print_cores(style, outcome);
  print_accounts(style, outcome);
  for (const std::string& line : outcome.core_stop)
    print(fmt::format("{}\n", style.error(line)));
  if (outcome.fault) print(fmt::format("{}\n", style.error(host::explain(scenario, *outcome.fault))));
  if (outcome.core_fault) print(fmt::format("{}\n", style.error(outcome.core_fault->message)));
  print(host::explain_hang(scenario, outcome));
  for (const std::string& report : outcome.core_reports)
    print(fmt::format("{} {}\n", style.warning("note:"), report));
  for (const tensix::Report& report : outcome.reports)
    print(fmt::format("{} {}\n", style.warning("note:"), host::explain(scenario, report)));
  for (const std::string& failure : outcome.failed_expectations)
    print(fmt::format("{} {}\n", style.error("expectation failed:"), failure));
}

constexpr std::array<std::string_view, tile::core_count> core_options{"brisc", "trisc0", "trisc1", "trisc2", "ncrisc"};

/// The programs of the command line, as a scenario.
std::variant<host::Scenario, std::string> scenario_of_programs(const RunCommandOptions& options) {
  host::Scenario scenario;
  scenario.arch = options.arch;
  for (unsigned i = 0; i < tile::core_count; ++i) {
    const std::string& file = options.programs[i];
    if (file.empty()) continue;
    const Input input = read_input(file, max_scenario_bytes);
    if (!input.content) return fmt::format("cannot read '{}': {}", file, input.problem);
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(input.content->data());
    auto image = host::read_elf_image({bytes, input.content->size()}, file);
    if (const auto* problem = std::get_if<std::string>(&image)) return fmt::format("'{}': {}", file, *problem);
    const bool held = std::ranges::find(options.held, core_options[i]) != options.held.end();
    scenario.cores[i] = {std::move(std::get<host::Image>(image)), held};
    scenario.title += fmt::format("{}{}", scenario.title.empty() ? "programs on " : ", ", tile::core_names[i]);
  }
  for (const std::string& condition : options.until) {
    const std::size_t equals = condition.rfind('=');
    const auto address = host::address_of(scenario, condition.substr(0, equals));
    const auto value =
        equals == std::string::npos ? std::nullopt : host::address_of(scenario, condition.substr(equals + 1));
    if (!address || !value)
      return fmt::format("--until '{}': expected WORD=VALUE, with an address or CORE:VARIABLE", condition);
    scenario.until.push_back({condition.substr(0, equals), *address, *value});
  }
  return scenario;
}

/// ADDRESS:BYTES:FILE, the address a number or CORE:VARIABLE. Empty if it is written, else the problem.
std::string write_dump(const host::Scenario& scenario, const tile::Tile& tile, const std::string& dump) {
  const std::size_t last = dump.rfind(':');
  const std::size_t middle = last == std::string::npos || last == 0 ? std::string::npos : dump.rfind(':', last - 1);
  if (middle == std::string::npos) return "expected ADDRESS:BYTES:FILE";
  const auto address = host::address_of(scenario, dump.substr(0, middle));
  const auto bytes = host::address_of(scenario, dump.substr(middle + 1, last - middle - 1));
  if (!scenario.runs_cores()) return "only runs of programs have memory";
  if (!address || !bytes || *bytes > tile.l1.size())
    return "expected an address, or CORE:VARIABLE, and a number of bytes";
  std::vector<std::uint8_t> content(*bytes);
  if (!tile.read(*address, content.data(), content.size())) return "that is not all in L1";
  std::ofstream file(dump.substr(last + 1), std::ios::binary);
  file.write(reinterpret_cast<const char*>(content.data()), static_cast<std::streamsize>(content.size()));
  file.flush();
  return file ? "" : "cannot write the file";
}

/// What does not go together with --gdb; empty if nothing.
std::string gdb_problem(const host::Scenario& scenario, const RunCommandOptions& options) {
  if (!options.gdb) return "";
  if (!scenario.runs_cores()) return "--gdb: only programs on cores can be debugged";
  if (options.lockstep || !options.trace.empty()) return "--gdb goes with neither --trace nor --lockstep";
  return "";
}

std::variant<host::Outcome, std::string> run_scenario(const host::Scenario& scenario, const host::RunOptions& options,
                                                      std::optional<std::uint16_t> gdb_port, tile::Tile& tile) {
  if (gdb_port) return run_under_gdb(scenario, options, *gdb_port, tile);
  return scenario.runs_cores() ? host::run_tile(scenario, options, nullptr, &tile) : host::run(scenario, options);
}

ExitCode run(const CommonOptions& common, const RunCommandOptions& options) {
  const bool has_programs =
      std::ranges::any_of(options.programs, [](const std::string& file) { return !file.empty(); });
  if (has_programs == !options.file.empty())
    return bad_input(common, "run takes either a scenario or programs for cores (--brisc FILE ...)");
  const auto parsed = has_programs ? scenario_of_programs(options) : scenario_of_file(options.file);
  if (const auto* message = std::get_if<std::string>(&parsed)) return bad_input(common, *message);
  const auto& scenario = std::get<host::Scenario>(parsed);

  std::optional<tensix::Fill> fill;
  if (!options.fill.empty()) {
    fill = tensix::parse_fill(options.fill);
    if (!fill) return bad_input(common, fmt::format("--fill '{}': expected zero, ones or random:SEED", options.fill));
  }

  std::ofstream trace_file;
  if (!options.trace.empty() && options.trace != "true") {
    trace_file.open(options.trace, std::ios::binary);
    if (!trace_file) return bad_input(common, fmt::format("cannot write '{}'", options.trace));
  }
  insight::TextTrace trace(scenario.arch, [&](const std::string& line) {
    if (trace_file.is_open())
      trace_file << line;
    else
      print(line);
  });
  host::RunOptions run_options;
  run_options.lockstep = options.lockstep;
  run_options.budget = options.budget;
  run_options.fill = fill;
  if (!options.trace.empty()) run_options.observer = &trace;
  if (const std::string problem = gdb_problem(scenario, options); !problem.empty()) return bad_input(common, problem);
  const auto tile = std::make_unique<tile::Tile>(scenario.arch);
  const auto ran = run_scenario(scenario, run_options, options.gdb, *tile);
  if (const auto* problem = std::get_if<std::string>(&ran)) return bad_input(common, *problem);
  const auto& outcome = std::get<host::Outcome>(ran);
  for (const std::string& dump : options.dumps)
    if (const std::string problem = write_dump(scenario, *tile, dump); !problem.empty())
      return bad_input(common, fmt::format("--dump '{}': {}", dump, problem));
  if (common.json)
    print_json(host::outcome_json(scenario, outcome));
  else
    print_text(common.style(), scenario, outcome);
  return exit_code_of(scenario, outcome);
}

}  // namespace

void add_run_command(Context context) {
  auto options = std::make_shared<RunCommandOptions>();
  CLI::App* command = context.app.add_subcommand("run", "run a scenario, or programs on the cores");
  command->add_option("FILE", options->file, "scenario (TOML); - for standard input");
  add_arch_option(*command, options->arch);
  for (unsigned i = 0; i < tile::core_count; ++i)
    command->add_option(fmt::format("--{}", core_options[i]), options->programs[i],
                        fmt::format("ELF file for {}", tile::core_names[i]));
  command->add_option("--held", options->held, "cores that stay in reset until another core lets them go")
      ->check(CLI::IsMember(std::vector<std::string>(core_options.begin(), core_options.end())));
  command->add_option("--dump", options->dumps, "write memory to a file after the run: ADDRESS:BYTES:FILE");
  command->add_option("--until", options->until, "stop when a word of L1 has a value: 0x20000=1 or trisc1:done=1");
  command->add_flag("--lockstep", options->lockstep, "walk idle time cycle by cycle; the result is the same");
  command->add_flag("--trace", options->trace,
                    "one line per cycle and thread, before the summary; --trace=FILE writes it there");
  command->add_option("--budget", options->budget, "give up after so many cycles");
  command->add_option("--fill", options->fill,
                      "what state holds that nobody has initialised: zero, ones or random:SEED");
  command->add_option("--gdb", options->gdb,
                      "wait for gdb on this port of 127.0.0.1 (0: any) and run the programs under it");
  command->callback([context, options] { context.exit_code = run(context.options, *options); });
}

}  // namespace tensim::command
