// A request to the NoC: what a command buffer's registers describe when software initiates it, as a value; or why it is none.
// Pure functions: no tile is asked, and no time passes. Pages: NoC/MemoryMap.md and NoC/Alignment.md (noc 1, 4).
#pragma once

#include <cstdint>
#include <optional>
#include <variant>

#include "arch/arch.hpp"
#include "noc/atomic.hpp"
#include "noc/coordinates.hpp"
#include "noc/floor_plan.hpp"
#include "noc/refusal.hpp"

namespace tensim::noc {

/// The registers of a command buffer. Wormhole does not have all of them.
struct CommandRegisters {
  std::uint32_t targ_addr_lo = 0;
  std::uint32_t targ_addr_mid = 0;
  std::uint32_t targ_addr_hi = 0;
  std::uint32_t ret_addr_lo = 0;
  std::uint32_t ret_addr_mid = 0;
  std::uint32_t ret_addr_hi = 0;
  std::uint32_t packet_tag = 0;
  std::uint32_t ctrl = 0;
  std::uint32_t at_len_be = 0;
  std::uint32_t at_len_be_1 = 0;
  std::uint32_t at_data = 0;
  std::uint32_t brcst_exclude = 0;
};

enum class RequestKind : std::uint8_t { read, write, inline_write, atomic };

/// A place as software gives it: coordinates that are not translated yet.
struct Place {
  Coordinates tile;
  std::uint64_t address = 0;
  friend constexpr bool operator==(const Place&, const Place&) = default;
};

/// The virtual channel that software has chosen.
struct StaticChannel {
  unsigned class_bits = 0;
  unsigned buddy = 0;
  friend constexpr bool operator==(const StaticChannel&, const StaticChannel&) = default;
};

/// A quadrant that a broadcast leaves out, in raw coordinates of the NoC. (How it goes round an edge is not documented.)
struct Quadrant {
  Coordinates corner;
  bool is_upward_x = false;  // x of the corner and more; otherwise that and less
  bool is_upward_y = false;
  constexpr bool contains(Coordinates own) const {
    const bool x = is_upward_x ? own.x >= corner.x : own.x <= corner.x;
    const bool y = is_upward_y ? own.y >= corner.y : own.y <= corner.y;
    return x && y;
  }
  friend constexpr bool operator==(const Quadrant&, const Quadrant&) = default;
};

struct Broadcast {
  Rectangle tiles = {};  // corners as software gives them; taken in the direction of the NoC once they are translated
  bool is_y_major = false;
  bool includes_source = false;
  bool reserves_path = false;
  std::optional<Quadrant> excluded = {};
  friend constexpr bool operator==(const Broadcast&, const Broadcast&) = default;
};

struct Request {
  RequestKind kind = RequestKind::read;
  /// Where the packet goes: read from there, written there, or acted on there. Of broadcasts the address alone counts.
  Place target = {};
  /// Its other end. Reads: where data goes. Writes: the address is where data comes from, at the initiator, and the tile is
  /// who gets the acknowledgement. Atomics: where the old word goes. Inline writes have none, and their initiator is told.
  Place other = {};
  bool is_posted = false;                       // nobody responds
  std::uint32_t length = 0;                     // bytes; of reads, and of writes without a mask
  std::optional<std::uint64_t> byte_mask = {};  // of writes with one
  std::uint32_t immediate = 0;                  // of inline writes and atomics
  std::optional<Atomic> atomic = {};
  std::optional<Broadcast> broadcast = {};
  std::optional<StaticChannel> channel = {};
  bool is_linked = false;  // the next request belongs to it
  unsigned priority = 0;
  unsigned transaction_id = 0;
  std::optional<std::uint64_t> header_store = {};  // where the first 16 bytes go, too
};

/// Bytes of a data flit, and of the data of the longest packet.
constexpr std::uint32_t flit_bytes(Arch arch) {
  return on(arch, 32U, 64U);
}
constexpr std::uint32_t flits_of(Arch arch, std::uint32_t bytes) {
  return (bytes + flit_bytes(arch) - 1) / flit_bytes(arch);
}
constexpr std::uint32_t packet_bytes(Arch arch) {
  return 256 * flit_bytes(arch);
}
/// Into how many packets the NIU cuts it.
constexpr std::uint32_t packets(Arch arch, const Request& request) {
  if (request.length <= packet_bytes(arch)) return 1;
  return (request.length - 1) / packet_bytes(arch) + 1;
}

/// Writes with a byte mask begin here (noc 4).
constexpr std::uint64_t masked_address(std::uint64_t address) {
  return address & ~std::uint64_t{15};
}
inline constexpr std::uint32_t header_store_bytes = 16;

/// The virtual channel that it takes: class << 1 | buddy. That hardware, left to choose, takes the first of the class is
/// *assumed*.
constexpr std::uint8_t channel_of(const Request& request) {
  if (request.channel) return static_cast<std::uint8_t>(request.channel->class_bits << 1U | request.channel->buddy);
  constexpr std::uint8_t broadcasts = 2 << 1;
  return request.broadcast ? broadcasts : std::uint8_t{0};
}

/// Everything that the registers alone tell.
std::variant<Request, Refusal> decode(Arch arch, const CommandRegisters& registers);

// ---- what the tiles at its ends have to do with it ----

/// A tile at an end of a request.
struct End {
  TileKind kind = TileKind::tensix;
  bool is_off = false;
};
/// The tiles that the request names, once they are found: Tensix tiles take broadcasts.
struct Ends {
  End initiator = {};
  End target = {};
  End other = {};
};

/// What an address of a tile is: tiles with cores have L1 and registers, the rest is one address space.
enum class AddressClass : std::uint8_t { mmio, l1, other };
AddressClass address_class(TileKind kind, std::uint64_t address);
/// Nothing for tiles without.
std::optional<std::uint32_t> l1_bytes(Arch arch, TileKind kind);

/// Why the request cannot be carried out between these tiles; nothing if it can be.
std::optional<Refusal> refusal(Arch arch, const Request& request, const Ends& ends);
/// The transaction id that its response counts down: Wormhole loses that of marked writes to PCIe and ARC tiles (noc 3).
unsigned answered_id(Arch arch, const Request& request, const Ends& ends);
/// What is carried out, and ought not to be relied on.
std::optional<Refusal> warning(Arch arch, const Request& request, const Ends& ends);

}  // namespace tensim::noc
