// tensim run: a scenario to its end.
#include <algorithm>
#include <array>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "commands.hpp"
#include "gdb_run.hpp"
#include "input.hpp"
#include "race_options.hpp"
#include "scenario_file.hpp"
#include "thread_option.hpp"

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
  const CLI::Option* arch_option = nullptr;        // whether it was given
  std::array<std::string, cores.size()> programs;  // ELF files
  std::string tiles;                               // that run them; empty for one tile by itself
  std::string chip;                                // floor plan
  std::vector<std::string> held;
  std::vector<std::string> until;  // WORD=VALUE
  std::vector<std::string> dumps;  // ADDRESS:BYTES:FILE
  bool lockstep = false;
  ThreadOption threads;
  bool stats = false;
  bool profile = false;
  bool critical_path = false;
  std::string without;
  std::string perfetto;               // file
  std::optional<std::uint64_t> from;  // cycles of it
  std::optional<std::uint64_t> to;
  std::optional<std::uint64_t> most_mebibytes;
  RaceOptions races;
  std::string trace;  // "true" for standard output, else a file
  std::optional<std::uint64_t> budget;
  std::string fill;
  std::optional<std::uint16_t> gdb;  // port
};

constexpr ValueForm condition_form{'=', 1, "WORD=VALUE, with an address or CORE:VARIABLE"};
constexpr ValueForm dump_form{':', 2, "ADDRESS:BYTES:FILE or CORE:VARIABLE:BYTES:FILE"};
constexpr std::string_view chip_dump_form = "X,Y/ADDRESS:BYTES:FILE, or dramBANK/ADDRESS:BYTES:FILE";

// Checks of options: empty if the value can be one. What cannot is often the scenario, behind an option without its value.

std::string check_core(const std::string& text) {
  const std::vector<std::string> known = core_options();
  const bool is_core = std::ranges::find(known, text) != known.end();
  return is_core ? "" : fmt::format("'{}' is not a core: expected {}", text, fmt::join(known, ", "));
}

std::string check_fill(const std::string& text) {
  Scenario any;
  checked(tensim_scenario_create(TENSIM_BLACKHOLE, any.place()));
  const bool is_fill = checked(tensim_scenario_set_fill(any.get(), text.c_str())) == TENSIM_OK;
  return is_fill ? "" : fmt::format("'{}': expected zero, ones or random:SEED", text);
}

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
  if (tensim_result_failed_expectations(result) != 0) return ExitCode::expectation_failed;
  return tensim_result_races(result) == 0 ? ExitCode::fine : ExitCode::race;
}

bool is_held(const RunCommandOptions& options, tensim_core core) {
  return std::ranges::find(options.held, tensim_core_name(core)) != options.held.end();
}

/// The programs of the command line. None, or what is wrong with one of them.
Problem add_programs(const RunCommandOptions& options, const Scenario& scenario) {
  for (std::size_t i = 0; i < cores.size(); ++i) {
    const std::string& file = options.programs[i];
    const bool held = is_held(options, cores[i]);
    if (file.empty() && held)
      return {.text = fmt::format("--held {0}: {1} has no program; give it one with --{0} FILE, or leave it out",
                                  tensim_core_name(cores[i]), in_capitals(tensim_core_name(cores[i])))};
    if (file.empty()) continue;
    const Input input = read_input(file, max_scenario_bytes);
    if (!input.content) return {.text = fmt::format("cannot read '{}': {}", file, input.problem)};
    Text problem;
    const bool is_chip = tensim_scenario_runs_chip(scenario.get()) != 0;
    const tensim_status status =
        is_chip
            ? tensim_scenario_add_tile_program(scenario.get(), options.tiles.c_str(), cores[i], input.content->data(),
                                               input.content->size(), file.c_str(), held ? 1 : 0, problem.place())
            : tensim_scenario_add_program(scenario.get(), cores[i], input.content->data(), input.content->size(),
                                          file.c_str(), held ? 1 : 0, problem.place());
    if (is_chip && checked(status, problem) == TENSIM_BAD_INPUT)
      return {.text = fmt::format("--tiles '{}': {}", options.tiles, view(problem))};
    if (checked(status, problem) != TENSIM_OK)
      return {.text = fmt::format("'{}': {}", file, view(problem)), .file = file};
  }
  return {};
}

