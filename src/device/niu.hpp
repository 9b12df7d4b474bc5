// What a tile's network interface units say about themselves: where they are, and that coordinates are translated. The
// host reads it to find out whom it talks to; there is no NoC behind it yet. Pages: NoC/MemoryMap.md of either chip.
#pragma once

#include <cstdint>
#include <optional>

#include "noc/floor_plan.hpp"

namespace tensim::device {

using noc::Coordinates;
using noc::FloorPlan;

/// A register of an NIU.
struct NiuPlace {
  unsigned noc;  // whose NIU
  std::uint32_t offset;
};

/// Which register of the tile's NIUs is at `address` for somebody who comes by `noc`; nothing if it is not a place for NIUs.
std::optional<NiuPlace> niu_place(const FloorPlan& plan, Coordinates raw, unsigned noc, std::uint64_t address);

/// Its value, if it is one that identifies the NIU; nothing for all the others.
std::optional<std::uint32_t> niu_register(const FloorPlan& plan, Coordinates raw, const NiuPlace& place);

}  // namespace tensim::device
