#include "device/grid.hpp"

#include <algorithm>
#include <array>

#include "arch/named_rows.hpp"

namespace tensim::device {
namespace {

using std::string_view;

constexpr std::array<string_view, 12> wormhole_rows{
    "0EEEE2EEEE",  //
    "0TTTT2TTTT",  //
    "rTTTT3TTTT",  //
    "PTTTT4TTTT",  //
    "rTTTT4TTTT",  //
    "1TTTT5TTTT",  //
    "1EEEE5EEEE",  //
    "1TTTT5TTTT",  //
    "rTTTT4TTTT",  //
    "rTTTT3TTTT",  //
    "ATTTT3TTTT",  //
    "0TTTT2TTTT",
};

constexpr std::array<string_view, 12> blackhole_rows{
    "0rPrrrrrA4rPrrrrr",  //
    "0EEEEEEEr4EEEEEEE",  //
    "1TTTTTTTS5TTTTTTT",  //
    "1TTTTTTTC5TTTTTTT",  //
    "2TTTTTTTr6TTTTTTT",  //
    "3TTTTTTTC7TTTTTTT",  //
    "3TTTTTTTr7TTTTTTT",  //
    "3TTTTTTTC7TTTTTTT",  //
    "2TTTTTTTr6TTTTTTT",  //
    "2TTTTTTTC6TTTTTTT",  //
    "1TTTTTTTr5TTTTTTT",  //
    "0TTTTTTTr4TTTTTTT",
};

constexpr std::array grids{Grid{wormhole_rows}, Grid{blackhole_rows}};

constexpr NamedRows kind_rows{std::array{
    NamedRow{TileKind::tensix, "Tensix"},
    NamedRow{TileKind::dram, "DRAM"},
    NamedRow{TileKind::ethernet, "Ethernet"},
    NamedRow{TileKind::arc, "ARC"},
    NamedRow{TileKind::pcie, "PCIe"},
    NamedRow{TileKind::l2cpu, "L2CPU"},
    NamedRow{TileKind::security, "security"},
    NamedRow{TileKind::router, "router"},
}};
static_assert(kind_rows.cover(TileKind::router));

// ---- Wormhole: the two axes are translated apart; below 16 nothing is ----

constexpr std::uint32_t first_translated = 16;
constexpr std::array<std::uint32_t, 10> wormhole_x{0, 5, 1, 2, 3, 4, 6, 7, 8, 9};
constexpr std::array<std::uint32_t, 12> wormhole_y{0, 6, 1, 2, 3, 4, 5, 7, 8, 9, 10, 11};

template <std::size_t count>
std::optional<std::uint32_t> translated(const std::array<std::uint32_t, count>& axis, std::uint32_t given,
                                        bool mirrored) {
  if (given >= first_translated)
    return given - first_translated < count ? std::optional(axis[given - first_translated]) : std::nullopt;
  if (given >= count) return std::nullopt;
  return mirrored ? static_cast<std::uint32_t>(count) - 1 - given : given;
}

template <std::size_t count>
std::uint32_t index_of(const std::array<std::uint32_t, count>& axis, std::uint32_t raw) {
  return static_cast<std::uint32_t>(std::ranges::find(axis, raw) - axis.begin());
}

std::optional<Coordinates> wormhole_tile(Coordinates given, unsigned noc) {
  const auto x = translated(wormhole_x, given.x, noc == 1);
  const auto y = translated(wormhole_y, given.y, noc == 1);
  if (!x || !y) return std::nullopt;
  return Coordinates{*x, *y};
}

// ---- Blackhole: what is not on the grid has numbers beside it ----

constexpr std::uint32_t arc_column = 8;
constexpr std::uint32_t first_tensix_row = 2;
constexpr Coordinates first_dram{17, 12};
constexpr Coordinates pcie_translated{19, 24};
constexpr Coordinates pcie_raw{2, 0};  // as on p150
constexpr Coordinates first_ethernet{20, 25};
constexpr Coordinates first_l2cpu{arc_column, 26};
constexpr Coordinates security{arc_column, 30};
constexpr std::array<std::uint32_t, 2> dram_columns{0, 9};
constexpr std::array<std::uint32_t, 12> dram_rows{0, 1, 11, 2, 10, 3, 9, 4, 8, 5, 7, 6};
/// Twelve of the fourteen are in use; that it is these is what host software supposes of a simulator (*assumed*).
constexpr std::array<std::uint32_t, 12> ethernet_columns{1, 16, 2, 15, 3, 4, 13, 12, 6, 11, 7, 10};
constexpr std::array<std::uint32_t, 4> l2cpu_rows{3, 9, 5, 7};

/// The tile of coordinates that exist in the translated system alone: beyond the last column or row of raw ones.
std::optional<Coordinates> translated_only(Coordinates given) {
  const std::uint32_t dx = given.x - first_dram.x;
  const std::uint32_t dy = given.y - first_dram.y;
  if (dx < dram_columns.size() && dy < dram_rows.size()) return Coordinates{dram_columns[dx], dram_rows[dy]};
  if (given == pcie_translated) return pcie_raw;
  if (given.y == first_ethernet.y && given.x - first_ethernet.x < ethernet_columns.size())
    return Coordinates{ethernet_columns[given.x - first_ethernet.x], 1};
  if (given.x == arc_column && given.y - first_l2cpu.y < l2cpu_rows.size())
    return Coordinates{arc_column, l2cpu_rows[given.y - first_l2cpu.y]};
  if (given == security) return Coordinates{arc_column, 2};
  return std::nullopt;
}

std::optional<Coordinates> blackhole_tile(Coordinates given, unsigned noc) {
  const Grid& chip = grid(Arch::blackhole);
  if (given.x >= chip.width() || given.y >= chip.height()) return translated_only(given);
  const bool is_mirrored = noc == 1 && given.y < first_tensix_row && given.x != arc_column;
  return is_mirrored ? Coordinates{chip.width() - 1 - given.x, given.y} : given;
}

}  // namespace

std::string_view name(TileKind kind) {
  return kind_rows.name(kind);
}

TileKind Grid::kind(Coordinates raw) const {
  switch (rows[raw.y][raw.x]) {
    case 'T': return TileKind::tensix;
    case 'E': return TileKind::ethernet;
    case 'A': return TileKind::arc;
    case 'P': return TileKind::pcie;
    case 'C': return TileKind::l2cpu;
    case 'S': return TileKind::security;
    case 'r': return TileKind::router;
    default: return TileKind::dram;
  }
}

const Grid& grid(Arch arch) {
  static_assert(grids.size() == all_archs.size());
  return grids[static_cast<std::size_t>(arch)];
}

Coordinates arc_tile(Arch arch) {
  return on<Coordinates>(arch, {0, 10}, {8, 0});
}

Coordinates pcie_tile(Arch arch) {
  return on<Coordinates>(arch, {0, 3}, pcie_raw);
}

unsigned channel_count(Arch arch) {
  return on(arch, 6U, 8U);
}

/// Wormhole: two memories of 1 GiB, one behind the other (DRAMTile/README.md).
std::uint64_t channel_bytes(Arch arch) {
  return on<std::uint64_t>(arch, 2, 4) << 30U;
}

std::uint32_t ethernet_l1_bytes(Arch arch) {
  return on(arch, 256U, 512U) << 10U;
}

std::optional<Coordinates> raw_coordinates(Arch arch, Coordinates given, unsigned noc) {
  return on(arch, wormhole_tile, blackhole_tile)(given, noc);
}

Coordinates noc_coordinates(Arch arch, Coordinates raw, unsigned noc) {
  const Grid& chip = grid(arch);
  return noc == 0 ? raw : Coordinates{chip.width() - 1 - raw.x, chip.height() - 1 - raw.y};
}

static Coordinates wormhole_translated(Coordinates raw) {
  return {first_translated + index_of(wormhole_x, raw.x), first_translated + index_of(wormhole_y, raw.y)};
}

static Coordinates blackhole_translated(Coordinates raw) {
  for (std::uint32_t y = first_dram.y; y <= security.y; ++y)
    for (std::uint32_t x = arc_column; x < first_ethernet.x + ethernet_columns.size(); ++x)
      if (translated_only({x, y}) == raw) return {x, y};
  return raw;
}

Coordinates translated_coordinates(Arch arch, Coordinates raw) {
  return on(arch, wormhole_translated, blackhole_translated)(raw);
}

}  // namespace tensim::device
