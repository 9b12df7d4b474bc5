// The words of a deadlock across tiles.
#include "report/chip_hang.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "report/packets.hpp"
#include "tests/support/hanging_chips.hpp"

namespace tensim::report {
namespace {

using namespace tensim::test;

class ChipHangTest : public HangingChips {
 protected:
  ChipHangTest() { programs_.arch = GetParam(); }

  /// Tiles are called by their numbers here.
  TileNames names() const {
    return {.programs = [this](noc::Coordinates) -> const scenario::Scenario& { return programs_; },
            .name =
                [this](noc::Coordinates tile) {
                  for (unsigned n = 0; n < 8; ++n)
                    if (tensix(n) == tile) return fmt::format("#{}", n);
                  return text_of(tile);
                }};
  }
  std::string text() { return chip_hang_text(names(), outcome()); }

  scenario::Scenario programs_;
};

/// Each word of `parts` in `text`, in this order.
void expect_in_order(const std::string& text, const std::vector<std::string>& parts) {
  std::size_t at = 0;
  for (const std::string& part : parts) {
    const std::size_t found = text.find(part, at);
    EXPECT_NE(found, std::string::npos) << part << "\nis not, or not there, in\n" << text;
    if (found != std::string::npos) at = found;
  }
}

TEST_P(ChipHangTest, AnIncrementThatNeverComes) {
  start_with_one_increment_too_few();
  expect_in_order(text(), {"tile #0 BRISC waits at 0x", "for word 0x00008000 to become 0x4: it is 0x3\n",
                           "  3 increments arrived, from #", "; the last in cycle ", "  #4 ended in cycle ",
                           " without sending to it\n", "  nobody is left who would send anything to it\n"});
}

TEST_P(ChipHangTest, ARingIsNamedBeforeWhoIsInIt) {
  start_two_that_wait_for_each_other();
  expect_in_order(text(), {"\nwait cycle: BRISC of #0 -> BRISC of #1 -> BRISC of #0\n", "\ntile #0 BRISC waits at 0x",
                           "  no packet has ever come there\n", "  BRISC of #1 would send it (atomic at 0x",
                           "), but waits itself, for word 0x00008000\n", "\ntile #1 BRISC waits at 0x",
                           "  BRISC of #0 would send it"});
}

TEST_P(ChipHangTest, AnAcknowledgementOfATileThatStandsStill) {
  start_a_write_to_a_tile_that_stands_still();
  expect_in_order(text(), {"for NIU_MST_WR_ACK_RECEIVED of NoC 0 to become 0x1: it is 0x0\n",
                           "  its write of 64 bytes to #1 at 0x00020000, of cycle ", " at 0x",
                           ", is not answered: tile #1 has a fault, and stands still\n"});
}

TEST_P(ChipHangTest, ABarrierForMoreThanWasSent) {
  start_a_barrier_for_more_than_was_sent(1);
  expect_in_order(text(), {"for NIU_MST_WR_ACK_RECEIVED of NoC 1 to become 0x2: it is 0x1\n",
                           "  1 acknowledgement arrived, from #1; the last in cycle ",
                           "  no request is under way that would move it\n"});
}

TEST_P(ChipHangTest, JsonHasTheFactsAndTheWords) {
  NocProgram waits(plan_);
  waits.wait(flag, 2);
  start(0, waits);
  NocProgram sends(plan_);
  increment(sends, 0);
  start(1, sends);
  const nlohmann::json document = chip_hang_json(names(), outcome());
  ASSERT_EQ(document["waits"].size(), 1U);
  const nlohmann::json& wait = document["waits"][0];
  EXPECT_EQ(wait["tile"], "#0");
  EXPECT_EQ(wait["core"], "BRISC");
  EXPECT_EQ(wait["address"], flag);
  EXPECT_EQ(wait["value"], 1);
  EXPECT_EQ(wait["needs"], (nlohmann::json{{"relation", "equal"}, {"value", 2}, {"mask", 0xFFFFFFFF}}));
  EXPECT_EQ(wait["arrived"][0]["from"], "#1");
  EXPECT_EQ(wait["arrived"][0]["kind"], "increment");
  EXPECT_EQ(wait["arrived"][0]["count"], 1);
  EXPECT_EQ(wait["explanation"].size(), 3U);
  EXPECT_TRUE(document["wait_cycles"].empty());
}

TEST_P(ChipHangTest, PacketsHaveTheirEndsAndTheirIssuerInJson) {
  NocProgram sends(plan_);
  increment(sends, 1);
  start(0, sends);
  explain::FirstPackets packets;
  chip_.observe(&packets);
  ASSERT_TRUE(chip_.run_until_idle(100'000));
  const nlohmann::json events = packets_json(names(), packets);
  ASSERT_EQ(events.size(), 4U);  // the atomic and its response, sent and arrived
  EXPECT_EQ(events[0]["event"], "sent");
  EXPECT_EQ(events[0]["kind"], "atomic");
  EXPECT_EQ(events[0]["tile"], "#0");
  EXPECT_EQ(events[0]["target"], "#1");
  EXPECT_EQ(events[0]["address"], flag);
  EXPECT_EQ(events[0]["issuer"]["core"], "BRISC");
  EXPECT_EQ(events[1]["event"], "arrived");
  EXPECT_EQ(events[1]["tile"], "#1");
  EXPECT_EQ(events[1]["number"], events[0]["number"]);
  EXPECT_EQ(events[3]["kind"], "atomic response");
  EXPECT_EQ(events[3]["issuer"], events[0]["issuer"]);
  EXPECT_EQ(packets.left_out(), 0U);
}

INSTANTIATE_TEST_SUITE_P(Chips, ChipHangTest, ::testing::ValuesIn(all_archs),
                         [](const auto& each) { return std::string(tensim::name(each.param)); });

}  // namespace
}  // namespace tensim::report
