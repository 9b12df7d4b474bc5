#include "device/soc_descriptor.hpp"

#include <algorithm>
#include <iterator>
#include <vector>

#include <fmt/format.h>

#include "arch/sizes.hpp"
#include "noc/dram_views.hpp"

namespace tensim::device {
namespace {

using noc::Coordinates;
using noc::FloorPlan;
using noc::TileKind;
using Tiles = std::vector<Coordinates>;

/// "[1-2, 3-4]"
std::string list(const Tiles& tiles) {
  std::string text;
  for (const Coordinates tile : tiles)
    text += fmt::format("{}{}-{}", text.empty() ? "" : ", ", tile.x, tile.y);
  return "[" + text + "]";
}

template <class Numbers>
std::string numbers(const Numbers& values) {
  return fmt::format("[{}]", fmt::join(values, ", "));
}

Tiles of_kind(const FloorPlan& plan, TileKind kind) {
  Tiles tiles;
  for (std::uint32_t y = 0; y < plan.height(); ++y)
    for (std::uint32_t x = 0; x < plan.width(); ++x)
      if (plan.kind({x, y}) == kind && !plan.is_off({x, y})) tiles.push_back({x, y});
  return tiles;
}

constexpr bool lists_workers_by_name(Arch arch) {
  return on(arch, false, true);
}

/// A line a row.
std::string workers(const FloorPlan& plan) {
  Tiles tiles = of_kind(plan, TileKind::tensix);
  if (lists_workers_by_name(plan.arch()))
    std::ranges::transform(tiles, tiles.begin(), [&](Coordinates raw) { return plan.translated(raw); });
  std::ranges::sort(tiles, {}, [](Coordinates tile) { return std::pair(tile.y, tile.x); });
  std::string text;
  for (std::size_t i = 0; i < tiles.size(); ++i) {
    const bool begins_row = i == 0 || tiles[i].y != tiles[i - 1].y;
    text += fmt::format("{}{}-{},", begins_row ? "\n    " : " ", tiles[i].x, tiles[i].y);
  }
  return text;
}

/// Places that tt-umd takes for tiles that are off on every simulated Blackhole.
constexpr std::array<std::ptrdiff_t, 2> places_off{5, 8};

Tiles ethernet(const FloorPlan& plan) {
  Tiles named;
  Tiles unnamed;
  for (std::uint32_t i = 0; i < plan.ethernet_tiles().size(); ++i)
    ((plan.named_ethernet() >> i & 1U) != 0 ? named : unnamed).push_back(plan.ethernet_tiles()[i]);
  if (std::ranges::all_of(named, [&](Coordinates tile) { return plan.is_off(tile); })) return {};
  for (std::size_t i = 0; i < unnamed.size(); ++i)
    named.insert(named.begin() + places_off[i], unnamed[i]);
  return named;
}

std::string memories(const FloorPlan& plan) {
  std::string text;
  for (unsigned i = 0; i < plan.bank_count(); ++i) {
    const auto tiles = plan.bank_tiles(plan.bank_named(i));
    text += fmt::format("\n    {},", list({tiles.begin(), tiles.end()}));
  }
  return text;
}

std::string views(const FloorPlan& plan) {
  std::string text;
  for (const noc::DramView& view : noc::dram_views(plan)) {
    unsigned channel = 0;
    while (plan.bank_named(channel) != view.bank)
      ++channel;
    text += fmt::format("\n    {{ channel: {}, eth_endpoint: {}, worker_endpoint: {}, address_offset: {} }},", channel,
                        numbers(view.eth_endpoint), numbers(view.worker_endpoint), view.address_offset);
  }
  return text;
}

/// Size - 1 down to 0.
std::string mirrored(unsigned size) {
  std::vector<unsigned> values;
  for (unsigned i = size; i-- > 0;)
    values.push_back(i);
  return numbers(values);
}

/// Blackhole alone has them.
std::string other_tiles(const FloorPlan& plan) {
  std::string text;
  if (const Tiles tiles = of_kind(plan, TileKind::security); !tiles.empty())
    text += fmt::format("security: {}\n", list(tiles));
  Tiles cpus = of_kind(plan, TileKind::l2cpu);
  std::ranges::sort(cpus, {}, [&](Coordinates raw) { return plan.translated(raw).y; });
  if (!cpus.empty()) text += fmt::format("l2cpu: {}\n", list(cpus));
  return text;
}

/// The same for both chips, and the same in tt-metal's own descriptions.
constexpr std::string_view features = R"(
features:
  noc:
    translation_id_enabled: True
  unpacker:
    version: 2
    inline_srca_trans_without_srca_trans_instr: True
  math:
    dst_size_alignment: 32768
  packer:
    version: 2
  overlay:
    version: 2
)";

}  // namespace

std::string soc_descriptor(const FloorPlan& plan) {
  const Arch arch = plan.arch();
  return fmt::format(
             "# Tiles of a simulated {} chip, for host software that loads the library beside this file. Made from the "
             "floor\n"
             "# plan when tensim is built (src/device/soc_descriptor.cpp).\n\n"
             "arch_name: {}\n\ngrid:\n  x_size: {}\n  y_size: {}\n\narc: {}\npcie: {}\n\n",
             on(arch, "Wormhole", "Blackhole"), on(arch, "WORMHOLE_B0", "BLACKHOLE"), plan.width(), plan.height(),
             list({plan.arc()}), list({plan.pcie()})) +
         fmt::format("# A memory a line: three tiles show each.\ndram:\n  [{}\n  ]\n\n", memories(plan)) +
         fmt::format(
             "# An endpoint is one of the three tiles of a memory, for NoC 0 and for NoC 1.\n"
             "dram_views:\n  [{}\n  ]\n\ndram_view_size: {}\n\n",
             views(plan), noc::dram_view_bytes(arch)) +
         fmt::format(
             "# In the order of their numbers.\neth: {}\n\nfunctional_workers:\n  [{}\n  ]\n\nharvested_workers: "
             "[]\n\n",
             list(ethernet(plan)), workers(plan)) +
         fmt::format("router_only: {}\n{}\nnoc0_x_to_noc1_x: {}\nnoc0_y_to_noc1_y: {}\n\n",
                     list(of_kind(plan, TileKind::router)), other_tiles(plan), mirrored(plan.width()),
                     mirrored(plan.height())) +
         fmt::format("worker_l1_size: {}\ndram_bank_size: {}\neth_l1_size: {}\n", size(arch, "l1_bytes"_size),
                     noc::memory_bytes(arch), plan.ethernet_l1_bytes()) +
         std::string(features);
}

}  // namespace tensim::device
