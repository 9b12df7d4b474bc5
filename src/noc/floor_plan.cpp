#include "noc/floor_plan.hpp"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "arch/named_rows.hpp"
#include "arch/sizes.hpp"
#include "noc/bits.hpp"
#include "noc/firmware_names.hpp"

namespace tensim::noc {
namespace {

using std::string_view;

/// A letter per tile, in rows of NoC 0: T Tensix, E Ethernet, A ARC, P PCI Express, C L2CPU, S security, r nothing but a
/// router, 0 to 7 DRAM: three tiles show one memory.
using Rows = std::array<string_view, 12>;
constexpr Rows wormhole_rows{
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
constexpr Rows blackhole_rows{
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
const Rows& rows_of(Arch arch) {
  return *on(arch, &wormhole_rows, &blackhole_rows);
}

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

constexpr std::uint32_t below(unsigned count) {
  return (1U << count) - 1;
}

/// "1, 2"
std::string list_of_bits(std::uint32_t bits) {
  std::string text;
  for (; bits != 0; bits &= bits - 1)
    text += fmt::format("{}{}", text.empty() ? "" : ", ", std::countr_zero(bits));
  return text;
}

// ---- the die's own order: tt-umd, HARVESTING_NOC_LOCATIONS; Blackhole's also tt-zephyr-platforms, bh_arc/noc_init.c ----

constexpr std::array<std::uint8_t, 10> wormhole_die{11, 1, 10, 2, 9, 3, 8, 4, 7, 5};                    // rows
constexpr std::array<std::uint8_t, 14> blackhole_die{1, 16, 2, 15, 3, 14, 4, 13, 5, 12, 6, 11, 7, 10};  // columns

constexpr unsigned most_rows_off = 9;     // one must be left (*assumed*: products are without two at most)
constexpr unsigned most_columns_off = 7;  // firmware looks no further (noc_init.c)

// ---- Ethernet tiles by number: tt-umd, ETH_CORES_NOC0; Blackhole's are above the columns in the die's order ----

constexpr std::array<Coordinates, 16> wormhole_ethernet{{{9, 0},
                                                         {1, 0},
                                                         {8, 0},
                                                         {2, 0},
                                                         {7, 0},
                                                         {3, 0},
                                                         {6, 0},
                                                         {4, 0},
                                                         {9, 6},
                                                         {1, 6},
                                                         {8, 6},
                                                         {2, 6},
                                                         {7, 6},
                                                         {3, 6},
                                                         {6, 6},
                                                         {4, 6}}};
constexpr auto blackhole_ethernet = [] {
  std::array<Coordinates, blackhole_die.size()> tiles{};
  for (std::size_t i = 0; i < tiles.size(); ++i)
    tiles[i] = {blackhole_die[i], 1};
  return tiles;
}();

/// Firmware of Blackhole has names for twelve Ethernet tiles. Of 4 to 6 and of 7 to 9 it leaves out the last that is off;
/// if all three work it switches off, and leaves out, the middle one. (harvesting.c, noc_init.c)
constexpr unsigned ethernet_group = 3;
constexpr std::array<unsigned, 2> ethernet_groups{4, 7};
std::uint32_t unnamed_blackhole_ethernet(std::uint32_t off) {
  std::uint32_t left_out = 0;
  for (const unsigned first : ethernet_groups) {
    const std::uint32_t off_here = off >> first & below(ethernet_group);
    left_out |= off_here == 0 ? 1U << (first + 1) : 1U << (first + std::bit_width(off_here) - 1);
  }
  return left_out;
}

// ---- memories ----

/// y of the tiles that show Blackhole's memories 0 to 3 in column 0, and 4 to 7 in column 9 (noc_init.c; tt-umd).
constexpr std::array<std::array<std::uint8_t, tiles_per_bank>, 4> blackhole_bank_rows{
    {{0, 1, 11}, {2, 10, 3}, {9, 4, 8}, {5, 7, 6}}};
constexpr unsigned banks_per_column = blackhole_bank_rows.size();
constexpr std::uint32_t west_dram = 0;
constexpr std::uint32_t east_dram = 9;

/// Lists hold the three tiles of a Wormhole memory in the order of their rows (tt-metal, wormhole_b0_80_arch.yaml).
std::array<Coordinates, tiles_per_bank> wormhole_bank_tiles(const FloorPlan& plan, unsigned bank) {
  std::array<Coordinates, tiles_per_bank> tiles{};
  auto next = tiles.begin();
  for (std::uint32_t y = 0; y < plan.height(); ++y)
    for (std::uint32_t x = 0; x < plan.width() && next != tiles.end(); ++x)
      if (plan.kind({x, y}) == TileKind::dram && plan.bank({x, y}) == bank) *next++ = {x, y};
  return tiles;
}

std::array<Coordinates, tiles_per_bank> blackhole_bank_tiles(const FloorPlan& /*plan*/, unsigned bank) {
  std::array<Coordinates, tiles_per_bank> tiles{};
  for (unsigned i = 0; i < tiles_per_bank; ++i)
    tiles[i] = {bank < banks_per_column ? west_dram : east_dram, blackhole_bank_rows[bank % banks_per_column][i]};
  return tiles;
}

}  // namespace

std::string_view name(TileKind kind) {
  return kind_rows.name(kind);
}

std::span<const std::uint8_t> die_order(Arch arch) {
  return on<std::span<const std::uint8_t>>(arch, wormhole_die, blackhole_die);
}

// ---- a plan ----

FloorPlan::FloorPlan(Arch arch) : FloorPlan(*product(tensim::name(arch))) {}

FloorPlan::FloorPlan(const Product& product) : arch_(product.arch), off_(product.off), pcie_(product.pcie) {
  for (unsigned noc = 0; noc < noc_count; ++noc)
    translation_[noc] = firmware_translation(*this, noc);
  for (std::uint32_t y = 0; y < height(); ++y)
    for (std::uint32_t x = 0; x < width(); ++x)
      names_[index({x, y})] = {x, y};
  for (const NameBlock& block : name_blocks(arch_))
    for (std::uint32_t y = block.first.y; y <= block.last.y; ++y)
      for (std::uint32_t x = block.first.x; x <= block.last.x; ++x)
        if (const Coordinates raw = translate(arch_, translation_[0], {x, y}); !block.kind || *block.kind == kind(raw))
          names_[index(raw)] = {x, y};
}

std::optional<std::string> FloorPlan::refusal(Arch arch, const Harvest& off) {
  std::uint32_t lines = off.tensix;
  for (const std::uint8_t line : die_order(arch))
    lines &= ~(1U << line);
  if (lines != 0)
    return fmt::format("{} has no Tensix tiles in {} {}", tensim::name(arch), on(arch, "row", "column"),
                       std::countr_zero(lines));
  if (const auto count = static_cast<unsigned>(std::popcount(off.tensix));
      count > on(arch, most_rows_off, most_columns_off))
    return fmt::format("{} {} are off: firmware can do without {} at most", count, on(arch, "rows", "columns"),
                       on(arch, most_rows_off, most_columns_off));
  if (off.dram >= 1U << on(arch, 0U, 8U) || std::popcount(off.dram) > 1)
    return fmt::format("memories {} are off: {}", list_of_bits(off.dram),
                       on(arch, "a Wormhole has all of them", "a Blackhole can do without one of 0 to 7"));
  if (off.ethernet >= 1U << on(arch, 0U, 14U))
    return fmt::format("Ethernet tiles {} are off: {}", list_of_bits(off.ethernet),
                       on(arch, "a Wormhole has all of them", "a Blackhole has 0 to 13"));
  return std::nullopt;
}

unsigned FloorPlan::width() const {
  return static_cast<unsigned>(rows_of(arch_)[0].size());
}

unsigned FloorPlan::height() const {
  return static_cast<unsigned>(rows_of(arch_).size());
}

TileKind FloorPlan::kind(Coordinates raw) const {
  switch (rows_of(arch_)[raw.y][raw.x]) {
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

bool FloorPlan::is_off(Coordinates raw) const {
  switch (kind(raw)) {
    case TileKind::tensix: return has_bit(off_.tensix, on(arch_, raw.y, raw.x));
    case TileKind::dram: return has_bit(off_.dram, bank(raw));
    case TileKind::ethernet: {
      const auto number = std::ranges::find(ethernet_tiles(), raw) - ethernet_tiles().begin();
      return has_bit(off_.ethernet, static_cast<std::uint32_t>(number));
    }
    default: return false;
  }
}

Coordinates FloorPlan::arc() const {
  return on<Coordinates>(arch_, {0, 10}, {8, 0});
}

// ---- memories ----

unsigned FloorPlan::bank_count() const {
  return on(arch_, 6U, 8U);
}

unsigned FloorPlan::bank(Coordinates raw) const {
  return static_cast<unsigned>(rows_of(arch_)[raw.y][raw.x] - '0');
}

std::array<Coordinates, tiles_per_bank> FloorPlan::bank_tiles(unsigned bank) const {
  return on(arch_, wormhole_bank_tiles, blackhole_bank_tiles)(*this, bank);
}

/// noc_init.c: the column with the memory that is off is the second one, and its row of memories the last of both columns.
unsigned FloorPlan::bank_named(unsigned position) const {
  if (off_.dram == 0) return position;
  const auto off = static_cast<unsigned>(std::countr_zero(off_.dram));
  const unsigned off_row = off % banks_per_column;
  const unsigned row = position % banks_per_column;
  const unsigned named_row = row == banks_per_column - 1 ? off_row : row + (row >= off_row ? 1 : 0);
  const bool is_second = position >= banks_per_column;
  const bool off_is_west = off < banks_per_column;
  return named_row + (is_second == off_is_west ? 0 : banks_per_column);
}

// ---- Ethernet ----

std::span<const Coordinates> FloorPlan::ethernet_tiles() const {
  return on<std::span<const Coordinates>>(arch_, wormhole_ethernet, blackhole_ethernet);
}

std::uint32_t FloorPlan::ethernet_l1_bytes() const {
  return static_cast<std::uint32_t>(size(arch_, "ethernet_l1_bytes"_size));
}

std::uint32_t FloorPlan::named_ethernet() const {
  const std::uint32_t all = below(static_cast<unsigned>(ethernet_tiles().size()));
  return on(arch_, all, all & ~unnamed_blackhole_ethernet(off_.ethernet));
}

// ---- names ----

std::optional<Coordinates> FloorPlan::tile(Coordinates given, unsigned noc) const {
  const Coordinates own = translate(arch_, translation_[noc], given);
  if (own.x >= width() || own.y >= height()) return std::nullopt;
  const Coordinates raw = on_noc(own, noc);
  return is_meant(*this, given, raw) ? std::optional(raw) : std::nullopt;
}

Coordinates FloorPlan::on_noc(Coordinates raw, unsigned noc) const {
  return noc == 0 ? raw : Coordinates{width() - 1 - raw.x, height() - 1 - raw.y};
}

Coordinates FloorPlan::translated(Coordinates raw) const {
  return names_[index(raw)];
}

// ---- broadcasts: noc_init.c; Wormhole's likewise ("only Tensix tiles", NoC/MemoryMap.md) ----

/// Bits of a line in the numbers of `noc`.
static std::uint32_t mirrored_bits(std::uint32_t bits, unsigned size, unsigned noc) {
  if (noc == 0) return bits;
  std::uint32_t result = 0;
  for (unsigned i = 0; i < size; ++i)
    if (has_bit(bits, i)) result |= 1U << (size - 1 - i);
  return result;
}

std::uint32_t FloorPlan::broadcast_off_columns(unsigned noc) const {
  return mirrored_bits(on(arch_, 0x21U, 0x301U | off_.tensix), width(), noc);
}

std::uint32_t FloorPlan::broadcast_off_rows(unsigned noc) const {
  return mirrored_bits(on(arch_, 0x41U | off_.tensix, 0x3U), height(), noc);
}

std::uint32_t FloorPlan::tensix_off_on_die() const {
  std::uint32_t result = 0;
  const auto order = die_order(arch_);
  for (std::size_t i = 0; i < order.size(); ++i)
    if (has_bit(off_.tensix, order[i])) result |= 1U << i;
  return result;
}

}  // namespace tensim::noc
