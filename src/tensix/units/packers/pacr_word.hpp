// The fields of a PACR. Pages: PACR.md (Wormhole); Blackhole's are in the vendor's assembly.yaml.
#pragma once

#include "arch/sizes.hpp"
#include "tensix/registers/fields.hpp"
#include "tensix/types.hpp"

namespace tensim::tensix {

namespace pacr_words {
inline constexpr isa::Field last = field_of("PACR", "", "Last");
inline constexpr isa::Field flush = field_of("PACR", "", "Flush");
inline constexpr isa::Field concat = field_of("PACR", "", "Concat");
inline constexpr isa::Field ovrd_thread_id = field_of("PACR", "", "OvrdThreadId");
inline constexpr isa::Field zero_write = field_of("PACR", "", "ZeroWrite");
inline constexpr isa::Field addr_mod = field_of("PACR", "", "AddrMod");
// One place, two meanings.
inline constexpr isa::Field packer_mask = field_of(Arch::wormhole, "PACR", "", "PackerMask");
inline constexpr isa::Field read_intf_sel = field_of(Arch::blackhole, "PACR", "", "ReadIntfSel");
static_assert(same_place(packer_mask, read_intf_sel));
inline constexpr isa::Field ctxt_ctrl = field_of(Arch::blackhole, "PACR", "", "CtxtCtrl");
inline constexpr isa::Field addr_cnt_context = field_of(Arch::blackhole, "PACR", "", "AddrCntContext");
inline constexpr isa::Field dst_access_mode = field_of(Arch::blackhole, "PACR", "", "DstAccessMode");
inline constexpr isa::Field row_pad_zero = field_of(Arch::blackhole, "PACR", "", "RowPadZero");
inline constexpr isa::Field cfg_context = field_of(Arch::blackhole, "PACR", "", "CfgContext");
}  // namespace pacr_words

/// The mask chooses among packers; otherwise among the read interfaces of the one packer (errata 43).
constexpr bool has_several_packers(Arch arch) {
  using namespace tensim::literals;
  return on(arch, size(Arch::wormhole, "packers"_size) > 1, size(Arch::blackhole, "packers"_size) > 1);
}
/// The word names contexts, the way through Dst and padding.
constexpr bool pacr_has_modes(Arch arch) {
  return on(arch, false, true);
}

struct PacrWord {
  Word word;
  Arch arch;

  bool last() const { return pacr_words::last.get(word) != 0; }
  bool flush() const { return pacr_words::flush.get(word) != 0; }
  bool concat() const { return pacr_words::concat.get(word) != 0; }
  bool overrides_thread() const { return pacr_words::ovrd_thread_id.get(word) != 0; }
  bool zero_write() const { return pacr_words::zero_write.get(word) != 0; }
  unsigned addr_mod() const { return pacr_words::addr_mod.get(word); }
  unsigned selection() const { return pacr_words::packer_mask.get(word); }

  /// Wormhole: packers; none means packer 0 (errata 43). Blackhole has one.
  unsigned packers() const {
    if (!has_several_packers(arch)) return 1;
    return selection() == 0 ? 1 : selection();
  }
  /// PACR.md lists the masks that work.
  bool mask_is_defined() const {
    constexpr std::uint16_t defined = 1U << 0 | 1U << 1 | 1U << 2 | 1U << 3 | 1U << 4 | 1U << 8 | 1U << 12 | 1U << 15;
    return !has_several_packers(arch) || (defined >> selection() & 1U) != 0;
  }
  /// Blackhole: read interfaces; none means all four (errata 43). A packer of Wormhole has one.
  unsigned interfaces() const {
    constexpr unsigned all = 0xF;
    if (has_several_packers(arch)) return 1;
    return selection() == 0 ? all : selection();
  }

  // Blackhole only
  unsigned context_control() const { return pacr_has_modes(arch) ? pacr_words::ctxt_ctrl.get(word) : 0; }
  /// The context is the packer's own, which moves on behind the tile.
  bool uses_own_context() const { return context_control() == 1; }
  /// And does nothing else (assembly.yaml, CtxtCtrl).
  bool only_resets_context() const { return context_control() == 2; }
  /// As with 1, unless the packer's context would be reset: nobody says when that is.
  bool keeps_own_context() const { return context_control() == 3; }
  unsigned counter_context() const { return pacr_words::addr_cnt_context.get(word); }
  bool strided() const { return pacr_has_modes(arch) && pacr_words::dst_access_mode.get(word) != 0; }
  /// RowPadZero: always, if the row ends here, or if the tile does.
  bool pads() const {
    if (!pacr_has_modes(arch)) return false;
    switch (pacr_words::row_pad_zero.get(word) & ~to_16_datums) {
      case 1: return true;
      case 2: return !concat();
      case 3: return last();
      default: return false;
    }
  }
  /// RowPadZero, the variants called 16DATUM_ALGN.
  bool pads_total() const { return (pacr_words::row_pad_zero.get(word) & to_16_datums) != 0; }
  unsigned config_context() const { return pacr_has_modes(arch) ? pacr_words::cfg_context.get(word) : 0; }
  /// Zeros without named interfaces: one run of any length (assembly.yaml, ReadIntfSel).
  bool is_zero_run() const { return !has_several_packers(arch) && zero_write() && selection() == 0; }

 private:
  static constexpr unsigned to_16_datums = 4;  // of RowPadZero: 16DATUM_ALGN
};

}  // namespace tensim::tensix
