// An Ethernet tile's own registers, but for those of its link, which is not modelled: whoever uses it faults by name.
#pragma once

#include <array>
#include <cstdint>

#include "arch/ethernet_registers.hpp"

namespace tensim::tile {

struct EthernetControl {
  static constexpr std::size_t word_count = 40;
  std::array<std::uint32_t, word_count> words{};

  static constexpr std::uint32_t base(Arch arch) { return on(arch, 0xFFB94000U, 0xFFB14000U); }
  static constexpr std::size_t index(Arch arch, std::uint32_t address) { return (address - base(arch)) / 4; }

  /// Where the first or second core starts.
  std::uint32_t reset_pc(Arch arch, unsigned core) const {
    constexpr std::size_t wormhole = index(Arch::wormhole, ethernet_register(Arch::wormhole, "RESET_PC"));
    constexpr std::size_t first = index(Arch::blackhole, ethernet_register(Arch::blackhole, "RESET_PC"));
    constexpr std::size_t second = index(Arch::blackhole, ethernet_register(Arch::blackhole, "RESET_PC_1"));
    return words[on(arch, wormhole, core == 0 ? first : second)];
  }
};

}  // namespace tensim::tile
