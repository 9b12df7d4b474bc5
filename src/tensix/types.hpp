// Small types that every block of the coprocessor shares.
#pragma once

#include <bit>
#include <cstdint>

#include "isa/form.hpp"
#include "isa/table/frontend.hpp"
#include "time/order.hpp"

namespace tensim::tensix {

using isa::Word;

using time::Cycle;
using time::never;

inline constexpr unsigned thread_count = 3;

/// The opcodes that the frontend consumes itself, a bit each: MOP, MOP_CFG, REPLAY and RESOURCEDECL.
inline constexpr std::uint32_t frontend_opcodes = [] {
  std::uint32_t opcodes = 0;
  for (const isa::Form& row : isa::table::frontend)
    opcodes |= std::uint32_t{1} << row.opcode;
  return opcodes;
}();

/// A word on its way through a frontend, and where it came from.
struct Entry {
  Word word = 0;
  std::uint32_t tag = 0;

  /// `origin` is the pusher's: a place in a program, or an address divided by four (below 2^30).
  static constexpr Entry pushed(Word word, std::uint32_t origin) { return {word, tag_of(word, origin) | credit_bit}; }
  static constexpr Entry expanded(Word word, std::uint32_t origin) { return {word, tag_of(word, origin)}; }
  constexpr std::uint32_t origin() const { return tag >> origin_shift; }
  /// Blackhole: the word occupies a place of the push FIFO until it leaves the frontend (errata 41).
  constexpr bool holds_credit() const { return (tag & credit_bit) != 0; }
  /// MOP, MOP_CFG, REPLAY or RESOURCEDECL: an expander has to look at it.
  constexpr bool concerns_frontend() const { return (tag & frontend_bit) != 0; }

  static constexpr std::uint32_t credit_bit = 1;
  static constexpr std::uint32_t frontend_bit = 2;
  static constexpr unsigned origin_shift = 2;
  static constexpr std::uint8_t last_frontend_opcode = std::bit_width(frontend_opcodes) - 1;
  static constexpr bool is_for_frontend(Word word) {
    const std::uint8_t opcode = isa::opcode_of(word);
    return opcode <= last_frontend_opcode && (frontend_opcodes >> opcode & 1U) != 0;
  }
  static constexpr std::uint32_t tag_of(Word word, std::uint32_t origin) {
    return origin << origin_shift | (is_for_frontend(word) ? frontend_bit : 0U);
  }
  constexpr bool operator==(const Entry&) const = default;
};

/// The operand file of the Matrix Unit: A or B.
enum class Src : std::uint8_t { a, b };

}  // namespace tensim::tensix