/// WORD=VALUE for all tiles, or X,Y/WORD=VALUE.
Problem add_tile_condition(const RunCommandOptions& options, const Scenario& scenario, const std::string& condition) {
  const std::size_t slash = condition.find('/');
  const std::size_t equals = condition.rfind('=');
  const std::string tiles = slash == std::string::npos ? options.tiles : condition.substr(0, slash);
  const std::size_t begin = slash == std::string::npos ? 0 : slash + 1;
  const auto value =
      equals == std::string::npos || equals < begin ? std::nullopt : address_of(scenario, condition.substr(equals + 1));
  if (!value)
    return {.text = fmt::format("--until '{}': expected {}, or X,Y/ before it for one tile", condition,
                                condition_form.expected)};
  const std::string word = condition.substr(begin, equals - begin);
  Text problem;
  const tensim_status status =
      tensim_scenario_add_tile_until(scenario.get(), tiles.c_str(), word.c_str(), *value, problem.place());
  if (checked(status, problem) == TENSIM_OK) return {};
  return {.text = fmt::format("--until '{}': {}", condition, view(problem))};
}

/// When they are to stop. None, or what is wrong with that.
Problem add_conditions(const RunCommandOptions& options, const Scenario& scenario) {
  for (const std::string& condition : options.until) {
    const std::size_t equals = condition.rfind('=');
    if (!options.tiles.empty()) {
      if (const Problem problem = add_tile_condition(options, scenario, condition); !problem.is_none()) return problem;
      continue;
    }
    const auto value = equals == std::string::npos ? std::nullopt : address_of(scenario, condition.substr(equals + 1));
    const std::string word = condition.substr(0, equals);
    if (!value || !address_of(scenario, word))
      return {.text = fmt::format("--until '{}': expected {}", condition, condition_form.expected)};
    if (checked(tensim_scenario_add_until(scenario.get(), word.c_str(), *value)) != TENSIM_OK)
      return {.text = fmt::format("--until '{}': {} is no word of L1", condition, word)};
  }
  return {};
}

/// The programs of the command line, as a scenario. None, or what is wrong with them.
Problem scenario_of_programs(const RunCommandOptions& options, Scenario& scenario) {
  checked(tensim_scenario_create(options.arch, scenario.place()));
  if (options.tiles.empty() && !options.chip.empty())
    return {.text = "--chip goes with --tiles, which says what tiles of it run the programs"};
  if (!options.tiles.empty()) {
    const std::string plan = options.chip.empty() ? tensim_arch_name(options.arch) : options.chip;
    Text wrong;
    if (checked(tensim_scenario_set_chip(scenario.get(), plan.c_str(), wrong.place()), wrong) != TENSIM_OK)
      return {.text = fmt::format("--chip '{}': {}", plan, view(wrong))};
  }
  const Problem problem = add_programs(options, scenario);
  return problem.is_none() ? add_conditions(options, scenario) : problem;
}

/// The scenario of the command line, which says itself what options say of programs.
Problem scenario_of_file(const RunCommandOptions& options, Scenario& scenario) {
  if (!options.held.empty())
    return {.text = fmt::format("--held goes with programs of the command line; in a scenario it is "
                                "{} = {{ elf = FILE, held = true }} under [cores]",
                                options.held.front())};
  if (!options.until.empty())
    return {.text =
                "--until goes with programs of the command line; in a scenario it is "
                "\"WORD\" = VALUE under [until]"};
  if (!options.tiles.empty() || !options.chip.empty())
    return {.text =
                "--tiles and --chip go with programs of the command line; in a scenario they are "
                "at = \"0-3,0-3\" in [[tile]] and plan = \"p150\" in [chip]"};
  Problem problem = read_scenario(options.file, scenario);
  if (!problem.is_none()) return problem;
  const tensim_arch arch = tensim_scenario_arch(scenario.get());
  if (options.arch_option->count() != 0 && options.arch != arch)
    return {.text = fmt::format("'{}' is a scenario for {}, and --arch says {}; in a scenario it is arch = \"{}\"",
                                options.file, tensim_arch_name(arch), tensim_arch_name(options.arch),
                                tensim_arch_name(options.arch)),
            .file = options.file};
  return {};
}

/// What --dump asks for.
struct Dump {
  enum class Where { tile, tile_of_chip, dram };
  Where where = Where::tile;
  std::uint32_t x = 0;  // of the tile; the bank of DRAM
  std::uint32_t y = 0;
  std::uint32_t address = 0;
  std::uint32_t bytes = 0;
  std::string file;
};

