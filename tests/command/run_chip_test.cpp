// tensim run with several tiles, as a user does it.
#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/places.hpp"
#include "tests/support/command.hpp"

namespace {

using tensim::test::contains;
using tensim::test::Outcome;
using tensim::test::TemporaryFile;

constexpr int bad_input = 2;
const std::string count = TENSIM_GUEST_EXAMPLES "/blackhole/noc_count/brisc.elf";

class RunChip : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!TENSIM_HAS_GUEST_COMPILER) GTEST_SKIP() << "no compiler for guests";
  }
  static Outcome run(const std::string& arguments) { return tensim::test::run("run " + arguments); }
};

TEST_F(RunChip, ProgramsOfTheCommandLineRunOnManyTiles) {
  const TemporaryFile dump("tensim_dump");
  const Outcome outcome = run("--brisc " + count + " --tiles 0-1,0-1 --dump 0,0/brisc:shared:4:" + dump.path());
  EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
  EXPECT_TRUE(contains(outcome.output, "tiles 0-1,0-1: finished after")) << outcome.output;
  std::ifstream stream(dump.path(), std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  EXPECT_EQ(bytes, std::string("\xA0\x0F\0\0", 4)) << "4000";
}

TEST_F(RunChip, UntilIsForOneTileOrForAll) {
  const Outcome one = run("--brisc " + count + " --tiles 0-1,0 --until 0,0/brisc:shared=500");
  EXPECT_EQ(one.exit_code, 0) << one.output;
  const Outcome all = run("--brisc " + count + " --tiles 0-1,0 --until brisc:shared=500 --budget 300000");
  EXPECT_EQ(all.exit_code, 1) << "tile 1,0 never counts: " << all.output;
}

TEST_F(RunChip, JsonListsTiles) {
  const Outcome outcome = tensim::test::run("--json run --brisc " + count + " --tiles '2,1 4,1'", "", "");
  const auto document = nlohmann::json::parse(outcome.output);
  EXPECT_EQ(document["schema"], "tensim.chip_run/1");
  ASSERT_EQ(document["tiles"].size(), 3U) << "0,0 has been written to";
  EXPECT_EQ(document["tiles"][1]["at"], (nlohmann::json{2, 1}));
}

TEST_F(RunChip, ThreadsOfTheHostChangeNothing) {
  const std::string programs = "--brisc " + count + " --tiles 0-3,0-3";
  const Outcome alone = run(programs);
  EXPECT_EQ(alone.exit_code, 0) << alone.output;
  for (const std::string threads : {"1", "2", "7", "auto"})
    EXPECT_EQ(run(programs + " --threads " + threads).output, alone.output) << threads;
  for (const std::string threads : {"0", "-1", "257", "many", "''"})
    EXPECT_EQ(run(programs + " --threads " + threads).exit_code, bad_input) << threads;
}

TEST_F(RunChip, StatsSayWhatItCost) {
  const Outcome outcome =
      tensim::test::run("--json run --stats --threads 2 --brisc " + count + " --tiles 0-1,0-1", "", "2>&1 >/dev/null");
  const auto document = nlohmann::json::parse(outcome.output);
  EXPECT_EQ(document["schema"], "tensim.stats/1");
  EXPECT_EQ(document["threads"], 2);
  EXPECT_EQ(document["tiles"], 4);
  EXPECT_EQ(document["packets"], 8000) << "4,000 atomics and their responses";
  EXPECT_GT(document["core_instructions"], 4000);
  EXPECT_GT(document["wall_seconds"], 0);
  EXPECT_GT(document["peak_kilobytes"], 1000);
  double all = 0;
  for (const auto& [what, share] : document["host_time"].items())
    all += share.get<double>();
  EXPECT_NEAR(all, 1, 1e-6);
  const Outcome text = run("--stats --brisc " + count + " --tiles 1,0");
  EXPECT_TRUE(contains(text.output, "peak memory")) << text.output;
}

TEST_F(RunChip, ATraceHasPackets) {
  const Outcome outcome = run("--trace --brisc " + count + " --tiles 1,0 --until 0,0/brisc:shared=3");
  EXPECT_TRUE(contains(outcome.output, "atomic")) << outcome.output.substr(0, 2000);
}

TEST_F(RunChip, NoTilesAreNotOneTileAlone) {
  const Outcome outcome = run("--brisc " + count + " --tiles ''");
  EXPECT_EQ(outcome.exit_code, bad_input) << outcome.output;
  EXPECT_TRUE(contains(outcome.output, "--tiles: expected tiles, as in 0-3,0-3")) << outcome.output;
}

TEST_F(RunChip, LockstepIsTheSame) {
  const Outcome outcome = run("--lockstep --brisc " + count + " --tiles 0-1,0 --until 0,0/brisc:shared=50");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
}

TEST_F(RunChip, WhatIsWrongIsSaid) {
  const std::string program = "--brisc " + count;
  struct Case {
    std::string arguments;
    std::string says;
  };
  const std::string scenario = TENSIM_SCENARIOS "/math_pack_handshake.toml";
  for (const Case& wrong : {
           Case{program + " --tiles 14,0", "--tiles '14,0': the chip has no tile 14,0"},
           Case{program + " --tiles 0", "--tiles '0': '0' names no tiles"},
           Case{program + " --tiles 0,0 --chip p1", "--chip 'p1': no product is called p1"},
           Case{program + " --tiles 0,0 --chip n300", "--chip 'n300': n300 is a wormhole, not a blackhole"},
           Case{program + " --chip p150", "--chip goes with --tiles"},
           Case{program + " --tiles 12,0 --chip p100", "counted from 0,0 to 11,9"},
           Case{program + " --tiles 0,0 --gdb 0", "--gdb: only programs of one tile can be debugged so far"},
           Case{program + " --tiles 0,0 --dump 0x20000:4:x", "expected X,Y/ADDRESS:BYTES:FILE"},
           Case{program + " --tiles 0,0 --dump 99,0/0x20000:4:x", "the chip has no such tile"},
           Case{program + " --tiles 0,0 --dump dram9/0:4:x",
                "the chip has no such bank of DRAM, or that is not all in it"},
           Case{program + " --tiles 0,0 --until 0,0/brisc:nothing=1", "is no word of L1"},
           Case{program + " --tiles 0,0 --until 9,99/0x20000=1", "the chip has no tile 9,99"},
           Case{scenario + " --tiles 0,0", "at = \"0-3,0-3\" in [[tile]]"},
       }) {
    const Outcome outcome = run(wrong.arguments);
    EXPECT_EQ(outcome.exit_code, bad_input) << wrong.arguments << "\n" << outcome.output;
    EXPECT_TRUE(contains(outcome.output, wrong.says)) << wrong.arguments << "\n" << outcome.output;
  }
}

}  // namespace
