// Random programs on the cores of a tile: the chain of causes has no gap, and is the same however far agents are run ahead of each
// other.
#include "insight/critical_path.hpp"

#include <map>
#include <numeric>
#include <random>
#include <tuple>

#include <gtest/gtest.h>

#include "insight/tile_path.hpp"
#include "tests/support/random_tile.hpp"
#include "tests/support/seeds.hpp"

namespace tensim {
namespace {

using insight::Chains;
using insight::Step;
using tensix::Cycle;
using tile::Tile;
using Halt = Tile::Halt;

struct FollowedTile {
  FollowedTile(Arch arch, const test::TileProgram& program, bool lockstep) : tile(arch), path(chains, 0, tile) {
    tile.tell(&path);
    program.start(tile);
    tile.walk_in_lockstep(lockstep);
  }
  Halt run_until(Cycle end) {
    const Halt halt = tile.run_until(end);
    if (halt != Halt::nothing_left) return halt;
    tile.idle_until(end);
    return Halt::reached;
  }
  insight::CriticalPath finish() { return path_of(chains, path.last(tile.now()), tile.now()); }

  Tile tile;
  Chains chains;
  insight::TilePath path;
};

using Key = std::tuple<Step::Kind, unsigned, unsigned, std::uint32_t, std::uint32_t>;

/// By instruction: how runs of them were told does not matter.
std::map<Key, std::uint64_t> by_instruction(const insight::CriticalPath& path) {
  std::map<Key, std::uint64_t> cycles;
  for (const Chains::Part& part : path.parts) {
    const Step& step = part.step;
    if (step.kind != Step::Kind::core) {
      cycles[{step.kind, step.reason, step.agent, step.origin, step.word}] += part.cycles;
      continue;
    }
    const std::uint32_t count = std::max(step.word, 1U);
    for (std::uint32_t i = 0; i < count; ++i)
      cycles[{step.kind, step.reason, step.agent, step.origin + 4 * i, 0}] += part.cycles / count;
  }
  return cycles;
}

class CriticalPathProperty : public ::testing::TestWithParam<Arch> {};

TEST_P(CriticalPathProperty, HasNoGapAndIsTheSameHoweverTheTileIsRun) {
  std::map<Step::Kind, std::uint64_t> seen;
  test::for_each_seed(100, [&](unsigned seed) {
    const Arch arch = GetParam();
    const test::TileProgram program = test::random_tile_program(arch, seed);
    std::mt19937 random(seed);
    FollowedTile lockstep(arch, program, true);
    FollowedTile ahead(arch, program, false);
    const Cycle end = 600 + random() % 5000;
    ASSERT_EQ(ahead.run_until(end), lockstep.run_until(end));
    const insight::CriticalPath path = ahead.finish();
    const std::uint64_t sum = std::accumulate(path.parts.begin(), path.parts.end(), std::uint64_t{0},
                                              [](std::uint64_t all, const auto& part) { return all + part.cycles; });
    EXPECT_EQ(sum, path.cycles);
    EXPECT_EQ(by_instruction(path), by_instruction(lockstep.finish()));
    for (const Chains::Part& part : path.parts)
      seen[part.step.kind] += part.cycles;
  });
  if (test::seeds_are_chosen()) return;
  EXPECT_GT(seen[Step::Kind::core], 1000U);  // how many of the others there are depends on the compiler
}

INSTANTIATE_TEST_SUITE_P(Chips, CriticalPathProperty, ::testing::Values(Arch::blackhole, Arch::wormhole));

}  // namespace
}  // namespace tensim
