#include "device/arc.hpp"

#include <map>
#include <vector>

#include <gtest/gtest.h>

#include "device/device.hpp"
#include "report/device_faults.hpp"

namespace tensim::device {
namespace {

/// A host that talks to the ARC tile over NoC 0.
struct Host {
  explicit Host(Arch chip) : device(chip), arch(chip), base(arc_noc_base(chip)) {}

  std::uint32_t read(std::uint64_t on_crossbar) {
    std::uint32_t value = 0;
    device.read(device.plan().arc(), base + on_crossbar, {reinterpret_cast<std::uint8_t*>(&value), sizeof value});
    return value;
  }
  void write(std::uint64_t on_crossbar, std::uint32_t value) {
    device.write(device.plan().arc(), base + on_crossbar,
                 {reinterpret_cast<const std::uint8_t*>(&value), sizeof value});
  }
  std::string fault() {
    const auto faults = device.take_faults();
    return faults.empty() ? "" : report::text_of(faults.front());
  }

  /// As tt-umd reads it.
  std::map<std::uint32_t, std::uint32_t> telemetry() {
    const bool is_wormhole = arch == Arch::wormhole;
    const std::uint32_t tags = read(is_wormhole ? 0x800301D0 : 0x80030434);
    const std::uint32_t values = read(is_wormhole ? 0x800301D4 : 0x80030430);
    std::map<std::uint32_t, std::uint32_t> entries;
    const std::uint32_t count = read(tags + 4);
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t tag = read(tags + 8 + 4 * i);
      entries[tag & 0xFFFF] = read(values + 4 * (tag >> 16U));
    }
    return entries;
  }

  /// Wormhole: the answer; nothing if it was not understood.
  std::optional<std::uint32_t> send(std::uint32_t code, std::uint32_t argument) {
    write(0x8003006C, argument);
    write(0x80030074, 0xAA00 | code);
    write(0x80030100, read(0x80030100) | 1U << 16U);
    EXPECT_EQ(read(0x80030100) & 1U << 16U, 0U);
    if (read(0x80030074) == 0xFFFFFFFF) return std::nullopt;
    EXPECT_EQ(read(0x80030074), code);
    return read(0x8003006C);
  }

  /// Blackhole: status and answer.
  std::pair<std::uint32_t, std::uint32_t> send_by_queue(std::uint32_t number, std::uint32_t code, std::uint32_t word) {
    const std::uint32_t block = read(0x8003042C);
    const std::uint32_t entries = read(block + 4) & 0xFF;
    const std::uint32_t queue = read(block) + number * (32 + 2 * entries * 32);
    const std::uint32_t at = read(queue);
    write(queue + 32 + at % entries * 32, code);
    write(queue + 32 + at % entries * 32 + 4, word);
    write(queue, (at + 1) % (2 * entries));
    write(0x80030100, 1U << 16U);
    const std::uint32_t from = read(queue + 4);
    EXPECT_NE(from, read(queue + 20)) << "there is an answer";
    const std::uint32_t reply = queue + 32 + (entries + from % entries) * 32;
    write(queue + 4, (from + 1) % (2 * entries));
    return {read(reply), read(reply + 4)};
  }

