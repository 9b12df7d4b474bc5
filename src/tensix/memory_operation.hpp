// What the mover, or TDMA-RISC itself, does to memories: whoever has them all carries it out when it is due. Pages:
// Mover.md, TDMA-RISC.md.
#pragma once

#include <array>
#include <cstdint>

#include "arch/sizes.hpp"
#include "tensix/types.hpp"

namespace tensim::tensix {

struct UnitTiming;

struct MemoryOperation {
  static constexpr std::uint32_t unit_bytes = size_of_both("mover_unit_bytes"_size);

  enum class Source : std::uint8_t { l1, zeros, value };
  enum class Target : std::uint8_t { l1, config, iram, nowhere };
  Cycle due = 0;  // seen from the next cycle on
  Source source = Source::l1;
  Target target = Target::l1;
  std::uint8_t who = 0;    // of XMOV: the thread; of TDMA-RISC: as event::Moved has it
  std::uint32_t from = 0;  // bytes, as all of these
  std::uint32_t to = 0;
  std::uint32_t size = 0;
  std::array<std::uint32_t, 2> value{};
};

/// What the mover is told: addresses and size in units of 16 bytes.
struct MoveOrder {
  enum Direction : std::uint8_t { zeros_to_l1, l1_to_l0, zeros_to_l0, l1_to_l1 };
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  std::uint32_t size = 0;
  std::uint32_t direction = zeros_to_l1;
};

/// "L0" is configuration below 64 KiB, Wormhole's NCRISC IRAM from 256 KiB on, and nothing elsewhere.
MemoryOperation plan_move(const MoveOrder& order);

/// How long the mover takes for it.
Cycle move_cycles(const UnitTiming& timing, const MemoryOperation& operation);

/// A source or a target that ends outside its memory: the pages leave it undefined.
bool leaves_memory(Arch arch, const MemoryOperation& operation);

}  // namespace tensim::tensix
