// Part of engine.hpp: what a core that is observed says of what it does (event/happening.hpp). Of one that is not, nothing of
// this is left in the code.
#pragma once

#include <bit>

#include "event/happening.hpp"
#include "riscv/engine.hpp"

namespace tensim::riscv {

namespace notes {

inline constexpr unsigned first_float = 32;

constexpr std::uint64_t bit_of(unsigned reg) {
  return std::uint64_t{1} << reg;
}
/// Registers of the instruction's `which` operands, x from bit 0 and f from bit 32 on; x0 is none.
constexpr std::uint64_t registers(const Instruction& in, std::uint8_t which) {
  const std::uint8_t has = static_cast<std::uint8_t>(operands(in.op) & which);
  const std::uint8_t floats = float_operands(in.op);
  const auto one = [&](std::uint8_t operand, unsigned reg) {
    return (has & operand) == 0 ? 0 : bit_of((floats & operand) != 0 ? first_float + reg : reg);
  };
  return (one(op_rd, in.rd) | one(op_rs1, in.rs1) | one(op_rs2, in.rs2) |
          one(op_rs3, static_cast<unsigned>(in.imm) & 31U)) &
         ~std::uint64_t{1};
}
constexpr std::uint64_t all_registers = ~std::uint64_t{0};
constexpr std::uint64_t x_registers = ~0U;
constexpr std::uint8_t sources = op_rs1 | op_rs2 | op_rs3;

constexpr std::uint8_t destination(const Instruction& in) {
  return static_cast<std::uint8_t>((float_operands(in.op) & op_rd) != 0 ? first_float + in.rd : in.rd);
}
constexpr std::uint32_t cut(std::uint32_t value, unsigned bytes) {
  return value & ~0U >> (32 - 8 * bytes);
}

}  // namespace notes

/// The instruction has its operands, whether it is its turn or not; later looks at it find nothing to say any more.
template <class Bus>
[[gnu::always_inline]] inline void Engine<Bus>::note_uses(const Instruction& in, Place place) {
  if constexpr (Bus::is_observed) {
    if (core_.unused == 0) return;
    const std::uint64_t written = kind(in.op) == Kind::float_load ? notes::all_registers : notes::x_registers;
    note_used(notes::registers(in, notes::sources) & notes::x_registers, notes::registers(in, op_rd) & written, place);
  }
}

/// The same of its f registers, which are waited for later.
template <class Bus>
[[gnu::always_inline]] inline void Engine<Bus>::note_float_uses(const Instruction& in) {
  if constexpr (Bus::is_observed) {
    if (core_.unused == 0) return;
    note_used(notes::registers(in, notes::sources) & ~notes::x_registers,
              notes::registers(in, op_rd) & ~notes::x_registers, here());
  }
}

template <class Bus>
void Engine<Bus>::note_used(std::uint64_t registers, std::uint64_t overwritten, Place place) {
  for (std::uint64_t left = registers & core_.unused; left != 0; left &= left - 1)
    bus_.note(core_, place.now, event::Used{name(), static_cast<std::uint8_t>(std::countr_zero(left)), place.pc});
  core_.unused &= ~(registers | overwritten);
}

template <class Bus>
void Engine<Bus>::note_barrier(Place place) {
  bus_.note(core_, place.now, event::Fenced{name()});
}

/// Before an access, which has waited for all that came before it if the core is told to keep order.
template <class Bus>
[[gnu::always_inline]] inline void Engine<Bus>::note_order(Place place) {
  if (notes_order() && core_.csrs.ordering != 0) note_barrier(place);
}

template <class Bus>
[[gnu::always_inline]] inline void Engine<Bus>::note_store(std::uint32_t address, std::uint32_t value, unsigned bytes,
                                                           Place place) {
  if (notes_order()) {
    note_order(place);
    if (address - local_ram_base < core_.local_bytes) return;
    bus_.note(core_, place.now,
              event::Stored{.core = name(),
                            .bytes = static_cast<std::uint8_t>(bytes),
                            .pc = place.pc,
                            .address = address,
                            .value = notes::cut(value, bytes)});
  }
}

template <class Bus>
[[gnu::always_inline]] inline void Engine<Bus>::note_push(const Decoded* first, unsigned count, Place place) {
  if (notes_order()) {
    note_order(place);
    event::Stored store{.core = name(),
                        .count = static_cast<std::uint8_t>(count),
                        .pc = place.pc,
                        .address = timing_.instruction_buffer,
                        .value = static_cast<std::uint32_t>(first->instruction.imm)};
    for (unsigned i = 1; i < count; ++i)
      store.others[i - 1] = static_cast<std::uint32_t>(first[i].instruction.imm);
    bus_.note(core_, place.now, store);
  }
}

/// An answered load, whether from memory or, of a core that has just been woken, from the record of its loop.
template <class Bus>
[[gnu::always_inline]] inline void Engine<Bus>::note_load(const Instruction& in, std::uint32_t raw,
                                                          std::uint32_t address, Place place) {
  if (notes_order()) {
    note_order(place);
    const std::uint8_t to = notes::destination(in);
    bus_.note(core_, place.now,
              event::Loaded{.core = name(),
                            .bytes = static_cast<std::uint8_t>(access_bytes(in.op)),
                            .to = to,
                            .pc = place.pc,
                            .address = address,
                            .value = notes::cut(raw, access_bytes(in.op))});
    if (to != 0) core_.unused |= notes::bit_of(to);
  }
}

/// One that a device did not answer when it was asked first. The core may have gone on past this cycle.
template <class Bus>
[[gnu::always_inline]] inline void Engine<Bus>::note_late_load(const LoadInFlight& load, std::uint32_t raw,
                                                               Cycle cycle) {
  if (notes_order()) {
    const std::uint8_t to = notes::destination({.op = load.op, .rd = load.rd});
    bus_.note_first(core_, cycle,
                    event::Loaded{.core = name(),
                                  .bytes = static_cast<std::uint8_t>(access_bytes(load.op)),
                                  .to = to,
                                  .pc = load.pc,
                                  .address = load.address,
                                  .value = notes::cut(raw, access_bytes(load.op)),
                                  .is_late = true});
    if (to != 0) core_.unused |= notes::bit_of(to);
  }
}

template <class Bus>
[[gnu::always_inline]] inline void Engine<Bus>::note_update(const Instruction& in, std::uint32_t address,
                                                            std::uint32_t found, std::uint32_t left) {
  if (notes_order()) {
    note_barrier(here());
    bus_.note(core_, core_.clock, event::Updated{name(), in.rd, core_.pc, address, found, left});
    if (in.rd != 0) core_.unused |= notes::bit_of(in.rd);
  }
}

}  // namespace tensim::riscv
