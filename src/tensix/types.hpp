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

  /// `origin` is the pusher's: a place in a program, or an address divided by four.
  static constexpr Entry pushed(Word word, std::uint32_t origin) {
    return {word, tag_of(word, origin << (origin_shift - source_shift)) | credit_bit};
  }
  /// By an expander, out of a word with this source.
  static constexpr Entry expanded(Word word, std::uint32_t source) { return {word, tag_of(word, source)}; }

  constexpr std::uint32_t origin() const { return tag >> origin_shift; }
  /// Who pushed the word, or the MOP or REPLAY that it comes from; which of his words that was, modulo `push_numbers`; and
  /// the origin.
  constexpr std::uint32_t source() const { return tag >> source_shift; }
  /// BRISC pushed it, not the thread's T core.
  constexpr bool is_from_brisc() const { return (tag & brisc_bit) != 0; }
  constexpr std::uint8_t push_number() const {
    return static_cast<std::uint8_t>(tag >> push_shift & (push_numbers - 1));
  }
  /// Blackhole: the word occupies a place of the push FIFO until it leaves the frontend (errata 41).
  constexpr bool holds_credit() const { return (tag & credit_bit) != 0; }
  /// MOP, MOP_CFG, REPLAY or RESOURCEDECL: an expander has to look at it.
  constexpr bool concerns_frontend() const { return (tag & frontend_bit) != 0; }

  static constexpr std::uint32_t credit_bit = 1;
  static constexpr std::uint32_t frontend_bit = 2;
  static constexpr unsigned source_shift = 2;
  static constexpr unsigned push_shift = 2;
  static constexpr unsigned push_numbers = 64;  // more than a frontend holds; with the bits below them they are a byte
  static constexpr std::uint32_t brisc_bit = 1U << 8;
  static constexpr unsigned origin_shift = 9;
  static constexpr std::uint32_t no_origin = ~0U >> origin_shift;  // above all of L1
  static constexpr std::uint8_t last_frontend_opcode = std::bit_width(frontend_opcodes) - 1;
  static constexpr bool is_for_frontend(Word word) {
    const std::uint8_t opcode = isa::opcode_of(word);
    return opcode <= last_frontend_opcode && (frontend_opcodes >> opcode & 1U) != 0;
  }
  static constexpr std::uint32_t tag_of(Word word, std::uint32_t source) {
    return source << source_shift | (is_for_frontend(word) ? frontend_bit : 0U);
  }
  constexpr bool operator==(const Entry&) const = default;
};

/// The operand file of the Matrix Unit: A or B.
enum class Src : std::uint8_t { a, b };

}  // namespace tensim::tensix
