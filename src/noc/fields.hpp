// Fields of an NIU's registers: NOC_CTRL, NOC_PACKET_TAG, addresses, and those that say what the NIU is. Page:
// NoC/MemoryMap.md of either chip (noc 1.1, 1.2).
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "arch/arch.hpp"
#include "arch/row_index.hpp"
#include "noc/bits.hpp"
#include "noc/coordinates.hpp"

namespace tensim::noc {

struct BitsRow {
  std::string_view name;
  Bits bits;
  std::string_view what;
  ArchSet archs = ArchSet(Arch::wormhole) | Arch::blackhole;
};

inline constexpr std::array ctrl_rows{
    BitsRow{"NOC_CMD_TYPE", {0, 2}, "0 read, 1 atomic, 2 write, 3 is nothing"},
    BitsRow{"NOC_CMD_WR_BE", {2, 1}, "writes: a byte mask instead of a length"},
    BitsRow{"NOC_CMD_WR_INLINE", {3, 1}, "writes: NOC_AT_DATA is the data"},
    BitsRow{"NOC_CMD_RESP_MARKED", {4, 1}, "a response is wanted; reads always have one"},
    BitsRow{"NOC_CMD_BRCST_PACKET", {5, 1}, "to a rectangle of tiles"},
    BitsRow{"NOC_CMD_VC_LINKED", {6, 1}, "the next request belongs to the same transaction"},
    BitsRow{"NOC_CMD_VC_STATIC", {7, 1}, "software chooses the virtual channel"},
    BitsRow{"NOC_CMD_PATH_RESERVE", {8, 1}, "broadcasts: every router reserves a channel before any data leaves"},
    BitsRow{"NOC_CMD_MEM_RD_DROP_ACK", {9, 1}, "the overlay is not told that the data has left"},
    BitsRow{"OUTPUT_PORTS", {10, 3}, "hardware fills it: NIU, y, x"},
    BitsRow{"NOC_CMD_STATIC_VC_BUDDY", {13, 1}, "static channel: buddy bit"},
    BitsRow{"NOC_CMD_STATIC_VC_CLASS", {14, 2}, "static channel: class, 0 or 1 for unicast, 2 for broadcast"},
    BitsRow{"NOC_CMD_BRCST_XY", {16, 1}, "broadcasts: y is the major axis"},
    BitsRow{
        "NOC_CMD_BRCST_SRC_INCLUDE", {17, 1}, "broadcasts: the initiator receives it, too, if it is in the rectangle"},
    BitsRow{"RESERVED_18", {18, 9}, "software writes 0"},
    BitsRow{"NOC_CMD_ARB_PRIORITY", {27, 4}, "goes before requests of a lower priority but 0"},
    BitsRow{"RESERVED_31", {31, 1}, "software writes 0", Arch::wormhole},
    BitsRow{"NOC_CMD_L1_ACC_AT_EN", {31, 1}, "data is added to L1; broken", Arch::blackhole},
};

inline constexpr std::array packet_tag_rows{
    BitsRow{"STREAM_ID", {0, 6}, "stream of the receiver's overlay"},
    BitsRow{"DELIVER_TO_OVERLAY", {6, 1}, "writes: the receiver's overlay gets the packet, too"},
    BitsRow{"FIRST_PACKET", {7, 1}, "for the overlay: first of a message"},
    BitsRow{"LAST_PACKET", {8, 1}, "for the overlay: last of a message"},
    BitsRow{"NOC_PACKET_TAG_HEADER_STORE", {9, 1}, "posted writes: the first 16 bytes go to NOC_AT_DATA << 4, too"},
    BitsRow{"NOC_PACKET_TRANSACTION_ID", {10, 4}, "which counters the request moves"},
    BitsRow{"RESERVED_14", {14, 2}, ""},
    BitsRow{"RESERVED_16", {16, 16}, "writes are ignored; reads 0"},
};

/// tt-metal, dataflow_api_common.h. Raw coordinates of the NoC: L2CPUTile/TLBWindows.md has the same for windows.
inline constexpr std::array brcst_exclude_rows{
    BitsRow{"EXCLUDE_START_X", {8, 6}, "corner of the quadrant", Arch::blackhole},
    BitsRow{"EXCLUDE_START_Y", {14, 6}, "corner of the quadrant", Arch::blackhole},
    BitsRow{"EXCLUDE_DIRECTION_X", {20, 1}, "1: from the corner up; 0: down to 0", Arch::blackhole},
    BitsRow{"EXCLUDE_DIRECTION_Y", {21, 1}, "1: from the corner up; 0: down to 0", Arch::blackhole},
    BitsRow{"EXCLUDE_ENABLED", {22, 1}, "tiles of the quadrant do not receive", Arch::blackhole},
};

inline constexpr std::array niu_cfg_0_rows{
    BitsRow{"CLOCK_GATING", {0, 1}, "tt-metal's firmware sets it"},
    BitsRow{"CLOCK_GATING_HYSTERESIS", {1, 7}, ""},
    BitsRow{"MEM_PARITY_EN", {8, 1}, ""},
    BitsRow{"ECC_INT_EN", {9, 3}, "interrupts of errors"},
    BitsRow{"TILE_CLK_OFF", {12, 1}, "the tile is off"},
    BitsRow{
        "TILE_HEADER_STORE_OFF", {13, 1}, "NOC_PACKET_TAG_HEADER_STORE is ignored; not in Tensix and Ethernet tiles"},
    BitsRow{"NOC_ID_TRANSLATE_EN", {14, 1}, "coordinates are translated"},
    BitsRow{"AXI_SUBORDINATE_ENABLE", {15, 1}, "DRAM tiles show cores and L1 instead of memory", Arch::blackhole},
    BitsRow{"CMD_BUFFER_FIFO_EN", {16, 1}, "requests wait in a FIFO", Arch::blackhole},
};

inline constexpr std::array node_id_rows{
    BitsRow{"NODE_X", {0, 6}, "raw, on this NoC"},
    BitsRow{"NODE_Y", {6, 6}, "raw, on this NoC"},
    BitsRow{"NOC_WIDTH", {12, 7}, ""},
    BitsRow{"NOC_HEIGHT", {19, 7}, ""},
    BitsRow{"DATELINE_X", {26, 1}, "channels may change sides where packets leave by x"},
    BitsRow{"DATELINE_Y", {27, 1}, "channels may change sides where packets leave by y"},
    BitsRow{"X_FIRST", {28, 1}, "routes go along x, then along y: NoC 0"},
};

namespace detail {
template <const auto& rows>
consteval Bits bits_named(const char* name, std::size_t length) {
  return rows[tensim::detail::row_named<rows>({name, length})].bits;
}
}  // namespace detail

consteval Bits operator""_ctrl(const char* name, std::size_t length) {
  return detail::bits_named<ctrl_rows>(name, length);
}
consteval Bits operator""_tag(const char* name, std::size_t length) {
  return detail::bits_named<packet_tag_rows>(name, length);
}
consteval Bits operator""_exclude(const char* name, std::size_t length) {
  return detail::bits_named<brcst_exclude_rows>(name, length);
}
consteval Bits operator""_niu_cfg(const char* name, std::size_t length) {
  return detail::bits_named<niu_cfg_0_rows>(name, length);
}
consteval Bits operator""_node_id(const char* name, std::size_t length) {
  return detail::bits_named<node_id_rows>(name, length);
}

/// NOC_TARG_ADDR or NOC_RET_ADDR, taken apart. Coordinates as software gives them.
struct NocAddress {
  std::uint64_t address = 0;
  Coordinates tile;   // of broadcasts: the end of the rectangle
  Coordinates start;  // of broadcasts
  friend constexpr bool operator==(const NocAddress&, const NocAddress&) = default;
};

/// Where coordinates stand: x and y of the tile, then of a broadcast's start. Wormhole has them in MID, behind four bits of
/// address; Blackhole has them in HI.
constexpr Bits coordinate_bits(Arch arch, unsigned i) {
  constexpr unsigned width = 6;
  return {on(arch, 4U, 0U) + i * width, width};
}

/// Wormhole: 36 bits of address. Blackhole: 64.
constexpr NocAddress noc_address(Arch arch, std::uint32_t lo, std::uint32_t mid, std::uint32_t hi) {
  const std::uint64_t upper = on(arch, mid & 0xFU, mid);
  const std::uint32_t places = on(arch, mid, hi);
  const auto coordinate = [&](unsigned i) { return coordinate_bits(arch, i).get(places); };
  return {
      .address = upper << 32U | lo, .tile = {coordinate(0), coordinate(1)}, .start = {coordinate(2), coordinate(3)}};
}

/// The register that has coordinates, with others in it.
constexpr std::uint32_t with_coordinates(Arch arch, std::uint32_t places, Coordinates tile, Coordinates start) {
  const std::array<std::uint32_t, 4> all{tile.x, tile.y, start.x, start.y};
  for (unsigned i = 0; i < all.size(); ++i) {
    const Bits bits = coordinate_bits(arch, i);
    places = (places & ~bits.mask()) | bits.put(all[i]);
  }
  return places;
}

}  // namespace tensim::noc
