// Part of engine.hpp: loads, stores, atomics and fences.
#pragma once

#include "riscv/engine.hpp"

namespace tensim::riscv {

/// Rounds a misaligned address down where the chip does; false if the access stops the core instead.
template <class Bus>
bool Engine<Bus>::align(std::uint32_t& address, unsigned bytes, bool is_store) {
  if (address % bytes == 0) return true;
  if (!timing_.rounds_addresses_down) return stop_at_access(address, bytes, is_store, Bus::misaligned);
  bus_.report(core_, {CoreReport::Category::rounded_down, core_.clock, core_.pc, address, 0, 0});
  address &= ~(bytes - 1);
  return true;
}

template <class Bus>
bool Engine<Bus>::stop_at_access(std::uint32_t address, unsigned bytes, bool is_store, tile::AccessFault fault) {
  stop(CoreStop::Reason::access);
  core_.stop->address = address;
  core_.stop->size_bytes = static_cast<std::uint8_t>(bytes);
  core_.stop->is_store = is_store;
  core_.stop->access_fault = fault;
  return false;
}

template <class Bus>
std::uint32_t Engine<Bus>::read_l1(std::uint32_t address, unsigned bytes) const {
  std::uint32_t value = 0;
  if (bytes == sizeof value)
    std::memcpy(&value, bus_.l1() + address, sizeof value);  // by far the most
  else
    std::memcpy(&value, bus_.l1() + address, bytes);
  return value;
}

template <class Bus>
void Engine<Bus>::write_loaded(const Instruction& in, std::uint32_t raw, Cycle ready) {
  if (kind(in.op) == Kind::float_load) {
    core_.f[in.rd] = loaded(in.op, raw);
    mark_pending_f(in.rd, ready);
  } else {
    write_x(in.rd, loaded(in.op, raw));
    mark_pending_x(in.rd, ready);
  }
}

template <class Bus>
void Engine<Bus>::finish_load(const Instruction& in, std::uint32_t raw, std::uint32_t address, Cycle latency) {
  const Cycle ready = core_.clock + latency;
  write_loaded(in, raw, ready);
  core_.loads_back = std::max(core_.loads_back, ready);
  core_.loads.retire(core_.clock);
  if (latency > LoadQueue::capacity)  // else it is back before the queue can be full behind it
    core_.loads.push(
        {.number = core_.entered(), .ready = ready, .op = in.op, .rd = in.rd, .address = address, .pc = core_.pc});
  retire_at_once(core_.pc + 4);
}

/// The core waits until the oldest store has left.
template <class Bus>
void Engine<Bus>::wait_for_drain(CoreStall reason) {
  if (core_.stores.front().target == Target::local) {
    core_.stall(reason, core_.stores.next_drain() + 1);
    core_.stores.pass_local(core_.clock);
    return;
  }
  core_.status = Core::Status::waits_for_drain;
  core_.waiting = reason;
}

template <class Bus>
bool Engine<Bus>::load(const Instruction& in) {
  std::uint32_t address = core_.x[in.rs1] + static_cast<std::uint32_t>(in.imm);
  const unsigned bytes = access_bytes(in.op);
  if (address % bytes != 0 && !align(address, bytes, false)) return false;
  if (address - local_ram_base < core_.local_bytes) return load_local(in, address, bytes);
  pass_left(core_.clock);
  const bool waits_for_stores =
      core_.stores.overlaps(address, bytes) || (!core_.stores.empty() && (core_.csrs.config & cfg0::DisLdBufByp) != 0);
  if (waits_for_stores) {
    wait_for_drain(CoreStall::store_queue);
    return true;
  }
  if (core_.csrs.ordering != 0 && !drained_and_answered(CoreStall::barrier)) return true;
  return address < bus_.l1_bytes() ? load_l1(in, address, bytes) : load_device(in, address, bytes);
}

/// Out of reset the RAM clears itself, a word a cycle; accesses wait for the end of it.
template <class Bus>
bool Engine<Bus>::local_ram_is_cleared() {
  if (core_.clock >= core_.local_ready) return true;
  core_.stall(CoreStall::local_clear, core_.local_ready);
  return false;
}

template <class Bus>
bool Engine<Bus>::load_local(const Instruction& in, std::uint32_t address, unsigned bytes) {
  if (!local_ram_is_cleared()) return true;
  std::uint32_t value = 0;
  std::memcpy(&value, core_.local_ram.data() + (address - local_ram_base), bytes);
  finish_load(in, value, address, timing_.load_local);
  return true;
}

template <class Bus>
[[gnu::always_inline]] inline void Engine<Bus>::count_l0_hit() {
  const bool flushes_by_itself = (core_.csrs.config & cfg0::DisLowCachePeriodicFlush) == 0;
  if (!flushes_by_itself) does_not_recur();  // the line is in no record: nobody would see it go stale
  core_.l0.count_hit(flushes_by_itself);
}

/// What a line of the L0 data cache holds; the hit may flush the cache.
template <class Bus>
std::uint32_t Engine<Bus>::hit_l0(const L0Cache::Line& line, std::uint32_t address, unsigned bytes, Place place) {
  const std::uint32_t word = L0Cache::word(line, address);
  const std::uint32_t word_there = read_l1(address & ~3U, 4);
  const std::uint32_t mask = ~0U >> (32 - 8 * bytes);
  const std::uint32_t in_word = 8 * (address & 3U);
  const std::uint32_t value = word >> in_word & mask;
  if (word != word_there) {
    const std::uint32_t there = word_there >> in_word & mask;
    if (value != there && !continue_replay(place.now))
      bus_.report(core_, {CoreReport::Category::stale_read, place.now, place.pc, address, value, there});
  }
  count_l0_hit();
  return value;
}

/// The word from L1 itself, or, for a core that has just been woken, from the record of its loop.
template <class Bus>
std::uint32_t Engine<Bus>::miss_l0(std::uint32_t address, unsigned bytes, Place place, bool is_cached) {
  RecordedLoad load{.address = address, .value = 0, .size_bytes = static_cast<std::uint8_t>(bytes), .is_l1 = true};
  if (continue_replay(place.now)) {
    load = replayed();
  } else {
    load.value = read_l1(address, bytes);
    if (is_cached) {
      const std::uint32_t first = address & ~(L0Cache::line_bytes - 1);
      std::memcpy(load.line.data(), bus_.l1() + first, L0Cache::line_bytes);
      load.size_bytes = L0Cache::line_bytes;
    }
    load.offset = static_cast<std::uint32_t>(place.now - core_.spin.at);
    remember(load);
  }
  bus_.takes_port(core_, place.now);
  if (is_cached) core_.l0.fill(address, load.line.data(), core_.stores.bytes_to_come(address), place.now);
  return load.value;
}

template <class Bus>
bool Engine<Bus>::load_l1(const Instruction& in, std::uint32_t address, unsigned bytes) {
  const bool is_cached = timing_.has_l0 && (core_.csrs.config & cfg0::DisLowCash) == 0;
  const L0Cache::Line* const line = is_cached ? core_.l0.find(address) : nullptr;
  if (const Cycle slot = core_.load_slots.free_from(); line == nullptr && slot > core_.clock) {
    core_.stall(CoreStall::load_slots, slot);
    return true;
  }
  if (!may_read(address, core_.clock) && !continue_replay(core_.clock)) {
    core_.waits_to_read = true;
    return false;
  }
  if (line != nullptr) {
    const std::uint32_t value = hit_l0(*line, address, bytes, here());
    note_load(in, value, address, here());
    finish_load(in, value, address, timing_.load_l0_hit);
    return true;
  }
  const std::uint32_t value = miss_l0(address, bytes, here(), is_cached);
  note_load(in, value, address, here());
  core_.load_slots.take(core_.clock, timing_.load_l1);
  finish_load(in, value, address, timing_.load_l1);
  return true;
}

/// Any access to a device may change when others go on.
template <class Bus>
bool Engine<Bus>::load_device(const Instruction& in, std::uint32_t address, unsigned bytes) {
  if (const Cycle slot = core_.load_slots.free_from(); slot > core_.clock) {
    core_.stall(CoreStall::load_slots, slot);
    return true;
  }
  if (!is_its_turn()) return false;
  if (continue_replay(core_.clock)) {
    const unsigned latency = bus_.load_latency(core_, address);
    core_.load_slots.take(core_.clock, latency);
    const std::uint32_t value = replayed().value;
    note_load(in, value, address, here());
    finish_load(in, value, address, latency);
    return true;
  }
  const auto answer = bus_.load(core_, address, bytes, core_.pc, core_.clock);
  if (Bus::is_fault(answer)) return stop_at_access(address, bytes, false, answer.fault);
  const unsigned latency = bus_.load_latency(core_, address);
  core_.load_slots.take(core_.clock, latency);
  if (answer.is_done()) {
    if (Bus::recurs(answer))
      remember(
          {.address = address, .value = answer.value, .size_bytes = static_cast<std::uint8_t>(bytes), .is_l1 = false});
    else
      does_not_recur();
    note_load(in, answer.value, address, here());
    finish_load(in, answer.value, address, latency);
    return false;
  }
  does_not_recur();
  note_order(here());
  core_.loads.retire(core_.clock);
  core_.loads.push({.number = core_.entered(),
                    .op = in.op,
                    .rd = in.rd,
                    .latency = static_cast<std::uint8_t>(latency),
                    .wait = answer.wait,
                    .address = address,
                    .pc = core_.pc});
  if (kind(in.op) == Kind::float_load)
    mark_pending_f(in.rd, never);
  else
    mark_pending_x(in.rd, never);
  retire_at_once(core_.pc + 4);
  return false;
}

/// Loads of one region are answered in order; those of different regions need not be.
template <class Bus>
void Engine<Bus>::retry_loads(Cycle cycle) {
  core_.retry = never;
  for (unsigned i = 0; i < core_.loads.size(); ++i) {
    LoadInFlight& load = core_.loads[i];
    if (load.is_answered()) continue;
    bool is_behind_another = false;
    for (unsigned j = 0; j < i; ++j)
      if (!core_.loads[j].is_answered() && bus_.are_one_region(core_, core_.loads[j].address, load.address))
        is_behind_another = true;
    if (is_behind_another) continue;
    const auto answer = bus_.load(core_, load.address, access_bytes(load.op), load.pc, cycle);
    load.wait = answer.wait;
    if (!answer.is_done()) continue;
    core_.loads.answer(i, cycle + load.latency - 1U);
    note_late_load(load, answer.value, cycle);
    write_loaded({.op = load.op, .rd = load.rd}, answer.value, load.ready);
    if (core_.status != Core::Status::waits_for_answer) continue;
    core_.status = Core::Status::running;  // in this very cycle: an instruction that comes now would not wait either
    core_.stall(core_.waiting, cycle);
  }
}

/// Whether what has left the queue by `now` has been taken out. While its oldest entry is blocked, anybody may let it go.
template <class Bus>
bool Engine<Bus>::knows_store_queue(Cycle now) {
  ask_port();
  pass_left(now);
  if (core_.stores.is_blocked()) return is_its_turn();
  return now <= core_.stores.next_drain();
}

/// Whether there is room in the queue; if not, the core has been told to wait.
template <class Bus>
[[gnu::always_inline]] inline bool Engine<Bus>::has_room() {
  if (!core_.stores.full()) return true;
  wait_for_drain(CoreStall::store_queue);
  return false;
}

/// The core goes on behind its store; the store takes its own time.
template <class Bus>
[[gnu::always_inline]] inline void Engine<Bus>::leave_to_queue() {
  does_not_recur();
  knows_stores_ = false;
}

/// The port that the oldest store waits for says when it can go at the earliest.
template <class Bus>
void Engine<Bus>::ask_port() {
  if (!std::exchange(knows_port_, true)) core_.stores.wait_for_l1(bus_.port_from(core_));
}

/// Loads up to that cycle come before what the core's own queues do next.
template <class Bus>
Cycle Engine<Bus>::own_until() {
  ask_port();
  if (!std::exchange(knows_stores_, true)) own_until_ = std::min(own_until_, core_.stores.next_shared_drain());
  return own_until_;
}

/// Whether nothing that is still to happen before cycle `now` can change what a load finds at `address` then.
template <class Bus>
bool Engine<Bus>::may_read(std::uint32_t address, Cycle now) {
  if (is_read_ahead(address, now) && core_.stores.bytes_to_come(address) == 0) return true;
  if (now <= own_until()) {
    if (now <= others_until_) return true;
    if (writes_until_ == unknown) writes_until_ = last_load_before(bus_.next_write_of_others(core_));
    if (now <= writes_until_) return true;
  }
  bus_.waits_to_read(core_, address);
  return false;
}

template <class Bus>
bool Engine<Bus>::store(std::uint32_t address, std::uint32_t value, unsigned bytes) {
  if (address % bytes != 0 && !align(address, bytes, true)) return false;
  if (core_.csrs.ordering != 0 && !drained_and_answered(CoreStall::barrier)) return true;
  if (!knows_store_queue(core_.clock)) return false;
  bool is_done = false;
  if (address < bus_.l1_bytes())
    is_done = store_l1(address, value, bytes, here(), core_.stores.can_merge(address));
  else if (address - local_ram_base < core_.local_bytes)
    is_done = local_ram_is_cleared() && store_local(address, value, bytes, here());
  else if (pushes_to_coprocessor(address, bytes))
    is_done = store_word_of_tensix(address, value, here());
  else
    is_done = store_device(address, value, bytes, here());
  if (!is_done) return true;
  note_store(address, value, bytes, here());
  leave_to_queue();
  retire_at_once(core_.pc + 4);
  return true;
}

template <class Bus>
bool Engine<Bus>::store_device(std::uint32_t address, std::uint32_t value, unsigned bytes, Place place) {
  if (!has_room()) return false;
  QueuedStore& store = core_.stores.push_device(address, bytes, place.now + 1);
  store.value = value;
  store.pc = place.pc;
  return true;
}

/// A word for the coprocessor that is stored like any other.
template <class Bus>
[[gnu::always_inline]] inline bool Engine<Bus>::store_word_of_tensix(std::uint32_t address, std::uint32_t value,
                                                                     Place place) {
  if (!has_room()) return false;
  core_.stores.push_words(address, 1, place.pc, place.now, [value](unsigned) { return value; });
  return true;
}

/// The value is there at once; behind other stores it takes its place in the queue all the same.
template <class Bus>
[[gnu::always_inline]] inline bool Engine<Bus>::store_local(std::uint32_t address, std::uint32_t value, unsigned bytes,
                                                            Place place) {
  if (!core_.stores.empty()) {
    if (!has_room()) return false;
    core_.stores.push_local(place.now + 1);
  }
  std::memcpy(core_.local_ram.data() + (address - local_ram_base), &value, bytes);
  return true;
}

/// False if the core has been told to wait. `may_merge`: the youngest entry could take it.
template <class Bus>
[[gnu::always_inline]] inline bool Engine<Bus>::store_l1(std::uint32_t address, std::uint32_t value, unsigned bytes,
                                                         Place place, bool may_merge) {
  const std::uint32_t config = core_.csrs.config;
  const bool merges = timing_.merges_stores && (config & cfg0::DisStMerge) == 0;
  if (may_merge && merges) {
    core_.stores.merge(address, value, bytes);
  } else {
    if (!has_room()) return false;
    const Cycle timer = merges ? config >> cfg0::StMergeTimer_shift & cfg0::StMergeTimer_mask : 0;
    core_.stores.push_block(QueuedStore::block_of(address), place.pc, place.now + 1, timer)
        .add_bytes(address, value, bytes);
    if constexpr (Bus::is_observed) core_.stores.start_count();
  }
  if constexpr (Bus::is_observed) core_.stores.count_merged();
  if (timing_.has_l0) core_.l0.flush_line(address);
  return true;
}

/// Blackhole's T cores, unless cfg0 forbids it.
template <class Bus>
bool Engine<Bus>::fuses_pushes() const {
  return timing_.fuses_pushes && is_t_core() && (core_.csrs.config & cfg0::DisTriscCache) == 0;
}

/// How many `.ttinsn` at `first`, the instruction at `pc`, are stored at once.
template <class Bus>
[[gnu::always_inline]] inline unsigned Engine<Bus>::fused_pushes(const Decoded* first, std::uint32_t pc) const {
  if (!fuses_pushes()) return 1;
  const unsigned left = InstructionCache::words_per_line - pc / 4 % InstructionCache::words_per_line;
  unsigned count = 1;
  while (count < left && first[count].kind == Kind::ttinsn)
    ++count;
  return count;
}

/// There is room.
template <class Bus>
[[gnu::always_inline]] inline void Engine<Bus>::enqueue_push(const Decoded* first, unsigned count, Place place) {
  core_.stores.push_words(timing_.instruction_buffer, count, place.pc, place.now,
                          [first](unsigned i) { return static_cast<std::uint32_t>(first[i].instruction.imm); });
  note_push(first, count, place);
  leave_to_queue();
}

/// Words leave the queue ahead of their turn where the FIFO is sure to have room for them (tile/words_ahead.hpp). The
/// coprocessor may do something in the cycle after.
template <class Bus>
[[gnu::noinline]] void Engine<Bus>::push_ahead(Cycle now) {
  if (core_.stores.is_blocked()) return;
  if (!knows_room_) room_ahead_ = bus_.room_ahead(core_);
  knows_room_ = true;
  const Cycle end = std::min(now, bus_.window());
  while (core_.stores.front_is_push() && room_ahead_ > 0) {
    const QueuedStore& words = core_.stores.front();
    const Cycle leaves = core_.stores.front_from();
    if (leaves >= end) return;
    bus_.push_ahead(core_, words, leaves);
    room_ahead_ -= words.size_bytes / 4;
    core_.stores.pop(leaves, 1);
    core_.stores.pass_local(now);
    others_until_ = std::min(others_until_, leaves + 1);
    if (writes_until_ != unknown) writes_until_ = std::min(writes_until_, leaves + 1);
    own_until_ = core_.retry;
    knows_stores_ = false;
  }
}

/// A core whose queue was full of words, and whose FIFO is: it goes on with `.ttinsn` until the queue is full again. True
/// if that is all it can do now.
template <class Bus>
bool Engine<Bus>::refill_queue() {
  if (core_.csrs.ordering != 0 || core_.loads.limit() - core_.entered() < StoreQueue::capacity) return false;
  const Decoded* next = core_.icache.find(core_.pc);
  note_wait();
  while (next != nullptr && next->kind == Kind::ttinsn && core_.clock < horizon_) {
    if (core_.stores.full()) {
      core_.status = Core::Status::waits_for_drain;
      core_.waiting = CoreStall::store_queue;
      return true;
    }
    const unsigned count = fused_pushes(next, core_.pc);
    enqueue_push(next, count, here());
    if (notes_time()) add_span(event::CoreSpan::Kind::executed, CoreStall::none, core_.pc, 1);
    core_.retired += count - 1;
    retire_at_once(core_.pc + 4 * count);
    next = core_.pc % InstructionCache::line_bytes == 0 ? core_.icache.find(core_.pc) : next + count;
  }
  return false;
}

/// `.ttinsn`: a store to the own instruction buffer. The instruction cache fuses neighbours of one line (assumed: of one
/// line) into a single instruction that stores up to four words.
template <class Bus>
bool Engine<Bus>::push_tensix(const Decoded* first) {
  if (core_.csrs.ordering != 0 && !drained_and_answered(CoreStall::barrier)) return true;
  pass_left(core_.clock);
  if (core_.stores.full()) {
    wait_for_drain(CoreStall::store_queue);  // for no time, if the oldest has left by now, which is not known yet
    return true;
  }
  const unsigned count = fused_pushes(first, core_.pc);
  enqueue_push(first, count, here());
  core_.retired += count - 1;
  retire_at_once(core_.pc + 4 * count);
  return true;
}

template <class Bus>
void Engine<Bus>::drain(Cycle cycle) {
  core_.stores.pass_local(cycle);
  const QueuedStore& store = core_.stores.front();
  const auto answer = store.target == Target::tensix
                          ? bus_.push(core_, store, cycle)
                          : bus_.store(core_, store.address, store.value, store.size_bytes, store.pc, cycle);
  if (Bus::is_fault(answer)) {
    core_.pc = store.pc;
    core_.clock = std::max(core_.clock, cycle);
    stop_at_access(store.address, store.size_bytes, true, answer.fault);
    core_.stop->cycle = cycle;  // not where the core has run ahead to
    core_.stores.clear();       // what stands behind it never leaves
    return;
  }
  if (!answer.is_done()) {
    core_.stores.block();  // a core that waits for the queue goes on waiting (assumed: it does not fetch again)
    return;
  }
  core_.store_left(cycle, 1);
}

/// Whether all stores have left and all loads are back; if not, the core has been told to wait.
template <class Bus>
bool Engine<Bus>::drained_and_answered(CoreStall reason) {
  pass_left(core_.clock);
  if (!core_.stores.empty()) {
    wait_for_drain(reason);
    return false;
  }
  if (core_.loads.has_unanswered()) {
    wait_for_answer(reason);
    return false;
  }
  const Cycle ready = std::max(core_.loads.all_ready(), core_.loads_back);
  if (ready <= core_.clock) return true;
  core_.stall(reason, ready);
  return false;
}

template <class Bus>
bool Engine<Bus>::fence() {
  if (timing_.fence_drains) {
    if (!drained_and_answered(CoreStall::barrier)) return true;
    core_.l0.flush();
    if constexpr (Bus::is_observed) note_barrier(here());
  }
  retire_at_once(core_.pc + 4);
  if (timing_.fence_drains) core_.stall(CoreStall::barrier, core_.clock + timing_.csr_barrier - 1U);
  return true;
}

template <class Bus>
bool Engine<Bus>::atomic(const Instruction& in) {
  const std::uint32_t address = core_.x[in.rs1];
  if (address % 4 != 0) return stop_at_access(address, 4, true, Bus::misaligned);
  if (address >= bus_.l1_bytes()) return stop_at_access(address, 4, true, Bus::not_atomic);
  if (!drained_and_answered(CoreStall::barrier)) return true;
  if (!is_its_turn()) return false;
  core_.l0.flush();
  does_not_recur();
  const std::uint32_t old = read_l1(address, 4);
  const std::uint32_t value = amo(in.op, old, core_.x[in.rs2]);
  std::array<std::uint8_t, QueuedStore::block_bytes> bytes{};
  const std::uint32_t at = address % QueuedStore::block_bytes;
  std::memcpy(bytes.data() + at, &value, 4);
  bus_.write_l1(core_, address - at, bytes.data(), static_cast<std::uint16_t>(0xFU << at), core_.clock, Phase::load);
  note_update(in, address, old, value);
  finish_load(in, old, address, timing_.amo_l1);
  return !bus_.disturbed();
}

}  // namespace tensim::riscv
