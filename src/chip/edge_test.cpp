#include "chip/edge.hpp"

#include <gtest/gtest.h>

namespace tensim::chip {
namespace {

struct Written {
  std::uint64_t address;
  std::vector<std::uint8_t> bytes;
  bool operator==(const Written&) const = default;
};

class Log : public Outside {
 public:
  std::optional<std::string> read_outside(noc::Coordinates, std::uint64_t, std::span<std::uint8_t>) override {
    return std::nullopt;
  }
  std::optional<std::string> write_outside(noc::Coordinates, std::uint64_t address,
                                           std::span<const std::uint8_t> from) override {
    written.push_back({address, {from.begin(), from.end()}});
    return std::nullopt;
  }
  std::vector<Written> written;
};

std::vector<Written> written(std::uint64_t mask, std::vector<std::uint8_t> data) {
  Log log;
  const noc::FloorPlan plan(Arch::wormhole);
  Edge edge{EdgeTiming(Timing(Arch::wormhole))};
  noc::Message message{.kind = noc::MessageKind::write, .address = 0x1000};
  message.length = static_cast<std::uint32_t>(data.size());
  message.byte_mask = mask;
  message.data = std::move(data);
  edge.take({0, plan.arc(), std::make_shared<const noc::Message>(std::move(message))});
  unsigned answers = 0;
  edge.run(plan, &log, 1, [&](const Edge::Arrival&, time::Cycle, const std::vector<std::uint8_t>&) { ++answers; });
  EXPECT_EQ(answers, 1U);
  return log.written;
}

TEST(Edge, BytesOfAMaskThatLieTogetherAreOneWrite) {
  const std::vector<std::uint8_t> data{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  EXPECT_EQ(written(0x00F0, {data.begin(), data.begin() + 8}), (std::vector<Written>{{0x1004, {4, 5, 6, 7}}}));
  EXPECT_EQ(written(0x1F03, data), (std::vector<Written>{{0x1000, {0, 1}}, {0x1008, {8, 9, 10, 11, 12}}}));
  EXPECT_EQ(written(0, {0}), std::vector<Written>{}) << "and what selects nothing is answered";
}

}  // namespace
}  // namespace tensim::chip
