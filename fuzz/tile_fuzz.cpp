// Any bytes run as programs of two cores, on either chip: the tile ends its cycles, or says what stopped a core or holds
// it up.
#include <algorithm>
#include <cstdlib>
#include <memory>

#include "report/cores.hpp"
#include "scenario/tile_run.hpp"

using namespace tensim;

namespace {

constexpr tile::Cycle most_cycles = 2000;
constexpr std::uint32_t first_code = 0x1000;
constexpr std::uint32_t second_code = 0x2000;

/// The bytes: a choice of chip and cores, then the code and data of the one, then of the other.
scenario::Scenario scenario_of(const std::uint8_t* data, std::size_t size) {
  scenario::Scenario scenario;
  scenario.arch = (data[0] & 1U) != 0 ? Arch::wormhole : Arch::blackhole;
  const unsigned first = (data[0] >> 1U) % tile::core_count;
  const unsigned second = (first + 1 + (data[0] >> 4U) % (tile::core_count - 1)) % tile::core_count;
  const std::size_t half = std::min<std::size_t>(size / 2, second_code - first_code);
  const auto add = [&](unsigned core, std::uint32_t address, const std::uint8_t* from, std::size_t bytes) {
    auto image = program::read_raw_image(std::span(from, bytes), address);
    if (auto* read = std::get_if<program::Image>(&image)) scenario.cores[core] = {std::move(*read), false};
  };
  add(first, first_code, data + 1, half);
  add(second, second_code, data + 1 + half, size - 1 - half);
  return scenario;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 16) return 0;
  const scenario::Scenario scenario = scenario_of(data, size);
  scenario::RunOptions options;
  options.budget = most_cycles;
  const scenario::Outcome outcome = scenario::run(scenario, options);
  if (outcome.kind == scenario::OutcomeKind::faulted && outcome.problem.empty() && !outcome.core_end && !outcome.fault)
    std::abort();
  if (outcome.kind == scenario::OutcomeKind::deadlocked && outcome.stuck_cores.empty() && outcome.graph.agents.empty())
    std::abort();
  for (const explain::CoreResult& core : outcome.cores)
    if (report::text_of(scenario, core.state).empty()) std::abort();
  return 0;
}
