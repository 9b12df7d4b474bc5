#include "explain/tile_outcome.hpp"

#include <algorithm>

#include "explain/script_to_come.hpp"
#include "tensix/footprint.hpp"
#include "text/printable.hpp"

namespace tensim::explain {
namespace {

using tile::CoreId;
using tile::Tile;

OutcomeKind kind_of(Tile::Halt halt, const Tile& tile) {
  switch (halt) {
    case Tile::Halt::reached: return OutcomeKind::budget_exhausted;
    case Tile::Halt::met: return OutcomeKind::finished;
    case Tile::Halt::core_stopped:
    case Tile::Halt::noc_fault:
    case Tile::Halt::coprocessor_fault: return OutcomeKind::faulted;
    case Tile::Halt::nothing_left: break;
  }
  const bool done =
      tile.coprocessor.is_idle() && tile.script.is_done() && std::ranges::none_of(tile.cores, has_more_to_do);
  return done ? OutcomeKind::finished : OutcomeKind::deadlocked;
}

void add_results(const Tile& tile, Outcome& outcome) {
  for (unsigned thread = 0; thread < thread_count; ++thread) {
    ThreadResult& result = outcome.threads[thread];
    result.account = tile.coprocessor.accounts[thread];
    result.issued = result.account[event::Stall::issued];
    result.wait_left =
        tile.coprocessor.gates.latches[thread].is_valid() && !tile.coprocessor.frontends[thread].has_candidate();
  }
  for (unsigned i = 0; i < tile::core_count; ++i) {
    const auto id = static_cast<CoreId>(i);
    const riscv::Core& core = tile.core(id);
    outcome.cores[i] = {core.retired != 0, core.retired, core.account, core_state(tile, id)};
  }
  outcome.reports = tile.coprocessor.reports;
  outcome.core_reports = tile.reports;
}

/// What the program has left of a linked transaction: nobody will end it any more, and its virtual channels stay taken.
void add_open_links(const Tile& tile, Outcome& outcome) {
  for (const tile::Niu& niu : tile.devices.nius.niu) {
    if (!niu.open) continue;
    const noc::Issuer& issuer = niu.open->issuer;
    outcome.core_reports.push_back({static_cast<CoreId>(issuer.core),
                                    {.category = riscv::CoreReport::Category::noc_request,
                                     .cycle = issuer.cycle,
                                     .pc = issuer.pc,
                                     .value = static_cast<std::uint32_t>(noc::Refusal::link_left_open)}});
    if (outcome.kind == OutcomeKind::finished) outcome.kind = OutcomeKind::faulted;
  }
}

void add_printed(const Tile& tile, Outcome& outcome) {
  outcome.printed = tile.print_rings.texts;
  for (tile::PrintedText& printed : outcome.printed)
    printed.text = text::printable_lines(printed.text);
}

bool writes_semaphore(const Tile& tile, unsigned thread, const tensix::Entry& entry, unsigned semaphore) {
  const auto footprint_of = tile.coprocessor.operation(entry.word).footprint;
  if (footprint_of == nullptr) return false;
  std::vector<tensix::Access> accesses;
  tensix::Footprint footprint(accesses);
  footprint_of(tile.coprocessor, {entry, thread}, footprint);
  return std::ranges::any_of(accesses, [&](const tensix::Access& access) {
    return access.write && access.resource == tensix::Resource::semaphore && semaphore - access.first < access.count;
  });
}

/// The semaphores that the core polls, and who has an instruction queued that changes them.
std::vector<PolledSemaphore> polled_semaphores(const Tile& tile, const CoreState& state) {
  std::vector<PolledSemaphore> polled;
  for (const PolledLoad& load : state.polls) {
    const Region* region = find_region(tile.arch, tile.devices.view_of(state.core), load.address);
    if (region == nullptr || region->kind != Region::Kind::semaphores) continue;
    PolledSemaphore& one = polled.emplace_back();
    one.semaphore = (load.address - region->base) / 4;
    for (unsigned thread = 0; thread < thread_count; ++thread)
      for (const tensix::Entry& entry : insight::remaining_words(tile.arch, tile.coprocessor.frontends[thread], {})) {
        if (!writes_semaphore(tile, thread, entry, one.semaphore)) continue;
        one.changes.push_back({.thread = thread, .instruction = entry});
        break;
      }
  }
  return polled;
}

void add_stuck_cores(const Tile& tile, Outcome& outcome) {
  for (unsigned i = 0; i < tile::core_count; ++i) {
    if (!has_more_to_do(tile.cores[i])) continue;
    const CoreState& state = outcome.cores[i].state;
    outcome.stuck_cores.push_back({.core = state.core, .running = state, .semaphores = polled_semaphores(tile, state)});
  }
}

}  // namespace

void add_open_recordings(const tensix::Coprocessor& coprocessor, Outcome& outcome) {
  const std::vector<tensix::Report> open = coprocessor.open_recordings();
  outcome.reports.insert(outcome.reports.end(), open.begin(), open.end());
}

insight::WaitForGraph wait_for_graph(const Tile& tile, bool nothing_moves, const ProgramOf& program_of) {
  insight::Outside outside{.remaining = words_to_come(tile),
                           .core_stores = semaphore_stores_to_come(tile, nothing_moves),
                           .cores = live_cores(tile, nothing_moves, program_of)};
  for (unsigned thread = 0; thread < thread_count; ++thread) {
    std::vector<tensix::Entry>& remaining = outside.remaining[thread];
    remaining = insight::remaining_words(tile.arch, tile.coprocessor.frontends[thread], remaining);
  }
  return insight::wait_for_graph(tile.coprocessor, outside);
}

bool waits_for_host(const Tile& tile) {
  if (!tile.coprocessor.is_idle() || !tile.script.is_done()) return false;
  const auto can_write = [&](CoreId core, const PolledLoad& load) {
    const Region* region = find_region(tile.arch, tile.devices.view_of(core), load.address);
    return load.is_l1 || (region != nullptr && region->kind == Region::Kind::noc_overlay);
  };
  bool anybody_waits = false;
  for (unsigned i = 0; i < tile::core_count; ++i) {
    if (!has_more_to_do(tile.cores[i])) continue;
    const CoreState state = core_state(tile, static_cast<CoreId>(i));
    if (state.polls.empty() || state.store) return false;
    for (const PolledLoad& load : state.polls)
      if (!can_write(state.core, load)) return false;
    anybody_waits = true;
  }
  return anybody_waits;
}

Outcome tile_outcome(const Tile& tile, Tile::Halt halt, const ProgramOf& program_of) {
  Outcome outcome;
  outcome.kind = kind_of(halt, tile);
  outcome.cycles = outcome.ended_at = tile.now();
  outcome.fault = tile.coprocessor.fault;
  outcome.noc_fault = tile.noc_fault;
  outcome.is_in_chip = tile.devices.nius.place.has_network;
  if (const auto& fault = tile.script.fault()) outcome.core_fault = {fault->access, fault->fault, fault->region};
  if (const auto stopped = tile.stopped_core()) {
    const program::Image* image = program_of(*stopped);
    outcome.core_end = core_end(tile, *stopped, image == nullptr ? nullptr : image->source.get());
  }
  add_results(tile, outcome);
  if (halt == Tile::Halt::nothing_left || halt == Tile::Halt::met) add_open_links(tile, outcome);
  if (halt == Tile::Halt::nothing_left) add_open_recordings(tile.coprocessor, outcome);
  add_printed(tile, outcome);
  const bool nothing_moves = outcome.kind == OutcomeKind::deadlocked;
  add_stuck_scripted_cores(tile, nothing_moves, outcome);
  // While others run, only those that can never proceed (ruling 11); of what programs would do nobody knows enough.
  if (outcome.kind == OutcomeKind::budget_exhausted && tile.script.is_given())
    outcome.graph = insight::only_for_ever(wait_for_graph(tile, false, program_of));
  if (nothing_moves) {
    outcome.graph = wait_for_graph(tile, true, program_of);
    add_stuck_cores(tile, outcome);
    outcome.graph.partial = outcome.graph.partial || std::ranges::any_of(tile.cores, is_parked);
  }
  return outcome;
}

}  // namespace tensim::explain
