// Random traffic for a network: what src/noc is compared with the naive model on, and cut into windows with.
#pragma once

#include <algorithm>
#include <random>
#include <vector>

#include "noc/packet.hpp"

namespace tensim::test {

struct TrafficKind {
  unsigned packets = 40;
  unsigned cycles = 400;  // in which they are injected
  unsigned named_vcs = 1;
  unsigned most_flits = 40;
  bool wraps = false;  // may go over the links that join the edges
  bool has_multicasts = false;
  bool reserves_paths = false;
  bool has_transactions = false;  // of two linked packets, with nothing of their source between them
  bool takes_room = false;
};

class RandomPackets {
 public:
  RandomPackets(unsigned seed, noc::Torus torus, TrafficKind kind) : random_(seed), torus_(torus), kind_(kind) {}

  std::vector<noc::Packet> all() {
    std::vector<noc::Packet> packets;
    while (packets.size() < kind_.packets) {
      packets.push_back(one(packets.size()));
      if (!kind_.has_transactions || below(8) != 0) continue;
      noc::Packet last = packets.back();
      packets.back().is_linked = true;
      last.id = packets.size();
      last.sequence = static_cast<std::uint32_t>(last.id);
      packets.push_back(last);
    }
    return packets;
  }

 private:
  unsigned below(unsigned limit) { return static_cast<unsigned>(random_() % limit); }
  noc::Position place() {
    const unsigned x = below(torus_.width);
    return {static_cast<std::uint8_t>(x), static_cast<std::uint8_t>(below(torus_.height))};
  }
  noc::Packet one(std::size_t number) {
    noc::Packet packet;
    packet.id = number;
    packet.sequence = static_cast<std::uint32_t>(number);
    packet.cycle = below(kind_.cycles);
    packet.noc = static_cast<std::uint8_t>(below(2));
    packet.source = place();
    packet.destination = place();
    if (!kind_.wraps) {
      if (packet.destination.x < packet.source.x) std::swap(packet.destination.x, packet.source.x);
      if (packet.destination.y < packet.source.y) std::swap(packet.destination.y, packet.source.y);
    }
    packet.vc = static_cast<std::uint8_t>(below(kind_.named_vcs));
    packet.flits = static_cast<std::uint16_t>(below(3) == 0 ? 1 : 1 + below(kind_.most_flits));
    if (kind_.takes_room) packet.room = static_cast<noc::Room>(below(3));
    if (kind_.has_multicasts && below(6) == 0) make_multicast(packet);
    return packet;
  }
  void make_multicast(noc::Packet& packet) {
    packet.rectangle = noc::MulticastArea{place(), place()};
    if (below(2) == 0) packet.rectangle->major = noc::Axis::y;
    packet.rectangle->includes_source = below(2) == 0;
    packet.reserves_path = kind_.reserves_paths;
    packet.room = noc::Room::none;
    if (packet.reserves_path) packet.vc = 4;
  }

  std::mt19937 random_;
  noc::Torus torus_;
  TrafficKind kind_;
};

}  // namespace tensim::test
