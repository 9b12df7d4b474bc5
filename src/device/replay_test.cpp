// What is recorded is all that a replay needs.
#include "device/replay.hpp"

#include <numeric>
#include <sstream>

#include <gtest/gtest.h>

#include "tests/support/noc_program.hpp"

namespace tensim::device {
namespace {

using test::NocProgram;
using noc::operator""_counter;

constexpr std::uint32_t code = 0x4000;
constexpr std::uint32_t data = 0x8000;
constexpr std::uint32_t host_address = 0x1000;
constexpr std::uint32_t bytes = 64;

class CountingHost : public HostPort {
 public:
  std::optional<std::string> read_host(std::uint64_t, std::span<std::uint8_t> to) override {
    std::iota(to.begin(), to.end(), static_cast<std::uint8_t>(++reads_));
    return std::nullopt;
  }
  std::optional<std::string> write_host(std::uint64_t, std::span<const std::uint8_t>) override { return std::nullopt; }

 private:
  unsigned reads_ = 0;
};

Replay parsed(const std::string& text) {
  auto result = parse_replay(text);
  EXPECT_TRUE(std::holds_alternative<Replay>(result)) << std::get<std::string>(result) << "\n" << text;
  return std::get<Replay>(result);
}

class RecordingOf : public ::testing::TestWithParam<Arch> {
 protected:
  /// A program on a tile reads the host's memory twice, writes to it, and the host looks at what it has.
  std::string recording() const {
    std::ostringstream text;
    Device device(GetParam());
    TextRecorder recorder(text, device.plan());
    CountingHost host;
    device.recorder = &recorder;
    device.host = &host;
    const FloorPlan& plan = device.plan();
    const Coordinates tile = *plan.tile(plan.translated({1, 2}));
    NocProgram program(plan);
    for (unsigned i = 0; i < 2; ++i) {
      program.target(plan.translated(plan.pcie()), host_address);
      program.back(plan.translated(tile), data + i * bytes);
      program.go(test::ctrl_read, bytes);
      program.wait(program.counter("NIU_MST_RD_RESP_RECEIVED"_counter), i + 1);
    }
    program.target(plan.translated(tile), data);
    program.back(plan.translated(plan.pcie()), host_address);
    program.go(test::ctrl_posted_write, bytes);
    program.stay();
    const auto& words = program.words();
    device.write(tile, code, {reinterpret_cast<const std::uint8_t*>(words.data()), 4 * words.size()});
    const std::uint32_t jump = rv::jal(rv::zero, code);
    device.write(tile, 0, {reinterpret_cast<const std::uint8_t*>(&jump), sizeof jump});
    const std::uint32_t released = 0x47000;
    device.write(tile, 0xFFB121B0, {reinterpret_cast<const std::uint8_t*>(&released), sizeof released});
    device.clock(20'000);
    std::array<std::uint8_t, 2 * bytes> found{};
    EXPECT_TRUE(device.read(tile, data, found));
    EXPECT_EQ(found[0], 1U);
    EXPECT_EQ(found[bytes], 2U);
    EXPECT_TRUE(device.take_faults().empty());
    return text.str();
  }
};

TEST_P(RecordingOf, AGuestThatReadsTheHostsMemoryReadsTheSameInAReplay) {
  const std::string text = recording();
  EXPECT_NE(text.find("\nhost 0x1000 0102030405"), std::string::npos) << text;
  const ReplayResult result = replay(parsed(text));
  EXPECT_EQ(result.differences, std::vector<std::string>{});
  EXPECT_TRUE(result.faults.empty());
}

TEST_P(RecordingOf, ARecordingThatLacksTheHostsMemorySaysSo) {
  std::string text = recording();
  const std::size_t second = text.rfind("\nhost ");
  text.erase(second, text.find('\n', second + 1) - second);
  const ReplayResult result = replay(parsed(text));
  ASSERT_EQ(result.faults.size(), 1U);
  EXPECT_EQ(result.faults[0].unanswered->why, "the recording has no more of what the host's memory held");
}

INSTANTIATE_TEST_SUITE_P(Archs, RecordingOf, testing::ValuesIn(all_archs),
                         [](const auto& chip) { return std::string(name(chip.param)); });

TEST(Recording, SaysWhatIsOffInItsChip) {
  for (const char* const chip : {"p100", "wormhole rows=3,11", "blackhole columns=7"}) {
    std::ostringstream text;
    const FloorPlan plan = *noc::read_floor_plan(chip).plan;
    TextRecorder recorder(text, plan);
    const Replay read = parsed(text.str());
    EXPECT_EQ(read.plan.off(), plan.off()) << text.str();
    EXPECT_EQ(read.plan.pcie(), plan.pcie()) << text.str();
  }
  for (const char* const wrong : {"chip p200", "chip n150", "chip", "chip blackhole rows=3"})
    EXPECT_TRUE(std::holds_alternative<std::string>(
        parse_replay(std::string("tensim-replay 1\narch blackhole\n") + wrong + "\n")))
        << wrong;
}

}  // namespace
}  // namespace tensim::device
