// Part of engine.hpp: the loop in which most instructions are executed. It goes straight on through cached lines and
// takes only what needs no thought: arithmetic, branches guessed right, loads and stores of words that meet nothing in
// their way. Whatever else comes is left to the rest of the engine, which can do all of this, too: lock-step never comes
// here, and so checks it.
//
// An instruction takes a place, so how far the loop has come tells pc and counts at once.
#pragma once

#include "riscv/engine.hpp"

namespace tensim::riscv {

/// A stretch of instructions, one behind another in the cache. Each takes a cycle, so that without what it waits, time and
/// instructions are counted at once.
struct Stretch {
  const Decoded* first;
  const Decoded* at;
  const Decoded* end;  // of the line, or of the room
  Cycle now;           // of `at`
  Cycle start;         // so many instructions ago as it is before `now`, the core's own counts were brought up to date
  Cycle until;         // nothing enters from then on: there is no room in the retire queue, or it is the horizon
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

template <class Bus>
[[gnu::always_inline]] inline StraightSettings Engine<Bus>::settings() const {
  const std::uint32_t config = core_.csrs.config;
  const std::uint32_t ordering = core_.csrs.ordering;
  const std::uint32_t watched = static_cast<std::uint32_t>(core_.spin.is_replaying | core_.spin.is_looking);
  const bool merges = timing_.merges_stores && (config & cfg0::DisStMerge) == 0;
  return {.l1 = bus_.l1(),
          .far_until = horizon_ - std::min<Cycle>(horizon_, InstructionCache::words_per_line),
          .plain_loads = (ordering | watched | (config & cfg0::DisLdBufByp)) == 0 ? l1_bytes_ : 0,
          .plain_stores = ordering == 0 ? l1_bytes_ : 0,
          .merge_timer = merges ? config >> cfg0::StMergeTimer_shift & cfg0::StMergeTimer_mask : 0,
          .merges_stores = merges,
          .learns_branches = (config & cfg0::DisBp) == 0,
          .caches_loads = timing_.has_l0 && (config & cfg0::DisLowCash) == 0};
}

/// The core's own pc, clock and counts catch up with the stretch.
template <class Bus>
[[gnu::always_inline]] inline void Engine<Bus>::settle(Stretch& stretch) {
  note_straight(stretch, stretch.place());
  const std::uint64_t done = stretch.now - stretch.start;
  core_.pc = stretch.pc = stretch.place();
  core_.clock = stretch.start = stretch.now;
  core_.retired += done;
  core_.account[CoreStall::none] += done;
  stretch.first = stretch.at;
}

template <class Bus>
[[gnu::always_inline]] inline typename Engine<Bus>::Place Engine<Bus>::place_of(const Stretch& stretch) const {
  return {stretch.place(), stretch.now};
}

/// How far the stretch may go on from where the core is.
template <class Bus>
[[gnu::always_inline]] inline Cycle Engine<Bus>::end_of_room() const {
  const std::uint64_t room = core_.loads.limit() - core_.entered();
  return core_.clock < horizon_ ? core_.clock + std::min(room, horizon_ - core_.clock) : core_.clock;
}

/// The stretch goes on at `pc`; false, and it is there but empty, if that is not in the cache, or there is no room.
template <class Bus>
[[gnu::always_inline]] inline bool Engine<Bus>::enter(Stretch& stretch, std::uint32_t pc) {
  constexpr unsigned size = InstructionCache::words_per_line;
  stretch.pc = pc;
  const std::uint32_t line = core_.icache.line_of(pc);
  const Cycle left = stretch.until - stretch.now;
  if (line == InstructionCache::nowhere || left == 0) {
    stretch.first = stretch.end = stretch.at;
    stretch.until = stretch.now;
    return false;
  }
  const Decoded* const words = core_.icache.words_of(line);
  const Decoded* const at = words + pc / 4 % size;
  stretch.first = stretch.at = at;
  stretch.end = words + size;
  stretch.line = line;
  if (left < size) [[unlikely]]
    stretch.end = std::min(stretch.end, at + left);
  return true;
}

/// At the end of a cached line the stretch goes on into the next; false if it cannot.
template <class Bus>
[[gnu::always_inline]] inline bool Engine<Bus>::go_on(Stretch& stretch) {
  constexpr unsigned size = InstructionCache::words_per_line;
  if (stretch.now + size <= stretch.until && core_.icache.goes_on(stretch.line)) {
    stretch.end += size;
    ++stretch.line;
    return true;
  }
  return stretch.now < stretch.until && enter(stretch, stretch.place());
}

/// Nothing enters before `to`, which is_far_from_horizon().
template <class Bus>
[[gnu::always_inline]] inline void Engine<Bus>::stall_straight(Stretch& stretch, CoreStall reason, Cycle to) {
  const Cycle cycles = to - stretch.now;
  if (notes_time()) {
    note_straight(stretch, stretch.place());
    add_span(event::CoreSpan::Kind::held, reason, stretch.place(), cycles);
  }
  stretch.now = to;
  stretch.start += cycles;
  if (stretch.until != horizon_) [[unlikely]]
    stretch.until = std::min(stretch.until + cycles, horizon_);
  core_.account[reason] += cycles;
}

/// Whether a line that is entered in `cycle` may be gone through without looking at the clock. It is not if that is never.
template <class Bus>
[[gnu::always_inline]] inline bool Engine<Bus>::is_far_from_horizon(Cycle cycle) const {
  return cycle < settings_.far_until;
}

/// Waits for operands, which are among the registers `late`; false if somebody else has to look. What an instruction does
/// not have is register 0, which is always ready.
template <class Bus>
[[gnu::always_inline]] inline bool Engine<Bus>::wait_straight(Stretch& stretch, std::uint32_t late) {
  const Instruction& in = stretch.at->instruction;
  if (stretch.at->way == Way::none) return false;  // others do not have their operands where these have them
  const Cycle sources = std::max(core_.ready[in.rs1], core_.ready[in.rs2]);
  const Cycle result = core_.ready[in.rd];
  if (!is_far_from_horizon(std::max(sources, result))) return false;
  if (sources > stretch.now) stall_straight(stretch, CoreStall::operand, sources);
  core_.pending_x &= ~late;
  if (result > stretch.now) [[unlikely]]
    core_.pending_x |= 1U << in.rd;
  return true;
}

/// True if the branch has been executed here; the stretch goes on at its target.
template <class Bus>
[[gnu::always_inline]] inline bool Engine<Bus>::branch_straight(Stretch& stretch, bool is_taken) {
  const Instruction& in = stretch.at->instruction;
  const std::uint32_t passed = stretch.passed();
  const std::uint32_t pc = stretch.pc + 4 * passed;
  const std::uint32_t target = pc + static_cast<std::uint32_t>(in.imm);
  if (!core_.predictor.is_sure(settings_.learns_branches, pc, target, is_taken)) return false;
  if (!is_taken) {
    stretch.pass();
    return true;
  }
  if (in.op == Op::jal) write_x(in.rd, pc + 4);
  ++stretch.now;
  note_straight(stretch, pc + 4);
  if (target <= pc && (--core_.spin.countdown == 0 || target == pc)) [[unlikely]] {
    stretch.pc = target;
    stretch.first = stretch.end = stretch.at;
    settle(stretch);
    core_.spin.countdown = 1;
    arrive_at(target, pc);
    settings_ = settings();
    stretch.until = core_.clock;
    if (core_.status != Core::Status::running || yields_) return true;
    stretch.until = end_of_room();
  }
  enter(stretch, target);
  return true;
}

/// The value of a load can be used from `ready` on; there is a register for it.
template <class Bus>
[[gnu::always_inline]] inline bool Engine<Bus>::loaded_straight(unsigned rd, std::uint32_t value, Cycle ready) {
  core_.x[rd] = value;
  core_.ready[rd] = ready;
  core_.pending_x |= 1U << rd;
  if (ready > core_.loads_back) core_.loads_back = ready;
  return true;
}

template <class Bus>
[[gnu::always_inline]] inline std::uint32_t Engine<Bus>::word_straight(std::uint32_t address) const {
  std::uint32_t word = 0;
  std::memcpy(&word, settings_.l1 + address, sizeof word);
  return word;
}

/// Whether a load may read L1 now; if not, the core has to wait for its turn.
template <class Bus>
[[gnu::always_inline]] inline bool Engine<Bus>::reads_straight(std::uint32_t address, Cycle now) {
  if (is_read_ahead(address, now) || may_read(address, now)) return true;
  core_.waits_to_read = yields_ = true;
  return false;
}

/// A load that finds its word in a line of the L0 cache.
template <class Bus>
[[gnu::always_inline]] inline bool Engine<Bus>::hit_straight(const Instruction& in, std::uint32_t address,
                                                             std::uint32_t line, Place place) {
  if (core_.l0.awaits_word(line, address) || !reads_straight(address, place.now)) return false;
  const std::uint32_t there = word_straight(address);
  if (core_.l0.word(line, address) != there) return false;  // to be reported
  note_load(in, there, address, place);
  count_l0_hit();
  return loaded_straight(in.rd, there, place.now + timing_.load_l0_hit);
}

template <class Bus>
[[gnu::always_inline]] inline bool Engine<Bus>::load_straight(const Stretch& stretch) {
  Core& core = core_;
  const Instruction& in = stretch.at->instruction;
  const Place place = place_of(stretch);
  const Cycle now = stretch.now;
  const std::uint32_t address = core.x[in.rs1] + static_cast<std::uint32_t>(in.imm);
  if (address % 4 != 0) return false;
  if (address >= settings_.plain_loads) {
    const std::uint32_t at = address - local_ram_base;
    if (at >= core.local_bytes || now < core.local_ready) return false;
    std::uint32_t value = 0;
    std::memcpy(&value, core.local_ram.data() + at, sizeof value);
    return loaded_straight(in.rd, value, now + timing_.load_local);
  }
  if (settings_.caches_loads)
    if (const std::uint32_t line = core.l0.line_of(address); line != L0Cache::nowhere)
      return hit_straight(in, address, line, place);
  // Of the block, by the core itself. The word is not among them; a line of the L0 cache shows later what it got of them.
  const std::uint32_t to_come = core.stores.bytes_to_come(address);
  if ((to_come >> address % QueuedStore::block_bytes & 0xFU) != 0 || core.load_slots.free_from() > now) return false;
  if (!reads_straight(address, now)) return false;
  const std::uint32_t there = word_straight(address);
  note_load(in, there, address, place);
  if (settings_.caches_loads) core.l0.fill(address, settings_.l1 + QueuedStore::block_of(address), to_come, now);
  bus_.takes_port(core, now);
  core.load_slots.take(now, timing_.load_l1);
  return loaded_straight(in.rd, there, now + timing_.load_l1);
}

/// A place in the queue, or in its youngest entry, perhaps after waiting for it; false if somebody else has to look. Whether the
/// oldest entry has left matters only where there is no room behind it, or where the store would go into it.
template <class Bus>
[[gnu::always_inline]] inline bool Engine<Bus>::find_place_straight(Stretch& stretch, bool may_merge) {
  StoreQueue& stores = core_.stores;
  pass_left(stretch.now);
  if (may_merge) {
    ask_port();
    yields_ = stretch.now > stores.next_drain();  // it has to leave first, or be seen to stay
    return !yields_ && !stores.full();
  }
  if (!stores.full()) return true;
  if (stores.front().target != Target::local) {
    wait_for_drain(CoreStall::store_queue);  // for no time, if it has left by now, which is not known yet
    return false;
  }
  const Cycle leaves = stores.front_from();
  if (!is_far_from_horizon(leaves + 1)) return false;
  stall_straight(stretch, CoreStall::store_queue, leaves + 1);
  stores.pass_local(leaves + 1);
  return true;
}

/// What the store queue takes a word of L1 for: into its youngest entry, or one of its own.
template <class Bus>
[[gnu::always_inline]] inline void Engine<Bus>::store_l1_straight(const Stretch& stretch, std::uint32_t address,
                                                                  std::uint32_t value, bool merges) {
  if (merges)
    core_.stores.merge(address, value, 4);
  else
    core_.stores.push_block(QueuedStore::block_of(address), stretch.place(), stretch.now + 1, settings_.merge_timer)
        .add_bytes(address, value, 4);
  if constexpr (Bus::is_observed) {
    if (!merges) core_.stores.start_count();
    core_.stores.count_merged();
  }
  if (timing_.has_l0) core_.l0.flush_line(address);
}

template <class Bus>
[[gnu::always_inline]] inline bool Engine<Bus>::store_straight(Stretch& stretch) {
  Core& core = core_;
  StoreQueue& stores = core.stores;
  const Instruction& in = stretch.at->instruction;
  const std::uint32_t address = core.x[in.rs1] + static_cast<std::uint32_t>(in.imm);
  if (address % 4 != 0 || stores.is_blocked()) return false;
  const std::uint32_t value = core.x[in.rs2];
  if (address < settings_.plain_stores) {
    const bool merges = settings_.merges_stores && stores.can_merge(address);
    // Entries that have left by now are only looked at if they have to make room, or are somebody else's.
    if ((stores.full() || merges || stores.front_is_push()) && !find_place_straight(stretch, merges)) return false;
    store_l1_straight(stretch, address, value, merges);
  } else {
    const std::uint32_t at = address - local_ram_base;
    const bool is_local = at < core.local_bytes;
    if (settings_.plain_stores == 0 || (!is_local && !pushes_to_coprocessor(address, 4)) ||
        stretch.now < core.local_ready)
      return false;
    if (!stores.empty() && !find_place_straight(stretch, false)) return false;
    if (!is_local)
      stores.push_words(address, 1, stretch.place(), stretch.now, [value](unsigned) { return value; });
    else if (!stores.empty())
      stores.push_local(stretch.now + 1);
    if (is_local) std::memcpy(core.local_ram.data() + at, &value, sizeof value);
  }
  if constexpr (Bus::is_observed) note_store(address, value, 4, place_of(stretch));
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
  if (timing_.mul_blocks) {
    stall_straight(stretch, CoreStall::divide, stretch.now + timing_.mul_latency - 1U);
    if (!is_far_from_horizon(stretch.now)) stretch.end = stretch.at + 1;
  }
  return Step::pass;
}

/// Words for the coprocessor; false if the core has been told to wait, or somebody else has to look.
template <class Bus>
[[gnu::always_inline]] inline bool Engine<Bus>::push_straight(Stretch& stretch) {
  if (stretch.at->kind != Kind::ttinsn || settings_.plain_stores == 0) return false;
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
  stretch.at += count;
  stretch.first = stretch.at;
  ++stretch.now;  // those that are fused take one place
  note_straight(stretch, pc + 4);
  if (stretch.at > stretch.end || stretch.now >= stretch.until) stretch.end = stretch.at;
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
    case Way::load_word: return passed(load_straight(stretch));
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
  Stretch stretch{};
  settings_ = settings();
  stretch.now = stretch.start = core_.clock;
  stretch.until = end_of_room();
  enter(stretch, core_.pc);
  while (stretch.at != stretch.end || go_on(stretch)) {
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
