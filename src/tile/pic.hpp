// PIC, the interrupt controller. Blackhole's has 32 software interrupts that cores raise and read, and four of hardware;
// interrupting a core is not modelled, so raising an enabled one is refused. Wormhole's only shows what is pending, and
// nothing that could raise one is modelled. Page: PIC.md of each chip.
#pragma once

#include <array>
#include <cstdint>

namespace tensim::tile {

struct Pic {
  static constexpr std::size_t word_count = 0x138 / 4;
  std::array<std::uint32_t, word_count> words{};  // by offset, as the pages' memory maps have them
};

}  // namespace tensim::tile
