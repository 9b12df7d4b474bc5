// Which tile of a chip is where, which of them are off, and what software calls them. A floor plan is a value: of a product,
// or of a chip with these rows, columns, memories and Ethernet tiles off. Pages: NoC/Coordinates.md of either chip (noc 5).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "arch/arch.hpp"
#include "arch/evidence.hpp"
#include "noc/coordinates.hpp"
#include "noc/translation.hpp"

namespace tensim::noc {

enum class TileKind : std::uint8_t { tensix, dram, ethernet, arc, pcie, l2cpu, security, router };
std::string_view name(TileKind kind);
/// Its tiles run programs, and initiate requests.
constexpr bool has_cores(TileKind kind) {
  return kind == TileKind::tensix || kind == TileKind::ethernet;
}

/// What is off ("harvested"): its clock stands, and no translated name of a tile that works leads there.
struct Harvest {
  std::uint32_t tensix = 0;    // rows of Wormhole, columns of Blackhole: bit y or x
  std::uint32_t dram = 0;      // Blackhole: a bit per memory, one at most
  std::uint32_t ethernet = 0;  // Blackhole: a bit per tile, by its number
  friend constexpr bool operator==(const Harvest&, const Harvest&) = default;
};

/// A chip as it is sold. Which rows or columns are off differs from chip to chip; the row has one possibility.
struct Product {
  std::string_view name;
  Arch arch;
  Harvest off;
  Coordinates pcie;  // the tile that the host is behind
  Evidence evidence;
  std::string_view source;
};
std::span<const Product> products();
/// Null if there is none of this name.
const Product* product(std::string_view name);

/// Tensix rows (Wormhole) or columns (Blackhole) in the order of the die.
std::span<const std::uint8_t> die_order(Arch arch);

inline constexpr unsigned tiles_per_bank = 3;  // that show one memory
/// Of a memory. The last 16 MiB of Blackhole's 4 GiB are registers of its tiles.
constexpr std::uint64_t memory_bytes(Arch arch) {
  return on<std::uint64_t>(arch, 0x8000'0000, 0xFF00'0000);
}
/// Parts of it with a rate of their own, one behind the other: what tt-metal calls banks (noc 8; DRAMTile/README.md).
constexpr unsigned memory_parts(Arch arch) {
  return on(arch, 2U, 1U);
}
inline constexpr std::size_t most_tiles = std::size_t{17} * 12;

class FloorPlan {
 public:
  /// Every tile works: what tests use, and what a library is without another word. (On Blackhole firmware has names for
  /// twelve of the fourteen Ethernet tiles.)
  explicit FloorPlan(Arch arch);
  /// `product` is one that refusal() has nothing against.
  explicit FloorPlan(const Product& product);
  /// Why no chip is like this, or nothing.
  static std::optional<std::string> refusal(Arch arch, const Harvest& off);

  // ---- tiles, by NoC 0's own coordinates ----
  Arch arch() const { return arch_; }
  unsigned width() const;
  unsigned height() const;
  std::size_t index(Coordinates raw) const { return std::size_t{raw.y} * width() + raw.x; }
  TileKind kind(Coordinates raw) const;
  bool is_off(Coordinates raw) const;
  /// A Tensix tile that works.
  bool has_tensix(Coordinates raw) const { return kind(raw) == TileKind::tensix && !is_off(raw); }
  /// A Tensix or Ethernet tile that works.
  bool has_cores(Coordinates raw) const { return noc::has_cores(kind(raw)) && !is_off(raw); }
  Coordinates arc() const;
  Coordinates pcie() const { return pcie_; }
  const Harvest& off() const { return off_; }

  // ---- memories ----
  unsigned bank_count() const;  // that the chip has, with the one that is off
  /// Which memory a DRAM tile shows.
  unsigned bank(Coordinates raw) const;
  /// The three tiles that show it, in the order of their names.
  std::array<Coordinates, tiles_per_bank> bank_tiles(unsigned bank) const;
  /// The memories as translated names count them: on Blackhole the one that is off comes last, and its half of the chip behind
  /// the other.
  unsigned bank_named(unsigned position) const;

  // ---- Ethernet ----
  /// In the order of their numbers.
  std::span<const Coordinates> ethernet_tiles() const;
  std::uint32_t ethernet_l1_bytes() const;
  /// Bits of those that have a translated name of their own.
  std::uint32_t named_ethernet() const;

  // ---- names ----
  /// NoC 0's coordinates of the tile that somebody on `noc` calls `given`, with the translation that firmware sets up. Nothing
  /// for coordinates that are neither raw nor a name of a tile; the tables have an entry for those, too, by chance.
  std::optional<Coordinates> tile(Coordinates given, unsigned noc = 0) const;
  /// Its raw coordinates as `noc` counts; and back, which is the same.
  Coordinates on_noc(Coordinates raw, unsigned noc) const;
  /// The name that the translation has for a tile, the same on both NoCs: NOC_ID_LOGICAL. Its raw coordinates if it has none.
  Coordinates translated(Coordinates raw) const;
  /// The registers as firmware leaves them in every NIU of `noc`.
  const Translation& translation(unsigned noc) const { return translation_[noc]; }

  /// Columns and rows whose NIUs take no broadcasts: ROUTER_CFG_1 and ROUTER_CFG_3 as firmware leaves them, bits in the
  /// numbers of `noc`.
  std::uint32_t broadcast_off_columns(unsigned noc) const;
  std::uint32_t broadcast_off_rows(unsigned noc) const;

  /// Tensix rows or columns that are off in the order of the die, as fuses, telemetry and messages of firmware have them.
  std::uint32_t tensix_off_on_die() const;

 private:
  Arch arch_;
  Harvest off_;
  Coordinates pcie_;
  std::array<Translation, noc_count> translation_;
  std::array<Coordinates, most_tiles> names_{};  // by index()
};

/// A product's name, or a chip with what is off, numbers as in Harvest: "p100", "wormhole rows=3,11",
/// "blackhole columns=7,10 dram=3 ethernet=5,8".
struct ReadPlan {
  std::optional<FloorPlan> plan;
  std::string error;  // if there is none
};
ReadPlan read_floor_plan(std::string_view text);
/// What read_floor_plan() makes the same chip of.
std::string text_of(const FloorPlan& plan);

}  // namespace tensim::noc
