// Ethernet tiles whose firmware counts a heartbeat: they are left behind until somebody looks, and nobody can tell.
#include "tests/support/heartbeat.hpp"

#include <cstring>

#include <gtest/gtest.h>

#include "arch/ethernet_registers.hpp"
#include "chip/chip.hpp"
#include "tests/support/noc_program.hpp"
#include "tests/support/same_tile.hpp"

namespace tensim::chip {
namespace {

using namespace tensim::test;
using noc::operator""_counter;
using tile::CoreId;
using tile::Tile;

constexpr std::uint32_t code = 0x4000;
constexpr std::uint32_t results = 0x10000;
constexpr std::uint32_t first_core = 1U << 11U;

class EthernetHeartbeat : public ::testing::TestWithParam<Arch> {
 protected:
  EthernetHeartbeat() {
    for (unsigned i = 0; i < 4; ++i)
      start_heartbeat(plan_.ethernet_tiles()[i]);
  }

  static void put(Tile& tile, const std::vector<rv::Word>& words) {
    tile.write(code, reinterpret_cast<const std::uint8_t*>(words.data()), 4 * words.size());
  }
  void start_heartbeat(Coordinates place) {
    Slot& slot = chip_.touch(place);
    put(*slot.tile, Heartbeat{}.words());
    const std::uint32_t reset_pc =
        on(GetParam(), ethernet_register(Arch::wormhole, "RESET_PC"), ethernet_register(Arch::blackhole, "RESET_PC"));
    ASSERT_TRUE(slot.tile->write_register(reset_pc, code).is_done());
    ASSERT_TRUE(
        slot.tile
            ->write_register(tile::TileControl::soft_reset_address, tile::TileControl::all_cores_held & ~first_core)
            .is_done());
    slot.is_idle = false;
  }
  Tile& ethernet(Chip& chip) const { return *chip.touch(plan_.ethernet_tiles()[0]).tile; }
  Coordinates tensix() const { return *plan_.tile(on(GetParam(), Coordinates{18, 18}, Coordinates{1, 2})); }
  static std::uint32_t word(const Tile& tile, std::uint32_t address) {
    std::uint32_t value = 0;
    std::memcpy(&value, tile.l1.data() + address, sizeof value);
    return value;
  }
  static std::string first_difference(Chip& a, Chip& b) {
    a.settle();
    b.settle();
    for (auto& [index, slot] : a.slots())
      if (const std::string difference = test::first_difference(*slot.tile, *b.slots().at(index).tile);
          !difference.empty())
        return "tile " + std::to_string(slot.place.x) + "," + std::to_string(slot.place.y) + ": " + difference;
    return "";
  }

  noc::FloorPlan plan_{GetParam()};
  Chip chip_{plan_};
};
INSTANTIATE_TEST_SUITE_P(Chips, EthernetHeartbeat, ::testing::ValuesIn(all_archs),
                         [](const auto& chip) { return std::string(name(chip.param)); });

/// A worker reads the word now and then, and ends the loop after that.
TEST_P(EthernetHeartbeat, WhatAnotherTileReadsAndWritesIsThereInItsCycle) {
  NocProgram program(plan_);
  for (std::uint32_t i = 0; i < 8; ++i) {
    program.wait_cycles(6000 + 3000 * i);
    program.target(plan_.translated(plan_.ethernet_tiles()[0]), Heartbeat::word & ~0xFU);
    program.back(plan_.translated(tensix()), results + 16 * i);
    program.go(ctrl_read, 16);
    program.wait(program.counter("NIU_MST_RD_RESP_RECEIVED"_counter), i + 1);
  }
  program.wait_cycles(9999);
  program.store(results + 0x400, Heartbeat::go << 24U);
  program.target(plan_.translated(tensix()), results + 0x400);
  program.back(plan_.translated(plan_.ethernet_tiles()[0]), Heartbeat::polled & ~3U);
  program.go(ctrl_write, 4);
  program.stay();
  Slot& worker = chip_.touch(tensix());
  put(*worker.tile, program.words());
  worker.tile->release(CoreId::brisc, code);
  worker.is_idle = false;

  Chip lockstep = chip_;
  lockstep.walk_in_lockstep(true);
  chip_.run_until(200'000);
  lockstep.run_until(200'000);
  for (std::uint32_t i = 0; i < 8; ++i) {
    const std::uint32_t at = results + 16 * i + Heartbeat::word % 16;
    EXPECT_EQ(word(*worker.tile, at), word(*lockstep.touch(tensix()).tile, at)) << i;
    EXPECT_EQ(word(*worker.tile, at) >> 16U, 0xAABBU);
  }
  EXPECT_GT(word(ethernet(chip_), Heartbeat::ended), 1000U);
  EXPECT_EQ(word(ethernet(chip_), Heartbeat::ended), word(ethernet(lockstep), Heartbeat::ended));
  EXPECT_EQ(first_difference(chip_, lockstep), "");
  EXPECT_GT(ethernet(chip_).left_out(), 10'000U);
}

TEST_P(EthernetHeartbeat, StaysBehindUntilSomebodyLooks) {
  constexpr Cycle end = 1'000'000'000;
  chip_.run_apart(end);
  EXPECT_EQ(chip_.now(), end);
  EXPECT_LT(ethernet(chip_).now(), 100'000U);
  EXPECT_FALSE(chip_.is_idle()) << "it goes on";
  Chip other = chip_;
  chip_.catch_up(*chip_.find(plan_.ethernet_tiles()[0]));
  EXPECT_EQ(ethernet(chip_).now(), end);
  other.run_until(end + 1);
  chip_.run_until(end + 1);
  EXPECT_EQ(first_difference(chip_, other), "");
}

TEST_P(EthernetHeartbeat, IsTheSameHoweverOftenItIsLookedAt) {
  Chip seldom = chip_;
  for (Cycle end = 0; end < 3'000'000;) {
    end += end < 40'000 ? 7 : 100'003;
    chip_.run_until(end);
  }
  seldom.run_until(chip_.now());
  EXPECT_EQ(word(ethernet(chip_), Heartbeat::word), word(ethernet(seldom), Heartbeat::word));
  EXPECT_EQ(first_difference(chip_, seldom), "");
}

TEST_P(EthernetHeartbeat, AChipThatBeatsIsNotIdle) {
  EXPECT_FALSE(chip_.run_until_idle(50'000'000));
  EXPECT_EQ(chip_.now(), 50'000'000U);
  EXPECT_EQ(ethernet(chip_).now(), chip_.now());
}

TEST_P(EthernetHeartbeat, WhoWaitsForAValueOfTheWordStopsInItsCycle) {
  chip_.run_until(30'000);
  Chip lockstep = chip_;
  lockstep.walk_in_lockstep(true);
  for (Chip* each : {&chip_, &lockstep}) {
    ethernet(*each).stop_when(Heartbeat::word, word(ethernet(*each), Heartbeat::word) + 100);
    EXPECT_TRUE(each->run_until_met(*each->find(plan_.ethernet_tiles()[0]), 60'000));
  }
  EXPECT_EQ(chip_.now(), lockstep.now());
  EXPECT_EQ(first_difference(chip_, lockstep), "");
}

}  // namespace
}  // namespace tensim::chip
