// What a device does to memories that are the tile's: the tile carries it out when it is due, with carry_out().
// Pages: Mover.md, TDMA-RISC.md.
#pragma once

#include <cstdint>
#include <span>

#include "tensix/coprocessor.hpp"
#include "tensix/memory_operation.hpp"

namespace tensim::tile {

using tensix::MemoryOperation;

/// `iram` is Wormhole's NCRISC instruction RAM; empty on Blackhole. False if the operation leaves a memory's bounds.
bool carry_out(const MemoryOperation& operation, tensix::Coprocessor& coprocessor, std::span<std::uint8_t> l1,
               std::span<std::uint8_t> iram);

}  // namespace tensim::tile
