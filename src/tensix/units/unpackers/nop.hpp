// UNPACR_NOP: what an unpacker does in the order of its transfers without moving any data. Wormhole's forms are in
// UNPACR_NOP_*.md; Blackhole's in the vendor's assembly.yaml, which has more of them in one word.
#pragma once

#include "arch/arch.hpp"
#include "number/layout.hpp"
#include "number/unpack.hpp"
#include "tensix/data_issue.hpp"
#include "tensix/types.hpp"
#include "tensix/units/unpackers/words.hpp"

namespace tensim::tensix {

namespace unpacker_nop_words {

inline constexpr isa::Field addr_mid = field_of("UNPACR_NOP", "SETREG", "AddrMid");
inline constexpr isa::Field value11 = field_of("UNPACR_NOP", "SETREG", "Value11");
inline constexpr isa::Field accumulate = field_of("UNPACR_NOP", "SETREG", "Accumulate");

namespace wormhole {
/// ZEROSRC's form also wants bit 6 clear, which is not looked at here: nobody says what it would do.
inline constexpr FormBits zero_src = [] {
  FormBits bits = form_bits(Arch::wormhole, "UNPACR_NOP", "ZEROSRC");
  bits.mask &= form_bits(Arch::wormhole, "UNPACR_NOP", "Nop").mask;
  return bits;
}();
inline constexpr isa::Field wait_like_unpacr = field_of(Arch::wormhole, "UNPACR_NOP", "ZEROSRC", "WaitLikeUnpacr");
inline constexpr isa::Field both_banks = field_of(Arch::wormhole, "UNPACR_NOP", "ZEROSRC", "BothBanks");
inline constexpr isa::Field negative_inf_src_a = field_of(Arch::wormhole, "UNPACR_NOP", "ZEROSRC", "NegativeInfSrcA");
inline constexpr isa::Field addr_sel = field_of(Arch::wormhole, "UNPACR_NOP", "SETREG", "AddrSel");
}  // namespace wormhole

namespace blackhole {
inline constexpr isa::Field clr_to1_fmt_ctrl = field_of(Arch::blackhole, "UNPACR_NOP", "ZEROSRC", "Clr_to1_fmt_Ctrl");
inline constexpr isa::Field wait_like_unpacr = field_of(Arch::blackhole, "UNPACR_NOP", "ZEROSRC", "WaitLikeUnpacr");
inline constexpr isa::Field both_banks = field_of(Arch::blackhole, "UNPACR_NOP", "ZEROSRC", "BothBanks");
inline constexpr isa::Field set_dvalid = field_of(Arch::blackhole, "UNPACR_NOP", "ZEROSRC", "Set_Dvalid");
inline constexpr isa::Field src_clr_val_ctrl = field_of(Arch::blackhole, "UNPACR_NOP", "ZEROSRC", "Src_ClrVal_Ctrl");
inline constexpr isa::Field addr_sel1 = field_of(Arch::blackhole, "UNPACR_NOP", "SETREG", "AddrSel1");
inline constexpr isa::Field addr_sel0 = field_of(Arch::blackhole, "UNPACR_NOP", "SETREG", "AddrSel0");
}  // namespace blackhole

}  // namespace unpacker_nop_words

struct UnpackNop {
  bool clears = false;       // Src
  bool clears_both = false;  // banks
  bool waits_like_unpacr = false;
  bool sets_dvalid = false;
  bool writes_register = false;
  std::uint32_t clear_value = 0;
  DataIssue issue = DataIssue::none;

  static constexpr UnpackNop of(Arch arch, Word word) { return on(arch, of_wormhole, of_blackhole)(word); }

 private:
  static constexpr std::uint32_t all_ones = 0x7FFFF;  // 19 bits: minus infinity to the Matrix Unit

  static consteval FormBits form(Arch arch, std::string_view name) { return form_bits(arch, "UNPACR_NOP", name); }

  static constexpr UnpackNop of_wormhole(Word word) {
    using namespace unpacker_nop_words::wormhole;
    constexpr Arch arch = Arch::wormhole;
    UnpackNop nop;
    if (form(arch, "OverlayClear0").match(word) || form(arch, "OverlayClear3").match(word)) {
      nop.issue = DataIssue::unpack_nop_overlay;
    } else if (zero_src.match(word)) {
      nop.clears = true;
      nop.clears_both = both_banks.get(word) != 0;
      nop.waits_like_unpacr = wait_like_unpacr.get(word) != 0;
      nop.clear_value = units::unpacker_of(word) == 0 && negative_inf_src_a.get(word) != 0 ? all_ones : 0;
    }
    nop.writes_register = form(arch, "SETREG").match(word);
    nop.sets_dvalid = form(arch, "SETDVALID").match(word);
    return nop;
  }

  static constexpr UnpackNop of_blackhole(Word word) {
    using namespace unpacker_nop_words::blackhole;
    constexpr Arch arch = Arch::blackhole;
    constexpr unsigned only_set_dvalid = 3;
    UnpackNop nop;
    if (form(arch, "SETREG").match(word)) {
      nop.writes_register = true;
      return nop;
    }
    const unsigned format = clr_to1_fmt_ctrl.get(word);
    if (format == only_set_dvalid) {
      nop.sets_dvalid = true;
      return nop;
    }
    if (form(arch, "ZEROSRC").match(word)) {
      nop.clears = true;
      nop.clears_both = both_banks.get(word) != 0;
      nop.waits_like_unpacr = wait_like_unpacr.get(word) != 0;
      nop.sets_dvalid = set_dvalid.get(word) != 0;
      choose_value(nop, word, format);
    } else if (!form(arch, "Nop").match(word)) {
      nop.issue = DataIssue::unpack_nop_overlay;
    }
    return nop;
  }

  static constexpr void choose_value(UnpackNop& nop, Word word, unsigned format) {
    const bool is_src_b = units::unpacker_of(word) != 0;
    switch (unpacker_nop_words::blackhole::src_clr_val_ctrl.get(word)) {
      case 0: break;
      case 1:
        nop.clear_value = all_ones;
        if (is_src_b) nop.issue = DataIssue::unpack_nop_value;  // Wormhole clears SrcB to zero; nothing says more
        break;
      case 2: nop.clear_value = one(format); break;
      default: nop.issue = DataIssue::unpack_nop_value; break;
    }
  }

  static constexpr std::uint32_t one(unsigned format) {
    switch (format) {
      case 0: return number::src_from_fp16(0x3C00);
      case 1: return number::src_from_bf16(0x3F80);
      default: return number::src_from_fp16(number::fp16_from_int8(1, false));
    }
  }
};

/// UNPACR_NOP that writes a register: which, and with what.
struct UnpackRegisterWrite {
  Word word;
  Arch arch;

  unsigned address_select() const {
    using namespace unpacker_nop_words;
    return on(arch, wormhole::addr_sel.get(word),
              blackhole::addr_sel1.get(word) << 1U | blackhole::addr_sel0.get(word));
  }
  std::uint32_t address_middle() const { return unpacker_nop_words::addr_mid.get(word); }
  std::uint32_t value() const { return unpacker_nop_words::value11.get(word); }
  /// A running sum is written; a value of 0 starts it again, and nothing is written.
  bool accumulates() const { return unpacker_nop_words::accumulate.get(word) != 0; }
};

}  // namespace tensim::tensix
