// Random programs for the cores of a tile, the same for the same seed. They race for a few words of L1, poll what others
// write, talk through every device the tile has, let units transfer from and to L1 while they store there, reset each
// other and write each other's code. Some go on for ever, some
// park, some wait for what never comes: whoever runs them says for how long.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/support/riscv_words.hpp"
#include "tile/tile.hpp"

namespace tensim::test {

struct TileProgram {
  std::array<std::vector<rv::Word>, tile::core_count> cores;  // empty: the core stays in reset
  std::array<std::uint32_t, tile::core_count> routines{};     // what the word of each core's routine adds at first

  /// How unpackers, packers and mover are set up.
  struct Transfers {
    std::uint32_t datums = 1;
    std::uint32_t throttle = 0;
    bool accumulates = false;
  };
  Transfers transfers;

  /// Puts everything where it belongs and lets the cores go.
  void start(tile::Tile& tile) const;
  std::string listing(Arch arch) const;
};

/// The words of L1 that all of them use.
inline constexpr std::uint32_t shared_area = 0x20000;
inline constexpr unsigned shared_words = 12;

/// Tiles of BF16 that begin in the shared area, for whoever unpacks or packs.
void set_up_transfers(tile::Tile& tile, const TileProgram::Transfers& transfers);

TileProgram random_tile_program(Arch arch, std::uint32_t seed);
/// Whose cores soon sleep or wait, but for one that counts in L1 in every round of a loop; the words behind the shared ones.
TileProgram random_beating_program(Arch arch, std::uint32_t seed);

}  // namespace tensim::test
