// An Ethernet tile's own registers, but for those of its link, which is not modelled: whoever uses it faults by name.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "arch/ethernet_registers.hpp"

namespace tensim::tile {

struct EthernetControl {
  static constexpr EthernetBlock wormhole_block = ethernet_block(Arch::wormhole);
  static constexpr EthernetBlock blackhole_block = ethernet_block(Arch::blackhole);
  std::array<std::uint32_t, std::max(wormhole_block.words, blackhole_block.words)> words{};

  static constexpr std::uint32_t base(Arch arch) { return on(arch, wormhole_block.base, blackhole_block.base); }
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
