// Programs that take a probe's time on a tile as the cards' programs did (docs/hardware/silicon.md): threads meet at a
// barrier in L1, each reads the wall clock, goes round a loop, and reads it again. Emitted word by word, in the order a
// compiler gives them.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "arch/arch.hpp"
#include "tests/support/riscv_words.hpp"
#include "tile/access.hpp"

namespace tensim::silicon {

inline constexpr unsigned thread_count = 3;
using Code = std::vector<rv::Word>;

/// One timed loop per entry of `trips`, on every thread of `active`.
struct GuestProbe {
  std::array<Code, thread_count> body;  // of the loop, all copies of it
  unsigned active = 0b010;
  std::vector<unsigned> trips{};
  bool drains_before = false;                  // tensix_sync() between barrier and clock
  bool drains_after = false;                   // tensix_sync() before the clock is read again
  unsigned setup = 3;                          // instructions between the first reading of the clock and the loop
  std::array<unsigned, thread_count> delay{};  // cycles from the barrier to the clock, more than the others
  bool needs_src = false;                      // Src banks belong to the Matrix Unit
  bool walks_dst = false;                      // T1's ADDR_MOD_0 as a matmul leaves it
};

/// The clock's differences, by thread and in the order of `trips`.
using Times = std::array<std::vector<std::uint32_t>, thread_count>;
Times run(Arch arch, const GuestProbe& probe);

/// What a core's firmware does without work: it polls a word of L1. How often is fitted to what the stores of others
/// lose to it (B, NC and T0 share a port, T1 and T2 another; docs/hardware/silicon.md).
Code idle_program(Arch arch, tile::CoreId core);

/// `copies` of `code`, one behind the other.
Code repeat(unsigned copies, const Code& code);
Code operator+(Code first, const Code& second);
/// Any value into a register.
Code load_immediate(rv::Word rd, std::uint32_t value);

/// Where a thread's own 2 KiB of L1 are, and registers that bodies of probes use.
namespace guest {
inline constexpr std::uint32_t idle_code = 0x8000;  // programs of idle cores, 256 bytes each
inline constexpr std::uint32_t scratch_bytes = 2048;
constexpr std::uint32_t scratch(unsigned thread) {
  return 0x40000 + thread * scratch_bytes;
}
inline constexpr unsigned ring_nodes = 64;
inline constexpr unsigned ring_stride = 16;
inline constexpr std::uint32_t stack_node = 0xFFB00100;  // two words of local RAM that point at each other

inline constexpr rv::Word factor = rv::a4;       // 3
inline constexpr rv::Word dividend = rv::a6;     // 0x12345678
inline constexpr rv::Word toggle = rv::a7;       // 0 and 1 in turn
inline constexpr rv::Word base = rv::s7;         // scratch()
inline constexpr rv::Word chase = rv::s8;        // goes round the ring in scratch()
inline constexpr rv::Word stack_chase = rv::s9;  // goes round the stack nodes
inline constexpr rv::Word quotient = rv::t3;
inline constexpr std::uint32_t large_dividend = 0x12345678;

/// What tt-metal's firmware sets on Blackhole: no L0 data cache, no fusion of .ttinsn.
inline constexpr std::uint32_t firmware_cfg0 = 0x60008;
inline constexpr rv::Word cfg0 = 0x7C0;
}  // namespace guest

}  // namespace tensim::silicon
