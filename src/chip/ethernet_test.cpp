// Ethernet tiles: cores, L1 and NIUs, without the link.
#include "chip/ethernet.hpp"

#include <cstring>

#include <gtest/gtest.h>

#include "arch/ethernet_registers.hpp"
#include "chip/chip.hpp"
#include "tensix/registers/streams.hpp"
#include "tests/support/noc_program.hpp"

namespace tensim::chip {
namespace {

using namespace tensim::test;
using noc::operator""_counter;
using noc::operator""_niu;
using tile::AccessFault;
using tile::CoreId;
using tile::Tile;

constexpr std::uint32_t soft_reset = tile::TileControl::soft_reset_address;
constexpr std::uint32_t all_held = tile::TileControl::all_cores_held;
constexpr std::uint32_t first_core = 1U << 11U;
constexpr std::uint32_t second_core = 1U << 12U;
constexpr std::uint32_t first_code = 0x4000;
constexpr std::uint32_t second_code = 0x8000;
constexpr std::uint32_t data_at = 0x10000;

std::uint32_t reset_pc(Arch arch) {
  return on(arch, ethernet_register(Arch::wormhole, "RESET_PC"), ethernet_register(Arch::blackhole, "RESET_PC"));
}

class EthernetTile : public ::testing::TestWithParam<Arch> {
 protected:
  noc::FloorPlan plan_{GetParam()};
  Chip chip_{plan_};
  Coordinates place_ = plan_.ethernet_tiles()[3];
  Slot& slot_ = chip_.touch(place_);
  Tile& tile_ = *slot_.tile;

