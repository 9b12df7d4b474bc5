// The network of src/noc, packets with times, against the naive one, flit by flit; and cut into windows.
#include <array>
#include <numeric>

#include <gtest/gtest.h>

#include "noc/network.hpp"
#include "tests/model/naive_network.hpp"
#include "tests/places.hpp"
#include "tests/support/random_packets.hpp"
#include "tests/support/seeds.hpp"

namespace tensim::test {
namespace {

using noc::Cycle;
using noc::Delivery;
using noc::Network;
using noc::NetworkTiming;
using noc::Packet;
using noc::Room;
using noc::Torus;

constexpr Torus torus{5, 4};
constexpr Cycle consumed_after = 30;  // a receiver's time for a packet, where it has a limit
const NetworkTiming timing{Timing(Arch::blackhole)};

/// The owner of a network: injects what is due, and gives room back for what has come.
struct Owner {
  explicit Owner(std::vector<Packet> to_inject) : network(torus, timing), packets(std::move(to_inject)) {
    std::ranges::sort(packets, {}, &Packet::cycle);
  }
  void limit_receivers(auto& limited) {
    for (unsigned noc = 0; noc < 2; ++noc)
      for (noc::Router router = 0; router < torus.routers(); ++router) {
        limited.limit_room(noc, torus.place(router), Room::requests, 2);
        limited.limit_room(noc, torus.place(router), Room::data, 20);
      }
  }
  /// Everything from the last call to this cycle, injected in another order than it is taken up in.
  void run_to(Cycle until) {
    while (next < packets.size() && packets[next].cycle < until)
      ++next;
    for (std::size_t each = next; each-- > injected;)
      network.inject(packets[each]);
    injected = next;
    network.advance(until);
    for (const Delivery& delivery : network.take_deliveries()) {
      deliveries.push_back(delivery);
      const Packet& packet = *std::ranges::find(packets, delivery.id, &Packet::id);
      network.give_room(packet.noc, delivery.receiver, packet.room, packet.room == Room::requests ? 1 : packet.flits,
                        delivery.tail + consumed_after);
    }
    const auto credits_now = network.take_credits();
    credits.insert(credits.end(), credits_now.begin(), credits_now.end());
  }

