// The race check of a tile: what cores do, and what they learn.
#include <algorithm>
#include <utility>

#include "arch/address_map.hpp"
#include "arch/fixed_list.hpp"
#include "insight/tile_races.hpp"
#include "isa/table.hpp"
#include "tensix/registers/config.hpp"

namespace tensim::insight {

using namespace isa::literals;
using event::Access;
using event::Resource;

namespace {

constexpr std::uint32_t mop_config_words = tensix::MopExpander::config_words;

CoreLane lane_of_region(Region::Kind kind) {
  switch (kind) {
    case Region::Kind::l1: return CoreLane::l1;
    case Region::Kind::instruction_buffer_own:
    case Region::Kind::instruction_buffer_brisc: return CoreLane::push;
    case Region::Kind::mop_config: return CoreLane::mop_config;
    case Region::Kind::config: return CoreLane::config;
    case Region::Kind::gprs_all:
    case Region::Kind::gprs_own: return CoreLane::gpr;
    case Region::Kind::tdma_risc: return CoreLane::tdma;
    case Region::Kind::semaphores:
    case Region::Kind::pc_buffer_brisc:
    case Region::Kind::pc_buffer_own:
    case Region::Kind::tt_sync: return CoreLane::semaphores;
    case Region::Kind::mailbox: return CoreLane::mailbox;
    case Region::Kind::noc_overlay: return CoreLane::stream;
    case Region::Kind::noc_niu: return CoreLane::niu;
    default: return CoreLane::other;
  }
}

/// The state behind a window, if it is any that instructions use, too.
FixedList<Access, 2> state_at(Arch arch, unsigned core, const Region& region, std::uint32_t address, unsigned bytes,
                              bool write) {
  FixedList<Access, 2> state;
  const auto add = [&](Resource resource, unsigned owner, std::uint32_t first, std::uint32_t count = 1) {
    (void)state.push_back({resource, static_cast<std::uint8_t>(owner), write, first, count});
  };
  const std::uint32_t offset = address - region.base;
  const auto word = static_cast<unsigned>(offset / 4);
  switch (region.kind) {
    case Region::Kind::l1: add(Resource::l1, 0, address, bytes); break;
    case Region::Kind::mop_config: add(Resource::mop_config, core - 1, word); break;
    case Region::Kind::gprs_own: add(Resource::gpr, core - 1, word % tensix::gprs_per_thread * 2, 2); break;
    case Region::Kind::gprs_all:
      add(Resource::gpr, word / tensix::gprs_per_thread, word % tensix::gprs_per_thread * 2, 2);
      break;
    case Region::Kind::config: {
      using Space = tensix::ConfigLocation::Space;
      const auto place = tensix::locate_config(arch, offset);
      if (!place || (place->space != Space::config && place->space != Space::dual_write)) break;
      const bool is_shared = place->word >= tensix::config_global_base(arch);
      add(Resource::config, is_shared ? 0 : place->index, place->word);
      if (place->space == Space::dual_write && write && !is_shared) add(Resource::config, 1, place->word);
      break;
    }
    default: break;
  }
  return state;
}

}  // namespace

std::shared_ptr<const Snapshot> TileRaces::snapshot_of(const Core& core) {
  return std::make_shared<const Snapshot>(core.actor.release());
}

void TileRaces::access_of_core(const event::Event& event, Core& core, CoreLane lane, const Site& site,
                               std::span<const Access> accesses) {
  const auto which = static_cast<unsigned>(lane);
  const std::uint32_t number = core.actor.issue(which);
  const Lane own = lane_of(core.actor.number(), which);
  context_.times.begin(own, number);
  const Current current{core.actor, own, number, context_.races.site(site), event.cycle(), 0};
  for (const Access& access : accesses)
    state_.touch(current, access, Span::until_done);
  if (site.kind != Site::Kind::load) {
    core.not_landed[which].push_back(number);
    return;
  }
  core.actor.prove_done(own, number);  // a load is over when it is answered
  context_.times.end(own, number, event.cycle());
}

// ---- stores ----

void TileRaces::stored(const event::Event& event, const event::Stored& store) {
  Core& core = cores_[store.core];
  const Region* const region = region_at(store.core, store.address);
  if (region == nullptr) return;
  const CoreLane lane = lane_of_region(region->kind);
  if (lane == CoreLane::push) return pushed(event, store, *region);
  const Site site{core.actor.number(), Site::Kind::store, false, 0, store.pc / 4};
  const bool waits = (lane == CoreLane::config || lane == CoreLane::gpr) && has_auto_ttsync(store.core);
  if (waits) {  // for instructions that were pushed before it: landed() looks
    const std::uint32_t number = core.actor.issue(static_cast<unsigned>(lane));
    core.waiting.push_back({store.address, context_.races.site(site), number, snapshot_of(core)});
    return;
  }
  FixedList<Access, 2> state;
  for (Access access : state_at(arch_, store.core, *region, store.address, store.bytes, true)) {
    if (access.resource == Resource::config && store.bytes == 4)
      if (const auto now = tensix::config_word(config_, arch_, access.owner, access.first))
        access.changed = *now ^ store.value;
    (void)state.push_back(access);
  }
  access_of_core(event, core, lane, site, {state.begin(), state.end()});
  if (lane == CoreLane::l1) {
    flags_.stored(store.core, core.actor, store.address, store.bytes);
    return;
  }
  if (lane == CoreLane::mailbox || lane == CoreLane::semaphores || lane == CoreLane::stream || lane == CoreLane::niu)
    core.said.push_back({store.address, snapshot_of(core)});
}

/// Words for a thread. A MOP is expanded some time later, with MopCfg as it is then.
void TileRaces::pushed(const event::Event& event, const event::Stored& store, const Region& region) {
  Core& core = cores_[store.core];
  const bool from_brisc = region.kind == Region::Kind::instruction_buffer_brisc;
  const unsigned number = from_brisc ? region.index : store.core - 1U;
  Thread& thread = threads_[number];
  core.actor.issue(static_cast<unsigned>(CoreLane::push));
  const std::shared_ptr<const Snapshot> snapshot = snapshot_of(core);
  for (unsigned i = 0; i < store.count; ++i) {
    std::uint8_t& pushed = thread.pushed[from_brisc ? 1 : 0];
    const std::uint32_t origin = store.pc / 4 + i;
    thread.pushes[from_brisc ? 1 : 0].push_back(
        {static_cast<std::uint8_t>(pushed++ % tensix::Entry::push_numbers), origin, snapshot});
    if (isa::opcode_of(store.word(i)) != "MOP"_op || from_brisc) continue;
    const Lane lane = lane_of(thread.actor.number(), frontend_lane);
    const std::uint32_t mop = thread.actor.issue(frontend_lane);
    context_.times.begin(lane, mop);
    const Current current{
        core.actor,    lane,
        mop,           context_.races.site({thread.actor.number(), Site::Kind::mop, false, store.word(i), origin}),
        event.cycle(), 0};
    state_.touch(current, {Resource::mop_config, static_cast<std::uint8_t>(number), false, 0, mop_config_words},
                 Span::until_done);
  }
}

/// The first of the core's stores to this address that has not landed.
std::shared_ptr<const Snapshot> TileRaces::take_said(Core& core, std::uint32_t address) {
  const auto found = std::ranges::find(core.said, address, &Core::Said::address);
  if (found == core.said.end()) return snapshot_of(core);
  std::shared_ptr<const Snapshot> snapshot = std::move(found->snapshot);
  core.said.erase(found);
  return snapshot;
}

bool TileRaces::has_auto_ttsync(unsigned core) const {
  return tile::is_trisc(static_cast<tile::CoreId>(core)) && threads_[core - 1].has_auto_ttsync;
}

/// Auto TTSync: what the core had pushed before the store has been issued when it lands.
void TileRaces::landed_behind_instructions(const event::Event& event, const event::Landed& landed,
                                           const Region& region) {
  Core& core = cores_[landed.core];
  const auto found = std::ranges::find(core.waiting, landed.address, &Core::Waiting::address);
  if (found == core.waiting.end()) return;
  Actor actor(*found->snapshot);
  actor.acquire(threads_[landed.core - 1U].actor.release());
  const Lane lane = lane_of(actor.number(), static_cast<unsigned>(lane_of_region(region.kind)));
  context_.times.begin(lane, found->number);
  const Current current{actor, lane, found->number, found->site, event.cycle(), 0};
  for (const Access& access : state_at(arch_, landed.core, region, landed.address, 4, true))
    state_.touch(current, access, Span::until_done);
  core.waiting.erase(found);
}

void TileRaces::landed(const event::Event& event, const event::Landed& landed) {
  Core& core = cores_[landed.core];
  const Region* const region = region_at(landed.core, landed.address);
  if (region == nullptr) return;
  end_stores(core, lane_of_region(region->kind), landed.count, event.cycle());
  switch (region->kind) {
    case Region::Kind::l1: return flags_.landed(landed.core, landed.count);
    case Region::Kind::config:
    case Region::Kind::gprs_own: return landed_behind_instructions(event, landed, *region);
    case Region::Kind::mailbox:
      mailboxes_[{landed.core, region->index}].push_back(*take_said(core, landed.address));
      return;
    case Region::Kind::pc_buffer_brisc: pc_buffers_[region->index].push_back(*take_said(core, landed.address)); return;
    case Region::Kind::noc_overlay: streams_[landed.address] = *take_said(core, landed.address); return;
    case Region::Kind::noc_niu: niu_stored(landed.core, landed.address, landed.value, event); return;
    default: return;
  }
}

/// The oldest `count` that were under way on the lane.
void TileRaces::end_stores(Core& core, CoreLane lane, unsigned count, std::uint64_t cycle) {
  const auto which = static_cast<unsigned>(lane);
  auto& numbers = core.not_landed[which];
  for (unsigned i = 0; i < count && !numbers.empty(); ++i) {
    context_.times.end(lane_of(core.actor.number(), which), numbers.front(), cycle);
    numbers.pop_front();
  }
}

void TileRaces::semaphore_stored(const event::SemaphoreStored& stored) {
  Core& core = cores_[stored.core];
  const std::uint32_t address = region_of(arch_, Region::Kind::semaphores).base + 4U * stored.semaphore;
  const std::shared_ptr<const Snapshot> snapshot = take_said(core, address);
  const auto which = static_cast<unsigned>(CoreLane::semaphores);
  change_semaphore(stored.semaphore, stored.decrements, Actor(*snapshot), lane_of(core.actor.number(), which),
                   snapshot->issued[which]);
}

// ---- loads ----

/// All that the thread has issued is done.
TileRaces::Brought TileRaces::whole_thread(unsigned thread) const {
  const Actor& actor = threads_[thread].actor;
  Brought brought{.behind = {actor.release()}};
  for (unsigned which = 0; which < lanes_per_actor; ++which)
    brought.done.emplace_back(lane_of(actor.number(), which), actor.issued(which));
  return brought;
}

bool TileRaces::polls(unsigned core, std::uint32_t pc) {
  if (!is_poll_) return false;
  const auto [known, is_new] = polls_.try_emplace({core, pc}, false);
  if (is_new) known->second = is_poll_(core, pc);
  return known->second;
}

void TileRaces::loaded(const event::Event& event, const event::Loaded& load) {
  Core& core = cores_[load.core];
  const Region* const region = region_at(load.core, load.address);
  if (region == nullptr) return;
  const CoreLane lane = lane_of_region(region->kind);
  const auto which = static_cast<unsigned>(lane);
  Brought brought;
  const bool is_poll = region->kind == Region::Kind::l1 && polls(load.core, load.pc);
  const bool is_dropped = load.to == 0;  // some compilers load back what was stored, to x0
  if (!is_poll && !is_dropped) {
    const Site site{core.actor.number(), Site::Kind::load, false, 0, load.pc / 4};
    const auto state = state_at(arch_, load.core, *region, load.address, load.bytes, false);
    access_of_core(event, core, lane, site, {state.begin(), state.end()});
  }
  // Earlier stores of the core to the same region have landed (rule 22).
  brought.done.emplace_back(lane_of(core.actor.number(), which), core.actor.issued(which));
  switch (region->kind) {
    case Region::Kind::l1:
      if (is_poll) add_flags(brought, load.address, load.bytes, load.core);
      break;
    case Region::Kind::noc_niu: niu_loaded(*region, load, brought); break;
    case Region::Kind::semaphores:
      brought.behind = semaphores_[(load.address - region->base) / 4 % semaphores_.size()].was(
          core.actor, static_cast<int>(load.value));
      break;
    case Region::Kind::mailbox:
      if (auto& waiting = mailboxes_[{region->index, load.core}]; (load.address & 4U) == 0 && !waiting.empty()) {
        brought.behind.push_back(waiting.front());
        waiting.pop_front();
      }
      break;
    case Region::Kind::pc_buffer_own:
      if (auto& waiting = pc_buffers_[load.core - 1U]; !waiting.empty()) {
        brought.behind.push_back(waiting.front());
        waiting.pop_front();
      }
      break;
    case Region::Kind::pc_buffer_brisc:
      brought = whole_thread(region->index);
      brought.behind.push_back(cores_[region->index + 1U].actor.release());
      break;
    case Region::Kind::tt_sync:
      if ((load.address & 0x1CU) == 4)
        brought = whole_thread(load.core - 1U);
      else  // mop_sync
        brought.done.emplace_back(lane_of(thread_actor(load.core - 1U), frontend_lane),
                                  threads_[load.core - 1U].actor.issued(frontend_lane));
      break;
    case Region::Kind::noc_overlay:
      if (const auto stream = streams_.find(load.address); stream != streams_.end())
        add_counter(brought, stream->second);
      break;
    default: break;
  }
  if (is_dropped) return;
  if (lane != CoreLane::l1) add_answered(core.actor, brought);
  core.loads[load.to] = std::move(brought);
}

/// What was stored before the load has had the time that its answer took (rule 23b).
void TileRaces::add_answered(const Actor& core, Brought& brought) {
  const auto add = [&](CoreLane stores, CoreLane answered) {
    brought.done.emplace_back(lane_of(core.number(), static_cast<unsigned>(answered)),
                              core.issued(static_cast<unsigned>(stores)));
  };
  add(CoreLane::config, CoreLane::config_answered);
  add(CoreLane::gpr, CoreLane::gpr_answered);
}

/// Somebody has seen a word of L1 that was written: what the core that wrote it stored to L1 before is there, too (rule 22).
void TileRaces::add_flag(Brought& brought, const Snapshot& writer, bool is_of_packet) {
  brought.behind.push_back(writer);
  if (is_of_packet || is_thread(writer.actor)) return;
  const auto l1 = static_cast<unsigned>(CoreLane::l1);
  brought.done.emplace_back(lane_of(writer.actor, l1), writer.issued[l1]);
}

/// Somebody has seen a counter of a circular buffer: what a core of the tile stored to L1 before it, is there (rule 25a).
void TileRaces::add_counter(Brought& brought, const Snapshot& writer) const {
  brought.behind.push_back(writer);
  const bool is_own_core = !is_thread(writer.actor) && writer.actor / actors_per_tile == number_;
  if (!is_own_core || context_.ordered_by("25a"_rule)) return;
  const auto l1 = static_cast<unsigned>(CoreLane::l1);
  brought.done.emplace_back(lane_of(writer.actor, l1), writer.issued[l1]);
}

/// Bytes of a word may be several writers'. A core that reads what it has stored itself learns that it is there.
void TileRaces::add_flags(Brought& brought, std::uint32_t address, std::uint32_t bytes, unsigned reader) {
  L1Flag last;
  for (std::uint32_t at = address; at < address + bytes; ++at) {
    L1Flag seen = flags_.at(at);
    if (seen == last) continue;
    last = std::move(seen);
    if (last.core != L1Flag::no_core && last.core == reader)
      brought.done.emplace_back(lane_of(core_actor(reader), static_cast<unsigned>(CoreLane::l1)), last.number);
    else if (const auto writer = flags_.snapshot_of(last))
      add_flag(brought, *writer, last.is_of_packet);
  }
}

void TileRaces::learn(Actor& actor, const Brought& brought) {
  for (const Snapshot& each : brought.behind)
    actor.acquire(each);
  for (const auto& [lane, number] : brought.done)
    actor.prove_done(lane, number);
}

void TileRaces::used(const event::Used& used) {
  Core& core = cores_[used.core];
  const auto found = core.loads.find(used.reg);
  if (found == core.loads.end()) return;
  learn(core.actor, found->second);
  core.loads.erase(found);
}

/// An atomic acquires what was written, and releases: it is never raced on.
void TileRaces::updated(const event::Event&, const event::Updated& update) {
  Core& core = cores_[update.core];
  core.actor.issue(static_cast<unsigned>(CoreLane::l1));
  core.loads.erase(update.to);
  Brought brought;
  add_flags(brought, update.address, 4, update.core);
  learn(core.actor, brought);
  flags_.updated(update.core, core.actor, update.address);
}

/// A core that is let go finds all that was done before (rule 27).
void TileRaces::released(const event::Released& released) {
  if (released.by >= tile::core_count) return released_from_outside(released);
  const Actor& by = cores_[released.by].actor;
  for (unsigned core = 0; core < tile::core_count; ++core) {
    if ((released.cores >> core & 1U) == 0 || core == released.by) continue;
    cores_[core].actor.acquire(by.release());
    for (unsigned which = 0; which < lanes_per_actor; ++which)
      cores_[core].actor.prove_done(lane_of(by.number(), which), by.issued(which));
  }
}

}  // namespace tensim::insight
