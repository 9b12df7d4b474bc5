// Registers of an Ethernet tile that have nothing to do with its link: where its cores start, and words for software.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "arch/arch.hpp"

namespace tensim {

struct EthernetRegister {
  /// What a store does.
  enum class Store : std::uint8_t { keeps, adds, switches_on };  // the last: only 0, "off", is modelled
  ArchSet archs;
  std::uint32_t address;
  std::uint32_t words;
  std::string_view name;
  Store store;
  std::string_view source;
};

inline constexpr std::array ethernet_registers{
    EthernetRegister{Arch::wormhole, 0xFFB94080, 1, "TEST_SUM", EthernetRegister::Store::adds,
                     "EthernetTile/CycleCounters.md"},
    EthernetRegister{Arch::wormhole, 0xFFB94084, 4, "ETH_CORE_SCRATCH", EthernetRegister::Store::keeps,
                     "EthernetTile/TileControlDebugStatus.md"},
    EthernetRegister{Arch::wormhole, 0xFFB9409C, 1, "RESET_PC", EthernetRegister::Store::keeps,
                     "EthernetTile/SoftReset.md"},
    EthernetRegister{Arch::blackhole, 0xFFB14000, 1, "RESET_PC", EthernetRegister::Store::keeps,
                     "tt-metal dev_mem_map.h: IERISC_RESET_PC"},
    EthernetRegister{Arch::blackhole, 0xFFB14008, 1, "RESET_PC_1", EthernetRegister::Store::keeps,
                     "tt-metal dev_mem_map.h: SUBORDINATE_IERISC_RESET_PC"},
    EthernetRegister{Arch::blackhole, 0xFFB14020, 17, "INTERRUPT_MODE", EthernetRegister::Store::switches_on,
                     "tt-metal eth_fw_api.h; their number from EthernetTile/BabyRISCV/README.md"},
};

/// The row's address on the chip; a misspelt name does not compile.
consteval std::uint32_t ethernet_register(Arch arch, std::string_view name) {
  for (const EthernetRegister& row : ethernet_registers)
    if (row.archs.contains(arch) && row.name == name) return row.address;
  throw "no row of this name in ethernet_registers";
}

/// From the first of the chip's rows to behind the last.
struct EthernetBlock {
  std::uint32_t base;
  std::uint32_t words;
};
consteval EthernetBlock ethernet_block(Arch arch) {
  std::uint32_t first = UINT32_MAX;
  std::uint32_t end = 0;
  for (const EthernetRegister& row : ethernet_registers) {
    if (!row.archs.contains(arch)) continue;
    first = std::min(first, row.address);
    end = std::max(end, row.address + 4 * row.words);
  }
  return {first, (end - first) / 4};
}

}  // namespace tensim