  Network network;
  std::vector<Packet> packets;
  std::size_t next = 0;
  std::size_t injected = 0;
  std::vector<Delivery> deliveries;
  std::vector<noc::Credit> credits;
};

std::vector<Delivery> deliveries_of(const std::vector<Packet>& packets, bool has_limits) {
  Owner owner(packets);
  if (has_limits) owner.limit_receivers(owner.network);
  const Cycle window = owner.network.lookahead();
  for (Cycle until = window; owner.next < packets.size() || owner.network.packets_under_way() != 0; until += window) {
    owner.run_to(until);
    if (until > 200000) break;
  }
  owner.run_to(300000);
  return owner.deliveries;
}

std::vector<Delivery> naive_deliveries_of(const std::vector<Packet>& packets, bool has_limits, Cycle cycles) {
  NaiveNetwork network(torus, timing);
  if (has_limits) {
    Owner({}).limit_receivers(network);
    network.give_room_after(consumed_after);
  }
  for (const Packet& packet : packets)
    network.inject(packet);
  return network.run(cycles);
}

struct Deviation {
  double mean = 0;  // of deliveries, relative to how long they took
  double end = 0;   // of the last one, relative to the whole
};

Deviation deviation(unsigned seed, const TrafficKind& kind) {
  const auto packets = RandomPackets(seed, torus, kind).all();
  auto ours = deliveries_of(packets, kind.takes_room);
  auto naive = naive_deliveries_of(packets, kind.takes_room, (ours.empty() ? 0 : ours.back().tail) + 2000);
  EXPECT_EQ(ours.size(), naive.size());
  if (ours.size() != naive.size() || ours.empty()) return {1, 1};
  Deviation found;
  found.end = std::abs(static_cast<double>(ours.back().tail) / static_cast<double>(naive.back().tail) - 1);
  for (auto* const list : {&ours, &naive})
    std::ranges::sort(*list, {}, [](const Delivery& each) { return std::tuple(each.id, each.receiver); });
  for (std::size_t each = 0; each < ours.size(); ++each) {
    EXPECT_EQ(ours[each].receiver, naive[each].receiver) << "packet " << ours[each].id;
    const auto took = static_cast<double>(naive[each].tail - packets[naive[each].id].cycle);
    const double off = std::abs(static_cast<double>(ours[each].tail) - static_cast<double>(naive[each].tail));
    found.mean += off / took / static_cast<double>(ours.size());
  }
  return found;
}

void expect_exact(unsigned seeds, const TrafficKind& kind) {
  for_each_seed(seeds, [&](unsigned seed) {
    const auto packets = RandomPackets(seed, torus, kind).all();
    const auto ours = deliveries_of(packets, kind.takes_room);
    const Cycle end = ours.empty() ? 0 : ours.back().tail;
    EXPECT_EQ(ours, naive_deliveries_of(packets, kind.takes_room, end + 2000));
  });
}

/// On one VC packets follow each other on every link, so nothing about flits has been left out.
TEST(NetworkProperty, TrafficOnOneVcIsExactlyThatOfTheNaiveModel) {
  expect_exact(15, {.packets = 40});
  expect_exact(10, {.packets = 150});
}

TEST(NetworkProperty, ReceiversThatAreFullAreExactlyThoseOfTheNaiveModel) {
  expect_exact(10, {.packets = 60, .takes_room = true});
}

void expect_close(unsigned seeds, const TrafficKind& kind, Deviation most) {
  Deviation all;
  for_each_seed(seeds, [&](unsigned seed) {
    const Deviation one = deviation(seed, kind);
    all.mean += one.mean / seeds;
    all.end += one.end / seeds;
  });
  if (seeds_are_chosen()) return;
  EXPECT_LE(all.mean, most.mean);
  EXPECT_LE(all.end, most.end);
}

/// Where packets of several VCs share a link, those that come in slowly are taken to come in at once but for their tails.
/// What that costs: the mean of how far deliveries are off, and how far the end of everything is.
TEST(NetworkProperty, SharedLinksAreCloseToTheNaiveModel) {
  if (TENSIM_HAS_SANITIZERS != 0) GTEST_SKIP() << "the naive model is slow: make test has it";
  expect_close(15, {.packets = 30, .cycles = 2000, .wraps = true}, {0.001, 0.001});
  expect_close(15, {.packets = 60, .wraps = true}, {0.002, 0.002});
  expect_close(10, {.packets = 150, .wraps = true}, {0.01, 0.01});
  expect_close(10, {.packets = 60, .named_vcs = 4, .wraps = true}, {0.01, 0.005});
  expect_close(10, {.packets = 150, .named_vcs = 4, .wraps = true}, {0.03, 0.02});
  expect_close(5, {.packets = 150, .named_vcs = 4, .most_flits = 257, .wraps = true}, {0.08, 0.08});
}

TEST(NetworkProperty, MulticastsReachTheSameTilesInTheSameTimeAsInTheNaiveModel) {
  expect_close(30, {.packets = 30, .cycles = 3000, .wraps = true, .has_multicasts = true}, {0.001, 0.001});
}

constexpr TrafficKind everything{.packets = 120,
                                 .named_vcs = 4,
                                 .most_flits = 60,
                                 .wraps = true,
                                 .has_multicasts = true,
                                 .reserves_paths = true,
                                 .has_transactions = true};

/// What comes out of a run that is cut into windows of random lengths.
Owner run_in_windows(const std::vector<Packet>& packets, bool has_limits, unsigned seed, Cycle longest,
                     bool is_followed = false) {
  Owner owner(packets);
  if (is_followed) owner.network.follow_every_packet();
  if (has_limits) owner.limit_receivers(owner.network);
  std::mt19937 random(seed);
  for (Cycle until = 0; until < 20000;) {
    until += 1 + random() % longest;
    owner.run_to(until);
    if (random() % 50 == 0) {
      const Network snapshot = owner.network;
      owner.network.advance(until + 3);
      owner.network = snapshot;
    }
  }
  owner.run_to(20000 + longest);
  return owner;
}

TEST(NetworkProperty, HowARunIsCutIntoWindowsChangesNothing) {
  for_each_seed(40, [](unsigned seed) {
    TrafficKind kind = everything;
    kind.takes_room = seed % 2 == 0;
    const auto packets = RandomPackets(seed, torus, kind).all();
    const Owner one = run_in_windows(packets, kind.takes_room, seed, 1);
    EXPECT_GT(one.deliveries.size(), packets.size() / 2);
    EXPECT_TRUE(std::ranges::is_sorted(one.deliveries, {}, &Delivery::order));
    for (const Cycle longest : {one.network.lookahead(), one.network.lookahead() + consumed_after}) {
      const Owner other = run_in_windows(packets, kind.takes_room, seed + 1, longest);
      EXPECT_EQ(one.deliveries, other.deliveries);
      EXPECT_EQ(one.credits, other.credits);
    }
  });
}

/// From one packet at a time to crowds, on few VCs and many, short ones and long ones, all of them or only some in the way of
/// others: whether a packet is booked or followed is not to be seen from outside.
TEST(NetworkProperty, PacketsThatMeetNobodyTakeAsLongAsIfTheyWereFollowed) {
  for_each_seed(120, [](unsigned seed) {
    TrafficKind kind = everything;
    kind.packets = 20 + seed * 7 % 180;
    kind.cycles = std::array{100U, 400U, 2000U, 8000U}[seed % 4];
    kind.most_flits = std::array{1U, 3U, 40U, 257U}[seed / 4 % 4];
    kind.named_vcs = 1 + seed % 3;
    kind.has_multicasts = kind.has_transactions = seed % 5 == 0;
    kind.takes_room = seed % 2 == 0;
    const auto packets = RandomPackets(seed, torus, kind).all();
    const Owner booked = run_in_windows(packets, kind.takes_room, seed, 18);
    const Owner followed = run_in_windows(packets, kind.takes_room, seed, 18, true);
    EXPECT_GT(booked.deliveries.size(), packets.size() / 2);
    EXPECT_EQ(booked.deliveries, followed.deliveries);
    EXPECT_EQ(booked.credits, followed.credits);
    EXPECT_EQ(booked.network.packets_under_way(), followed.network.packets_under_way());
  });
}

TEST(NetworkProperty, NothingComesOutSoonerThanALookaheadBehindItsInjection) {
  for_each_seed(20, [](unsigned seed) {
    const auto packets = RandomPackets(seed, torus, everything).all();
    const Owner owner = run_in_windows(packets, false, seed, 10);
    for (const Delivery& delivery : owner.deliveries)
      EXPECT_GE(delivery.head, packets[delivery.id].cycle + owner.network.lookahead());
    for (const noc::Credit& credit : owner.credits)
      EXPECT_GE(credit.cycle, packets[credit.id].cycle + owner.network.lookahead());
  });
}

/// Multicasts that reserve their paths, and transactions that are closed, cannot wait for each other in a circle.
TEST(NetworkProperty, EverythingArrivesAndTheNetworkIsEmptyThen) {
  for_each_seed(200, [](unsigned seed) {
    TrafficKind kind = everything;
    kind.cycles = 100;
    const auto packets = RandomPackets(seed, torus, kind).all();
    Owner owner(packets);
    owner.run_to(200000);
    EXPECT_EQ(owner.network.packets_under_way(), 0U);
    EXPECT_EQ(owner.network.next_event(), noc::never);
    EXPECT_EQ(owner.credits.size(), packets.size());
  });
}

}  // namespace
}  // namespace tensim::test