  Coordinates tensix() const { return *plan_.tile(on(GetParam(), Coordinates{18, 18}, Coordinates{1, 2})); }
  static void put(Tile& tile, std::uint32_t address, const NocProgram& program) {
    tile.write(address, reinterpret_cast<const std::uint8_t*>(program.words().data()), 4 * program.words().size());
  }
  /// As a host starts it.
  void start(NocProgram program) {
    program.stay();
    put(tile_, first_code, program);
    ASSERT_TRUE(tile_.write_register(reset_pc(GetParam()), first_code).is_done());
    ASSERT_TRUE(tile_.write_register(soft_reset, all_held & ~first_core).is_done());
    slot_.is_idle = false;
  }
  std::uint32_t word(const Tile& tile, std::uint32_t address) const {
    std::uint32_t value = 0;
    std::memcpy(&value, tile.l1.data() + address, sizeof value);
    return value;
  }
};
INSTANTIATE_TEST_SUITE_P(Chips, EthernetTile, ::testing::ValuesIn(all_archs),
                         [](const auto& chip) { return std::string(name(chip.param)); });

TEST_P(EthernetTile, ItsCoreSendsAndIsAnswered) {
  NocProgram program(plan_);
  program.copy(program.reg("NOC_ID_LOGICAL"_niu), 0x200);
  program.store(data_at, 0xE7E7);
  program.target(plan_.translated(place_), data_at);
  program.back(plan_.translated(tensix()), data_at);
  program.go(ctrl_write, 4);
  program.wait(program.counter("NIU_MST_WR_ACK_RECEIVED"_counter), 1);
  program.store(0x100, 1);
  start(program);
  chip_.run_until(20'000);
  EXPECT_EQ(word(tile_, 0x100), 1U);
  const Coordinates name = plan_.translated(place_);
  EXPECT_EQ(word(tile_, 0x200), name.x | name.y << 6U);
  EXPECT_EQ(word(*chip_.touch(tensix()).tile, data_at), 0xE7E7U);
  EXPECT_FALSE(slot_.has_fault);
}

TEST_P(EthernetTile, ATensixTileReadsItsL1AndCountsInIt) {
  const std::uint32_t given = 0xABCD;
  tile_.write(data_at, reinterpret_cast<const std::uint8_t*>(&given), sizeof given);
  NocProgram program(plan_);
  program.target(plan_.translated(place_), data_at);
  program.back(plan_.translated(tensix()), data_at);
  program.go(ctrl_read, 16);
  program.target(plan_.translated(place_), data_at + 16);
  program.back(plan_.translated(tensix()), 4);
  program.go(ctrl_atomic, increment_of(data_at + 16), 5);
  program.wait(program.counter("NIU_MST_ATOMIC_RESP_RECEIVED"_counter), 1);
  program.stay();
  Slot& sender = chip_.touch(tensix());
  put(*sender.tile, first_code, program);
  sender.tile->release(CoreId::brisc, first_code);
  sender.is_idle = false;
  chip_.run_until(20'000);
  EXPECT_EQ(word(*sender.tile, data_at), given);
  EXPECT_EQ(word(tile_, data_at + 16), 5U);
}

TEST_P(EthernetTile, OnlyItsOwnCoresLeaveReset) {
  NocProgram program(plan_);
  start(program);
  ASSERT_TRUE(tile_.write_register(soft_reset, 0).is_done());
  chip_.run_until(500);
  const auto runs = [&](CoreId core) { return tile_.core(core).retired != 0; };
  EXPECT_TRUE(runs(CoreId::brisc));
  EXPECT_EQ(runs(CoreId::ncrisc), GetParam() == Arch::blackhole);
  for (const CoreId core : {CoreId::trisc0, CoreId::trisc1, CoreId::trisc2})
    EXPECT_FALSE(runs(core));
}

TEST_P(EthernetTile, TheFirstCoreStartsTheSecond) {
  if (GetParam() == Arch::wormhole) return;  // has one core
  NocProgram second(plan_);
  second.store(0x104, 2);
  second.stay();
  put(tile_, second_code, second);
  NocProgram first(plan_);
  first.store(ethernet_register(Arch::blackhole, "RESET_PC_1"), second_code);
  first.store(soft_reset, all_held & ~(first_core | second_core));
  start(first);
  chip_.run_until(2000);
  EXPECT_EQ(word(tile_, 0x104), 2U);
}

TEST_P(EthernetTile, TheLinkFaultsByName) {
  constexpr std::uint32_t queues = 0xFFB90000;
  const tile::Answer answer = tile_.read_register(queues);
  EXPECT_EQ(answer.fault, AccessFault::not_modelled);
  ASSERT_NE(answer.region, nullptr);
  EXPECT_EQ(answer.region->name, "Ethernet queues");
  EXPECT_EQ(chip_.touch(tensix()).tile->read_register(queues).fault, AccessFault::unmapped);
}

TEST_P(EthernetTile, HasHalfTheStreams) {
  const auto address = [&](unsigned stream) {
    return 0xFFB40000 + 0x1000 * stream + 4 * tensix::stream_register_rows[1].on(GetParam());
  };
  EXPECT_TRUE(tile_.read_register(address(31)).is_done());
  EXPECT_EQ(tile_.read_register(address(32)).fault, AccessFault::no_register);
  EXPECT_TRUE(chip_.touch(tensix()).tile->read_register(address(63)).is_done());
}

TEST_P(EthernetTile, ItsOwnRegisters) {
  if (GetParam() == Arch::wormhole) {
    constexpr std::uint32_t sum = ethernet_register(Arch::wormhole, "TEST_SUM");
    tile_.write_register(sum, 5);
    tile_.write_register(sum, 7);
    EXPECT_EQ(tile_.read_register(sum).value, 12U);
    EXPECT_EQ(tile_.read_register(0xFFB94098).fault, AccessFault::not_modelled) << "copy logic of the IRAM";
  } else {
    constexpr std::uint32_t modes = ethernet_register(Arch::blackhole, "INTERRUPT_MODE");
    EXPECT_TRUE(tile_.write_register(modes + 64, 0).is_done());
    EXPECT_EQ(tile_.write_register(modes, 1).fault, AccessFault::not_modelled);
  }
}

TEST_P(EthernetTile, ItsL1EndsWhereItsRegionDoes) {
  EXPECT_EQ(tile_.l1.size(), *noc::l1_bytes(GetParam(), noc::TileKind::ethernet));
}

}  // namespace
}  // namespace tensim::chip
