// The trace as text: a line per thread and cycle, with the instruction and, if it did not pass, the reason.
#include "trace/text_trace.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "tests/support/three_threads.hpp"

namespace tensim::test {
namespace {

class TextTraceTest : public BothArchs {};
TENSIM_BOTH_ARCHS(TextTraceTest);

std::vector<std::string> trace(const Scenario& scenario, bool lockstep) {
  std::vector<std::string> lines;
  trace::TextTrace text(scenario.arch, [&](const std::string& line) { lines.push_back(line); });
  scenario::RunOptions options;
  options.listener = &text;
  options.lockstep = lockstep;
  scenario::run(scenario, options);
  return lines;
}

TEST_P(TextTraceTest, NamesThreadInstructionAndReasonForEveryHeldCycle) {  // W56
  // T0: SEMWAIT 3; SFPNOP is caught in 4 to 8, because T1's SEMPOST goes in 7 and is seen in 8; it passes in 9.
  Scenario scenario = three_threads(GetParam(), {"SEMWAIT block=STALL_SFPU, sem=MATH_PACK, cond=STALL_ON_ZERO\nSFPNOP",
                                                 "NOP\nNOP\nNOP\nNOP\nSEMPOST sem=MATH_PACK", "ATGETM mutex=0"});
  scenario.semaphores[1] = {.value = 0, .max = 1};
  scenario.mutexes[0] = 1;  // T1 holds it, for ever
  for (const bool lockstep : {true, false}) {
    const std::vector<std::string> lines = trace(scenario, lockstep);
    const auto count = [&](std::string_view text) { return std::ranges::count(lines, std::string(text) + "\n"); };
    EXPECT_EQ(count("       3  T0  SEMWAIT block=STALL_SFPU, sem=MATH_PACK, cond=STALL_ON_ZERO"), 1);
    for (Cycle cycle = 4; cycle <= 8; ++cycle)
      EXPECT_EQ(count(fmt::format("{:>8}  T0  -- latched_wait: SFPNOP", cycle)), 1) << cycle;
    EXPECT_EQ(count("       9  T0  SFPNOP"), 1);
    EXPECT_EQ(count("       7  T1  SEMPOST sem=MATH_PACK"), 1);
    for (Cycle cycle = 3; cycle <= 10; ++cycle)  // in 10 nothing changes any more: the run ends
      EXPECT_EQ(count(fmt::format("{:>8}  T2  -- mutex_held: ATGETM mutex=MATH", cycle)), 1) << cycle;
    // Nothing else: two issues and five holds of T0, five issues of T1, eight holds of T2.
    EXPECT_EQ(lines.size(), 2U + 5U + 5U + 8U);
  }
}

TEST_P(TextTraceTest, SkippedCyclesReadAsIfTheyHadBeenWalked) {
  Scenario scenario = three_threads(GetParam(), {"ATGETM mutex=0\nNOP", "DMANOP", "SFPNOP\nATGETM mutex=0"});
  scenario.mutexes[0] = 1;
  scenario.actions = {store(60, B, 0xFFE50000, assemble(GetParam(), "ATRELM mutex=0"))};
  const std::vector<std::string> lines = trace(scenario, false);
  EXPECT_GT(lines.size(), 2U * 50);
  EXPECT_EQ(lines, trace(scenario, true));
}

TEST_P(TextTraceTest, EveryReasonHasAName) {
  // No two alike, and none empty: a held cycle says one thing.
  for (const auto& row : event::stall_rows) {
    EXPECT_FALSE(row.name.empty());
    EXPECT_EQ(std::ranges::count_if(event::stall_rows, [&](const auto& other) { return other.name == row.name; }), 1);
  }
  // Issued and held cycles add up to the cycles of the run, for each thread.
  const Ran ran = simulate(GetParam(), {repeat(5, "PACR"), repeat(9, "SFPNOP"), "ttsempost 1\nDMANOP\nDMANOP"});
  for (const explain::ThreadResult& thread : ran.outcome.threads) {
    std::uint64_t cycles = 0;
    for (const std::uint64_t reason : thread.account.cycles)
      cycles += reason;
    EXPECT_EQ(cycles, ran.outcome.ended_at);
  }
}

}  // namespace
}  // namespace tensim::test
