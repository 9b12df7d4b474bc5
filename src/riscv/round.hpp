// What a core that stands in a loop will do in its next round, found out without executing it. There are loops that do the
// same in every round, at the same times, but for some registers: each of these gains the same in every round, or is worked out
// anew from those that do, and all that becomes of them is stores to fixed places in L1. Idle Ethernet firmware of Wormhole
// counts a heartbeat like that. Such a core need not be executed: any number of rounds is an addition
// (docs/architecture/tile.md).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "arch/fixed_list.hpp"
#include "riscv/core.hpp"

namespace tensim::riscv {

struct Round {
  /// A load from L1.
  struct Read {
    std::uint32_t address = 0;
    std::uint32_t value = 0;
    std::uint8_t size_bytes = 4;
    bool operator==(const Read&) const = default;
  };

  std::uint32_t head = 0;  // its first instruction
  std::uint64_t instructions = 0;
  std::array<std::uint32_t, 32> gains{};      // of each register
  std::uint32_t changing = 0;                 // registers that do not come back to what they were, a bit each
  FixedList<Read, 8> reads;                   // each once
  FixedList<std::uint32_t, 4> stored_blocks;  // of 16 bytes, where they begin, each once

  bool stores_to(std::uint32_t block) const;
  /// Whether it reads the same as another one, and stores to and changes what that does.
  bool goes_like(const Round& other) const;
};

/// The round that begins with the next instruction, up to where it stands there again. None if the loop is no such loop, or if
/// nothing is known about it because code is not in the cache.
std::optional<Round> next_round(const Core& core, std::span<const std::uint8_t> l1);
/// The same of the one that begins where the core next jumps back: there a round has worked out nothing for itself yet.
std::optional<Round> round_ahead(const Core& core, std::span<const std::uint8_t> l1);

}  // namespace tensim::riscv
