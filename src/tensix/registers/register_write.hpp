// Registers of the tile written in the order of transfers: PACR_SETREG and UNPACR_NOP. Both take their addresses from
// TDMA-RISC, which soft reset leaves at values that nobody knows: until somebody sets them, such a write is not modelled.
// Pages: PACR_SETREG.md, UNPACR_NOP_SETREG.md, TDMA-RISC.md.
#pragma once

#include <array>
#include <optional>

#include "tensix/registers/fields.hpp"
#include "tensix/types.hpp"

namespace tensim::tensix {

struct RegisterBases {
  static constexpr std::uint32_t window = 0xFFB00000;
  static constexpr std::uint32_t most_middle = 0x3F;

  std::array<std::uint32_t, 2> base{};
  bool is_set = false;

  /// Bits 11:2 of both addresses, then bits 19:18 of both.
  void set(std::uint32_t bits) {
    for (unsigned i = 0; i < base.size(); ++i)
      base[i] = (bits >> (20 + 2 * i) & 3U) << 18U | (bits >> (10 * i) & 0x3FFU) << 2U;
    is_set = true;
  }

  /// Blackhole's words can name two more, of which no page says where they are set.
  std::optional<std::uint32_t> address(unsigned select, std::uint32_t middle) const {
    if (!is_set || select >= base.size()) return std::nullopt;
    return window + base[select] + ((middle & most_middle) << 12U);
  }

  bool operator==(const RegisterBases&) const = default;
};

namespace pacr_setreg_words {
// Push, AddrMid and Flush stand in one place in both chips' words that write.
inline constexpr isa::Field push = field_of(Arch::wormhole, "PACR_SETREG", "", "Push");
inline constexpr isa::Field addr_mid = field_of(Arch::wormhole, "PACR_SETREG", "", "AddrMid");
inline constexpr isa::Field flush = field_of(Arch::wormhole, "PACR_SETREG", "", "Flush");
static_assert(same_place(field_of(Arch::blackhole, "PACR_SETREG", "Write", "Push"), push) &&
              same_place(field_of(Arch::blackhole, "PACR_SETREG", "Write", "AddrMid"), addr_mid) &&
              same_place(field_of(Arch::blackhole, "PACR_SETREG", "Write", "Flush"), flush));
inline constexpr isa::Field addr_sel_wormhole = field_of(Arch::wormhole, "PACR_SETREG", "", "AddrSel");
inline constexpr isa::Field addr_sel_blackhole = field_of(Arch::blackhole, "PACR_SETREG", "Write", "AddrSel");
inline constexpr isa::Field value10 = field_of(Arch::wormhole, "PACR_SETREG", "", "Value10");
inline constexpr FormBits set_data = form_bits(Arch::blackhole, "PACR_SETREG", "SetData");
inline constexpr isa::Field wr_data = field_of(Arch::blackhole, "PACR_SETREG", "SetData", "WrData");
inline constexpr isa::Field wr_data_half = field_of(Arch::blackhole, "PACR_SETREG", "SetData", "WrDataHalf");
}  // namespace pacr_setreg_words

/// A PACR_SETREG. Wormhole's has its page, Blackhole's is in the vendor's assembly.yaml.
struct PacrSetregWord {
  Word word;
  Arch arch;

  bool flushes() const { return !presets_data() && pacr_setreg_words::flush.get(word) != 0; }
  bool writes() const { return flushes() && pacr_setreg_words::push.get(word) != 0; }
  unsigned address_select() const {
    using namespace pacr_setreg_words;
    return on(arch, addr_sel_wormhole.get(word), addr_sel_blackhole.get(word));
  }
  std::uint32_t address_middle() const { return pacr_setreg_words::addr_mid.get(word); }
  /// Wormhole: what is written, before it is scaled.
  std::uint32_t value() const { return pacr_setreg_words::value10.get(word); }
  /// What is written was given by another form before; Wormhole's word has a value itself.
  bool may_preset_data() const { return on(arch, false, true); }
  /// Blackhole: the form that gives half of the next write's value.
  bool presets_data() const { return may_preset_data() && pacr_setreg_words::set_data.match(word); }
  unsigned data_half() const { return pacr_setreg_words::wr_data_half.get(word); }
  std::uint32_t data() const { return pacr_setreg_words::wr_data.get(word); }
};

}  // namespace tensim::tensix
