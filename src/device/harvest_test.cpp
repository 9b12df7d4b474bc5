// A device of which something is off.
#include <gtest/gtest.h>

#include "device/device.hpp"
#include "report/device_faults.hpp"

namespace tensim::device {
namespace {

Device device_of(std::string_view product) {
  return Device(FloorPlan(*noc::product(product)), OnFault::go_on);
}

std::optional<std::uint32_t> read(Device& device, Coordinates tile, std::uint64_t address) {
  std::uint32_t value = 0;
  if (!device.read(tile, address, {reinterpret_cast<std::uint8_t*>(&value), sizeof value})) return std::nullopt;
  return value;
}

bool write(Device& device, Coordinates tile, std::uint64_t address, std::uint32_t value) {
  return device.write(tile, address, {reinterpret_cast<const std::uint8_t*>(&value), sizeof value});
}

TEST(HarvestedDevice, NamesLeadAroundWhatIsOff) {
  Device n300 = device_of("n300");  // rows 3 and 11
  EXPECT_TRUE(write(n300, {18, 20}, 0x100, 7));
  EXPECT_EQ(read(n300, {1, 4}, 0x100), 7U);
  EXPECT_EQ(read(n300, {1, 4}, 0xFFB20138), 18U | 20U << 6U) << "NOC_ID_LOGICAL";
  Device p100 = device_of("p100");  // columns 7 and 10
  EXPECT_TRUE(write(p100, {7, 2}, 0x100, 8));
  EXPECT_EQ(read(p100, {7, 2}, 0xFFB20044).value_or(0) & 0xFFFU, 11U | 2U << 6U) << "NOC_NODE_ID";
  EXPECT_TRUE(n300.take_faults().empty());
  EXPECT_TRUE(p100.take_faults().empty());
}

TEST(HarvestedDevice, NothingOfATileThatIsOffAnswersButItsNiu) {
  Device device = device_of("p100");
  // A Tensix tile by its name, the memory that is off, an Ethernet tile.
  for (const Coordinates tile : {Coordinates{16, 2}, {18, 21}, {20, 25}}) {
    EXPECT_FALSE(read(device, tile, 0x100));
    EXPECT_FALSE(write(device, tile, 0x100, 1));
    const auto faults = device.take_faults();
    ASSERT_EQ(faults.size(), 2U);
    for (const Fault& fault : faults)
      EXPECT_NE(report::text_of(fault).find("it is off (harvested)"), std::string::npos) << report::text_of(fault);
    EXPECT_TRUE(read(device, tile, 0xFFB20044)) << "NOC_NODE_ID";
  }
  EXPECT_FALSE(device.release({16, 2}, tile::CoreId::brisc, 0));
  EXPECT_TRUE(device.take_faults().empty());
}

TEST(HarvestedDevice, MulticastsPassTilesThatAreOff) {
  Device device = device_of("p100");
  const std::array<std::uint8_t, 4> bytes{1, 2, 3, 4};
  EXPECT_TRUE(device.multicast({{1, 2}, {14, 11}}, 0x400, bytes));
  for (std::uint32_t x = 1; x <= 14; ++x)
    EXPECT_TRUE(x == 8 || x == 9 || read(device, {x, 11}, 0x400) == 0x04030201U) << x;
  EXPECT_TRUE(device.take_faults().empty());
}

/// As tt-umd reads it: device/tt_device/{wormhole,blackhole}_tt_device.cpp.
TEST(HarvestedDevice, FirmwareTellsTheHostWhatIsOff) {
  const auto value = [](const Device& device, std::uint16_t tag) {
    for (const Telemetry& row : telemetry(device.plan()))
      if (row.tag == tag) return row.value;
    return ~0U;
  };
  const Device p100 = device_of("p100");
  EXPECT_EQ(value(p100, 34), 0x0FFFU) << "ENABLED_TENSIX_COL";
  EXPECT_EQ(value(p100, 35), 0U) << "ENABLED_ETH";
  EXPECT_EQ(value(p100, 36), 0xF7U) << "ENABLED_GDDR";
  EXPECT_EQ(value(p100, 38), 4U) << "PCIE_USAGE: the second is the endpoint";
  const Device p150 = device_of("p150");
  EXPECT_EQ(value(p150, 35), 0x3EDFU);
  EXPECT_EQ(value(p150, 38), 1U);
  Device n150 = device_of("n150");
  const Coordinates arc = n150.plan().arc();
  const std::uint64_t registers = arc_noc_base(Arch::wormhole) + ArcMap::registers_base;
  EXPECT_TRUE(write(n150, arc, registers + ArcMap::scratch + 20, 0xAA57));  // ARC_GET_HARVESTING
  EXPECT_TRUE(write(n150, arc, registers + ArcMap::control, 1U << 16U));
  EXPECT_EQ(read(n150, arc, registers + ArcMap::scratch + 12), 1U) << "row 11 is the die's first";
}

TEST(HarvestedDevice, CopyIsOffInTheSamePlaces) {
  const Device device = device_of("n300");
  Device copy = device;
  EXPECT_FALSE(read(copy, {1, 3}, 0));
  EXPECT_EQ(copy.plan().off(), device.plan().off());
}

}  // namespace
}  // namespace tensim::device
