// Soft reset (SoftReset.md): which cores SOFT_RESET_0 holds, where they start when it lets them go, and what a change of it
// does to the rest of the tile. Every way into and out of reset is a store to that register: a core's, the NoC's, and the
// host's Tile::release(), which only says where the core starts.
#pragma once

#include "tile/devices.hpp"

namespace tensim::tile {

/// SOFT_RESET_0's bit of the core; 0 if the tile has no such core, which is held for ever.
std::uint32_t reset_bit(const Devices& devices, CoreId core);
bool in_reset(const Devices& devices, CoreId core);
/// The core's reset vector. Blackhole: registers of the tile's control block; Wormhole: backend configuration.
std::uint32_t reset_pc(const Devices& devices, const tensix::Coprocessor& coprocessor, CoreId core);
/// Wormhole's local RAM outlives soft reset; Blackhole's does if DISABLE_RESET says so.
bool keeps_local_ram(const Devices& devices, CoreId core);

/// False if the change would abort work of a unit whose reset is not modelled: unpackers, packers, Matrix and Vector
/// Unit, Scalar Unit, mover.
bool can_soft_reset(const Devices& devices, const tensix::Coprocessor& coprocessor, std::uint32_t after);
/// What a change of the register does beside the cores themselves, which Tile::apply_tile_control() holds and lets go.
void apply_soft_reset(Devices& devices, tensix::Coprocessor& coprocessor, std::uint32_t before, std::uint32_t after);

}  // namespace tensim::tile
