#include "explain/chip_outcome.hpp"

#include <algorithm>
#include <deque>
#include <map>

#include "explain/core_state.hpp"

namespace tensim::explain {
namespace {

using chip::Chip;
using chip::Slot;
using tile::Tile;
using What = ChipWait::What;

/// Whether a core, a thread or the script of the tile has more to do.
bool has_more_to_do(const Tile& tile) {
  return !tile.coprocessor.is_idle() || !tile.script.is_done() ||
         std::ranges::any_of(tile.cores, [](const riscv::Core& core) { return explain::has_more_to_do(core); });
}

std::vector<EndedTile> ended_tiles(const Chip& chip) {
  std::vector<EndedTile> tiles;
  for (const auto& [index, slot] : chip.slots()) {
    const bool ran = std::ranges::any_of(slot.tile->cores, [](const riscv::Core& core) { return core.retired != 0; });
    if (!ran || slot.has_fault || has_more_to_do(*slot.tile)) continue;
    EndedTile ended{.tile = slot.place};
    for (const riscv::Core& core : slot.tile->cores)
      if (is_parked(core)) ended.cycle = std::max(ended.cycle, core.spin.at);
    tiles.push_back(ended);
  }
  return tiles;
}

/// Who ought to answer the request, or take it up.
noc::Coordinates awaited_receiver(const OpenRequest& open) {
  for (const noc::Coordinates& receiver : open.arrived_at)
    if (std::ranges::find(open.answered_by, receiver) == open.answered_by.end()) return receiver;
  return open.request.target;
}

Unanswered unanswered(const Chip& chip, const OpenRequest& open) {
  Unanswered result{.request = open.request, .sent = open.sent, .at = awaited_receiver(open)};
  const Slot* receiver = chip.find(result.at);
  if (receiver != nullptr && receiver->has_fault)
    result.why = Unanswered::Why::receiver_stands_still;
  else if (open.arrived_at.empty())
    result.why = Unanswered::Why::in_the_network;
  return result;
}

/// Requests that stand in the NIU.
void add_not_accepted(const Chip& chip, StuckWait& stuck) {
  auto in_the_niu = chip.find(stuck.wait.who.tile)->tile->devices.nius.niu[stuck.wait.noc].waiting;
  while (!in_the_niu.empty()) {
    const tile::Niu::Waiting waiting = in_the_niu.pop();
    noc::Message request{.kind = noc::message_kind(waiting.request.kind),
                         .noc = static_cast<std::uint8_t>(stuck.wait.noc),
                         .channel = noc::channel_of(waiting.request),
                         .target = waiting.tiles.target,
                         .broadcast = waiting.request.broadcast,
                         .address = waiting.request.target.address,
                         .length = waiting.request.length,
                         .issuer = waiting.issuer};
    stuck.unanswered.push_back({.request = std::move(request),
                                .sent = waiting.issuer.cycle,
                                .why = Unanswered::Why::in_the_niu,
                                .at = waiting.tiles.target});
  }
}

void add_history(const Chip& chip, const PacketLog& log, std::size_t wait, const std::vector<OpenRequest>& open,
                 StuckWait& stuck) {
  stuck.has_history = true;
  stuck.brought = log.brought(wait);
  for (const OpenRequest& request : open)
    if (is_answered_there(stuck.wait, request.request)) stuck.unanswered.push_back(unanswered(chip, request));
}

/// Of words that others write: a counter says nothing about who ought to have sent something.
void add_ended(const std::vector<EndedTile>& ended, StuckWait& stuck) {
  if (stuck.wait.what != What::l1_word && stuck.wait.what != What::register_word) return;
  for (const EndedTile& tile : ended)
    if (std::ranges::find(stuck.brought, tile.tile, &Brought::from) == stuck.brought.end()) stuck.ended.push_back(tile);
}

// ---- rings ----

using Waits = std::vector<std::vector<std::size_t>>;  // of each core those that it waits for

std::size_t index_of(const std::vector<CoreOfChip>& cores, const CoreOfChip& core) {
  return static_cast<std::size_t>(std::ranges::find(cores, core) - cores.begin());
}

/// The shortest way from a core back to itself; empty if there is none.
std::vector<std::size_t> shortest_ring(const Waits& waits, std::size_t start) {
  std::map<std::size_t, std::size_t> came_from;
  std::deque<std::size_t> to_visit{start};
  while (!to_visit.empty()) {
    const std::size_t core = to_visit.front();
    to_visit.pop_front();
    for (const std::size_t next : waits[core]) {
      if (next == start) {
        std::vector<std::size_t> ring;
        for (std::size_t at = core; at != start; at = came_from[at])
          ring.push_back(at);
        ring.push_back(start);
        std::ranges::reverse(ring);
        return ring;
      }
      if (came_from.emplace(next, core).second) to_visit.push_back(next);
    }
  }
  return {};
}

std::vector<Ring> rings_of(const std::vector<StuckWait>& stuck) {
  std::vector<CoreOfChip> cores;
  for (const StuckWait& each : stuck)
    if (index_of(cores, each.wait.who) == cores.size()) cores.push_back(each.wait.who);
  Waits waits(cores.size());
  for (const StuckWait& each : stuck)
    for (const WouldBring& would : each.would_bring)
      if (const std::size_t sender = index_of(cores, would.by); sender != cores.size())
        waits[index_of(cores, each.wait.who)].push_back(sender);
  std::multimap<std::size_t, std::vector<std::size_t>> found;  // by how many wait, the first core's first
  for (std::size_t core = 0; core < cores.size(); ++core) {
    const std::vector<std::size_t> ring = shortest_ring(waits, core);
    // each ring once, from its first core on
    if (!ring.empty() && std::ranges::min(ring) == core) found.emplace(ring.size(), ring);
  }
  std::vector<Ring> rings;
  for (const auto& [size, ring] : found) {
    Ring& named = rings.emplace_back();
    for (const std::size_t core : ring)
      named.push_back(cores[core]);
  }
  return rings;
}

}  // namespace

OutcomeKind chip_outcome_kind(const Chip& chip, bool ended) {
  const auto any = [&](auto of) {
    return std::ranges::any_of(chip.slots(), [&](const auto& entry) { return of(entry.second); });
  };
  if (any([](const Slot& slot) { return slot.has_fault; })) return OutcomeKind::faulted;
  if (!ended) return OutcomeKind::budget_exhausted;
  return any([](const Slot& slot) { return has_more_to_do(*slot.tile); }) ? OutcomeKind::deadlocked
                                                                          : OutcomeKind::finished;
}

ChipOutcome chip_outcome(const Chip& chip, bool ended, const RunAgain& run_again) {
  ChipOutcome outcome{.kind = chip_outcome_kind(chip, ended), .cycles = chip.now()};
  if (!ended || outcome.kind == OutcomeKind::finished) return outcome;
  const std::vector<ChipWait> waits = chip_waits(chip);
  PacketLog log(waits);
  if (run_again) run_again(log);
  const std::vector<OpenRequest> open = log.open_requests();
  std::vector<std::vector<WouldBring>> would = what_would_come(chip, waits);
  const std::vector<EndedTile> tiles = ended_tiles(chip);
  for (std::size_t i = 0; i < waits.size(); ++i) {
    StuckWait& stuck = outcome.stuck.emplace_back();
    stuck.wait = waits[i];
    stuck.pc = chip.find(waits[i].who.tile)->tile->core(waits[i].who.core).pc;
    if (waits[i].what == What::counter || waits[i].what == What::command_buffer) add_not_accepted(chip, stuck);
    if (run_again) add_history(chip, log, i, open, stuck);
    stuck.would_bring = std::move(would[i]);
    add_ended(tiles, stuck);
  }
  outcome.rings = rings_of(outcome.stuck);
  return outcome;
}

}  // namespace tensim::explain
