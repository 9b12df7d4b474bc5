#include "chip/dram.hpp"

#include <gtest/gtest.h>

#include "noc/request.hpp"

namespace tensim::chip {
namespace {

constexpr std::uint32_t bytes = 4096;

class DramTest : public ::testing::TestWithParam<Arch> {
 protected:
  struct Seen {
    Dram::Served served;
    noc::MessageKind kind;
    friend bool operator==(const Seen& one, const Seen& other) {
      return one.served.room == other.served.room && one.served.answer == other.served.answer && one.kind == other.kind;
    }
  };

  noc::FloorPlan plan_{GetParam()};
  DramTiming timing_{Timing(GetParam())};
  Dram dram_{plan_, timing_};
  Cycle flits_ = bytes / noc::flit_bytes(GetParam());
  double bank_cycles_ = bytes / 64.0 * timing_.cycles_per_64_bytes;

  noc::Coordinates tile(unsigned bank = 0) const { return plan_.bank_tiles(bank)[0]; }
  void arrives(noc::MessageKind kind, Cycle head, Cycle tail, unsigned bank = 0) {
    noc::Message message{.kind = kind, .noc = 0, .target = tile(bank), .address = 0x1000, .length = bytes};
    if (kind == noc::MessageKind::write) message.data.resize(bytes);
    dram_.take(plan_, {tail, head, tile(bank), std::make_shared<const noc::Message>(std::move(message))});
  }
  void run(Cycle until, std::vector<Seen>& seen) {
    dram_.run(plan_, until, [&](const Dram::Arrival& arrival, Dram::Served served, const auto&) {
      seen.push_back({served, arrival.message->kind});
    });
  }
  std::vector<Seen> run(Cycle until) {
    std::vector<Seen> seen;
    run(until, seen);
    return seen;
  }
};

constexpr Cycle long_after = 1'000'000;

TEST_P(DramTest, AWriteIsWrittenAsItsFlitsCome) {
  arrives(noc::MessageKind::write, 1000, 1000 + flits_);
  const std::vector<Seen> seen = run(long_after);
  ASSERT_EQ(seen.size(), 1U);
  const double written = 1000 + static_cast<double>(timing_.receive) + bank_cycles_;
  EXPECT_EQ(seen[0].served.answer, static_cast<Cycle>(written) + timing_.write);
  EXPECT_GE(seen[0].served.room, 1000 + flits_);
  EXPECT_LT(static_cast<double>(seen[0].served.room), written) << "the tile keeps what is left";
}

TEST_P(DramTest, AnAnswersLastFlitDoesNotLeaveBeforeItsBankHasGivenIt) {
  arrives(noc::MessageKind::read, 1000, 1000);
  const std::vector<Seen> seen = run(long_after);
  ASSERT_EQ(seen.size(), 1U);
  const Cycle begun = 1000 + timing_.receive;
  EXPECT_EQ(seen[0].served.room, begun);
  const double last_given = static_cast<double>(begun) + bank_cycles_;
  EXPECT_EQ(seen[0].served.answer + flits_, static_cast<Cycle>(last_given) + timing_.read);
}

TEST_P(DramTest, AReadWaitsUntilItsAnswerHasAPlace) {
  for (unsigned i = 0; i < timing_.answers + 1; ++i)
    arrives(noc::MessageKind::read, 1000 + i, 1000 + i);
  EXPECT_EQ(run(long_after).size(), timing_.answers);
  EXPECT_TRUE(dram_.has_requests());
  dram_.answer_has_left(plan_, tile(), 0, long_after + 7);
  EXPECT_TRUE(run(long_after + 7).empty());
  const std::vector<Seen> last = run(long_after + 8);
  ASSERT_EQ(last.size(), 1U);
  EXPECT_EQ(last[0].served.room, long_after + 7);
  EXPECT_FALSE(dram_.has_requests());
}

TEST_P(DramTest, OtherBanksDoNotWaitWithIt) {
  for (unsigned i = 0; i < timing_.answers + 1; ++i)
    arrives(noc::MessageKind::read, 1000, 1000);
  arrives(noc::MessageKind::read, 1001, 1001, 1);
  EXPECT_EQ(run(long_after).size(), timing_.answers + 1);
}

TEST_P(DramTest, AWriteBehindAReadStaysBehindIt) {
  for (unsigned i = 0; i < timing_.answers + 1; ++i)
    arrives(noc::MessageKind::read, 1000, 1000);
  arrives(noc::MessageKind::write, 1001, 1001 + flits_);
  EXPECT_EQ(run(long_after).size(), timing_.answers);
  dram_.answer_has_left(plan_, tile(), 0, long_after);
  const std::vector<Seen> seen = run(long_after + 1);
  ASSERT_EQ(seen.size(), 2U);
  EXPECT_EQ(seen[1].kind, noc::MessageKind::write);
  EXPECT_GE(seen[1].served.room, long_after) << "room cannot be given in the past";
}

TEST_P(DramTest, InHowManyStepsItIsRunChangesNothing) {
  const auto fill = [&] {
    for (unsigned i = 0; i < 10; ++i)
      arrives(i % 3 == 0 ? noc::MessageKind::write : noc::MessageKind::read, 1000 + 20 * i, 1000 + 40 * i, i % 2);
    for (unsigned i = 0; i < 6; ++i)
      dram_.answer_has_left(plan_, tile(i % 2), 0, 2000 + 100 * i);
  };
  const Dram empty = dram_;
  fill();
  const std::vector<Seen> at_once = run(long_after);
  dram_ = empty;
  fill();
  std::vector<Seen> in_steps;
  for (Cycle until = 1000; until < 10'000; until += 18)
    run(until, in_steps);
  EXPECT_EQ(at_once.size(), 10U);
  EXPECT_EQ(in_steps, at_once);
}

INSTANTIATE_TEST_SUITE_P(Chips, DramTest, ::testing::Values(Arch::wormhole, Arch::blackhole));

}  // namespace
}  // namespace tensim::chip
