// UNPACR_NOP: what an unpacker does in the order of its transfers without moving any data. Wormhole's forms are in
// UNPACR_NOP_*.md; Blackhole's in the vendor's assembly.yaml, which has more of them in one word.
#pragma once

#include "arch/arch.hpp"
#include "number/layout.hpp"
#include "number/unpack.hpp"
#include "tensix/data_issue.hpp"
#include "tensix/types.hpp"

namespace tensim::tensix {

struct UnpackNop {
  bool clears = false;       // Src
  bool clears_both = false;  // banks
  bool waits_like_unpacr = false;
  bool sets_dvalid = false;
  bool writes_register = false;
  std::uint32_t clear_value = 0;
  DataIssue issue = DataIssue::none;

  static constexpr UnpackNop of(Arch arch, Word word) {
    return arch == Arch::wormhole ? of_wormhole(word) : of_blackhole(word);
  }

 private:
  static constexpr std::uint32_t all_ones = 0x7FFFF;  // 19 bits: minus infinity to the Matrix Unit

  static constexpr UnpackNop of_wormhole(Word word) {
    const bool is_src_a = (word >> 23U & 1U) == 0;
    UnpackNop nop;
    switch (word & 7U) {
      case 0:
      case 3: nop.issue = DataIssue::unpack_nop_overlay; break;
      case 1:
      case 5:
        nop.clears = true;
        nop.clears_both = (word >> 3U & 1U) != 0;
        nop.waits_like_unpacr = (word >> 4U & 1U) != 0;
        nop.clear_value = is_src_a && (word >> 2U & 1U) != 0 ? all_ones : 0;
        break;
      case 4: nop.writes_register = true; break;
      case 7: nop.sets_dvalid = true; break;
      default: break;
    }
    return nop;
  }

  static constexpr UnpackNop of_blackhole(Word word) {
    UnpackNop nop;
    if ((word & 7U) == 7) {
      nop.writes_register = true;
      return nop;
    }
    const unsigned format = word >> 6U & 3U;
    if (format == 3) {
      nop.sets_dvalid = true;
      return nop;
    }
    switch (word & 3U) {
      case 1:
        nop.clears = true;
        nop.clears_both = (word >> 4U & 1U) != 0;
        nop.waits_like_unpacr = (word >> 5U & 1U) != 0;
        nop.sets_dvalid = (word >> 8U & 1U) != 0;
        choose_value(nop, word, format);
        break;
      case 2: break;
      default: nop.issue = DataIssue::unpack_nop_overlay; break;
    }
    return nop;
  }

  static constexpr void choose_value(UnpackNop& nop, Word word, unsigned format) {
    const bool is_src_b = (word >> 23U & 1U) != 0;
    switch (word >> 2U & 3U) {
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
  bool is_wormhole;

  unsigned address_select() const {
    return is_wormhole ? word >> 22U & 1U : (word >> 22U & 1U) << 1U | (word >> 15U & 1U);
  }
  std::uint32_t address_middle() const { return word >> 16U & 0x3FU; }
  std::uint32_t value() const { return word >> 4U & 0x7FFU; }
  /// A running sum is written; a value of 0 starts it again, and nothing is written.
  bool accumulates() const { return (word >> 3U & 1U) != 0; }
};

}  // namespace tensim::tensix
