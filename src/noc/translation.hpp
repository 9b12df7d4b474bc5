// How an NIU turns the coordinates that software gives it into those of its NoC: tables in its registers, which the card's
// firmware fills and anybody may write. Wormhole has a table per axis; on Blackhole the axes look at each other.
// Page: NoC/Coordinates.md of either chip (noc 5).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "arch/arch.hpp"
#include "noc/coordinates.hpp"

namespace tensim::noc {

/// Entries of a table by the number that software gives, which counts modulo 32.
inline constexpr unsigned translation_entries = 32;
using TranslationEntries = std::array<std::uint8_t, translation_entries>;

/// Registers of a table: 32 entries of 4 bits in four of them (Wormhole), of 5 bits, six to a register, in six (Blackhole).
inline constexpr std::size_t most_table_registers = 6;
using TranslationTable = std::array<std::uint32_t, most_table_registers>;
constexpr unsigned table_registers(Arch arch) {
  return on(arch, 4U, 6U);
}

TranslationTable packed(Arch arch, const TranslationEntries& entries);
std::uint8_t entry(Arch arch, std::span<const std::uint32_t> table, std::uint32_t index);

/// The registers of an NIU that translate. That it does so at all is bit 14 of NIU_CFG_0, which is not among them.
struct Translation {
  TranslationTable x{};  // NOC_X_ID_TRANSLATE_TABLE
  TranslationTable y{};  // NOC_Y_ID_TRANSLATE_TABLE
  // Blackhole alone:
  std::uint32_t col_mask = 0;  // NOC_ID_TRANSLATE_COL_MASK: columns whose y is kept
  std::uint32_t row_mask = 0;  // NOC_ID_TRANSLATE_ROW_MASK: rows whose x is kept
  TranslationTable ddr{};      // DDR_COORD_TRANSLATE_TABLE, and two bits more in the last: ddr_columns
  std::uint32_t col_swap = 0;  // DDR_COORD_TRANSLATE_COL_SWAP: rows in which the columns of DRAM change places
  friend bool operator==(const Translation&, const Translation&) = default;
};

/// A column of DRAM tiles, and the bit of the last DDR register that makes the DDR table apply to it. (The page. A header of
/// tt-metal has the bits by the same names, east and west, and says the other column beside each.)
struct DdrColumn {
  std::uint32_t x;
  unsigned bit;
};
inline constexpr std::array ddr_columns{DdrColumn{.x = 9, .bit = 10}, DdrColumn{.x = 0, .bit = 11}};

/// What the NIU's NoC is asked for: its own raw coordinates. They need not be of a tile.
Coordinates translate(Arch arch, const Translation& registers, Coordinates given);

}  // namespace tensim::noc
