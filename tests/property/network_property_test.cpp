// The network of src/noc, packets with times, against the naive one, flit by flit; and cut into windows.
#include <gtest/gtest.h>

#include "noc/network.hpp"
#include "tests/model/naive_network.hpp"
#include "tests/support/random_packets.hpp"

namespace tensim::test {
namespace {

using noc::Cycle;
using noc::Delivery;
using noc::Network;
using noc::NetworkTiming;
using noc::Packet;
using noc::Torus;

constexpr Cycle long_enough = 40000;
const NetworkTiming timing{Timing(Arch::blackhole)};

std::vector<Delivery> deliveries(const Torus& torus, const std::vector<Packet>& packets) {
  Network network(torus, timing);
  for (const Packet& packet : packets)
    network.inject(packet);
  network.advance(long_enough);
  return network.take_deliveries();
}

std::vector<Delivery> naive_deliveries(const Torus& torus, const std::vector<Packet>& packets, Cycle cycles) {
  NaiveNetwork network(torus, timing);
  for (const Packet& packet : packets)
    network.inject(packet);
  return network.run(cycles);
}

struct Deviation {
  double largest = 0;  // of a delivery, relative to how long it took
  double mean = 0;
  double end = 0;  // of the last delivery, relative to the whole
};

Deviation compare(const Torus& torus, const std::vector<Packet>& packets) {
  const auto ours = deliveries(torus, packets);
  const Cycle cycles = ours.empty() ? 1000 : ours.back().tail + 1000;
  const auto naive = naive_deliveries(torus, packets, cycles);
  EXPECT_EQ(ours.size(), naive.size());
  Deviation deviation;
  const auto key = [](const Delivery& each) { return std::tuple(each.id, each.receiver); };
  auto sorted = naive;
  std::ranges::sort(sorted, {}, key);
  for (const Delivery& each : ours) {
    const auto other = std::ranges::lower_bound(sorted, key(each), {}, key);
    if (other == sorted.end() || key(*other) != key(each)) {
      ADD_FAILURE() << "packet " << each.id;
      continue;
    }
    const double took = static_cast<double>(other->tail - packets[each.id].cycle);
    const double off = std::abs(static_cast<double>(each.tail) - static_cast<double>(other->tail)) / took;
    deviation.largest = std::max(deviation.largest, off);
    deviation.mean += off / static_cast<double>(ours.size());
  }
  if (!ours.empty() && !naive.empty())
    deviation.end = static_cast<double>(ours.back().tail) / static_cast<double>(naive.back().tail) - 1;
  return deviation;
}

TEST(NetworkProperty, Explore) {
  for (const auto& [name, kind] : {
           std::pair{"one vc", TrafficKind{}},
           std::pair{"one vc heavy", TrafficKind{.packets = 200}},
           std::pair{"wraps light", TrafficKind{.packets = 30, .cycles = 2000, .wraps = true}},
           std::pair{"wraps", TrafficKind{.packets = 60, .wraps = true}},
           std::pair{"wraps heavy", TrafficKind{.packets = 200, .wraps = true}},
           std::pair{"vcs", TrafficKind{.packets = 60, .named_vcs = 4, .wraps = true}},
           std::pair{"vcs heavy", TrafficKind{.packets = 200, .named_vcs = 4, .wraps = true}},
           std::pair{"vcs large", TrafficKind{.packets = 200, .named_vcs = 4, .most_flits = 257, .wraps = true}},
           std::pair{"multicasts", TrafficKind{.packets = 30, .cycles = 2000, .named_vcs = 1, .has_multicasts = true}},
       }) {
    double largest = 0, mean = 0, end = 0;
    unsigned exact = 0;
    const unsigned runs = 40;
    for (unsigned seed = 0; seed < runs; ++seed) {
      std::mt19937 random(seed);
      const Torus torus{5, 4};
      const auto deviation = compare(torus, random_packets(random, torus, kind));
      largest = std::max(largest, deviation.largest);
      mean += deviation.mean / runs;
      end = std::max(end, std::abs(deviation.end));
      exact += deviation.largest == 0;
    }
    std::printf("%-14s largest %.3f mean %.5f end %.4f exact %u/%u\n", name, largest, mean, end, exact, runs);
  }
}

}  // namespace
}  // namespace tensim::test
