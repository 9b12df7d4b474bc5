// What a wait for a semaphore proves, against all interleavings of small programs.
#include "insight/counted_semaphore.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <random>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/seeds.hpp"

namespace tensim::insight {
namespace {

constexpr unsigned threads = 3;
constexpr unsigned most_steps = 12;  // of all threads together
constexpr unsigned semaphores = 2;

enum class Kind : std::uint8_t { post, get, wait_above_zero, wait_below_maximum, read, work };
struct Step {
  Kind kind;
  unsigned semaphore;
  std::optional<int> found = {};  // by a read that whoever is asked about comes behind
};
struct Program {
  std::array<std::vector<Step>, threads> steps;
  std::array<int, semaphores> initial{};
  std::array<int, semaphores> maximum{};
};

/// How far each thread is, and the values.
struct State {
  std::array<unsigned, threads> at{};
  std::array<int, semaphores> value{};
  auto operator<=>(const State&) const = default;
};

/// A get at zero is lost, and reported: what waits prove holds for runs without any.
bool can_go_on(const Program& program, const State& state, unsigned thread) {
  if (state.at[thread] == program.steps[thread].size()) return false;
  const Step& step = program.steps[thread][state.at[thread]];
  const int value = state.value[step.semaphore];
  switch (step.kind) {
    case Kind::get:
    case Kind::wait_above_zero: return value > 0;
    case Kind::wait_below_maximum: return value < program.maximum[step.semaphore];
    case Kind::read: return value == step.found.value_or(value);
    default: return true;
  }
}

State behind(const Program& program, State state, unsigned thread) {
  const Step& step = program.steps[thread][state.at[thread]++];
  if (step.kind == Kind::post) ++state.value[step.semaphore];
  if (step.kind == Kind::get) --state.value[step.semaphore];
  return state;
}

/// In all interleavings.
std::set<State> reachable(const Program& program) {
  std::set<State> found{{.value = program.initial}};
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

/// One thread posts a semaphore and one gets it, and any of them may wait for it or read it. Whose posts they are cannot be
/// told if several do: what is claimed then holds only as long as the others post no more than they have so far.
Program random_program(std::mt19937& random) {
  Program program;
  const auto pick = [&](unsigned count) { return static_cast<unsigned>(random() % count); };
  std::array<std::vector<Step>, threads> choice;
  const unsigned used = 1 + pick(semaphores);
  for (unsigned semaphore = 0; semaphore < used; ++semaphore) {
    const auto add = [&](std::vector<Step>& to, Kind kind, unsigned times) {
      to.insert(to.end(), times, Step{kind, semaphore});
    };
    for (std::vector<Step>& steps : choice)
      for (const Kind kind : {Kind::wait_above_zero, Kind::wait_below_maximum, Kind::read, Kind::work})
        add(steps, kind, 1);
    add(choice[pick(threads)], Kind::post, 3);
    add(choice[pick(threads)], Kind::get, 3);
    program.maximum[semaphore] = 1 + static_cast<int>(pick(3));
    program.initial[semaphore] = static_cast<int>(pick(static_cast<unsigned>(program.maximum[semaphore]) + 1));
  }
  for (unsigned i = 0; i < most_steps; ++i) {
    const unsigned thread = pick(threads);
    program.steps[thread].push_back(choice[thread][pick(static_cast<unsigned>(choice[thread].size()))]);
  }
  return program;
}

/// One run of the program, told to the semaphores as the race check would.
class ToldRun {
 public:
  explicit ToldRun(const Program& program) : program_(program) {
    for (unsigned i = 0; i < semaphores; ++i)
      semaphores_[i].start(static_cast<unsigned>(program.initial[i]), static_cast<unsigned>(program.maximum[i]));
    for (unsigned thread = 0; thread < threads; ++thread)
      actors_.emplace_back(static_cast<ActorNumber>(thread));
  }

  void step(unsigned thread, const State& state) {
    Actor& actor = actors_[thread];
    const Step& step = program_.steps[thread][state.at[thread]];
    CountedSemaphore& semaphore = semaphores_[step.semaphore];
    const auto acquire = [&](const std::vector<Snapshot>& snapshots) {
      for (const Snapshot& each : snapshots)
        actor.acquire(each);
    };
    if (step.kind == Kind::wait_above_zero) acquire(semaphore.was_above_zero(actor));
    if (step.kind == Kind::wait_below_maximum) acquire(semaphore.was_below_maximum(actor));
    if (step.kind == Kind::read) acquire(semaphore.was(actor, state.value[step.semaphore]));
    const std::uint32_t number = actor.issue(0);
    const Lane lane = lane_of(actor.number(), 0);
    if (step.kind == Kind::post) semaphore.post(actor, lane, number);
    if (step.kind == Kind::get) semaphore.get(actor, lane, number);
  }
  /// How many steps of `other` the thread is behind.
  unsigned known(unsigned thread, unsigned other) const {
    return actors_[thread].known().issued(lane_of(static_cast<ActorNumber>(other), 0));
  }

 private:
  const Program& program_;
  std::array<CountedSemaphore, semaphores> semaphores_;
  std::vector<Actor> actors_;
};

/// What the race check claims of random programs, and what is so in every interleaving.
class Comparison {
 public:
  explicit Comparison(unsigned seed) : random_(seed), program_(random_program(random_)), found_(program_) {}

  void run() {
    ToldRun run(program_);
    State state{.value = program_.initial};
    while (const std::optional<unsigned> thread = any_ready(state)) {
      if (Step& step = found_.steps[*thread][state.at[*thread]]; step.kind == Kind::read)
        step.found = state.value[step.semaphore];
      run.step(*thread, state);
      compare(run, state, *thread);
      if (::testing::Test::HasFailure()) return;
      state = behind(program_, state, *thread);
    }
  }
  std::uint64_t claims = 0;
  std::uint64_t truths = 0;

 private:
  std::optional<unsigned> any_ready(const State& state) {
    std::vector<unsigned> ready;
    for (unsigned thread = 0; thread < threads; ++thread)
      if (can_go_on(program_, state, thread)) ready.push_back(thread);
    if (ready.empty()) return std::nullopt;
    return ready[random_() % ready.size()];
  }
  /// The program with what the reads have found that the thread comes behind, as far as it knows.
  Program as_known(const ToldRun& run, const State& now, unsigned thread) const {
    Program known = program_;
    for (unsigned other = 0; other < threads; ++other) {
      const unsigned steps = other == thread ? now.at[thread] + 1 : run.known(thread, other);
      std::copy_n(found_.steps[other].begin(), steps, known.steps[other].begin());
    }
    return known;
  }
  void compare(const ToldRun& run, const State& now, unsigned thread) {
    const Program program = as_known(run, now, thread);
    const std::set<State> states = reachable(program);
    for (unsigned other = 0; other < threads; ++other) {
      if (other == thread) continue;
      unsigned always = ~0U;
      for (const State& state : states)
        if (state.at[thread] == now.at[thread] && can_go_on(program, state, thread))
          always = std::min(always, state.at[other]);
      claims += run.known(thread, other);
      truths += always;
      EXPECT_LE(run.known(thread, other), always);
    }
  }

  std::mt19937 random_;
  const Program program_;
  Program found_;  // with what its reads have found
};

TEST(CountedSemaphoreProperty, AWaitIsBehindNoMoreThanInEveryInterleaving) {
  std::uint64_t claims = 0;
  std::uint64_t truths = 0;
  test::for_each_seed(2'000, [&](unsigned seed) {
    Comparison comparison(seed);
    comparison.run();
    claims += comparison.claims;
    truths += comparison.truths;
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
