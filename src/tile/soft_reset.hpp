// Soft reset: what a change of SOFT_RESET_0 does to the tile, beside its cores. Page: SoftReset.md.
#pragma once

#include "tile/devices.hpp"
#include "tile/reset.hpp"

namespace tensim::tile {

/// False if the change would abort work of a unit whose reset is not modelled: unpackers, packers, Matrix and Vector
/// Unit, Scalar Unit, mover.
bool can_soft_reset(const Devices& devices, const tensix::Coprocessor& coprocessor, std::uint32_t after);
void apply_soft_reset(Devices& devices, tensix::Coprocessor& coprocessor, std::uint32_t before, std::uint32_t after);

}  // namespace tensim::tile
