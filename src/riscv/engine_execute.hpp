// Part of engine.hpp: fetching, waiting for operands, and what does not touch memory.
#pragma once

#include "riscv/engine.hpp"

namespace tensim::riscv {

/// One instruction, or the wait in front of it.
template <class Bus>
[[gnu::noinline]] bool Engine<Bus>::step() {
  if (core_.entered() == core_.loads.limit() && !pass_retire_queue()) return true;
  const Decoded* decoded = core_.icache.find(core_.pc);
  if (decoded == nullptr && !fetch(decoded)) return false;
  if (decoded == nullptr) return true;
  if ((decoded->registers & core_.pending_x) != 0 && !operands_are_ready(*decoded)) return true;
  note_uses(decoded->instruction, here());
  return execute(*decoded);
}

// ---- fetch ----

/// False: not its turn, or nothing to fetch. Otherwise `decoded` is set, or the line is there now.
template <class Bus>
bool Engine<Bus>::fetch(const Decoded*& decoded) {
  if (core_.pc % 4 != 0) return stop(CoreStop::Reason::misaligned_jump);
  if (core_.pc < bus_.l1_bytes()) return fill_line();
  const std::optional<Word> word = bus_.fetch(core_, core_.pc);
  if (!word) return stop(CoreStop::Reason::fetch_unmapped);
  uncached_ = riscv::decoded(decode(core_.arch, *word), core_.pc);
  decoded = &uncached_;
  return true;
}

template <class Bus>
bool Engine<Bus>::fill_line() {
  if (!is_its_turn()) return false;
  const std::uint32_t first = core_.pc & ~(InstructionCache::line_bytes - 1);
  const InstructionCache::Line line = core_.icache.replace(core_.pc);
  for (unsigned i = 0; i < InstructionCache::words_per_line; ++i)
    line[i] = riscv::decoded(decode(core_.arch, read_l1(first + 4 * i, 4)), first + 4 * i);
  ++core_.fills;
  // Code is read ahead of what is executed, line behind line, along the guesses.
  constexpr Cycle tenths = 10;
  const Cycle ahead = core_.clock - std::min<Cycle>(core_.clock, timing_.fetch_ahead);
  const Cycle start = std::max(core_.fill_ready_tenths, tenths * std::max(ahead, core_.redirected));
  const bool is_t1 = core_.number == 2;
  core_.fill_ready_tenths = start + (is_t1 ? timing_.fetch_line_t1_tenths : timing_.fetch_line_tenths);
  core_.stall(CoreStall::fetch, core_.fill_ready_tenths / tenths);
  return true;
}

// ---- operands ----

/// If not, the core has been told to wait.
template <class Bus>
bool Engine<Bus>::float_is_ready(unsigned index) {
  const std::uint32_t bit = 1U << index;
  if ((core_.pending_f & bit) == 0) return true;
  const Cycle ready = core_.ready[32 + index];
  if (ready == never) {
    wait_for_answer(CoreStall::operand);
    return false;
  }
  if (ready > core_.clock) {
    core_.stall(CoreStall::operand, ready);
    return false;
  }
  core_.pending_f &= ~bit;
  return true;
}

/// If not, the core has been told to wait: for the last of them.
template <class Bus>
bool Engine<Bus>::operands_are_ready(const Decoded& decoded) {
  const Instruction& in = decoded.instruction;
  const std::uint8_t has = static_cast<std::uint8_t>(operands(in.op) & ~float_operands(in.op));
  const auto bit = [&](std::uint8_t operand, unsigned reg) {
    return (has & operand) == 0 || reg == 0 ? 0U : 1U << reg;
  };
  const std::uint32_t sources = (bit(op_rs1, in.rs1) | bit(op_rs2, in.rs2)) & core_.pending_x;
  // A load that has not been answered would overwrite a later result: that result waits, too (assumed).
  const std::uint32_t result = bit(op_rd, in.rd) & core_.pending_x;
  Cycle latest = result != 0 && core_.ready[in.rd] == never ? never : 0;
  for (std::uint32_t left = sources; left != 0; left &= left - 1)
    latest = std::max(latest, core_.ready[static_cast<unsigned>(std::countr_zero(left))]);
  if (latest == never) {
    wait_for_answer(CoreStall::operand);
    return false;
  }
  if (latest > core_.clock) {
    core_.stall(CoreStall::operand, latest);
    return false;
  }
  core_.pending_x &= ~sources;
  return true;
}

template <class Bus>
bool Engine<Bus>::float_register_is_ready(const Instruction& in, std::uint8_t operand, unsigned index) {
  if ((float_operands(in.op) & operands(in.op) & operand) == 0) return true;
  return float_is_ready(index);
}

template <class Bus>
bool Engine<Bus>::float_operands_are_ready(const Instruction& in) {
  if (core_.pending_f == 0) return true;
  return float_register_is_ready(in, op_rs1, in.rs1) && float_register_is_ready(in, op_rs2, in.rs2) &&
         float_register_is_ready(in, op_rs3, static_cast<unsigned>(in.imm) & 31U);
}

/// If not, the core has been told to wait.
template <class Bus>
bool Engine<Bus>::pass_retire_queue() {
  const LoadInFlight& oldest = core_.loads[0];
  if (!oldest.is_answered()) {
    wait_for_answer(CoreStall::retire_queue);
    return false;
  }
  const bool is_back = oldest.ready <= core_.clock;
  core_.stall(CoreStall::retire_queue, oldest.ready);
  core_.loads.retire(core_.clock);
  return is_back;
}

// ---- execution ----

template <class Bus>
bool Engine<Bus>::execute(const Decoded& decoded) {
  const Instruction& in = decoded.instruction;
  switch (decoded.kind) {
    case Kind::alu:
      alu_result(in);
      core_.x[0] = 0;
      retire_at_once(core_.pc + 4);
      return true;
    case Kind::branch: branch(in); return true;
    case Kind::load:
    case Kind::float_load: return load(in);
    case Kind::store:
      return store(core_.x[in.rs1] + static_cast<std::uint32_t>(in.imm), core_.x[in.rs2], access_bytes(in.op));
    case Kind::ttinsn: return push_tensix(&decoded);
    case Kind::mul: multiply(in); return true;
    case Kind::div: divide(in); return true;
    case Kind::jal: jump(core_.pc + static_cast<std::uint32_t>(in.imm), in.rd, false); return true;
    case Kind::jalr: jump((core_.x[in.rs1] + static_cast<std::uint32_t>(in.imm)) & ~1U, in.rd, true); return true;
    case Kind::csr: return csr(in);
    case Kind::amo: return atomic(in);
    case Kind::fence: return fence();
    case Kind::float_op: float_op(in); return true;
    case Kind::float_store:
      if (!float_operands_are_ready(in)) return true;
      note_float_uses(in);
      return store(core_.x[in.rs1] + static_cast<std::uint32_t>(in.imm), core_.f[in.rs2], access_bytes(in.op));
    case Kind::system:
      if (in.op == Op::ebreak) return stop(CoreStop::Reason::ebreak);
      if (in.op == Op::ecall) return stop(CoreStop::Reason::ecall);
      [[fallthrough]];
    case Kind::vector: return stop_unmodelled(in.op);
    case Kind::undefined: return stop(CoreStop::Reason::undefined_instruction);
  }
  return false;
}

template <class Bus>
void Engine<Bus>::multiply(const Instruction& in) {
  write_x(in.rd, compute(in.op, core_.x[in.rs1], core_.x[in.rs2]));
  mark_pending_x(in.rd, core_.clock + timing_.mul_latency);
  retire_at_once(core_.pc + 4);
  if (timing_.mul_blocks) core_.stall(CoreStall::divide, core_.clock + timing_.mul_latency - 1U);
}

/// Four bits of the dividend at a time: 14 cycles for 12 bits and 33 for 29 are measured (silicon: retirebench div_small,
/// div_large), and between them this rule gives the documented bounds.
template <class Bus>
void Engine<Bus>::divide(const Instruction& in) {
  const std::uint32_t a = core_.x[in.rs1];
  const std::uint32_t b = core_.x[in.rs2];
  const bool is_signed = in.op == Op::div || in.op == Op::rem;
  const bool is_trivial = b <= 1 || (is_signed && a == 0x80000000 && b == ~0U);
  const std::uint32_t magnitude = is_signed && (a >> 31U) != 0 ? 0U - a : a;
  const unsigned steps = (static_cast<unsigned>(std::bit_width(magnitude)) + 3U) & ~3U;
  const auto all = static_cast<std::uint8_t>(steps + (steps < 32 ? 2 : 1));
  const std::uint8_t cycles = is_trivial ? timing_.div_trivial : std::clamp(all, timing_.div_least, timing_.div_most);
  write_x(in.rd, compute(in.op, a, b));
  retire_at_once(core_.pc + 4);
  core_.stall(CoreStall::divide, core_.clock + cycles - 1U);
}

template <class Bus>
void Engine<Bus>::branch(const Instruction& in) {
  const bool is_taken = taken(in.op, core_.x[in.rs1], core_.x[in.rs2]);
  const std::uint32_t target = core_.pc + static_cast<std::uint32_t>(in.imm);
  const bool learns = (core_.csrs.config & cfg0::DisBp) == 0;
  const bool right = core_.predictor.guess(learns, core_.pc, target, is_taken, false);
  go_to(is_taken ? target : core_.pc + 4, right);
}

template <class Bus>
void Engine<Bus>::jump(std::uint32_t target, unsigned rd, bool is_indirect) {
  const bool learns = (core_.csrs.config & cfg0::DisBp) == 0;
  const bool right = core_.predictor.guess(learns, core_.pc, target, true, is_indirect);
  write_x(rd, core_.pc + 4);
  go_to(target, right);
}

template <class Bus>
void Engine<Bus>::go_to(std::uint32_t target, bool right_guess) {
  const std::uint32_t from = core_.pc;
  retire_at_once(target);
  if (!right_guess) {
    core_.stall(CoreStall::branch, core_.clock + timing_.mispredict_bubble);
    core_.redirected = core_.clock;
  }
  if (target > from) return;
  note_step();
  arrive_at(target, from);
}

template <class Bus>
void Engine<Bus>::float_op(const Instruction& in) {
  if (!float_operands_are_ready(in)) return;
  note_float_uses(in);
  const std::uint8_t floats = float_operands(in.op);
  const std::uint32_t a = (floats & op_rs1) != 0 ? core_.f[in.rs1] : core_.x[in.rs1];
  const std::uint32_t c = core_.f[static_cast<unsigned>(in.imm) & 31U];
  const std::uint32_t result = compute_float(in.op, a, core_.f[in.rs2], c, half_format(core_.csrs.config));
  const Cycle ready = core_.clock + timing_.float_latency;
  if ((floats & op_rd) != 0) {
    core_.f[in.rd] = result;
    mark_pending_f(in.rd, ready);
  } else {
    write_x(in.rd, result);
    mark_pending_x(in.rd, ready);
  }
  retire_at_once(core_.pc + 4);
}

/// The next instruction enters when this one has retired; so has every load before it.
template <class Bus>
bool Engine<Bus>::csr(const Instruction& in) {
  const Csr* const named = find_csr(core_.arch, static_cast<std::uint16_t>(in.imm));
  if (named == nullptr) return stop(CoreStop::Reason::no_csr);
  const CsrKind kind = kind_of(*named, is_t_core());
  if (kind == CsrKind::not_modelled) return stop(CoreStop::Reason::not_modelled);
  const bool has_immediate = in.op == Op::csrrwi || in.op == Op::csrrsi || in.op == Op::csrrci;
  const bool writes = in.op == Op::csrrw || in.op == Op::csrrwi || in.rs1 != 0;
  const bool is_status = kind == CsrKind::coprocessor;
  if (is_status && !is_its_turn()) return false;
  const std::uint32_t old =
      is_status ? bus_.status(core_, named->number) : core_.csrs.read(*named, kind, core_.clock, core_.retired);
  if (writes) {
    const std::uint32_t operand = has_immediate ? in.rs1 : core_.x[in.rs1];
    core_.csrs.write(*named, kind, csr_write(in.op, old, operand), core_.clock, core_.retired);
  }
  if (writes || kind != CsrKind::storage) does_not_recur();
  write_x(in.rd, old);
  retire_at_once(core_.pc + 4);
  core_.stall(CoreStall::barrier, core_.clock + timing_.csr_barrier - 1U);
  return true;
}

/// mret and vectors: not of every core, and not modelled on those that have them.
template <class Bus>
bool Engine<Bus>::stop_unmodelled(Op op) {
  const auto core = static_cast<CoreBit>(1U << core_.number);
  const bool has_it = extensions(core_.arch, core).contains(row(op).extension);
  return stop(has_it ? CoreStop::Reason::not_modelled : CoreStop::Reason::no_such_core_instruction);
}

template <class Bus>
bool Engine<Bus>::stop(CoreStop::Reason reason) {
  const std::uint32_t pc = core_.pc;
  const bool is_l1 = pc < bus_.l1_bytes();
  const Word word = pc % 4 != 0 ? 0 : is_l1 ? read_l1(pc, 4) : bus_.fetch(core_, pc).value_or(0);
  core_.status = Core::Status::stopped;
  core_.stop = CoreStop{.reason = reason, .cycle = core_.clock, .pc = pc, .word = word};
  return false;
}

}  // namespace tensim::riscv
