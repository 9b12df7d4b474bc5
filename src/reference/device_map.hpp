// Where a tile is in the address space of a PCIe card: facts of the two chips, side by side. Software reaches a tile
// through windows of BAR0, each with a register that says which tile and which part of it. Pages: PCIExpressTile, TLBs.
#pragma once

#include <array>
#include <cstdint>

#include "arch/arch.hpp"

namespace tensim::reference {

struct Coordinates {
  std::uint32_t x = 0;
  std::uint32_t y = 0;
};

/// One window on a tile: 2 to the power of `bits` bytes at `base`, its register at `register_offset`, both in BAR0.
struct Window {
  std::uint32_t base = 0;
  std::uint32_t register_offset = 0;
};

struct DeviceMap {
  Arch arch;
  std::uint32_t device_id;      // PCI configuration word 0: vendor in the low half
  unsigned window_bits;         // size of the windows used here
  Window memory_window;         // we point it at the tile's address 0: L1
  Window register_window;       // and this one at its registers
  std::uint32_t register_base;  // the first tile address that it shows
  unsigned x_bit;               // of the 64-bit window register; y is six bits higher, the address at bit 0
  unsigned register_words;      // that have to be written, one by one
  Coordinates first_tensix;     // as a card without missing rows numbers it
};

inline constexpr std::uint32_t window_registers = 0x1FC00000;
inline constexpr unsigned coordinate_bits = 6;

inline constexpr std::array device_maps{
    // Windows of 16 MiB: the first is number 166.
    DeviceMap{.arch = Arch::wormhole,
              .device_id = 0x401E1E52,
              .window_bits = 24,
              .memory_window = {0xB000000, window_registers + 166 * 8},
              .register_window = {0xC000000, window_registers + 167 * 8},
              .register_base = 0xFF000000,
              .x_bit = 12,
              .register_words = 2,
              .first_tensix = {18, 18}},
    // Windows of 2 MiB, from number 0.
    DeviceMap{.arch = Arch::blackhole,
              .device_id = 0xB1401E52,
              .window_bits = 21,
              .memory_window = {0, window_registers},
              .register_window = {0x200000, window_registers + 12},
              .register_base = 0xFFA00000,
              .x_bit = 43,
              .register_words = 3,
              .first_tensix = {1, 2}},
};

constexpr const DeviceMap& device_map(Arch arch) {
  static_assert(device_maps.size() == all_archs.size());
  return device_maps[static_cast<std::size_t>(arch)];
}

/// The window's register for one tile, from `address` on. Whatever else it has stays 0: one tile, default order.
constexpr std::uint64_t window_register(const DeviceMap& map, Coordinates tile, std::uint32_t address) {
  return std::uint64_t{address >> map.window_bits} | std::uint64_t{tile.x} << map.x_bit |
         std::uint64_t{tile.y} << (map.x_bit + coordinate_bits);
}

}  // namespace tensim::reference
