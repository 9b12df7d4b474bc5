// Random programs on the cores of a tile (tests/support/random_tile.hpp), run under a debugger that sets and removes
// breakpoints and watchpoints at random and steps now and then: the run ends in the same state, in the same cycle and for
// the same reason as without it.
#include <random>

#include <gtest/gtest.h>

#include "debug/debugger.hpp"
#include "tests/support/random_tile.hpp"
#include "tests/support/same_tile.hpp"

namespace tensim {
namespace {

using debug::Debugger;
using debug::Stop;
using debug::Watchpoint;
using test::first_difference;
using tile::CoreId;
using tile::Tile;

constexpr tile::Cycle budget = 3000;
constexpr unsigned programs = 60;
constexpr unsigned most_stops = 300;

class RandomUser {
 public:
  explicit RandomUser(std::uint32_t seed) : random_(seed) {}

  /// Whatever comes to mind, near where a core is.
  void prepare(Debugger& debugger) {
    const std::uint32_t pc = debugger.tile().core(any_core()).pc;
    switch (random_() % 4) {
      case 0: debugger.add_breakpoint((pc + 4 * (random_() % 32)) & ~3U); break;
      case 1: debugger.remove_breakpoint((pc + 4 * (random_() % 32)) & ~3U); break;
      case 2: debugger.add_watchpoint(watchpoint()); break;
      default: debugger.remove_watchpoint(watchpoint()); break;
    }
  }
  std::optional<CoreId> step() { return random_() % 3 == 0 ? std::optional(any_core()) : std::nullopt; }

 private:
  CoreId any_core() { return static_cast<CoreId>(random_() % tile::core_count); }
  Watchpoint watchpoint() {
    return {.kind = static_cast<Watchpoint::Kind>(random_() % 3),
            .address = test::shared_area + 4 * (static_cast<std::uint32_t>(random_()) % test::shared_words),
            .bytes = 4};
  }
  std::mt19937 random_;
};

bool is_end(Stop::Kind kind) {
  return kind >= Stop::Kind::core_stopped;
}

/// The debugger after the run's end, and at how many places it stopped before.
unsigned run(Debugger& debugger, std::uint32_t seed) {
  RandomUser user(seed);
  for (unsigned stops = 0; stops < most_stops; ++stops) {
    user.prepare(debugger);
    debugger.resume(user.step());
    std::optional<Stop> stop;
    while (!stop)
      stop = debugger.advance();
    if (is_end(stop->kind)) return stops;
  }
  debugger.run_to_end();
  return most_stops;
}

/// Past the end, where cores that are not walked have looked a little further than those that are.
void go_on(Tile& plain, Tile& walked) {
  const tile::Cycle later = plain.now() + 100;
  plain.idle_until(later);
  while (walked.now() < later)
    if (walked.run_until(later) == Tile::Halt::nothing_left) walked.idle_until(walked.now() + 1);
}

class DebuggerProperty : public ::testing::TestWithParam<Arch> {};
INSTANTIATE_TEST_SUITE_P(EachChip, DebuggerProperty, ::testing::Values(Arch::wormhole, Arch::blackhole));

TEST_P(DebuggerProperty, NobodyCanTellThatSomebodyLooked) {
  unsigned stops = 0;
  for (std::uint32_t seed = 0; seed < programs; ++seed) {
    const test::TileProgram program = test::random_tile_program(GetParam(), seed);
    Tile plain(GetParam());
    program.start(plain);
    Debugger debugger(plain, budget);
    const Tile::Halt halt = plain.run_until(budget);
    stops += run(debugger, seed);
    ASSERT_EQ(first_difference(plain, debugger.ended_tile()), "") << "seed " << seed;
    if (!debugger.halt()) continue;
    EXPECT_EQ(*debugger.halt(), halt) << "seed " << seed;
    Tile walked = debugger.tile();
    if (halt == Tile::Halt::nothing_left) go_on(plain, walked);
    ASSERT_EQ(first_difference(plain, walked), "") << "walked, seed " << seed;
  }
  EXPECT_GT(stops, 10 * programs);  // or else nothing was looked at
}

}  // namespace
}  // namespace tensim
