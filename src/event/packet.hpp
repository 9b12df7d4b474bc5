// What happens to packets of a chip, for whoever wants to know. With nobody attached it costs a test of a pointer a packet.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <tuple>

#include "arch/named_rows.hpp"
#include "noc/message.hpp"

namespace tensim::event {

/// A packet at one of its ends. Requests and responses are packets alike; Message::issuer says which store began it all.
struct Packet {
  enum class End : std::uint8_t {
    sent,     // an NIU takes it up: a request is accepted, a response is ready
    arrived,  // all of it is there, and what it does there is done in this cycle, unless the receiver stands still
  };
  End end = End::sent;
  time::Cycle cycle = 0;
  noc::Coordinates tile = {};  // who sends or receives it
  std::uint32_t number = 0;    // of those that Message::source has sent: with it the packet's name
  noc::MessagePointer message = {};
  std::uint32_t receivers = 1;  // of one that is sent: a multicast has many, or none

  /// No two are alike in these: the order in which observers hear of them, whatever the order in which tiles were run.
  auto order() const {
    return std::tuple(cycle, tile.y, tile.x, end, message->noc, message->source.y, message->source.x, number);
  }
};

inline constexpr NamedRows packet_end_rows{std::array{
    NamedRow{Packet::End::sent, "sent"},
    NamedRow{Packet::End::arrived, "arrived"},
}};
static_assert(packet_end_rows.cover(Packet::End::arrived));

constexpr std::string_view name(Packet::End end) {
  return packet_end_rows.name(end);
}

inline constexpr NamedRows message_kind_rows{std::array{
    NamedRow{noc::MessageKind::read, "read"},
    NamedRow{noc::MessageKind::write, "write"},
    NamedRow{noc::MessageKind::inline_write, "inline write"},
    NamedRow{noc::MessageKind::atomic, "atomic"},
    NamedRow{noc::MessageKind::read_response, "read response"},
    NamedRow{noc::MessageKind::acknowledgement, "acknowledgement"},
    NamedRow{noc::MessageKind::atomic_response, "atomic response"},
}};
static_assert(message_kind_rows.cover(noc::MessageKind::atomic_response));

constexpr std::string_view name(noc::MessageKind kind) {
  return message_kind_rows.name(kind);
}

class PacketObserver {
 public:
  PacketObserver() = default;
  PacketObserver(const PacketObserver&) = default;
  PacketObserver& operator=(const PacketObserver&) = default;
  virtual ~PacketObserver() = default;
  /// In the order of Packet::order(), each once, some time after it has happened and before the chip's run ends.
  virtual void packet(const Packet& packet) = 0;
  /// All packets before `until` have been told, and tiles with a listener have told what is before the last multiple of
  /// Tile::observed_cycles.
  virtual void told(time::Cycle until) { static_cast<void>(until); }
};

}  // namespace tensim::event
