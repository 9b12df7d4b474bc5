#include "noc/link.hpp"

#include <map>

#include <gtest/gtest.h>

namespace tensim::noc {
namespace {

struct Sender {
  std::int32_t leg;
  Cycle joins;
  std::uint32_t flits;
  Cycle tail_here = 0;
};

/// In which cycle the last flit of each goes.
std::map<std::int32_t, Cycle> tails(std::vector<Sender> senders) {
  Link link;
  std::map<std::int32_t, Cycle> last;
  std::vector<Transfer> ended;
  for (Cycle now = 0; now < 1000; ++now) {
    if (link.next_event() == now) link.step(now, ended);
    for (const Transfer& transfer : ended)
      last[transfer.leg] = now - 1;
    ended.clear();
    for (const Sender& sender : senders)
      if (sender.joins == now)
        link.join(now, {.leg = sender.leg, .remaining = sender.flits, .tail_here = sender.tail_here});
  }
  return last;
}

TEST(Link, OnePacketMovesAFlitACycle) {
  EXPECT_EQ(tails({{1, 10, 5}}), (std::map<std::int32_t, Cycle>{{1, 14}}));
}

TEST(Link, TwoPacketsTakeTurnsFlitByFlit) {
  // 1 2 1 2 1 2 from cycle 10 on.
  EXPECT_EQ(tails({{1, 10, 3}, {2, 10, 3}}), (std::map<std::int32_t, Cycle>{{1, 14}, {2, 15}}));
}

TEST(Link, WhoComesLaterWaitsForOneTurnOfTheOthersAndNoMore) {
  // 1 1 1 2 1 2 1 1: the short one is through after four cycles.
  EXPECT_EQ(tails({{1, 10, 6}, {2, 12, 2}}), (std::map<std::int32_t, Cycle>{{1, 17}, {2, 15}}));
}

TEST(Link, ThreePacketsShareItInThree) {
  EXPECT_EQ(tails({{1, 10, 3}, {2, 10, 2}, {3, 10, 1}}), (std::map<std::int32_t, Cycle>{{1, 15}, {2, 14}, {3, 12}}));
}

TEST(Link, APacketEndsWhenItsTailHasCome) {
  EXPECT_EQ(tails({{1, 10, 5, 30}}), (std::map<std::int32_t, Cycle>{{1, 30}}));
}

TEST(Link, WhoWaitsForItsTailLeavesTheLinkToOthers) {
  // 1 2 1 2, and then 2 alone until the tail of 1 comes.
  EXPECT_EQ(tails({{1, 10, 3, 30}, {2, 10, 8}}), (std::map<std::int32_t, Cycle>{{1, 30}, {2, 19}}));
}

TEST(Link, ATailThatIsAnnouncedLaterIsWaitedFor) {
  Link link;
  link.join(10, {.leg = 1, .remaining = 5});
  EXPECT_EQ(link.next_event(), never);
  link.tail_comes(20, 1, 28);
  EXPECT_EQ(link.next_event(), 29U);
}

}  // namespace
}  // namespace tensim::noc
