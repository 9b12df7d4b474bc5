// What an NIU says of itself, in registers that cannot be written or that firmware has written. Page: NoC/MemoryMap.md of
// either chip (noc 1).
#pragma once

#include <cstdint>

#include "noc/floor_plan.hpp"

namespace tensim::noc {

/// NOC_NODE_ID: raw coordinates on its NoC. Bits 26 and 27, which are about virtual channels, are 0 (*assumed*).
std::uint32_t node_id(const FloorPlan& plan, Coordinates tile, unsigned noc);

/// NOC_ENDPOINT_ID: the kind of tile, and its number among those. That numbers are those of the page's pictures is *assumed*; so
/// is that Blackhole's tiles that are nothing but routers say what its PCIe tiles do, with number 0.
std::uint32_t endpoint_id(const FloorPlan& plan, Coordinates tile, unsigned noc);

/// NOC_ID_LOGICAL as firmware leaves it: translated coordinates.
std::uint32_t logical_id(const FloorPlan& plan, Coordinates tile);

}  // namespace tensim::noc
