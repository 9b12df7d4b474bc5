// Dst: 1024 rows of 16 columns of 16 bits, or half as many rows of 32 bits in the same storage. Two configuration fields
// permute rows, and a debug register puts 16-bit rows into the upper halves of 32-bit ones. Page: Dst.md.
#pragma once

#include <array>
#include <cstdint>

#include "arch/sizes.hpp"
#include "tensix/registers/config.hpp"

namespace tensim::tensix {

// DEST_ACCESS_CFG (Blackhole): two fields of one word permute rows.
inline constexpr ConfigField::Place dst_remap = "DEST_ACCESS_CFG_remap_addrs"_config.blackhole;
inline constexpr ConfigField::Place dst_swizzle = "DEST_ACCESS_CFG_swizzle_32b"_config.blackhole;
inline constexpr auto dst_access_word = static_cast<std::size_t>(dst_remap.word);
static_assert(dst_swizzle.word == dst_remap.word);

/// DEST_ACCESS_CFG, and bit 11 of DBG_FEATURE_DISABLE.
struct DstAddressing {
  bool remap = false;
  bool swizzle = false;
  bool upper_halves = false;  // of 32-bit rows are the 16-bit rows

  static DstAddressing of(const BackendConfig& config, Arch arch, bool upper_halves = false);

  constexpr unsigned row16(unsigned row) const {
    if (upper_halves) [[unlikely]]
      return row32(row);
    return remapped(row);
  }
  /// The row of the upper halves; the lower ones are eight rows further.
  constexpr unsigned row32(unsigned row) const {
    row = remapped(row);
    if (swizzle) row = (row & 0x3F3U) ^ (row & 0x018U) >> 1U ^ (row & 0x004U) << 1U;
    return (row & 0x1F8U) << 1U | (row & 0x207U);
  }

 private:
  constexpr unsigned remapped(unsigned row) const {
    return remap ? (row & 0x3C7U) ^ (row & 0x030U) >> 1U ^ (row & 0x008U) << 2U : row;
  }
};

struct Dst {
  static constexpr unsigned rows = size_of_both("dst_rows"_size);
  static constexpr unsigned columns = size_of_both("dst_columns"_size);
  static_assert(rows / 2 == size_of_both("dst_rows_32b"_size), "a row of 32-bit data takes two");
  static_assert(std::size_t{rows} * columns * 2 == size_of_both("dst_bytes"_size));
  static constexpr unsigned low_half = 8;  // rows from an upper half to its lower one

  using Row = std::array<std::uint16_t, columns>;

  std::array<Row, rows> bits{};
  std::array<bool, rows> is_undefined{};  // marked by ZEROACC; a write makes the row defined
  bool upper_halves = false;              // DBG_FEATURE_DISABLE bit 11: whoever has that register sets it

  std::uint16_t get16(DstAddressing addressing, unsigned row, unsigned column) const {
    return bits[addressing.row16(row)][column];
  }
  void set16(DstAddressing addressing, unsigned row, unsigned column, std::uint16_t value) {
    const unsigned at = addressing.row16(row);
    bits[at][column] = value;
    is_undefined[at] = false;
  }
  std::uint32_t get32(DstAddressing addressing, unsigned row, unsigned column) const {
    const unsigned upper = addressing.row32(row);
    return std::uint32_t{bits[upper][column]} << 16U | bits[upper + low_half][column];
  }
  void set32(DstAddressing addressing, unsigned row, unsigned column, std::uint32_t value) {
    const unsigned upper = addressing.row32(row);
    bits[upper][column] = static_cast<std::uint16_t>(value >> 16U);
    bits[upper + low_half][column] = static_cast<std::uint16_t>(value);
    is_undefined[upper] = is_undefined[upper + low_half] = false;
  }

  friend constexpr bool operator==(const Dst&, const Dst&) = default;
};

/// The configuration can ask for another order of rows, by remapping and swizzling.
constexpr bool permutes_dst_rows(Arch arch) {
  return on(arch, false, true);
}

inline DstAddressing DstAddressing::of(const BackendConfig& config, Arch arch, bool upper_halves) {
  DstAddressing addressing;
  addressing.upper_halves = upper_halves;
  if (!permutes_dst_rows(arch)) return addressing;
  const std::uint32_t access = config.bank[0][dst_access_word];
  addressing.remap = dst_remap.get(access) != 0;
  addressing.swizzle = dst_swizzle.get(access) != 0;
  return addressing;
}

}  // namespace tensim::tensix
