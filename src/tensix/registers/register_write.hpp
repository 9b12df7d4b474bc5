// Registers of the tile written in the order of transfers: PACR_SETREG and UNPACR_NOP. Both take their addresses from
// TDMA-RISC, which soft reset leaves at values that nobody knows: until somebody sets them, such a write is not modelled.
// Pages: PACR_SETREG.md, UNPACR_NOP_SETREG.md, TDMA-RISC.md.
#pragma once

#include <array>
#include <optional>

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

/// A PACR_SETREG. Wormhole's has its page, Blackhole's is in the vendor's assembly.yaml.
struct PacrSetregWord {
  Word word;
  bool is_wormhole;

  bool flushes() const { return !presets_data() && (word >> 1U & 1U) != 0; }
  bool writes() const { return flushes() && (word >> 23U & 1U) != 0; }
  unsigned address_select() const { return is_wormhole ? word >> 22U & 1U : word >> 8U & 3U; }
  std::uint32_t address_middle() const { return word >> 2U & 0x3FU; }
  /// Wormhole: what is written, before it is scaled.
  std::uint32_t value() const { return word >> 12U & 0x3FFU; }
  /// Blackhole: the form that gives half of the next write's value.
  bool presets_data() const { return !is_wormhole && (word >> 22U & 1U) != 0; }
  unsigned data_half() const { return word >> 2U & 1U; }
  std::uint32_t data() const { return word >> 3U & 0xFFFFU; }
};

}  // namespace tensim::tensix
