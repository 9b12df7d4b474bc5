// Access lists for whole tiles of BF16: unpack two from L1, multiply or add them, pack the result. They show which
// configuration a data path test needs, and run on a reference and on our tile alike.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "reference/access_list.hpp"

namespace tensim::reference {

inline constexpr unsigned tile_datums = 32 * 32;
inline constexpr std::uint32_t tile_bytes = tile_datums * 2;

/// Configures unpackers, Matrix Unit and packer; resets counters and semaphores. To be run once, before all else.
AccessLists tile_set_up(Arch arch);

enum class TileOperation : std::uint8_t { multiply, add };

/// Adds a tile to the lists: out = left x right, or left + right. Addresses are multiples of 16. A tile is four faces of
/// 16x16, one behind the other.
void add_tile(AccessLists& lists, Arch arch, TileOperation operation, std::uint32_t left, std::uint32_t right,
              std::uint32_t out);

/// A tile from Dst row 0 on to L1, when MATH_PACK says that it is there. A PACR takes four rows on Blackhole, a face on
/// Wormhole; after it Y is 4 further, or Z is 1 further.
std::string pack_text(Arch arch);
std::string pack_set_up_text(Arch arch);

/// The words of some assembly. It must be free of errors: it is ours.
std::vector<isa::Word> assembled(Arch arch, std::string_view text);

}  // namespace tensim::reference
