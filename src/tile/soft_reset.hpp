// Soft reset: which cores are held, where they start, and what a change of SOFT_RESET_0 does to the rest of the tile.
// What it does to a core itself is the core's business. Page: SoftReset.md.
#pragma once

#include "tile/devices.hpp"

namespace tensim::tile {

bool in_reset(const Devices& devices, CoreId core);

/// The core's pc when it leaves soft reset. Blackhole: registers of this block; Wormhole: backend configuration.
std::uint32_t reset_pc(const Devices& devices, const tensix::Coprocessor& coprocessor, CoreId core);

/// Blackhole's DISABLE_RESET: soft reset leaves the core's local RAM as it is.
bool keeps_local_ram(const Devices& devices, const tensix::Coprocessor& coprocessor, CoreId core);

/// False if the change would abort work of a unit whose reset is not modelled: unpackers, packers, Matrix and Vector
/// Unit, Scalar Unit, mover.
bool can_soft_reset(const Devices& devices, const tensix::Coprocessor& coprocessor, std::uint32_t after);
void apply_soft_reset(Devices& devices, tensix::Coprocessor& coprocessor, std::uint32_t before, std::uint32_t after);

}  // namespace tensim::tile
