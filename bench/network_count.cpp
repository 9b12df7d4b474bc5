// Host instructions per packet, for callgrind: tensim_count_network PACKETS [FLITS]. Random places of a Blackhole, ten hops
// for each packet, one of them in twenty cycles.
#include <cstdio>
#include <cstdlib>
#include <random>

#include "noc/network.hpp"

int main(int count, char** arguments) {
  using namespace tensim;
  const unsigned packets = count > 1 ? static_cast<unsigned>(std::atoi(arguments[1])) : 10000;
  const unsigned flits = count > 2 ? static_cast<unsigned>(std::atoi(arguments[2])) : 1;
  noc::Network network({17, 12}, noc::NetworkTiming(Timing(Arch::blackhole)));
  std::mt19937 random(1);
  std::uint64_t delivered = 0;
  noc::Cycle cycle = 0;
  for (unsigned sent = 0; sent < packets; ++sent, cycle += 20) {
    noc::Packet packet;
    packet.id = packet.sequence = sent;
    packet.cycle = cycle;
    packet.source = {static_cast<std::uint8_t>(random() % 17), static_cast<std::uint8_t>(random() % 12)};
    const auto along_x = static_cast<unsigned>(random() % 11);
    packet.destination = {static_cast<std::uint8_t>((packet.source.x + along_x) % 17),
                          static_cast<std::uint8_t>((packet.source.y + 10 - along_x) % 12)};
    packet.vc = 1;
    packet.flits = static_cast<std::uint16_t>(flits);
    network.inject(packet);
    network.advance(cycle);
    delivered += network.take_deliveries().size() + network.take_credits().size();
  }
  network.advance(cycle + 100000);
  delivered += network.take_deliveries().size() + network.take_credits().size();
  std::printf("%llu deliveries and credits\n", static_cast<unsigned long long>(delivered));
}
