// Where a core's cycles went: every cycle has exactly one of these.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "arch/named_rows.hpp"

namespace tensim::riscv {

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
}};
static_assert(core_stall_rows.cover(CoreStall::local_clear));
inline constexpr std::size_t core_stall_count = core_stall_rows.count;

constexpr std::string_view name(CoreStall stall) {
  return core_stall_rows.name(stall);
}

/// How many cycles a core spent how.
struct CoreAccount {
  std::array<std::uint64_t, core_stall_count> cycles{};
  std::uint64_t& operator[](CoreStall stall) { return cycles[static_cast<std::size_t>(stall)]; }
  std::uint64_t operator[](CoreStall stall) const { return cycles[static_cast<std::size_t>(stall)]; }
  bool operator==(const CoreAccount&) const = default;
  /// What has been added since `before`.
  CoreAccount operator-(const CoreAccount& before) const {
    CoreAccount added;
    for (std::size_t i = 0; i < core_stall_count; ++i)
      added.cycles[i] = cycles[i] - before.cycles[i];
    return added;
  }
};

}  // namespace tensim::riscv
