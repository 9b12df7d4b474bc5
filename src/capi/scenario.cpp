#include "tensim/scenario.h"

#include <chrono>
#include <utility>

#include <fmt/format.h>
#include <sys/resource.h>

#include "capi/boundary.hpp"
#include "capi/outcomes.hpp"
#include "capi/run_handles.hpp"
#include "noc/workers.hpp"
#include "report/chip_run.hpp"
#include "report/expected_texts.hpp"
#include "report/perfetto.hpp"
#include "report/races.hpp"
#include "report/run.hpp"
#include "report/without.hpp"
#include "scenario/places.hpp"
#include "scenario/tile_run.hpp"
#include "scenario/without.hpp"
#include "trace/chip_trace.hpp"
#include "trace/text_trace.hpp"

using namespace tensim;
using capi::guarded;
using capi::own;

namespace {

scenario::FileLoader scenario_loader(tensim_load_function load, void* context) {
  if (load != nullptr) return capi::loader_of(load, context);
  return [](const std::string&) { return isa::LoadedText{std::nullopt, "nobody reads files here"}; };
}

std::unique_ptr<tensim_result> run(const tensim_scenario& handle, const scenario::RunOptions& options) {
  const scenario::Scenario& scenario = *handle.scenario;
  auto result = std::make_unique<tensim_result>();
  result->scenario = handle.scenario;
  if (scenario.runs_chip()) {
    result->chip = std::make_unique<scenario::ChipRun>(scenario::run_chip(scenario, options));
    report::check_texts(scenario, *result->chip);
    return result;
  }
  scenario::TileRun ran = scenario::run_tile(scenario, options);
  result->outcome = std::move(ran.outcome);
  result->tile = std::move(ran.tile);
  report::check_texts(scenario, result->outcome);
  return result;
}

/// What runs while it is there is measured.
class Measured {
 public:
  explicit Measured(unsigned threads) : profile(threads), start_(Clock::now()), processor_(processor_seconds()) {}

  report::RunStats stats(const tensim_result& result) {
    report::RunStats stats{.wall_seconds = std::chrono::duration<double>(Clock::now() - start_).count(),
                           .processor_seconds = processor_seconds() - processor_,
                           .threads = profile.threads()};
    profile.stop();
    stats.seen = profile.counts();
    const auto add = [&](const explain::Outcome& outcome) {
      for (const explain::CoreResult& core : outcome.cores)
        stats.core_instructions += core.retired;
      for (const explain::ThreadResult& thread : outcome.threads)
        stats.tensix_instructions += thread.issued;
    };
    stats.cycles = result.chip != nullptr ? result.chip->cycles : result.outcome.cycles;
    if (result.chip == nullptr) {
      add(result.outcome);
    } else {
      stats.tiles = result.chip->tiles.size();
      for (const scenario::TileResult& tile : result.chip->tiles)
        add(tile.outcome);
      if (result.chip->chip != nullptr) stats.work = result.chip->chip->work();
    }
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    stats.peak_kilobytes = static_cast<std::uint64_t>(used.ru_maxrss);
    return stats;
  }

  time::HostProfile profile;

 private:
  using Clock = std::chrono::steady_clock;
  static double processor_seconds() {
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    const auto seconds = [](const timeval& time) {
      return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
    };
    return seconds(used.ru_utime) + seconds(used.ru_stime);
  }

  Clock::time_point start_;
  double processor_;
};

/// Whoever wants to hear of packets.
class PacketObservers : public event::PacketObserver {
 public:
  void add(event::PacketObserver& observer) { all_.push_back(&observer); }
  void packet(const event::Packet& packet) override {
    for (event::PacketObserver* const observer : all_)
      observer->packet(packet);
  }
  void told(time::Cycle until) override {
    for (event::PacketObserver* const observer : all_)
      observer->told(until);
  }