/// What stands before the slash: "2,1" or "dram3". False if it is neither.
bool read_place(const Scenario& scenario, const std::string& text, Dump& dump) {
  constexpr std::string_view memory = "dram";
  const std::size_t comma = text.find(',');
  dump.where = comma == std::string::npos ? Dump::Where::dram : Dump::Where::tile_of_chip;
  if (comma == std::string::npos && !text.starts_with(memory)) return false;
  const auto x = comma == std::string::npos ? address_of(scenario, text.substr(memory.size()))
                                            : address_of(scenario, text.substr(0, comma));
  const auto y = comma == std::string::npos ? std::optional(0U) : address_of(scenario, text.substr(comma + 1));
  dump.x = x.value_or(0);
  dump.y = y.value_or(0);
  return x && y;
}

/// ADDRESS:BYTES:FILE, the address a number or CORE:VARIABLE; of several tiles behind a place and a slash.
std::optional<Dump> dump_of(const Scenario& scenario, const std::string& text) {
  Dump dump;
  std::size_t begin = 0;
  const std::size_t last = text.rfind(':');
  const std::size_t middle = last == std::string::npos || last == 0 ? std::string::npos : text.rfind(':', last - 1);
  if (middle == std::string::npos) return std::nullopt;
  if (tensim_scenario_runs_chip(scenario.get()) != 0) {
    begin = text.find('/') + 1;
    if (begin == 0 || begin > middle || !read_place(scenario, text.substr(0, begin - 1), dump)) return std::nullopt;
  }
  const auto address = address_of(scenario, text.substr(begin, middle - begin));
  const auto bytes = address_of(scenario, text.substr(middle + 1, last - middle - 1));
  if (!address || !bytes || last + 1 == text.size()) return std::nullopt;
  dump.address = *address;
  dump.bytes = *bytes;
  dump.file = text.substr(last + 1);
  return dump;
}

/// Empty if it is read, else the problem.
std::string read_dump(const Result& result, const Dump& dump, std::string& content) {
  constexpr std::uint32_t most_bytes = 1U << 30U;
  const bool is_dram = dump.where == Dump::Where::dram;
  if (dump.where == Dump::Where::tile && dump.bytes > tensim_result_memory_size(result.get()))
    return "that is more than L1 has";
  if (dump.bytes > most_bytes) return "that is more than a file gets";
  content.resize(dump.bytes);
  const tensim_status status =
      dump.where == Dump::Where::tile ? tensim_result_read(result.get(), dump.address, content.data(), content.size())
      : is_dram ? tensim_result_read_dram(result.get(), dump.x, dump.address, content.data(), content.size())
                : tensim_result_read_tile(result.get(), dump.x, dump.y, dump.address, content.data(), content.size());
  if (status == TENSIM_OK) return "";
  if (dump.where == Dump::Where::tile) return "that is not all in L1";
  return is_dram ? "the chip has no such bank of DRAM, or that is not all in it"
                 : "the chip has no such tile, or that is not all in its L1";
}

/// Empty if it is written, else the problem.
std::string write_dump(const Result& result, const Dump& dump) {
  std::string content;
  if (std::string problem = read_dump(result, dump, content); !problem.empty()) return problem;
  OutputFile file;
  file.open(dump.file);
  file.write(content);
  return file.finish();
}

/// What --gdb does not go with; empty if that is nothing here.
std::string conflict_with_gdb(const Scenario& scenario, const RunCommandOptions& options) {
  if (options.races.is_wanted()) return "--gdb goes with no --check";
  if (options.profile || options.critical_path || !options.without.empty() || !options.perfetto.empty())
    return "--gdb goes with none of --profile, --critical-path, --without and --perfetto";
  if (tensim_scenario_runs_chip(scenario.get()) != 0) return "--gdb: only programs of one tile can be debugged so far";
  if (tensim_scenario_runs_cores(scenario.get()) == 0) return "--gdb: only programs on cores can be debugged";
  if (options.lockstep || !options.trace.empty()) return "--gdb goes with neither --trace nor --lockstep";
  return "";
}

/// What does not go together; empty if everything does.
std::string conflict(const CommonOptions& common, const Scenario& scenario, const RunCommandOptions& options) {
  const bool runs_cores = tensim_scenario_runs_cores(scenario.get()) != 0;
  const bool is_chip = tensim_scenario_runs_chip(scenario.get()) != 0;
  if (common.json && options.trace == "true")
    return "--json and --trace would both go to standard output: write --trace=FILE";
  if (!options.dumps.empty() && !runs_cores) return "--dump: only runs of programs have memory";
  for (const std::string& dump : options.dumps)
    if (!dump_of(scenario, dump))
      return fmt::format("--dump '{}': expected {}", dump, is_chip ? chip_dump_form : dump_form.expected);
  if (options.perfetto.empty() && (options.from || options.to || options.most_mebibytes))
    return "--from, --to and --perfetto-size go with --perfetto";
  if (options.to && *options.to <= options.from.value_or(0)) return "--to: there are no cycles between --from and it";
  return options.gdb ? conflict_with_gdb(scenario, options) : "";
}

