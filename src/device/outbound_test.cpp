#include "device/outbound.hpp"

#include <array>
#include <cstring>

#include <gtest/gtest.h>

namespace tensim::device {
namespace {

/// The registers of an iATU.
class Iatu {
 public:
  void map(std::size_t region, std::uint64_t base, std::uint32_t bytes, std::uint64_t target) {
    const std::uint64_t limit = base + bytes - 1;
    set(region, 0x08, static_cast<std::uint32_t>(base));
    set(region, 0x0C, static_cast<std::uint32_t>(base >> 32U));
    set(region, 0x10, static_cast<std::uint32_t>(limit));
    set(region, 0x14, static_cast<std::uint32_t>(target));
    set(region, 0x18, static_cast<std::uint32_t>(target >> 32U));
    set(region, 0x04, 1U << 31U);
  }
  std::span<const std::uint8_t> registers() const { return bytes_; }

 private:
  void set(std::size_t region, std::size_t offset, std::uint32_t value) {
    std::memcpy(bytes_.data() + region * outbound_region_bytes + offset, &value, sizeof value);
  }
  std::array<std::uint8_t, outbound_bytes> bytes_{};
};

constexpr std::uint64_t gibibyte = std::uint64_t{1} << 30U;
constexpr std::uint64_t wormhole_host = 0x8'0000'0000;
constexpr std::uint64_t blackhole_host = std::uint64_t{4} << 58U;

TEST(Outbound, RegionsMoveWhatIsInThem) {
  Iatu iatu;
  iatu.map(0, 0, gibibyte, 0x12'0000'0000);
  iatu.map(15, gibibyte, gibibyte, 0x20'0000'0000);
  for (const Arch arch : all_archs) {
    const std::uint64_t host = arch == Arch::wormhole ? wormhole_host : blackhole_host;
    EXPECT_EQ(outbound_address(arch, iatu.registers(), host + 0x40, 4), 0x12'0000'0040U);
    EXPECT_EQ(outbound_address(arch, iatu.registers(), host + gibibyte, 4), 0x20'0000'0000U);
    EXPECT_EQ(outbound_address(arch, iatu.registers(), host + 2 * gibibyte, 4), 2 * gibibyte) << "no region: its own";
    EXPECT_EQ(outbound_address(arch, iatu.registers(), host + gibibyte - 2, 4), gibibyte - 2) << "over the end";
  }
}

TEST(Outbound, BlackholesFirstWindowsGoPastTheRegions) {
  Iatu iatu;
  iatu.map(0, 0, gibibyte, 0x12'0000'0000);
  EXPECT_EQ(outbound_address(Arch::blackhole, iatu.registers(), 0x40, 4), 0x40U);
  EXPECT_FALSE(outbound_address(Arch::blackhole, iatu.registers(), std::uint64_t{8} << 58U, 4));
}

TEST(Outbound, OutsideOfTheHostsPartIsNothing) {
  const Iatu iatu;
  EXPECT_FALSE(outbound_address(Arch::wormhole, iatu.registers(), wormhole_host - 4, 4));
  EXPECT_FALSE(outbound_address(Arch::wormhole, iatu.registers(), wormhole_host + 0xFFFE'0000 - 2, 4));
  EXPECT_TRUE(outbound_address(Arch::wormhole, iatu.registers(), wormhole_host + 0xFFFE'0000 - 4, 4));
  EXPECT_FALSE(outbound_address(Arch::wormhole, iatu.registers(), wormhole_host, 0));
}

}  // namespace
}  // namespace tensim::device
