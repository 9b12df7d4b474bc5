// The tracks of a tile in a Perfetto trace: what cores do for others.
#include "noc/registers.hpp"
#include "noc/request.hpp"
#include "trace/perfetto_tile.hpp"

namespace tensim::trace {

void PerfettoTile::exchange(unsigned core, Exchange what, std::uint32_t with, std::uint32_t pc, Cycle cycle,
                            const Flows& flows) {
  tracks_[2 * std::size_t{core} + 1].instant(cycle,
                                             {.kind = Mark::Kind::exchange,
                                              .reason = static_cast<std::uint8_t>(what),
                                              .agent = static_cast<std::uint8_t>(core),
                                              .origin = pc,
                                              .word = with},
                                             flows);
}

/// Words that were pushed behind the last one that passed the gate.
void PerfettoTile::count_waiting(unsigned number, Cycle cycle) {
  const Thread& thread = threads_[number];
  unsigned count = 0;
  for (unsigned pusher = 0; pusher < 2; ++pusher)
    count += static_cast<unsigned>(thread.pushed[pusher] - thread.issued[pusher]) % tensix::Entry::push_numbers;
  tracks_[2 * std::size_t{tile::core_count} + 3 * std::size_t{number} + 1].value(cycle + 1, count);
}

void PerfettoTile::stored(const event::Stored& store, Cycle cycle) {
  const Region* const region = find_region(arch_, views_[store.core], store.address);
  if (region == nullptr) return;
  const bool is_from_brisc = region->kind == Region::Kind::instruction_buffer_brisc;
  if (!is_from_brisc && region->kind != Region::Kind::instruction_buffer_own) return;
  const unsigned number = is_from_brisc ? region->index : store.core - 1U;
  Thread& thread = threads_[number];
  const unsigned pusher = is_from_brisc ? 1 : 0;
  PerfettoTrack& track = tracks_[2 * std::size_t{tile::core_count} + 3 * std::size_t{number}];
  for (unsigned i = 0; i < store.count; ++i) {
    const std::uint64_t flow = new_flow();
    track.instant(cycle,
                  {.kind = Mark::Kind::push,
                   .agent = static_cast<std::uint8_t>(number),
                   .is_from_brisc = is_from_brisc,
                   .origin = store.pc / 4 + i,
                   .word = store.word(i)},
                  {.begins = flow});
    thread.pushes[pusher][thread.pushed[pusher]++ % push_numbers] = flow;
  }
  count_waiting(number, cycle);
}

void PerfettoTile::landed(const event::Landed& landed, Cycle cycle) {
  if (landed.mask != 0) return;
  const Region* const region = find_region(arch_, views_[landed.core], landed.address);
  if (region == nullptr) return;
  landed_pc_[landed.core] = landed.pc;
  switch (region->kind) {
    case Region::Kind::mailbox: {
      const std::uint64_t flow = new_flow();
      mail_[{landed.core, region->index}].push_back(flow);
      return exchange(landed.core, Exchange::sends_mail, region->index, landed.pc, cycle, {.begins = flow});
    }
    case Region::Kind::pc_buffer_brisc: {
      const std::uint64_t flow = new_flow();
      work_[region->index].push_back(flow);
      return exchange(landed.core, Exchange::sends_work, region->index, landed.pc, cycle, {.begins = flow});
    }
    case Region::Kind::noc_niu: {
      const auto found = noc::niu_register_at(arch_, landed.address - region->base);
      if (!found || found->row->part != noc::NiuRegister::Part::go || (landed.value & 1U) == 0) return;
      const std::uint64_t flow = is_on_chip_ ? request_flow(number_, landed.core, region->index, cycle) : 0;
      return exchange(landed.core, Exchange::asks_noc, region->index, landed.pc, cycle, {.begins = flow});
    }
    default: return;
  }
}

/// A core's store to a semaphore counts when it is told here, with the pc of what landed last.
void PerfettoTile::semaphore_stored(const event::SemaphoreStored& stored, Cycle cycle) {
  const std::uint64_t flow = new_flow();
  exchange(stored.core, stored.decrements ? Exchange::gets_semaphore : Exchange::posts_semaphore, stored.semaphore,
           landed_pc_[stored.core], cycle, {.begins = flow});
  semaphores_[stored.semaphore] = {flow, cycle};
  const unsigned value = values_[stored.semaphore];
  set_semaphore(
      stored.semaphore,
      stored.decrements ? value - (value == 0 ? 0U : 1U) : std::min(value + 1U, unsigned{tensix::SyncUnit::saturation}),
      cycle);
}

void PerfettoTile::loaded(const event::Loaded& load, Cycle cycle) {
  const Region* const region = find_region(arch_, views_[load.core], load.address);
  if (region == nullptr) return;
  const auto take_first = [](std::deque<std::uint64_t>& waiting) {
    if (waiting.empty()) return std::uint64_t{0};
    const std::uint64_t first = waiting.front();
    waiting.pop_front();
    return first;
  };
  switch (region->kind) {
    case Region::Kind::mailbox: {
      if ((load.address & 4U) != 0) return;
      const std::uint64_t flow = take_first(mail_[{region->index, load.core}]);
      return exchange(load.core, Exchange::takes_mail, region->index, load.pc, cycle, {.ends = {flow, 0}});
    }
    case Region::Kind::pc_buffer_own: {
      const std::uint64_t flow = take_first(work_[load.core - 1U]);
      return exchange(load.core, Exchange::takes_work, load.core - 1U, load.pc, cycle, {.ends = {flow, 0}});
    }
    case Region::Kind::semaphores: {  // a core that polls is not told of every time
      const auto [known, is_first] = seen_[load.core].try_emplace(load.address, load.value);
      if (!is_first && std::exchange(known->second, load.value) == load.value) return;
      const std::uint32_t semaphore = (load.address - region->base) / 4 % semaphore_count;
      return exchange(load.core, Exchange::sees_semaphore, semaphore, load.pc, cycle,
                      {.ends = {take(semaphores_[semaphore], 0), 0}});
    }
    default: return;
  }
}

}  // namespace tensim::trace
