// Random programs on the cores of a tile (tests/support/random_tile.hpp). Running cores ahead of each other, letting them
// sleep, stopping anywhere and copying the tile change no result: lock-step, which does none of that, gives the same.
#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "event/gate_listener.hpp"
#include "tests/support/random_tile.hpp"
#include "tests/support/same_tile.hpp"
#include "tests/support/seeds.hpp"

namespace tensim {
namespace {

using test::first_difference;
using test::for_each_seed;
using test::TileProgram;
using tile::Tile;
using Halt = Tile::Halt;
using tensix::Cycle;

std::unique_ptr<Tile> tile_with(Arch arch, const TileProgram& program, bool lockstep) {
  auto tile = std::make_unique<Tile>(arch);
  program.start(*tile);
  tile->walk_in_lockstep(lockstep);
  return tile;
}

/// Lock-step knows no `nothing_left` while a core spins, so time goes on here.
Halt run(Tile& tile, Cycle end) {
  const Halt halt = tile.run_until(end);
  if (halt != Halt::nothing_left) return halt;
  tile.idle_until(end);
  return Halt::reached;
}

/// The first cycle after which the two ways of running differ.
std::string first_wrong_cycle(Arch arch, const TileProgram& program, Cycle from, Cycle to) {
  while (from + 1 < to) {
    const Cycle middle = (from + to) / 2;
    const auto lockstep = tile_with(arch, program, true);
    const auto ahead = tile_with(arch, program, false);
    const bool same = run(*lockstep, middle) == run(*ahead, middle) && first_difference(*lockstep, *ahead).empty();
    (same ? from : to) = middle;
  }
  const auto lockstep = tile_with(arch, program, true);
  const auto ahead = tile_with(arch, program, false);
  run(*lockstep, to);
  run(*ahead, to);
  return "first after run_until(" + std::to_string(to) + "): " + first_difference(*lockstep, *ahead);
}

class TileProperty : public ::testing::TestWithParam<Arch> {};

TEST_P(TileProperty, RunningAheadIsLockStep) {
  for_each_seed(300, [](unsigned seed) {
    const Arch arch = GetParam();
    const TileProgram program = test::random_tile_program(arch, seed);
    std::mt19937 random(seed);
    const auto lockstep = tile_with(arch, program, true);
    const auto ahead = tile_with(arch, program, false);
    for (const Cycle end : {600 + random() % 500, 2000 + random() % 500, 4000 + random() % 2000}) {
      const Cycle before = lockstep->now();
      const Halt expected = run(*lockstep, end);
      const Halt halt = run(*ahead, end);
      const std::string difference = first_difference(*lockstep, *ahead);
      if (!difference.empty() || halt != expected) {
        FAIL() << "by cycle " << end << ": " << difference << "; halts " << static_cast<int>(expected) << " and "
               << static_cast<int>(halt) << "\n"
               << first_wrong_cycle(arch, program, before, end) << "\n"
               << (std::getenv("TENSIM_LIST") != nullptr ? program.listing(arch) : "");
      }
      if (halt != Halt::reached) return;
    }
  });
}

void expect_lock_step(Arch arch, unsigned seed, Cycle end) {
  const TileProgram program = test::random_tile_program(arch, seed);
  const auto lockstep = tile_with(arch, program, true);
  const auto ahead = tile_with(arch, program, false);
  EXPECT_EQ(run(*lockstep, end), run(*ahead, end));
  EXPECT_EQ(first_difference(*lockstep, *ahead), "");
}

/// Two things concern cores ahead of them, and the later one is met first.
TEST_P(TileProperty, AConflictBehindAnotherDoesNotStopTheClock) {
  expect_lock_step(GetParam(), 5256, 1000);
}

/// A copy of TDMA-RISC that stores have held up comes between two cycles of the coprocessor, of which the second writes where it
/// has copied to.
TEST_P(TileProperty, TheCoprocessorDoesNotPassDevices) {
  expect_lock_step(GetParam(), 23184, 859);
}

TEST_P(TileProperty, StoppingAnywhereChangesNothing) {
  for_each_seed(150, [](unsigned seed) {
    const Arch arch = GetParam();
    const TileProgram program = test::random_tile_program(arch, seed);
    std::mt19937 random(seed);
    const Cycle end = 2000 + random() % 3000;
    const auto whole = tile_with(arch, program, false);
    const Halt expected = run(*whole, end);
    const auto parts = tile_with(arch, program, false);
    Halt halt = run(*parts, 1 + random() % end);
    while (halt == Halt::reached && parts->now() < end)
      halt = run(*parts, std::min<Cycle>(end, parts->now() + 1 + random() % 1500));
    EXPECT_EQ(halt, expected);
    EXPECT_EQ(first_difference(*whole, *parts), "");
  });
}

/// A length from 1 to 4,096, short ones as often as long ones.
Cycle some_cycles(std::mt19937& random) {
  return 1 + random() % (Cycle{1} << random() % 13);
}

/// Runs in windows to `end`; settles at some of them, as hosts that look do.
Halt run_in_windows(Tile& tile, Cycle end, std::mt19937& random) {
  Halt halt = Halt::reached;
  while (halt == Halt::reached && tile.now() < end) {
    const Cycle to = std::min<Cycle>(end, tile.now() + some_cycles(random));
    halt = tile.run_window(to);
    if (random() % 8 == 0) tile.settle();
    if (halt != Halt::nothing_left) continue;
    tile.idle_until(to);
    halt = Halt::reached;
  }
  tile.settle();
  return halt;
}

/// Every event, with stretches in which a thread is held for one reason taken apart into their cycles.
class EventLog : public event::GateListener {
 public:
  void issued(std::uint64_t cycle, unsigned thread, std::uint32_t word, std::uint32_t origin) override {
    lines_[thread].push_back({cycle, event::Stall::issued, word, origin});
  }
  void held(std::uint64_t cycle, std::uint64_t count, unsigned thread, event::Stall stall,
            std::uint32_t word) override {
    for (std::uint64_t i = 0; i < count; ++i)
      lines_[thread].push_back({cycle + i, stall, word, 0});
  }
  /// Of the other; empty if there is none.
  std::string first_difference(const EventLog& other) const {
    for (unsigned thread = 0; thread < lines_.size(); ++thread) {
      const auto [a, b] = std::ranges::mismatch(lines_[thread], other.lines_[thread]);
      const auto text = [](const auto& at, const auto& all) {
        if (at == all.end()) return std::string("nothing");
        return "cycle " + std::to_string(std::get<0>(*at)) + ", " + std::string(name(std::get<1>(*at))) + ", word " +
               std::to_string(std::get<2>(*at));
      };
      if (a != lines_[thread].end() || b != other.lines_[thread].end())
        return "T" + std::to_string(thread) + ": " + text(a, lines_[thread]) + " and " + text(b, other.lines_[thread]);
    }
    return "";
  }
  std::size_t size() const { return lines_[0].size() + lines_[1].size() + lines_[2].size(); }

