#include "tensim/replay.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/support/c_text.hpp"

namespace {

using tensim::test::CText;

const std::string counts_to_16 =
    "tensim-replay 1\n"
    "arch blackhole\n"
    "@0 write 1,2 0x0 37050200938515002320b5000f00f00f6ff05fff\n"
    "@0 release 1,2 brisc\n"
    "until 1,2 0x20000 0x10 within 10000\n";

tensim_status replay(const std::string& text, tensim_format format, CText& report) {
  return tensim_replay(text.data(), text.size(), "r.txt", format, report.place());
}

TEST(CApiReplay, DoesItAgainAndCompares) {
  CText report;
  EXPECT_EQ(replay(counts_to_16 + "read 1,2 0x20000 10000000\n", TENSIM_JSON, report), TENSIM_OK);
  const auto document = nlohmann::json::parse(report.str());
  EXPECT_EQ(document["schema"], "tensim.replay/1");
  EXPECT_EQ(document["lines_done"], 4);
  EXPECT_EQ(replay(counts_to_16 + "read 1,2 0x20000 11000000\n", TENSIM_PLAIN, report), TENSIM_DIFFERS);
  EXPECT_TRUE(report.str().starts_with("r.txt: 4 of 4 lines done")) << report.str();
  EXPECT_TRUE(report.has("difference:")) << report.str();
}

TEST(CApiReplay, AFaultEndsIt) {
  CText report;
  EXPECT_EQ(replay(counts_to_16 + "read 63,63 0x0 00000000\nhold 1,2 brisc\n", TENSIM_PLAIN, report), TENSIM_FAULT);
  EXPECT_FALSE(report.has("5 of 5")) << report.str();
}

TEST(CApiReplay, WhatIsNoRecordingIsBadInputWithItsLine) {
  CText report;
  EXPECT_EQ(replay(counts_to_16 + "dance\n", TENSIM_PLAIN, report), TENSIM_BAD_INPUT);
  EXPECT_TRUE(report.str().starts_with("line 6:")) << report.str();
  EXPECT_EQ(tensim_replay("", 0, "r.txt", TENSIM_PLAIN, nullptr), TENSIM_BAD_ARGUMENT);
  EXPECT_EQ(tensim_replay(nullptr, 1, "r.txt", TENSIM_PLAIN, report.place()), TENSIM_BAD_ARGUMENT);
}

tensim_status replay_checked(const std::string& text, const char* rules, const char* suppressions, CText& report) {
  tensim_replay_options options{};
  options.size = sizeof options;
  options.check_races = 1;
  options.race_rules = rules;
  options.race_suppressions = suppressions;
  return tensim_replay_with(text.data(), text.size(), "r.txt", &options, TENSIM_PLAIN, report.place());
}

tensim_status replay_checked(const char* rules, const char* suppressions, CText& report) {
  // The host writes to a word that the core goes on storing to.
  const std::string text = counts_to_16 + "write 1,2 0x20000 00000000\nuntil 1,2 0x20000 0x20 within 10000\n";
  return replay_checked(text, rules, suppressions, report);
}

TEST(CApiReplay, WhatTheHostWroteBeforeItLetACoreGoIsThere) {
  CText report;
  const std::string text =  // lui a0, 0x20; lw a1, 0(a0); sw a1, 4(a0); j .
      "tensim-replay 1\narch blackhole\n@0 write 1,2 0x0 37050200832505002322b5006f000000\n"
      "@100 write 1,2 0x20000 05000000\n@200 release 1,2 brisc\nuntil 1,2 0x20004 0x5 within 10000\n";
  EXPECT_EQ(replay_checked(text, nullptr, nullptr, report), TENSIM_OK);
  EXPECT_FALSE(report.has("rule")) << report.str();
}

TEST(CApiReplay, RacesAreNamedIfTheyAreAskedFor) {
  CText report;
  EXPECT_EQ(replay(counts_to_16 + "write 1,2 0x20000 00000000\n", TENSIM_PLAIN, report), TENSIM_OK);
  EXPECT_FALSE(report.has("rule")) << report.str();
  EXPECT_EQ(replay_checked(nullptr, nullptr, report), TENSIM_OK);
  EXPECT_TRUE(report.has("the host's write to 0x20000")) << report.str();
  EXPECT_TRUE(report.has("BRISC's store at 0x8")) << report.str();
  EXPECT_TRUE(report.has("[rule 32]")) << report.str();
  EXPECT_EQ(replay_checked("32=error", nullptr, report), TENSIM_RACE);
  EXPECT_TRUE(report.has("\nrace: ")) << report.str();
  EXPECT_EQ(replay_checked("32=error", "* / *\n", report), TENSIM_OK);
  EXPECT_FALSE(report.has("rule 32")) << report.str();
}

TEST(CApiReplay, RulesAndSuppressionsThatAreNoneAreBadInput) {
  CText report;
  EXPECT_EQ(replay_checked("32=often", nullptr, report), TENSIM_BAD_INPUT);
  EXPECT_EQ(replay_checked(nullptr, "one word\n", report), TENSIM_BAD_INPUT);
  EXPECT_TRUE(report.has("line 1: expected SECOND / FIRST")) << report.str();
  tensim_replay_options options{};  // of no size
  EXPECT_EQ(tensim_replay_with("", 0, "r.txt", &options, TENSIM_PLAIN, report.place()), TENSIM_BAD_ARGUMENT);
}

}  // namespace
