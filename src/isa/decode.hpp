// From a word to its form and back. Words with bits set that their form gives no meaning decode; the bits are reported.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <string_view>

#include "isa/form.hpp"

namespace tensim::isa {

struct Decoded {
  enum class Status : std::uint8_t {
    defined,
    undefined_opcode,  // no instruction of this architecture has the opcode
    undefined_form,    // the opcode exists, but its selector bits choose none of its forms
  };
  Arch arch = Arch::blackhole;
  Word word = 0;
  Status status = Status::undefined_opcode;
  const Form* form = nullptr;  // null unless defined
  Word unused_bits = 0;        // set in the word, meaningless in the form
};

Decoded decode(Arch arch, Word word);

constexpr std::string_view describe(Decoded::Status status) {
  switch (status) {
    case Decoded::Status::defined: return "defined";
    case Decoded::Status::undefined_opcode: return "undefined opcode";
    case Decoded::Status::undefined_form: return "undefined form";
  }
  return "?";
}

/// `.ttinsn`: in a RISC-V instruction stream a Tensix word stands rotated left by two, in the encoding space of the
/// compressed extension, which the baby cores do not have (C18, errata 2).
constexpr bool is_ttinsn(std::uint32_t riscv_word) {
  return (riscv_word & 3U) != 3U;
}
constexpr Word word_of_ttinsn(std::uint32_t riscv_word) {
  return std::rotr(riscv_word, 2);
}

/// Tensix words from 0xC0000000 up would look like 32-bit RISC-V instructions: they cannot be a `.ttinsn`.
constexpr std::optional<std::uint32_t> ttinsn_of_word(Word word) {
  const std::uint32_t rotated = std::rotl(word, 2);
  if (!is_ttinsn(rotated)) return std::nullopt;
  return rotated;
}

/// A field's value in `word`, sign-extended if the field is signed.
constexpr std::int64_t field_value(const Field& field, Word word) {
  const Word raw = field.get(word);
  const Word sign = Word{1} << (field.width() - 1U);
  if (field.is_signed && (raw & sign) != 0) return static_cast<std::int64_t>(raw) - (std::int64_t{1} << field.width());
  return raw;
}

}  // namespace tensim::isa
