// Part of engine.hpp: the loop in which most instructions are executed. It goes straight on through cached lines and
// takes only what needs no thought: arithmetic, branches guessed right, loads and stores of words that meet nothing in
// their way. Whatever else comes is left to the rest of the engine, which can do all of this, too: lock-step never comes
// here, and so checks it.
//
// An instruction takes a place, so how far the loop has come tells pc and counts at once.
#pragma once

#include "riscv/engine.hpp"

namespace tensim::riscv {

/// A stretch of instructions, one behind another in the cache.
struct Stretch {
  const Decoded* first;  // core.pc is its
  const Decoded* at;
  const Decoded* end;  // of the line, unless there is no time for all of it
  Cycle now;           // of `at`
  std::uint64_t room;  // in the retire queue, from `first` on
  std::uint32_t line;  // its number in the cache

  std::uint32_t done() const { return static_cast<std::uint32_t>(at - first); }
  void pass() {
    ++at;
    ++now;
  }
};

/// What has become of the instruction: it has been executed, and the stretch goes on behind it, or has been moved on already;
/// or it is left to others.
enum class Step : std::uint8_t { pass, moved, leave };
constexpr Step passed(bool is_done) {
  return is_done ? Step::pass : Step::leave;
}
constexpr Step moved(bool is_done) {
  return is_done ? Step::moved : Step::leave;
}

/// Settings that decide what this loop may do itself. Instructions that it leaves to others may have changed them.
template <class Bus>
[[gnu::always_inline]] inline void Engine<Bus>::look_up_settings() {
  const std::uint32_t config = core_.csrs.config;
  learns_branches_ = (config & cfg0::DisBp) == 0;
  loads_are_plain_ = !core_.spin.is_replaying && !core_.spin.is_looking && core_.csrs.ordering == 0 &&
                     (config & cfg0::DisLdBufByp) == 0;
  caches_loads_ = timing_.has_l0 && (config & cfg0::DisLowCash) == 0;
}

/// The core's own pc, clock and counts catch up with the stretch.
template <class Bus>
[[gnu::always_inline]] inline void Engine<Bus>::settle(Stretch& stretch, std::uint32_t next_pc, std::uint32_t done) {
  core_.pc = next_pc;
  core_.clock = stretch.now;
  core_.retired += done;
  core_.account[CoreStall::none] += done;
  stretch.first = stretch.at;
}

template <class Bus>
[[gnu::always_inline]] inline typename Engine<Bus>::Place Engine<Bus>::place_of(const Stretch& stretch) const {
  return {core_.pc + 4 * stretch.done(), stretch.now};
}

/// Begins a stretch at `core.pc`; false if that is not in the cache, or nothing may be executed now.
template <class Bus>
[[gnu::always_inline]] inline bool Engine<Bus>::enter(Stretch& stretch) {
  constexpr unsigned size = InstructionCache::words_per_line;
  const std::uint32_t pc = core_.pc;
  const Cycle now = core_.clock;
  const std::uint64_t room = core_.loads.limit() - core_.entered();
  if (now >= horizon_ || room == 0) return false;
  const std::uint32_t line = core_.icache.line_of(pc);
  if (line == InstructionCache::nowhere) return false;
  const Decoded* const words = core_.icache.words_of(line);
  const Decoded* const at = words + pc / 4 % size;
  const std::uint64_t most = std::min(horizon_ - now, room);
  stretch = {at, at, most >= size ? words + size : std::min(words + size, at + most), now, room, line};
  return true;
}

/// At the end of a cached line the stretch goes on into the next; false if it cannot.
template <class Bus>
[[gnu::always_inline]] inline bool Engine<Bus>::go_on(Stretch& stretch) {
  constexpr unsigned size = InstructionCache::words_per_line;
  if (stretch.now + size <= horizon_ && stretch.done() + size <= stretch.room && core_.icache.goes_on(stretch.line)) {
    stretch.end += size;
    ++stretch.line;
    return true;
  }
  if (stretch.done() >= stretch.room) return false;
  settle(stretch, core_.pc + 4 * stretch.done(), stretch.done());
  return enter(stretch);
}

/// Nothing enters for `cycles`; false if the horizon comes before their end.
template <class Bus>
[[gnu::always_inline]] inline bool Engine<Bus>::stall_straight(Stretch& stretch, CoreStall reason, Cycle cycles) {
  stretch.now += cycles;
  core_.account[reason] += cycles;
  const Cycle left = horizon_ - std::min(horizon_, stretch.now);
  if (static_cast<Cycle>(stretch.end - stretch.at) > left) stretch.end = stretch.at + left;
  return left != 0;
}

/// Waits for operands, which are among the registers `late`; false if somebody else has to look. What an instruction does
/// not have is register 0, which is always ready.
template <class Bus>
[[gnu::always_inline]] inline bool Engine<Bus>::wait_straight(Stretch& stretch, std::uint32_t late) {
  const Instruction& in = stretch.at->instruction;
  if (stretch.at->way == Way::none) return false;  // others do not have their operands where these have them
  const Cycle sources = std::max(core_.ready[in.rs1], core_.ready[in.rs2]);
  const Cycle result = core_.ready[in.rd];
  if (std::max(sources, result) == never) return false;
  if (sources > stretch.now && !stall_straight(stretch, CoreStall::operand, sources - stretch.now)) return false;
  core_.pending_x = (core_.pending_x & ~late) | (result > stretch.now ? 1U << in.rd : 0U);
  return true;
}

/// True if the branch has been executed here; the stretch goes on at its target.
template <class Bus>
[[gnu::always_inline]] inline bool Engine<Bus>::branch_straight(Stretch& stretch, bool is_taken) {
  const Instruction& in = stretch.at->instruction;
  const std::uint32_t pc = core_.pc + 4 * stretch.done();
  const std::uint32_t target = pc + static_cast<std::uint32_t>(in.imm);
  if (!core_.predictor.is_sure(learns_branches_, pc, target, is_taken)) return false;
  if (!is_taken) {
    stretch.pass();
    return true;
  }
  if (in.op == Op::jal) write_x(in.rd, pc + 4);
  ++stretch.now;
  settle(stretch, target, stretch.done() + 1);
  stretch.end = stretch.at;
  stretch.room = 0;  // unless it is entered
  if (target <= pc && (--core_.spin.countdown == 0 || target == pc)) {
    core_.spin.countdown = 1;
    arrive_at(target, pc);
    look_up_settings();
    if (core_.status != Core::Status::running || yields_) return true;
  }
  enter(stretch);
  return true;
}

template <class Bus>
[[gnu::always_inline]] inline bool Engine<Bus>::load_straight(const Instruction& in, Place place) {
  const Cycle now = place.now;
  const std::uint32_t address = core_.x[in.rs1] + static_cast<std::uint32_t>(in.imm);
  if (address % 4 != 0) return false;
  if (address - local_ram_base < core_.local_bytes) {
    if (now < core_.local_ready) return false;
    std::memcpy(&core_.x[in.rd], core_.local_ram.data() + (address - local_ram_base), 4);
    load_returns(in.rd, now + timing_.load_local);
    return true;
  }
  if (!loads_are_plain_ || address >= bus_.l1_bytes()) return false;
  const bool may_be_under_way = core_.stores.may_hold_block(address);
  if (may_be_under_way && core_.stores.overlaps(address, 4)) return false;
  const L0Cache::Line* const line = caches_loads_ ? core_.l0.find(address) : nullptr;
  if (line == nullptr && core_.load_slots.free_from() > now) return false;
  const bool is_own = !may_be_under_way && is_read_ahead(address, now);
  if (!is_own && !may_read(address, now)) {
    core_.waits_to_read = yields_ = true;
    return false;
  }
  const std::uint32_t there = read_l1(address, 4);
  if (line != nullptr) {
    if (L0Cache::word(*line, address) != there) return false;  // to be reported
    core_.x[in.rd] = there;
    note_load(in, there, address, place);
    count_l0_hit();
    load_returns(in.rd, now + timing_.load_l0_hit);
    return true;
  }
  core_.x[in.rd] = there;
  note_load(in, there, address, place);
  if (caches_loads_) core_.l0.fill(address, bus_.l1() + (address & ~(L0Cache::line_bytes - 1)));
  bus_.takes_port(core_, now);
  core_.load_slots.take(now, timing_.load_l1);
  load_returns(in.rd, now + timing_.load_l1);
  return true;
}

/// A place in the queue, perhaps after waiting for it; false if somebody else has to look. Whether the oldest entry has
/// left matters only where there is no room behind it, or where the store would go into it.
template <class Bus>
[[gnu::always_inline]] inline bool Engine<Bus>::find_place_straight(Stretch& stretch, std::uint32_t address) {
  StoreQueue& stores = core_.stores;
  pass_left(stretch.now);
  if (stores.is_blocked()) return false;
  const bool may_merge = timing_.merges_stores && stores.can_merge(address);
  if (!stores.full() && !may_merge) return true;
  const Cycle leaves = stores.next_drain();
  if (stretch.now > leaves) {  // it has to leave first, or be seen to stay
    yields_ = true;
    return false;
  }
  if (!stores.full()) return true;
  if (may_merge) return false;
  if (stores.front().target != Target::local) {
    wait_for_drain(CoreStall::store_queue);
    return false;
  }
  if (!stall_straight(stretch, CoreStall::store_queue, leaves + 1 - stretch.now)) return false;
  stores.pass_local(stretch.now);
  return true;
}

template <class Bus>
[[gnu::always_inline]] inline bool Engine<Bus>::store_straight(Stretch& stretch) {
  const Instruction& in = stretch.at->instruction;
  const std::uint32_t address = core_.x[in.rs1] + static_cast<std::uint32_t>(in.imm);
  if (address % 4 != 0 || core_.csrs.ordering != 0) return false;
  const bool is_l1 = address < bus_.l1_bytes();
  if (!is_l1 && stretch.now < core_.local_ready) return false;
  if (!core_.stores.empty() && !find_place_straight(stretch, address)) return false;
  const Place place = place_of(stretch);
  if (is_l1)
    store_l1(address, core_.x[in.rs2], 4, place);
  else if (address - local_ram_base < core_.local_bytes)
    store_local(address, core_.x[in.rs2], 4, place);
  else if (pushes_to_coprocessor(address, 4))
    store_word_of_tensix(address, core_.x[in.rs2], place);
  else
    return false;
  if constexpr (Bus::is_observed) note_store(address, core_.x[in.rs2], 4, place);
  leave_to_queue();
  return true;
}

template <class Bus>
[[gnu::always_inline]] inline void Engine<Bus>::multiply_straight(Stretch& stretch) {
  const Instruction& in = stretch.at->instruction;
  const std::uint32_t a = core_.x[in.rs1];
  const std::uint32_t b = core_.x[in.rs2];
  write_x(in.rd, in.op == Op::mul ? a * b : compute(in.op, a, b));
  mark_pending_x(in.rd, stretch.now + timing_.mul_latency);
  stretch.pass();
  if (timing_.mul_blocks) stall_straight(stretch, CoreStall::divide, timing_.mul_latency - 1U);
}

/// Words for the coprocessor; false if the core has been told to wait, or somebody else has to look.
template <class Bus>
[[gnu::always_inline]] inline bool Engine<Bus>::push_straight(Stretch& stretch) {
  if (stretch.at->kind != Kind::ttinsn || core_.csrs.ordering != 0) return false;
  if (!core_.stores.empty()) {
    pass_left(stretch.now);
    if (core_.stores.full()) {
      if (core_.stores.front().target != Target::local) wait_for_drain(CoreStall::store_queue);  // as in push_tensix()
      return false;
    }
  }
  const std::uint32_t pc = core_.pc + 4 * stretch.done();
  const unsigned count = fused_pushes(stretch.at, pc);
  enqueue_push(stretch.at, count, {pc, stretch.now});
  const std::uint32_t done = stretch.done() + 1;  // those that are fused take one place
  stretch.room -= done;
  stretch.at += count;
  ++stretch.now;
  if (stretch.at > stretch.end) stretch.end = stretch.at;
  settle(stretch, pc + 4 * count, done);
  core_.retired += count - 1;
  return true;
}

/// Up to the first instruction that needs more.
template <class Bus>
void Engine<Bus>::run_straight() {
  look_up_settings();
  Stretch stretch{};
  if (!enter(stretch)) return;
  while (stretch.at != stretch.end || go_on(stretch)) {
    const Decoded& decoded = *stretch.at;
    const Instruction& in = decoded.instruction;
    const std::uint32_t late = decoded.registers & core_.pending_x;
    if (late != 0 && !wait_straight(stretch, late)) break;
    if constexpr (Bus::is_observed) note_uses(in, place_of(stretch));
    const auto simple = [&](std::uint32_t result) {
      core_.x[in.rd] = result;
      stretch.pass();
    };
    const std::uint32_t a = core_.x[in.rs1];
    const std::uint32_t b = core_.x[in.rs2];
    const auto imm = static_cast<std::uint32_t>(in.imm);
    Step step = Step::pass;
    switch (static_cast<Way>(static_cast<unsigned>(decoded.way) % way_count)) {
      case Way::add: simple(a + (b + imm)); continue;
      case Way::xor_: simple(a ^ (b + imm)); continue;
      case Way::or_: simple(a | (b + imm)); continue;
      case Way::and_: simple(a & (b + imm)); continue;
      case Way::shift_left: simple(a << ((b + imm) & 31U)); continue;
      case Way::shift_right: simple(a >> ((b + imm) & 31U)); continue;
      case Way::other_arithmetic:
        alu_result(in);
        core_.x[0] = 0;
        break;
      case Way::load_word: step = passed(load_straight(in, place_of(stretch))); break;
      case Way::store_word: step = passed(store_straight(stretch)); break;
      case Way::multiplication: multiply_straight(stretch); continue;
      case Way::beq: step = moved(branch_straight(stretch, a == b)); break;
      case Way::bne: step = moved(branch_straight(stretch, a != b)); break;
      case Way::blt:
        step = moved(branch_straight(stretch, static_cast<std::int32_t>(a) < static_cast<std::int32_t>(b)));
        break;
      case Way::other_branch: step = moved(branch_straight(stretch, taken(in.op, a, b))); break;
      case Way::jal: step = moved(branch_straight(stretch, true)); break;
      case Way::none: step = moved(push_straight(stretch)); break;
    }
    if (step == Step::leave) break;
    if (step == Step::pass) stretch.pass();
  }
  settle(stretch, core_.pc + 4 * stretch.done(), stretch.done());
}

}  // namespace tensim::riscv
