#include "noc/firmware_names.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "noc/bits.hpp"

namespace tensim::noc {
namespace {

/// As NoC 1 counts: it writes the same tables, mirrored.
TranslationEntries mirrored(const TranslationEntries& entries, unsigned size) {
  TranslationEntries result{};
  for (std::size_t i = 0; i < entries.size(); ++i)
    result[i] = static_cast<std::uint8_t>(size - 1 - entries[i]);
  return result;
}

struct Entries {
  TranslationEntries x{};
  TranslationEntries y{};
};

// Wormhole: raw numbers up to 15 stay, names begin at 16, entries behind the last name are 0 on both NoCs.
constexpr unsigned wormhole_first_name = 16;
constexpr unsigned wormhole_last_x = wormhole_first_name + 9;
constexpr unsigned wormhole_last_y = wormhole_first_name + 11;
constexpr std::array<std::uint8_t, 10> wormhole_columns{0, 5, 1, 2, 3, 4, 6, 7, 8, 9};
constexpr std::array<std::uint8_t, 2> wormhole_ethernet_rows{0, 6};

/// Ethernet's rows, then Tensix rows that work, then those that do not.
std::array<std::uint8_t, 12> wormhole_row_names(std::uint32_t off) {
  std::array<std::uint8_t, 12> order{};
  auto next = std::ranges::copy(wormhole_ethernet_rows, order.begin()).out;
  for (const bool are_off : {false, true})
    for (unsigned y = 0; y < order.size(); ++y)
      if (std::ranges::find(wormhole_ethernet_rows, y) == wormhole_ethernet_rows.end() && has_bit(off, y) == are_off)
        *next++ = static_cast<std::uint8_t>(y);
  return order;
}

Translation wormhole_translation(const FloorPlan& plan, unsigned noc) {
  Entries entries;
  for (std::uint8_t i = 0; i < wormhole_first_name; ++i)
    entries.x[i] = entries.y[i] = i;
  const auto fill = [noc](TranslationEntries& table, std::span<const std::uint8_t> names) {
    for (std::size_t i = 0; i < names.size(); ++i)
      table[wormhole_first_name + i] = static_cast<std::uint8_t>(noc == 0 ? names[i] : names.size() - 1 - names[i]);
  };
  fill(entries.x, wormhole_columns);
  fill(entries.y, wormhole_row_names(plan.off().tensix));
  return {.x = packed(Arch::wormhole, entries.x), .y = packed(Arch::wormhole, entries.y)};
}

// Blackhole: names of one kind of tile are a block of coordinates; x and y tables serve them all.
constexpr std::uint32_t raw_x_rows = 0b11;  // rows 0 and 1: x is not translated
constexpr unsigned dram_name_x = 17;
constexpr unsigned dram_name_y = 12;
constexpr unsigned pcie_name_x = 19;
constexpr unsigned pcie_name_y = 24;
constexpr unsigned ethernet_name_x = 20;
constexpr unsigned ethernet_name_y = 25;
constexpr unsigned l2cpu_name_y = 26;
constexpr unsigned security_name_y = 30;
constexpr std::array<std::uint8_t, 4> l2cpu_rows{3, 9, 5, 7};
constexpr std::uint8_t security_row = 2;

/// Tensix columns from the left, those that work first. Those that are off come last, the first of the die at the very end.
void name_columns(TranslationEntries& x, std::uint32_t off) {
  const auto die = die_order(Arch::blackhole);
  std::vector<std::uint8_t> names(die.begin(), die.end());
  std::ranges::sort(names);
  auto next = names.begin();
  for (const std::uint8_t column : names)
    if (!has_bit(off, column)) x[*next++] = column;
  auto last = names.rbegin();
  for (const std::uint8_t column : die)
    if (has_bit(off, column)) x[*last++] = column;
}

Entries blackhole_entries(const FloorPlan& plan) {
  Entries entries;
  for (unsigned i = 0; i < plan.width(); ++i)
    entries.x[i] = static_cast<std::uint8_t>(i);
  for (unsigned i = 0; i < plan.height(); ++i)
    entries.y[i] = static_cast<std::uint8_t>(i);
  name_columns(entries.x, plan.off().tensix);
  const unsigned banks_per_column = plan.bank_count() / 2;
  for (unsigned i = 0; i < banks_per_column; ++i) {
    const auto tiles = plan.bank_tiles(plan.bank_named(i));
    entries.x[dram_name_x] = static_cast<std::uint8_t>(tiles[0].x);
    for (unsigned port = 0; port < tiles_per_bank; ++port)
      entries.y[dram_name_y + i * tiles_per_bank + port] = static_cast<std::uint8_t>(tiles[port].y);
  }
  entries.x[dram_name_x + 1] = static_cast<std::uint8_t>(plan.bank_tiles(plan.bank_named(banks_per_column))[0].x);
  entries.x[pcie_name_x] = static_cast<std::uint8_t>(plan.pcie().x);
  entries.y[pcie_name_y] = static_cast<std::uint8_t>(plan.pcie().y);
  auto next = entries.x.begin() + ethernet_name_x;
  const auto ethernet = plan.ethernet_tiles();
  for (std::uint32_t i = 0; i < ethernet.size(); ++i)
    if (has_bit(plan.named_ethernet(), i)) *next++ = static_cast<std::uint8_t>(ethernet[i].x);
  entries.y[ethernet_name_y] = static_cast<std::uint8_t>(ethernet.front().y);
  std::ranges::copy(l2cpu_rows, entries.y.begin() + l2cpu_name_y);
  entries.y[security_name_y] = security_row;
  return entries;
}

Translation blackhole_translation(const FloorPlan& plan, unsigned noc) {
  Entries entries = blackhole_entries(plan);
  if (noc != 0) entries = {mirrored(entries.x, plan.width()), mirrored(entries.y, plan.height())};
  return {.x = packed(Arch::blackhole, entries.x), .y = packed(Arch::blackhole, entries.y), .row_mask = raw_x_rows};
}

constexpr std::array wormhole_names{
    NameBlock{std::nullopt, {wormhole_first_name, wormhole_first_name}, {wormhole_last_x, wormhole_last_y}}};
constexpr std::array blackhole_names{
    NameBlock{TileKind::tensix, {1, 2}, {16, 11}},
    NameBlock{TileKind::dram, {dram_name_x, dram_name_y}, {dram_name_x + 1, dram_name_y + 11}},
    NameBlock{TileKind::pcie, {pcie_name_x, pcie_name_y}, {pcie_name_x, pcie_name_y}},
    NameBlock{TileKind::ethernet, {ethernet_name_x, ethernet_name_y}, {31, ethernet_name_y}},
    NameBlock{TileKind::l2cpu, {8, l2cpu_name_y}, {8, l2cpu_name_y + 3}},
    NameBlock{TileKind::security, {8, security_name_y}, {8, security_name_y}},
};

/// Each axis by itself: raw or a name.
bool is_meant_by_axis(const FloorPlan& /*plan*/, Coordinates given, Coordinates /*raw*/) {
  return given.x <= wormhole_last_x && given.y <= wormhole_last_y;
}

bool is_meant_jointly(const FloorPlan& plan, Coordinates given, Coordinates raw) {
  return (given.x < plan.width() && given.y < plan.height()) || given == plan.translated(raw);
}

}  // namespace

Translation firmware_translation(const FloorPlan& plan, unsigned noc) {
  return on(plan.arch(), wormhole_translation, blackhole_translation)(plan, noc);
}

std::span<const NameBlock> name_blocks(Arch arch) {
  return on<std::span<const NameBlock>>(arch, wormhole_names, blackhole_names);
}

bool is_meant(const FloorPlan& plan, Coordinates given, Coordinates raw) {
  return on(plan.arch(), is_meant_by_axis, is_meant_jointly)(plan, given, raw);
}

}  // namespace tensim::noc
