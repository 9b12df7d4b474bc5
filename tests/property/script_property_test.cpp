// Random scripts: cores that load and store at random, and threads that are fed at random, alone in a tile and beside cores
// that run random programs. Skipping idle time, stopping anywhere and copying the tile change no result: lock-step, which
// asks for everything in every cycle, gives the same.
#include <cstdlib>
#include <memory>
#include <random>

#include <gtest/gtest.h>

#include "tests/support/random_tile.hpp"
#include "tests/support/same_tile.hpp"
#include "tests/support/seeds.hpp"
#include "tests/support/three_threads.hpp"

namespace tensim {
namespace {

using test::first_difference;
using test::for_each_seed;
using test::TileProgram;
using tile::CoreId;
using tile::ScriptedAccess;
using tile::ScriptLists;
using tile::Tile;
using Halt = Tile::Halt;
using tensix::Cycle;

class RandomScript {
 public:
  RandomScript(Arch arch, unsigned seed) : arch_(arch), random_(seed) {}

  std::shared_ptr<const ScriptLists> lists() {
    auto lists = std::make_shared<ScriptLists>();
    for (unsigned core = 0; core < tile::core_count; ++core)
      for (Cycle cycle = pick(40); pick(12) != 0; cycle += pick(8) == 0 ? pick(300) : pick(6))
        if (const ScriptedAccess access = some_access(static_cast<CoreId>(core)); access.address != 0) {
          lists->accesses[core].push_back(access);
          lists->accesses[core].back().cycle = cycle;
        }
    for (tile::FedWords& thread : lists->threads) {
      thread.start = pick(3) == 0 ? pick(200) : 0;
      thread.cycles_per_word = pick(3) == 0 ? 1 + pick(50) : 1;
      for (unsigned count = pick(80); count != 0; --count)
        thread.words.push_back(some_word());
    }
    return lists;
  }

 private:
  unsigned pick(unsigned below) { return static_cast<unsigned>(random_() % below); }

  std::uint32_t some_word() {
    constexpr std::array words{"NOP",
                               "SEMPOST sem=1",
                               "SEMGET sem=2",
                               "SEMPOST sem=2",
                               "SEMWAIT block=STALL_SYNC, sem=2, cond=STALL_ON_ZERO",
                               "STALLWAIT block=STALL_SYNC, cond=THCON",
                               "ATGETM mutex=0",
                               "ATRELM mutex=0",
                               "DMANOP",
                               "SFPNOP",
                               "ttadddmareg 0,1,2,3",
                               "SETC16 CfgIndex=40, NewValue=3",
                               "PACR Last=1"};
    return test::assemble(arch_, words[pick(words.size())]);
  }

  /// Address 0 if the core does not have what was picked.
  ScriptedAccess some_access(CoreId core) {
    const bool is_store = pick(2) == 0;
    const bool is_t = is_trisc(core);
    const auto at = [&](bool there, std::uint32_t address, std::uint32_t value) {
      return ScriptedAccess{.is_store = is_store, .address = there ? address : 0, .value = value, .checks = true};
    };
    switch (pick(9)) {
      case 0: return at(is_t, 0xFFE80020 + 4 * pick(8), pick(2));
      case 1: return at(is_store && core != CoreId::ncrisc, 0xFFE40000, some_word());
      case 2: return at(is_t || core == CoreId::brisc, 0xFFE00000 + 4 * pick(16), pick(100));
      case 3: return at(is_t || core == CoreId::brisc, 0xFFEF0000 + 4 * (40 + pick(8)), pick(100));
      case 4:
        return at(core != CoreId::ncrisc, 0xFFEC0000 + 0x1000 * pick(4) + (is_store ? 0 : 4 * pick(2)), pick(100));
      case 5: return at(core == CoreId::brisc, 0xFFE80000 + 0x10000 * pick(3), pick(100));
      case 6: return at(is_t && !is_store, 0xFFE80000 + 4 * pick(3), 0);
      case 7: return at(is_store, 0xFFB11010, std::array{0x40U, 0x80000046U, 0x80000089U}[pick(3)]);
      default:
        return pick(6) == 0 ? at(is_store, 0xFFB121B0, pick(2) == 0 ? 0x47800 : 0x45800) : at(true, 0xFFB12004, 0);
    }
  }

