// Random programs on the cores of a tile: their profile adds up, and is the same however far agents are run ahead of each other.
#include <algorithm>
#include <numeric>
#include <random>

#include <gtest/gtest.h>

#include "insight/profiler.hpp"
#include "tests/support/random_tile.hpp"
#include "tests/support/seeds.hpp"

namespace tensim {
namespace {

using insight::Profile;
using tensix::Cycle;
using tile::Tile;
using Halt = Tile::Halt;

struct ProfiledTile {
  ProfiledTile(Arch arch, const test::TileProgram& program, bool lockstep) : tile(arch) {
    tile.tell(&profiler);
    program.start(tile);
    tile.walk_in_lockstep(lockstep);
  }
  /// Lock-step knows no `nothing_left` while a core spins, so time goes on here.
  Halt go_on(Halt halt, Cycle end) {
    if (halt != Halt::nothing_left) return halt;
    tile.idle_until(end);
    return Halt::reached;
  }
  Halt run_until(Cycle end) { return go_on(tile.run_until(end), end); }
  Halt run_in_windows(Cycle end, std::mt19937& random) {
    Halt halt = Halt::reached;
    while (halt == Halt::reached && tile.now() < end) {
      const Cycle to = std::min<Cycle>(end, tile.now() + 1 + random() % (Cycle{1} << random() % 13));
      halt = go_on(tile.run_window(to), to);
    }
    tile.settle();
    return halt;
  }
  Profile profile() const { return profiler.finish(tile, tile.now()); }

  insight::Profiler profiler;
  Tile tile;
};

std::uint64_t sum(const auto& cycles) {
  return std::accumulate(cycles.begin(), cycles.end(), std::uint64_t{0});
}

/// All cycles of everybody, by reason and by site.
void expect_adds_up(const Profile& profile, const Tile& tile) {
  const bool has_fault = tile.coprocessor.fault.has_value();  // nobody has accounted for its cycle
  for (unsigned i = 0; i < tensix::thread_count; ++i) {
    const insight::ThreadProfile& thread = profile.threads[i];
    EXPECT_EQ(sum(thread.account.cycles), profile.cycles) << "T" << i;
    if (!has_fault) {
      EXPECT_EQ(thread.account, tile.coprocessor.accounts[i]) << "T" << i;
    }
    event::StallAccount of_sites;
    for (const insight::ThreadSite& site : thread.sites) {
      of_sites[event::Stall::issued] += site.issued;
      for (std::size_t reason = 0; reason < event::stall_count; ++reason)
        of_sites.cycles[reason] += site.held.cycles[reason];
    }
    of_sites[event::Stall::empty] = thread.account[event::Stall::empty];  // behind the last instruction there is none
    EXPECT_EQ(of_sites, thread.account) << "T" << i;
  }
  for (unsigned i = 0; i < tile::core_count; ++i) {
    const insight::CoreProfile& core = profile.cores[i];
    EXPECT_EQ(sum(core.account.cycles), profile.cycles) << tile::core_names[i];
    if (!core.ran) continue;
    riscv::CoreAccount of_sites;
    for (const insight::CoreSite& site : core.sites) {
      of_sites[riscv::CoreStall::none] += site.executed;
      for (std::size_t reason = 0; reason < riscv::core_stall_count; ++reason)
        of_sites.cycles[reason] += site.held.cycles[reason];
    }
    EXPECT_EQ(of_sites, core.account) << tile::core_names[i];
  }
  for (std::size_t unit = 0; unit < profile.units.size(); ++unit)
    EXPECT_LE(profile.units[unit].busy, profile.cycles) << unit;
}

class ProfileProperty : public ::testing::TestWithParam<Arch> {};

TEST_P(ProfileProperty, AddsUpAndIsTheSameHoweverTheTileIsRun) {
  std::uint64_t held = 0;
  test::for_each_seed(100, [&](unsigned seed) {
    const Arch arch = GetParam();
    const test::TileProgram program = test::random_tile_program(arch, seed);
    std::mt19937 random(seed);
    ProfiledTile lockstep(arch, program, true);
    ProfiledTile ahead(arch, program, false);
    ProfiledTile windows(arch, program, false);
    for (const Cycle end : {600 + random() % 500, 2000 + random() % 500, 4000 + random() % 2000}) {
      const Halt expected = lockstep.run_until(end);
      ASSERT_EQ(ahead.run_until(end), expected) << "by cycle " << end;
      ASSERT_EQ(windows.run_in_windows(end, random), expected) << "by cycle " << end;
      const Profile profile = lockstep.profile();
      expect_adds_up(profile, lockstep.tile);
      ASSERT_TRUE(ahead.profile() == profile) << "ahead, by cycle " << end;
      ASSERT_TRUE(windows.profile() == profile) << "in windows, by cycle " << end;
      if (expected != Halt::reached) break;
    }
    for (const insight::CoreProfile& core : lockstep.profile().cores)
      held += core.account[riscv::CoreStall::operand];
  });
  if (test::seeds_are_chosen()) return;
  EXPECT_GT(held, 1000U);
}

INSTANTIATE_TEST_SUITE_P(Chips, ProfileProperty, ::testing::Values(Arch::blackhole, Arch::wormhole));

}  // namespace
}  // namespace tensim
