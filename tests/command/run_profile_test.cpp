// tensim run --profile, --critical-path and --without: what they say adds up, and names what was planted.
#include <fstream>
#include <iterator>
#include <numeric>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/places.hpp"
#include "tests/support/command.hpp"

namespace {

using nlohmann::json;
using tensim::test::contains;
using tensim::test::Outcome;
using tensim::test::run;

json document_of(const std::string& arguments, const std::string& input = "") {
  const Outcome outcome = run("run --json " + arguments, input);
  return json::parse(outcome.output, nullptr, false);
}

std::uint64_t sum_of(const json& account) {
  return std::accumulate(account.begin(), account.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const json& cycles) { return sum + cycles.get<std::uint64_t>(); });
}

/// Each agent's reasons, and its sites, are all cycles of the run; and so is the path.
void expect_adds_up(const json& profile) {
  const auto cycles = profile["cycles"].get<std::uint64_t>();
  for (const json& thread : profile["threads"]) {
    EXPECT_EQ(sum_of(thread["cycles"]), cycles) << thread["thread"];
    std::uint64_t sites = 0;
    for (const json& site : thread["sites"])
      sites += site["issued"].get<std::uint64_t>() + sum_of(site["held"]);
    EXPECT_LE(sites, cycles) << thread["thread"];  // behind the last instruction there is none
  }
  for (const json& core : profile["cores"]) {
    EXPECT_EQ(sum_of(core["cycles"]), cycles) << core["core"];
    std::uint64_t sites = 0;
    for (const json& site : core["sites"])
      sites += site["executed"].get<std::uint64_t>() + sum_of(site["held"]);
    EXPECT_EQ(sites, cycles) << core["core"];
  }
  for (const json& unit : profile["units"])
    EXPECT_EQ(unit["busy"].get<std::uint64_t>() + unit["idle"].get<std::uint64_t>(), cycles) << unit["unit"];
}

void expect_path_adds_up(const json& path) {
  std::uint64_t sum = 0;
  for (const json& part : path["parts"])
    sum += part["cycles"].get<std::uint64_t>();
  EXPECT_EQ(sum, path["cycles"].get<std::uint64_t>());
}

TEST(RunProfile, AddsUpForScenariosAndPrograms) {
  for (const std::string file : {"math_pack_handshake.toml", "patterns/three_thread_overlap.toml",
                                 "patterns/slow_memory.toml", "deadlocks/missing_sempost.toml"}) {
    const json document = document_of(TENSIM_SCENARIOS "/" + file + " --profile --critical-path");
    ASSERT_TRUE(document.contains("profile")) << file;
    expect_adds_up(document["profile"]);
    expect_path_adds_up(document["critical_path"]);
  }
}

class RunProfileOfPrograms : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!TENSIM_HAS_GUEST_COMPILER) GTEST_SKIP() << "no compiler for guests";
  }
  static std::string programs(const std::string& example) {
    const std::string path = TENSIM_GUEST_EXAMPLES "/" + example;
    return "--brisc " + path + "/brisc.elf --trisc0 " + path + "/trisc0.elf --trisc1 " + path +
           "/trisc1.elf --trisc2 " + path + "/trisc2.elf --held trisc0 trisc1 trisc2";
  }
};

TEST_F(RunProfileOfPrograms, AddsUpOnBothChips) {
  for (const std::string chip : {"blackhole", "wormhole"}) {
    const json document =
        document_of("--arch " + chip + " " + programs(chip + "/matmul") + " --profile --critical-path");
    ASSERT_TRUE(document.contains("profile")) << chip;
    expect_adds_up(document["profile"]);
    expect_path_adds_up(document["critical_path"]);
    EXPECT_EQ(document["critical_path"]["cycles"], document["cycles"]);
    EXPECT_EQ(document["profile"]["cycles"], document["cycles"]);
  }
}

TEST_F(RunProfileOfPrograms, AWaitThatIsLeftOutIsMissed) {
  const std::string arguments = programs("blackhole/matmul") + " --without pack.h:62 --check races";
  const json document = document_of(arguments);
  EXPECT_EQ(document["schema"], "tensim.without/1");
  EXPECT_FALSE(document["memory_is_the_same"].get<bool>());
  EXPECT_FALSE(document["races_that_appear"].empty());
  EXPECT_TRUE(contains(run("run " + arguments).output, "without TRISC2's SEMWAIT"));
}

