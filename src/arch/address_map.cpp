#include "arch/address_map.hpp"

#include <algorithm>
#include <bit>

#include "arch/sizes.hpp"

namespace tensim {
namespace {

using enum Region::Access;
using enum Region::Kind;
using enum Evidence;

constexpr ArchSet both = ArchSet(Arch::wormhole) | Arch::blackhole;

constexpr std::array regions{
    Region{Arch::wormhole, 0x00000000, 0x16e000, "L1", all_cores, read_write,
           "shared scratchpad, also reachable over the NoC; code is fetched from here (or from the IRAM on NC)",
           documented, "L1.md", l1},
    Region{Arch::blackhole, 0x00000000, 0x180000, "L1", all_cores, read_write,
           "shared scratchpad, also reachable over the NoC; code is fetched from here", documented, "L1.md", l1},
    Region{Arch::wormhole, 0xFFB00000, 0x1000, "local data RAM B", B, read_write,
           "private to this core at this address; two-cycle loads, no contention", documented, "BabyRISCV/README.md",
           local_ram},
    Region{Arch::wormhole, 0xFFB00000, 0x800, "own local data RAM", t_cores, read_write,
           "private to this core at this address; two-cycle loads, no contention", documented, "BabyRISCV/README.md",
           local_ram},
    Region{Arch::wormhole, 0xFFB00000, 0x1000, "local data RAM NC", NC, read_write,
           "private to this core at this address; two-cycle loads, no contention", documented, "BabyRISCV/README.md",
           local_ram},
    Region{Arch::blackhole, 0xFFB00000, 0x2000, "local data RAM B", B, read_write,
           "private to this core at this address; two-cycle loads, no contention; zeroed after reset unless disabled",
           documented, "BabyRISCV/README.md", local_ram},
    Region{Arch::blackhole, 0xFFB00000, 0x1000, "own local data RAM", t_cores, read_write,
           "private to this core at this address; two-cycle loads, no contention; zeroed after reset unless disabled",
           documented, "BabyRISCV/README.md", local_ram},
    Region{Arch::blackhole, 0xFFB00000, 0x2000, "local data RAM NC", NC, read_write,
           "private to this core at this address; two-cycle loads, no contention; zeroed after reset unless disabled",
           documented, "BabyRISCV/README.md", local_ram},
    Region{Arch::wormhole, 0xFFB11000, 0x1000, "TDMA-RISC", all_cores, read_write,
           "mover commands, packer and unpacker side-band registers; NoC-visible", documented, "TDMA-RISC.md",
           tdma_risc},
    Region{Arch::blackhole, 0xFFB11000, 0x1000, "TDMA-RISC", b_and_t_cores, read_write,
           "mover commands, packer and unpacker side-band registers; not mapped for NC or NoC", documented,
           "BabyRISCV/README.md, errata 46", tdma_risc},
    Region{both, 0xFFB12000, 0x1f0, "debug and status registers (below wall clock)", cores_of_all_tiles, read_write,
           "per-tile control block, NoC-visible; soft reset, perf counters, debug bus", documented,
           "TileControlDebugStatus.md", tile_control},
    Region{both, 0xFFB121F0, 0xc, "wall clock", cores_of_all_tiles, read_only,
           "low word, live high word at +4, high word latched by the low read at +8", documented, "DebugTimestamper.md",
           wall_clock},
    Region{Arch::wormhole, 0xFFB121FC, 0xe04, "debug and status registers (above wall clock)", cores_of_all_tiles,
           read_write, "per-tile control block, NoC-visible; timestamper", documented, "TileControlDebugStatus.md",
           tile_control},
    Region{Arch::blackhole, 0xFFB121FC, 0xe04, "debug and status registers (above wall clock)", cores_of_all_tiles,
           read_write, "per-tile control block, NoC-visible; timestamper, reset PCs and overrides", documented,
           "TileControlDebugStatus.md", tile_control},
    Region{Arch::wormhole, 0xFFB13000, 0x1000, "PIC", cores_of_all_tiles, read_write,
           "polled interrupt status only; registers occupy the first 0x34 bytes", documented, "PIC.md", pic},
    Region{Arch::blackhole, 0xFFB13000, 0x138, "PIC", all_cores, read_write,
           "32 software and 4 hardware interrupts for B and NC", documented, "PIC.md", pic},
    Region{Arch::blackhole, 0xFFB13138, 0x14, "core pc snapshots", all_cores, read_only,
           "one word per core in the order B, NC, T0, T1, T2", documented, "BabyRISCV/README.md", pc_snapshot},
    Region{Arch::blackhole, 0xFFB14000, 0x2000, "local data RAM B (slow path)", all_cores, read_write,
           "any core or the NoC; at least 8 cycles per load", documented, "BabyRISCV/README.md", local_ram_slow},
    Region{Arch::blackhole, 0xFFB16000, 0x2000, "local data RAM NC (slow path)", all_cores, read_write,
           "any core or the NoC; at least 8 cycles per load", documented, "BabyRISCV/README.md", local_ram_slow, 4},
    Region{Arch::blackhole, 0xFFB18000, 0x1000, "local data RAM T0 (slow path)", all_cores, read_write,
           "any core or the NoC; at least 8 cycles per load", documented, "BabyRISCV/README.md", local_ram_slow, 1},
    Region{Arch::blackhole, 0xFFB19000, 0x1000, "local data RAM T0 (slow path, second copy)", all_cores, read_write,
           "official map repeats the same RAM here; ttsim and BOOP leave it empty", documented, "BabyRISCV/README.md",
           local_ram_slow, 1},
    Region{Arch::blackhole, 0xFFB1A000, 0x1000, "local data RAM T1 (slow path)", all_cores, read_write,
           "any core or the NoC; at least 8 cycles per load", documented, "BabyRISCV/README.md", local_ram_slow, 2},
    Region{Arch::blackhole, 0xFFB1B000, 0x1000, "local data RAM T1 (slow path, second copy)", all_cores, read_write,
           "official map repeats the same RAM here; ttsim and BOOP leave it empty", documented, "BabyRISCV/README.md",
           local_ram_slow, 2},
    Region{Arch::blackhole, 0xFFB1C000, 0x1000, "local data RAM T2 (slow path)", all_cores, read_write,
           "any core or the NoC; at least 8 cycles per load", documented, "BabyRISCV/README.md", local_ram_slow, 3},
    Region{Arch::blackhole, 0xFFB1D000, 0x1000, "local data RAM T2 (slow path, second copy)", all_cores, read_write,
           "official map repeats the same RAM here; ttsim and BOOP leave it empty", documented, "BabyRISCV/README.md",
           local_ram_slow, 3},
    Region{both, 0xFFB20000, 0x10000, "NoC 0 NIU", cores_of_all_tiles, read_write,
           "four request initiators, identity, configuration, counters", documented, "NoC/MemoryMap.md", noc_niu},
    Region{both, 0xFFB30000, 0x10000, "NoC 1 NIU", cores_of_all_tiles, read_write, "same layout as NoC 0", documented,
           "NoC/MemoryMap.md", noc_niu, 1},
    Region{Arch::wormhole, 0xFFB40000, 0x40000, "NoC overlay streams", cores_of_all_tiles, read_write,
           "64 streams, 4 KiB of registers each", documented, "NoC/Overlay/README.md", noc_overlay},
    Region{Arch::blackhole, 0xFFB40000, 0x40000, "NoC overlay streams", cores_of_all_tiles, read_write,
           "64 streams, 4 KiB of registers each", documented, "BabyRISCV/README.md, BOOP stream-registers.md",
           noc_overlay},
    Region{both, 0xFFB80000, 0x24, "own MOP configuration", t_cores, write_only,
           "nine words for this core's own expander; loads are undefined; not mapped for B", documented,
           "MOPExpander.md, errata 46", mop_config},
    Region{Arch::blackhole, 0xFFBD8000, 0x8000, "Dst", t_cores, read_write,
           "view and conversion set by RISC_DEST_ACCESS_CTRL of each thread", documented, "Dst.md", dst},
    Region{Arch::wormhole, 0xFFC00000, 0x4000, "NCRISC IRAM", NC, read_only,
           "fetch only: loads hang, stores vanish, the mover fills it; address window is 64 KiB", documented,
           "InstructionRAM.md", iram},
    Region{both, 0xFFE00000, 0x1000, "tensix GPRs (all threads)", B, read_write,
           "three blocks of 64 words, thread n at +0x100*n; rest of the window not described", documented,
           "ScalarUnit.md, errata 46", gprs_all},
    Region{both, 0xFFE00000, 0x1000, "own tensix GPRs", t_cores, read_write, "own 64 words, repeating every 256 bytes",
           documented, "ScalarUnit.md, errata 46", gprs_own},
    Region{both, 0xFFE40000, 0x10000, "instruction buffer T0 (B side)", B, write_only,
           "enters after the MOP Expander; can displace a T word in the mux", documented,
           "PushTensixInstruction.md, ruling 10", instruction_buffer_brisc},
    Region{Arch::wormhole, 0xFFE40000, 0x10000, "own instruction buffer", t_cores, write_only,
           "enters in front of the MOP Expander; a full FIFO stalls the store", documented, "PushTensixInstruction.md",
           instruction_buffer_own},
    Region{Arch::blackhole, 0xFFE40000, 0x10000, "own instruction buffer", t_cores, write_only,
           "enters in front of Auto TTSync and the MOP Expander; a full FIFO stalls the store", documented,
           "PushTensixInstruction.md", instruction_buffer_own},
    Region{both, 0xFFE50000, 0x10000, "instruction buffer T1 (B side)", B, write_only,
           "enters after the MOP Expander; can displace a T word in the mux", documented,
           "PushTensixInstruction.md, ruling 10", instruction_buffer_brisc, 1},
    Region{both, 0xFFE60000, 0x10000, "instruction buffer T2 (B side)", B, write_only,
           "enters after the MOP Expander; can displace a T word in the mux", documented,
           "PushTensixInstruction.md, ruling 10", instruction_buffer_brisc, 2},
    Region{both, 0xFFE80000, 0x10000, "PCBuf T0 (B side)", B, read_write,
           "store pushes; load returns 0 once drained, T core blocked reading and thread idle", documented,
           "PCBufs.md, errata 15", pc_buffer_brisc},
    Region{both, 0xFFE80000, 0x4, "own PCBuf (T side)", t_cores, read_only,
           "load pops and waits while empty; stores are dropped", documented, "PCBufs.md", pc_buffer_own},
    Region{Arch::wormhole, 0xFFE80004, 0x1c, "own TTSync", t_cores, read_write,
           "+4 waits for thread idle, +8 for the MOP Expander; stores only order", documented, "TTSync.md", tt_sync},
    Region{Arch::blackhole, 0xFFE80004, 0x1c, "own TTSync", t_cores, read_write,
           "+4 waits for thread idle, +8 for the MOP Expander; stores only order", documented, "ManualTTSync.md",
           tt_sync},
    Region{both, 0xFFE80020, 0x20, "semaphores", t_cores, read_write,
           "eight words; load reads the value, even store posts, odd store gets", documented, "SyncUnit.md",
           semaphores},
    Region{both, 0xFFE80040, 0xffc0, "semaphores (undefined tail)", t_cores, read_write,
           "official map gives the window to semaphores but only eight words have a meaning", assumed, "errata 15",
           semaphores_tail},
    Region{both, 0xFFE90000, 0x10000, "PCBuf T1 (B side)", B, read_write,
           "store pushes; load returns 0 once drained, T core blocked reading and thread idle", documented,
           "PCBufs.md, errata 15", pc_buffer_brisc, 1},
    Region{both, 0xFFEA0000, 0x10000, "PCBuf T2 (B side)", B, read_write,
           "store pushes; load returns 0 once drained, T core blocked reading and thread idle", documented,
           "PCBufs.md, errata 15", pc_buffer_brisc, 2},
    Region{both, 0xFFEC0000, 0x1000, "mailbox B", b_and_t_cores, read_write,
           "store sends to B, load receives from B; address bit 2 set asks if anything waits", documented,
           "Mailboxes.md", mailbox},
    Region{both, 0xFFEC1000, 0x1000, "mailbox T0", b_and_t_cores, read_write,
           "store sends to T0, load receives from T0; address bit 2 set asks if anything waits", documented,
           "Mailboxes.md", mailbox, 1},
    Region{both, 0xFFEC2000, 0x1000, "mailbox T1", b_and_t_cores, read_write,
           "store sends to T1, load receives from T1; address bit 2 set asks if anything waits", documented,
           "Mailboxes.md", mailbox, 2},
    Region{both, 0xFFEC3000, 0x1000, "mailbox T2", b_and_t_cores, read_write,
           "store sends to T2, load receives from T2; address bit 2 set asks if anything waits", documented,
           "Mailboxes.md", mailbox, 3},
    Region{Arch::wormhole, 0xFFEF0000, 0x10000, "backend configuration", b_and_t_cores, read_write,
           "banks 0 and 1 (188 words each), then per-thread words 16 bytes apart (read only); word stores only",
           documented, "BackendConfiguration.md", config},
    Region{Arch::blackhole, 0xFFEF0000, 0x10000, "backend configuration", b_and_t_cores, read_write,
           "banks 0 and 1 (224 words each), dual-write window, then per-thread words (read only); word stores only",
           documented, "BackendConfiguration.md", config},
    Region{Arch::wormhole, 0x00000000, 0x40000, "L1 of an Ethernet tile", e_cores, read_write,
           "shared scratchpad, also reachable over the NoC", documented, "EthernetTile/L1.md", l1},
    Region{Arch::blackhole, 0x00000000, 0x80000, "L1 of an Ethernet tile", e_cores, read_write,
           "shared scratchpad, also reachable over the NoC", documented, "EthernetTile/README.md", l1},
    Region{Arch::wormhole, 0xFFB00000, 0x1000, "own local data RAM", e_cores, read_write,
           "private to this core; two-cycle loads, no contention", documented, "EthernetTile/BabyRISCV/README.md",
           local_ram},
    Region{Arch::blackhole, 0xFFB00000, 0x2000, "own local data RAM", e_cores, read_write,
           "private to this core; two-cycle loads, no contention", documented, "EthernetTile/BabyRISCV/README.md",
           local_ram},
    Region{Arch::blackhole, 0xFFB14000, 0x10, "Ethernet tile control", e_cores, read_write,
           "where the two cores start; NoC-visible", documented, "tt-metal dev_mem_map.h", ethernet_control},
    Region{Arch::blackhole, 0xFFB14020, 0x44, "interrupt modes", e_cores, read_write,
           "of the Ethernet tile's own kind of PIC; only off is modelled", documented,
           "EthernetTile/BabyRISCV/README.md, tt-metal eth_fw_api.h", ethernet_control},
    Region{Arch::wormhole, 0xFFB90000, 0x4000, "Ethernet queues", e_cores, read_write, "two to send, two to receive",
           documented, "EthernetTile/EthernetTxRx.md", ethernet_link},
    Region{Arch::wormhole, 0xFFB94000, 0xa0, "Ethernet tile control", e_cores, read_write,
           "where the core starts, a counter that adds, scratch words; NoC-visible", documented,
           "EthernetTile/TileControlDebugStatus.md", ethernet_control},
    Region{Arch::blackhole, 0xFFB90000, 0xf000, "Ethernet queues", e_cores, read_write,
           "three to send, three to receive, headers, classifier, status", documented,
           "EthernetTile/BabyRISCV/README.md", ethernet_link},
    Region{both, 0xFFBA0000, 0x20000, "Ethernet MAC and PCS", e_cores, read_write, "the link itself", documented,
           "EthernetTile/BabyRISCV/README.md", ethernet_link},
    Region{Arch::wormhole, 0xFFC00000, 0x4000, "ERISC IRAM", e_cores, read_only,
           "fetch only: loads hang, stores vanish, copy logic fills it", documented,
           "EthernetTile/BabyRISCV/InstructionRAM.md", iram},
};

constexpr bool share_an_arch(const Region& a, const Region& b) {
  return std::ranges::any_of(all_archs, [&](Arch arch) { return a.archs.contains(arch) && b.archs.contains(arch); });
}

constexpr bool rows_are_disjoint() {
  for (const Region& a : regions)
    for (const Region& b : regions)
      if (&a != &b && share_an_arch(a, b) && (a.cores & b.cores) != 0 &&
          a.base < b.base + std::uint64_t{b.size_bytes} && b.base < a.base + std::uint64_t{a.size_bytes})
        return false;
  return true;
}
static_assert(rows_are_disjoint());

/// A size that stands in sizes.hpp too is the same there.
constexpr bool has_size(Arch arch, std::uint8_t cores, std::uint32_t base, std::size_t size_row) {
  for (const Region& region : regions)
    if (region.archs.contains(arch) && (region.cores & cores) == cores && region.base == base)
      return region.size_bytes == size(arch, size_row);
  return false;
}
constexpr bool sizes_agree(Arch arch) {
  constexpr std::uint32_t l1 = 0;
  constexpr std::uint32_t local_ram = 0xFFB00000;
  return has_size(arch, all_cores, l1, "l1_bytes"_size) && has_size(arch, B, local_ram, "local_ram_bytes_b"_size) &&
         has_size(arch, T0, local_ram, "local_ram_bytes_t0"_size) &&
         has_size(arch, T1, local_ram, "local_ram_bytes_t1"_size) &&
         has_size(arch, T2, local_ram, "local_ram_bytes_t2"_size) &&
         has_size(arch, NC, local_ram, "local_ram_bytes_nc"_size);
}
static_assert(std::ranges::all_of(all_archs, sizes_agree));
static_assert(has_size(Arch::wormhole, NC, 0xFFC00000, "iram_bytes_nc"_size));
static_assert(has_size(Arch::wormhole, E0, 0xFFC00000, "iram_bytes_nc"_size));
static_assert(has_size(Arch::wormhole, E0, 0, "ethernet_l1_bytes"_size));
static_assert(has_size(Arch::blackhole, E0, 0, "ethernet_l1_bytes"_size));
static_assert(has_size(Arch::blackhole, t_cores, 0xFFBD8000, "dst_bytes"_size));

consteval std::size_t region_count(Arch arch) {
  return static_cast<std::size_t>(
      std::ranges::count_if(regions, [&](const Region& region) { return region.archs.contains(arch); }));
}

/// The rows of one chip.
template <Arch arch>
consteval auto map_of() {
  std::array<Region, region_count(arch)> map{};
  std::ranges::copy_if(regions, map.begin(), [](const Region& region) { return region.archs.contains(arch); });
  return map;
}
constexpr std::array wormhole_map = map_of<Arch::wormhole>();
constexpr std::array blackhole_map = map_of<Arch::blackhole>();

}  // namespace

namespace {

// Everything but L1 lies in the last megabytes: one byte per core and page of 4 KiB says where to start looking.
constexpr std::uint32_t windows_base = 0xFFB00000;
constexpr unsigned page_bits = 12;
constexpr std::size_t page_count = (0xFFF00000U - windows_base) >> page_bits;
constexpr unsigned core_bits = 7;

template <std::size_t count>
struct PageIndex {
  static constexpr std::uint8_t none = 0xFF;
  std::array<Region, count> rows{};  // of the core, by address
  std::size_t size = 0;
  std::array<std::uint8_t, page_count> first_row{};
};

template <Arch arch, std::uint8_t core>
consteval auto index_pages() {
  constexpr std::array map = map_of<arch>();
  PageIndex<map.size()> index;
  index.first_row.fill(index.none);
  for (const Region& region : map)
    if ((region.cores & core) != 0) index.rows[index.size++] = region;
  std::sort(index.rows.begin(), index.rows.begin() + static_cast<std::ptrdiff_t>(index.size),
            [](const Region& a, const Region& b) { return a.base < b.base; });
  for (std::size_t row = index.size; row-- > 0;) {
    const Region& region = index.rows[row];
    if (region.base < windows_base) continue;
    const std::size_t last = (region.base - windows_base + region.size_bytes - 1) >> page_bits;
    for (std::size_t page = (region.base - windows_base) >> page_bits; page <= last; ++page)
      index.first_row[page] = static_cast<std::uint8_t>(row);
  }
  return index;
}

template <std::size_t count>
const Region* find(const PageIndex<count>& index, std::uint32_t address) {
  std::size_t row = 0;
  if (address >= windows_base) {
    const std::size_t page = (address - windows_base) >> page_bits;
    if (page >= page_count || index.first_row[page] == index.none) return nullptr;
    row = index.first_row[page];
  }
  for (; row < index.size && index.rows[row].base <= address; ++row)
    if (address - index.rows[row].base < index.rows[row].size_bytes) return &index.rows[row];
  return nullptr;
}

template <Arch arch>
const Region* find(unsigned core, std::uint32_t address) {
  static constexpr std::array indices{index_pages<arch, B>(),  index_pages<arch, T0>(), index_pages<arch, T1>(),
                                      index_pages<arch, T2>(), index_pages<arch, NC>(), index_pages<arch, E0>(),
                                      index_pages<arch, E1>()};
  static_assert(indices.size() == core_bits);
  return find(indices[core], address);
}

}  // namespace

const Region& region_of(Arch arch, Region::Kind kind) {
  return *std::ranges::find(address_map(arch), kind, &Region::kind);
}

const Region* find_region(Arch arch, CoreBit core, std::uint32_t address) {
  const auto number = static_cast<unsigned>(std::countr_zero(unsigned{core}));
  switch (arch) {
    case Arch::wormhole: return find<Arch::wormhole>(number, address);
    case Arch::blackhole: return find<Arch::blackhole>(number, address);
  }
  __builtin_unreachable();
}

std::span<const Region> address_map(Arch arch) {
  return on<std::span<const Region>>(arch, wormhole_map, blackhole_map);
}

}  // namespace tensim
