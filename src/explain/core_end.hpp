// What ended a core's program for good, with the calls that led there.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "program/source_map.hpp"
#include "riscv/core.hpp"
#include "tile/tile.hpp"

namespace tensim::explain {

/// A tile that coordinates lead to.
struct LedTo {
  noc::TileKind kind = noc::TileKind::tensix;
  std::optional<noc::Coordinates> worker = {};  // as Tensix tiles that work are counted: noc::worker()
};

/// What the registers of a command buffer describe, of which an NIU makes no request.
struct RefusedRequest {
  unsigned noc = 0;
  unsigned buffer = 0;
  noc::CommandRegisters registers = {};
  std::optional<LedTo> targ = {};  // nothing if there is no such tile
  std::optional<LedTo> ret = {};
};

struct CoreEnd {
  tile::CoreId core = tile::CoreId::brisc;
  CoreBit view = B;  // whose rows of the address map are its own: Ethernet tiles have other cores
  riscv::CoreStop stop;
  std::vector<std::uint32_t> stack = {};       // addresses, the innermost first; none without a program's source
  std::optional<RefusedRequest> request = {};  // that the core's last store was to initiate
};

/// `pc`, then where the core's callers go on.
std::vector<std::uint32_t> call_stack(const tile::Tile& tile, tile::CoreId core, std::uint32_t pc,
                                      const program::SourceMap& source);

/// Of a core that has stopped. `source` may be null.
CoreEnd core_end(const tile::Tile& tile, tile::CoreId core, const program::SourceMap* source);

}  // namespace tensim::explain
