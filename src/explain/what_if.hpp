// What would come if those who wait went on: in a copy of the chip a core finds what it polls as it wants it, and the chip runs
// on. Whatever then changes a word that somebody waits for names its sender: the one that is waited for.
#pragma once

#include <optional>
#include <vector>

#include "explain/chip_waits.hpp"

namespace tensim::explain {

/// Something that would change a word, if its sender went on.
struct WouldBring {
  CoreOfChip by = {};
  noc::MessageKind kind = noc::MessageKind::write;
  std::uint32_t pc = 0;   // of the store that would initiate it
  bool is_packet = true;  // otherwise a store of a core of the same tile
  std::size_t first = 0;  // which wait had to end first
};

/// For each wait. Cores whose loops do not say what they need are not let go, and so nothing is known of what they would do.
std::vector<std::vector<WouldBring>> what_would_come(const chip::Chip& chip, const std::vector<ChipWait>& waits);

}  // namespace tensim::explain
