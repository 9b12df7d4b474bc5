#include "tensix/fill.hpp"

#include <gtest/gtest.h>

#include "tests/support/three_threads.hpp"

namespace tensim::test {
namespace {

using tensix::Fill;
using tensix::parse_fill;

TEST(Fill, Splitmix64IsTheGeneratorOfThatName) {
  // The first outputs for state 1234567, as its authors' program prints them.
  std::uint64_t state = 1234567;
  EXPECT_EQ(tensix::splitmix64(state), 6457827717110365317U);
  EXPECT_EQ(tensix::splitmix64(state), 3203168211198807973U);
}

TEST(Fill, IsReadFromText) {
  EXPECT_EQ(parse_fill("zero"), Fill{});
  EXPECT_EQ(parse_fill("ones"), (Fill{Fill::Kind::ones, 0}));
  EXPECT_EQ(parse_fill("random:12"), (Fill{Fill::Kind::random, 12}));
  EXPECT_EQ(parse_fill("random:0xFfff"), (Fill{Fill::Kind::random, 0xFFFF}));
  for (const char* text : {"", "one", "random", "random:", "random:x", "random:1 ", "random:18446744073709551616"})
    EXPECT_FALSE(parse_fill(text)) << text;
}

class FillTest : public BothArchs {};
TENSIM_BOTH_ARCHS(FillTest);

TEST_P(FillTest, OnesReachEveryKindOfState) {
  Coprocessor coprocessor(GetParam());
  fill(coprocessor, {Fill::Kind::ones, 0});
  EXPECT_EQ(coprocessor.gprs.value[2][63], 0xFFFF'FFFFU);
  EXPECT_EQ(coprocessor.config.bank[1][tensix::config_words(GetParam()) - 1], 0xFFFF'FFFFU);
  EXPECT_EQ(coprocessor.config.thread[0][0], 0xFFFFU);
  EXPECT_EQ(coprocessor.frontends[1].mop.config[8], 0xFFFF'FFFFU);
  EXPECT_EQ(coprocessor.sync.semaphores()[7], (tensix::Semaphore{15, 15}));
}

TEST_P(FillTest, ASeedMeansTheSameEverywhere) {
  Coprocessor first(GetParam());
  Coprocessor second(GetParam());
  Coprocessor other(GetParam());
  fill(first, {Fill::Kind::random, 7});
  fill(second, {Fill::Kind::random, 7});
  fill(other, {Fill::Kind::random, 8});
  EXPECT_EQ(first.gprs, second.gprs);
  EXPECT_EQ(first.config, second.config);
  EXPECT_NE(first.gprs, other.gprs);
  std::uint64_t state = 7;
  EXPECT_EQ(first.gprs.value[0][0], tensix::splitmix64(state) >> 32U);
  const unsigned global = tensix::config_global_base(GetParam());
  EXPECT_EQ(first.config.bank[0][global], first.config.bank[1][global]);
  EXPECT_NE(first.config.bank[0][0], first.config.bank[1][0]);
}

TEST_P(FillTest, ARunStartsFromItAndTheOptionWins) {
  Scenario scenario = one_thread(GetParam(), 0, "ttsempost 1");
  scenario.semaphores[1] = {2, 4};
  scenario.fill = {Fill::Kind::ones, 0};
  const Ran ran = simulate(scenario);
  EXPECT_EQ(ran.value(0), 15U);
  EXPECT_EQ(ran.value(1), 2U);  // `initial` comes after
  EXPECT_TRUE(ran.reported(Report::Category::uninitialised_read));
  scenario::RunOptions options;
  options.fill = Fill{};
  Coprocessor state(GetParam());
  scenario::run(scenario, options, &state);
  EXPECT_EQ(state.sync.semaphores()[0].value, 1U);
}

}  // namespace
}  // namespace tensim::test
