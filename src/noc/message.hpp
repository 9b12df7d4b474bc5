// What a packet says. The network carries it and does not look into it; the NIUs at both ends do.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "arch/address_map.hpp"
#include "noc/atomic.hpp"
#include "noc/coordinates.hpp"
#include "noc/request.hpp"
#include "time/order.hpp"

namespace tensim::noc {

enum class MessageKind : std::uint8_t {
  read,
  write,
  inline_write,
  atomic,
  read_response,
  acknowledgement,
  atomic_response,
};

constexpr MessageKind message_kind(RequestKind kind) {
  switch (kind) {
    case RequestKind::read: return MessageKind::read;
    case RequestKind::write: return MessageKind::write;
    case RequestKind::inline_write: return MessageKind::inline_write;
    case RequestKind::atomic: return MessageKind::atomic;
  }
  __builtin_unreachable();
}
constexpr bool is_response(MessageKind kind) {
  return kind == MessageKind::read_response || kind == MessageKind::acknowledgement ||
         kind == MessageKind::atomic_response;
}

/// The store that initiated a request: explanations and faults go back to it. If it came over the NoC to another tile's NIU,
/// it is that of the core which sent it.
struct Issuer {
  Coordinates tile = {};
  std::uint8_t core = 0;
  CoreBit view = B;      // whose rows of the address map are its own: Ethernet tiles have other cores
  bool is_host = false;  // the host stored to the tile's NIU, and no core did
  std::uint32_t pc = 0;
  time::Cycle cycle = 0;
};

/// Tiles are named by NoC 0's coordinates.
struct Message {
  MessageKind kind = MessageKind::read;
  std::uint8_t noc = 0;
  std::uint8_t channel = 0;        // class << 1 | buddy
  bool has_fixed_channel = false;  // by software, all the way: VC_STATIC or VC_LINKED
  bool is_linked = false;
  bool is_posted = false;
  std::uint8_t transaction_id = 0;
  Coordinates source = {};
  Coordinates target = {};                  // unless it is a broadcast
  std::optional<Broadcast> broadcast = {};  // corners as its NoC counts
  std::uint64_t address = 0;                // at the target
  Coordinates return_tile = {};             // who gets the response
  std::uint64_t return_address = 0;
  std::uint32_t length = 0;  // bytes that are read or written
  std::optional<std::uint64_t> byte_mask = {};
  std::uint32_t immediate = 0;
  std::optional<Atomic> atomic = {};
  std::optional<std::uint64_t> header_store = {};  // where the first 16 bytes are written, too
  std::vector<std::uint8_t> data = {};
  Issuer issuer = {};
};

/// What responses travel on: class 3 (noc 6).
inline constexpr std::uint8_t response_channel = 6;

/// What the tile `own` answers to a request, but for data.
inline Message response_to(const Message& request, MessageKind kind, Coordinates own) {
  return {.kind = kind,
          .noc = request.noc,
          .channel = response_channel,
          .transaction_id = request.transaction_id,
          .source = own,
          .target = request.return_tile,
          .address = request.return_address,
          .issuer = request.issuer};
}

/// Nobody changes it any more: receivers of a broadcast share one.
using MessagePointer = std::shared_ptr<const Message>;

/// Flits of data. Inline writes and atomics have theirs in the header (noc 4); that responses of atomics do is *assumed*.
constexpr std::uint32_t data_flits(Arch arch, const Message& message) {
  switch (message.kind) {
    case MessageKind::write:
    case MessageKind::read_response: return flits_of(arch, message.length);
    default: return 0;
  }
}

}  // namespace tensim::noc