  Device device;
  Arch arch;
  std::uint64_t base;
};

TEST(Arc, IsUpAndReadyForMessages) {
  Host wormhole(Arch::wormhole);
  EXPECT_EQ(wormhole.read(0x80030060), 0xC0DE0001U);
  EXPECT_EQ(wormhole.read(0x80030074), 0U);
  Host blackhole(Arch::blackhole);
  EXPECT_EQ(blackhole.read(0x80030408) & 7U, 5U);
  EXPECT_EQ(wormhole.fault() + blackhole.fault(), "");
}

TEST(Arc, TelemetryNamesTheCardAndWhatWorksOnIt) {
  auto wormhole = Host(Arch::wormhole).telemetry();
  EXPECT_EQ(wormhole.at(1) >> 4U, 0x18U) << "n150";
  EXPECT_EQ(wormhole.at(28), 0x120C0000U) << "firmware";
  EXPECT_EQ(wormhole.at(22), 0x555U) << "six memories are trained";
  auto blackhole = Host(Arch::blackhole).telemetry();
  EXPECT_EQ(blackhole.at(1) >> 4U, 0x40U) << "p150";
  EXPECT_EQ(blackhole.at(34), 0x3FFFU);
  EXPECT_EQ(blackhole.at(35), 0x3FFFU & ~0x120U) << "as clients suppose of a simulator";
  EXPECT_EQ(blackhole.at(36), 0xFFU);
}

TEST(Arc, WormholeHasItsVersionWhereOlderFirmwareHadIt) {
  Host host(Arch::wormhole);
  EXPECT_EQ(host.read(0x20078D60 + 4 * 49), 0x120C0000U);
  EXPECT_EQ(host.read(*host.send(0x2C, 0) + 4 * 49), 0x120C0000U);
  EXPECT_EQ(host.fault(), "");
}

TEST(Arc, AnswersMessagesInScratchRegisters) {
  Host host(Arch::wormhole);
  EXPECT_EQ(host.send(0x57, 0), 0U) << "nothing is missing";
  EXPECT_EQ(host.send(0x90, 41), 42U);
  EXPECT_EQ(host.send(0x34, 0), 500U);
  EXPECT_TRUE(host.send(0x52, 0)) << "busy";
  EXPECT_EQ(host.send(0x34, 0), 1000U);
  EXPECT_EQ(host.telemetry().at(14), 1000U);
  EXPECT_TRUE(host.send(0x54, 0)) << "idle";
  EXPECT_EQ(host.send(0x34, 0), 500U);
  EXPECT_EQ(host.fault(), "");
}

TEST(Arc, AnswersMessagesInEachQueueRoundAndRound) {
  Host host(Arch::blackhole);
  for (std::uint32_t i = 0; i < 40; ++i)
    EXPECT_EQ(host.send_by_queue(i % 4, 0x90, i), (std::pair{0U, i + 1}));
  EXPECT_EQ(host.telemetry().at(14), 800U);
  host.send_by_queue(2, 0x52, 0);
  EXPECT_EQ(host.telemetry().at(14), 1350U);
  EXPECT_EQ(host.fault(), "");
}

TEST(Arc, MessageThatIsNotModelledIsAFaultAndSaidNotToBeUnderstood) {
  Host wormhole(Arch::wormhole);
  EXPECT_FALSE(wormhole.send(0x97, 0));
  EXPECT_NE(wormhole.fault().find("message 0x97"), std::string::npos);
  Host blackhole(Arch::blackhole);
  EXPECT_EQ(blackhole.send_by_queue(0, 0x17, 0).first, 0xFFU);
  EXPECT_NE(blackhole.fault().find("message 0x17"), std::string::npos);
}

TEST(Arc, QueueWithSpoiltPointersIsAFault) {
  Host host(Arch::blackhole);
  host.write(host.read(host.read(0x8003042C)), 12);
  host.write(0x80030100, 1U << 16U);
  EXPECT_NE(host.fault().find("more than it can"), std::string::npos);
}

TEST(Arc, OtherRegistersAreFaults) {
  for (const Arch arch : all_archs) {
    Host host(arch);
    EXPECT_EQ(host.read(0x80020000), 0xFFFFFFFFU);
    EXPECT_NE(host.fault().find("ARC: not modelled yet"), std::string::npos);
    host.write(0x80050100, 1);
    EXPECT_NE(host.fault().find("ARC: not modelled yet"), std::string::npos) << "NIUs are only read";
    host.read(0x30000000);
    EXPECT_NE(host.fault().find("ARC: not modelled yet"), std::string::npos);
  }
}

TEST(Arc, CopyOfADeviceHasAnArcOfItsOwn) {
  Host host(Arch::wormhole);
  const Device before = host.device;
  host.send(0x52, 0);
  host.device = before;
  EXPECT_EQ(host.send(0x34, 0), 500U);
}

}  // namespace
}  // namespace tensim::device
