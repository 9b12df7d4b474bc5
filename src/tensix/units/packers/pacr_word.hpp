// The fields of a PACR. Pages: PACR.md (Wormhole); Blackhole's are in the vendor's assembly.yaml.
#pragma once

#include "arch/arch.hpp"
#include "tensix/types.hpp"

namespace tensim::tensix {

struct PacrWord {
  Word word;
  Arch arch;

  bool last() const { return bit(0); }
  bool flush() const { return bit(1); }
  bool concat() const { return bit(4); }
  bool overrides_thread() const { return bit(7); }
  bool zero_write() const { return bit(12); }
  unsigned addr_mod() const { return field(15, 2); }
  unsigned selection() const { return field(8, 4); }

  /// Wormhole: packers; none means packer 0 (errata 43). Blackhole has one.
  unsigned packers() const {
    if (arch == Arch::blackhole) return 1;
    return selection() == 0 ? 1 : selection();
  }
  /// PACR.md lists the masks that work.
  bool mask_is_defined() const {
    constexpr std::uint16_t defined = 1U << 0 | 1U << 1 | 1U << 2 | 1U << 3 | 1U << 4 | 1U << 8 | 1U << 12 | 1U << 15;
    return arch == Arch::blackhole || (defined >> selection() & 1U) != 0;
  }
  /// Blackhole: read interfaces; none means all four (errata 43). A packer of Wormhole has one.
  unsigned interfaces() const {
    constexpr unsigned all = 0xF;
    if (arch == Arch::wormhole) return 1;
    return selection() == 0 ? all : selection();
  }

  // Blackhole only
  unsigned context_control() const { return arch == Arch::blackhole ? field(2, 2) : 0; }
  /// The context is the packer's own, which moves on behind the tile.
  bool uses_own_context() const { return context_control() == 1; }
  /// And does nothing else (assembly.yaml, CtxtCtrl).
  bool only_resets_context() const { return context_control() == 2; }
  /// As with 1, unless the packer's context would be reset: nobody says when that is.
  bool keeps_own_context() const { return context_control() == 3; }
  unsigned counter_context() const { return field(13, 2); }
  bool strided() const { return arch == Arch::blackhole && bit(17); }
  /// RowPadZero: always, if the row ends here, or if the tile does.
  bool pads() const {
    if (arch == Arch::wormhole) return false;
    switch (field(18, 2)) {
      case 1: return true;
      case 2: return !concat();
      case 3: return last();
      default: return false;
    }
  }
  bool pads_total() const { return bit(20); }
  unsigned config_context() const { return arch == Arch::blackhole ? field(21, 2) : 0; }
  /// Zeros without named interfaces: one run of any length (assembly.yaml, ReadIntfSel).
  bool is_zero_run() const { return arch == Arch::blackhole && zero_write() && selection() == 0; }

 private:
  bool bit(unsigned at) const { return (word >> at & 1U) != 0; }
  unsigned field(unsigned low, unsigned width) const { return word >> low & ((1U << width) - 1U); }
};

}  // namespace tensim::tensix