// ---- planted bottlenecks ----

struct Planted {
  std::string name;
  std::string scenario;
  std::string thread;
  unsigned line;
  std::string reason;
};

std::ostream& operator<<(std::ostream& out, const Planted& planted) {
  return out << planted.name;
}

class PlantedBottleneck : public ::testing::TestWithParam<Planted> {};

TEST_P(PlantedBottleneck, IsNamedFirst) {
  const Planted& planted = GetParam();
  const json document = document_of("- --critical-path --profile", planted.scenario);
  ASSERT_TRUE(document.contains("critical_path")) << document.dump(1);
  expect_path_adds_up(document["critical_path"]);
  expect_adds_up(document["profile"]);
  const json& first = document["critical_path"]["parts"][0];
  EXPECT_EQ(first.value("who", ""), planted.thread) << first.dump();
  EXPECT_EQ(first.value("line", 0U), planted.line) << document["critical_path"].dump(1);
  EXPECT_EQ(first.value("reason", ""), planted.reason) << first.dump();
}

const std::string both_valid = "[initial]\nsrc_a_valid = true\nsrc_b_valid = true\n";
const std::string with_semaphore = "semaphores = { MATH_PACK = { value = 0, max = 2 } }\n";

const std::vector<Planted> planted{
    {"packer", R"([T2]
program = """
.rept 8
  PACR Last=1
.endr
STALLWAIT block=STALL_SYNC, cond=PACK
NOP
"""
)",
     "T2", 4, "in packer0"},
    {"src_not_valid", R"([T0]
program = """
.rept 8
  UNPACR.Regular FlipSrc=1, WhichUnpacker=0
.endr
"""
[T1]
program = """
.rept 8
  MOVA2D
  SETRWC FlipSrcA=1
.endr
"""
)",
     "T0", 4, "in unpacker0"},
    {"dst_hazard", R"([T1]
program = """
.rept 30
  MVMUL DstRow=0
.endr
"""
)" + both_valid,
     "T1", 4, "dst_hazard"},
    {"mutex", R"([T0]
program = """
ATGETM mutex=2
.rept 20
  MVMUL DstRow=0
.endr
STALLWAIT block=STALL_SYNC, cond=MATH
ATRELM mutex=2
"""
[T1]
program = """
NOP
NOP
NOP
ATGETM mutex=2
ATRELM mutex=2
"""
)" + both_valid,
     "T0", 5, "dst_hazard"},
    {"semaphore", R"([T1]
program = """
.rept 20
  MVMUL DstRow=0
.endr
STALLWAIT block=STALL_SYNC, cond=MATH
SEMPOST sem=MATH_PACK
"""
[T2]
program = """
SEMWAIT block=STALL_TDMA, sem=MATH_PACK, cond=STALL_ON_ZERO
PACR Last=1
"""
)" + both_valid + with_semaphore,
     "T1", 4, "dst_hazard"},
};

INSTANTIATE_TEST_SUITE_P(Families, PlantedBottleneck, ::testing::ValuesIn(planted),
                         [](const auto& each) { return each.param.name; });

// ---- bad input ----

TEST(RunWithout, SaysWhereWaitsStand) {
  const std::string scenario = TENSIM_SCENARIOS "/math_pack_handshake.toml";
  const Outcome nowhere = run("run " + scenario + " --without 9999");
  EXPECT_EQ(nowhere.exit_code, 2);
  EXPECT_TRUE(contains(nowhere.output, "no wait stands at 9999; some do at 19, 24, 32, 34")) << nowhere.output;
  const Outcome none = run("run - --without x.c:1", "[T0]\nprogram = \"NOP\"\n");
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_TRUE(contains(none.output, "nor anywhere else")) << none.output;
}

TEST(RunWithout, MeasuresWhatIsSaved) {
  const std::string scenario = TENSIM_SCENARIOS "/math_pack_handshake.toml";
  const json document = document_of(scenario + " --without 24");
  EXPECT_EQ(document["with"]["cycles"], 142);
  EXPECT_EQ(document["without"]["cycles"], 122);
  EXPECT_EQ(document["left_out"].size(), 1U);
}

}  // namespace
