#include "device/device.hpp"

#include <cstring>

#include <gtest/gtest.h>

#include "reference/riscv_words.hpp"
#include "report/device_faults.hpp"
#include "tests/support/noc_program.hpp"

namespace tensim::device {
namespace {

namespace rv = reference::rv;
using namespace tensim::literals;

constexpr std::uint32_t soft_reset = 0xFFB121B0;
constexpr std::uint32_t all_held = 0x47800;
constexpr std::uint32_t brisc_free = all_held & ~0x800U;
constexpr std::uint32_t counter = 0x20000;

void write_word(Device& device, Coordinates tile, std::uint64_t address, std::uint32_t value) {
  device.write(tile, address, {reinterpret_cast<const std::uint8_t*>(&value), sizeof value});
}

std::uint32_t word_at(Device& device, Coordinates tile, std::uint64_t address) {
  std::uint32_t value = 0;
  device.read(tile, address, {reinterpret_cast<std::uint8_t*>(&value), sizeof value});
  return value;
}

template <class Words>
void write_program(Device& device, Coordinates tile, const Words& words) {
  for (std::uint32_t i = 0; i < words.size(); ++i)
    write_word(device, tile, 4 * i, words[i]);
}

/// Counts up in L1, for ever. The fence sends each count on its way: Blackhole's stores wait for company.
constexpr std::array counts{rv::lui(rv::a0, counter >> 12U), rv::addi(rv::a1, rv::a1, 1), rv::sw(rv::a1, rv::a0, 0),
                            rv::fence, rv::jal(rv::zero, -12)};
/// Waits for a word of the host, puts another beside it, ends. The fence makes Blackhole look into L1 again.
constexpr std::array answers{rv::lui(rv::a0, counter >> 12U),
                             rv::fence,
                             rv::lw(rv::a1, rv::a0, 0),
                             rv::beq(rv::a1, rv::zero, -8),
                             rv::addi(rv::a1, rv::a1, 1),
                             rv::sw(rv::a1, rv::a0, 4),
                             rv::jal(rv::zero, 0)};

std::string only_fault(Device& device) {
  const std::vector<Fault> faults = device.take_faults();
  EXPECT_EQ(faults.size(), 1U);
  return faults.empty() ? "" : report::text_of(faults.front());
}

class DeviceOf : public testing::TestWithParam<Arch> {
 protected:
  Device device{GetParam()};
  std::vector<Coordinates> tensix() const {
    std::vector<Coordinates> tiles;
    const FloorPlan& plan = device.plan();
    for (std::uint32_t y = 0; y < plan.height(); ++y)
      for (std::uint32_t x = 0; x < plan.width(); ++x)
        if (plan.has_tensix({x, y})) tiles.push_back({x, y});
    return tiles;
  }
};
INSTANTIATE_TEST_SUITE_P(Archs, DeviceOf, testing::ValuesIn(all_archs),
                         [](const auto& chip) { return std::string(name(chip.param)); });

TEST_P(DeviceOf, EveryTensixTileHasAnL1OfItsOwn) {
  const auto tiles = tensix();
  EXPECT_EQ(tiles.size(), GetParam() == Arch::wormhole ? 80U : 140U);
  const std::array some{tiles.front(), tiles[7], tiles.back()};
  for (std::uint32_t i = 0; i < some.size(); ++i)
    write_word(device, some[i], 0x1000, 100 + i);
  for (std::uint32_t i = 0; i < some.size(); ++i)
    EXPECT_EQ(word_at(device, some[i], 0x1000), 100 + i);
  EXPECT_TRUE(device.take_faults().empty());
}

TEST_P(DeviceOf, ProgramsOfSeveralTilesRunAtTheSameTime) {
  const auto tiles = tensix();
  for (const Coordinates tile : {tiles[0], tiles[1], tiles[20]}) {
    write_program(device, tile, counts);
    write_word(device, tile, soft_reset, brisc_free);
  }
  device.clock(1000);
  const std::uint32_t first = word_at(device, tiles[0], counter);
  EXPECT_GT(first, 10U);
  EXPECT_EQ(word_at(device, tiles[1], counter), first);
  EXPECT_EQ(word_at(device, tiles[20], counter), first);
  write_word(device, tiles[1], soft_reset, all_held);
  device.clock(1000);
  EXPECT_LE(word_at(device, tiles[1], counter), first + 2) << "held in reset";
  EXPECT_GT(word_at(device, tiles[0], counter), first + 10);
}

TEST_P(DeviceOf, ManySmallStepsAreOneLargeOne) {
  const auto tiles = tensix();
  Device other(GetParam());
  for (Device* one : {&device, &other}) {
    write_program(*one, tiles[3], counts);
    write_word(*one, tiles[3], soft_reset, brisc_free);
  }
  other.clock(3000);
  for (int i = 0; i < 3000; ++i) {
    device.clock(1);
    if (i % 7 == 0) word_at(device, tiles[3], counter);
  }
  EXPECT_EQ(device.now(), other.now());
  EXPECT_EQ(word_at(device, tiles[3], counter), word_at(other, tiles[3], counter));
  EXPECT_GT(word_at(device, tiles[3], counter), 10U);
}

TEST_P(DeviceOf, IdleTileAnswersWhenTheHostWritesWhatItPolls) {
  const Coordinates tile = tensix()[0];
  write_program(device, tile, answers);
  write_word(device, tile, soft_reset, brisc_free);
  device.clock(1'000'000);
  EXPECT_EQ(word_at(device, tile, counter + 4), 0U);
  write_word(device, tile, counter, 41);
  device.clock(100);
  EXPECT_EQ(word_at(device, tile, counter + 4), 42U);
  EXPECT_EQ(device.now(), 1'000'100U);
}

TEST_P(DeviceOf, WallClockIsTheDevicesClock) {
  const auto tiles = tensix();
  device.clock(12'345);
  constexpr std::uint32_t wall_clock = 0xFFB121F0;
  EXPECT_EQ(word_at(device, tiles[5], wall_clock), 12'345U) << "a tile that nobody had touched";
  device.clock(5);
  EXPECT_EQ(word_at(device, tiles[5], wall_clock), 12'350U);
}

TEST_P(DeviceOf, MulticastReachesTheTensixTilesOfARectangle) {
  const auto tiles = tensix();
  const std::array<std::uint8_t, 4> bytes{1, 2, 3, 4};
  EXPECT_TRUE(device.multicast({tiles.front(), tiles.back()}, 0x400, bytes));
  for (const Coordinates tile : tiles)
    EXPECT_EQ(word_at(device, tile, 0x400), 0x04030201U);
  EXPECT_TRUE(device.multicast({{2, 2}, {3, 4}}, 0x500, bytes));
  unsigned reached = 0;
  for (const Coordinates tile : tiles)
    reached += word_at(device, tile, 0x500) != 0 ? 1U : 0U;
  EXPECT_EQ(reached, 6U);
}

TEST_P(DeviceOf, DramIsThreeViewsOfAMemory) {
  write_word(device, {0, 0}, 0x3000'0000, 77);
  EXPECT_EQ(word_at(device, {0, 11}, 0x3000'0000), 77U);
  EXPECT_EQ(word_at(device, {0, 5}, 0x3000'0000), 0U) << "another channel";
  EXPECT_TRUE(device.take_faults().empty());
  word_at(device, {0, 0}, noc::memory_bytes(GetParam()));
  EXPECT_NE(only_fault(device).find("DRAM"), std::string::npos);
}

/// A host with a page of memory, at the start of what the PCIe tile shows of it.
class HostPage : public HostPort {
 public:
  explicit HostPage(std::uint64_t base) : base_(base) {}
  std::optional<std::string> read_host(std::uint64_t address, std::span<std::uint8_t> to) override {
    if (address - base_ + to.size() > bytes.size()) return "not in the page";
    std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(address - base_), to.size(), to.begin());
    return std::nullopt;
  }
  std::optional<std::string> write_host(std::uint64_t address, std::span<const std::uint8_t> from) override {
    if (address - base_ + from.size() > bytes.size()) return "not in the page";
    std::ranges::copy(from, bytes.begin() + static_cast<std::ptrdiff_t>(address - base_));
    return std::nullopt;
  }
  std::array<std::uint8_t, 4096> bytes{};

 private:
  std::uint64_t base_;
};

class GuestsAndTheHost : public DeviceOf {
 protected:
  /// Writes 16 bytes of its own to the tile, reads 16 from 64 bytes behind them, and says so in the word at 0x100.
  void start(Coordinates edge, std::uint32_t address) {
    const Coordinates self = device.plan().translated(tensix().front());
    const Coordinates there = device.plan().translated(edge);
    test::NocProgram program(device.plan());
    program.target(self, 0x2000);
    program.back(there, address);
    program.go(test::ctrl_write, 16);
    program.wait(program.counter(noc::operator""_counter("NIU_MST_WR_ACK_RECEIVED", 23)), 1);
    program.target(there, address + 64);
    program.back(self, 0x3000);
    program.go(test::ctrl_read, 16);
    program.wait(program.counter(noc::operator""_counter("NIU_MST_RD_RESP_RECEIVED", 24)), 1);
    program.store(0x100, 1);
    program.stay();
    write_word(device, tensix().front(), 0x2000, 0xFEED);
    for (std::uint32_t i = 0; i < program.words().size(); ++i)
      write_word(device, tensix().front(), 0x4000 + 4 * i, program.words()[i]);
    device.release(tensix().front(), tile::CoreId::brisc, 0x4000);
  }
};
INSTANTIATE_TEST_SUITE_P(Archs, GuestsAndTheHost, testing::ValuesIn(all_archs),
                         [](const auto& chip) { return std::string(name(chip.param)); });

TEST_P(GuestsAndTheHost, AGuestWritesToTheHostsMemoryAndReadsIt) {
  HostPage page(0x1000);
  page.bytes[64] = 0x5A;
  device.host = &page;
  start(device.plan().pcie(), 0x1000);
  const auto end = device.run_until_word(tensix().front(), 0x100, 1, 100'000);
  EXPECT_TRUE(end.met);
  const auto latency = Timing(GetParam()).whole<Cycle>("pcie_read_latency"_cycles);
  EXPECT_GT(end.cycles, latency);
  EXPECT_EQ(page.bytes[0], 0xED);
  EXPECT_EQ(page.bytes[1], 0xFE);
  EXPECT_EQ(word_at(device, tensix().front(), 0x3000), 0x5AU);
}

TEST_P(GuestsAndTheHost, WhatNobodyAnswersIsAFaultWithItsIssuer) {
  HostPage page(0x1000);
  device.host = &page;
  start(device.plan().pcie(), 0x8000);
  EXPECT_FALSE(device.run_until_word(tensix().front(), 0x100, 1, 100'000).met);
  const std::string text = only_fault(device);
  EXPECT_NE(text.find("BRISC of tile"), std::string::npos) << text;
  EXPECT_NE(text.find("writes to 0x8000 of tile "), std::string::npos) << text;
  EXPECT_NE(text.find("not in the page"), std::string::npos) << text;
}

TEST_P(GuestsAndTheHost, WithoutAHostThereIsNobody) {
  start(device.plan().pcie(), 0x1000);
  device.run_until_word(tensix().front(), 0x100, 1, 100'000);
  EXPECT_NE(only_fault(device).find("no host is behind this tile"), std::string::npos);
}

// As tt-umd's ClusterBH.WriteCountMatchesPostedWrites counts them: the register that it names is that of data flits.
TEST_P(DeviceOf, TheNiuCountsWhatTheHostWrites) {
  const std::uint32_t counted = 0xFFB20200 + 4 * noc::operator""_counter("NIU_SLV_NONPOSTED_WR_DATA_WORD_RECEIVED", 39);
  const Coordinates tile = tensix().front();
  const std::uint32_t before = word_at(device, tile, counted);
  for (std::uint32_t i = 1; i <= 10; ++i) {
    write_word(device, tile, 0, i);
    EXPECT_EQ(word_at(device, tile, counted) - before, i);
    EXPECT_EQ(word_at(device, tile, 0), i);
    device.clock(10);
  }
}

TEST_P(DeviceOf, EthernetPortsAreDown) {
  const Coordinates tile = GetParam() == Arch::wormhole ? Coordinates{1, 0} : Coordinates{20, 25};
  EXPECT_EQ(word_at(device, tile, GetParam() == Arch::wormhole ? 0x1104 : 0x7CC04), 2U);
  write_word(device, tile, 0x100, 9);
  EXPECT_EQ(word_at(device, tile, 0x100), 9U);
  EXPECT_TRUE(device.take_faults().empty());
}

TEST_P(DeviceOf, WhatIsNotModelledIsAFaultThatStopsTheDevice) {
  const Coordinates tile = tensix()[0];
  EXPECT_EQ(word_at(device, tile, 0xFFB20300), 0xFFFFFFFFU);
  const std::string text = only_fault(device);
  EXPECT_NE(text.find("NoC 0 NIU: not modelled yet"), std::string::npos) << text;
  EXPECT_TRUE(device.is_stopped());
  device.clock(10);
  EXPECT_EQ(device.now(), 0U);
}

TEST_P(DeviceOf, CoreThatStopsIsReportedAndResetBringsItBack) {
  const auto tiles = tensix();
  constexpr rv::Word ebreak = 0x00100073;
  write_program(device, tiles[0], std::array{rv::nop, ebreak});
  write_word(device, tiles[0], soft_reset, brisc_free);
  device.clock(20'000);
  device.settle();
  const std::string text = only_fault(device);
  EXPECT_NE(text.find("BRISC"), std::string::npos) << text;
  EXPECT_TRUE(device.is_stopped());
  const Cycle stopped = device.now();
  device.clock(100);
  EXPECT_EQ(device.now(), stopped);
  write_word(device, tiles[0], soft_reset, all_held);
  EXPECT_FALSE(device.is_stopped());
  write_program(device, tiles[0], counts);
  write_word(device, tiles[0], soft_reset, brisc_free);
  device.clock(1000);
  EXPECT_GT(word_at(device, tiles[0], counter), 10U);
  EXPECT_TRUE(device.take_faults().empty());
}

TEST(Device, OtherTilesGoOnIfTheyAreTold) {
  Device device(Arch::blackhole, OnFault::go_on);
  constexpr rv::Word ebreak = 0x00100073;
  write_program(device, {1, 2}, std::array{ebreak});
  write_program(device, {2, 2}, counts);
  for (const std::uint32_t x : {1U, 2U})
    write_word(device, {x, 2}, soft_reset, brisc_free);
  device.clock(100'000);
  device.settle();
  EXPECT_FALSE(device.is_stopped());
  EXPECT_EQ(device.take_faults().size(), 1U);
  EXPECT_GT(word_at(device, {2, 2}, counter), 1000U);
}

TEST_P(DeviceOf, RunsUntilAWordHasItsValueAndNoFurther) {
  const auto tiles = tensix();
  write_program(device, tiles[2], counts);
  write_word(device, tiles[2], soft_reset, brisc_free);
  const Device::RunEnd end = device.run_until_word(tiles[2], counter, 500, 1'000'000);
  EXPECT_TRUE(end.met);
  EXPECT_EQ(end.cycles, device.now());
  EXPECT_EQ(word_at(device, tiles[2], counter), 500U);
  EXPECT_FALSE(device.run_until_word(tiles[2], counter, 0, 100).met);
  EXPECT_EQ(device.now(), end.cycles + 100);
}

TEST_P(DeviceOf, BudgetPastTheEndOfTimeIsOneToTheEnd) {
  const auto tiles = tensix();
  write_program(device, tiles[0], counts);
  write_word(device, tiles[0], soft_reset, brisc_free);
  device.clock(100);
  EXPECT_TRUE(device.run_until_word(tiles[0], counter, 50, ~tensix::Cycle{}).met);
}

TEST_P(DeviceOf, CopyIsASnapshot) {
  const auto tiles = tensix();
  write_program(device, tiles[2], counts);
  write_word(device, tiles[2], soft_reset, brisc_free);
  device.clock(500);
  Device before = device;
  device.clock(20'000);
  const std::uint32_t later = word_at(device, tiles[2], counter);
  EXPECT_EQ(before.now(), 500U);
  before.clock(20'000);
  EXPECT_EQ(word_at(before, tiles[2], counter), later);
}

TEST_P(DeviceOf, AssignedDeviceIsReadAnew) {
  const Coordinates tile = tensix()[0];
  write_word(device, tile, 0x100, 1);
  const Device before = device;
  write_word(device, tile, 0x100, 2);
  EXPECT_EQ(word_at(device, tile, 0x100), 2U);
  device = before;
  EXPECT_EQ(word_at(device, tile, 0x100), 1U);
}

}  // namespace
}  // namespace tensim::device
