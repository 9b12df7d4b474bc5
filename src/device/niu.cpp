#include "device/niu.hpp"

#include <array>

#include "noc/fields.hpp"
#include "noc/identity.hpp"
#include "noc/registers.hpp"

namespace tensim::device {
namespace {

using noc::noc_count;
using noc::TileKind;

using noc::operator""_niu;
using noc::operator""_niu_cfg;

// The other bits of NIU_CFG_0 are 0 (*assumed*).
constexpr std::uint32_t translation_on = "NOC_ID_TRANSLATE_EN"_niu_cfg.mask();

// ---- Wormhole ----

/// Tiles without cores: the highest of 16 parts of the address space, again and again.
constexpr unsigned wormhole_part_bits = 32;
constexpr std::uint64_t wormhole_niu_part = 0xF;
constexpr std::uint32_t wormhole_repeat = 0x1000;

/// DRAM tiles show the six NIUs of their group: three tiles, two NoCs.
constexpr std::uint64_t wormhole_dram_base = 0x1'0008'0000;
constexpr std::uint64_t wormhole_dram_stride = 0x8000;
constexpr unsigned wormhole_dram_nius = 6;

/// Which of the three a tile of the group is (tt-umd, tests/api/test_noc.cpp).
struct DramPort {
  Coordinates raw;
  unsigned port;
};
constexpr std::array dram_ports{
    DramPort{{0, 1}, 0},  DramPort{{0, 11}, 1}, DramPort{{0, 0}, 2},  // memory 0
    DramPort{{0, 7}, 0},  DramPort{{0, 5}, 1},  DramPort{{0, 6}, 2},  // 1
    DramPort{{5, 1}, 0},  DramPort{{5, 11}, 1}, DramPort{{5, 0}, 2},  // 2
    DramPort{{5, 10}, 0}, DramPort{{5, 2}, 1},  DramPort{{5, 9}, 2},  // 3
    DramPort{{5, 4}, 0},  DramPort{{5, 8}, 1},  DramPort{{5, 3}, 2},  // 4
    DramPort{{5, 7}, 0},  DramPort{{5, 5}, 1},  DramPort{{5, 6}, 2},  // 5
};

unsigned dram_port(Coordinates raw) {
  for (const DramPort& row : dram_ports)
    if (row.raw == raw) return row.port;
  return 0;
}

/// NIUs of the group's other tiles are not modelled.
std::optional<NiuPlace> wormhole_dram_place(Coordinates raw, std::uint64_t address) {
  const std::uint64_t within = address - wormhole_dram_base;
  const std::uint64_t number = within / wormhole_dram_stride;
  if (number >= wormhole_dram_nius || number / noc_count != dram_port(raw)) return std::nullopt;
  return NiuPlace{static_cast<unsigned>(number % noc_count), static_cast<std::uint32_t>(within % wormhole_dram_stride)};
}

// ---- Blackhole ----

/// Tiles without cores: the last 16 MiB; those that are nothing but routers, the last 16 MiB of 32 bits.
constexpr std::uint64_t blackhole_edge_base = 0xFFFF'FFFF'FF00'0000;
constexpr std::uint64_t blackhole_router_base = 0xFF00'0000;
constexpr std::uint64_t blackhole_edge_bytes = 0x100'0000;
constexpr std::uint32_t blackhole_repeat = 0x10000;

/// Where NIUs of Tensix and Ethernet tiles are.
std::optional<NiuPlace> core_place(Arch arch, std::uint64_t address) {
  const std::uint64_t within = address - noc::niu_base;
  const std::uint64_t noc = within / noc::niu_stride;
  const auto offset = static_cast<std::uint32_t>(within % noc::niu_stride);
  if (address < noc::niu_base || noc >= noc_count || offset >= noc::niu_bytes(arch)) return std::nullopt;
  return NiuPlace{static_cast<unsigned>(noc), offset};
}

std::optional<NiuPlace> wormhole_place(TileKind kind, Coordinates raw, unsigned noc, std::uint64_t address) {
  if (kind == TileKind::tensix || kind == TileKind::ethernet) return core_place(Arch::wormhole, address);
  if (kind == TileKind::dram && address >= wormhole_dram_base && address >> wormhole_part_bits != wormhole_niu_part)
    return wormhole_dram_place(raw, address);
  // Routers alone answer where cores have them, too (tt-umd, tests/api/test_noc.cpp).
  const bool is_niu = address >> wormhole_part_bits == wormhole_niu_part ||
                      (kind == TileKind::router && core_place(Arch::wormhole, address).has_value());
  if (!is_niu) return std::nullopt;
  return NiuPlace{noc, static_cast<std::uint32_t>(address % wormhole_repeat)};
}

std::optional<NiuPlace> blackhole_place(TileKind kind, unsigned noc, std::uint64_t address) {
  if (kind == TileKind::tensix || kind == TileKind::ethernet || kind == TileKind::dram)
    return core_place(Arch::blackhole, address);
  const std::uint64_t base = kind == TileKind::router ? blackhole_router_base : blackhole_edge_base;
  if (address < base || address - base >= blackhole_edge_bytes) return std::nullopt;
  return NiuPlace{noc, static_cast<std::uint32_t>(address % blackhole_repeat)};
}

}  // namespace

std::optional<NiuPlace> niu_place(const FloorPlan& plan, Coordinates raw, unsigned noc, std::uint64_t address) {
  const TileKind kind = plan.kind(raw);
  switch (plan.arch()) {
    case Arch::wormhole: return wormhole_place(kind, raw, noc, address);
    case Arch::blackhole: return blackhole_place(kind, noc, address);
  }
  __builtin_unreachable();
}

std::optional<std::uint32_t> niu_register(const FloorPlan& plan, Coordinates raw, const NiuPlace& place) {
  const auto is = [&](const noc::NiuRegister& row) { return place.offset == row.on(plan.arch()).offset; };
  if (is("NIU_CFG_0"_niu)) return translation_on;
  if (is("NOC_ID_LOGICAL"_niu)) return noc::logical_id(plan, raw);
  if (is("NOC_NODE_ID"_niu)) return noc::node_id(plan, raw, place.noc);
  return std::nullopt;
}

}  // namespace tensim::device
