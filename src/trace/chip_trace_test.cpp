// The trace of a chip: packets and threads of all tiles, in one order.
#include "trace/chip_trace.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "isa/assembler/assemble.hpp"
#include "tests/support/chip_programs.hpp"

namespace tensim::trace {
namespace {

using namespace tensim::test;
using noc::operator""_counter;

class ChipTraceTest : public ChipPrograms {
 protected:
  std::vector<std::string> trace(chip::Chip chip, bool lockstep) {
    std::vector<std::string> lines;
    ChipTrace trace(
        GetParam(), [&](const std::string& line) { lines.push_back(line); },
        [](noc::Coordinates tile) { return fmt::format("{},{}", tile.x, tile.y); });
    chip.walk_in_lockstep(lockstep);
    chip.observe(&trace);
    for (auto& [index, slot] : chip.slots())
      slot.tile->tell(&trace.of_tile(slot.place));
    chip.run_until(2000);
    chip.settle();
    trace.finish();
    return lines;
  }
  static unsigned count(const std::vector<std::string>& lines, const std::string& text) {
    return static_cast<unsigned>(
        std::ranges::count_if(lines, [&](const std::string& line) { return line.find(text) != std::string::npos; }));
  }
};

TEST_P(ChipTraceTest, HasRequestsAndResponsesAtBothEndsAndWhatThreadsIssue) {
  NocProgram program(plan_);
  program.target(name(0), 0x10000);
  program.back(name(1), 0x20000);
  program.go(ctrl_write, 64);
  program.wait(program.counter("NIU_MST_WR_ACK_RECEIVED"_counter), 1);
  start(0, program);
  NocProgram pushes(plan_);  // of BRISC to T0's thread
  pushes.store(0xFFE40000, isa::assemble(GetParam(), "SFPNOP", "test").words.front().word);
  start(2, pushes);
  const std::vector<std::string> lines = trace(chip_, false);
  const auto sent_to = [&](const char* what, unsigned by, unsigned to) {
    return fmt::format("  {:<6} NoC 0  sent {} to {},{}", fmt::format("{},{}", tensix(by).x, tensix(by).y), what,
                       tensix(to).x, tensix(to).y);
  };
  const auto arrived_from = [&](const char* what, unsigned at, unsigned from) {
    return fmt::format("  {:<6} NoC 0  arrived {} from {},{}", fmt::format("{},{}", tensix(at).x, tensix(at).y), what,
                       tensix(from).x, tensix(from).y);
  };
  EXPECT_EQ(count(lines, sent_to("write of 64 bytes #0", 0, 1) + " at 0x00020000 (BRISC at 0x4"), 1U);
  EXPECT_EQ(count(lines, arrived_from("write of 64 bytes #0", 1, 0) + " at 0x00020000\n"), 1U);
  EXPECT_EQ(count(lines, sent_to("acknowledgement #0", 1, 0) + "\n"), 1U);
  EXPECT_EQ(count(lines, arrived_from("acknowledgement #0", 0, 1) + "\n"), 1U);
  EXPECT_EQ(count(lines, "T0  SFPNOP\n"), 1U);
  EXPECT_EQ(lines.size(), 5U);
  EXPECT_EQ(lines, trace(chip_, true)) << "in lock-step";
}

INSTANTIATE_TEST_SUITE_P(Chips, ChipTraceTest, ::testing::ValuesIn(all_archs),
                         [](const auto& each) { return std::string(tensim::name(each.param)); });

}  // namespace
}  // namespace tensim::trace