/// Empty, or why it could not be run as it was asked for.
std::string run_scenario(const CommonOptions& common, const Scenario& scenario, const RunCommandOptions& options,
                         Result& result) {
  if (options.gdb) return run_under_gdb(scenario, *options.gdb, result);
  OutputFile trace;
  if (!options.trace.empty() && options.trace != "true") {
    trace.open(options.trace);
    if (!trace.is_open()) return trace.finish();
  }
  OutputFile perfetto;
  if (!options.perfetto.empty()) {
    perfetto.open(options.perfetto);
    if (!perfetto.is_open()) return perfetto.finish();
  }
  tensim_run_options run_options{};
  run_options.size = sizeof run_options;
  run_options.lockstep = options.lockstep ? 1 : 0;
  if (!options.trace.empty()) run_options.trace = trace.is_open() ? OutputFile::write_piece : print_piece;
  run_options.trace_context = &trace;
  RaceOptions races = options.races;
  if (std::string problem = races.prepare(); !problem.empty()) return problem;
  races.hand_to(run_options);
  run_options.keep_packets = common.json ? 1 : 0;
  run_options.threads = options.threads.count();
  run_options.keep_stats = options.stats ? 1 : 0;
  run_options.profile = options.profile ? 1 : 0;
  run_options.critical_path = options.critical_path ? 1 : 0;
  if (perfetto.is_open()) run_options.perfetto = OutputFile::write_piece;
  run_options.perfetto_context = &perfetto;
  run_options.perfetto_from = options.from.value_or(0);
  run_options.perfetto_to = options.to.value_or(0);
  run_options.perfetto_bytes = options.most_mebibytes.value_or(0) << 20U;
  if (checked(tensim_scenario_run(scenario.get(), &run_options, result.place())) == TENSIM_BAD_INPUT)
    return races.problem();
  Text left_out;
  checked(tensim_result_left_out(result.get(), left_out.place()));
  if (!view(left_out).empty())
    print_error(fmt::format("{}: too large, and left out (--perfetto-size):\n{}", options.perfetto, view(left_out)));
  std::string problem = trace.finish();
  return problem.empty() ? perfetto.finish() : problem;
}

/// What the run without a wait came to, beside the one with it. Empty, or why it could not be run.
std::string report_without(const CommonOptions& common, const RunCommandOptions& options, const Scenario& changed,
                           const Result& with) {
  RunCommandOptions again = options;
  again.trace.clear();
  again.perfetto.clear();
  Result without;
  if (std::string problem = run_scenario(common, changed, again, without); !problem.empty()) return problem;
  Text text;
  checked(tensim_result_without(with.get(), without.get(), common.format(), text.place()));
  print(view(text));
  return "";
}

ExitCode report(const CommonOptions& common, const RunCommandOptions& options, const Scenario& scenario,
                const Scenario& changed, const Result& result) {
  for (const std::string& text : options.dumps)
    if (const std::string problem = write_dump(result, dump_of(scenario, text).value_or(Dump{})); !problem.empty())
      return bad_input(common, fmt::format("--dump '{}': {}", text, problem));
  Text text;
  if (options.without.empty() || !common.json) {
    checked(tensim_result_report(result.get(), common.format(), text.place()));
    print(view(text));
  }
  if (!options.without.empty())
    if (const std::string problem = report_without(common, options, changed, result); !problem.empty())
      return bad_input(common, problem);
  if (options.stats && !options.gdb) {
    checked(tensim_result_stats(result.get(), common.format(), text.place()));
    print_error(view(text));
  }
  return exit_code_of(result.get());
}

/// What runs, as the command line says it. None, or what is wrong.
Problem prepare(const RunCommandOptions& options, Scenario& scenario) {
  const bool has_programs =
      std::ranges::any_of(options.programs, [](const std::string& file) { return !file.empty(); });
  if (!has_programs && options.file.empty())
    return {.text = "run takes a scenario, or programs for cores (--brisc FILE ...)"};
  if (has_programs && !options.file.empty())
    return {.text = fmt::format("run takes either a scenario or programs for cores, and '{}' would be the scenario",
                                options.file)};
  Problem problem = has_programs ? scenario_of_programs(options, scenario) : scenario_of_file(options, scenario);
  if (!problem.is_none()) return problem;
  if (options.budget) checked(tensim_scenario_set_budget(scenario.get(), *options.budget));
  if (!options.fill.empty()) checked(tensim_scenario_set_fill(scenario.get(), options.fill.c_str()));
  return {};
}

