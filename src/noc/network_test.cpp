#include "noc/network.hpp"

#include <map>
#include <set>

#include <gtest/gtest.h>

#include "noc/source_room.hpp"

namespace tensim::noc {
namespace {

constexpr Torus torus{17, 12};

class NetworkTest : public ::testing::Test {
 protected:
  Packet packet(Position from, Position to, Cycle cycle = 0, unsigned flits = 1, unsigned vc = 1) {
    Packet made;
    made.id = next_id_++;
    made.sequence = static_cast<std::uint32_t>(made.id);
    made.cycle = cycle;
    made.source = from;
    made.destination = to;
    made.flits = static_cast<std::uint16_t>(flits);
    made.vc = static_cast<std::uint8_t>(vc);
    return made;
  }
  std::uint64_t send(const Packet& made) {
    network.inject(made);
    return made.id;
  }
  std::uint64_t send(Position from, Position to, Cycle cycle = 0, unsigned flits = 1, unsigned vc = 1) {
    return send(packet(from, to, cycle, flits, vc));
  }
  Packet multicast(Position from, MulticastArea rectangle, Cycle cycle = 0, unsigned flits = 2) {
    Packet made = packet(from, {}, cycle, flits, 4);
    made.rectangle = rectangle;
    made.reserves_path = true;
    return made;
  }
  /// When the tail of each packet arrived; of a multicast, the last one's.
  std::map<std::uint64_t, Cycle> tails() {
    network.advance(1000000);
    for (const Delivery& delivery : network.take_deliveries())
      tails_[delivery.id] = delivery.tail;
    return tails_;
  }
  Cycle tail(std::uint64_t id) { return tails()[id]; }

  const NetworkTiming timing{Timing(Arch::blackhole)};
  Network network{torus, timing};
  /// From a NIU over its own router back to it.
  const Cycle niu_to_niu = timing.niu_issue + timing.niu_to_router + timing.router_to_niu;

