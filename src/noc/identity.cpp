#include "noc/identity.hpp"

#include <algorithm>
#include <array>

#include "noc/fields.hpp"

namespace tensim::noc {
namespace {

/// Bits 23:16 on Wormhole, 23:8 on Blackhole.
struct EndpointType {
  TileKind kind;
  std::uint32_t wormhole;
  std::uint32_t blackhole;
};
constexpr std::array endpoint_types{
    EndpointType{TileKind::tensix, 1, 0x0100},   EndpointType{TileKind::dram, 8, 0x0800},
    EndpointType{TileKind::ethernet, 2, 0x0200}, EndpointType{TileKind::arc, 5, 0x0500},
    EndpointType{TileKind::pcie, 3, 0x0300},     EndpointType{TileKind::l2cpu, 0, 0x0901},
    EndpointType{TileKind::security, 0, 0x0A00}, EndpointType{TileKind::router, 3, 0x0300},
};
static_assert(std::ranges::all_of(endpoint_types, [](const EndpointType& row) {
  return &row == &endpoint_types[static_cast<std::size_t>(row.kind)];
}));

/// Its place among tiles of its kind in the order of rows.
std::uint32_t place_in_rows(const FloorPlan& plan, Coordinates tile) {
  std::uint32_t count = 0;
  for (std::uint32_t y = 0; y < plan.height(); ++y)
    for (std::uint32_t x = 0; x < plan.width(); ++x) {
      if (Coordinates{x, y} == tile) return count;
      count += plan.kind({x, y}) == plan.kind(tile) ? 1U : 0U;
    }
  return count;
}

/// Wormhole numbers the three tiles of a memory, and has the memory behind the number; Blackhole has the memory alone.
std::uint32_t dram_number(const FloorPlan& plan, Coordinates tile) {
  const auto tiles = plan.bank_tiles(plan.bank(tile));
  const auto port = static_cast<std::uint32_t>(std::ranges::find(tiles, tile) - tiles.begin());
  return on(plan.arch(), port | plan.bank(tile) << 8U, plan.bank(tile));
}

std::uint32_t number(const FloorPlan& plan, Coordinates tile) {
  constexpr std::uint32_t of_pcie = 2;
  constexpr std::uint32_t first_router = 3;  // on Wormhole: any number but that of PCIe, and no two the same
  switch (plan.kind(tile)) {
    case TileKind::tensix: return place_in_rows(plan, tile);
    case TileKind::dram: return dram_number(plan, tile);
    case TileKind::ethernet:
      return static_cast<std::uint32_t>(std::ranges::find(plan.ethernet_tiles(), tile) - plan.ethernet_tiles().begin());
    case TileKind::pcie: return of_pcie;
    case TileKind::l2cpu: return plan.translated(tile).y - 26;  // their names are in order
    case TileKind::router: return on(plan.arch(), first_router + place_in_rows(plan, tile), 0U);
    case TileKind::arc:
    case TileKind::security: return 0;
  }
  __builtin_unreachable();
}

}  // namespace

/// Datelines are the links that join the edges, as in route.hpp (*assumed*: pages do not say where they are).
std::uint32_t node_id(const FloorPlan& plan, Coordinates tile, unsigned noc) {
  const Coordinates own = plan.on_noc(tile, noc);
  return "NODE_X"_node_id.put(own.x) | "NODE_Y"_node_id.put(own.y) | "NOC_WIDTH"_node_id.put(plan.width()) |
         "NOC_HEIGHT"_node_id.put(plan.height()) | "DATELINE_X"_node_id.put(own.x + 1 == plan.width() ? 1 : 0) |
         "DATELINE_Y"_node_id.put(own.y + 1 == plan.height() ? 1 : 0) | "X_FIRST"_node_id.put(noc == 0 ? 1 : 0);
}

std::uint32_t endpoint_id(const FloorPlan& plan, Coordinates tile, unsigned noc) {
  const EndpointType& row = endpoint_types[static_cast<std::size_t>(plan.kind(tile))];
  const std::uint32_t type = on(plan.arch(), row.wormhole << 16U, row.blackhole << 8U);
  return number(plan, tile) | type | noc << 24U;
}

std::uint32_t logical_id(const FloorPlan& plan, Coordinates tile) {
  const Coordinates name = plan.translated(tile);
  return "NODE_X"_node_id.put(name.x) | "NODE_Y"_node_id.put(name.y);
}

}  // namespace tensim::noc
