// Which cores are held in reset, and where they start when they are let go (SoftReset.md).
#pragma once

#include "tensix/coprocessor.hpp"
#include "tile/access.hpp"

namespace tensim::tile {

struct Devices;

bool in_reset(const Devices& devices, CoreId core);
/// For a host that lets a core go without a store: the register shows it, and nothing else happens.
void set_in_reset(Devices& devices, CoreId core, bool held);
/// Blackhole: registers of the tile's control block; Wormhole: backend configuration.
std::uint32_t reset_pc(const Devices& devices, const tensix::Coprocessor& coprocessor, CoreId core);
/// Wormhole's local RAM outlives soft reset; Blackhole's does if DISABLE_RESET says so.
bool keeps_local_ram(const Devices& devices, CoreId core);

}  // namespace tensim::tile