 private:
  std::vector<event::PacketObserver*> all_;
};

std::unique_ptr<tensim_result> run_observed_chip(const tensim_scenario& handle, const tensim_run_options& given,
                                                 scenario::RunOptions options, event::PacketObserver* also) {
  const noc::FloorPlan& plan = *handle.scenario->plan;
  trace::ChipTrace trace(
      plan.arch(), [&](const std::string& line) { given.trace(given.trace_context, line.data(), line.size()); },
      [&](noc::Coordinates raw) {
        const noc::Coordinates shown = noc::logical(plan, raw).value_or(raw);
        return fmt::format("{},{}", shown.x, shown.y);
      });
  auto packets = given.keep_packets != 0 ? std::make_unique<explain::FirstPackets>() : nullptr;
  PacketObservers observers;
  options.packets = &observers;
  if (packets != nullptr) observers.add(*packets);
  if (also != nullptr) observers.add(*also);
  if (given.trace != nullptr) {
    observers.add(trace);
    options.threads = [&](noc::Coordinates raw) { return &trace.of_tile(raw); };
  }
  auto result = run(handle, options);
  trace.finish();
  result->packets = std::move(packets);
  return result;
}

/// What hears of a run for its Perfetto trace.
std::unique_ptr<trace::Perfetto> perfetto_of(const scenario::Scenario& scenario, const tensim_run_options& given,
                                             scenario::RunOptions& options) {
  if (given.perfetto == nullptr) return nullptr;
  trace::PerfettoLimits limits{.from = given.perfetto_from};
  if (given.perfetto_to != 0) limits.to = given.perfetto_to;
  if (given.perfetto_bytes != 0) limits.bytes = given.perfetto_bytes;
  const noc::FloorPlan* const plan = scenario.runs_chip() ? &*scenario.plan : nullptr;
  auto perfetto = std::make_unique<trace::Perfetto>(
      limits,
      [plan](noc::Coordinates raw) {
        return plan == nullptr ? std::string("tile") : report::perfetto_tile_name(*plan, raw);
      },
      plan);
  options.follower = [to = perfetto.get()](noc::Coordinates raw, const tile::Tile& tile) {
    return to->of_tile(raw, tile);
  };
  return perfetto;
}

/// If the run could begin.
void write_perfetto(trace::Perfetto& perfetto, const tensim_run_options& given, tensim_result& result) {
  const auto write = [&](std::string_view bytes) {
    given.perfetto(given.perfetto_context, bytes.data(), bytes.size());
  };
  std::vector<std::string> left_out;
  if (result.tile != nullptr)
    left_out = report::write_perfetto(perfetto, *result.scenario, result.outcome, *result.tile, write);
  else if (result.chip != nullptr && result.chip->chip != nullptr)
    left_out = report::write_perfetto(perfetto, *result.scenario, *result.chip, write);
  for (const std::string& name : left_out)
    result.left_out += name + "\n";
}

explain::OutcomeKind kind_of(const tensim_result& result) {
  return result.chip != nullptr ? result.chip->kind : result.outcome.kind;
}

}  // namespace

namespace tensim::capi {

scenario::Scenario& own(tensim_scenario& handle) {
  if (handle.scenario.use_count() != 1) handle.scenario = std::make_shared<scenario::Scenario>(*handle.scenario);
  return *handle.scenario;
}

}  // namespace tensim::capi

