// What made everything in a tile happen when it did: cores.
#include <algorithm>
#include <ranges>

#include "insight/tile_path.hpp"
#include "noc/registers.hpp"
#include "noc/request.hpp"

namespace tensim::insight {

using event::CoreSpan;
using event::CoreStall;

const Region* TilePath::region_at(unsigned core, std::uint32_t address) const {
  return address < l1_bytes_ ? l1_ : find_region(arch_, views_[core], address);
}

Step TilePath::core_step(unsigned core, CoreStall stall, std::uint32_t pc, std::uint32_t count) const {
  return {.kind = Step::Kind::core,
          .reason = static_cast<std::uint8_t>(stall),
          .agent = static_cast<std::uint8_t>(core),
          .tile = number_,
          .origin = pc,
          .word = count};
}

// ---- time ----

void TilePath::passed(std::span<const CoreSpan> spans) {
  for (std::size_t i = 0; i < spans.size(); ++i) {
    auto& waiting = cores_[spans[i].core].spans;
    const std::size_t count = spans[i].kind == CoreSpan::Kind::rounds ? 1U + spans[i].spans : 1U;
    waiting.insert(waiting.end(), spans.begin() + static_cast<std::ptrdiff_t>(i),
                   spans.begin() + static_cast<std::ptrdiff_t>(i + count));
    i += count - 1;
  }
}

/// The core's chain goes on to `cycle`, as far as it has said where its time went.
void TilePath::go_to(unsigned number, Cycle cycle) {
  Core& core = cores_[number];
  if (has_script_) return core.chain.extend({.kind = Step::Kind::script}, cycle);
  while (!core.spans.empty() && core.spans.front().from < cycle) {
    CoreSpan& span = core.spans.front();
    if (span.kind == CoreSpan::Kind::rounds) {
      go_round(number);
      continue;
    }
    const Cycle end = span.from + span.count;
    go_through(number, span, std::min(cycle, end));
    if (end > cycle) {
      if (span.kind == CoreSpan::Kind::executed) span.pc += static_cast<std::uint32_t>(4 * (cycle - span.from));
      span.count = end - cycle;
      span.from = cycle;
      return;
    }
    core.spans.pop_front();
  }
}

void TilePath::go_through(unsigned number, const CoreSpan& span, Cycle until) {
  Core& core = cores_[number];
  const auto count = static_cast<std::uint32_t>(until - span.from);
  if (span.kind == CoreSpan::Kind::executed) {
    core.is_parked = span.pc == core.last_pc;
    core.last_pc = span.pc + 4 * (count - 1);
    const auto done = static_cast<std::uint32_t>(std::max(core.chain.until(), span.from) - span.from);  // by its cause
    if (!core.is_parked && done < count)
      core.chain.extend(core_step(number, CoreStall::none, span.pc + 4 * done, count - done), until);
    return;
  }
  if (core.is_parked && span.stall != CoreStall::in_reset) return;
  core.held_since = span.from;
  core.chain.extend(core_step(number, span.stall, span.pc), until);
  if (span.stall == CoreStall::store_queue && until == span.from + span.count) waited_for_room(number, span);
}

/// Rounds that were left out: each of their spans as often as there are rounds. The order in them does not matter.
void TilePath::go_round(unsigned number) {
  Core& core = cores_[number];
  const std::uint64_t rounds = core.spans.front().count;
  const std::size_t spans = core.spans.front().spans;
  core.spans.pop_front();
  Cycle until = core.spans.front().from;
  for (std::size_t i = 0; i < spans; ++i) {
    CoreSpan span = core.spans.front();
    core.spans.pop_front();
    span.from = until;
    until += span.count * rounds;
    const bool is_executed = span.kind == CoreSpan::Kind::executed;
    if (is_executed && span.pc == core.last_pc) core.is_parked = true;
    if (is_executed) core.last_pc = span.pc + static_cast<std::uint32_t>(4 * (span.count - 1));
    if (!core.is_parked)
      core.chain.extend(core_step(number, is_executed ? CoreStall::none : span.stall, span.pc,
                                  is_executed ? static_cast<std::uint32_t>(span.count) : 0U),
                        until);
  }
}

void TilePath::go_on_from(unsigned number, const Chain& cause, Cycle since, const Step& step, Cycle cycle) {
  if (!cause || cause.until() <= since || cause.until() > cycle) return;
  Core& core = cores_[number];
  core.chain = cause;
  core.chain.extend(step, cycle);
}

/// A T core whose words find no room waits for its thread.
void TilePath::waited_for_room(unsigned number, const CoreSpan& span) {
  if (!tile::is_trisc(static_cast<tile::CoreId>(number))) return;
  constexpr std::uint8_t many = 16;  // more than are under way where there is room
  const Cycle until = span.from + span.count;
  const Issue* const issue = threads_[number - 1].issues.before(until);
  if (issue == nullptr || issue->waiting < many || issue->is_from_brisc) return;
  go_on_from(number, issue->chain, span.from, core_step(number, CoreStall::store_queue, span.pc), until);
}

// ---- stores ----

void TilePath::stored(const event::Stored& store, Cycle cycle) {
  go_to(store.core, cycle + 1);
  Core& core = cores_[store.core];
  ++core.stored;
  const Region* const region = region_at(store.core, store.address);
  if (region == nullptr) return;
  const bool is_from_brisc = region->kind == Region::Kind::instruction_buffer_brisc;
  if (is_from_brisc || region->kind == Region::Kind::instruction_buffer_own) {
    Thread& thread = threads_[is_from_brisc ? region->index : store.core - 1U];
    const unsigned pusher = is_from_brisc ? 1 : 0;
    for (unsigned i = 0; i < store.count; ++i)
      thread.pushes[pusher][thread.pushed[pusher]++ % push_numbers] = core.chain;
    return;
  }
  auto& stores = region->kind == Region::Kind::l1 ? core.l1_stores : core.other_stores;
  stores.push_back({store.address, store.bytes, store.pc, core.chain});
}

/// The first of the core's stores that has not landed; of those to other places than L1, to this address.
Chain TilePath::take_store(std::deque<UnderWay>& stores, unsigned core, std::uint32_t address, Cycle cycle) {
  const auto found = std::ranges::find(stores, address, &UnderWay::address);
  if (found == stores.end()) return cores_[core].chain;
  Chain chain = std::move(found->chain);
  chain.extend(
      {.kind = Step::Kind::store, .agent = static_cast<std::uint8_t>(core), .tile = number_, .origin = found->pc},
      cycle + 1);
  stores.erase(found);
  return chain;
}

void TilePath::written(std::uint32_t address, std::uint32_t bytes, const Chain& chain) {
  written_.push_back({address, bytes, chain});
  if (written_.size() > most_written) written_.pop_front();
}

Chain TilePath::writer_of(std::uint32_t address) const {
  for (const Written& each : std::views::reverse(written_))
    if (address + 3 >= each.address && address < each.address + each.bytes) return each.chain;
  return {};
}

void TilePath::landed(const event::Landed& landed, Cycle cycle) {
  Core& core = cores_[landed.core];
  const Region* const region = region_at(landed.core, landed.address);
  if (region == nullptr) return;
  if (region->kind == Region::Kind::l1) {
    for (unsigned i = 0; i < landed.count && !core.l1_stores.empty(); ++i) {
      const UnderWay store = core.l1_stores.front();
      written(store.address, store.bytes, take_store(core.l1_stores, landed.core, store.address, cycle));
    }
    return;
  }
  if (region->kind == Region::Kind::semaphores) return;  // SemaphoreStored comes when it counts
  Chain chain = take_store(core.other_stores, landed.core, landed.address, cycle);
  core.landed = chain;
  switch (region->kind) {
    case Region::Kind::config:
    case Region::Kind::gprs_own:
    case Region::Kind::gprs_all:
    case Region::Kind::tdma_risc: settings_[landed.core] = std::move(chain); return;
    case Region::Kind::mailbox: mailboxes_[{landed.core, region->index}].push_back(std::move(chain)); return;
    case Region::Kind::pc_buffer_brisc: pc_buffers_[region->index].push_back(std::move(chain)); return;
    case Region::Kind::noc_niu: {
      const auto found = noc::niu_register_at(arch_, landed.address - region->base);
      if (!found || found->row->part != noc::NiuRegister::Part::go || (landed.value & 1U) == 0) return;
      initiated_.push_back({landed.core, cycle, std::move(chain)});
      if (initiated_.size() > most_initiated) initiated_.pop_front();
      return;
    }
    default: registers_[landed.address] = std::move(chain); return;
  }
}

void TilePath::semaphore_stored(const event::SemaphoreStored& stored, Cycle cycle) {
  const std::uint32_t address = region_of(arch_, Region::Kind::semaphores).base + 4U * stored.semaphore;
  semaphores_[stored.semaphore] = take_store(cores_[stored.core].other_stores, stored.core, address, cycle);
}

void TilePath::updated(const event::Updated& update, Cycle cycle) {
  go_to(update.core, cycle + 1);
  written(update.address, 4, cores_[update.core].chain);
}

// ---- loads ----

/// Who has made what the load found there.
Chain TilePath::source_of(const event::Loaded& load, const Region& region) {
  const auto take_first = [](std::deque<Chain>& waiting) {
    if (waiting.empty()) return Chain();
    Chain first = std::move(waiting.front());
    waiting.pop_front();
    return first;
  };
  switch (region.kind) {
    case Region::Kind::l1: return writer_of(load.address);
    case Region::Kind::semaphores: return semaphores_[(load.address - region.base) / 4 % semaphores_.size()];
    case Region::Kind::mailbox:
      return (load.address & 4U) == 0 ? take_first(mailboxes_[{region.index, load.core}]) : Chain();
    case Region::Kind::pc_buffer_own: return take_first(pc_buffers_[load.core - 1U]);
    case Region::Kind::pc_buffer_brisc: return later(whole_thread(region.index), cores_[region.index + 1U].chain);
    case Region::Kind::tt_sync: return whole_thread(load.core - 1U);
    case Region::Kind::noc_niu: return nius_[region.index % nius_.size()];
    default: {
      const auto found = registers_.find(load.address);
      return found == registers_.end() ? Chain() : found->second;
    }
  }
}

/// One that waited for its answer goes on from who gave it; one that polls, from who has made the word another than it was.
void TilePath::loaded(const event::Loaded& load, Cycle cycle) {
  go_to(load.core, load.is_late ? cycle : cycle + 1);
  Core& core = cores_[load.core];
  const Region* const region = region_at(load.core, load.address);
  if (region == nullptr) return;
  const bool takes = region->kind == Region::Kind::mailbox || region->kind == Region::Kind::pc_buffer_own;
  if (load.is_late || takes) {
    const Chain source = source_of(load, *region);
    const bool waits = load.is_late && !core.spans.empty() && core.spans.front().kind == CoreSpan::Kind::held;
    const CoreStall stall = waits ? core.spans.front().stall : CoreStall::operand;
    if (waits) go_on_from(load.core, source, core.held_since, core_step(load.core, stall, load.pc), cycle);
    return;
  }
  const auto [known, is_first] =
      core.polls.try_emplace(load.pc, Poll{load.address, load.value, cycle, core.stored, false});
  Poll& poll = known->second;
  if (is_first) poll.is_poll = has_script_ || is_poll_(load.core, load.pc);
  const bool goes_round = poll.stored == core.stored;  // since the last time it has done nothing else
  if (!is_first && poll.is_poll && goes_round && poll.address == load.address && poll.value != load.value)
    go_on_from(load.core, source_of(load, *region), poll.cycle, core_step(load.core, CoreStall::none, load.pc, 1),
               cycle + 1);
  poll = {load.address, load.value, cycle, core.stored, poll.is_poll};
}

// ---- the NoC ----

Chain TilePath::initiator(unsigned core, Cycle cycle) const {
  for (const Initiated& each : std::views::reverse(initiated_))
    if (each.core == core && each.cycle == cycle) return each.chain;
  return {};
}

void TilePath::packet_wrote(std::uint32_t address, std::uint32_t bytes, const Chain& chain) {
  const Region* const region = region_at(static_cast<unsigned>(tile::CoreId::brisc), address);
  if (region == nullptr) return;
  if (region->kind == Region::Kind::l1) return written(address, bytes, chain);
  outside_ = chain;
  registers_[address] = chain;
}

// ---- others ----

void TilePath::released(const event::Released& released, Cycle cycle) {
  const Chain by = released.by < tile::core_count ? cores_[released.by].landed : outside_;  // told right before
  for (unsigned core = 0; core < tile::core_count; ++core) {
    if ((released.cores >> core & 1U) == 0 || core == released.by) continue;
    go_to(core, cycle + 1);
    cores_[core].is_parked = false;
    cores_[core].last_pc = 1;
    go_on_from(core, by, 0, core_step(core, CoreStall::in_reset, 0), cycle + 1);
  }
}

/// The Scalar Unit's writes to L1 are polled.
void TilePath::touched(const event::Event& event, const event::Touched& touched) {
  if (touched.by != event::Touched::By::scalar_unit) return;
  const Issue* const issue = threads_[touched.thread].issues.at(touched.accepted);
  if (issue == nullptr) return;
  for (const event::Access& access : event.accesses)
    if (access.resource == event::Resource::l1 && access.write)
      written(access.first, access.count,
              in_unit(*issue, touched.thread, tensix::Occupancy::scalar_memory, Chain(), event.cycle() + 1));
}

void TilePath::moved(const event::Moved& moved, Cycle) {
  if (moved.by == event::Moved::By::scalar_unit && moved.is_store)
    registers_[moved.address] = threads_[moved.who].chain;
}

}  // namespace tensim::insight
