// What goes into a network, and what comes out.
#pragma once

#include <optional>
#include <tuple>

#include "noc/torus.hpp"

namespace tensim::noc {

/// The tiles of a multicast: both corners belong to it. Where start is behind end it wraps around the edge.
struct MulticastArea {
  Position start;
  Position end;
  Axis major = Axis::x;          // BRCST_XY: the axis that is travelled first
  bool includes_source = false;  // BRCST_SRC_INCLUDE: the source receives it too, if it is inside
};

/// What a packet takes of its receiver until the owner gives it back. Receivers have as much as they want of what they have
/// not been given a limit of.
enum class Room : std::uint8_t { none, requests, data };

struct Packet {
  std::uint64_t id = 0;  // the owner's name for it
  Cycle cycle = 0;       // in which the NIU takes it up
  std::uint8_t noc = 0;
  Position source;
  std::uint32_t sequence = 0;  // grows with each packet of a source
  Position destination;        // unless it is a multicast
  std::optional<MulticastArea> rectangle = {};
  std::uint8_t vc = 0;         // class << 1 | buddy
  std::uint16_t flits = 1;     // header included
  bool is_linked = false;      // VC_LINKED: its VCs stay with this source behind it
  bool reserves_path = false;  // PATH_RESERVE, of a multicast
  Room room = Room::none;
};

/// A packet has arrived at a NIU. A multicast has one at each receiver.
struct Delivery {
  Cycle tail = 0;  // its last flit is in the NIU
  std::uint8_t noc = 0;
  Position source;
  std::uint32_t sequence = 0;
  Position receiver;
  Cycle head = 0;  // its first flit is
  std::uint64_t id = 0;

  /// No two are alike in these: the order that owners see them in.
  auto order() const { return std::tuple(tail, noc, source.y, source.x, sequence, receiver.y, receiver.x); }
  bool operator==(const Delivery&) const = default;
};

/// A packet has left its source's NIU: the room that it took there is free (noc/source_room.hpp).
struct Credit {
  Cycle cycle = 0;  // in which the NIU may know
  std::uint8_t noc = 0;
  Position source;
  std::uint32_t sequence = 0;
  std::uint8_t vc = 0;
  std::uint16_t flits = 0;
  std::uint64_t id = 0;

  auto order() const { return std::tuple(cycle, noc, source.y, source.x, sequence); }
  bool operator==(const Credit&) const = default;
};

}  // namespace tensim::noc
