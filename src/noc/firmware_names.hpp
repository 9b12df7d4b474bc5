// What the card's firmware makes of a floor plan: translation tables, and names for tiles. Blackhole's firmware is public
// (tt-zephyr-platforms, bh_arc/noc_init.c); Wormhole's tables are in NoC/Coordinates.md.
#pragma once

#include <optional>
#include <span>

#include "noc/floor_plan.hpp"

namespace tensim::noc {

/// What firmware writes into every NIU of `noc`.
Translation firmware_translation(const FloorPlan& plan, unsigned noc);

/// A block of coordinates that names tiles: of one kind, or of every kind.
struct NameBlock {
  std::optional<TileKind> kind;
  Coordinates first;
  Coordinates last;
};
/// Blocks for both NoCs. A tile in none of them has no name but its raw coordinates.
std::span<const NameBlock> name_blocks(Arch arch);

/// Whether coordinates that lead to the tile are meant to: raw ones, or its name. Tables have an entry for every number, so
/// others lead somewhere, too.
bool is_meant(const FloorPlan& plan, Coordinates given, Coordinates raw);

}  // namespace tensim::noc
