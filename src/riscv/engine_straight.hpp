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
  const Decoded* first;
  const Decoded* at;
  const Decoded* end;  // of the line, or of the room
  Cycle now;           // of `at`
  std::uint64_t room;  // in the retire queue, from `first` on
  std::uint64_t done;  // before `first`, since the core's own counts were brought up to date
  std::uint32_t pc;    // of `first`
  std::uint32_t line;  // its number in the cache

  std::uint32_t passed() const { return static_cast<std::uint32_t>(at - first); }
  std::uint32_t place() const { return pc + 4 * passed(); }
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
  const std::uint32_t ordering = core_.csrs.ordering;
  const std::uint32_t watched = static_cast<std::uint32_t>(core_.spin.is_replaying | core_.spin.is_looking);
  learns_branches_ = (config & cfg0::DisBp) == 0;
  stores_are_plain_ = ordering == 0;
  loads_are_plain_ = (ordering | watched | (config & cfg0::DisLdBufByp)) == 0;
  caches_loads_ = static_cast<bool>(static_cast<unsigned>(timing_.has_l0) &
                                    static_cast<unsigned>((config & cfg0::DisLowCash) == 0));
}

/// The core's own pc, clock and counts catch up with the stretch.
template <class Bus>
[[gnu::always_inline]] inline void Engine<Bus>::settle(Stretch& stretch) {
  note_straight(stretch, stretch.place());
  const std::uint64_t done = stretch.done + stretch.passed();
  core_.pc = stretch.place();
  core_.clock = stretch.now;
  core_.retired += done;
  core_.account[CoreStall::none] += done;
  stretch.done = 0;
  stretch.room -= stretch.passed();
  stretch.pc = core_.pc;
  stretch.first = stretch.at;
}

template <class Bus>
[[gnu::always_inline]] inline typename Engine<Bus>::Place Engine<Bus>::place_of(const Stretch& stretch) const {
  return {stretch.place(), stretch.now};
}

/// The stretch goes on at `pc`; false, and it is there but empty, if that is not in the cache, or there is no room.
template <class Bus>
[[gnu::always_inline]] inline bool Engine<Bus>::enter(Stretch& stretch, std::uint32_t pc) {
  constexpr unsigned size = InstructionCache::words_per_line;
  stretch.pc = pc;
  const std::uint32_t line = core_.icache.line_of(pc);
  if (line == InstructionCache::nowhere || stretch.room == 0) {
    stretch.first = stretch.end = stretch.at;
    stretch.room = 0;
    return false;
  }
  const Decoded* const words = core_.icache.words_of(line);
  const Decoded* const at = words + pc / 4 % size;
  stretch.first = stretch.at = at;
  stretch.end = words + size;
  stretch.line = line;
  if (stretch.room < size) [[unlikely]]
    stretch.end = std::min(stretch.end, at + stretch.room);
  return true;
}

/// At the end of a cached line the stretch goes on into the next; false if it cannot.
template <class Bus>
[[gnu::always_inline]] inline bool Engine<Bus>::go_on(Stretch& stretch) {
  constexpr unsigned size = InstructionCache::words_per_line;
  const std::uint32_t passed = stretch.passed();
  if (passed + size <= stretch.room && core_.icache.goes_on(stretch.line)) {
    stretch.end += size;
    ++stretch.line;
    return true;
  }
  if (passed >= stretch.room) return false;
  stretch.done += passed;
  stretch.room -= passed;
  return enter(stretch, stretch.pc + 4 * passed);
}

/// Nothing enters for `cycles`.
template <class Bus>
[[gnu::always_inline]] inline void Engine<Bus>::stall_straight(Stretch& stretch, CoreStall reason, Cycle cycles) {
  if (notes_time()) {
    note_straight(stretch, stretch.place());
    add_span(event::CoreSpan::Kind::held, reason, stretch.place(), cycles);
  }
  stretch.now += cycles;
  core_.account[reason] += cycles;
}

/// Waits for operands, which are among the registers `late`; false if somebody else has to look. What an instruction does
/// not have is register 0, which is always ready.
template <class Bus>
[[gnu::always_inline]] inline bool Engine<Bus>::wait_straight(Stretch& stretch, std::uint32_t late) {
  const Instruction& in = stretch.at->instruction;
  if (stretch.at->way == Way::none) return false;  // others do not have their operands where these have them
  const Cycle sources = std::max(core_.ready[in.rs1], core_.ready[in.rs2]);
  const Cycle result = core_.ready[in.rd];
  if (sources > stretch.now) {
    if (sources == never || result == never) return false;
    stall_straight(stretch, CoreStall::operand, sources - stretch.now);
    if (stretch.now >= horizon_) return false;
  }
  core_.pending_x &= ~late;
  if (result > stretch.now) [[unlikely]] {
    core_.pending_x |= 1U << in.rd;
    return result != never;
  }
  return true;
}

