// The tile's control, debug and status registers: soft reset, where cores start, the wall clock, the PCBufs' overrides,
// the debug bus's way into the instruction FIFOs. debug_registers.hpp lists them; most only hold what was written.
// Pages: TileControlDebugStatus.md, SoftReset.md, DebugTimestamper.md, PushTensixInstruction.md.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "arch/debug_registers.hpp"
#include "arch/sizes.hpp"
#include "tile/access.hpp"

namespace tensim::tile {

/// The register's word within the block; a misspelt name does not compile.
consteval std::size_t debug_word(std::string_view name) {
  for (const DebugRegister& row : debug_registers)
    if (row.name == name) return (row.address - debug_registers[0].address) / 4;
  throw "no row of this name in debug_registers";
}

struct TileControl {
  static constexpr std::uint32_t base = debug_registers[0].address;
  static constexpr std::size_t word_count = debug_word("CG_KICK") + 1;
  static constexpr std::uint32_t soft_reset_address = base + 4 * static_cast<std::uint32_t>(debug_word("SOFT_RESET_0"));
  static constexpr std::uint32_t all_cores_held = size_of_both("soft_reset_initial"_size);

  std::array<std::uint32_t, word_count> words = initial();
  std::uint32_t wall_clock_high = 0;  // latched by the last read of the low half

  std::uint32_t soft_reset() const { return words[debug_word("SOFT_RESET_0")]; }
  std::uint32_t pc_buf_override() const { return words[debug_word("TRISC_PC_BUF_OVERRIDE")]; }
  /// The debug bus has taken the thread's second FIFO: what cores push is lost.
  bool debug_bus_has(unsigned thread) const { return (words[debug_word("INSTRN_BUF_CTRL0")] >> thread & 1U) != 0; }

  static constexpr std::array<std::uint32_t, word_count> initial() {
    std::array<std::uint32_t, word_count> words{};
    words[debug_word("SOFT_RESET_0")] = all_cores_held;
    words[debug_word("TIMESTAMP_DUMP_CNTL")] = 3;
    return words;
  }
};

/// SOFT_RESET_0's bit of a core.
constexpr std::uint32_t reset_bit(CoreId core) {
  return core == CoreId::ncrisc ? 1U << 18U : 1U << (11U + static_cast<unsigned>(core));
}

/// The register at the address; null if there is none.
const DebugRegister* find_debug_register(Arch arch, std::uint32_t address);

}  // namespace tensim::tile
