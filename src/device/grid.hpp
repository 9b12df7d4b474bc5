// Which tile of a chip is where. A chip without missing rows or columns (*assumed*: every tile works).
// Pages: NoC/Coordinates.md of either chip.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "arch/arch.hpp"

namespace tensim::device {

struct Coordinates {
  std::uint32_t x = 0;
  std::uint32_t y = 0;
  friend constexpr bool operator==(const Coordinates&, const Coordinates&) = default;
};

enum class TileKind : std::uint8_t { tensix, dram, ethernet, arc, pcie, l2cpu, security, router };
std::string_view name(TileKind kind);

/// A letter per tile, in rows of NoC 0: T Tensix, E Ethernet, A ARC, P PCI Express, C L2CPU, S security, r nothing but a
/// router, 0 to 7 DRAM: three tiles show one memory.
struct Grid {
  std::span<const std::string_view> rows;

  unsigned width() const { return static_cast<unsigned>(rows[0].size()); }
  unsigned height() const { return static_cast<unsigned>(rows.size()); }
  std::size_t index(Coordinates raw) const { return std::size_t{raw.y} * width() + raw.x; }
  TileKind kind(Coordinates raw) const;
  /// Which memory a DRAM tile shows.
  unsigned channel(Coordinates raw) const { return static_cast<unsigned>(rows[raw.y][raw.x] - '0'); }
};

inline constexpr unsigned noc_count = 2;

const Grid& grid(Arch arch);
Coordinates arc_tile(Arch arch);
/// The PCIe tile that the host is behind.
Coordinates pcie_tile(Arch arch);
unsigned channel_count(Arch arch);
std::uint64_t channel_bytes(Arch arch);
std::uint32_t ethernet_l1_bytes(Arch arch);

/// NoC 0's own coordinates of the tile that somebody on `noc` calls `given`, with the translation that firmware sets up;
/// nothing if there is no such tile.
std::optional<Coordinates> raw_coordinates(Arch arch, Coordinates given, unsigned noc = 0);
/// Its coordinates as `noc` counts.
Coordinates noc_coordinates(Arch arch, Coordinates raw, unsigned noc);
/// The name that the translation has for a tile, the same on both NoCs; its own coordinates if there is none.
Coordinates translated_coordinates(Arch arch, Coordinates raw);

}  // namespace tensim::device
