// TDMA-RISC: a queue of four commands, most of them for the mover, and a few registers beside the packers and unpackers.
// The page is Wormhole's; Blackhole's block is taken to be the same (assumed). Page: TDMA-RISC.md.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "arch/sizes.hpp"
#include "tensix/coprocessor.hpp"
#include "tensix/frontend/fifo.hpp"
#include "tile/access.hpp"
#include "tile/memory_operation.hpp"

namespace tensim::tile {

struct TdmaRisc {
  static constexpr unsigned queue_depth = size_of_both("tdma_command_queue_entries"_size);
  static constexpr unsigned max_parameter_credits = size_of_both("tdma_parameter_credits"_size);

  struct Command {
    std::uint32_t word = 0;
    std::uint32_t mover_base = 0;  // of the core that wrote it, for compact commands (assumed: as it was then)
    std::array<std::uint32_t, 4> params{};
    std::uint8_t who = 0;  // wrote it: as event::Moved has it

    bool is_compact() const { return (word >> 31U) != 0; }
    std::uint32_t opcode() const { return word & 0xFFU; }
  };
  enum Opcode : std::uint8_t { move = 0x40, wait_for_mover = 0x46, write_l1 = 0x66, nop = 0x89 };

  std::array<std::uint32_t, 4> cmd_params{};
  std::array<std::uint32_t, 4> mov_cmd_base{};  // of B, T0, T1, T2; NC reads and writes T0's
  tensix::Fifo<Command, queue_depth> queue;
  tensix::Cycle next = 0;  // when the first of them is looked at
  unsigned parameter_credits = max_parameter_credits;
  std::uint32_t unpack_reg_addr = 0;
  std::uint32_t scaler2 = 0;
  std::uint32_t pack_reg_addr = 0;

  /// What soft reset forgets.
  void reset_commands() {
    queue = {};
    cmd_params = {};
    parameter_credits = max_parameter_credits;
  }
};

/// Takes the first command off the queue, at the end of a cycle; one per cycle (assumed). What it does to memory, if
/// anything, comes back. Nothing happens while it waits for the mover.
std::optional<MemoryOperation> advance(TdmaRisc& tdma, tensix::Coprocessor& coprocessor, Cycle cycle);

/// The next cycle at whose end a command can be taken; `never` if there is none.
Cycle next_event(const TdmaRisc& tdma, const tensix::Coprocessor& coprocessor);

}  // namespace tensim::tile
