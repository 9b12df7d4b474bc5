// A tile with programs of a few RISC-V words on its cores.
#pragma once

#include <cstring>
#include <initializer_list>
#include <vector>

#include "tests/support/riscv_words.hpp"
#include "tile/tile.hpp"

namespace tensim::test {

struct GuestTile {
  explicit GuestTile(Arch arch) : tile(arch) {}

  /// Puts `words` at `address` of L1 and lets the core go there.
  void start(tile::CoreId core, std::uint32_t address, const std::vector<rv::Word>& words) {
    tile.write(address, reinterpret_cast<const std::uint8_t*>(words.data()), words.size() * 4);
    tile.release(core, address);
  }
  std::uint32_t word(std::uint32_t address) const {
    std::uint32_t value = 0;
    std::uint8_t bytes[4] = {};
    if (tile.read(address, bytes, 4)) std::memcpy(&value, bytes, 4);
    return value;
  }
  void set_word(std::uint32_t address, std::uint32_t value) {
    std::uint8_t bytes[4];
    std::memcpy(bytes, &value, 4);
    tile.write(address, bytes, 4);
  }
  std::uint32_t x(tile::CoreId core, unsigned reg) const { return tile.core(core).x[reg]; }

  tile::Tile tile;
};

}  // namespace tensim::test
