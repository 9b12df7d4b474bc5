// The registers of a core as a debugger numbers them: x0 to x31, pc, and on Blackhole f0 to f31 and the CSRs that are
// modelled. The target description that gdb reads is made from the same list.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "tile/tile.hpp"

namespace tensim::debug {

inline constexpr unsigned pc_register = 32;

unsigned register_count(Arch arch);

/// Nothing if there is no such register, or this core does not have it.
std::optional<std::uint32_t> read_register(const tile::Tile& tile, tile::CoreId core, unsigned number);
/// False if it cannot be written.
bool write_register(tile::Tile& tile, tile::CoreId core, unsigned number, std::uint32_t value);

/// target.xml (GDB manual, "RISC-V Features").
std::string target_description(Arch arch);

}  // namespace tensim::debug
