// Random programs on several tiles: however a chip is run, the same happens. Windows and lock-step share the NIUs and the
// network, but not who runs when.
#include <cstring>
#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "chip/chip.hpp"
#include "tests/support/noc_program.hpp"
#include "tests/support/same_tile.hpp"
#include "tests/support/seeds.hpp"

namespace tensim {
namespace {

using chip::Chip;
using chip::Slot;
using noc::Coordinates;
using noc::operator""_counter;
using test::for_each_seed;
using test::NocProgram;
using tile::CoreId;
using time::Cycle;

/// A chip with random programs on a few tiles.
class RandomChip {
 public:
  RandomChip(Arch arch, unsigned seed) : plan_(arch), random_(seed) {
    for (unsigned y = 0; y < plan_.height(); ++y)
      for (unsigned x = 0; x < plan_.width(); ++x)
        if (plan_.has_tensix({x, y})) all_.push_back({x, y});
    const unsigned count = 2 + below(4);
    for (unsigned i = 0; i < count; ++i)
      tiles_.push_back(all_[below(static_cast<unsigned>(all_.size()))]);
    for (unsigned i = 0; i < count; ++i)
      for (const CoreId core : {CoreId::brisc, CoreId::ncrisc})
        if (below(3) != 0) programs_.push_back({tiles_[i], core, program(tiles_[i], core == CoreId::brisc ? 0 : 1)});
  }

  std::unique_ptr<Chip> chip() const {
    auto made = std::make_unique<Chip>(plan_);
    for (const Placed& placed : programs_) {
      Slot& slot = made->touch(placed.tile);
      const std::uint32_t at = placed.core == CoreId::brisc ? 0x4000 : 0x8000;
      slot.tile->write(at, reinterpret_cast<const std::uint8_t*>(placed.words.data()), 4 * placed.words.size());
      slot.tile->release(placed.core, at);
      slot.is_idle = false;
    }
    return made;
  }
  unsigned below(unsigned end) { return static_cast<unsigned>(random_() % end); }
  const std::vector<Coordinates>& tiles() const { return tiles_; }

 private:
  struct Placed {
    Coordinates tile;
    CoreId core;
    std::vector<rv::Word> words;
  };

  Coordinates name_of_any() { return plan_.translated(tiles_[below(static_cast<unsigned>(tiles_.size()))]); }
  Coordinates bank(unsigned noc) {
    const Coordinates tile = plan_.bank_tiles(below(plan_.bank_count()))[below(3)];
    return plan_.arch() == Arch::wormhole ? plan_.on_noc(tile, noc) : plan_.translated(tile);
  }

  std::vector<rv::Word> program(Coordinates own, unsigned noc) {
    NocProgram code(plan_, noc);
    unsigned acknowledged = 0;
    unsigned read = 0;
    unsigned added = 0;
    const Coordinates own_name = plan_.translated(own);
    for (unsigned left = 3 + below(8); left != 0; --left) {
      const std::uint32_t here = 0x10000 + 64 * below(64);
      const std::uint32_t there = 0x10000 + 64 * below(64);
      const std::uint32_t bytes = 16 * (1 + below(60));
      switch (below(7)) {
        case 0:
        case 1:
          code.target(own_name, here);
          code.back(name_of_any(), there);
          code.go(test::ctrl_write, bytes);
          ++acknowledged;
          break;
        case 2:
          code.target(name_of_any(), there);
          code.back(own_name, here);
          code.go(test::ctrl_read, bytes);
          ++read;
          break;
        case 3:
          code.target(name_of_any(), there);
          code.back(own_name, here);
          code.go(test::ctrl_atomic, test::increment_of(there), 1 + below(9));
          ++added;
          break;
        case 4:
          code.target(own_name, here);
          code.back(bank(noc), 64 * below(512));
          code.go(test::ctrl_write, bytes);
          ++acknowledged;
          break;
        case 5:
          code.target(bank(noc), 64 * below(512));
          code.back(own_name, here);
          code.go(test::ctrl_read, bytes);
          ++read;
          break;
        default: code.store(0x10000 + 4 * below(1024), static_cast<std::uint32_t>(random_()));
      }
      if (below(4) == 0) code.wait(code.counter("NIU_MST_RD_RESP_RECEIVED"_counter), read);
    }
    code.wait(code.counter("NIU_MST_WR_ACK_RECEIVED"_counter), acknowledged);
    code.wait(code.counter("NIU_MST_RD_RESP_RECEIVED"_counter), read);
    code.wait(code.counter("NIU_MST_ATOMIC_RESP_RECEIVED"_counter), added);
    code.stay();
    return code.words();
  }

