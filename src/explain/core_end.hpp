// What ended a core's program for good, with the calls that led there.
#pragma once

#include <cstdint>
#include <vector>

#include "program/source_map.hpp"
#include "riscv/core.hpp"
#include "tile/tile.hpp"

namespace tensim::explain {

struct CoreEnd {
  tile::CoreId core = tile::CoreId::brisc;
  riscv::CoreStop stop;
  std::vector<std::uint32_t> stack = {};  // addresses, the innermost first; none without a program's source
};

/// Of a core that has stopped. `source` may be null.
CoreEnd core_end(const tile::Tile& tile, tile::CoreId core, const program::SourceMap* source);

}  // namespace tensim::explain
