#include "chip/workers.hpp"

#include <stdexcept>

#include <gtest/gtest.h>

namespace tensim::chip {
namespace {

struct Item {
  unsigned runs = 0;
  float cost = 0;
  time::Activity doing = {};
  const time::Activity& activity() const { return doing; }
};

std::vector<Item*> pointers(std::vector<Item>& items) {
  std::vector<Item*> all;
  for (Item& item : items)
    all.push_back(&item);
  return all;
}

/// More threads than processors, and than items, too.
TEST(Workers, EachItemIsRunOnce) {
  for (const unsigned threads : {1U, 2U, 3U, 8U, 16U}) {
    Workers workers(threads, 0);
    for (unsigned count = 0; count < 40; ++count) {
      std::vector<Item> items(count);
      for (unsigned i = 0; i < count; ++i)
        items[i].cost = static_cast<float>(i % 7 * i);
      for (unsigned round = 1; round <= 5; ++round) {
        workers.share(pointers(items), [](Item& item) { ++item.runs; });
        for (const Item& item : items)
          ASSERT_EQ(item.runs, round) << threads << " threads, " << count << " items";
      }
    }
  }
}

TEST(Workers, SeveralThreadsAreAtWork) {
  Workers workers(2, 0);
  std::vector<Item> items(2);
  std::atomic<unsigned> there = 0;
  workers.share(pointers(items), [&](Item&) {
    ++there;
    while (there != 2)  // each waits for the other
      std::this_thread::yield();
  });
  EXPECT_EQ(there, 2U);
}

/// Who looks at threads may do so for longer than there are any.
TEST(Workers, AProfileOutlivesThem) {
  time::HostProfile profile(3);
  {
    Workers workers(3, 0);
    workers.tell(&profile);
    std::vector<Item> items(3);
    workers.share(pointers(items), [](Item&) {});
  }
  for (unsigned thread = 0; thread < 3; ++thread)
    EXPECT_EQ(profile.followed(thread), nullptr) << "thread " << thread;
}

TEST(Workers, LittleWorkStaysWhereItIs) {
  Workers workers(4);
  std::vector<Item> items(3);
  const auto own = std::this_thread::get_id();
  for (unsigned round = 0; round < 10; ++round)
    workers.share(pointers(items), [&](Item&) { EXPECT_EQ(std::this_thread::get_id(), own); });
}

TEST(Workers, WhatGoesWrongIsTheCallers) {
  Workers workers(3, 0);
  std::vector<Item> items(10);
  const auto fails = [&](Item& item) {
    ++item.runs;
    if (&item == &items[4]) throw std::runtime_error("no memory");
  };
  EXPECT_THROW(workers.share(pointers(items), fails), std::runtime_error);
  for (const Item& item : items)
    EXPECT_EQ(item.runs, 1U);
  workers.share(pointers(items), [](Item& item) { ++item.runs; });
  EXPECT_EQ(items[4].runs, 2U);
}

}  // namespace
}  // namespace tensim::chip
