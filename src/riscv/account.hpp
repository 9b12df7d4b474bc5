// Where a core's cycles went: every cycle has exactly one of these.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

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
inline constexpr std::array<std::string_view, 11> core_stall_names{
    "executing", "operand", "load_slots", "retire_queue", "store_queue", "branch",
    "fetch",     "divide",  "barrier",    "in_reset",     "local_clear"};
inline constexpr std::size_t core_stall_count = core_stall_names.size();

/// How many cycles a core spent how.
struct CoreAccount {
  std::array<std::uint64_t, core_stall_count> cycles{};
  std::uint64_t& operator[](CoreStall stall) { return cycles[static_cast<std::size_t>(stall)]; }
  std::uint64_t operator[](CoreStall stall) const { return cycles[static_cast<std::size_t>(stall)]; }
  bool operator==(const CoreAccount&) const = default;
};

}  // namespace tensim::riscv