  noc::FloorPlan plan_;
  std::mt19937 random_;
  std::vector<Coordinates> all_;
  std::vector<Coordinates> tiles_;
  std::vector<Placed> programs_;
};

std::string first_difference(Chip& a, Chip& b) {
  a.settle();
  b.settle();
  if (a.slots().size() != b.slots().size()) return "tiles that were touched";
  for (auto& [index, slot] : a.slots()) {
    const std::string difference = test::first_difference(*slot.tile, *b.slots().at(index).tile);
    if (!difference.empty())
      return "tile " + std::to_string(slot.place.x) + "," + std::to_string(slot.place.y) + ": " + difference;
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

class ChipProperty : public ::testing::TestWithParam<Arch> {};

TEST_P(ChipProperty, WindowsAreLockStep) {
  unsigned messages = 0;
  for_each_seed(60, [&](unsigned seed) {
    RandomChip random(GetParam(), seed);
    const auto windows = random.chip();
    const auto lockstep = random.chip();
    lockstep->walk_in_lockstep(true);
    PacketLines heard;
    PacketLines heard_in_lockstep;
    windows->observe(&heard);
    lockstep->observe(&heard_in_lockstep);
    for (unsigned i = 0; i < 3; ++i) {
      const Cycle end = windows->now() + 1 + random.below(3000);
      windows->run_until(end);
      lockstep->run_until(end);
      EXPECT_EQ(first_difference(*windows, *lockstep), "") << "at cycle " << end;
      EXPECT_EQ(heard.lines, heard_in_lockstep.lines) << "at cycle " << end;
    }
    for (const auto& [index, slot] : windows->slots())
      messages += slot.tile->devices.nius.sequence;
  });
  EXPECT_TRUE(messages > 500 || test::seeds_are_chosen()) << messages;
}

TEST_P(ChipProperty, HowARunIsCutChangesNothing) {
  for_each_seed(60, [&](unsigned seed) {
    RandomChip random(GetParam(), seed);
    const auto whole = random.chip();
    const auto cut = random.chip();
    whole->run_until(6000);
    std::unique_ptr<Chip> copy;
    while (cut->now() < 6000) {
      const Cycle length = random.below(4) == 0 ? random.below(600) : random.below(30);
      cut->run_until(std::min<Cycle>(6000, cut->now() + 1 + length));
      if (random.below(50) == 0) *cut = Chip(*cut);  // a snapshot with what is under way
    }
    EXPECT_EQ(first_difference(*whole, *cut), "");
  });
}

/// Writes of the host act in their own cycle.
TEST_P(ChipProperty, WritesOfTheHostBetweenCallsAreSeenInTheirCycle) {
  for_each_seed(40, [&](unsigned seed) {
    RandomChip random(GetParam(), seed);
    const auto windows = random.chip();
    const auto lockstep = random.chip();
    lockstep->walk_in_lockstep(true);
    for (unsigned i = 0; i < 12; ++i) {
      const Cycle end = windows->now() + 1 + random.below(400);
      const Coordinates place = random.tiles()[random.below(static_cast<unsigned>(random.tiles().size()))];
      const std::uint32_t address = 0x10000 + 16 * random.below(256);
      const std::uint32_t value = random.below(~0U);
      for (Chip* each : {windows.get(), lockstep.get()}) {
        each->run_until(end);
        Slot& slot = each->touch(place);
        slot.tile->settle();
        slot.tile->idle_until(each->now());
        slot.tile->write(address, reinterpret_cast<const std::uint8_t*>(&value), sizeof value);
        slot.is_idle = false;
      }
    }
    EXPECT_EQ(first_difference(*windows, *lockstep), "");
  });
}

INSTANTIATE_TEST_SUITE_P(Chips, ChipProperty, ::testing::Values(Arch::wormhole, Arch::blackhole));

}  // namespace
}  // namespace tensim
