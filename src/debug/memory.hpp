// Memory as a debugger sees it through a core's address map. Reading disturbs nothing: devices are asked on a copy, so a
// mailbox keeps its word. What cannot be read (nothing is there, it can only be written, a load would wait) is not read.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "tile/tile.hpp"

namespace tensim::debug {

/// Up to `bytes` bytes from `address` on, as far as they can be read. Stores in the core's own queue count as done: the
/// core would load them so.
std::string read_memory(const tile::Tile& tile, tile::CoreId core, std::uint32_t address, std::size_t bytes);

/// Writes all or nothing, except that a device takes word by word; false if it cannot be done. Devices take whole words;
/// registers that reset cores cannot be written.
bool write_memory(tile::Tile& tile, tile::CoreId core, std::uint32_t address, std::string_view bytes);

/// Whether every core has something of its own at this address.
bool is_private(Arch arch, tile::CoreId core, std::uint32_t address);

}  // namespace tensim::debug
