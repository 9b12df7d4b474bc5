// Where a core's cycles went: every cycle has exactly one of these.
#pragma once

#include <array>
#include <cstdint>

#include "event/core_stall.hpp"

namespace tensim::riscv {

using event::core_stall_count;
using event::core_stall_rows;
using event::CoreStall;

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
