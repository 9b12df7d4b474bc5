#include "noc/translation.hpp"

#include "noc/bits.hpp"

namespace tensim::noc {
namespace {

constexpr unsigned entry_bits(Arch arch) {
  return on(arch, 4U, 5U);
}

constexpr unsigned entries_per_register(Arch arch) {
  return on(arch, 8U, 6U);
}

constexpr std::uint32_t index_mask = translation_entries - 1;

Coordinates by_axis(const Translation& registers, Coordinates given) {
  return {entry(Arch::wormhole, registers.x, given.x), entry(Arch::wormhole, registers.y, given.y)};
}

bool is_ddr_column(const Translation& registers, std::uint32_t x) {
  for (const DdrColumn& column : ddr_columns)
    if (column.x == x) return has_bit(registers.ddr.back(), column.bit);
  return false;
}

/// The page's rule. A coordinate that is kept keeps all its bits; tables are asked modulo 32.
Coordinates jointly(const Translation& registers, Coordinates given) {
  constexpr std::uint32_t other_column = ddr_columns[0].x ^ ddr_columns[1].x;
  const std::uint32_t x = given.x & index_mask;
  const std::uint32_t y = given.y & index_mask;
  Coordinates result = given;
  if (has_bit(registers.col_swap, y) && is_ddr_column(registers, x ^ other_column))
    result.x = x ^ other_column;
  else if (!has_bit(registers.row_mask, y))
    result.x = entry(Arch::blackhole, registers.x, x);
  if (is_ddr_column(registers, x))
    result.y = entry(Arch::blackhole, registers.ddr, y);
  else if (!has_bit(registers.col_mask, x))
    result.y = entry(Arch::blackhole, registers.y, y);
  return result;
}

}  // namespace

TranslationTable packed(Arch arch, const TranslationEntries& entries) {
  TranslationTable table{};
  for (unsigned i = 0; i < translation_entries; ++i) {
    const Bits place{.low = i % entries_per_register(arch) * entry_bits(arch), .width = entry_bits(arch)};
    table[i / entries_per_register(arch)] |= place.put(entries[i]);
  }
  return table;
}

std::uint8_t entry(Arch arch, std::span<const std::uint32_t> table, std::uint32_t index) {
  const std::uint32_t at = index & index_mask;
  const Bits place{.low = at % entries_per_register(arch) * entry_bits(arch), .width = entry_bits(arch)};
  return static_cast<std::uint8_t>(place.get(table[at / entries_per_register(arch)]));
}

Coordinates translate(Arch arch, const Translation& registers, Coordinates given) {
  return on(arch, by_axis, jointly)(registers, given);
}

}  // namespace tensim::noc
