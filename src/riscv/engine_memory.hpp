// Part of engine.hpp: loads, stores, atomics and fences.
#pragma once

#include "riscv/engine.hpp"

namespace tensim::riscv {

/// False: the access stops the core.
template <class Bus>
bool Engine<Bus>::align(std::uint32_t& address, unsigned bytes, bool is_store) {
  if (address % bytes == 0) return true;
  if (!timing_.rounds_addresses_down) return stop_at_access(address, bytes, is_store, Bus::misaligned);
  bus_.report(core_, {CoreReport::Category::rounded_down, core_.clock, core_.pc, address, 0, 0});
  address &= ~(bytes - 1);
  return true;
}

template <class Bus>
bool Engine<Bus>::stop_at_access(std::uint32_t address, unsigned bytes, bool is_store, std::uint8_t fault) {
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
  core_.loads.retire(core_.clock);
  core_.loads.push(
      {.number = core_.retired, .ready = ready, .op = in.op, .rd = in.rd, .address = address, .pc = core_.pc});
  retire_at_once(core_.pc + 4);
}

template <class Bus>
bool Engine<Bus>::load(const Instruction& in) {
  std::uint32_t address = core_.x[in.rs1] + static_cast<std::uint32_t>(in.imm);
  const unsigned bytes = access_bytes(in.op);
  if (address % bytes != 0 && !align(address, bytes, false)) return false;
  if (address - local_ram_base < core_.local_bytes) return load_local(in, address, bytes);
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
bool Engine<Bus>::hit_l0(const Instruction& in, std::uint32_t address, unsigned bytes) {
  const L0Cache::Line* line = core_.l0.find(address);
  if (line == nullptr) return false;
  std::uint32_t value = 0;
  std::memcpy(&value, line->data() + address % L0Cache::line_bytes, bytes);
  const std::uint32_t memory = read_l1(address, bytes);
  if (value != memory && !is_replaying())
    bus_.report(core_, {CoreReport::Category::stale_read, core_.clock, core_.pc, address, value, memory});
  const bool flushes_by_itself = (core_.csrs.config & cfg0::DisLowCachePeriodicFlush) == 0;
  if (!flushes_by_itself) does_not_recur();  // the line is in no record: nobody would see it go stale
  core_.l0.count_hit(flushes_by_itself);
  finish_load(in, value, address, timing_.load_l0_hit);
  return true;
}

template <class Bus>
bool Engine<Bus>::load_l1(const Instruction& in, std::uint32_t address, unsigned bytes) {
  const bool is_cached = timing_.has_l0 && (core_.csrs.config & cfg0::DisLowCash) == 0;
  const Cycle slot = core_.load_slots.free_from();
  const bool hits = is_cached && core_.l0.find(address) != nullptr;
  if (!hits && slot > core_.clock) {
    core_.stall(CoreStall::load_slots, slot);
    return true;
  }
  if (!is_its_turn()) return false;
  if (hits) return hit_l0(in, address, bytes);
  RecordedLoad load{.address = address, .value = 0, .size_bytes = static_cast<std::uint8_t>(bytes), .is_l1 = true};
  if (is_replaying()) {
    load = replayed();
    if (is_cached) core_.l0.fill(address, load.line.data());
  } else {
    load.value = read_l1(address, bytes);
    if (is_cached) {
      const std::uint32_t first = address & ~(L0Cache::line_bytes - 1);
      std::memcpy(load.line.data(), bus_.l1() + first, L0Cache::line_bytes);
      core_.l0.fill(address, load.line.data());
      load.size_bytes = L0Cache::line_bytes;
    }
    remember(load);
  }
  core_.load_slots.take(core_.clock, timing_.load_l1);
  finish_load(in, load.value, address, timing_.load_l1);
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
  if (is_replaying()) {
    const unsigned latency = bus_.load_latency(core_, address);
    core_.load_slots.take(core_.clock, latency);
    finish_load(in, replayed().value, address, latency);
    return true;
  }
  const auto answer = bus_.load(core_, address, bytes, core_.pc, core_.clock);
  if (Bus::is_fault(answer)) return stop_at_access(address, bytes, false, static_cast<std::uint8_t>(answer.fault));
  const unsigned latency = bus_.load_latency(core_, address);
  core_.load_slots.take(core_.clock, latency);
  if (answer.is_done()) {
    if (Bus::recurs(answer))
      remember(
          {.address = address, .value = answer.value, .size_bytes = static_cast<std::uint8_t>(bytes), .is_l1 = false});
    else
      does_not_recur();
    finish_load(in, answer.value, address, latency);
    return false;
  }
  does_not_recur();
  core_.loads.retire(core_.clock);
  core_.loads.push({.number = core_.retired,
                    .op = in.op,
                    .rd = in.rd,
                    .latency = static_cast<std::uint8_t>(latency),
                    .wait = static_cast<std::uint8_t>(answer.wait),
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
    load.wait = static_cast<std::uint8_t>(answer.wait);
    if (!answer.is_done()) continue;
    load.ready = cycle + load.latency - 1U;
    write_loaded({.op = load.op, .rd = load.rd}, answer.value, load.ready);
    if (core_.status != Core::Status::waits_for_answer) continue;
    core_.status = Core::Status::running;  // in this very cycle: an instruction that comes now would not wait either
    core_.stall(core_.waiting, cycle);
  }
}

/// Whether what has left the queue by now has been taken out. While its oldest entry is blocked, anybody may let it go.
template <class Bus>
bool Engine<Bus>::knows_store_queue() {
  if (core_.stores.is_blocked()) return is_its_turn();
  return core_.clock <= core_.stores.next_drain();
}

/// Puts a store into the queue; false if it has to wait for a place.
template <class Bus>
bool Engine<Bus>::enqueue(const QueuedStore& store) {
  if (core_.stores.full()) {
    wait_for_drain(CoreStall::store_queue);
    return false;
  }
  core_.stores.close(core_.clock + 1);
  core_.stores.push(store);
  return true;
}

/// The core goes on behind its store; the store takes its own time.
template <class Bus>
void Engine<Bus>::leave_to_queue(unsigned instructions) {
  does_not_recur();
  limit_ = std::min(limit_, key(core_.stores.next_drain(), Phase::store, core_.number));
  core_.retired += instructions - 1;
  retire_at_once(core_.pc + 4 * instructions);
}

template <class Bus>
bool Engine<Bus>::store(std::uint32_t address, std::uint32_t value, unsigned bytes) {
  if (address % bytes != 0 && !align(address, bytes, true)) return false;
  if (core_.csrs.ordering != 0 && !drained_and_answered(CoreStall::barrier)) return true;
  if (!knows_store_queue()) return false;
  if (address < bus_.l1_bytes()) return store_l1(address, value, bytes);
  QueuedStore queued{.target = Target::device,
                     .size_bytes = static_cast<std::uint8_t>(bytes),
                     .address = address,
                     .value = value,
                     .pc = core_.pc,
                     .earliest = core_.clock + 1};
  if (address - local_ram_base < core_.local_bytes) {
    if (!local_ram_is_cleared()) return true;
    std::memcpy(core_.local_ram.data() + (address - local_ram_base), &value, bytes);
    if (core_.stores.empty()) {
      does_not_recur();
      retire_at_once(core_.pc + 4);
      return true;
    }
    queued.target = Target::local;
  }
  if (enqueue(queued)) leave_to_queue(1);
  return true;
}

template <class Bus>
bool Engine<Bus>::store_l1(std::uint32_t address, std::uint32_t value, unsigned bytes) {
  const std::uint32_t config = core_.csrs.config;
  const bool merges = timing_.merges_stores && (config & cfg0::DisStMerge) == 0;
  const Cycle enters = core_.clock + 1;
  const Cycle closes = merges ? enters + (config >> cfg0::StMergeTimer_shift & cfg0::StMergeTimer_mask) : enters;
  if (!merges || !core_.stores.merge(address, value, bytes, closes)) {
    QueuedStore queued{.target = Target::l1,
                       .size_bytes = static_cast<std::uint8_t>(bytes),
                       .address = address & ~(QueuedStore::block_bytes - 1),
                       .value = value,
                       .pc = core_.pc,
                       .earliest = closes};
    queued.add_bytes(address, value, bytes);
    if (!enqueue(queued)) return true;
  }
  if (timing_.has_l0) core_.l0.flush_line(address);
  leave_to_queue(1);
  return true;
}

/// Blackhole's T cores, unless cfg0 forbids it.
template <class Bus>
bool Engine<Bus>::fuses_pushes() const {
  return timing_.fuses_pushes && is_t_core() && (core_.csrs.config & cfg0::DisTriscCache) == 0;
}

/// `.ttinsn`: a store to the own instruction buffer. The instruction cache fuses neighbours of one line (assumed: of one
/// line) into a single instruction that stores up to four words.
template <class Bus>
bool Engine<Bus>::push_tensix(const Decoded* first) {
  if (core_.csrs.ordering != 0 && !drained_and_answered(CoreStall::barrier)) return true;
  if (!knows_store_queue()) return false;
  const unsigned left = InstructionCache::words_per_line - core_.pc / 4 % InstructionCache::words_per_line;
  unsigned count = 1;
  while (fuses_pushes() && count < left && first[count].kind == Kind::ttinsn)
    ++count;
  QueuedStore queued{.target = Target::tensix,
                     .size_bytes = static_cast<std::uint8_t>(4 * count),
                     .address = instruction_buffer,
                     .pc = core_.pc,
                     .earliest = core_.clock + 1};
  for (std::size_t i = 0; i < count; ++i)
    std::memcpy(queued.bytes.data() + 4 * i, &first[i].instruction.imm, 4);
  if (enqueue(queued)) leave_to_queue(count);
  return true;
}

template <class Bus>
void Engine<Bus>::drain(Cycle cycle) {
  const QueuedStore store = core_.stores.front();
  Cycle interval = 1;
  if (store.target == Target::l1) {
    bus_.write_l1(core_, store.address, store.bytes.data(), store.mask, cycle, Phase::store);
    if (store.mask != QueuedStore::whole_block) interval = timing_.store_l1_interval;
  } else if (store.target != Target::local) {
    const auto answer = store.target == Target::tensix
                            ? bus_.push(core_, store, cycle)
                            : bus_.store(core_, store.address, store.value, store.size_bytes, store.pc, cycle);
    if (Bus::is_fault(answer)) {
      core_.pc = store.pc;
      core_.clock = std::max(core_.clock, cycle);
      core_.stores.clear();  // what stands behind it never leaves
      stop_at_access(store.address, store.size_bytes, true, static_cast<std::uint8_t>(answer.fault));
      core_.stop->cycle = cycle;  // not where the core has run ahead to
      return;
    }
    if (!answer.is_done()) {
      core_.stores.block();
      // Perhaps there is room behind it: the core looks again.
      if (core_.status == Core::Status::waits_for_drain) core_.status = Core::Status::running;
      return;
    }
  }
  core_.stores.pop(cycle, interval);
  if (core_.status != Core::Status::waits_for_drain) return;
  core_.status = Core::Status::running;
  core_.stall(core_.waiting, cycle + 1);
}

/// If not, the core has been told to wait.
template <class Bus>
bool Engine<Bus>::drained_and_answered(CoreStall reason) {
  if (!core_.stores.empty()) {
    wait_for_drain(reason);
    return false;
  }
  if (core_.loads.has_unanswered()) {
    wait_for_answer(reason);
    return false;
  }
  const Cycle ready = core_.loads.all_ready();
  if (ready <= core_.clock) return true;
  core_.stall(reason, ready);
  return false;
}

template <class Bus>
bool Engine<Bus>::fence() {
  if (timing_.fence_drains) {
    if (!drained_and_answered(CoreStall::barrier)) return true;
    core_.l0.flush();
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
  finish_load(in, old, address, timing_.amo_l1);
  return !bus_.disturbed();
}

}  // namespace tensim::riscv
