// Where the Vector Unit's instructions have their fields (src/isa/table/vector.hpp): the same places in nearly all.
#pragma once

#include "tensix/registers/fields.hpp"

namespace tensim::tensix {

// Most have VA, VB, VC and VD in bits 19 to 4 and Mod1 in the lowest four; those that load and store have VD and Mod0 in
// bits 23 to 16.
constexpr unsigned va_of(Word word) {
  return word >> 16U & 15U;
}
constexpr unsigned vb_of(Word word) {
  return word >> 12U & 15U;
}
constexpr unsigned vc_of(Word word) {
  return word >> 8U & 15U;
}
constexpr unsigned vd_of(Word word) {
  return word >> 4U & 15U;
}
/// A word that has this register in each of VA, VB and VC.
constexpr std::uint32_t in_sources(unsigned lreg) {
  return lreg * 0x11100U;
}
/// Whether any of VA, VB and VC is the same in `word` and in `sources`: then one of the three hexadecimal digits of their
/// difference is zero.
constexpr bool names_in_sources(Word word, std::uint32_t sources) {
  const std::uint32_t difference = (word ^ sources) & 0xFFF00U;
  return ((difference - 0x11100U) & ~difference & 0x88800U) != 0;
}
constexpr unsigned mod1_of(Word word) {
  return word & 15U;
}
// Mod1 of multiply-adds. Wormhole has the indirect registers only.
inline constexpr unsigned negates_product = 1;
inline constexpr unsigned negates_addend = 2;
inline constexpr unsigned indirect_va = 4;
inline constexpr unsigned indirect_vd = 8;

constexpr unsigned upper_vd_of(Word word) {
  return word >> 20U & 15U;
}
constexpr unsigned mod0_of(Word word) {
  return word >> 16U & 15U;
}
constexpr std::uint32_t imm8(Word word) {
  return word >> 12U & 0xFFU;
}
constexpr std::uint32_t imm12(Word word) {
  return word >> 12U & 0xFFFU;
}
constexpr std::uint32_t signed_imm12(Word word) {
  return static_cast<std::uint32_t>(static_cast<std::int32_t>(word << 8U) >> 20U);
}
/// The immediate of SFPADDI, SFPMULI and SFPCONFIG; that of SFPLOADI is in the lowest 16 bits.
constexpr std::uint32_t imm16(Word word) {
  return word >> 8U & 0xFFFFU;
}
constexpr unsigned dst_address_of(Word word) {
  return word & 0x3FFU;
}
/// SFPLOADMACRO: VDHi is bit 0 of the address as well.
constexpr unsigned macro_vd_of(Word word) {
  return (word & 1U) << 2U | (word >> 20U & 3U);
}
constexpr unsigned macro_index_of(Word word) {
  return word >> 22U & 3U;
}

static_assert(field_of(Arch::blackhole, "SFPMAD", "", "VA").low == 16 && field_of("SFPMAD", "", "VB").low == 12 &&
              field_of("SFPMAD", "", "VC").low == 8 && field_of("SFPMAD", "", "VD").low == 4);
static_assert(names_in_sources(0x12300, in_sources(1)) && names_in_sources(0x12300, in_sources(2)) &&
              names_in_sources(0x12300, in_sources(3)) && !names_in_sources(0xF12304F, in_sources(4)) &&
              names_in_sources(0xFF012, in_sources(0)) && !names_in_sources(0x11100, in_sources(0)));
static_assert(field_of("SFPLOADI", "", "VD").low == 20 && field_of("SFPLOADI", "", "Mod0").low == 16);
static_assert(field_of("SFPIADD", "", "Imm12").low == 12 && field_of("SFPADDI", "", "Imm16").low == 8);

}  // namespace tensim::tensix