/// True if the branch has been executed here; the stretch goes on at its target.
template <class Bus>
[[gnu::always_inline]] inline bool Engine<Bus>::branch_straight(Stretch& stretch, bool is_taken) {
  const Instruction& in = stretch.at->instruction;
  const std::uint32_t passed = stretch.passed();
  const std::uint32_t pc = stretch.pc + 4 * passed;
  const std::uint32_t target = pc + static_cast<std::uint32_t>(in.imm);
  if (!core_.predictor.is_sure(learns_branches_, pc, target, is_taken)) return false;
  if (!is_taken) {
    stretch.pass();
    return true;
  }
  if (in.op == Op::jal) write_x(in.rd, pc + 4);
  ++stretch.now;
  note_straight(stretch, pc + 4);
  stretch.done += passed + 1;
  stretch.room -= passed + 1;
  if (target <= pc && (--core_.spin.countdown == 0 || target == pc)) [[unlikely]] {
    stretch.pc = target;
    stretch.first = stretch.end = stretch.at;
    settle(stretch);
    core_.spin.countdown = 1;
    arrive_at(target, pc);
    look_up_settings();
    if (core_.status != Core::Status::running || yields_) {
      stretch.room = 0;
      return true;
    }
    stretch.room = core_.loads.limit() - core_.entered();
  }
  enter(stretch, target);
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
  if (!loads_are_plain_ || address >= l1_bytes_) return false;
  // Of the block, by the core itself. The word is not among them; a line of the L0 cache shows later what it got of them.
  const std::uint32_t to_come = core_.stores.bytes_to_come(address);
  if ((to_come >> address % QueuedStore::block_bytes & 0xFU) != 0) return false;
  const L0Cache::Line* const line = caches_loads_ ? core_.l0.find(address) : nullptr;
  if (line == nullptr && core_.load_slots.free_from() > now) return false;
  if (!is_read_ahead(address, now) && !may_read(address, now)) {
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
  if (caches_loads_) {
    const std::uint8_t* const from = bus_.l1() + (address & ~(L0Cache::line_bytes - 1));
    if (to_come != 0)
      core_.l0.fill_ahead(address, from, now);
    else
      core_.l0.fill(address, from);
  }
  bus_.takes_port(core_, now);
  core_.load_slots.take(now, timing_.load_l1);
  load_returns(in.rd, now + timing_.load_l1);
  return true;
}

/// A place in the queue, or in its youngest entry, perhaps after waiting for it; false if somebody else has to look. Whether the
/// oldest entry has left matters only where there is no room behind it, or where the store would go into it.
template <class Bus>
[[gnu::always_inline]] inline bool Engine<Bus>::find_place_straight(Stretch& stretch, bool may_merge) {
  StoreQueue& stores = core_.stores;
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
  stall_straight(stretch, CoreStall::store_queue, leaves + 1 - stretch.now);
  if (stretch.now >= horizon_) return false;
  stores.pass_local(stretch.now);
  return true;
}

template <class Bus>
[[gnu::always_inline]] inline bool Engine<Bus>::store_straight(Stretch& stretch) {
  const Instruction& in = stretch.at->instruction;
  const std::uint32_t address = core_.x[in.rs1] + static_cast<std::uint32_t>(in.imm);
  if (address % 4 != 0 || !stores_are_plain_) return false;
  const bool is_l1 = address < l1_bytes_;
  if (!is_l1 && stretch.now < core_.local_ready) return false;
  StoreQueue& stores = core_.stores;
  bool merges = false;
  if (!stores.empty()) {
    pass_left(stretch.now);
    if (stores.is_blocked()) return false;
    merges = is_l1 && timing_.merges_stores && stores.can_merge(address);
    if (!find_place_straight(stretch, merges)) return false;
  }
  const Place place = place_of(stretch);
  const std::uint32_t value = core_.x[in.rs2];
  if (is_l1)
    store_l1(address, value, 4, place, merges);
  else if (address - local_ram_base < core_.local_bytes)
    store_local(address, value, 4, place);
  else if (pushes_to_coprocessor(address, 4))
    store_word_of_tensix(address, value, place);
  else
    return false;
  if constexpr (Bus::is_observed) note_store(address, value, 4, place);
  leave_to_queue();
  return true;
}

template <class Bus>
[[gnu::noinline]] Step Engine<Bus>::other_arithmetic_straight(const Instruction& in) {
  alu_result(in);
  core_.x[0] = 0;
  return Step::pass;
}

template <class Bus>
[[gnu::always_inline]] inline Step Engine<Bus>::multiply_straight(Stretch& stretch) {
  const Instruction& in = stretch.at->instruction;
  const std::uint32_t a = core_.x[in.rs1];
  const std::uint32_t b = core_.x[in.rs2];
  if (in.op == Op::mul) [[likely]]
    write_x(in.rd, a * b);
  else
    other_arithmetic_straight(in);
  mark_pending_x(in.rd, stretch.now + timing_.mul_latency);
  if (timing_.mul_blocks) stall_straight(stretch, CoreStall::divide, timing_.mul_latency - 1U);
  return Step::pass;
}

/// Words for the coprocessor; false if the core has been told to wait, or somebody else has to look.
template <class Bus>
[[gnu::always_inline]] inline bool Engine<Bus>::push_straight(Stretch& stretch) {
  if (stretch.at->kind != Kind::ttinsn || !stores_are_plain_) return false;
  if (!core_.stores.empty()) {
    pass_left(stretch.now);
    if (core_.stores.full()) {
      if (core_.stores.front().target != Target::local) wait_for_drain(CoreStall::store_queue);  // as in push_tensix()
      return false;
    }
  }
  const std::uint32_t pc = stretch.place();
  const unsigned count = fused_pushes(stretch.at, pc);
  note_straight(stretch, pc);
  enqueue_push(stretch.at, count, {pc, stretch.now});
  const std::uint32_t done = stretch.passed() + 1;  // those that are fused take one place
  stretch.room -= done;
  stretch.done += done;
  stretch.at += count;
  stretch.first = stretch.at;
  ++stretch.now;
  note_straight(stretch, pc + 4);
  if (stretch.at > stretch.end || stretch.room == 0) stretch.end = stretch.at;
  stretch.pc = pc + 4 * count;
  core_.retired += count - 1;
  return true;
}

/// What becomes of the instruction at `stretch.at`, whose operands are there.
template <class Bus>
[[gnu::always_inline]] inline Step Engine<Bus>::execute_straight(Stretch& stretch) {
  const Instruction& in = stretch.at->instruction;
  const auto a = [&] { return core_.x[in.rs1]; };
  const auto b = [&] { return core_.x[in.rs2]; };
  const auto other = [&] { return b() + static_cast<std::uint32_t>(in.imm); };  // as in alu_result()
  const auto simple = [&](std::uint32_t result) {
    core_.x[in.rd] = result;
    return Step::pass;
  };
  switch (stretch.at->way) {
    case Way::add: return simple(a() + other());
    case Way::xor_: return simple(a() ^ other());
    case Way::or_: return simple(a() | other());
    case Way::and_: return simple(a() & other());
    case Way::shift_left: return simple(a() << (other() & 31U));
    case Way::shift_right: return simple(a() >> (other() & 31U));
    case Way::other_arithmetic: return other_arithmetic_straight(in);
    case Way::multiplication: return multiply_straight(stretch);
    case Way::load_word: return passed(load_straight(in, place_of(stretch)));
    case Way::store_word: return passed(store_straight(stretch));
    case Way::beq: return moved(branch_straight(stretch, a() == b()));
    case Way::bne: return moved(branch_straight(stretch, a() != b()));
    case Way::blt:
      return moved(branch_straight(stretch, static_cast<std::int32_t>(a()) < static_cast<std::int32_t>(b())));
    case Way::other_branch: return moved(branch_straight(stretch, taken(in.op, a(), b())));
    case Way::jal: return moved(branch_straight(stretch, true));
    case Way::none: return moved(push_straight(stretch));
  }
  __builtin_unreachable();
}

/// Up to the first instruction that needs more.
template <class Bus>
[[gnu::always_inline]] inline void Engine<Bus>::go_straight() {
  look_up_settings();
  Stretch stretch{};
  stretch.now = core_.clock;
  stretch.room = core_.loads.limit() - core_.entered();
  enter(stretch, core_.pc);
  while ((stretch.at != stretch.end || go_on(stretch)) && stretch.now < horizon_) {
    const std::uint32_t late = stretch.at->registers & core_.pending_x;
    if (late != 0 && !wait_straight(stretch, late)) break;
    if constexpr (Bus::is_observed) note_uses(stretch.at->instruction, place_of(stretch));
    const Step step = execute_straight(stretch);
    if (step == Step::leave) break;
    if (step == Step::pass) stretch.pass();
  }
  settle(stretch);
}

/// Straight on, and whatever needs more as the rest of the engine has it.
template <class Bus>
[[gnu::noinline]] void Engine<Bus>::run_straight() {
  do {
    go_straight();
    if (!goes_on()) return;
  } while (take_step() && goes_on());
}

}  // namespace tensim::riscv
