// Access lists that put any 32 bits into the lanes of the Vector Unit and bring any 32 bits back: two tiles of words
// are unpacked to Dst, loaded lane by lane, worked on, stored, and packed. Nothing on the way looks at what the words
// mean.
#pragma once

#include <cstdint>
#include <string_view>

#include "reference/access_list.hpp"

namespace tensim::reference {

inline constexpr std::uint32_t vector_tile_words = 32 * 32;
inline constexpr std::uint32_t vector_tile_bytes = vector_tile_words * 4;

/// Configures everything for 32-bit words. To be run once, before all else.
AccessLists vector_set_up(Arch arch);

/// Adds 1024 lanes to the lists, 32 at a time: L0 and L1 from `left` and `right`, then `operation` (assembly; on
/// Wormhole with the SFPNOPs it needs), then L0 to `out`. Word i of `left` meets word i of `right`.
void add_vectors(AccessLists& lists, Arch arch, std::string_view operation, std::uint32_t left, std::uint32_t right,
                 std::uint32_t out);

}  // namespace tensim::reference