ExitCode run(const CommonOptions& common, const RunCommandOptions& options) {
  Scenario scenario;
  if (const Problem problem = prepare(options, scenario); !problem.is_none()) return bad_input(common, problem);
  if (const std::string problem = conflict(common, scenario, options); !problem.empty())
    return bad_input(common, problem);
  Scenario changed;
  if (!options.without.empty()) {
    Text problem;
    const tensim_status status =
        tensim_scenario_without(scenario.get(), options.without.c_str(), changed.place(), problem.place());
    if (checked(status, problem) != TENSIM_OK)
      return bad_input(common, fmt::format("--without '{}': {}", options.without, view(problem)));
  }
  Result result;
  if (const std::string problem = run_scenario(common, scenario, options, result); !problem.empty())
    return bad_input(common, problem);
  return report(common, options, scenario, changed, result);
}

}  // namespace

void add_run_command(Context context) {
  auto options = std::make_shared<RunCommandOptions>();
  CLI::App* command = context.app.add_subcommand("run", "run a scenario, or programs on the cores");
  command->add_option("FILE", options->file, "scenario (TOML); - for standard input");
  options->arch_option = add_arch_option(*command, options->arch);
  for (std::size_t i = 0; i < cores.size(); ++i)
    command->add_option(fmt::format("--{}", tensim_core_name(cores[i])), options->programs[i],
                        fmt::format("ELF file for {}", in_capitals(tensim_core_name(cores[i]))));
  command->add_option("--tiles", options->tiles, "tiles of a chip that run the programs: 0,0 or 0-3,0-3 or all")
      ->check(
          [](const std::string& tiles) { return std::string(tiles.empty() ? "expected tiles, as in 0-3,0-3" : ""); });
  command->add_option(
      "--chip", options->chip,
      "the chip that --tiles are of: p150, n300, \"wormhole rows=3,11\"; one without a fault if left out");
  command->add_option("--held", options->held, "cores that stay in reset until another core lets them go")
      ->check(check_core);
  add_repeatable(*command, "--dump", options->dumps, dump_form,
                 "write memory to a file after the run: ADDRESS:BYTES:FILE");
  add_repeatable(*command, "--until", options->until, condition_form,
                 "stop when a word of L1 has a value: 0x20000=1 or trisc1:done=1");
  options->races.add_to(*command);
  options->threads.add_to(*command);
  command->add_flag("--profile", options->profile,
                    "where the cycles went: by reason, by source line, and what waits cost");
  command->add_option(
      "--without", options->without,
      "run again without the waits at FILE:LINE, or LINE of the scenario: cycles saved, races that appear");
  command->add_flag("--critical-path", options->critical_path,
                    "what decided how long the run took: the chain of causes from its end to its start");
  command->add_option("--perfetto", options->perfetto, "write a trace for ui.perfetto.dev to this file")
      ->check([](const std::string& file) { return std::string(file.empty() ? "expected a file" : ""); });
  add_number(*command, "--from", options->from, 0, std::uint64_t{1} << 48U, "the trace's first cycle");
  add_number(*command, "--to", options->to, 1, std::uint64_t{1} << 48U, "the cycle behind its last");
  add_number(*command, "--perfetto-size", options->most_mebibytes, 1, std::uint64_t{1} << 20U,
             "of the trace, in MiB (256): tracks that are too large are left out, and named");
  command->add_flag("--stats", options->stats,
                    "what the run cost, to standard error: simulated per second, where host time went, memory");
  command->add_flag("--lockstep", options->lockstep, "walk idle time cycle by cycle; the result is the same");
  command->add_flag("--trace", options->trace,
                    "one line per cycle and thread, before the summary; --trace=FILE writes it there");
  add_budget(*command, options->budget, "give up after so many cycles");
  command
      ->add_option("--fill", options->fill, "what state holds that nobody has initialised: zero, ones or random:SEED")
      ->check(check_fill);
  add_number(*command, "--gdb", options->gdb, 0, 65'535,
             "wait for gdb on this port of 127.0.0.1 (0: any) and run the programs under it");
  command->callback([context, options] { context.exit_code = run(context.options, *options); });
}

}  // namespace tensim::command
