// What the coprocessor does with an instruction that passes the Wait Gate: one row per instruction, in the file of its
// unit. The table isa/ says what an instruction is; these rows say where it goes, how long it stays and what it does.
#pragma once

#include <array>
#include <span>

#include "arch/timing.hpp"
#include "event/stall.hpp"
#include "isa/form.hpp"
#include "tensix/in_flight.hpp"
#include "tensix/releases.hpp"
#include "tensix/types.hpp"
#include "time/doing.hpp"

namespace tensim::tensix {

struct Coprocessor;
class Footprint;

/// The arbiters of the backend (C14).
enum class Port : std::uint8_t {
  none,           // nothing may pass here: undefined, or not modelled
  miscellaneous,  // one per thread and cycle
  thread_config,  // SETC16: one per thread and cycle
  semaphores,     // one per cycle, shared with RISC-V stores
  mutexes,        // one per mutex and cycle
  configuration,
  scalar,
  matrix,
  vector,
  unpackers,
  packers,
  mover,
};
inline constexpr std::size_t port_count = static_cast<std::size_t>(Port::mover) + 1;

/// What the host is at while it executes an instruction that goes there.
constexpr time::Doing doing(Port port) {
  using time::Doing;
  constexpr std::array<Doing, port_count> by_port{
      Doing::gates,  Doing::miscellaneous, Doing::configuration, Doing::gates,     Doing::gates,   Doing::configuration,
      Doing::scalar, Doing::matrix,        Doing::vector,        Doing::unpackers, Doing::packers, Doing::mover};
  return by_port[static_cast<std::size_t>(port)];
}

/// Why a candidate cannot pass, and when that may change by itself (`never`: only if something else happens).
struct Held {
  event::Stall stall = event::Stall::issued;
  Cycle until = never;

  constexpr bool passes() const { return stall == event::Stall::issued; }
};
inline constexpr Held passes{};

struct Candidate {
  Entry entry;
  unsigned thread = 0;
};

/// Instructions accepted in one cycle take effect in this order, and by thread within a turn.
enum class Turn : std::uint8_t {
  sample,  // only samples state others may change in this cycle
  change,  // changes state at once
  supply,  // SETDVALID: a bank given back in the same cycle does not undo it
};

struct Operation {
  using Check = Held (*)(const Coprocessor&, const Candidate&);
  using Execute = void (*)(Coprocessor&, const Candidate&);
  using FootprintOf = void (*)(const Coprocessor&, const Candidate&, Footprint&);

  Port port = Port::none;
  Occupancy occupancy = Occupancy::miscellaneous;
  // Held by a block mask that has any of the first, or all of the second if it is not 0 (isa::Block, ready to test).
  std::uint16_t held_by_any = 0;
  std::uint16_t held_by_all = 0;
  std::uint8_t latency = 1;
  Turn turn = Turn::sample;
  Check check = nullptr;  // conditions of the instruction itself, before arbitration
  Execute execute = nullptr;
  FootprintOf footprint = nullptr;  // what it reads and writes, as of the cycle of its acceptance; no part of the cycle

  bool operator==(const Operation&) const = default;

  bool held_by(std::uint16_t block_mask) const {
    return (block_mask & held_by_any) != 0 || (held_by_all != 0 && (block_mask & held_by_all) == held_by_all);
  }
};

/// A row of a unit's file.
struct OperationRow {
  static constexpr std::size_t one_cycle = static_cast<std::size_t>(-1);
  std::uint8_t opcode;
  Port port;
  Occupancy occupancy;
  std::size_t latency_row = one_cycle;  // "mvmul_latency"_cycles
  Operation::Execute execute = nullptr;
  Operation::Check check = nullptr;
  Turn turn = Turn::sample;
  Operation::FootprintOf footprint = nullptr;
  ReleasesOf releases = nullptr;  // null if nobody ever waits for it
};

using OperationTable = std::array<Operation, 256>;

/// By opcode, from the units' rows.
OperationTable operation_table(const Timing& timing);

/// All places an instruction occupies from its acceptance, as a mask over Occupancy: PACR names several packers.
unsigned occupancies(Arch arch, Word word, Occupancy declared);

namespace units {
std::span<const OperationRow> configuration_operations();
std::span<const OperationRow> matrix_operations();
std::span<const OperationRow> miscellaneous_operations();
std::span<const OperationRow> mover_operations();
std::span<const OperationRow> packer_operations();
std::span<const OperationRow> scalar_operations();
std::span<const OperationRow> sync_operations();
std::span<const OperationRow> unpacker_operations();
std::span<const OperationRow> vector_operations();
}  // namespace units

}  // namespace tensim::tensix
