// tensim compare as a user runs it, with a stand-in for the reference.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/places.hpp"
#include "tests/support/command.hpp"
#include "tests/support/riscv_words.hpp"

namespace tensim::test {
namespace {

const std::string blackhole = TENSIM_FAKE_REFERENCES "/blackhole.so";

/// 1 ^ 1 to 0x20000, which the stand-in gets wrong, then whatever `end` does, then 7 to 0x20004.
std::string program(std::uint32_t end) {
  using namespace rv;
  const std::vector<Word> words{lui(a0, 0x20), addi(a1, zero, 1), xori(a2, a1, 1), sw(a2, a0, 0),
                                end,           addi(a3, zero, 7), sw(a3, a0, 4),   here};
  return {reinterpret_cast<const char*>(words.data()), 4 * words.size()};
}

Outcome compare(std::uint32_t end, const std::string& options = "") {
  const TemporaryFile code("compare_code", program(end));
  const TemporaryFile scenario("compare_scenario", "[cores]\nbrisc = { raw = \"" + code.path() +
                                                       "\", address = 0 }\n[until]\n\"0x20004\" = 7\n");
  return run("compare --reference " + blackhole + " " + options + " " + scenario.path());
}

constexpr std::uint32_t nothing = rv::addi(rv::zero, rv::zero, 0);

TEST(CompareCommand, DifferenceIsPrintedAndFails) {
  const Outcome outcome = compare(nothing);
  EXPECT_EQ(outcome.exit_code, 1) << outcome.output;
  EXPECT_TRUE(contains(outcome.output,
                       "L1: 1 words differ, the first at 0x00020000: 0x00000000 here, 0x00000001 in the reference"))
      << outcome.output;
  EXPECT_TRUE(contains(outcome.output, "Dst: the same")) << outcome.output;
}

TEST(CompareCommand, IgnoredRangeMakesItFine) {
  const Outcome outcome = compare(nothing, "--ignore 0x20000:4 --no-dst");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
  EXPECT_TRUE(contains(outcome.output, "L1: the same")) << outcome.output;
  EXPECT_FALSE(contains(outcome.output, "Dst")) << outcome.output;
  EXPECT_EQ(compare(nothing, "--ignore 0x20000").exit_code, 2);
  EXPECT_TRUE(contains(run("compare --reference x --ignore file.toml").output,
                       "--ignore: 'file.toml': expected ADDRESS:BYTES or CORE:VARIABLE:BYTES"));
}

TEST(CompareCommand, JsonHasTheFirstDifference) {
  const Outcome outcome = compare(nothing, "--json");
  const auto document = nlohmann::json::parse(outcome.output);
  EXPECT_EQ(document["schema"], "tensim.compare/1");
  EXPECT_EQ(document["l1"]["count"], 1);
  EXPECT_EQ(document["l1"]["first"]["address"], 0x20000);
  EXPECT_EQ(document["l1"]["first"]["reference"], 1);
  EXPECT_EQ(document["dst"]["count"], 0);
}

TEST(CompareCommand, ReferenceThatEndsIsAFaultWithItsWords) {
  const Outcome multiplied = compare(rv::mul(rv::t0, rv::a1, rv::a1));
  EXPECT_EQ(multiplied.exit_code, 4) << multiplied.output;
  EXPECT_TRUE(contains(multiplied.output, "FAKE ERROR: unknown instruction")) << multiplied.output;
}

TEST(CompareCommand, RunsThatDoNotEndAsTheyShouldHaveTheirCodes) {
  const Outcome early = compare(rv::here);
  EXPECT_EQ(early.exit_code, 1) << early.output;
  EXPECT_TRUE(contains(early.output, "not compared")) << early.output;
  const Outcome late = compare(rv::bne(rv::a2, rv::zero, 0), "--budget 1000");
  EXPECT_EQ(late.exit_code, 5) << late.output;
  EXPECT_TRUE(contains(late.output, "reference: not finished after 1000 clocks")) << late.output;
}

TEST(CompareCommand, WhatCannotBeUsedIsBadInput) {
  EXPECT_EQ(run("compare --reference /no/such.so " TENSIM_VECTORS "/../reference/handshake.toml").exit_code, 2);
  EXPECT_EQ(run("compare --reference " + blackhole + " /no/such.toml").exit_code, 2);
  EXPECT_EQ(run("compare " TENSIM_VECTORS "/../reference/handshake.toml").exit_code, 2);
  const Outcome other =
      run("compare --reference " TENSIM_FAKE_REFERENCES "/wormhole.so " TENSIM_VECTORS "/../reference/handshake.toml");
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_TRUE(contains(other.output, "the library is a wormhole, not a blackhole")) << other.output;
}

TEST(CompareCommand, ThreadsRunAsPrograms) {
  const Outcome outcome = run("compare --reference " + blackhole + " " TENSIM_VECTORS "/../reference/handshake.toml");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
}

}  // namespace
}  // namespace tensim::test
