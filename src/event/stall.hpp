// Why a thread's gate did not let an instruction through in a cycle. Every held cycle has exactly one of these.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "arch/named_rows.hpp"

namespace tensim::event {

enum class Stall : std::uint8_t {
  issued,             // not held at all: an instruction passed
  empty,              // nothing at the gate: the frontend has not delivered
  latched_wait,       // a latched STALLWAIT, SEMWAIT or STREAMWAIT catches it
  semaphore_group,    // the one semaphore operation of the cycle was another's
  mutex_held,         // ATGETM: another thread holds the mutex
  mutex_contended,    // the one operation of the cycle on this mutex was another's
  mutex_invalid,      // no such mutex: for ever
  gate_closed,        // Wormhole: the thread's own scalar instruction or RDCFG is not done
  address_phase,      // the thread's own UNPACR is computing its address
  src_a_not_valid,    // the Matrix Unit does not own its SrcA bank
  src_b_not_valid,    // likewise SrcB
  port_contended,     // the unit took another thread's instruction
  unit_busy,          // the unit cannot take an instruction yet
  matrix_exclusive,   // an earlier MOV or SHIFTXB bars this instruction for some cycles
  dst_hazard,         // the Dst block was written too recently
  config_order,       // Configuration Unit: its pipeline, or the cycle after RDCFG or WRCFG
  vector_dependency,  // Blackhole: a result of the previous cycle is not ready
  mover_busy,         // XMOV: the mover cannot start yet
  auto_ttsync,        // Blackhole: an earlier access of the T core has not been processed
};

inline constexpr NamedRows stall_rows{std::array{
    NamedRow{Stall::issued, "issued"},
    NamedRow{Stall::empty, "empty"},
    NamedRow{Stall::latched_wait, "latched_wait"},
    NamedRow{Stall::semaphore_group, "semaphore_group"},
    NamedRow{Stall::mutex_held, "mutex_held"},
    NamedRow{Stall::mutex_contended, "mutex_contended"},
    NamedRow{Stall::mutex_invalid, "mutex_invalid"},
    NamedRow{Stall::gate_closed, "gate_closed"},
    NamedRow{Stall::address_phase, "address_phase"},
    NamedRow{Stall::src_a_not_valid, "src_a_not_valid"},
    NamedRow{Stall::src_b_not_valid, "src_b_not_valid"},
    NamedRow{Stall::port_contended, "port_contended"},
    NamedRow{Stall::unit_busy, "unit_busy"},
    NamedRow{Stall::matrix_exclusive, "matrix_exclusive"},
    NamedRow{Stall::dst_hazard, "dst_hazard"},
    NamedRow{Stall::config_order, "config_order"},
    NamedRow{Stall::vector_dependency, "vector_dependency"},
    NamedRow{Stall::mover_busy, "mover_busy"},
    NamedRow{Stall::auto_ttsync, "auto_ttsync"},
}};
static_assert(stall_rows.cover(Stall::auto_ttsync));
inline constexpr std::size_t stall_count = stall_rows.count;

constexpr std::string_view name(Stall stall) {
  return stall_rows.name(stall);
}

/// How many cycles each thread spent how.
struct StallAccount {
  std::array<std::uint64_t, stall_count> cycles{};
  std::uint64_t& operator[](Stall stall) { return cycles[static_cast<std::size_t>(stall)]; }
  std::uint64_t operator[](Stall stall) const { return cycles[static_cast<std::size_t>(stall)]; }
  bool operator==(const StallAccount&) const = default;
};

}  // namespace tensim::event
