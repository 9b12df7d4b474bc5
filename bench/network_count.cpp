// Host instructions per packet of two flits, for callgrind: tensim_count_network KIND.
//   alone      over ten hops of a Blackhole, one in twenty cycles: hardly any meets another
//   stream     of one NIU, one behind the other, as fast as they go
//   crowd      64 NIUs that send to each other at random, as fast as they go on average
//   multicast  to 8 x 8 tiles, which is 72 links
#include <cstdio>
#include <random>
#include <string_view>
#include <vector>

#include "noc/network.hpp"

namespace {

using namespace tensim;
using noc::Packet;

constexpr noc::Torus torus{17, 12};

class Traffic {
 public:
  explicit Traffic(std::string_view kind) : kind_(kind) {}

  std::vector<Packet> packets(unsigned count) {
    std::vector<Packet> made;
    for (unsigned each = 0; each < count; ++each)
      made.push_back(one());
    return made;
  }

 private:
  noc::Position place(unsigned width, unsigned height) {
    const auto x = static_cast<std::uint8_t>(random_() % width);
    return {x, static_cast<std::uint8_t>(random_() % height)};
  }
  Packet one() {
    Packet packet;
    packet.id = packet.sequence = sent_++;
    packet.vc = 1;
    packet.flits = 2;
    cycle_ += kind_ == "crowd" ? 1U : kind_ == "stream" ? 5U : kind_ == "multicast" ? 300U : 20U;
    packet.cycle = cycle_;
    if (kind_ == "stream") {
      packet.source = {1, 1};
      packet.destination = {6, 6};
    } else if (kind_ == "crowd") {
      packet.source = place(8, 8);
      packet.destination = place(8, 8);
    } else if (kind_ == "multicast") {
      packet.source = {1, 1};
      packet.rectangle = noc::MulticastArea{.start = {2, 2}, .end = {9, 9}};
    } else {
      packet.source = place(17, 12);
      const auto along_x = static_cast<unsigned>(random_() % 11);
      packet.destination = {static_cast<std::uint8_t>((packet.source.x + along_x) % 17),
                            static_cast<std::uint8_t>((packet.source.y + 10 - along_x) % 12)};
    }
    return packet;
  }

  std::string_view kind_;
  std::mt19937 random_{1};
  std::uint32_t sent_ = 0;
  noc::Cycle cycle_ = 0;
};

}  // namespace

/// In windows, as a chip does it.
extern "C" __attribute__((noinline)) std::size_t tensim_counted(noc::Network& network,
                                                                const std::vector<Packet>& packets) {
  std::size_t came = 0;
  std::size_t next = 0;
  for (noc::Cycle until = packets.front().cycle; next < packets.size(); until += network.lookahead()) {
    for (; next < packets.size() && packets[next].cycle < until; ++next)
      network.inject(packets[next]);
    network.advance(until);
    came += network.take_deliveries().size() + network.take_credits().size();
  }
  return came;
}

int main(int count, char** arguments) {
  const unsigned packets = count > 1 && std::string_view(arguments[1]) == "multicast" ? 1000 : 10000;
  noc::Network network(torus, noc::NetworkTiming(Timing(Arch::blackhole)));
  Traffic traffic(count > 1 ? arguments[1] : "alone");
  std::size_t came = 0;
  for (const unsigned part : {packets, packets}) {  // callgrind counts both: the first is for memory to be there
    const std::vector<Packet> some = traffic.packets(part);
    came += tensim_counted(network, some);
  }
  std::printf("%u packets in %zu deliveries and credits\n", 2 * packets, came);
}
