// Random programs on the cores of a tile, and what a listener hears of them. However far agents are run ahead of each other, and
// however often a stretch is repeated, it hears the same in the same order: all that lock-step tells, but for rounds of a loop
// in which nothing changes (event/happening.hpp).
#include <memory>
#include <random>

#include <gtest/gtest.h>

#include "tests/support/event_log.hpp"
#include "tests/support/random_tile.hpp"
#include "tests/support/seeds.hpp"

namespace tensim {
namespace {

using tensix::Cycle;
using test::EventLog;
using test::TileProgram;
using tile::Tile;
using Halt = Tile::Halt;

struct ObservedTile {
  ObservedTile(Arch arch, const TileProgram& program, bool lockstep) : tile(arch) {
    tile.tell(&log);
    program.start(tile);
    tile.walk_in_lockstep(lockstep);
  }
  /// Lock-step knows no `nothing_left` while a core spins, so time goes on here.
  Halt run_until(Cycle end) {
    const Halt halt = tile.run_until(end);
    if (halt != Halt::nothing_left) return halt;
    tile.idle_until(end);
    return Halt::reached;
  }
  /// In windows of 1 to 4,096 cycles, short ones as often as long ones; settled at some of them, as hosts that look do.
  Halt run_in_windows(Cycle end, std::mt19937& random) {
    Halt halt = Halt::reached;
    while (halt == Halt::reached && tile.now() < end) {
      const Cycle to = std::min<Cycle>(end, tile.now() + 1 + random() % (Cycle{1} << random() % 13));
      halt = tile.run_window(to);
      if (random() % 8 == 0) tile.settle();
      if (halt != Halt::nothing_left) continue;
      tile.idle_until(to);
      halt = Halt::reached;
    }
    tile.settle();
    return halt;
  }

  EventLog log;
  Tile tile;
};

class TileEvents : public ::testing::TestWithParam<Arch> {};

TEST_P(TileEvents, AreTheSameInTheSameOrderHoweverTheTileIsRun) {
  std::array<unsigned, std::variant_size_v<event::What>> seen{};
  std::size_t left_out = 0;
  test::for_each_seed(100, [&](unsigned seed) {
    const Arch arch = GetParam();
    const TileProgram program = test::random_tile_program(arch, seed);
    std::mt19937 random(seed);
    ObservedTile lockstep(arch, program, true);
    ObservedTile ahead(arch, program, false);
    ObservedTile windows(arch, program, false);
    for (const Cycle end : {600 + random() % 500, 2000 + random() % 500, 4000 + random() % 2000}) {
      const Halt expected = lockstep.run_until(end);
      ASSERT_EQ(ahead.run_until(end), expected) << "by cycle " << end;
      ASSERT_EQ(windows.run_in_windows(end, random), expected) << "by cycle " << end;
      ASSERT_EQ(first_difference(lockstep.log.lines, ahead.log.lines), "") << "ahead, by cycle " << end;
      ASSERT_EQ(first_difference(lockstep.log.lines, windows.log.lines), "") << "in windows, by cycle " << end;
      if (expected != Halt::reached) break;
    }
    for (const test::EventLine& line : lockstep.log.lines)
      ++seen[line.kind];
    left_out += lockstep.log.lines.size() - ahead.log.lines.size();
  });
  if (test::seeds_are_chosen()) return;
  EXPECT_GT(left_out, 1000U);
  if (GetParam() != Arch::blackhole) return;  // Wormhole has neither fences nor atomics
  for (std::size_t kind = event::What(event::Stored{}).index(); kind < seen.size(); ++kind)
    EXPECT_GT(seen[kind], 0U) << "of kind " << kind;
}

INSTANTIATE_TEST_SUITE_P(Chips, TileEvents, ::testing::Values(Arch::wormhole, Arch::blackhole));

}  // namespace
}  // namespace tensim
