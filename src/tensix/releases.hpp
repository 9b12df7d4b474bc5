// What an instruction does for others that wait: banks of Src it hands over, semaphores it moves, the mutex it frees. Each
// unit says it of its own instructions, beside the row that executes them; the cycle never asks, explanations do.
#pragma once

#include <cstdint>
#include <optional>

#include "arch/arch.hpp"
#include "tensix/types.hpp"

namespace tensim::tensix {

/// By the word alone: settings of the thread may keep a bank all the same (CLR_DVALID_Src*_Disable).
struct Releases {
  // Files of Src, bit 0 SrcA, bit 1 SrcB.
  std::uint8_t src_to_matrix = 0;     // a bank goes to the Matrix Unit
  std::uint8_t src_to_unpackers = 0;  // a bank goes back to the unpackers
  // Semaphores, a bit each.
  std::uint8_t raises = 0;      // above 0
  std::uint8_t lowers = 0;      // by one: below a maximum that is not 0
  std::uint8_t makes_room = 0;  // below its maximum, whatever that was
  std::optional<std::uint16_t> mutex = {};

  bool operator==(const Releases&) const = default;
};

using ReleasesOf = Releases (*)(Arch arch, Word word);

/// Nothing, of an instruction that nobody waits for.
Releases releases(Arch arch, Word word);

}  // namespace tensim::tensix