 private:
  using Line = std::tuple<std::uint64_t, event::Stall, std::uint32_t, std::uint32_t>;
  std::array<std::vector<Line>, 3> lines_;
};

TEST_P(TileProperty, WindowsOfAnyLengthAreLockStep) {
  for_each_seed(300, [](unsigned seed) {
    const Arch arch = GetParam();
    const TileProgram program = test::random_tile_program(arch, seed);
    std::mt19937 random(seed);
    const auto lockstep = tile_with(arch, program, true);
    const auto windows = tile_with(arch, program, false);
    EventLog expected_events;
    EventLog events;
    const bool is_observed = seed % 2 == 0;
    if (is_observed) {
      lockstep->tell(&expected_events);
      windows->tell(&events);
    }
    for (const Cycle end : {600 + random() % 500, 2000 + random() % 500, 4000 + random() % 2000}) {
      const Halt expected = run(*lockstep, end);
      const Halt halt = run_in_windows(*windows, end, random);
      ASSERT_EQ(halt, expected) << "by cycle " << end;
      ASSERT_EQ(first_difference(*lockstep, *windows), "") << "by cycle " << end;
      ASSERT_EQ(expected_events.first_difference(events), "") << "by cycle " << end;
      ASSERT_EQ(events.size() != 0, is_observed);
      if (halt != Halt::reached) return;
    }
  });
}

/// A core that counts in L1 is left out while nobody else does anything. The host writes to what cores poll in between.
TEST_P(TileProperty, BeatingIsLockStep) {
  Cycle left_out = 0;
  for_each_seed(60, [&](unsigned seed) {
    const Arch arch = GetParam();
    const TileProgram program = test::random_beating_program(arch, seed);
    std::mt19937 random(seed);
    const auto lockstep = tile_with(arch, program, true);
    const auto ahead = tile_with(arch, program, false);
    Halt halt = Halt::reached;
    for (unsigned i = 0; i < 6 && halt == Halt::reached; ++i) {
      const Cycle end = lockstep->now() + 500 + random() % 6000;
      const Halt expected = run(*lockstep, end);
      halt = random() % 3 == 0 ? run(*ahead, end) : run_in_windows(*ahead, end, random);
      ASSERT_EQ(halt, expected) << "by cycle " << end;
      ASSERT_EQ(first_difference(*lockstep, *ahead), "")
          << "by cycle " << end << "\n"
          << (std::getenv("TENSIM_LIST") != nullptr ? program.listing(arch) : "");
      const auto address = static_cast<std::uint32_t>(test::shared_area + 4 * (random() % test::shared_words));
      const auto value = static_cast<std::uint8_t>(random() % 4);
      for (Tile* tile : {lockstep.get(), ahead.get()})
        tile->write(address, &value, 1);
    }
    left_out += ahead->left_out();
  });
  EXPECT_TRUE(left_out > 30'000 || test::seeds_are_chosen()) << left_out;
}

TEST_P(TileProperty, ACopyIsASnapshot) {
  for_each_seed(100, [](unsigned seed) {
    const Arch arch = GetParam();
    const TileProgram program = test::random_tile_program(arch, seed);
    std::mt19937 random(seed);
    const Cycle end = 2000 + random() % 3000;
    const auto tile = tile_with(arch, program, false);
    tile->run_window(1 + random() % end);  // cores may be asleep, and ahead
    const auto copy = std::make_unique<Tile>(*tile);
    const auto older = std::make_unique<Tile>(*tile);
    const Halt halt = run(*tile, end);
    EXPECT_EQ(run(*copy, end), halt);
    EXPECT_EQ(first_difference(*tile, *copy), "");
    *copy = *older;
    EXPECT_EQ(run(*copy, end), halt);
    EXPECT_EQ(first_difference(*tile, *copy), "");
  });
}

/// A value that a word is known to get ends both runs in the cycle in which it gets it.
TEST_P(TileProperty, StopsInTheSameCycle) {
  unsigned met = 0;
  for_each_seed(100, [&](unsigned seed) {
    const Arch arch = GetParam();
    const TileProgram program = test::random_tile_program(arch, seed);
    const std::uint32_t word = test::shared_area + 4 * (seed % test::shared_words);
    const auto known = tile_with(arch, program, false);
    run(*known, 1500);
    std::uint32_t value = 0;
    std::memcpy(&value, known->l1.data() + word, sizeof value);
    const auto lockstep = tile_with(arch, program, true);
    const auto ahead = tile_with(arch, program, false);
    lockstep->stop_when(word, value);
    ahead->stop_when(word, value);
    const Halt expected = run(*lockstep, 3000);
    if (expected == Halt::met) ++met;
    EXPECT_EQ(run(*ahead, 3000), expected);
    EXPECT_EQ(first_difference(*lockstep, *ahead), "");
  });
  EXPECT_TRUE(met >= 5 || test::seeds_are_chosen()) << met;
}

/// What idling may change: where spinning cores are in their loops.
struct Lasting {
  explicit Lasting(const Tile& tile)
      : l1(tile.l1),
        config(tile.coprocessor.config),
        gprs(tile.coprocessor.gprs.value),
        semaphores(tile.coprocessor.sync.semaphores()),
        words(tile.devices.control.words) {
    for (const riscv::Core& core : tile.cores) {
      riscv::StoreQueue left = core.stores;
      left.pass_local(time::never);  // nobody sees those go
      stores += left.size();
    }
  }
  bool operator==(const Lasting&) const = default;

  time::PagedMemory l1;
  tensix::BackendConfig config;
  decltype(tensix::Gprs::value) gprs;
  std::array<tensix::Semaphore, 8> semaphores;
  decltype(tile::TileControl::words) words;
  unsigned stores = 0;
};

TEST_P(TileProperty, WhenNothingIsLeftNothingComes) {
  unsigned ended = 0;
  for_each_seed(150, [&](unsigned seed) {
    const Arch arch = GetParam();
    const TileProgram program = test::random_tile_program(arch, seed);
    const auto ahead = tile_with(arch, program, false);
    if (ahead->run_until(10'000) != Halt::nothing_left) return;
    ++ended;
    const Cycle end = ahead->now();
    const Lasting before(*ahead);
    const auto lockstep = tile_with(arch, program, true);
    EXPECT_EQ(run(*lockstep, end), Halt::reached);
    EXPECT_TRUE(before == Lasting(*lockstep)) << "at cycle " << end;
    EXPECT_EQ(run(*lockstep, end + 5000), Halt::reached);
    ahead->idle_until(end + 5000);
    EXPECT_TRUE(before == Lasting(*lockstep)) << "after cycle " << end;
    EXPECT_EQ(first_difference(*lockstep, *ahead), "");
  });
  EXPECT_TRUE(ended >= 5 || test::seeds_are_chosen()) << ended;
}

INSTANTIATE_TEST_SUITE_P(Chips, TileProperty, ::testing::Values(Arch::wormhole, Arch::blackhole));

}  // namespace
}  // namespace tensim
