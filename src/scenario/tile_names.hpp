// Tiles as users name them, in scenarios and on the command line: "0,0", "0-3,1", "all", several with spaces between them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "noc/floor_plan.hpp"

namespace tensim::scenario {

/// The tiles that the text names, logical coordinates, row by row; or why it names none.
struct NamedTiles {
  std::vector<noc::Coordinates> tiles;
  std::string problem;
};
NamedTiles named_tiles(const noc::FloorPlan& plan, std::string_view text);

/// Tiles in the same words, blocks of them as ranges: "0-3,0-3 5,2".
std::string tile_list(std::vector<noc::Coordinates> tiles);

}  // namespace tensim::scenario
