// Where the Vector Unit's instructions have their fields (src/isa/table/vector.hpp): the same places in nearly all.
#pragma once

#include "tensix/registers/fields.hpp"

namespace tensim::tensix {

/// SFPAND and SFPOR may name another second operand than VD.
constexpr bool has_use_vb(Arch arch) {
  return on(arch, false, true);
}

namespace vector_words {
// Most have VA, VB, VC and VD in bits 19 to 4 and Mod1 in the lowest four; those that load and store have VD and Mod0 in
// bits 23 to 16.
inline constexpr isa::Field va = field_of("SFPMAD", "", "VA");
inline constexpr isa::Field vb = field_of("SFPMAD", "", "VB");
inline constexpr isa::Field vc = field_of("SFPMAD", "", "VC");
inline constexpr isa::Field vd = field_of("SFPMAD", "", "VD");
inline constexpr isa::Field mod1 = field_of("SFPMAD", "", "Mod1");
inline constexpr isa::Field upper_vd = field_of("SFPLOAD", "", "VD");
inline constexpr isa::Field mod0 = field_of("SFPLOAD", "", "Mod0");
inline constexpr isa::Field imm1 = field_of("SFPSETCC", "", "Imm1");  // and SFPSETSGN's
inline constexpr isa::Field imm2 = field_of("SFPENCC", "", "Imm2");
inline constexpr isa::Field imm5 = field_of("SFPSTOCHRND", "", "Imm5");
inline constexpr isa::Field imm8 = field_of("SFPDIVP2", "", "Imm8");
inline constexpr isa::Field imm12 = field_of("SFPIADD", "", "Imm12");
inline constexpr isa::Field imm16 = field_of("SFPADDI", "", "Imm16");
inline constexpr isa::Field lower_imm16 = field_of("SFPLOADI", "", "Imm16");
inline constexpr isa::Field dst_address = field_of("SFPLOAD", "", "Imm10");
inline constexpr isa::Field macro_index = field_of("SFPLOADMACRO", "", "MacroIndex");
inline constexpr isa::Field macro_vd_low = field_of("SFPLOADMACRO", "", "VDLo");
inline constexpr isa::Field macro_vd_high = field_of("SFPLOADMACRO", "", "VDHi");
inline constexpr isa::Field stochastic_rounding = field_of(Arch::wormhole, "SFPSTOCHRND", "", "StochasticRounding");
inline constexpr isa::Field rounding_mode = field_of(Arch::blackhole, "SFPSTOCHRND", "", "RoundingMode");

/// Whatever instruction has a field of the name has it in one of the two places.
consteval bool stands_at(std::string_view name, isa::Field place, isa::Field or_at) {
  for (const isa::Form& row : isa::table::vector)
    if (const isa::Field* field = row.field(name))
      if (!same_place(*field, place) && !same_place(*field, or_at)) return false;
  return true;
}
static_assert(stands_at("VA", va, va) && stands_at("VB", vb, vb) && stands_at("VC", vc, vc));
static_assert(stands_at("VD", vd, upper_vd) && stands_at("Mod0", mod0, mod0));
static_assert(stands_at("Mod1", mod1, field_of("SFPSTOCHRND", "", "Mod1")));  // which has UseImm5 above it
static_assert(stands_at("Imm1", imm1, imm1) && stands_at("Imm8", imm8, imm8) && stands_at("Imm12", imm12, imm12));
static_assert(stands_at("Imm16", imm16, lower_imm16) && stands_at("Imm10", dst_address, dst_address));
}  // namespace vector_words

constexpr unsigned va_of(Word word) {
  return vector_words::va.get(word);
}
constexpr unsigned vb_of(Word word) {
  return vector_words::vb.get(word);
}
constexpr unsigned vc_of(Word word) {
  return vector_words::vc.get(word);
}
constexpr unsigned vd_of(Word word) {
  return vector_words::vd.get(word);
}
/// A word that has this register in each of VA, VB and VC.
constexpr std::uint32_t in_sources(unsigned lreg) {
  using namespace vector_words;
  return lreg * (va.put(1) | vb.put(1) | vc.put(1));
}
/// Whether any of VA, VB and VC is the same in `word` and in `sources`: then one of the three hexadecimal digits of their
/// difference is zero.
constexpr bool names_in_sources(Word word, std::uint32_t sources) {
  using namespace vector_words;
  constexpr std::uint32_t top_bit = 8;  // of a register's number
  const std::uint32_t difference = (word ^ sources) & (va.mask() | vb.mask() | vc.mask());
  return ((difference - in_sources(1)) & ~difference & in_sources(top_bit)) != 0;
}
constexpr unsigned mod1_of(Word word) {
  return vector_words::mod1.get(word);
}
// Mod1 of multiply-adds. Wormhole has the indirect registers only.
inline constexpr unsigned negates_product = 1;
inline constexpr unsigned negates_addend = 2;
inline constexpr unsigned indirect_va = 4;
inline constexpr unsigned indirect_vd = 8;

constexpr unsigned upper_vd_of(Word word) {
  return vector_words::upper_vd.get(word);
}
constexpr unsigned mod0_of(Word word) {
  return vector_words::mod0.get(word);
}
constexpr std::uint32_t signed_imm12(Word word) {
  using vector_words::imm12;
  constexpr unsigned word_bits = 32;
  const auto at_top = static_cast<std::int32_t>(word << (word_bits - 1 - imm12.high));
  return static_cast<std::uint32_t>(at_top >> (word_bits - imm12.width()));
}
/// SFPLOADMACRO: VDHi is bit 0 of the address as well.
constexpr unsigned macro_vd_of(Word word) {
  using namespace vector_words;
  return macro_vd_high.get(word) << macro_vd_low.width() | macro_vd_low.get(word);
}

static_assert(names_in_sources(0x12300, in_sources(1)) && names_in_sources(0x12300, in_sources(2)) &&
              names_in_sources(0x12300, in_sources(3)) && !names_in_sources(0xF12304F, in_sources(4)) &&
              names_in_sources(0xFF012, in_sources(0)) && !names_in_sources(0x11100, in_sources(0)));

}  // namespace tensim::tensix
