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
  bool wraps = false;             // may go over the links that join the edges
  bool has_multicasts = false;
  bool has_limited_receivers = false;
};

inline std::vector<noc::Packet> random_packets(std::mt19937& random, noc::Torus torus, const TrafficKind& kind) {
  const auto below = [&](unsigned limit) { return static_cast<unsigned>(random() % limit); };
  const auto place = [&] {
    return noc::Place{static_cast<std::uint8_t>(below(torus.width)), static_cast<std::uint8_t>(below(torus.height))};
  };
  std::vector<noc::Packet> packets;
  for (unsigned number = 0; number < kind.packets; ++number) {
    noc::Packet packet{.id = number, .cycle = below(kind.cycles), .sequence = number};
    packet.noc = static_cast<std::uint8_t>(below(2));
    packet.source = place();
    packet.destination = place();
    if (!kind.wraps) {
      if (packet.destination.x < packet.source.x) std::swap(packet.destination.x, packet.source.x);
      if (packet.destination.y < packet.source.y) std::swap(packet.destination.y, packet.source.y);
    }
    packet.vc = static_cast<std::uint8_t>(below(kind.named_vcs));
    packet.flits = static_cast<std::uint16_t>(below(3) == 0 ? 1 : 1 + below(kind.most_flits));
    if (kind.has_multicasts && below(6) == 0)
      packet.rectangle = noc::Rectangle{.start = place(),
                                        .end = place(),
                                        .major = below(2) == 0 ? noc::Axis::x : noc::Axis::y,
                                        .includes_source = below(2) == 0};
    if (kind.has_limited_receivers) packet.room = static_cast<noc::Room>(below(3));
    packets.push_back(packet);
  }
  return packets;
}

}  // namespace tensim::test
