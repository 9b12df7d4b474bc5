// The ring against three queues that are really there.
#include "tensix/frontend/word_queue.hpp"

#include <deque>

#include <gtest/gtest.h>

#include "tensix/fill.hpp"

namespace tensim::test {
namespace {

using tensix::Entry;
using tensix::WordQueue;

struct Queues {
  std::deque<Entry> gate;
  std::deque<Entry> replay;
  std::deque<Entry> pushed;

  static void move(std::deque<Entry>& from, std::deque<Entry>& to) {
    to.push_back(from.front());
    from.pop_front();
  }
  bool passes() const { return gate.size() < WordQueue::gate_depth && !replay.empty(); }
  bool takes() const { return replay.size() < WordQueue::replay_depth && !pushed.empty(); }
};

void expect_same(const WordQueue& ring, const Queues& queues) {
  ASSERT_EQ(ring.gate_size(), queues.gate.size());
  ASSERT_EQ(ring.replay_size(), queues.replay.size());
  ASSERT_EQ(ring.pushed_size(), queues.pushed.size());
  EXPECT_EQ(ring.gate_empty(), queues.gate.empty());
  EXPECT_EQ(ring.gate_full(), queues.gate.size() == WordQueue::gate_depth);
  EXPECT_EQ(ring.replay_empty(), queues.replay.empty());
  EXPECT_EQ(ring.replay_full(), queues.replay.size() == WordQueue::replay_depth);
  EXPECT_EQ(ring.pushed_empty(), queues.pushed.empty());
  EXPECT_EQ(ring.can_move(), queues.passes() || queues.takes());
  unsigned index = 0;
  for (const auto* queue : {&queues.gate, &queues.replay, &queues.pushed})
    for (const Entry& entry : *queue)
      EXPECT_EQ(ring[index++], entry);
}

/// A cycle in which words only pass.
void move(WordQueue& ring, Queues& queues) {
  const bool passes = queues.passes();
  if (passes) Queues::move(queues.replay, queues.gate);
  const bool takes = queues.takes();
  if (takes) Queues::move(queues.pushed, queues.replay);
  const WordQueue::Step step = ring.move();
  EXPECT_EQ(step.moves != 0, passes || takes);
  EXPECT_EQ(step.takes_pushed(), takes ? 1U : 0U);
  EXPECT_EQ(step.may_move_again, queues.passes() || queues.takes());
}

Entry pop(std::deque<Entry>& queue) {
  const Entry entry = queue.front();
  queue.pop_front();
  return entry;
}

/// One thing that a frontend does, if it can be done.
void act(unsigned action, const Entry& fresh, WordQueue& ring, Queues& queues) {
  switch (action) {
    case 0:
      if (queues.gate.size() == WordQueue::gate_depth) break;
      ring.insert_at_gate(fresh);
      queues.gate.push_back(fresh);
      break;
    case 1:
      if (queues.replay.size() == WordQueue::replay_depth) break;
      ring.insert_in_replay(fresh);
      queues.replay.push_back(fresh);
      break;
    case 2:
      if (queues.replay.empty()) break;
      EXPECT_EQ(ring.take_from_replay(), pop(queues.replay));
      break;
    case 3:
      if (queues.pushed.empty()) break;
      EXPECT_EQ(ring.take_pushed(), pop(queues.pushed));
      break;
    case 4:
      if (queues.gate.empty()) break;
      EXPECT_EQ(ring.pop_candidate(), pop(queues.gate));
      break;
    case 5: move(ring, queues); break;
    default:
      if (queues.pushed.size() == WordQueue::push_depth) break;
      ring.push(fresh);
      queues.pushed.push_back(fresh);
  }
}

TEST(WordQueue, IsThreeQueues) {
  WordQueue ring;
  Queues queues;
  std::uint64_t random = 1;
  for (std::uint32_t i = 1; i < 20'000; ++i) {
    const bool fills = i / 100 % 2 == 0;
    act(static_cast<unsigned>(tensix::splitmix64(random) % (fills ? 12 : 7)), Entry{i, i}, ring, queues);
    expect_same(ring, queues);
    if (testing::Test::HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace tensim::test
