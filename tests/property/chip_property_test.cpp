// Random programs on several tiles: however a chip is run, the same happens. Windows and lock-step share the NIUs and the
// network, but not who runs when.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/support/random_chip.hpp"
#include "tests/support/same_tile.hpp"
#include "tests/support/seeds.hpp"

namespace tensim {
namespace {

using chip::Chip;
using test::for_each_seed;
using test::HostWrite;
using test::RandomChip;
using test::RandomDeed;
using time::Cycle;

std::string first_difference(Chip& a, Chip& b) {
  a.settle();
  b.settle();
  if (a.now() != b.now()) return "cycles";
  if (a.slots().size() != b.slots().size()) return "tiles that were touched";
  for (auto& [index, slot] : a.slots()) {
    const std::string difference = test::first_difference(*slot.tile, *b.slots().at(index).tile);
    if (!difference.empty())
      return "tile " + std::to_string(slot.place.x) + "," + std::to_string(slot.place.y) + ": " + difference;
  }
  std::vector<std::uint8_t> of_a(0x8400);
  std::vector<std::uint8_t> of_b(of_a.size());
  for (unsigned bank = 0; bank < a.plan().bank_count(); ++bank) {
    a.dram().memory(bank).read(0, of_a);
    b.dram().memory(bank).read(0, of_b);
    if (of_a != of_b) return "memory of bank " + std::to_string(bank);
  }
  return "";
}

/// A line a packet: what it says, where and when.
class PacketLines : public event::PacketObserver {
 public:
  void packet(const event::Packet& packet) override {
    const noc::Message& message = *packet.message;
    lines.push_back(fmt::format("{} {},{} {} {} NoC {} from {},{} #{} to {:#x}", packet.cycle, packet.tile.x,
                                packet.tile.y, name(packet.end), static_cast<int>(message.kind), message.noc,
                                message.source.x, message.source.y, packet.number, message.address));
    EXPECT_GE(packet.cycle, last_) << "in the order of cycles";
    last_ = packet.cycle;
  }
  std::vector<std::string> lines;

 private:
  Cycle last_ = 0;
};

/// In pieces of random length, with snapshots in between.
void run_in_pieces(RandomChip& random, Chip& chip, Cycle end) {
  while (chip.now() < end) {
    const Cycle length = random.below(4) == 0 ? random.below(600) : random.below(30);
    chip.run_until(std::min(end, chip.now() + 1 + length));
    if (random.below(100) == 0) chip = Chip(chip);
  }
}

class ChipProperty : public ::testing::TestWithParam<Arch> {};

constexpr Cycle last = 6000;

/// In windows, in lock-step, cut into calls, and on several threads with tiles that are run too far and taken back, with the same
/// writes of the host. Gives back what ran in windows.
std::unique_ptr<Chip> run_four_ways(RandomChip& random, chip::Work& work, Cycle end = last) {
  auto windows = random.chip();
  const auto lockstep = random.chip();
  const auto cut = random.chip();
  const auto far = random.chip();
  lockstep->walk_in_lockstep(true);
  chip::Workers workers(2 + random.below(6), 0);
  far->run_with(&workers);
  far->go_far_at_once();
  std::vector<HostWrite> writes = random.host_writes(end);
  writes.push_back({.cycle = end, .tile = {}, .address = 0, .value = 0, .is_register = false});
  for (const HostWrite& write : writes) {
    windows->run_until(write.cycle);
    lockstep->run_until(write.cycle);
    run_in_pieces(random, *cut, write.cycle);
    far->run_until(write.cycle);
    if (write.cycle == end) break;
    for (Chip* each : {windows.get(), lockstep.get(), cut.get(), far.get()})
      RandomChip::act(*each, write);
  }
  EXPECT_EQ(first_difference(*windows, *lockstep), "") << "windows and lock-step";
  EXPECT_EQ(first_difference(*windows, *cut), "") << "windows and cut into calls";
  EXPECT_EQ(first_difference(*windows, *far), "") << "one thread and " << workers.threads();
  work.far += far->work().far;
  work.taken_back += far->work().taken_back;
  return windows;
}

TEST_P(ChipProperty, WindowsLockStepCutCallsAndThreadsGiveTheSameBytes) {
  chip::Work work;
  std::array<unsigned, static_cast<std::size_t>(RandomDeed::count)> deeds{};
  unsigned messages = 0;
  for_each_seed(60, [&](unsigned seed) {
    RandomChip random(GetParam(), seed);
    const auto chip = run_four_ways(random, work);
    for (const auto& [index, slot] : chip->slots())
      messages += slot.tile->devices.nius.sequence;
    for (std::size_t deed = 0; deed < deeds.size(); ++deed)
      deeds[deed] += random.count(static_cast<RandomDeed>(deed));
  });
  if (test::seeds_are_chosen()) return;
  EXPECT_GT(messages, 1500U);
  EXPECT_GT(work.far, 100U);
  EXPECT_GT(work.taken_back, 100U);
  for (std::size_t deed = 0; deed < deeds.size(); ++deed)
    EXPECT_GT(deeds[deed], 30U) << "of kind " << deed;
}

/// Who slept on a counter of the NIU woke a cycle late when what belongs to a core was read over the NoC in the same cycle;
/// and a core that was alone in its tile read L1 past the window.
TEST_P(ChipProperty, SeedsThatWereDifferentOnce) {
  for (const unsigned seed : {109U, 210U, 452U, 1346U, 1505U}) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomChip random(GetParam(), seed);
    chip::Work work;
    run_four_ways(random, work);
  }
}

/// Tiles in which one core counts in L1 are left behind while nothing comes.
TEST_P(ChipProperty, TilesThatBeatGiveTheSameBytes) {
  Cycle left_out = 0;
  for_each_seed(20, [&](unsigned seed) {
    RandomChip random(GetParam(), seed, RandomChip::Ending::beats);
    chip::Work work;
    const auto chip = run_four_ways(random, work, 20'000);
    for (const auto& [index, slot] : chip->slots())
      left_out += slot.tile->left_out();
  });
  EXPECT_TRUE(left_out > 50'000 || test::seeds_are_chosen()) << left_out;
}

/// A difference is there long before the end: what is seen in between must be the same, too.
TEST_P(ChipProperty, WindowsAreLockStepWheneverSomebodyLooks) {
  for_each_seed(20, [&](unsigned seed) {
    RandomChip random(GetParam(), seed);
    const auto windows = random.chip();
    const auto lockstep = random.chip();
    lockstep->walk_in_lockstep(true);
    PacketLines heard;
    PacketLines heard_in_lockstep;
    windows->observe(&heard);
    lockstep->observe(&heard_in_lockstep);
    for (unsigned i = 0; i < 6; ++i) {
      const Cycle end = windows->now() + 1 + random.below(900);
      windows->run_until(end);
      lockstep->run_until(end);
      EXPECT_EQ(first_difference(*windows, *lockstep), "") << "at cycle " << end;
      EXPECT_EQ(heard.lines, heard_in_lockstep.lines) << "at cycle " << end;
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Chips, ChipProperty, ::testing::Values(Arch::wormhole, Arch::blackhole));

}  // namespace
}  // namespace tensim