 private:
  std::uint64_t next_id_ = 0;
  std::map<std::uint64_t, Cycle> tails_;
};

TEST_F(NetworkTest, EachHopTakesTheSameTimeAlongBothAxesAndAroundTheEdge) {
  for (const Position to :
       {Position{4, 4}, Position{4, 9}, Position{9, 4}, Position{3, 4}, Position{4, 3}, Position{3, 3}}) {
    network = Network{torus, timing};
    EXPECT_EQ(tail(send({4, 4}, to)), niu_to_niu + hops(torus, {4, 4}, to) * timing.hop);
  }
}

TEST_F(NetworkTest, ATileThatTalksToItselfPassesItsRouterAndNoLink) {
  EXPECT_EQ(tail(send({4, 4}, {4, 4}, 7)), 7 + niu_to_niu);
  EXPECT_GE(niu_to_niu, network.lookahead());
}

TEST_F(NetworkTest, TheTwoNetworksDoNotMeet) {
  const auto first = send({1, 1}, {9, 1}, 0, 200);
  Packet other = packet({1, 1}, {9, 1}, 0, 200);
  other.noc = 1;
  send(other);
  EXPECT_EQ(tails()[first], tails()[other.id]);
}

TEST_F(NetworkTest, ANiuSendsALittleSlowerThanAFlitACycle) {
  const auto small = send({1, 1}, {3, 1});
  const auto large = send({1, 1}, {3, 1}, 1000, 257);
  EXPECT_EQ(tails()[large] - 1000, tails()[small] + timing.source_cycles(257) - 1);
}

TEST_F(NetworkTest, TwoFlowsOverASharedLinkTakeOneOccupancyMore) {
  for (const std::uint8_t last : {std::uint8_t{5}, std::uint8_t{9}}) {
    Network apart{torus, timing};
    const auto first = send({1, 1}, {last, 1}, 0, 257);
    const auto second = send({2, 1}, {last, 2}, 0, 257);
    const Cycle alone = niu_to_niu + hops(torus, {1, 1}, {last, 1}) * timing.hop + timing.source_cycles(257) - 1;
    EXPECT_NEAR(static_cast<double>(std::max(tails()[first], tails()[second])), static_cast<double>(alone + 257), 20);
    network = apart;
  }
}

/// nocbench vc: 520 cycles for two packets of 257 flits on different VCs, 530 on the same.
TEST_F(NetworkTest, VcsShareALinkFlitByFlitAndOneVcPacketByPacket) {
  const auto last_of = [&](unsigned vc) {
    network = Network{torus, timing};
    std::vector<std::uint64_t> sent;
    for (unsigned each = 0; each < 16; ++each) {
      sent.push_back(send({1, 1}, {5, 1}, 0, 257, 1));
      sent.push_back(send({2, 1}, {5, 2}, 0, 257, vc));
    }
    const auto all = tails();
    const auto pair = [&](unsigned number) { return std::max(all.at(sent[2 * number]), all.at(sent[2 * number + 1])); };
    return static_cast<double>(pair(12) - pair(4)) / 8;
  };
  EXPECT_NEAR(last_of(0), 520, 10);
  EXPECT_NEAR(last_of(1), 530, 12);
  EXPECT_LT(last_of(0), last_of(1));
}

TEST_F(NetworkTest, APacketOnAnotherVcPassesALongOne) {
  const auto large = send({1, 1}, {9, 1}, 0, 257, 1);
  const auto small = send({1, 1}, {9, 1}, 20, 1, 0);
  EXPECT_LT(tails()[small] + 150, tails()[large]);
}

/// nocbench endpoint: T is the time of a packet; the nearest writer gets every other turn, the next every other of the rest.
TEST_F(NetworkTest, WritersAlongALineTakeTurnsAtEveryRouterThatTheyJoinAt) {
  constexpr unsigned writers = 4, packets = 32, flits = 65;
  std::map<std::uint64_t, unsigned> writer_of;
  for (unsigned each = 0; each < packets; ++each)
    for (unsigned writer = 0; writer < writers; ++writer)
      writer_of[send({static_cast<std::uint8_t>(9 - writer), 3}, {10, 3}, 0, flits)] = writer;
  std::vector<double> last(writers);
  for (const auto& [id, cycle] : tails())
    last[writer_of[id]] = std::max(last[writer_of[id]], static_cast<double>(cycle));
  const double once = packets * static_cast<double>(flits + timing.vc_hand_over);
  EXPECT_NEAR(last[0] / once, 2, 0.15);
  EXPECT_NEAR(last[1] / once, 3, 0.15);
  EXPECT_NEAR(last[2] / once, 4, 0.15);
  EXPECT_NEAR(last[3] / once, 4, 0.15);
}

TEST_F(NetworkTest, OnePathOneVcKeepsTheOrder) {
  std::vector<std::uint64_t> sent;
  for (unsigned each = 0; each < 20; ++each)
    sent.push_back(send({1, 1}, {4, 6}, 100 - each % 3, 1 + each * 7 % 30));
  // Packets of one cycle act by sequence, those of an earlier cycle first, whatever the order in which they are injected.
  network.advance(1000000);
  std::vector<std::uint64_t> arrived;
  for (const Delivery& delivery : network.take_deliveries())
    arrived.push_back(delivery.id);
  std::ranges::sort(sent, {}, [](std::uint64_t id) { return std::pair(100 - id % 3, id); });
  EXPECT_EQ(arrived, sent);
}

// ---- back-pressure ----

TEST_F(NetworkTest, AFullReceiverHoldsUpWhatIsBehindOnItsVcAndNothingElse) {
  network.limit_room(0, {5, 1}, Room::requests, 1);
  Packet first = packet({1, 1}, {5, 1});
  Packet blocked = packet({1, 1}, {5, 1}, 10);
  first.room = blocked.room = Room::requests;
  send(first);
  send(blocked);
  const auto behind = send({1, 1}, {5, 5}, 20);  // turns at the router where the other waits
  const auto other_vc = send({1, 1}, {5, 5}, 20, 1, 2);
  EXPECT_TRUE(tails().contains(first.id));
  EXPECT_TRUE(tails().contains(other_vc));
  EXPECT_FALSE(tails().contains(blocked.id));
  EXPECT_FALSE(tails().contains(behind));
  network.give_room(0, {5, 1}, Room::requests, 1, 2000000);
  network.advance(3000000);
  const auto late = network.take_deliveries();
  ASSERT_EQ(late.size(), 2U);
  EXPECT_EQ(late.front().id, blocked.id);
  EXPECT_EQ(late.front().tail, 2000000 + network.lookahead() + 1);
  EXPECT_EQ(late.back().id, behind);
}

TEST_F(NetworkTest, ABlockedVcFillsUpBackToItsSource) {
  network.limit_room(0, {3, 1}, Room::data, 1);
  unsigned sent = 0;
  for (; sent < 12; ++sent) {
    Packet data = packet({1, 1}, {3, 1}, sent, 65);
    data.room = Room::data;
    send(data);
  }
  network.advance(100000);
  EXPECT_EQ(network.take_deliveries().size(), 1U);
  // One has arrived, and one stands in each of the three routers: the NIU has been rid of four, and keeps the rest.
  EXPECT_EQ(network.take_credits().size(), 4U);
}

TEST_F(NetworkTest, SmallPacketsWaitSixteenInABuffer) {
  network.limit_room(0, {2, 1}, Room::requests, 0);
  for (unsigned sent = 0; sent < 60; ++sent) {
    Packet request = packet({1, 1}, {2, 1}, sent);
    request.room = Room::requests;
    send(request);
  }
  network.advance(100000);
  EXPECT_EQ(network.take_credits().size(), 2U * 16);  // in its own router and in the next
}

TEST_F(NetworkTest, TheDatelineMakesTwoVcsOfOne) {
  // The first has come around the edge and cannot leave; the second starts behind the edge and passes it.
  network.limit_room(0, {2, 1}, Room::requests, 0);
  Packet crossed = packet({15, 1}, {2, 1});
  crossed.room = Room::requests;
  send(crossed);
  const auto fresh = send({0, 1}, {3, 1}, 200);
  EXPECT_EQ(tail(fresh), 200 + niu_to_niu + 3 * timing.hop);
}

TEST_F(NetworkTest, TheRoomOfANiuLetsOneFlowRunAtFullRate) {
  for (const unsigned flits : {1U, 10U, 20U, 65U, 257U}) {
    network = Network{torus, timing};
    SourceRoom room;
    std::vector<Cycle> tails;
    unsigned sent = 0;
    for (Cycle now = 0; tails.size() < 40; ++now) {
      for (; sent < 40 && room.is_open(); ++sent) {
        const Packet next = packet({1, 1}, {3, 1}, now, flits);
        room.take(next.flits);
        send(next);
      }
      network.advance(now);
      for (const Credit& credit : network.take_credits())
        room.give_back(credit);
      for (const Delivery& delivery : network.take_deliveries())
        tails.push_back(delivery.tail);
      ASSERT_LT(now, 100000U);
    }
    const Cycle each = std::max<Cycle>(timing.source_cycles(flits), flits + timing.vc_hand_over);
    EXPECT_EQ(tails[30] - tails[10], 20 * each) << flits << " flits";
  }
}

// ---- transactions, multicasts ----

TEST_F(NetworkTest, ALinkedTransactionKeepsItsVcsUntilItsLastPacket) {
  Packet open = packet({1, 1}, {5, 1});
  open.is_linked = true;
  send(open);
  const auto other = send({2, 1}, {6, 1}, 50);
  const auto on_another_vc = send({2, 1}, {6, 1}, 50, 1, 2);
  EXPECT_FALSE(tails().contains(other));
  EXPECT_TRUE(tails().contains(on_another_vc));
  const Packet close = packet({1, 1}, {5, 1}, 2000000);
  send(close);
  network.advance(3000000);
  const auto late = network.take_deliveries();
  ASSERT_EQ(late.size(), 2U);
  EXPECT_EQ(late.front().id, close.id);
  EXPECT_EQ(late.back().id, other);
}

TEST_F(NetworkTest, AMulticastArrivesAtEachTileOnce) {
  send(multicast({1, 1}, {.start = {3, 4}, .end = {6, 7}}));
  network.advance(100000);
  std::set<Position> receivers;
  for (const Delivery& delivery : network.take_deliveries())
    EXPECT_TRUE(receivers.insert(delivery.receiver).second);
  EXPECT_EQ(receivers.size(), 16U);
  EXPECT_EQ(network.packets_under_way(), 0U);
}

/// noc 7: 16 cycles for each hop of the tree's depth, and the same again for data that follow.
TEST_F(NetworkTest, ReservingAPathIsARoundOverTheTreeBeforeDataMove) {
  const MulticastArea square{.start = {1, 1}, .end = {3, 3}, .includes_source = true};
  Packet unreserved = multicast({1, 1}, square);
  unreserved.reserves_path = false;
  send(unreserved);
  const auto reserved = send(multicast({1, 1}, square, 1000));
  const Cycle plain = tails()[unreserved.id];
  const Cycle with_round = tails()[reserved] - 1000;
  const Cycle round = 4 * (timing.hop + timing.reserve_answer_per_hop);
  EXPECT_EQ(round, 4U * 16);
  EXPECT_NEAR(static_cast<double>(with_round - plain), static_cast<double>(round), 4);
}

TEST_F(NetworkTest, LinkedMulticastsReserveTheirPathOnce) {
  const MulticastArea square{.start = {1, 1}, .end = {6, 6}, .includes_source = true};
  const auto last_of = [&](bool linked) {
    network = Network{torus, timing};
    std::uint64_t last = 0;
    for (unsigned each = 0; each < 8; ++each) {
      Packet one = multicast({1, 1}, square, each);
      one.is_linked = linked && each < 7;
      last = send(one);
    }
    return tail(last);
  };
  const Cycle round = 10 * (timing.hop + timing.reserve_answer_per_hop);
  EXPECT_GT(last_of(false), 8 * round);
  EXPECT_LT(last_of(true), 2 * round + 100);
}

TEST_F(NetworkTest, MulticastsThatReserveTheirPathsDoNotWaitForEachOtherForEver) {
  std::vector<std::uint64_t> sent;
  for (std::uint8_t x = 1; x < 8; ++x)
    for (std::uint8_t y = 1; y < 8; ++y)
      sent.push_back(send(multicast({x, y}, {.start = {1, 1}, .end = {7, 7}}, 0, 20)));
  for (const std::uint64_t id : sent)
    EXPECT_TRUE(tails().contains(id));
  EXPECT_EQ(network.packets_under_way(), 0U);
}

TEST_F(NetworkTest, TilesThatDoNotAcceptMulticastsPassThemOn) {
  network.accept_multicasts(0, {5, 1}, false);
  network.accept_multicasts(0, {6, 1}, false);  // the last of its row
  send(multicast({1, 1}, {.start = {3, 1}, .end = {6, 1}}, 0, 30));
  send(multicast({1, 1}, {.start = {3, 1}, .end = {6, 1}}, 0, 30));
  network.advance(100000);
  EXPECT_EQ(network.take_deliveries().size(), 4U);
  EXPECT_EQ(network.packets_under_way(), 0U);
}

TEST_F(NetworkTest, AnIdleNetworkHasNothingToDo) {
  EXPECT_EQ(network.next_event(), never);
  send({1, 1}, {3, 1}, 500);
  EXPECT_EQ(network.next_event(), 500U);
  network.advance(100000);
  EXPECT_EQ(network.next_event(), never);
}

}  // namespace
}  // namespace tensim::noc
