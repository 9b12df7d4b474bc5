// What the instruction that a core is about to execute does to memory.
#pragma once

#include <cstdint>
#include <optional>

#include "riscv/instruction.hpp"
#include "tile/tile.hpp"

namespace tensim::debug {

struct EffectiveAccess {
  std::uint32_t address = 0;
  std::uint32_t bytes = 0;
  bool loads = false;
  bool stores = false;

  bool overlaps(std::uint32_t from, std::uint32_t size) const {
    return std::uint64_t{from} < std::uint64_t{address} + bytes && std::uint64_t{address} < std::uint64_t{from} + size;
  }
};

/// The word at `pc`, as memory has it; nothing if no code can be there.
std::optional<riscv::Word> instruction_at(const tile::Tile& tile, std::uint32_t pc);

/// Of the instruction at the core's pc; nothing if it is neither a load nor a store. A .ttinsn stores to the instruction
/// buffer.
std::optional<EffectiveAccess> effective_access(const tile::Tile& tile, const riscv::Core& core);

/// How many .ttinsn from `pc` on may enter as one (Blackhole's T cores): those that stand together in a line of the
/// instruction cache.
unsigned longest_bundle(const tile::Tile& tile, const riscv::Core& core);

}  // namespace tensim::debug
