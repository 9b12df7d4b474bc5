#include "chip/chip.hpp"

#include <cstring>
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "tests/support/noc_program.hpp"
#include "tests/support/same_tile.hpp"

namespace tensim::chip {
namespace {

using namespace tensim::test;
using noc::operator""_counter;
using tile::CoreId;
using tile::Tile;

constexpr std::uint32_t code = 0x4000;
constexpr std::uint32_t done_at = 0x100;
constexpr std::uint32_t data_at = 0x10000;
constexpr std::uint32_t there = 0x20000;

class ChipTest : public ::testing::TestWithParam<Arch> {
 protected:
  noc::FloorPlan plan_{GetParam()};
  Chip chip_{plan_};

  /// The n-th Tensix tile, in rows.
  Coordinates tensix(unsigned n) const {
    for (unsigned y = 0; y < plan_.height(); ++y)
      for (unsigned x = 0; x < plan_.width(); ++x)
        if (plan_.has_tensix({x, y}) && n-- == 0) return {x, y};
    return {};
  }
  Coordinates name(unsigned n) const { return plan_.translated(tensix(n)); }
  Tile& tile(unsigned n) { return *chip_.touch(tensix(n)).tile; }

  void start(Chip& chip, unsigned n, NocProgram program) {
    program.store(done_at, 1);
    program.stay();
    Slot& slot = chip.touch(tensix(n));
    const auto& words = program.words();
    slot.tile->write(code, reinterpret_cast<const std::uint8_t*>(words.data()), 4 * words.size());
    slot.tile->release(CoreId::brisc, code);
    slot.is_idle = false;
  }
  static std::uint32_t word(const Tile& tile, std::uint32_t address) {
    std::uint32_t value = 0;
    std::memcpy(&value, tile.l1.data() + address, sizeof value);
    return value;
  }
  static void fill(Tile& tile, std::uint32_t address, std::uint32_t bytes, std::uint32_t seed) {
    std::vector<std::uint8_t> data(bytes);
    std::mt19937 random(seed);
    for (std::uint8_t& byte : data)
      byte = static_cast<std::uint8_t>(random());
    tile.write(address, data.data(), data.size());
  }
  bool is_done(Chip& chip, unsigned n) { return word(*chip.touch(tensix(n)).tile, done_at) == 1; }
  /// Until the programs of tiles 0 to `count` - 1 have come to their ends.
  bool run(Chip& chip, unsigned count, Cycle budget = 100'000) {
    const Cycle end = chip.now() + budget;
    const auto all_done = [&] {
      for (unsigned n = 0; n < count; ++n)
        if (!is_done(chip, n)) return false;
      return true;
    };
    while (chip.now() < end && !all_done())
      chip.run_until(chip.now() + 100);
    return all_done();
  }
};

TEST_P(ChipTest, AWriteArrivesAndIsAcknowledged) {
  fill(tile(0), data_at, 64, 1);
  NocProgram program(plan_);
  program.target(name(0), data_at);
  program.back(name(1), there);
  program.go(ctrl_write, 64);
  program.wait(program.counter("NIU_MST_WR_ACK_RECEIVED"_counter), 1);
  start(chip_, 0, program);
  ASSERT_TRUE(run(chip_, 1));
  EXPECT_EQ(std::memcmp(tile(0).l1.data() + data_at, tile(1).l1.data() + there, 64), 0);
  const auto& sent = tile(0).devices.nius.niu[0].counters;
  const auto& received = tile(1).devices.nius.niu[0].counters;
  const std::uint32_t flits = 64 / noc::flit_bytes(GetParam());
  EXPECT_EQ(sent["NIU_MST_CMD_ACCEPTED"_counter], 1U);
  EXPECT_EQ(sent["NIU_MST_NONPOSTED_WR_REQ_SENT"_counter], 1U);
  EXPECT_EQ(sent["NIU_MST_NONPOSTED_WR_DATA_WORD_SENT"_counter], flits);
  EXPECT_EQ(sent["NIU_MST_REQS_OUTSTANDING_ID"_counter], 0U);
  EXPECT_EQ(received["NIU_SLV_NONPOSTED_WR_REQ_RECEIVED"_counter], 1U);
  EXPECT_EQ(received["NIU_SLV_WR_ACK_SENT"_counter], 1U);
}

TEST_P(ChipTest, AReadBringsWhatIsThere) {
  fill(tile(1), there, 4096, 2);
  NocProgram program(plan_);
  program.target(name(1), there);
  program.back(name(0), data_at);
  program.go(ctrl_read, 4096);
  program.wait(program.counter("NIU_MST_RD_RESP_RECEIVED"_counter), 1);
  start(chip_, 0, program);
  ASSERT_TRUE(run(chip_, 1));
  EXPECT_EQ(std::memcmp(tile(0).l1.data() + data_at, tile(1).l1.data() + there, 4096), 0);
}

TEST_P(ChipTest, RequestsOnNoc1ArriveToo) {
  fill(tile(0), data_at, 256, 3);
  NocProgram program(plan_, 1);
  program.target(name(0), data_at);
  program.back(name(5), there);
  program.go(ctrl_write, 256);
  program.wait(program.counter("NIU_MST_WR_ACK_RECEIVED"_counter), 1);
  start(chip_, 0, program);
  ASSERT_TRUE(run(chip_, 1));
  EXPECT_EQ(std::memcmp(tile(0).l1.data() + data_at, tile(5).l1.data() + there, 256), 0);
}

TEST_P(ChipTest, ATileTalksToItself) {
  fill(tile(0), data_at, 64, 4);
  NocProgram program(plan_);
  program.target(name(0), data_at);
  program.back(name(0), there);
  program.go(ctrl_write, 64);
  program.wait(program.counter("NIU_MST_WR_ACK_RECEIVED"_counter), 1);
  start(chip_, 0, program);
  ASSERT_TRUE(run(chip_, 1));
  EXPECT_EQ(std::memcmp(tile(0).l1.data() + data_at, tile(0).l1.data() + there, 64), 0);
}

TEST_P(ChipTest, IncrementsOfManyTilesAddUpAndEachOldValueComesOnce) {
  constexpr unsigned tiles = 12;
  constexpr unsigned times = 20;
  constexpr std::uint32_t counted = 0x8000;
  for (unsigned n = 0; n < tiles; ++n) {
    NocProgram program(plan_);
    program.target(name(tiles), counted);
    for (unsigned i = 0; i < times; ++i) {
      program.back(name(n), there + 16 * i);
      program.go(ctrl_atomic, increment_of(counted), 1);
    }
    program.wait(program.counter("NIU_MST_ATOMIC_RESP_RECEIVED"_counter), times);
    start(chip_, n, program);
  }
  ASSERT_TRUE(run(chip_, tiles));
  EXPECT_EQ(word(tile(tiles), counted), tiles * times);
  std::set<std::uint32_t> old;
  for (unsigned n = 0; n < tiles; ++n)
    for (unsigned i = 0; i < times; ++i)
      old.insert(word(tile(n), there + 16 * i));
  EXPECT_EQ(old.size(), tiles * times);
  EXPECT_EQ(*old.rbegin(), tiles * times - 1);
}

TEST_P(ChipTest, AMulticastReachesTheRectangleAndEveryReceiverAcknowledges) {
  fill(tile(0), data_at, 64, 5);
  const Coordinates corner = tensix(0);
  const Coordinates from{corner.x + 1, corner.y + 1};
  const Coordinates to{corner.x + 2, corner.y + 3};
  NocProgram program(plan_);
  program.target(name(0), data_at);
  program.back(plan_.translated(to), there, plan_.translated(from));
  program.go(ctrl_multicast_write, 64);
  program.wait(program.counter("NIU_MST_WR_ACK_RECEIVED"_counter), 6);
  start(chip_, 0, program);
  ASSERT_TRUE(run(chip_, 1));
  for (unsigned y = from.y; y <= to.y; ++y)
    for (unsigned x = from.x; x <= to.x; ++x)
      EXPECT_EQ(std::memcmp(tile(0).l1.data() + data_at, chip_.touch({x, y}).tile->l1.data() + there, 64), 0)
          << x << "," << y;
  EXPECT_EQ(chip_.find({to.x + 1, to.y}), nullptr) << "nobody else has been touched";
}

TEST_P(ChipTest, MemoryKeepsWhatIsWrittenAndGivesItBack) {
  fill(tile(0), data_at, 4096, 6);
  const Coordinates bank =
      GetParam() == Arch::wormhole ? plan_.bank_tiles(0)[0] : plan_.translated(plan_.bank_tiles(0)[0]);
  NocProgram program(plan_);
  program.target(name(0), data_at);
  program.back(bank, 0x40000);
  program.go(ctrl_write, 4096);
  program.wait(program.counter("NIU_MST_WR_ACK_RECEIVED"_counter), 1);
  program.target(bank, 0x40000);
  program.back(name(0), there);
  program.go(ctrl_read, 4096);
  program.wait(program.counter("NIU_MST_RD_RESP_RECEIVED"_counter), 1);
  start(chip_, 0, program);
  ASSERT_TRUE(run(chip_, 1));
  EXPECT_EQ(std::memcmp(tile(0).l1.data() + data_at, tile(0).l1.data() + there, 4096), 0);
}

TEST_P(ChipTest, ACoreOfAnotherTileIsLetGoOverTheNoc) {
  NocProgram other(plan_);
  other.store(done_at, 1);
  other.stay();
  tile(1).write(0, reinterpret_cast<const std::uint8_t*>(other.words().data()), 4 * other.words().size());
  const std::uint32_t all = tile(1).devices.control.soft_reset();
  NocProgram program(plan_);
  program.target(name(1), tile::TileControl::soft_reset_address);
  program.go(ctrl_inline_write, 0xF, all & ~(1U << 11U));
  program.wait(program.counter("NIU_MST_WR_ACK_RECEIVED"_counter), 1);
  start(chip_, 0, program);
  EXPECT_TRUE(run(chip_, 2));
}

TEST_P(ChipTest, APieceLongerThanAPacketIsCut) {
  constexpr std::uint32_t bytes = 40'000;
  fill(tile(0), data_at, bytes, 7);
  const std::uint32_t packets = (bytes - 1) / noc::packet_bytes(GetParam()) + 1;
  NocProgram program(plan_);
  program.target(name(0), data_at);
  program.back(name(2), there);
  program.go(ctrl_write, bytes);
  program.wait(program.counter("NIU_MST_WR_ACK_RECEIVED"_counter), packets);
  start(chip_, 0, program);
  ASSERT_TRUE(run(chip_, 1));
  EXPECT_EQ(std::memcmp(tile(0).l1.data() + data_at, tile(2).l1.data() + there, bytes), 0);
}

TEST_P(ChipTest, AWildRequestStopsItsCoreWithItsName) {
  NocProgram program(plan_);
  program.target(name(1), there);
  program.back(name(0), data_at + 4);
  program.go(ctrl_read, 64);
  start(chip_, 0, program);
  EXPECT_FALSE(run(chip_, 1, 5000));
  ASSERT_TRUE(tile(0).core(CoreId::brisc).stop.has_value());
  EXPECT_EQ(tile(0).core(CoreId::brisc).stop->access_fault, tile::fault_of(noc::Refusal::not_congruent_16));
}

TEST_P(ChipTest, ARequestThatNobodyAnswersIsNotLost) {
  NocProgram program(plan_);
  program.target(plan_.arc(), 0x1000);
  program.back(name(0), data_at);
  program.go(ctrl_read, 64);
  program.wait(program.counter("NIU_MST_RD_RESP_RECEIVED"_counter), 1);
  start(chip_, 0, program);
  EXPECT_FALSE(run(chip_, 1, 5000));
  const std::vector<Unanswered> requests = chip_.take_unanswered();
  ASSERT_EQ(requests.size(), 1U);
  EXPECT_EQ(requests.front().tile, plan_.arc());
  EXPECT_EQ(requests.front().message->issuer.tile, tensix(0));
}

INSTANTIATE_TEST_SUITE_P(Chips, ChipTest, ::testing::Values(Arch::wormhole, Arch::blackhole));

}  // namespace
}  // namespace tensim::chip
