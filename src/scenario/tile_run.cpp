#include "scenario/tile_run.hpp"

#include <algorithm>
#include <bit>
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

tile::Script script_of(const Scenario& scenario) {
  auto lists = std::make_shared<tile::ScriptLists>();
  for (const CoreAction& action : scenario.actions)
    lists->accesses[static_cast<unsigned>(std::countr_zero(static_cast<unsigned>(action.core)))].push_back(
        {action.cycle, action.is_store, action.address, action.value, action.checks, action.line});
  for (unsigned thread = 0; thread < thread_count; ++thread) {
    const ThreadProgram& program = scenario.threads[thread];
    tile::FedWords& fed = lists->threads[thread];
    fed.start = program.start;
    fed.cycles_per_word = program.cycles_per_word;
    for (const isa::AssembledWord& word : program.words)
      fed.words.push_back(word.word);
  }
  return tile::Script(std::move(lists));
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

/// A load that gave another value than the scenario expects.
void check_loads(const Tile& tile, Outcome& outcome) {
  for (const auto& [load, cycle, value] : tile.script.mismatches())
    outcome.failed_expectations.push_back(
        fmt::format("load of {:#010x} in cycle {}: expected {:#x}, was {:#x}", load.address, cycle, load.value, value));
}

}  // namespace

void set_up_coprocessor(const Scenario& scenario, const RunOptions& options, tensix::Coprocessor& coprocessor) {
  coprocessor.evaluate_in(options.evaluation_order);
  tensix::fill(coprocessor, options.fill.value_or(scenario.fill));
  for (const auto& [index, state] : scenario.semaphores) {
    coprocessor.sync.set_semaphore(index, {state.value, state.max});
    coprocessor.written.semaphores |= static_cast<std::uint8_t>(1U << index);
  }
  for (const auto& [index, owner] : scenario.mutexes)
    if (owner >= 0) coprocessor.sync.acquire(index, static_cast<unsigned>(owner));
  for (const auto& [place, value] : scenario.gprs) {
    coprocessor.gprs.value[place.first][place.second] = value;
    coprocessor.written.add_gpr(place.first, place.second);
  }
  for (const auto& [index, counts] : scenario.streams)
    coprocessor.streams[index] = counts;
  if (scenario.src_a_valid) coprocessor.src.hand_to_matrix(tensix::Src::a);
  if (scenario.src_b_valid) coprocessor.src.hand_to_matrix(tensix::Src::b);
  for (const auto& [field, value] : scenario.config) {
    const ConfigField::Place& place = field->on(scenario.arch);
    const auto word = static_cast<std::uint16_t>(place.word);
    const std::uint32_t others = coprocessor.config.bank[0][word] & ~(place.mask() << place.shift);
    coprocessor.write_config({.first = word, .value = {others | value << place.shift}});
  }
  for (const auto& [thread, word, value] : scenario.thread_config)
    coprocessor.write_thread_config({static_cast<std::uint8_t>(thread), static_cast<std::uint8_t>(word), value});
  for (const auto& [thread, words] : scenario.mop_config)
    for (unsigned word = 0; word < words.size(); ++word)
      coprocessor.frontends[thread].set_mop_word(word, words[word]);
}

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
  return std::nullopt;
}

std::optional<std::string> stop_at_words(const Scenario& scenario, Tile& tile) {
  for (const NamedWord& word : scenario.until) {
    if (std::uint64_t{word.address} + sizeof word.value > tile.l1.size())
      return fmt::format("until: word {} at {:#010x} is not in L1", word.name, word.address);
    tile.stop_when(word.address, word.value);
  }
  return std::nullopt;
}

bool has_words(const Scenario& scenario, const Tile& tile) {
  return std::ranges::all_of(scenario.until,
                             [&](const NamedWord& word) { return word_at(tile, word.address) == word.value; });
}

std::variant<std::unique_ptr<Tile>, std::string> make_tile(const Scenario& scenario, const RunOptions& options) {
  if (scenario.runs_chip()) return "a scenario of several tiles runs on a chip, not on a tile";
  if (!scenario.runs_cores() && !scenario.until.empty()) return "until is for scenarios with programs on cores";
  const bool has_l1 = scenario.runs_cores() || !scenario.memory.empty();
  const auto memory = has_l1 ? Tile::Memory::l1 : Tile::Memory::none;
  auto tile = std::make_unique<Tile>(std::make_shared<const tile::TileTiming>(timing_of(scenario)), memory);
  set_up_coprocessor(scenario, options, tile->coprocessor);
  if (!scenario.runs_cores()) tile->script = script_of(scenario);
  if (auto problem = load(scenario, *tile)) return *problem;
  if (auto problem = stop_at_words(scenario, *tile)) return *problem;
  return tile;
}

Outcome outcome_of(const Scenario& scenario, const Tile& tile, Tile::Halt halt, const LastIssues& last_issues) {
  Outcome outcome = explain::tile_outcome(tile, halt, [&](CoreId core) { return scenario.program_of(core); });
  for (unsigned i = 0; i < tile::core_count; ++i)
    outcome.cores[i].ran = outcome.cores[i].ran || scenario.cores[i].has_value();
  if (tile.script.is_given()) {
    outcome.cycles = 0;                                                   // up to the last issue
    if (tile.coprocessor.fault) outcome.ended_at = tile.coprocessor.now;  // which the fault has not let pass
  }
  for (unsigned thread = 0; thread < thread_count; ++thread)
    if (const auto& last = outcome.threads[thread].last_issue = last_issues[thread])
      outcome.cycles = std::max(outcome.cycles, *last + 1);
  check_loads(tile, outcome);
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

}  // namespace tensim::scenario
