// Why a core did not execute an instruction in a cycle. Every cycle of a core has exactly one of these.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "arch/named_rows.hpp"

namespace tensim::event {

/// Why a core does not execute an instruction.
enum class CoreStall : std::uint8_t {
  none,          // it does
  operand,       // a load or a product has not come back
  load_slots,    // four loads under way
  retire_queue,  // the oldest load holds up retirement
  store_queue,   // full, or a load needs what is in it
  branch,        // wrong guess
  fetch,         // not in the instruction cache
  divide,        // multiply or divide occupies the unit
  barrier,       // fence, CSR or atomic
  in_reset,
  local_clear,  // Blackhole: the local RAM clears itself after reset
  parked,       // a jump to itself: its program has ended. Only profiles tell this from executing
};
inline constexpr NamedRows core_stall_rows{std::array{
    NamedRow{CoreStall::none, "executing"},
    NamedRow{CoreStall::operand, "operand"},
    NamedRow{CoreStall::load_slots, "load_slots"},
    NamedRow{CoreStall::retire_queue, "retire_queue"},
    NamedRow{CoreStall::store_queue, "store_queue"},
    NamedRow{CoreStall::branch, "branch"},
    NamedRow{CoreStall::fetch, "fetch"},
    NamedRow{CoreStall::divide, "divide"},
    NamedRow{CoreStall::barrier, "barrier"},
    NamedRow{CoreStall::in_reset, "in_reset"},
    NamedRow{CoreStall::local_clear, "local_clear"},
    NamedRow{CoreStall::parked, "parked"},
}};
static_assert(core_stall_rows.cover(CoreStall::parked));
inline constexpr std::size_t core_stall_count = core_stall_rows.count;

constexpr std::string_view name(CoreStall stall) {
  return core_stall_rows.name(stall);
}

}  // namespace tensim::event
