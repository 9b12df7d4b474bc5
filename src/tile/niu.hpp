// The tile's two NIUs: the registers with which cores send requests, the counters by which they wait for them, and the
// requests that have not left or have come in and wait. What they do to memory and when is in niu_traffic.cpp. Pages:
// NoC/MemoryMap.md and NoC/Counters.md of either chip (noc 1 to 4).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "noc/counters.hpp"
#include "noc/ends.hpp"
#include "noc/message.hpp"
#include "noc/registers.hpp"
#include "noc/route.hpp"
#include "noc/source_room.hpp"
#include "tensix/frontend/fifo.hpp"
#include "tile/access.hpp"

namespace tensim::tile {

/// Where the tile is, and in what chip.
struct NocPlace {
  std::shared_ptr<const noc::FloorPlan> plan;
  noc::Coordinates tile;     // NoC 0's
  bool has_network = false;  // somebody takes what it sends

  noc::TileKind kind() const { return plan->kind(tile); }
};

/// A tile that runs without a chip: the first of one in which everything works.
NocPlace lone_tile(Arch arch);

/// A message that an NIU takes up in this cycle, for the network.
struct Outgoing {
  Cycle cycle = 0;
  std::uint32_t sequence = 0;  // of the tile
  noc::MessagePointer message;
};

struct Niu {
  static constexpr unsigned request_words = 16;
  static constexpr unsigned configuration_words = 32;
  /// Writes whose data is still being read: as many of two flits as a virtual channel has room for (*assumed*). Only who writes
  /// on several channels at once ever comes to it.
  static constexpr unsigned most_unread = size_of_both("niu_vc_room_flits"_size) / 2;

  /// A request that has not been accepted. One that is longer than a packet is several times.
  struct Waiting {
    noc::Request request = {};
    noc::FoundTiles tiles = {};
    std::uint8_t buffer = 0;
    bool is_cut = false;
    noc::Issuer issuer = {};
    Cycle from = 0;
  };
  /// A transaction that goes on with the next request: the last one was linked (NOC_CMD_VC_LINKED).
  struct Transaction {
    noc::Coordinates target = {};                  // unless it is a broadcast
    std::optional<noc::Broadcast> broadcast = {};  // corners as its NoC counts
    noc::StaticChannel channel = {};
    noc::Issuer issuer = {};  // of the last request
  };
  /// A write whose data has been read out of memory at the end of this cycle.
  struct Reading {
    Cycle cycle = 0;
    std::uint8_t transaction_id = 0;
    bool is_posted = false;
    std::uint32_t flits = 0;
  };
  /// A read that has come in, and whose turn is in this cycle.
  struct Serving {
    Cycle cycle = 0;
    noc::MessagePointer message;
  };

  std::array<std::array<std::uint32_t, request_words>, noc::command_buffers> request{};
  std::array<std::uint32_t, configuration_words> configuration{};
  std::array<std::uint32_t, noc::niu_counters> counters{};
  std::uint8_t busy = 0;  // command buffers, a bit each
  tensix::Fifo<Waiting, noc::command_buffers> waiting;
  std::optional<Transaction> open;  // as of the last store to NOC_CMD_CTRL
  tensix::Fifo<Reading, most_unread> reading;
  std::vector<Serving> serving;
  std::array<noc::SourceRoom, noc::named_vcs> rooms{};
  Cycle source_free = 0;  // memory can be read for the next write
  Cycle served_until = 0;

  void count(unsigned counter, std::uint32_t by = 1) { counters[counter] += by; }
  /// Of eight bits, one per transaction id.
  void count_id(unsigned counter, unsigned id, std::uint32_t by) {
    counters[counter + id] = (counters[counter + id] + by) & 0xFFU;
  }
  std::uint32_t& requested(Arch arch, const noc::NiuRegister& row, unsigned buffer) {
    return request[buffer][row.on(arch).offset / 4];
  }
  std::uint32_t requested(Arch arch, const noc::NiuRegister& row, unsigned buffer) const {
    return request[buffer][row.on(arch).offset / 4];
  }
  std::uint32_t& configured(Arch arch, const noc::NiuRegister& row, unsigned index = 0) {
    return configuration[(row.on(arch).offset - configuration_offset) / 4 + index];
  }
  std::uint32_t configured(Arch arch, const noc::NiuRegister& row, unsigned index = 0) const {
    return configuration[(row.on(arch).offset - configuration_offset) / 4 + index];
  }
  /// When it does something by itself.
  Cycle next_event() const;

  static constexpr std::uint32_t configuration_offset = 0x100;
};

struct Nius {
  Nius(Arch arch, NocPlace where);

  NocPlace place;
  std::array<Niu, noc::noc_count> niu;
  std::vector<Outgoing> outgoing;
  std::uint32_t sequence = 0;
  Cycle next = never;
  std::optional<noc::Issuer> outsider;  // while somebody outside the tile stores to its registers: who does

  void look_again() { next = std::min(niu[0].next_event(), niu[1].next_event()); }
  void send(Cycle cycle, noc::Message message) {
    outgoing.push_back({cycle, sequence++, std::make_shared<const noc::Message>(std::move(message))});
  }
};

/// A broadcast comes to every NIU of its rectangle; not all of them take part.
bool takes_part(const Nius& nius, Arch arch, const noc::Message& message);

/// Something that came over the NoC, and that the tile has no answer to.
struct NocFault {
  Cycle cycle = 0;
  std::uint8_t noc = 0;
  std::uint32_t address = 0;
  bool is_store = false;
  AccessFault fault = AccessFault::none;
  noc::Issuer issuer;
};

/// Which registers of a Tensix or Ethernet tile the NoC reaches (BabyRISCV/README.md, the column "NoC"); null for the rest.
const Region* register_from_noc(Arch arch, noc::TileKind kind, std::uint32_t address);

/// What the registers of a command buffer describe, right or wrong.
noc::CommandRegisters command_registers(Arch arch, const Niu& niu, unsigned buffer);

/// Whether its NIU_CFG_0 says so.
bool translates(Arch arch, const Niu& niu);
/// The registers that translate coordinates.
noc::Translation translation_of(Arch arch, const Niu& niu);

}  // namespace tensim::tile
