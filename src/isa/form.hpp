// What a Tensix instruction IS: the types of the rows in isa/table/.
//
// A word is opcode [31:24] and parameters [23:0] (C16). Most opcodes have one form; a few have several, told apart by
// fixed bits. A form names the fields the ISA documentation gives meaning to; beside them stand the operands of the
// vendor's assembler, which split the same bits their own way (their ranges run on to the next operand).
#pragma once

#include <cstdint>
#include <string_view>

#include "arch/arch.hpp"
#include "arch/fixed_list.hpp"
#include "arch/symbol.hpp"

namespace tensim::isa {

using Word = std::uint32_t;

inline constexpr Word parameter_mask = 0x00FF'FFFF;
inline constexpr unsigned parameter_bits = 24;

constexpr std::uint8_t opcode_of(Word word) {
  return static_cast<std::uint8_t>(word >> parameter_bits);
}

/// The nine backend units (errata 42), and the frontend for what never reaches them.
enum class Unit : std::uint8_t {
  frontend,
  sync,
  unpackers,
  matrix,
  packers,
  vector,
  scalar,
  configuration,
  mover,
  miscellaneous,
};

/// The nine block bits of a latched wait, B0 to B8 (W4-W12).
enum BlockBit : std::uint16_t {
  B0 = 1U << 0,
  B1 = 1U << 1,
  B2 = 1U << 2,
  B3 = 1U << 3,
  B4 = 1U << 4,
  B5 = 1U << 5,
  B6 = 1U << 6,
  B7 = 1U << 7,
  B8 = 1U << 8,
};
inline constexpr std::uint16_t all_block_bits = 0x1FF;

/// How a form answers a latched wait's block mask.
struct Block {
  enum class Rule : std::uint8_t {
    never,   // handled before the Wait Gate: MOP, MOP_CFG, REPLAY, RESOURCEDECL (W14)
    any_of,  // held if the mask has any of `bits`
    all_of,  // held only if the mask has all of `bits`: NOP (W13)
  };
  std::uint16_t bits = 0;
  Rule rule = Rule::any_of;

  constexpr bool held_by(std::uint32_t block_mask) const {
    switch (rule) {
      case Rule::never: return false;
      case Rule::any_of: return (block_mask & bits) != 0;
      case Rule::all_of: return (block_mask & bits) == bits;
    }
    return false;
  }
};

/// A documented field, bits [high:low] of the word.
struct Field {
  std::string_view name = {};
  std::uint8_t high = 0;
  std::uint8_t low = 0;
  std::string_view meaning = {};
  const SymbolSet* symbols = nullptr;
  bool is_signed = false;

  constexpr unsigned width() const { return high - low + 1U; }
  constexpr Word max() const { return (Word{1} << width()) - 1U; }
  constexpr Word mask() const { return max() << low; }
  constexpr Word get(Word word) const { return (word >> low) & max(); }
  constexpr Word put(Word value) const { return (value & max()) << low; }
};

/// An operand as the vendor's assembler and objdump write it.
struct Operand {
  enum class Style : std::uint8_t { decimal, signed_decimal, hex, lreg };
  std::string_view name = {};
  std::uint8_t low = 0;
  std::uint8_t width = 0;
  Style style = Style::decimal;
  /// One more, most significant, bit that lies elsewhere (SFPLOADMACRO's register); 0xFF: none.
  std::uint8_t top_bit_at = 0xFF;

  constexpr bool is_split() const { return top_bit_at != 0xFF; }
  constexpr unsigned value_width() const { return width + (is_split() ? 1U : 0U); }
  constexpr Word max() const { return (Word{1} << value_width()) - 1U; }
  constexpr Word get(Word word) const {
    const Word base = (word >> low) & ((Word{1} << width) - 1U);
    return is_split() ? base | (((word >> top_bit_at) & 1U) << width) : base;
  }
  constexpr Word put(Word value) const {
    const Word base = (value & ((Word{1} << width) - 1U)) << low;
    return is_split() ? base | (((value >> width) & 1U) << top_bit_at) : base;
  }
  constexpr Word mask() const { return put(max()); }
  friend constexpr bool operator==(const Operand&, const Operand&) = default;
};

using Operands = FixedList<Operand, 13>;
using Fields = FixedList<Field, 16>;

/// One row: a form of an instruction on one or both architectures.
struct Form {
  std::string_view name = {};  // the instruction: "SETDMAREG"
  std::string_view form = {};  // which of several: "Immediate"; empty if there is one
  std::uint8_t opcode = 0;
  ArchSet archs = ArchSet(Arch::wormhole) | Arch::blackhole;
  Unit unit = Unit::frontend;
  Block block = {};
  Word select_mask = 0;   // the bits that tell this form from its siblings, and
  Word select_value = 0;  // what they hold
  Operands operands = {};
  Fields fields = {};
  std::string_view summary = {};
  std::string_view source = {};

  constexpr Word base() const { return (Word{opcode} << parameter_bits) | select_value; }
  constexpr bool matches(Word word) const { return opcode_of(word) == opcode && (word & select_mask) == select_value; }
  constexpr Word used_mask() const {
    Word mask = select_mask;
    for (const Field& field : fields)
      mask |= field.mask();
    return mask;
  }
  /// The parameter bits of `word` that this form gives no meaning.
  constexpr Word unused_bits(Word word) const { return word & parameter_mask & ~used_mask(); }
  constexpr const Field* field(std::string_view field_name) const {
    for (const Field& candidate : fields)
      if (candidate.name == field_name) return &candidate;
    return nullptr;
  }
};

}  // namespace tensim::isa
