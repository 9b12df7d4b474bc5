// A linked transaction that a program does not end is a fault of its outcome: nobody can use its virtual channels any more.
#include <gtest/gtest.h>

#include "explain/tile_outcome.hpp"
#include "tests/support/chip_bench.hpp"

namespace tensim::explain {
namespace {

using namespace tensim::test;
using noc::operator""_counter;

constexpr std::uint32_t linked = 1U << 6U;

class OpenLinkTest : public ::testing::TestWithParam<Arch>, protected ChipBench {
 protected:
  OpenLinkTest() : ChipBench(GetParam()) {}
};

TEST_P(OpenLinkTest, ALinkLeftOpenIsNamedWhenTheProgramEnds) {
  NocProgram program(plan);
  program.target(name(0), data_at);
  program.back(name(3), there);
  program.go(ctrl_write | linked, 64);
  const auto guilty = static_cast<std::uint32_t>(code_at + 4 * program.last_store());
  program.wait(program.counter("NIU_MST_WR_ACK_RECEIVED"_counter), 1);
  start(0, program);
  ASSERT_TRUE(run(1));
  chip.run_until_idle(chip.now() + 1000);
  const auto none = [](tile::CoreId) -> const program::Image* { return nullptr; };
  const explain::Outcome outcome = explain::tile_outcome(tile(0), tile::Tile::Halt::nothing_left, none);
  EXPECT_EQ(outcome.kind, explain::OutcomeKind::faulted);
  ASSERT_EQ(outcome.core_reports.size(), 1U);
  EXPECT_EQ(outcome.core_reports[0].core, tile::CoreId::brisc);
  const riscv::CoreReport& report = outcome.core_reports[0].report;
  EXPECT_EQ(report.category, riscv::CoreReport::Category::noc_request);
  EXPECT_EQ(static_cast<noc::Refusal>(report.value), noc::Refusal::link_left_open);
  EXPECT_EQ(report.pc, guilty);
  EXPECT_GT(report.cycle, 0U);
}

INSTANTIATE_TEST_SUITE_P(Chips, OpenLinkTest, ::testing::Values(Arch::wormhole, Arch::blackhole));

}  // namespace
}  // namespace tensim::explain
