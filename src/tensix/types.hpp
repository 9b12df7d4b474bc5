// Small types that every block of the coprocessor shares.
#pragma once

#include <cstdint>
#include <limits>

#include "isa/form.hpp"

namespace tensim::tensix {

using isa::Word;

using Cycle = std::uint64_t;
inline constexpr Cycle never = std::numeric_limits<Cycle>::max();

inline constexpr unsigned thread_count = 3;

/// A word on its way through a frontend, and where it came from.
struct Entry {
  Word word = 0;
  std::uint32_t tag = 0;

  /// `origin` is the pusher's: a line of a program, or an address (both below 2^31).
  static constexpr Entry pushed(Word word, std::uint32_t origin) { return {word, origin << 1U | 1U}; }
  static constexpr Entry expanded(Word word, std::uint32_t origin) { return {word, origin << 1U}; }
  constexpr std::uint32_t origin() const { return tag >> 1U; }
  /// Blackhole: the word occupies a place of the push FIFO until it leaves the frontend (errata 41).
  constexpr bool holds_credit() const { return (tag & 1U) != 0; }
};

/// The operand file of the Matrix Unit: A or B.
enum class Src : std::uint8_t { a, b };

}  // namespace tensim::tensix
