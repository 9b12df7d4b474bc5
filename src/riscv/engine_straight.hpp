// Part of engine.hpp: the loop in which most instructions are executed. It goes straight on through cached lines and
// takes only what needs no thought: arithmetic, branches guessed right, loads and stores of words that meet nothing in
// their way. Whatever else comes is left to the rest of the engine, which can do all of this, too: lock-step never comes
// here, and so checks it.
//
// An instruction takes a cycle and a place, so how far the loop has come tells clock, pc and counts at once.
#pragma once

#include "riscv/engine.hpp"

namespace tensim::riscv {

/// A stretch of instructions, one behind another in the cache.
struct Stretch {
  const Decoded* first;  // core.pc and core.clock are its
  const Decoded* at;
  const Decoded* end;  // of the line, unless there is no room for all of it
  Cycle room;          // how many may be executed from `first` on before somebody looks again

  std::uint32_t done() const { return static_cast<std::uint32_t>(at - first); }
};

/// What decides how much can be done here; slower instructions may change it.
template <class Bus>
[[gnu::always_inline]] inline void Engine<Bus>::look_around() {
  const std::uint32_t config = core_.csrs.config;
  learns_branches_ = (config & cfg0::DisBp) == 0;
  loads_are_plain_ = !core_.spin.is_replaying && !core_.spin.is_looking && core_.csrs.ordering == 0 &&
                     (config & cfg0::DisLdBufByp) == 0;
  caches_loads_ = timing_.has_l0 && (config & cfg0::DisLowCash) == 0;
}

/// Counts what has been executed.
template <class Bus>
[[gnu::always_inline]] inline void Engine<Bus>::settle(Stretch& stretch, std::uint32_t next_pc, std::uint32_t done) {
  core_.pc = next_pc;
  core_.clock += done;
  core_.retired += done;
  core_.account[CoreStall::none] += done;
  stretch.first = stretch.at;
}

/// From `core.pc` on; false if it is not in the cache, or nothing may be executed now.
template <class Bus>
[[gnu::always_inline]] inline bool Engine<Bus>::enter(Stretch& stretch) {
  if (core_.clock >= horizon_) return false;
  const Decoded* const found = core_.icache.find(core_.pc);
  if (found == nullptr) return false;
  const Cycle room = std::min(horizon_ - core_.clock, core_.loads.limit() - core_.entered());
  const std::uint32_t in_line = InstructionCache::words_per_line - core_.pc / 4 % InstructionCache::words_per_line;
  stretch = {found, found, found + std::min<Cycle>(in_line, room), room};
  return room != 0;
}

/// At the end of a line: into the next.
template <class Bus>
[[gnu::always_inline]] inline bool Engine<Bus>::go_on(Stretch& stretch) {
  if (stretch.done() + InstructionCache::words_per_line <= stretch.room && core_.icache.goes_on(stretch.end)) {
    stretch.end += InstructionCache::words_per_line;
    return true;
  }
  if (stretch.done() >= stretch.room) return false;
  settle(stretch, core_.pc + 4 * stretch.done(), stretch.done());
  return enter(stretch);
}

/// Nothing is executed for some cycles; false if that is all that may happen now.
template <class Bus>
[[gnu::always_inline]] inline bool Engine<Bus>::lose(Stretch& stretch, CoreStall reason, Cycle cycles) {
  core_.clock += cycles;
  core_.account[reason] += cycles;
  stretch.room = std::min(stretch.room, horizon_ - std::min(horizon_, core_.clock));
  const bool goes_on = stretch.done() < stretch.room;
  const Cycle in_line = static_cast<Cycle>(stretch.end - stretch.first);
  if (in_line > stretch.room) stretch.end = goes_on ? stretch.first + stretch.room : stretch.at;
  return goes_on;
}

/// Waits for those of the registers `late` that are operands; false if somebody else has to look.
template <class Bus>
[[gnu::always_inline]] inline bool Engine<Bus>::wait_straight(Stretch& stretch, std::uint32_t late, Cycle& now) {
  const Instruction& in = stretch.at->instruction;
  const std::uint32_t sources = 1U << in.rs1 | 1U << in.rs2;
  Cycle latest = 0;
  for (std::uint32_t left = late; left != 0; left &= left - 1) {
    const auto index = static_cast<unsigned>(std::countr_zero(left));
    const Cycle ready = core_.ready[index];
    if (ready == never) return false;
    if ((sources >> index & 1U) != 0) latest = std::max(latest, ready);
    if (ready <= now) core_.pending_x &= ~(1U << index);
  }
  if (latest <= now) return true;
  if (!lose(stretch, CoreStall::operand, latest - now)) return false;
  now = latest;
  return true;
}

/// True: it has been executed, and the stretch goes on where it led.
template <class Bus>
[[gnu::always_inline]] inline bool Engine<Bus>::branch_straight(Stretch& stretch) {
  const Instruction& in = stretch.at->instruction;
  const std::uint32_t pc = core_.pc + 4 * stretch.done();
  const std::uint32_t target = pc + static_cast<std::uint32_t>(in.imm);
  const bool is_taken = stretch.at->kind == Kind::jal || taken(in.op, core_.x[in.rs1], core_.x[in.rs2]);
  if (!core_.predictor.is_sure(learns_branches_, pc, target, is_taken)) return false;
  if (!is_taken) {
    ++stretch.at;
    return true;
  }
  if (stretch.at->kind == Kind::jal) write_x(in.rd, pc + 4);
  settle(stretch, target, stretch.done() + 1);
  stretch.end = stretch.at;
  stretch.room = 0;  // unless it is entered
  if (target <= pc && (--core_.spin.countdown == 0 || target == pc)) {
    core_.spin.countdown = 1;
    arrive_at(target, pc);
    look_around();
    if (core_.status != Core::Status::running || yields_) return true;
  }
  enter(stretch);
  return true;
}

template <class Bus>
[[gnu::always_inline]] inline bool Engine<Bus>::load_straight(const Instruction& in, Place place) {
  if (in.op != Op::lw || in.rd == 0) return false;
  const std::uint32_t address = core_.x[in.rs1] + static_cast<std::uint32_t>(in.imm);
  if (address % 4 != 0) return false;
  if (address - local_ram_base < core_.local_bytes) {
    if (place.now < core_.local_ready) return false;
    std::memcpy(&core_.x[in.rd], core_.local_ram.data() + (address - local_ram_base), 4);
    come_back(in.rd, place.now + timing_.load_local);
    return true;
  }
  if (!loads_are_plain_ || address >= bus_.l1_bytes()) return false;
  if (core_.stores.may_hold_block(address) && core_.stores.overlaps(address, 4)) return false;
  const L0Cache::Line* const line = caches_loads_ ? core_.l0.find(address) : nullptr;
  if (line == nullptr && core_.load_slots.free_from() > place.now) return false;
  if (!may_read(address, place.now)) {
    core_.waits_to_read = yields_ = true;
    return false;
  }
  if (line != nullptr) {
    core_.x[in.rd] = hit_l0(*line, address, 4, place);
    come_back(in.rd, place.now + timing_.load_l0_hit);
    return true;
  }
  core_.x[in.rd] = caches_loads_ ? miss_l0(address, 4, place, true) : read_l1(address, 4);
  core_.l1_loads.add(place.now);
  core_.load_slots.take(place.now, timing_.load_l1);
  come_back(in.rd, place.now + timing_.load_l1);
  return true;
}

template <class Bus>
[[gnu::always_inline]] inline bool Engine<Bus>::store_straight(Stretch& stretch, Cycle now) {
  const Instruction& in = stretch.at->instruction;
  const std::uint32_t address = core_.x[in.rs1] + static_cast<std::uint32_t>(in.imm);
  if (in.op != Op::sw || address % 4 != 0 || core_.csrs.ordering != 0) return false;
  core_.stores.pass_local(now);
  if (core_.stores.is_blocked()) return false;
  const Cycle leaves = core_.stores.next_drain();
  if (now > leaves) {  // it has to leave first, or be seen to stay
    yields_ = true;
    return false;
  }
  if (core_.stores.full()) {
    if (timing_.merges_stores && core_.stores.can_merge(address)) return false;
    if (core_.stores.front().target != Target::local) {
      wait_for_drain(CoreStall::store_queue);
      return false;
    }
    if (!lose(stretch, CoreStall::store_queue, leaves + 1 - now)) return false;
    now = leaves + 1;
    core_.stores.pass_local(now);
  }
  const Place place{core_.pc + 4 * stretch.done(), now};
  if (address < bus_.l1_bytes())
    store_l1(address, core_.x[in.rs2], 4, place);
  else if (address - local_ram_base < core_.local_bytes && now >= core_.local_ready)
    store_local(address, core_.x[in.rs2], 4, place);
  else
    return false;
  leave_to_queue();
  return true;
}

/// Up to the first instruction that needs more.
template <class Bus>
void Engine<Bus>::run_straight() {
  look_around();
  Stretch stretch{};
  if (!enter(stretch)) return;
  while (stretch.at != stretch.end || go_on(stretch)) {
    const Decoded& decoded = *stretch.at;
    const Instruction& in = decoded.instruction;
    const std::uint32_t waited = decoded.registers & core_.pending_x;
    if (waited == 0) {
      alu_result(in);
      ++stretch.at;
      continue;
    }
    if (decoded.kind > Kind::jalr) break;  // others do not have their operands where these have them
    Cycle now = core_.clock + stretch.done();
    if (const std::uint32_t late = waited & ~1U; late != 0 && !wait_straight(stretch, late, now)) break;
    bool is_done = true;
    switch (decoded.kind) {
      case Kind::alu:
        alu_result(in);
        core_.x[0] = 0;
        break;
      case Kind::branch:
      case Kind::jal:
        if (branch_straight(stretch)) continue;
        is_done = false;
        break;
      case Kind::load: is_done = load_straight(in, {core_.pc + 4 * stretch.done(), now}); break;
      case Kind::store: is_done = store_straight(stretch, now); break;
      case Kind::mul:
        write_x(in.rd, compute(in.op, core_.x[in.rs1], core_.x[in.rs2]));
        mark_pending_x(in.rd, now + timing_.mul_latency);
        ++stretch.at;
        if (timing_.mul_blocks) lose(stretch, CoreStall::divide, timing_.mul_latency - 1U);
        continue;
      default: is_done = false;
    }
    if (!is_done) break;
    ++stretch.at;
  }
  settle(stretch, core_.pc + 4 * stretch.done(), stretch.done());
}

}  // namespace tensim::riscv
