// What the race check says of a run is the same, in the same order, however the tile is run: as fast as may be, cores ahead of each
// other and stretches repeated, or cycle by cycle.
#include <algorithm>
#include <fstream>
#include <iterator>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "insight/tile_races.hpp"
#include "report/races.hpp"
#include "tests/places.hpp"
#include "tests/races/race_kernel.hpp"
#include "tests/support/guest_example.hpp"
#include "tests/support/three_threads.hpp"

namespace tensim::races {
namespace {

using scenario::Scenario;
using Texts = std::vector<std::string>;

/// Of each race all that is said: who, what, how often, how close.
Texts found_in(const Scenario& scenario, const scenario::TileRun& ran) {
  Texts texts;
  for (const insight::Race& race : ran.outcome.races->found())
    texts.push_back(fmt::format("{} {}", insight::name(race.severity),
                                fmt::join(report::lines_of(scenario, *ran.outcome.races, race), "; ")));
  return texts;
}

/// How many.
std::size_t expect_same_either_way(const Scenario& scenario, tensix::Cycle budget, bool trusts_nothing) {
  scenario::RunOptions options;
  options.races.emplace();
  if (trusts_nothing)  // pairs that one rule alone orders are reported, too: there is more to compare
    for (insight::RuleNumber rule = 0; rule < insight::order_rules().size(); ++rule)
      options.races->set(rule, insight::Severity::error);
  options.budget = budget;
  const scenario::TileRun ahead = scenario::run_tile(scenario, options);
  options.walked = true;
  options.budget = ahead.outcome.ended_at;  // whoever waits for ever does so in lock-step, too
  const scenario::TileRun walked = scenario::run_tile(scenario, options);
  const Texts texts = found_in(scenario, ahead);
  EXPECT_EQ(texts, found_in(scenario, walked));
  return texts.size();
}

class RacesInEachMode : public test::BothArchs {};
TENSIM_BOTH_ARCHS(RacesInEachMode);

TEST_P(RacesInEachMode, AreTheSameOfEveryKernel) {
  std::size_t found = 0;
  for (const std::string& name : all_kernels()) {
    const Kernel kernel = read_kernel(name);
    if (!kernel.runs_on(GetParam())) continue;
    SCOPED_TRACE(name);
    for (const Lines& lines : {kernel.correct(GetParam()), kernel.broken(GetParam())})
      found += expect_same_either_way(run_checked(kernel.file, lines).scenario, 10'000'000, false);
  }
  EXPECT_GT(found, 50U);
}

/// Those of one tile, as far as they come.
TEST_P(RacesInEachMode, AreTheSameOfExamples) {
  if (!TENSIM_HAS_GUEST_COMPILER) GTEST_SKIP() << "no compiler for guests";
  std::size_t found = 0;
  for (const char* const example : {"add_tiles", "matmul", "handshake", "mailbox", "mutex_rmw", "back_pressure"}) {
    SCOPED_TRACE(example);
    Scenario scenario;
    scenario.arch = GetParam();
    const test::GuestExample guest(GetParam(), test::programs_of(example), tile::CoreId::brisc);
    for (unsigned core = 0; core < tile::core_count; ++core)
      if (guest.images[core])
        scenario.cores[core] = {*guest.images[core], static_cast<tile::CoreId>(core) != tile::CoreId::brisc};
    found += expect_same_either_way(scenario, 1'200'000, true);
  }
  EXPECT_GT(found, 20U);
}

}  // namespace
}  // namespace tensim::races
