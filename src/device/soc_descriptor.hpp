// The description of a chip that host software (tt-umd, tt-metal) looks for beside the library it loads: soc_descriptor.yaml.
// Keys: tt-umd, docs/SOC_DESCRIPTOR.md; dram_views and dram_view_size: tt-metal, llrt/metal_soc_descriptor.cpp.
#pragma once

#include <string>

#include "noc/floor_plan.hpp"

namespace tensim::device {

/// tt-umd takes a simulated chip for one of which nothing is off but Blackhole's Ethernet tiles 5 and 8, and works names out
/// from this list alone. So the list is such that it comes to the names that the chip has:
/// - Tensix tiles of Wormhole that work, by NoC 0's coordinates; Blackhole's by their translated names;
/// - memories in the order of their names, all of them, and dram_views for those that work;
/// - Blackhole's Ethernet tiles in the order of their names, with the two that have none in places 5 and 8; no Ethernet tiles
///   at all if they are all off.
std::string soc_descriptor(const noc::FloorPlan& plan);

}  // namespace tensim::device
