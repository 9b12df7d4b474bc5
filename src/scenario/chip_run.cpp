#include "scenario/chip_run.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "noc/dram_views.hpp"
#include "noc/workers.hpp"
#include "scenario/chip_hearers.hpp"
#include "scenario/tile_run.hpp"

namespace tensim::scenario {
namespace {

using chip::Chip;
using chip::Slot;
using noc::Coordinates;
using tile::Tile;

/// Faults are looked for at these cycles, so that what others have done by then does not depend on how windows lie.
constexpr Cycle look_cycles = 4096;

enum class Ending : std::uint8_t { met, idle, faulted, budget };

// ---- before it ----

Slot& slot_of(Chip& chip, Coordinates logical) {
  return chip.touch(*noc::worker(chip.plan(), logical));  // the reader refuses tiles that are not there
}

/// Where a bank's bytes are: which memory, and from where on.
std::pair<unsigned, std::uint64_t> place_of(const noc::FloorPlan& plan, const DramContent& content) {
  const noc::NamedBank bank = noc::named_bank(plan.arch(), content.bank, 0);
  return {noc::memory_of_named_bank(plan, content.bank), bank.address_offset + content.address};
}

std::optional<std::string> load(const Scenario& scenario, const RunOptions& options, Chip& chip) {
  for (const DramContent& content : scenario.dram) {
    const auto [memory, address] = place_of(chip.plan(), content);
    chip.dram().memory(memory).write(address, content.bytes);
  }
  for (const TileGroup& group : scenario.tiles)
    for (const Coordinates at : group.at) {
      Slot& slot = slot_of(chip, at);
      set_up_coprocessor(group.tile, options, slot.tile->coprocessor);
      if (auto problem = load(group.tile, *slot.tile)) return fmt::format("tile {},{}: {}", at.x, at.y, *problem);
      slot.is_idle = false;
    }
  return std::nullopt;
}

// ---- the run ----

bool has_fault(const Chip& chip) {
  return chip.has_unanswered() ||
         std::ranges::any_of(chip.slots(), [](const auto& entry) { return entry.second.has_fault; });
}

/// `step(end)` runs the chip, and says whether it has come to what it is run for.
template <class Step>
Ending run_on(Chip& chip, Cycle budget, Ending aim, Step step) {
  for (;;) {
    const bool is_there = step(std::min(budget, (chip.now() / look_cycles + 1) * look_cycles));
    if (has_fault(chip)) return Ending::faulted;
    if (is_there) return aim;
    if (chip.now() >= budget) return Ending::budget;
    if (chip.is_idle()) return Ending::idle;
  }
}

/// Until the words of this tile have had their values.
Ending run_until_words(const Scenario& scenario, Chip& chip, Slot& slot, Cycle budget) {
  if (has_words(scenario, *slot.tile)) return Ending::met;
  static_cast<void>(stop_at_words(scenario, *slot.tile));  // the reader refuses words that are not in L1
  const Ending ending = run_on(chip, budget, Ending::met, [&](Cycle end) { return chip.run_until_met(slot, end); });
  slot.tile->settle();
  slot.tile->forget_stop_words();
  return ending;
}

Ending run_to_end(const Scenario& scenario, Chip& chip, Cycle budget) {
  bool has_until = false;
  for (const TileGroup& group : scenario.tiles)
    for (const Coordinates at : group.tile.until.empty() ? std::vector<Coordinates>{} : group.at) {
      has_until = true;
      const Ending ending = run_until_words(group.tile, chip, slot_of(chip, at), budget);
      if (ending != Ending::met) return ending;
    }
  if (has_until) return Ending::met;
  return run_on(chip, budget, Ending::idle, [&](Cycle end) { return chip.run_until_idle(end); });
}

// ---- after it ----

using Words = std::vector<insight::ChipPath::Word>;

/// What the run was for.
Words words_of(const Scenario& scenario, const noc::FloorPlan& plan) {
  Words words;
  for (const TileGroup& group : scenario.tiles)
    for (const Coordinates at : group.at)
      for (const NamedWord& word : group.tile.until)
        words.push_back({*noc::worker(plan, at), word.address});
  return words;
}

Tile::Halt halt_of(const Slot& slot, Ending ending) {
  if (slot.has_fault) return slot.halt;
  if (ending == Ending::met) return Tile::Halt::met;
  return slot.is_idle ? Tile::Halt::nothing_left : Tile::Halt::reached;
}

std::optional<std::size_t> group_of(const Scenario& scenario, Coordinates at) {
  for (std::size_t i = 0; i < scenario.tiles.size(); ++i)
    if (std::ranges::find(scenario.tiles[i].at, at) != scenario.tiles[i].at.end()) return i;
  return std::nullopt;
}

void add_tiles(const Scenario& scenario, Ending ending, ChipRun& run) {
  for (auto& [index, slot] : run.chip->slots()) {
    slot.tile->settle();
    const auto at = noc::logical(run.chip->plan(), slot.place);
    if (!at) {
      if (slot.has_fault) run.others.push_back({slot.place, outcome_of(run.nothing, *slot.tile, slot.halt)});
      continue;
    }
    TileResult result{.at = *at, .group = group_of(scenario, *at), .outcome = {}};
    result.outcome = outcome_of(run.scenario_of(scenario, result), *slot.tile, halt_of(slot, ending));
    const OutcomeKind kind = result.outcome.kind;
    // What a tile waits for might have come from the one with the fault.
    if (ending == Ending::faulted && kind != OutcomeKind::finished && kind != OutcomeKind::faulted)
      result.outcome.kind = OutcomeKind::interrupted;
    run.tiles.push_back(std::move(result));
  }
  std::ranges::sort(run.tiles, {}, [](const TileResult& tile) { return std::pair(tile.at.y, tile.at.x); });
}

OutcomeKind kind_of(Ending ending, const std::vector<TileResult>& tiles) {
  switch (ending) {
    case Ending::met: return OutcomeKind::finished;
    case Ending::faulted: return OutcomeKind::faulted;
    case Ending::budget: return OutcomeKind::budget_exhausted;
    case Ending::idle: break;
  }
  const auto is = [](OutcomeKind kind) { return [kind](const TileResult& tile) { return tile.outcome.kind == kind; }; };
  if (std::ranges::all_of(tiles, is(OutcomeKind::finished))) return OutcomeKind::finished;
  // A program may have ended with a fault: a linked transaction that it has left open.
  return std::ranges::any_of(tiles, is(OutcomeKind::faulted)) ? OutcomeKind::faulted : OutcomeKind::deadlocked;
}

/// One more than the cycle of the first fault.
Cycle first_fault(const ChipRun& run) {
  Cycle first = chip::never;
  for (const TileResult& tile : run.tiles)
    if (tile.outcome.kind == OutcomeKind::faulted) first = std::min(first, tile.outcome.cycles);
  for (const OtherTile& other : run.others)
    first = std::min(first, other.outcome.cycles);
  for (const chip::Unanswered& request : run.unanswered)
    first = std::min(first, request.cycle + 1);
  return first;
}

/// Up to the last in which something happened; of a fault, up to the first one.
Cycle cycles_of(const ChipRun& run, Ending ending) {
  switch (ending) {
    case Ending::faulted: return first_fault(run);
    case Ending::idle: break;
    default: return run.chip->now();
  }
  Cycle last = 0;
  for (const TileResult& tile : run.tiles)
    last = std::max(last, tile.outcome.cycles);
  return last;
}

void check_dram(const Scenario& scenario, ChipRun& run) {
  for (const DramContent& expected : scenario.expect.dram) {
    const auto [memory, address] = place_of(run.chip->plan(), expected);
    std::vector<std::uint8_t> bytes(expected.bytes.size());
    run.chip->dram().memory(memory).read(address, bytes);
    const auto [was, wanted] = std::ranges::mismatch(bytes, expected.bytes);
    if (was == bytes.end()) continue;
    const auto wrong = std::transform_reduce(bytes.begin(), bytes.end(), expected.bytes.begin(), std::size_t{0},
                                             std::plus{}, std::not_equal_to{});
    run.failed_expectations.push_back(
        fmt::format("DRAM bank {}: {} of {} bytes from {:#x} on differ; at {:#x} expected {:#04x}, was {:#04x}",
                    expected.bank, wrong, bytes.size(), expected.address,
                    expected.address + static_cast<std::uint64_t>(was - bytes.begin()), *wanted, *was));
  }
}

void check(const Scenario& scenario, ChipRun& run) {
  if (scenario.expect.outcome && *scenario.expect.outcome != run.kind)
    run.failed_expectations.push_back(
        fmt::format("outcome: expected {}, was {}", name(*scenario.expect.outcome), name(run.kind)));
  if (scenario.expect.cycles && *scenario.expect.cycles != run.cycles)
    run.failed_expectations.push_back(fmt::format("cycles: expected {}, was {}", *scenario.expect.cycles, run.cycles));
  check_dram(scenario, run);
}

/// The same run with windows of a cycle, in which every tile walks every cycle: to show that it is the same.
void walk_again(const RunOptions& options, Chip& walked, ChipRun& run) {
  const RunOptions check{.races = options.races};
  ChipHearers hearers(check, walked);
  walked.walk_in_lockstep(true);
  walked.run_until(run.chip->now());
  walked.settle();
  if (const auto races = hearers.finish(walked); races && !(races->races == run.races->races))
    run.failed_expectations.emplace_back("lock-step finds other races");
  Chip ahead(*run.chip);
  ahead.settle();
  for (const auto& [index, slot] : ahead.slots()) {
    const Coordinates at = noc::logical(ahead.plan(), slot.place).value_or(slot.place);
    const Slot* const other = walked.find(slot.place);
    const std::string where = other == nullptr ? "nobody touches it" : difference(*slot.tile, *other->tile);
    if (!where.empty())
      run.failed_expectations.push_back(fmt::format("lock-step ends differently: tile {},{}, {}", at.x, at.y, where));
  }
}

}  // namespace

std::size_t ChipRun::failed_count() const {
  return std::accumulate(tiles.begin(), tiles.end(), failed_expectations.size(), [](std::size_t sum, const auto& tile) {
    return sum + tile.outcome.failed_expectations.size();
  });
}

const TileResult* ChipRun::find(Coordinates logical) const {
  const auto found = std::ranges::find(tiles, logical, &TileResult::at);
  return found == tiles.end() ? nullptr : &*found;
}

ChipRun run_chip(const Scenario& scenario, const RunOptions& options) {
  ChipRun run;
  run.nothing.arch = scenario.arch;
  run.chip = std::make_unique<Chip>(*scenario.plan, timing_of(scenario));
  if (auto problem = load(scenario, options, *run.chip)) {
    run.kind = OutcomeKind::faulted;
    run.problem = std::move(*problem);
    run.chip.reset();
    return run;
  }
  const auto walked = options.lockstep ? std::make_unique<Chip>(*run.chip) : nullptr;
  ChipHearers hearers(options, *run.chip);
  chip::Workers workers(options.host_threads);
  workers.tell(options.profile);
  run.chip->run_with(&workers);
  if (options.profile != nullptr) options.profile->follow(0, &run.chip->activity());
  const Ending ending = run_to_end(scenario, *run.chip, options.budget.value_or(scenario.budget));
  if (ending == Ending::idle && explain::chip_outcome_kind(*run.chip, true) == OutcomeKind::deadlocked)
    run.hang = explain::chip_outcome(*run.chip, true, [&](event::PacketObserver& observer) {
      Chip again(*scenario.plan, timing_of(scenario));
      static_cast<void>(load(scenario, options, again));  // it has been loaded before
      again.observe(&observer);
      again.run_until(run.chip->now());
    });
  run.chip->run_with(nullptr);
  if (options.profile != nullptr) options.profile->follow(0, nullptr);
  add_tiles(scenario, ending, run);
  run.races = hearers.finish(*run.chip);
  for (TileResult& tile : run.tiles) {
    const Coordinates at = *noc::worker(run.chip->plan(), tile.at);
    tile.outcome.lints = hearers.lints_of(at);
    tile.outcome.profile = hearers.profile_of(at, *run.chip->find(at)->tile);
  }
  run.unanswered = run.chip->take_unanswered();
  run.kind = kind_of(ending, run.tiles);
  run.cycles = cycles_of(run, ending);
  run.path = hearers.path(ending == Ending::met ? words_of(scenario, run.chip->plan()) : Words{}, run.cycles);
  check(scenario, run);
  if (walked != nullptr) walk_again(options, *walked, run);
  return run;
}

}  // namespace tensim::scenario