  Arch arch_;
  std::mt19937 random_;
};

/// What differs between the two beside what first_difference() knows.
std::string script_difference(const Tile& a, const Tile& b) {
  if (std::string difference = first_difference(a, b); !difference.empty()) return difference;
  for (unsigned core = 0; core < tile::core_count; ++core) {
    const std::string name(tile::core_names[core]);
    if (a.script.accesses_to_come(core).size() != b.script.accesses_to_come(core).size()) return name + "'s accesses";
    const auto first = a.script.waiting(core);
    const auto second = b.script.waiting(core);
    if (first.has_value() != second.has_value() || (first && first->wait != second->wait)) return name + "'s wait";
  }
  for (unsigned thread = 0; thread < tensix::thread_count; ++thread)
    if (a.script.words_fed(thread) != b.script.words_fed(thread)) return "words of T" + std::to_string(thread);
  const auto& loads = a.script.mismatches();
  const auto& others = b.script.mismatches();
  for (std::size_t i = 0; i < std::max(loads.size(), others.size()); ++i)
    if (i >= loads.size() || i >= others.size() || loads[i].cycle != others[i].cycle ||
        loads[i].value != others[i].value || loads[i].load.address != others[i].load.address)
      return "load " + std::to_string(i);
  return a.script.fault().has_value() == b.script.fault().has_value() ? "" : "fault";
}

class ScriptProperty : public ::testing::TestWithParam<Arch> {};

std::unique_ptr<Tile> scripted_tile(Arch arch, unsigned seed, Tile::Memory memory) {
  auto tile = std::make_unique<Tile>(tile::tile_timing(arch), memory);
  tile->script = tile::Script(RandomScript(arch, seed).lists());
  return tile;
}

TEST_P(ScriptProperty, SkippingIsLockStep) {
  unsigned deadlocks = 0;
  unsigned finished = 0;
  for_each_seed(400, [&](unsigned seed) {
    const auto skipping = scripted_tile(GetParam(), seed, Tile::Memory::none);
    const auto lockstep = scripted_tile(GetParam(), seed, Tile::Memory::none);
    lockstep->walk_in_lockstep(true);
    const Halt halt = skipping->run_until(20'000);
    EXPECT_EQ(lockstep->run_until(20'000), halt);
    EXPECT_EQ(skipping->now(), lockstep->now());
    for (Tile* tile : {skipping.get(), lockstep.get()})
      if (halt == Halt::nothing_left) tile->idle_until(tile->now());
    EXPECT_EQ(script_difference(*skipping, *lockstep), "");
    ++(skipping->script.is_done() ? finished : deadlocks);
  });
  EXPECT_TRUE((finished >= 20 && deadlocks >= 20) || test::seeds_are_chosen()) << finished << " and " << deadlocks;
}

TEST_P(ScriptProperty, StoppingAnywhereAndCopyingChangeNothing) {
  for_each_seed(200, [](unsigned seed) {
    std::mt19937 random(seed);
    const auto whole = scripted_tile(GetParam(), seed, Tile::Memory::none);
    const Halt expected = whole->run_until(2000);
    auto parts = scripted_tile(GetParam(), seed, Tile::Memory::none);
    Halt halt = Halt::reached;
    while (halt == Halt::reached && parts->now() < 2000) {
      const auto copy = std::make_unique<Tile>(*parts);
      halt = parts->run_until(std::min<Cycle>(2000, parts->now() + 1 + random() % 90));
      if (random() % 4 == 0) {  // as if it had not been
        *parts = *copy;
        halt = Halt::reached;
      }
    }
    EXPECT_EQ(halt, expected);
    whole->idle_until(2000);
    parts->idle_until(2000);
    EXPECT_EQ(script_difference(*whole, *parts), "");
  });
}

TEST_P(ScriptProperty, BesideProgramsRunningAheadIsLockStep) {
  for_each_seed(100, [](unsigned seed) {
    const TileProgram program = test::random_tile_program(GetParam(), seed);
    const auto make = [&](bool lockstep) {
      auto tile = scripted_tile(GetParam(), seed, Tile::Memory::l1);
      program.start(*tile);
      tile->walk_in_lockstep(lockstep);
      return tile;
    };
    const auto ahead = make(false);
    const auto lockstep = make(true);
    for (const Cycle end : {900U, 3000U}) {
      const auto run = [&](Tile& tile) {
        const Halt halt = tile.run_until(end);
        if (halt != Halt::nothing_left) return halt;
        tile.idle_until(end);  // lock-step knows no `nothing_left` while a core spins
        return Halt::reached;
      };
      const Halt expected = run(*lockstep);
      EXPECT_EQ(run(*ahead), expected);
      EXPECT_EQ(script_difference(*ahead, *lockstep), "");
      if (expected != Halt::reached) return;
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Archs, ScriptProperty, ::testing::ValuesIn(all_archs),
                         [](const auto& instance) { return std::string(name(instance.param)); });

}  // namespace
}  // namespace tensim
