// What a wait for a semaphore proves, against all interleavings of small programs.
#include "insight/counted_semaphore.hpp"

#include <array>
#include <random>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/seeds.hpp"

namespace tensim::insight {
namespace {

constexpr unsigned threads = 3;
constexpr int maximum = 2;

enum class Step : std::uint8_t { post, get, wait_above_zero, wait_below_maximum, work };
using Program = std::array<std::vector<Step>, threads>;

/// How far each thread is, and the value.
struct State {
  std::array<unsigned, threads> at{};
  int value = 0;
  auto operator<=>(const State&) const = default;
};

/// A get at zero is lost, and reported: what waits prove holds for runs without any.
bool can_go_on(const Program& program, const State& state, unsigned thread) {
  if (state.at[thread] == program[thread].size()) return false;
  const Step step = program[thread][state.at[thread]];
  if (step == Step::wait_above_zero || step == Step::get) return state.value > 0;
  if (step == Step::wait_below_maximum) return state.value < maximum;
  return true;
}

State behind(const Program& program, State state, unsigned thread) {
  const Step step = program[thread][state.at[thread]++];
  if (step == Step::post) ++state.value;
  if (step == Step::get) --state.value;
  return state;
}

std::set<State> reachable(const Program& program, int value) {
  std::set<State> found{{.value = value}};
  std::vector<State> open(found.begin(), found.end());
  while (!open.empty()) {
    const State state = open.back();
    open.pop_back();
    for (unsigned thread = 0; thread < threads; ++thread)
      if (can_go_on(program, state, thread))
        if (const State next = behind(program, state, thread); found.insert(next).second) open.push_back(next);
  }
  return found;
}

/// One thread posts and one gets, and any of them may wait. Whose posts they are cannot be told if several do: what is
/// claimed then holds only as long as the others post no more than they have so far.
Program random_program(std::mt19937& random) {
  constexpr unsigned most_steps = 4;
  Program program;
  const auto pick = [&](unsigned count) { return static_cast<unsigned>(random() % count); };
  const unsigned poster = pick(threads);
  const unsigned getter = pick(threads);
  for (unsigned thread = 0; thread < threads; ++thread) {
    std::vector<Step> steps{Step::wait_above_zero, Step::wait_below_maximum, Step::work};
    if (thread == poster) steps.insert(steps.end(), 3, Step::post);
    if (thread == getter) steps.insert(steps.end(), 3, Step::get);
    for (unsigned i = 0; i < most_steps; ++i)
      program[thread].push_back(steps[pick(static_cast<unsigned>(steps.size()))]);
  }
  return program;
}

/// One run of the program, told to the semaphore as the race check would.
class ToldRun {
 public:
  ToldRun(const Program& program, int value) : program_(program) {
    semaphore_.start(static_cast<unsigned>(value), maximum);
    for (unsigned thread = 0; thread < threads; ++thread)
      actors_.emplace_back(static_cast<ActorNumber>(thread));
  }

  void step(unsigned thread, const State& state) {
    Actor& actor = actors_[thread];
    const Step step = program_[thread][state.at[thread]];
    if (step == Step::wait_above_zero)
      for (const Snapshot& each : semaphore_.was_above_zero(actor))
        actor.acquire(each);
    if (step == Step::wait_below_maximum)
      for (const Snapshot& each : semaphore_.was_below_maximum(actor))
        actor.acquire(each);
    const std::uint32_t number = actor.issue(0);
    const Lane lane = lane_of(actor.number(), 0);
    if (step == Step::post) semaphore_.post(actor, lane, number);
    if (step == Step::get) semaphore_.get(actor, lane, number);
  }
  /// How many steps of `other` the thread is behind.
  unsigned known(unsigned thread, unsigned other) const {
    return actors_[thread].known().issued(lane_of(static_cast<ActorNumber>(other), 0));
  }

