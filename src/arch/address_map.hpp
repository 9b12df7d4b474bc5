// What each core of a tile finds at which address. Rows of one core never overlap; what no row covers is unmapped.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "arch/arch.hpp"
#include "arch/evidence.hpp"

namespace tensim {

/// The five baby cores, as bits: hardware masks use this order (C36).
enum CoreBit : std::uint8_t { B = 1, T0 = 2, T1 = 4, T2 = 8, NC = 16 };
inline constexpr std::uint8_t t_cores = T0 | T1 | T2;
inline constexpr std::uint8_t b_and_t_cores = B | t_cores;
inline constexpr std::uint8_t all_cores = b_and_t_cores | NC;

struct Region {
  enum class Access : std::uint8_t { read_write, read_only, write_only };
  ArchSet archs = {};
  std::uint32_t base = 0;
  std::uint32_t size_bytes = 0;
  std::string_view name = {};
  std::uint8_t cores = 0;  // CoreBits; a row for several T cores whose name says "own" is a different thing for each
  Access access = Access::read_write;
  std::string_view note = {};
  Evidence evidence = Evidence::documented;
  std::string_view source = {};
};

std::span<const Region> address_map(Arch arch);

}  // namespace tensim
