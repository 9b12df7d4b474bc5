// Which cores are held in reset, and where they start when they are let go (SoftReset.md).
#pragma once

#include "tensix/coprocessor.hpp"
#include "tile/access.hpp"

namespace tensim::tile {

struct Devices;

bool in_reset(const Devices& devices, CoreId core);
void set_in_reset(Devices& devices, CoreId core, bool held);
std::uint32_t reset_pc(const Devices& devices, const tensix::Coprocessor& coprocessor, CoreId core);
bool keeps_local_ram(const Devices& devices, CoreId core);

}  // namespace tensim::tile