 private:
  const Program& program_;
  CountedSemaphore semaphore_;
  std::vector<Actor> actors_;
};

/// How many steps of `other` have always been done when `thread` takes its next one.
unsigned always_before(const Program& program, const std::set<State>& states, const State& now, unsigned thread,
                       unsigned other) {
  unsigned least = ~0U;
  for (const State& state : states)
    if (state.at[thread] == now.at[thread] && can_go_on(program, state, thread))
      least = std::min(least, state.at[other]);
  return least;
}

TEST(CountedSemaphoreProperty, AWaitIsBehindNoMoreThanInEveryInterleaving) {
  std::uint64_t claims = 0;
  std::uint64_t truths = 0;
  test::for_each_seed(2'000, [&](unsigned seed) {
    std::mt19937 random(seed);
    const Program program = random_program(random);
    const int value = static_cast<int>(random() % 2);
    const std::set<State> states = reachable(program, value);
    ToldRun run(program, value);
    State state{.value = value};
    while (true) {
      std::vector<unsigned> ready;
      for (unsigned thread = 0; thread < threads; ++thread)
        if (can_go_on(program, state, thread)) ready.push_back(thread);
      if (ready.empty()) break;
      const unsigned thread = ready[random() % ready.size()];
      run.step(thread, state);
      for (unsigned other = 0; other < threads; ++other) {
        if (other == thread) continue;
        const unsigned known = run.known(thread, other);
        const unsigned always = always_before(program, states, state, thread, other);
        claims += known;
        truths += always;
        ASSERT_LE(known, always) << seed;
      }
      state = behind(program, state, thread);
    }
  });
  // What else holds follows from several waits together, or from gets, which are not lost here.
  EXPECT_GT(claims * 2, truths) << claims << " of " << truths;
}

/// A wait for the n-th post of the only poster.
TEST(CountedSemaphore, OneWhoPostsAndOneWhoGetsAreTellable) {
  CountedSemaphore semaphore;
  semaphore.start(0, 2);
  Actor producer(0);
  Actor consumer(1);
  const auto acquire = [](Actor& actor, const std::vector<Snapshot>& snapshots) {
    for (const Snapshot& each : snapshots)
      actor.acquire(each);
  };
  semaphore.post(producer, lane_of(0, 0), producer.issue(0));
  semaphore.post(producer, lane_of(0, 0), producer.issue(0));
  acquire(consumer, semaphore.was_above_zero(consumer));
  EXPECT_EQ(consumer.known().issued(lane_of(0, 0)), 1U);  // the second may not have been
  semaphore.get(consumer, lane_of(1, 0), consumer.issue(0));
  acquire(consumer, semaphore.was_above_zero(consumer));
  EXPECT_EQ(consumer.known().issued(lane_of(0, 0)), 2U);
  acquire(producer, semaphore.was_below_maximum(producer));
  EXPECT_EQ(producer.known().issued(lane_of(1, 0)), 1U);
}

TEST(CountedSemaphore, TwoWhoPostCannotBeToldApart) {
  CountedSemaphore semaphore;
  semaphore.start(0, 2);
  Actor one(0);
  Actor other(1);
  const Actor waiter(2);
  semaphore.post(one, lane_of(0, 0), one.issue(0));
  EXPECT_EQ(semaphore.was_above_zero(waiter).size(), 1U);
  semaphore.post(other, lane_of(1, 0), other.issue(0));
  EXPECT_TRUE(semaphore.was_above_zero(waiter).empty());
  EXPECT_EQ(semaphore.was(waiter, 2).size(), 2U);  // it needs both
}

TEST(CountedSemaphore, InitialisedItStartsAnew) {
  CountedSemaphore semaphore;
  semaphore.start(0, 2);
  Actor one(0);
  const Actor waiter(1);
  semaphore.post(one, lane_of(0, 0), one.issue(0));
  semaphore.start(1, 2);
  EXPECT_TRUE(semaphore.was_above_zero(waiter).empty());
}

}  // namespace
}  // namespace tensim::insight
