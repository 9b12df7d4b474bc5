#include "device/niu.hpp"

#include <gtest/gtest.h>

#include "device/device.hpp"
#include "report/device_faults.hpp"

namespace tensim::device {
namespace {

/// What the host reads there; nothing if it is a fault.
std::optional<std::uint32_t> read(Device& device, Coordinates tile, std::uint64_t address, unsigned noc = 0) {
  std::uint32_t value = 0;
  if (!device.read(tile, address, {reinterpret_cast<std::uint8_t*>(&value), sizeof value}, noc)) return std::nullopt;
  return value;
}

constexpr std::uint32_t place(std::uint32_t x, std::uint32_t y) {
  return x | y << 6U;
}

constexpr std::uint32_t coordinates_mask = 0xFFF;

TEST(Niu, TensixTileSaysWhereItIsOnEitherNoc) {
  Device wormhole(Arch::wormhole);
  constexpr std::uint32_t wormhole_size = 10U << 12U | 12U << 19U;
  EXPECT_EQ(read(wormhole, {1, 1}, 0xFFB2002C), place(1, 1) | wormhole_size | 1U << 28U);
  EXPECT_EQ(read(wormhole, {1, 1}, 0xFFB3002C), place(8, 10) | wormhole_size);
  EXPECT_EQ(read(wormhole, {1, 1}, 0xFFB20138), place(18, 18)) << "translated";
  Device blackhole(Arch::blackhole);
  constexpr std::uint32_t blackhole_size = 17U << 12U | 12U << 19U;
  EXPECT_EQ(read(blackhole, {15, 10}, 0xFFB20044), place(15, 10) | blackhole_size | 1U << 28U);
  EXPECT_EQ(read(blackhole, {16, 11}, 0xFFB20044), place(16, 11) | blackhole_size | 7U << 26U) << "with both datelines";
  EXPECT_EQ(read(blackhole, {16, 11}, 0xFFB30044), place(0, 0) | blackhole_size);
  EXPECT_EQ(read(blackhole, {16, 11}, 0xFFB20148), place(16, 11));
  EXPECT_TRUE(wormhole.take_faults().empty());
  EXPECT_TRUE(blackhole.take_faults().empty());
}

TEST(Niu, TranslationIsOnEverywhere) {
  for (const Arch arch : all_archs) {
    Device device(arch);
    EXPECT_EQ(read(device, {1, 2}, 0xFFB20100), 1U << 14U);
    const std::uint64_t edge = arch == Arch::wormhole ? 0xF'FFB2'0100 : 0xFFFF'FFFF'FF00'0100;
    EXPECT_EQ(read(device, device.plan().arc(), edge), 1U << 14U);
    EXPECT_EQ(read(device, device.plan().pcie(), edge), 1U << 14U);
    EXPECT_TRUE(device.take_faults().empty());
  }
}

TEST(Niu, TilesWithoutCoresShowTheNiuByWhichTheHostCame) {
  Device wormhole(Arch::wormhole);
  EXPECT_EQ(*read(wormhole, {0, 10}, 0xF'FFB2'002C, 0) & coordinates_mask, place(0, 10));
  EXPECT_EQ(*read(wormhole, {9, 1}, 0xF'FFB2'002C, 1) & coordinates_mask, place(9, 1));
  EXPECT_EQ(*read(wormhole, {9, 9}, 0xFFB2'002C, 1) & coordinates_mask, place(9, 9)) << "a router alone";
  Device blackhole(Arch::blackhole);
  EXPECT_EQ(*read(blackhole, {8, 5}, 0xFFFF'FFFF'FF00'0044, 0) & coordinates_mask, place(8, 5)) << "L2CPU";
  EXPECT_EQ(*read(blackhole, {14, 0}, 0xFFFF'FFFF'FF00'0044, 1) & coordinates_mask, place(14, 11)) << "PCIe";
  EXPECT_EQ(*read(blackhole, {15, 0}, 0xFF00'0044, 1) & coordinates_mask, place(15, 11)) << "a router alone";
  EXPECT_TRUE(wormhole.take_faults().empty());
  EXPECT_TRUE(blackhole.take_faults().empty());
}

TEST(Niu, WormholesDramTilesHaveTheirsAmongSix) {
  Device device(Arch::wormhole);
  EXPECT_EQ(*read(device, {0, 1}, 0x1'0008'002C) & coordinates_mask, place(0, 1));
  EXPECT_EQ(*read(device, {0, 11}, 0x1'0009'002C) & coordinates_mask, place(0, 11));
  EXPECT_EQ(*read(device, {0, 0}, 0x1'000A'802C) & coordinates_mask, place(9, 11)) << "NoC 1's";
  EXPECT_EQ(*read(device, {0, 0}, 0x1'000A'0138) & coordinates_mask, place(16, 16));
  EXPECT_TRUE(device.take_faults().empty());
  EXPECT_FALSE(read(device, {0, 0}, 0x1'0008'002C)) << "another tile's";
  EXPECT_EQ(device.take_faults().size(), 1U);
}

TEST(Niu, BlackholesDramTilesHaveTheirsBehindMemory) {
  Device device(Arch::blackhole);
  EXPECT_EQ(*read(device, {17, 12}, 0xFFB20044) & coordinates_mask, place(0, 0));
  EXPECT_EQ(*read(device, {17, 12}, 0xFFB20148) & coordinates_mask, place(17, 12));
  EXPECT_EQ(read(device, {17, 12}, 0xFEFF'FFFC), 0U) << "the last word of memory";
  EXPECT_TRUE(device.take_faults().empty());
  for (const std::uint64_t address : {0xFF00'0000, 0xFFB2'0040}) {  // registers, and not memory
    EXPECT_FALSE(read(device, {17, 12}, address));
    EXPECT_NE(report::text_of(device.take_faults().at(0)).find("DRAM: not modelled yet"), std::string::npos);
    const std::array<std::uint8_t, 4> bytes{1};
    EXPECT_FALSE(device.write({17, 12}, address, bytes));
    EXPECT_EQ(device.take_faults().size(), 1U);
  }
}

TEST(Niu, WhatDoesNotIdentifyItIsAFault) {
  for (const Arch arch : all_archs) {
    Device device(arch);
    EXPECT_FALSE(read(device, {1, 2}, 0xFFB20300));  // the router's, for debugging
    EXPECT_NE(report::text_of(device.take_faults().at(0)).find("NIU: not modelled yet"), std::string::npos);
    const std::uint64_t edge = arch == Arch::wormhole ? 0xF'FFB2'0000 : 0xFFFF'FFFF'FF00'0000;
    EXPECT_FALSE(read(device, device.plan().arc(), edge));
    EXPECT_NE(report::text_of(device.take_faults().at(0)).find("ARC: not modelled yet"), std::string::npos);
  }
}

}  // namespace
}  // namespace tensim::device
