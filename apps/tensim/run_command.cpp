// tensim run: a scenario to its end.
#include <algorithm>
#include <array>
#include <fstream>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "commands.hpp"
#include "gdb_run.hpp"
#include "input.hpp"
#include "scenario_file.hpp"

namespace tensim::command {
namespace {

constexpr std::array cores{TENSIM_BRISC, TENSIM_TRISC0, TENSIM_TRISC1, TENSIM_TRISC2, TENSIM_NCRISC};

std::vector<std::string> core_options() {
  std::vector<std::string> options;
  options.reserve(cores.size());
  for (const tensim_core core : cores)
    options.emplace_back(tensim_core_name(core));
  return options;
}

std::string in_capitals(std::string text) {
  for (char& letter : text)
    if (letter >= 'a' && letter <= 'z') letter = static_cast<char>(letter - 'a' + 'A');
  return text;
}

struct RunCommandOptions {
  std::string file;
  tensim_arch arch = TENSIM_BLACKHOLE;
  std::array<std::string, cores.size()> programs;  // ELF files
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
ExitCode exit_code_of(const tensim_result* result) {
  if (tensim_result_is_expected(result) == 0) {
    switch (tensim_result_outcome(result)) {
      case TENSIM_INTERRUPTED: return ExitCode::fine;
      case TENSIM_DEADLOCKED: return ExitCode::deadlock;
      case TENSIM_FAULTED: return ExitCode::guest_fault;
      case TENSIM_BUDGET_EXHAUSTED: return ExitCode::budget_exhausted;
      default: break;
    }
  }
  return tensim_result_failed_expectations(result) == 0 ? ExitCode::fine : ExitCode::expectation_failed;
}

/// The programs of the command line. Empty, or what is wrong with one of them.
std::string add_programs(const RunCommandOptions& options, const Scenario& scenario) {
  for (std::size_t i = 0; i < cores.size(); ++i) {
    const std::string& file = options.programs[i];
    if (file.empty()) continue;
    const Input input = read_input(file, max_scenario_bytes);
    if (!input.content) return fmt::format("cannot read '{}': {}", file, input.problem);
    const bool is_held = std::ranges::find(options.held, tensim_core_name(cores[i])) != options.held.end();
    Text problem;
    const tensim_status status =
        tensim_scenario_add_program(scenario.get(), cores[i], input.content->data(), input.content->size(),
                                    file.c_str(), is_held ? 1 : 0, problem.place());
    if (checked(status, problem) != TENSIM_OK) return fmt::format("'{}': {}", file, view(problem));
  }
  return "";
}

/// When they are to stop. Empty, or what is wrong with that.
std::string add_conditions(const RunCommandOptions& options, const Scenario& scenario) {
  for (const std::string& condition : options.until) {
    const std::size_t equals = condition.rfind('=');
    const auto value = equals == std::string::npos ? std::nullopt : address_of(scenario, condition.substr(equals + 1));
    const std::string word = condition.substr(0, equals);
    if (!value || checked(tensim_scenario_add_until(scenario.get(), word.c_str(), *value)) != TENSIM_OK)
      return fmt::format("--until '{}': expected WORD=VALUE, with an address or CORE:VARIABLE", condition);
  }
  return "";
}

/// The programs of the command line, as a scenario. Empty, or what is wrong with them.
std::string scenario_of_programs(const RunCommandOptions& options, Scenario& scenario) {
  checked(tensim_scenario_create(options.arch, scenario.place()));
  const std::string problem = add_programs(options, scenario);
  return problem.empty() ? add_conditions(options, scenario) : problem;
}

/// ADDRESS:BYTES:FILE, the address a number or CORE:VARIABLE. Empty if it is written, else the problem.
std::string write_dump(const Scenario& scenario, const Result& result, const std::string& dump) {
  const std::size_t last = dump.rfind(':');
  const std::size_t middle = last == std::string::npos || last == 0 ? std::string::npos : dump.rfind(':', last - 1);
  if (middle == std::string::npos) return "expected ADDRESS:BYTES:FILE";
  const auto address = address_of(scenario, dump.substr(0, middle));
  const auto bytes = address_of(scenario, dump.substr(middle + 1, last - middle - 1));
  const std::size_t memory_size = tensim_result_memory_size(result.get());
  if (memory_size == 0) return "only runs of programs have memory";
  if (!address || !bytes || *bytes > memory_size) return "expected an address, or CORE:VARIABLE, and a number of bytes";
  std::string content(*bytes, '\0');
  if (tensim_result_read(result.get(), *address, content.data(), content.size()) != TENSIM_OK)
    return "that is not all in L1";
  std::ofstream file(dump.substr(last + 1), std::ios::binary);
  file.write(content.data(), static_cast<std::streamsize>(content.size()));
  file.flush();
  return file ? "" : "cannot write the file";
}

/// What does not go together with --gdb; empty if nothing.
std::string gdb_problem(const Scenario& scenario, const RunCommandOptions& options) {
  if (!options.gdb) return "";
  if (tensim_scenario_runs_cores(scenario.get()) == 0) return "--gdb: only programs on cores can be debugged";
  if (options.lockstep || !options.trace.empty()) return "--gdb goes with neither --trace nor --lockstep";
  return "";
}

void write_piece(void* to, const char* text, std::size_t size) {
  static_cast<std::ofstream*>(to)->write(text, static_cast<std::streamsize>(size));
}

void run_scenario(const Scenario& scenario, const RunCommandOptions& options, std::ofstream& trace_file,
                  Result& result) {
  tensim_run_options run_options{};
  run_options.size = sizeof run_options;
  run_options.lockstep = options.lockstep ? 1 : 0;
  if (!options.trace.empty()) run_options.trace = trace_file.is_open() ? write_piece : print_piece;
  run_options.trace_context = &trace_file;
  checked(tensim_scenario_run(scenario.get(), &run_options, result.place()));
}

ExitCode report(const CommonOptions& common, const RunCommandOptions& options, const Scenario& scenario,
                const Result& result) {
  for (const std::string& dump : options.dumps)
    if (const std::string problem = write_dump(scenario, result, dump); !problem.empty())
      return bad_input(common, fmt::format("--dump '{}': {}", dump, problem));
  Text text;
  checked(tensim_result_report(result.get(), common.format(), text.place()));
  print(view(text));
  return exit_code_of(result.get());
}

/// What runs, as the command line says it. Empty, or what is wrong.
std::string prepare(const RunCommandOptions& options, Scenario& scenario) {
  const bool has_programs =
      std::ranges::any_of(options.programs, [](const std::string& file) { return !file.empty(); });
  if (has_programs == !options.file.empty())
    return "run takes either a scenario or programs for cores (--brisc FILE ...)";
  std::string problem = has_programs ? scenario_of_programs(options, scenario) : read_scenario(options.file, scenario);
  if (!problem.empty()) return problem;
  if (options.budget) checked(tensim_scenario_set_budget(scenario.get(), *options.budget));
  if (!options.fill.empty() && checked(tensim_scenario_set_fill(scenario.get(), options.fill.c_str())) != TENSIM_OK)
    return fmt::format("--fill '{}': expected zero, ones or random:SEED", options.fill);
  return "";
}

ExitCode run(const CommonOptions& common, const RunCommandOptions& options) {
  Scenario scenario;
  if (const std::string problem = prepare(options, scenario); !problem.empty()) return bad_input(common, problem);
  std::ofstream trace_file;
  if (!options.trace.empty() && options.trace != "true") {
    trace_file.open(options.trace, std::ios::binary);
    if (!trace_file) return bad_input(common, fmt::format("cannot write '{}'", options.trace));
  }
  if (const std::string problem = gdb_problem(scenario, options); !problem.empty()) return bad_input(common, problem);
  Result result;
  if (options.gdb) {
    const std::string problem = run_under_gdb(scenario, *options.gdb, result);
    if (!problem.empty()) return bad_input(common, problem);
  } else {
    run_scenario(scenario, options, trace_file, result);
  }
  return report(common, options, scenario, result);
}

}  // namespace

void add_run_command(Context context) {
  auto options = std::make_shared<RunCommandOptions>();
  CLI::App* command = context.app.add_subcommand("run", "run a scenario, or programs on the cores");
  command->add_option("FILE", options->file, "scenario (TOML); - for standard input");
  add_arch_option(*command, options->arch);
  for (std::size_t i = 0; i < cores.size(); ++i)
    command->add_option(fmt::format("--{}", tensim_core_name(cores[i])), options->programs[i],
                        fmt::format("ELF file for {}", in_capitals(tensim_core_name(cores[i]))));
  command->add_option("--held", options->held, "cores that stay in reset until another core lets them go")
      ->check(CLI::IsMember(core_options()));
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
