// Which tile tt-metal takes for each of its DRAM banks, on each NoC: its `dram_views` (noc 8). A bank of its allocator is a
// memory on Blackhole, half a memory on Wormhole.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "noc/floor_plan.hpp"

namespace tensim::noc {

struct DramView {
  unsigned bank;                                      // the memory, FloorPlan::bank()
  std::array<unsigned, noc_count> worker_endpoint{};  // which of its three tiles Tensix tiles use, on either NoC
  std::array<unsigned, noc_count> eth_endpoint{};     // which Ethernet tiles use
  std::uint64_t address_offset = 0;
};

/// Those of memories that work, in tt-metal's order.
std::vector<DramView> dram_views(const FloorPlan& plan);
/// Of every view.
std::uint64_t dram_view_bytes(Arch arch);
/// The tile, NoC 0's coordinates.
Coordinates worker_endpoint(const FloorPlan& plan, const DramView& view, unsigned noc);

/// A bank as programs on cores name it: counted in the order of names, so that the one that is off is the last.
struct NamedBank {
  Coordinates tile;  // as software on the NoC says it: a name on Blackhole, raw coordinates of that NoC on Wormhole
  std::uint64_t address_offset = 0;
};
unsigned named_banks(const FloorPlan& plan);  // that work
NamedBank named_bank(Arch arch, unsigned bank, unsigned noc);
/// The memory behind it, FloorPlan::bank().
unsigned memory_of_named_bank(const FloorPlan& plan, unsigned bank);

}  // namespace tensim::noc
