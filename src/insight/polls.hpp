// Loads that poll.
#pragma once

#include <cstdint>
#include <functional>

#include "tile/tile.hpp"

namespace tensim::insight {

/// Whether the load at `pc` of a core polls (order rule 26), by the code in the tile.
using IsPoll = std::function<bool(unsigned core, std::uint32_t pc)>;
/// The tile must stay where it is.
IsPoll polls_of(const tile::Tile& tile);

}  // namespace tensim::insight
