#include "noc/event_queue.hpp"

#include <map>
#include <random>

#include <gtest/gtest.h>

namespace tensim::noc {
namespace {

Event look(Cycle time, std::uint32_t place) {
  return {time, Event::Kind::look, place};
}

/// What one call takes out.
std::vector<std::uint32_t> next_places(EventQueue& queue) {
  std::vector<std::uint32_t> places;
  queue.take([&](const Event& event) { places.push_back(event.place()); });
  return places;
}

TEST(EventQueue, ACycleComesOutInOneOrderWhateverTheOrderItWentInBy) {
  for (const auto& order : {std::array{1U, 2U, 3U}, std::array{3U, 1U, 2U}, std::array{2U, 3U, 1U}}) {
    EventQueue queue;
    for (const std::uint32_t place : order)
      queue.push(look(7, place));
    EXPECT_EQ(next_places(queue), (std::vector<std::uint32_t>{1, 2, 3}));
    EXPECT_EQ(queue.next(), never);
  }
}

TEST(EventQueue, WhatIsFarAwayAndWhatIsNearMeetInTheirCycle) {
  EventQueue queue;
  queue.push(look(100000, 2));  // far away as long as nothing has passed
  queue.pass(99999);
  queue.push(look(100000, 1));
  queue.push(look(100001, 3));
  EXPECT_EQ(queue.next(), 100000U);
  EXPECT_EQ(next_places(queue), (std::vector<std::uint32_t>{1, 2}));
  EXPECT_EQ(next_places(queue), (std::vector<std::uint32_t>{3}));
}

TEST(EventQueue, WhatIsPutInWhileItsCycleIsHandledComesNext) {
  EventQueue queue;
  queue.push(look(5, 1));
  queue.take([&](const Event& event) { queue.push(look(event.time, 9)); });
  EXPECT_EQ(queue.next(), 5U);
  EXPECT_EQ(next_places(queue), (std::vector<std::uint32_t>{9}));
}

TEST(EventQueue, RandomTimesComeOutSorted) {
  std::mt19937 random(1);
  EventQueue queue;
  std::multimap<Cycle, std::uint32_t> judge;
  Cycle now = 0;
  for (unsigned each = 0; each < 20000; ++each) {
    const Cycle time = now + random() % (random() % 10 == 0 ? 3000 : 60);
    queue.push(look(time, each));
    judge.emplace(time, each);
    if (random() % 2 == 0) continue;
    now = queue.next();
    ASSERT_EQ(now, judge.begin()->first);
    const auto [first, last] = judge.equal_range(now);
    std::vector<std::uint32_t> expected;
    for (auto at = first; at != last; ++at)
      expected.push_back(at->second);
    EXPECT_EQ(next_places(queue), expected);
    judge.erase(first, last);
  }
}

}  // namespace
}  // namespace tensim::noc
