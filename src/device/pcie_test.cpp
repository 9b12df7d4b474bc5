#include "device/pcie.hpp"

#include <cstring>

#include <gtest/gtest.h>

#include "report/device_faults.hpp"

namespace tensim::device {
namespace {

/// A client's side of BAR0.
struct Client {
  explicit Client(Arch arch) : device(arch), pcie(device) {
    bar0 = base_of(0x10);
    bar2 = base_of(0x18);
    bar4 = base_of(0x20);
  }
  std::uint64_t base_of(std::uint32_t offset) {
    return (pcie.read_config(0, offset) & ~15U) | std::uint64_t{pcie.read_config(0, offset + 4)} << 32U;
  }
  void write(std::uint64_t address, std::uint32_t value) {
    pcie.write(address, {reinterpret_cast<const std::uint8_t*>(&value), sizeof value});
  }
  std::uint32_t read(std::uint64_t address) {
    std::uint32_t value = 0;
    pcie.read(address, {reinterpret_cast<std::uint8_t*>(&value), sizeof value});
    return value;
  }
  std::string fault() {
    const auto faults = device.take_faults();
    return faults.empty() ? "" : report::text_of(faults.front());
  }

  Device device;
  Pcie pcie;
  std::uint64_t bar0 = 0;
  std::uint64_t bar2 = 0;
  std::uint64_t bar4 = 0;
};

constexpr std::uint32_t l1_word = 0x1230;

TEST(Pcie, ConfigurationSpaceNamesTheChip) {
  EXPECT_EQ(Client(Arch::wormhole).pcie.read_config(0, 0), 0x401E1E52U);
  EXPECT_EQ(Client(Arch::blackhole).pcie.read_config(0, 0), 0xB1401E52U);
  EXPECT_EQ(Client(Arch::blackhole).pcie.read_config(8, 0), 0xFFFFFFFFU) << "no other device";
}

TEST(Pcie, WormholesWindowsOfEachSizeShowATile) {
  Client client(Arch::wormhole);
  const std::uint32_t place = 18U | 18U << 6U;
  struct Row {
    unsigned number;
    unsigned address_bits;
    std::uint64_t base;
  };
  for (const Row& row : {Row{0, 16, 0}, Row{155, 16, 155U << 20U}, Row{156, 15, 0x9C00000}, Row{165, 15, 0xAE00000},
                         Row{166, 12, 0xB000000}, Row{185, 12, 0x1E000000}}) {
    const std::uint64_t value = std::uint64_t{place} << row.address_bits;
    client.write(client.bar0 + 0x1FC00000 + 8 * row.number, static_cast<std::uint32_t>(value));
    client.write(client.bar0 + 0x1FC00004 + 8 * row.number, static_cast<std::uint32_t>(value >> 32U));
    client.write(client.bar0 + row.base + l1_word, 1000 + row.number);
    std::uint32_t word = 0;
    client.device.read({1, 1}, l1_word, {reinterpret_cast<std::uint8_t*>(&word), sizeof word});
    EXPECT_EQ(word, 1000 + row.number);
    EXPECT_EQ(client.read(client.bar0 + row.base + l1_word), word);
  }
  EXPECT_EQ(client.fault(), "");
  EXPECT_EQ(client.read(client.bar4 + 0x1C00000 + 8 * 166), place << 12U) << "BAR4 is the end of BAR0";
}

TEST(Pcie, BlackholesWindowsShowATileAndDram) {
  Client client(Arch::blackhole);
  const auto point = [&](unsigned number, std::uint64_t low, std::uint32_t high) {
    client.write(client.bar0 + 0x1FC00000 + 12 * number, static_cast<std::uint32_t>(low));
    client.write(client.bar0 + 0x1FC00004 + 12 * number, static_cast<std::uint32_t>(low >> 32U));
    client.write(client.bar0 + 0x1FC00008 + 12 * number, high);
  };
  point(3, std::uint64_t{16} << 43U | std::uint64_t{11} << 49U, 0);
  client.write(client.bar0 + 3 * 0x200000 + l1_word, 5);
  std::uint32_t word = 0;
  client.device.read({16, 11}, l1_word, {reinterpret_cast<std::uint8_t*>(&word), sizeof word});
  EXPECT_EQ(word, 5U);
  point(203, std::uint64_t{17} << 32U | std::uint64_t{13} << 38U, 0);
  client.write(client.bar4 + (std::uint64_t{1} << 32U) + 0xF0000000, 6);
  client.device.read({0, 0}, 0xF0000000, {reinterpret_cast<std::uint8_t*>(&word), sizeof word});
  EXPECT_EQ(word, 6U);
  // A rectangle: start in the second word's end and the third, multicast in the third.
  point(4, std::uint64_t{3} << 43U | std::uint64_t{4} << 49U | std::uint64_t{2} << 55U | std::uint64_t{3} << 61U,
        1U << 5U);
  client.write(client.bar0 + 4 * 0x200000 + l1_word, 9);
  for (const std::uint32_t y : {2U, 3U, 4U, 5U}) {
    client.device.read({2, y}, l1_word, {reinterpret_cast<std::uint8_t*>(&word), sizeof word});
    EXPECT_EQ(word, y == 3 || y == 4 ? 9U : 0U);
  }
  EXPECT_EQ(client.fault(), "");
  client.read(client.bar0 + 4 * 0x200000);
  EXPECT_NE(client.fault().find("multicast"), std::string::npos);
}

TEST(Pcie, AccessOverAWindowsEndIsAFault) {
  Client client(Arch::blackhole);
  client.read(client.bar0 + 0x200000 - 2);
  EXPECT_NE(client.fault().find("BAR0 at 0x1ffffe"), std::string::npos);
}

TEST(Pcie, WhatIsInNoBarIsAFault) {
  Client client(Arch::blackhole);
  EXPECT_EQ(client.read(4), 0xFFFFFFFFU);
  EXPECT_NE(client.fault().find("not in a BAR"), std::string::npos);
  client.read(client.bar0 + 0x1FF00000);
  EXPECT_NE(client.fault().find("BAR0 at 0x1ff00000"), std::string::npos) << "ARC is behind the other PCIe tile";
  client.write(client.bar0 + 0x1FC00000 + 210 * 12 + 32 * 4 - 2, 0);
  EXPECT_NE(client.fault().find("BAR0 at 0x1fc00a56"), std::string::npos) << "over the end of the windows' registers";
}

TEST(Pcie, WormholesBar0ShowsTheArcTile) {
  Client client(Arch::wormhole);
  EXPECT_EQ(client.read(client.bar0 + 0x1FF30060), 0xC0DE0001U);
  EXPECT_EQ(client.read(client.bar4 + 0x01F30060), 0xC0DE0001U);
  client.write(client.bar0 + 0x1FE80040, 5);
  std::uint32_t word = 0;
  client.device.read({0, 10}, 0x8'1000'0040, {reinterpret_cast<std::uint8_t*>(&word), sizeof word});
  EXPECT_EQ(word, 5U);
  EXPECT_EQ(client.fault(), "");
  client.read(client.bar0 + 0x1FF00000);
  EXPECT_NE(client.fault().find("ARC: not modelled yet"), std::string::npos);
}

TEST(Pcie, BlackholesBar0ShowsItsOwnNius) {
  Client client(Arch::blackhole);
  EXPECT_EQ(client.read(client.bar0 + 0x1FD04044) & 0xFFFU, 2U);
  EXPECT_EQ(client.read(client.bar0 + 0x1FD14044) & 0xFFFU, 14U | 11U << 6U);
  EXPECT_EQ(client.read(client.bar0 + 0x1FD04100), 1U << 14U) << "coordinates are translated";
  EXPECT_EQ(client.fault(), "");
}

TEST(Pcie, PcieTileWithoutHostMemoryIsAFault) {
  Client client(Arch::wormhole);
  std::uint32_t word = 0;
  client.device.read({0, 3}, 0x8'0000'0000, {reinterpret_cast<std::uint8_t*>(&word), sizeof word});
  EXPECT_NE(client.fault().find("no host memory is behind it"), std::string::npos);
}

TEST(Pcie, OutboundRegionsAreKept) {
  for (const Arch arch : all_archs) {
    Client client(arch);
    const std::uint64_t iatu = client.bar2 + (arch == Arch::blackhole ? 0x1000U : 0x1200U);
    client.write(iatu + 0x200 * 3 + 0x14, 0x40000000);
    EXPECT_EQ(client.read(iatu + 0x200 * 3 + 0x14), 0x40000000U);
    EXPECT_EQ(client.fault(), "");
  }
}

}  // namespace
}  // namespace tensim::device
