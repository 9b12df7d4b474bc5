#include "scenario/tile_run.hpp"

#include <algorithm>
#include <cstring>
#include <memory>

#include <fmt/format.h>

#include "arch/sizes.hpp"
#include "explain/tile_outcome.hpp"

namespace tensim::scenario {
namespace {

using namespace tensim::literals;
using tile::CoreId;
using tile::Tile;

std::vector<CoreId> cores_of(const Scenario& scenario) {
  std::vector<CoreId> cores;
  for (unsigned i = 0; i < tile::core_count; ++i)
    if (scenario.cores[i]) cores.push_back(static_cast<CoreId>(i));
  return cores;
}

std::optional<std::string> write(Tile& tile, std::uint32_t address, std::span<const std::uint8_t> bytes,
                                 std::string_view what) {
  if (bytes.empty() || tile.write(address, bytes.data(), bytes.size())) return std::nullopt;
  return fmt::format("{} does not fit: {} bytes at {:#010x} are not in L1{}", what, bytes.size(), address,
                     has(tile.arch, "iram_bytes_nc"_size) ? " or NCRISC's instruction RAM" : "");
}

void set_up_coprocessor(const Scenario& scenario, const RunOptions& options, tensix::Coprocessor& coprocessor) {
  tensix::fill(coprocessor, options.fill.value_or(scenario.fill));
  for (const auto& [index, state] : scenario.semaphores) {
    coprocessor.sync.set_semaphore(index, {state.value, state.max});
    coprocessor.written.semaphores |= static_cast<std::uint8_t>(1U << index);
  }
}

std::uint32_t word_at(const Tile& tile, std::uint32_t address) {
  std::array<std::uint8_t, 4> bytes{};
  std::uint32_t word = 0;
  if (tile.read(address, bytes.data(), bytes.size())) std::memcpy(&word, bytes.data(), sizeof word);
  return word;
}

void check_memory(const Scenario& scenario, const Tile& tile, Outcome& outcome) {
  for (const NamedWord& expected : scenario.expect.memory)
    if (const std::uint32_t value = word_at(tile, expected.address); value != expected.value)
      outcome.failed_expectations.push_back(
          fmt::format("word {}: expected {:#x}, was {:#x}", expected.name, expected.value, value));
}

/// A program that ends without what it was to be run until has not done what it was run for.
void check_until(const Scenario& scenario, const Tile& tile, Outcome& outcome) {
  for (const NamedWord& awaited : scenario.until)
    if (const std::uint32_t value = word_at(tile, awaited.address); value != awaited.value)
      outcome.failed_expectations.push_back(fmt::format("until word {} is {:#x}: the cores have ended, and it is {:#x}",
                                                        awaited.name, awaited.value, value));
}

/// Where two runs of one scenario differ; empty if nowhere.
std::string difference(const Tile& ahead, const Tile& walked) {
  for (unsigned i = 0; i < tile::core_count; ++i) {
    const riscv::Core& a = ahead.cores[i];
    const riscv::Core& b = walked.cores[i];
    if (a.pc != b.pc || a.x != b.x || a.clock != b.clock || a.retired != b.retired || !(a.account == b.account))
      return std::string(tile::core_names[i]);
  }
  if (ahead.l1 != walked.l1) return "L1";
  for (unsigned thread = 0; thread < thread_count; ++thread)
    if (!(ahead.coprocessor.accounts[thread] == walked.coprocessor.accounts[thread])) return fmt::format("T{}", thread);
  return "";
}

/// The same run cycle by cycle, with nobody asleep, up to where it ended: for traces, and to show that it is the same.
void walk_again(const Scenario& scenario, const RunOptions& options, const Tile& tile, Outcome& outcome) {
  const auto walked = std::make_unique<Tile>(std::make_shared<const tile::TileTiming>(timing_of(scenario)));
  set_up_coprocessor(scenario, options, walked->coprocessor);
  load(scenario, *walked);
  walked->walk_in_lockstep(true);
  walked->coprocessor.observer = options.observer;
  walked->run_until(outcome.ended_at);
  walked->coprocessor.observer = nullptr;
  const auto ahead = std::make_unique<Tile>(tile);
  ahead->idle_until(outcome.ended_at);
  if (const std::string where = difference(*ahead, *walked); !where.empty())
    outcome.failed_expectations.push_back(fmt::format("lock-step ends differently: {}", where));
}

}  // namespace

std::optional<std::string> load(const Scenario& scenario, Tile& tile) {
  for (const MemoryContent& content : scenario.memory)
    if (auto problem = write(tile, content.address, content.bytes, "memory")) return problem;
  for (const CoreId id : cores_of(scenario)) {
    const CoreProgram& program = *scenario.cores[static_cast<unsigned>(id)];
    for (const program::Segment& segment : program.image.segments)
      if (auto problem = write(tile, segment.load_address, segment.load_bytes(),
                               fmt::format("{}: a segment of {}", program.image.file, tile::name(id))))
        return problem;
    const program::Symbol* ring = program.image.source->symbol("tensim_print_ring");
    if (ring != nullptr) attach_print_ring(tile, id, ring->address);
  }
  for (const CoreId id : cores_of(scenario))
    if (const CoreProgram& program = *scenario.cores[static_cast<unsigned>(id)]; !program.held)
      tile.release(id, program.image.entry);
  for (const NamedWord& word : scenario.until) {
    if (std::uint64_t{word.address} + sizeof word.value > tile.l1.size())
      return fmt::format("until: word {} at {:#010x} is not in L1", word.name, word.address);
    tile.stop_when(word.address, word.value);
  }
  return std::nullopt;
}

std::variant<std::unique_ptr<Tile>, std::string> make_tile(const Scenario& scenario, const RunOptions& options) {
  auto tile = std::make_unique<Tile>(std::make_shared<const tile::TileTiming>(timing_of(scenario)));
  set_up_coprocessor(scenario, options, tile->coprocessor);
  if (auto problem = load(scenario, *tile)) return *problem;
  return tile;
}

Outcome outcome_of(const Scenario& scenario, const Tile& tile, Tile::Halt halt) {
  Outcome outcome = explain::tile_outcome(tile, halt, [&](CoreId core) { return scenario.program_of(core); });
  for (unsigned i = 0; i < tile::core_count; ++i)
    outcome.cores[i].ran = outcome.cores[i].ran || scenario.cores[i].has_value();
  check(scenario, tile.coprocessor, outcome);
  check_memory(scenario, tile, outcome);
  if (halt == Tile::Halt::nothing_left && outcome.kind == OutcomeKind::finished) check_until(scenario, tile, outcome);
  return outcome;
}

Outcome outcome_of_interrupted(const Scenario& scenario, const Tile& tile) {
  Outcome outcome = outcome_of(scenario, tile, Tile::Halt::reached);
  outcome.kind = OutcomeKind::interrupted;
  outcome.failed_expectations.clear();  // nobody knows what would have become of them
  return outcome;
}

Outcome outcome_of_problem(const std::string& problem) {
  Outcome outcome;
  outcome.kind = OutcomeKind::faulted;
  outcome.problem = problem;
  return outcome;
}

Outcome run_tile(const Scenario& scenario, const RunOptions& options, tensix::Coprocessor* coprocessor, Tile* into) {
  const auto made = make_tile(scenario, options);
  if (const auto* problem = std::get_if<std::string>(&made)) return outcome_of_problem(*problem);
  Tile& tile = *std::get<std::unique_ptr<Tile>>(made);
  const Tile::Halt halt = tile.run_until(options.budget.value_or(scenario.budget));
  Outcome outcome = outcome_of(scenario, tile, halt);
  if (options.lockstep || options.observer != nullptr) walk_again(scenario, options, tile, outcome);
  if (coprocessor != nullptr) *coprocessor = tile.coprocessor;
  if (into != nullptr) *into = tile;
  return outcome;
}

}  // namespace tensim::scenario