extern "C" {

// ---- what runs ----

TENSIM_EXPORT tensim_status tensim_scenario_parse(const char* text, size_t size, const char* file,
                                                  tensim_load_function load, void* context, tensim_scenario** scenario,
                                                  tensim_text** problem) {
  return guarded(problem, [&] {
    if (scenario != nullptr) *scenario = nullptr;
    if (scenario == nullptr || file == nullptr || (text == nullptr && size != 0))
      return capi::fail(problem, TENSIM_BAD_ARGUMENT, "expected a text, what it is called, and where to put it");
    auto parsed = scenario::parse_scenario({text, size}, file, scenario_loader(load, context));
    if (const auto* wrong = std::get_if<scenario::Problem>(&parsed))
      return capi::fail(problem, TENSIM_BAD_INPUT, wrong->text, wrong->at);
    *scenario =
        new tensim_scenario{std::make_shared<scenario::Scenario>(std::move(std::get<scenario::Scenario>(parsed)))};
    return TENSIM_OK;
  });
}

TENSIM_EXPORT tensim_status tensim_scenario_without(const tensim_scenario* scenario, const char* place,
                                                    tensim_scenario** without, tensim_text** problem) {
  return guarded(problem, [&] {
    if (without != nullptr) *without = nullptr;
    if (scenario == nullptr || place == nullptr || without == nullptr)
      return capi::fail(problem, TENSIM_BAD_ARGUMENT, "expected a scenario, a place in it, and where to put the other");
    auto changed = scenario::without(*scenario->scenario, place);
    if (const auto* wrong = std::get_if<std::string>(&changed)) return capi::fail(problem, TENSIM_BAD_INPUT, *wrong);
    *without =
        new tensim_scenario{std::make_shared<scenario::Scenario>(std::move(std::get<scenario::Scenario>(changed)))};
    return TENSIM_OK;
  });
}

TENSIM_EXPORT tensim_status tensim_scenario_create(tensim_arch arch, tensim_scenario** scenario) {
  if (scenario == nullptr) return TENSIM_BAD_ARGUMENT;
  *scenario = nullptr;
  const auto chip = capi::arch_of(arch);
  if (!chip) return TENSIM_BAD_ARGUMENT;
  return guarded(nullptr, [&] {
    auto made = std::make_shared<scenario::Scenario>();
    made->arch = *chip;
    *scenario = new tensim_scenario{std::move(made)};
    return TENSIM_OK;
  });
}

TENSIM_EXPORT void tensim_scenario_free(tensim_scenario* scenario) {
  delete scenario;
}

TENSIM_EXPORT tensim_status tensim_scenario_add_program(tensim_scenario* scenario, tensim_core core, const void* elf,
                                                        size_t size, const char* name, int held,
                                                        tensim_text** problem) {
  return guarded(problem, [&] {
    const auto id = capi::core_of(core);
    if (scenario == nullptr || !id || elf == nullptr)
      return capi::fail(problem, TENSIM_BAD_ARGUMENT, "expected a scenario, a core and a program");
    if (scenario->scenario->runs_chip())
      return capi::fail(problem, TENSIM_BAD_ARGUMENT, "a scenario of several tiles gives programs to tiles");
    auto image = program::read_elf_image({static_cast<const std::uint8_t*>(elf), size}, name == nullptr ? "ELF" : name);
    if (const auto* message = std::get_if<std::string>(&image)) return capi::fail(problem, TENSIM_BAD_ELF, *message);
    const std::string wrong = scenario::place_problem(scenario->scenario->arch, std::get<program::Image>(image));
    if (!wrong.empty()) return capi::fail(problem, TENSIM_BAD_ELF, wrong);
    scenario::Scenario& changed = own(*scenario);
    changed.cores[static_cast<unsigned>(*id)] = {std::move(std::get<program::Image>(image)), held != 0};
    changed.title += fmt::format("{}{}", changed.title.empty() ? "programs on " : ", ", tile::name(*id));
    return TENSIM_OK;
  });
}

TENSIM_EXPORT tensim_status tensim_scenario_add_until(tensim_scenario* scenario, const char* word, uint32_t value) {
  std::uint32_t address = 0;
  const tensim_status status = tensim_scenario_address(scenario, word, &address);
  if (status != TENSIM_OK) return status;
  return guarded(nullptr, [&] {
    if (scenario->scenario->runs_chip()) return TENSIM_BAD_ARGUMENT;
    if (!scenario::is_word_of_l1(scenario->scenario->arch, address)) return TENSIM_BAD_INPUT;
    own(*scenario).until.push_back({word, address, value});
    return TENSIM_OK;
  });
}

TENSIM_EXPORT tensim_status tensim_scenario_set_budget(tensim_scenario* scenario, uint64_t cycles) {
  if (scenario == nullptr) return TENSIM_BAD_ARGUMENT;
  return guarded(nullptr, [&] {
    own(*scenario).budget = cycles;
    for (scenario::TileGroup& group : scenario->scenario->tiles)
      group.tile.budget = cycles;
    return TENSIM_OK;
  });
}

TENSIM_EXPORT tensim_status tensim_scenario_set_fill(tensim_scenario* scenario, const char* fill) {
  if (scenario == nullptr || fill == nullptr) return TENSIM_BAD_ARGUMENT;
  return guarded(nullptr, [&] {
    const auto parsed = tensix::parse_fill(fill);
    if (!parsed) return TENSIM_BAD_INPUT;
    own(*scenario).fill = *parsed;
    for (scenario::TileGroup& group : scenario->scenario->tiles)
      group.tile.fill = *parsed;
    return TENSIM_OK;
  });
}

TENSIM_EXPORT tensim_arch tensim_scenario_arch(const tensim_scenario* scenario) {
  return scenario == nullptr ? TENSIM_BLACKHOLE : capi::to_c(scenario->scenario->arch);
}

TENSIM_EXPORT int tensim_scenario_runs_cores(const tensim_scenario* scenario) {
  if (scenario == nullptr) return 0;
  return scenario->scenario->runs_chip() || scenario->scenario->runs_cores() ? 1 : 0;
}

TENSIM_EXPORT tensim_status tensim_scenario_address(const tensim_scenario* scenario, const char* name,
                                                    uint32_t* address) {
  if (scenario == nullptr || name == nullptr || address == nullptr) return TENSIM_BAD_ARGUMENT;
  return guarded(nullptr, [&] {
    const auto found = scenario::address_of(*scenario->scenario, name);
    if (!found) return TENSIM_BAD_INPUT;
    *address = *found;
    return TENSIM_OK;
  });
}

// ---- running ----

namespace {

/// False if a rule is none.
bool ask_for_races(const tensim_run_options& given, scenario::RunOptions& options) {
  options.races.emplace();
  return given.race_rules == nullptr || options.races->read(given.race_rules);
}

insight::Races* races_of(tensim_result& result) {
  if (result.chip == nullptr) return result.outcome.races ? &*result.outcome.races : nullptr;
  return result.chip->races ? &result.chip->races->races : nullptr;
}

/// By the scenario, and by the options; false if those are not lines of a suppression file.
bool leave_out_races_meant(const tensim_run_options& given, tensim_result& result) {
  insight::Races* const races = races_of(result);
  if (races == nullptr) return true;
  const scenario::Scenario& scenario = *result.scenario;
  const report::RaceSites sites = result.chip == nullptr ? scenario : report::race_sites(scenario, *result.chip);
  for (const std::string& line : scenario.races_meant)
    report::suppress(sites, line, *races);
  return given.race_suppressions == nullptr || report::suppress(sites, given.race_suppressions, *races).empty();
}

}  // namespace

TENSIM_EXPORT tensim_status tensim_scenario_run(const tensim_scenario* scenario, const tensim_run_options* options,
                                                tensim_result** result) {
  if (result == nullptr) return TENSIM_BAD_ARGUMENT;
  *result = nullptr;
  const auto given = capi::options_of(options);
  if (scenario == nullptr || !given) return TENSIM_BAD_ARGUMENT;
  return guarded(nullptr, [&] {
    trace::TextTrace trace(scenario->scenario->arch, [&](const std::string& line) {
      given->trace(given->trace_context, line.data(), line.size());
    });
    scenario::RunOptions run_options;
    run_options.lockstep = given->lockstep != 0;
    run_options.host_threads = capi::threads_of(given->threads);
    run_options.follows_cycles = given->profile != 0;
    run_options.follows_causes = given->critical_path != 0;
    std::optional<Measured> measured;
    if (given->keep_stats != 0) run_options.profile = &measured.emplace(run_options.host_threads).profile;
    if (given->check_races != 0 && !ask_for_races(*given, run_options)) return TENSIM_BAD_INPUT;
    const bool is_chip = scenario->scenario->runs_chip();
    if (given->trace != nullptr && !is_chip) run_options.listener = &trace;
    const auto perfetto = perfetto_of(*scenario->scenario, *given, run_options);
    auto ran = is_chip && (given->trace != nullptr || given->keep_packets != 0 || perfetto != nullptr)
                   ? run_observed_chip(*scenario, *given, run_options, perfetto.get())
                   : run(*scenario, run_options);
    if (measured) ran->stats = measured->stats(*ran);
    if (!leave_out_races_meant(*given, *ran)) return TENSIM_BAD_INPUT;
    if (perfetto != nullptr) write_perfetto(*perfetto, *given, *ran);
    *result = ran.release();
    return TENSIM_OK;
  });
}

TENSIM_EXPORT void tensim_result_free(tensim_result* result) {
  delete result;
}

// ---- what came out ----

TENSIM_EXPORT tensim_outcome tensim_result_outcome(const tensim_result* result) {
  return result == nullptr ? TENSIM_RUNNING : capi::outcome_of(kind_of(*result));
}

TENSIM_EXPORT uint64_t tensim_result_cycles(const tensim_result* result) {
  if (result == nullptr) return 0;
  return result->chip != nullptr ? result->chip->cycles : result->outcome.cycles;
}

TENSIM_EXPORT int tensim_result_is_expected(const tensim_result* result) {
  return result != nullptr && result->scenario->expect.outcome == kind_of(*result) ? 1 : 0;
}

TENSIM_EXPORT size_t tensim_result_failed_expectations(const tensim_result* result) {
  if (result == nullptr) return 0;
  return result->chip != nullptr ? result->chip->failed_count() : result->outcome.failed_expectations.size();
}

TENSIM_EXPORT size_t tensim_result_races(const tensim_result* result) {
  if (result == nullptr) return 0;
  if (result->chip != nullptr) return result->chip->races ? result->chip->races->races.errors() : 0;
  return result->outcome.races ? result->outcome.races->errors() : 0;
}

TENSIM_EXPORT tensim_status tensim_result_report(const tensim_result* result, tensim_format format,
                                                 tensim_text** text) {
  const auto wanted = capi::format_of(format);
  return capi::new_text(text, result != nullptr && wanted, [&] {
    return result->chip != nullptr
               ? report::chip_report(*result->scenario, *result->chip, *wanted, result->packets.get())
               : report::run_report(*result->scenario, result->outcome, *wanted);
  });
}

TENSIM_EXPORT tensim_status tensim_result_without(const tensim_result* with, const tensim_result* without,
                                                  tensim_format format, tensim_text** text) {
  const auto wanted = capi::format_of(format);
  const auto are_alike = [&] { return (with->chip == nullptr) == (without->chip == nullptr); };
  return capi::new_text(text, with != nullptr && without != nullptr && wanted && are_alike(), [&] {
    const auto of = [](const tensim_result& result) {
      return report::RunOfWhat{.scenario = *result.scenario,
                               .outcome = result.chip == nullptr ? &result.outcome : nullptr,
                               .tile = result.tile.get(),
                               .chip = result.chip.get()};
    };
    return report::without_report(of(*with), of(*without), *wanted);
  });
}

TENSIM_EXPORT tensim_status tensim_result_stats(const tensim_result* result, tensim_format format, tensim_text** text) {
  const auto wanted = capi::format_of(format);
  return capi::new_text(text, result != nullptr && wanted && result->stats,
                        [&] { return report::stats_report(*result->stats, *wanted); });
}

TENSIM_EXPORT tensim_status tensim_result_left_out(const tensim_result* result, tensim_text** text) {
  return capi::new_text(text, result != nullptr, [&] { return result->left_out; });
}

TENSIM_EXPORT size_t tensim_result_memory_size(const tensim_result* result) {
  return result == nullptr || result->tile == nullptr ? 0 : result->tile->l1.size();
}

TENSIM_EXPORT tensim_status tensim_result_read(const tensim_result* result, uint32_t address, void* to, size_t size) {
  if (size == 0) return result == nullptr ? TENSIM_BAD_ARGUMENT : TENSIM_OK;
  if (to == nullptr || size > tensim_result_memory_size(result)) return TENSIM_BAD_ARGUMENT;
  return guarded(nullptr, [&] {
    const bool is_read = result->tile->read(address, static_cast<std::uint8_t*>(to), size);
    return is_read ? TENSIM_OK : TENSIM_BAD_ARGUMENT;
  });
}

}  // extern "C"
