// Words for the coprocessor. While a thread's FIFO is sure to have room, its T core pushes ahead of everybody (words_ahead.hpp).
// When it is full, the core waits, and the word that leaves lets it go on: nobody else is asked.
#include <algorithm>
#include <bit>
#include <cstring>

#include "tile/core_engine.hpp"
#include "tile/handlers.hpp"
#include "tile/tile.hpp"

namespace tensim::tile {

using riscv::Core;
using time::Phase;

namespace {

std::uint32_t word_of(const riscv::QueuedStore& store, unsigned i) {
  std::uint32_t word = 0;
  std::memcpy(&word, store.bytes.data() + std::size_t{4} * i, sizeof word);
  return word;
}

}  // namespace

/// The coprocessor takes the words that have entered before `cycle`.
void Tile::take_words(Cycle cycle) {
  time_.words_ahead.take(cycle, [this](unsigned thread, const WordAhead& ahead) {
    coprocessor.push(thread, ahead.word, ahead.origin);
    if (time_.device_sleepers != 0) wake_device_sleepers({ahead.cycle, Phase::store, thread + 1});
  });
}

/// Nobody but the core and its thread uses the FIFO, unless Auto TTSync, the debug bus or a script does.
int CoreBus::room_ahead(const riscv::Core& core) const {
  const auto id = static_cast<CoreId>(core.number);
  if (!may_sleep() || !is_trisc(id) || tile.script.is_given()) return 0;
  const unsigned thread = thread_of(id);
  const tensix::Frontend& frontend = tile.coprocessor.frontends[thread];
  if (frontend.auto_ttsync.is_on() || tile.devices.control.debug_bus_has(thread)) return 0;
  return frontend.places() - tile.time_.words_ahead.under_way(thread);
}

void CoreBus::push_ahead(const riscv::Core& core, const riscv::QueuedStore& store, Cycle cycle) {
  const unsigned thread = thread_of(static_cast<CoreId>(core.number));
  for (unsigned i = 0; i < store.size_bytes / 4U; ++i)
    tile.time_.words_ahead.add(thread, {cycle, word_of(store, i), store.pc / 4 + i});
  const Key taken = time::key(cycle + 1, Phase::step, Tile::coprocessor_agent);
  Key& key = tile.time_.keys[Tile::coprocessor_agent];
  key = std::min(key, taken);
  tile.time_.first_of_others = std::min(tile.time_.first_of_others, taken);
}

Answer CoreBus::push(const riscv::Core& core, const riscv::QueuedStore& queued, Cycle cycle) {
  const auto id = static_cast<CoreId>(core.number);
  if (!is_trisc(id)) return store(core, queued.address, word_of(queued, 0), 4, queued.pc, cycle);
  const unsigned thread = thread_of(id);
  tile.look_again_at(1U << Tile::coprocessor_agent);
  tile.catch_up(cycle + 1);
  const Push push = push_of(tile.devices, tile.coprocessor, thread);
  if (push == Push::finds_no_room) {
    if (!tile.script.is_given()) tile.time_.fed = static_cast<std::uint8_t>(tile.time_.fed | 1U << core.number);
    return waits(Wait::push_fifo_full);
  }
  tile.forget_to_feed(core);
  if (push == Push::enters) tile.push_front(core, thread, cycle);
  return done();
}

/// Cores whose words did not find room until now go on, in the cycle that the coprocessor has just made, if that is their
/// turn. What comes of it limits how far it may go on.
Tile::Key Tile::feed(Key limit) {
  for (unsigned left = time_.fed; left != 0; left &= left - 1) {
    const auto number = static_cast<unsigned>(std::countr_zero(left));
    if (coprocessor.can_push(number - 1)) limit = feed(cores[number], limit);
  }
  return limit;
}

[[gnu::noinline]] Tile::Key Tile::feed(Core& core, Key limit) {
  const Cycle cycle = coprocessor.now - 1;
  const unsigned thread = core.number - 1;
  riscv::StoreQueue& stores = core.stores;
  if (stores.front_from() > cycle || time::key(cycle, Phase::store, core.number) > limit) {
    forget_to_feed(core);
    stores.retry(cycle);
    look_again_at(1U << core.number);
    return limit;
  }
  push_front(core, thread, cycle);
  core.store_left(cycle, 1);
  const bool waits_again = stores.front_is_push() && !coprocessor.can_push(thread);
  if (waits_again && core.retry == never) {
    stores.block();
    if (core.status != Core::Status::running || refill_queue(core)) return limit;
  }
  if (!stores.is_blocked()) forget_to_feed(core);
  if (core.status == Core::Status::running && core.clock < std::min(time_.horizon, core.retry))
    run_core(core, time::key(core.clock, Phase::load, core.number),
             std::min(limit, time::key(coprocessor.now, Phase::step, coprocessor_agent)));
  look_up_key(core);
  return std::min({limit, time_.keys[core.number], time_.keys[agent_count + L1Ports::port_of(core.number)]});
}

bool Tile::refill_queue(Core& core) {
  return observes_cores() ? refill_observed(core) : refill_engine(CoreBus{*this}, core, time_.horizon);
}

void Tile::forget_to_feed(const Core& core) {
  time_.fed = static_cast<std::uint8_t>(time_.fed & ~(1U << core.number));
}

/// The words of the core's oldest store enter its thread's FIFO.
void Tile::push_front(const Core& core, unsigned thread, Cycle cycle) {
  const riscv::QueuedStore& store = core.stores.front();
  for (unsigned i = 0; i < store.size_bytes / 4U; ++i)
    coprocessor.push(thread, word_of(store, i), store.pc / 4 + i);
  if (time_.device_sleepers != 0) wake_device_sleepers({cycle, Phase::store, core.number});
}

}  // namespace tensim::tile
