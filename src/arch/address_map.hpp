// What each core of a Tensix tile, or of an Ethernet tile, finds at which address. Rows of one core never overlap; what no
// row covers is unmapped.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "arch/arch.hpp"
#include "arch/evidence.hpp"

namespace tensim {

/// The five baby cores, as bits: hardware masks use this order (C36). Then those of an Ethernet tile; Wormhole has one.
enum CoreBit : std::uint8_t { B = 1, T0 = 2, T1 = 4, T2 = 8, NC = 16, E0 = 32, E1 = 64 };
inline constexpr std::uint8_t t_cores = T0 | T1 | T2;
inline constexpr std::uint8_t b_and_t_cores = B | t_cores;
inline constexpr std::uint8_t all_cores = b_and_t_cores | NC;
inline constexpr std::uint8_t e_cores = E0 | E1;
inline constexpr std::uint8_t cores_of_all_tiles = all_cores | e_cores;

struct Region {
  enum class Access : std::uint8_t { read_write, read_only, write_only };
  /// What answers there. Several rows may be of one kind; `index` then tells them apart.
  enum class Kind : std::uint8_t {
    l1,
    local_ram,
    local_ram_slow,  // index: the core, in the order of CoreBit
    tdma_risc,
    tile_control,
    wall_clock,
    pic,
    pc_snapshot,
    noc_niu,  // index: which NoC
    noc_overlay,
    mop_config,
    dst,
    iram,
    gprs_all,
    gprs_own,
    instruction_buffer_own,
    instruction_buffer_brisc,  // index: the thread
    pc_buffer_brisc,           // index: the thread
    pc_buffer_own,
    tt_sync,
    semaphores,
    semaphores_tail,
    mailbox,  // index: the core at the other end, in the order of CoreBit
    config,
    ethernet_control,
    ethernet_link,
  };
  static constexpr std::size_t kind_count = 26;
  ArchSet archs = {};
  std::uint32_t base = 0;
  std::uint32_t size_bytes = 0;
  std::string_view name = {};
  std::uint8_t cores = 0;  // CoreBits; a row for several T cores whose name says "own" is a different thing for each
  Access access = Access::read_write;
  std::string_view note = {};
  Evidence evidence = Evidence::documented;
  std::string_view source = {};
  Kind kind = Kind::l1;
  std::uint8_t index = 0;
};

std::span<const Region> address_map(Arch arch);
/// The first of its kind.
const Region& region_of(Arch arch, Region::Kind kind);

/// The row that `core` finds at `address`; null if nothing is mapped there.
const Region* find_region(Arch arch, CoreBit core, std::uint32_t address);

}  // namespace tensim
