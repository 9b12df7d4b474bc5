#include "scenario/chip_run.hpp"

#include <stdexcept>

#include <gtest/gtest.h>

#include "noc/workers.hpp"
#include "report/chip_run.hpp"
#include "scenario/tile_names.hpp"
#include "tests/support/noc_program.hpp"
#include "tests/support/riscv_words.hpp"

namespace tensim::scenario {
namespace {

using namespace rv;

std::string bytes_of(const std::vector<Word>& words) {
  return {reinterpret_cast<const char*>(words.data()), 4 * words.size()};
}

const noc::FloorPlan blackhole(Arch::blackhole);

/// Writes somewhere without asking for an answer, and ends.
std::vector<Word> writes_to(noc::Coordinates tile, std::uint32_t address, std::uint32_t flags = 0) {
  test::NocProgram program(blackhole);
  program.target(blackhole.translated(*noc::worker(blackhole, {0, 0})), 0x1000);
  program.back(blackhole.translated(tile), address);
  program.go(test::ctrl_posted_write | flags, 64);
  program.stay();
  return program.words();
}

/// Adds 1 to a word of tile 5,1, and ends.
std::vector<Word> asks_tile() {
  test::NocProgram program(blackhole);
  program.target(blackhole.translated(*noc::worker(blackhole, {5, 1})), 0x1000);
  program.back(blackhole.translated(*noc::worker(blackhole, {0, 0})), 0x2000);
  program.go(test::ctrl_atomic, test::increment_of(0x1000), 1);
  program.stay();
  return program.words();
}

/// Writes to a register of an Ethernet tile that cannot be written, and ends.
std::vector<Word> hits_ethernet() {
  using noc::operator""_niu;
  test::NocProgram program(blackhole);
  program.target(blackhole.translated(blackhole.ethernet_tiles()[0]), program.reg("NOC_NODE_ID"_niu));
  program.go(test::ctrl_inline_write, 0xF, 1);
  program.stay();
  return program.words();
}

/// Programs by their files: `ends` stores 7 to 0x20004, `polls` waits for it for ever, `breaks` stops at an ebreak, `runs` never ends.
isa::LoadedText file(const std::string& path) {
  if (path == "dir/ends") return {bytes_of({lui(a0, 0x20), addi(a1, zero, 7), sw(a1, a0, 4), here}), {}};
  if (path == "dir/polls")
    return {bytes_of({lui(a0, 0x20), addi(a1, zero, 7), fence, lw(a2, a0, 4), bne(a2, a1, -8), here}), {}};
  if (path == "dir/breaks") return {bytes_of({addi(a1, zero, 7), 0x00100073}), {}};
  constexpr std::uint32_t linked = 1U << 6U;
  if (path == "dir/leaves_link_open") return {bytes_of(writes_to(*noc::worker(blackhole, {1, 0}), 0x3000, linked)), {}};
  if (path == "dir/runs") return {bytes_of({addi(a1, a1, 1), jal(zero, -4)}), {}};
  if (path == "dir/asks_host") return {bytes_of(writes_to(blackhole.pcie(), 0x1000)), {}};
  if (path == "dir/asks_beyond_l1") return {bytes_of(writes_to(*noc::worker(blackhole, {0, 0}), 0x400000)), {}};
  if (path == "dir/asks_tile") return {bytes_of(asks_tile()), {}};
  if (path == "dir/hits_ethernet") return {bytes_of(hits_ethernet()), {}};
  if (path == "dir/data") return {"12345678", {}};
  return {std::nullopt, "no such file"};
}

std::variant<Scenario, Problem> parse(const std::string& text) {
  return parse_scenario(text, "dir/test.toml", file);
}

std::string problem(const std::string& text) {
  const auto parsed = parse(text);
  const auto* problem = std::get_if<Problem>(&parsed);
  return problem != nullptr ? problem->text : "none";
}

Scenario scenario(const std::string& text) {
  auto parsed = parse(text);
  if (const auto* problem = std::get_if<Problem>(&parsed)) throw std::runtime_error(problem->text);
  return std::get<Scenario>(std::move(parsed));
}

std::string brisc(const std::string& at, const std::string& program) {
  return "[[tile]]\nat = " + at + "\ncores.brisc = { raw = \"" + program + "\", address = 0 }\n";
}

using Tiles = std::vector<noc::Coordinates>;

// ---- names of tiles ----

TEST(TileNames, AreTilesRangesAndAll) {
  const noc::FloorPlan plan(Arch::wormhole);
  EXPECT_EQ(named_tiles(plan, "2,1").tiles, (Tiles{{2, 1}}));
  EXPECT_EQ(named_tiles(plan, "0-1,3-4").tiles, (Tiles{{0, 3}, {1, 3}, {0, 4}, {1, 4}}));
  EXPECT_EQ(named_tiles(plan, "3,1  0,0 3,1").tiles, (Tiles{{0, 0}, {3, 1}}));
  EXPECT_EQ(named_tiles(plan, "all").tiles.size(), 80U);
  EXPECT_EQ(named_tiles(noc::FloorPlan(*noc::product("n300")), "all").tiles.size(), 64U);
  for (const char* const wrong : {"", " ", "1", "1,", ",1", "1-,1", "3-1,0", "a,b", "1,2,3", "-1,0", "0x1,0"})
    EXPECT_NE(named_tiles(plan, wrong).problem, "") << wrong;
}

TEST(TileNames, AListOfTilesReadsAsItWasWritten) {
  const noc::FloorPlan plan(Arch::blackhole);
  for (const char* const text : {"0,0", "0-3,0-3", "0-13,0-9", "2,1 5,1 2,3", "0-3,0 1-2,1"})
    EXPECT_EQ(tile_list(named_tiles(plan, text).tiles), text);
}

// ---- reading ----

TEST(ChipScenario, TilesOfTheSameSectionsAreOneGroup) {
  const Scenario read = scenario("[chip]\nplan = \"p100\"\n" + brisc("\"all\"", "ends") +
                                 "[[tile]]\nat = [3, 2]\nuntil = { \"0x20004\" = 7 }\n");
  EXPECT_EQ(read.arch, Arch::blackhole);
  ASSERT_EQ(read.tiles.size(), 2U);
  EXPECT_EQ(read.tiles[0].at.size(), 119U);
  EXPECT_EQ(read.tiles[1].at, (Tiles{{3, 2}}));
  EXPECT_TRUE(read.tiles[1].tile.runs_cores());
  EXPECT_EQ(read.tiles[1].tile.until.size(), 1U);
  EXPECT_TRUE(read.tiles[0].tile.until.empty());
}

TEST(ChipScenario, WhatIsWrongIsNamedWithItsPlace) {
  const std::string tile = brisc("[0, 0]", "ends");
  EXPECT_EQ(problem(brisc("[14, 0]", "ends")),
            "dir/test.toml:2:6: the chip has no tile 14,0: its Tensix tiles that work are counted from 0,0 to 13,9");
  EXPECT_EQ(problem("[chip]\nplan = \"n300\"\n" + brisc("\"0,7-8\"", "ends")),
            "dir/test.toml:4:6: the chip has no tile 0,8: its Tensix tiles that work are counted from 0,0 to 7,7");
  EXPECT_EQ(problem(brisc("\"0\"", "ends")),
            "dir/test.toml:2:6: '0' names no tiles: expected X,Y or ranges as in 0-3,0-3, or all");
  EXPECT_EQ(problem(brisc("[0, 0, 0]", "ends")), "dir/test.toml:2:6: expected at = [x, y]");
  EXPECT_EQ(problem("[[tile]]\ncores = {}\n"),
            "dir/test.toml:1:1: a tile has at = [x, y], or at = \"0-3,0-3\" or \"all\"");
  EXPECT_EQ(problem(tile + brisc("\"0-1,0\"", "ends")),
            "dir/test.toml:6:7: brisc of these tiles has a program already, by another [[tile]]");
  EXPECT_EQ(problem(brisc("[0, 0]", "gone")), "dir/test.toml:3:15: cannot read 'gone': no such file");
  EXPECT_EQ(problem("[[tile]]\nat = [0, 0]\nprograms = 1\n"),
            "dir/test.toml:3:1: tile has no 'programs'; expected one of at, cores, memory, initial, until, expect");
  EXPECT_EQ(
      problem("[chip]\nplan = \"p15\"\n" + tile),
      "dir/test.toml:2:8: no product is called p15; expected one of wormhole, n150, n300, blackhole, p100, p100a, "
      "p150, p150_120");
  EXPECT_EQ(problem("arch = \"wormhole\"\n[chip]\nplan = \"p150\"\n" + tile), "dir/test.toml:1:8: p150 is a blackhole");
  EXPECT_EQ(problem("[chip]\nplan = \"p150\"\n"), "dir/test.toml:1:1: this goes with [[tile]]");
  EXPECT_EQ(problem("until = { \"0x20000\" = 1 }\n" + tile),
            "dir/test.toml:1:9: in a scenario of several tiles, until belongs to a [[tile]]");
  EXPECT_EQ(problem("[T1]\nprogram = \"NOP\"\n" + tile),
            "dir/test.toml:1:1: T1 is for scenarios of one tile: on several, programs run on cores");
  EXPECT_EQ(problem(tile + "[expect]\nmemory = { \"0x20000\" = 1 }\n"),
            "dir/test.toml:5:1: expect has no 'memory'; expected one of outcome, cycles, dram");
  EXPECT_EQ(problem(tile + "until = { \"trisc0:done\" = 1 }\n"),
            "dir/test.toml:4:27: 'trisc0:done' is no word of L1: expected an address or CORE:VARIABLE");
}

TEST(ChipScenario, WhatIsWrongWithDramIsNamedWithItsPlace) {
  const std::string tile = brisc("[0, 0]", "ends");
  EXPECT_EQ(problem("[[dram]]\nbank = 8\nwords = [1]\n" + tile),
            "dir/test.toml:2:8: bank must be a number from 0 to 7");
  EXPECT_EQ(problem("[chip]\nplan = \"p100\"\n[[dram]]\nbank = 7\nwords = [1]\n" + tile),
            "dir/test.toml:4:8: bank must be a number from 0 to 6");
  EXPECT_EQ(problem("arch = \"wormhole\"\n[[dram]]\naddress = 0x3ffffffe\nwords = [1]\n" + tile),
            "dir/test.toml:3:11: 4 bytes at 0x3ffffffe are not in a bank, which has 0x40000000");
  EXPECT_EQ(problem("[[dram]]\nfile = \"gone\"\n" + tile), "dir/test.toml:2:8: cannot read 'gone': no such file");
  EXPECT_EQ(problem("[[dram]]\nbytes = [256]\n" + tile), "dir/test.toml:2:10: expected an 8-bit number");
  EXPECT_EQ(problem("[[dram]]\nbank = 0\n" + tile), "dir/test.toml:1:1: dram has words = [ ... ] or file = \"...\"");
  EXPECT_EQ(problem("[dram]\nbank = 0\n" + tile), "dir/test.toml:1:1: dram is written as [[dram]]");
  EXPECT_EQ(problem("[expect]\ndram = [{ words = [1] }]\n"),
            "dir/test.toml:2:8: dram belongs to the top level of a scenario with [[tile]]");
}

// ---- running ----

TEST(ChipRun, IsFinishedWhenEveryTileIs) {
  const ChipRun run = run_chip(scenario(brisc("\"0-3,0-1\"", "ends")));
  EXPECT_EQ(run.kind, OutcomeKind::finished);
  EXPECT_EQ(run.tiles.size(), 8U);
  EXPECT_EQ(run.failed_count(), 0U);
}

TEST(ChipRun, IsDeadlockedIfATileIsAndSaysWhich) {
  const ChipRun run = run_chip(scenario(brisc("\"0-1,0\"", "ends") + brisc("[5, 5]", "polls")));
  EXPECT_EQ(run.kind, OutcomeKind::deadlocked);
  EXPECT_EQ(run.find({0, 0})->outcome.kind, OutcomeKind::finished);
  EXPECT_EQ(run.find({5, 5})->outcome.kind, OutcomeKind::deadlocked);
  EXPECT_EQ(run.find({4, 4}), nullptr);
}

TEST(ChipRun, AFaultEndsItInItsCycleAndInterruptsTheOthers) {
  const ChipRun run = run_chip(scenario(brisc("[0, 0]", "runs") + brisc("[1, 0]", "breaks") + brisc("[2, 0]", "ends")));
  EXPECT_EQ(run.kind, OutcomeKind::faulted);
  EXPECT_LT(run.cycles, 100U);
  EXPECT_EQ(run.find({1, 0})->outcome.kind, OutcomeKind::faulted);
  EXPECT_EQ(run.find({0, 0})->outcome.kind, OutcomeKind::interrupted);
  EXPECT_EQ(run.find({2, 0})->outcome.kind, OutcomeKind::finished);
}

TEST(ChipRun, EndsWhenTheWordsOfAllTilesHaveTheirValues) {
  const std::string until = "until = { \"0x20004\" = 7 }\n";
  const Scenario words = scenario("budget = 5000\n" + brisc("[0, 0]", "runs") + brisc("[1, 0]", "ends") + until +
                                  brisc("[2, 0]", "ends") + until);
  const ChipRun run = run_chip(words, {.lockstep = true});
  EXPECT_EQ(run.kind, OutcomeKind::finished);
  EXPECT_LT(run.cycles, 500U);
  EXPECT_EQ(run.failed_count(), 0U);
  const ChipRun never = run_chip(scenario("budget = 5000\n" + brisc("[0, 0]", "runs") + until));
  EXPECT_EQ(never.kind, OutcomeKind::budget_exhausted);
  EXPECT_EQ(never.cycles, 5000U);
}

TEST(ChipRun, TilesThatEndWithoutTheirWordsHaveNotDoneWhatTheyWereRunFor) {
  const ChipRun run = run_chip(scenario(brisc("[0, 0]", "ends") + "until = { \"0x20004\" = 8 }\n"));
  EXPECT_EQ(run.kind, OutcomeKind::finished);
  EXPECT_EQ(run.failed_count(), 1U);
}

TEST(ChipRun, ExpectationsOfTilesAndOfDramAreCompared) {
  const std::string tile = brisc("\"0-1,0\"", "ends");
  const std::string dram = "[[dram]]\nbank = 3\naddress = 0x100\nfile = \"data\"\n";
  const std::string right = "[[expect.dram]]\nbank = 3\naddress = 0x104\nbytes = [0x35, 0x36]\n";
  EXPECT_EQ(run_chip(scenario(dram + tile + "expect.memory = { \"0x20004\" = 7 }\n" + right)).failed_count(), 0U);
  const ChipRun wrong =
      run_chip(scenario(dram + tile + "expect.memory = { \"0x20004\" = 8 }\n" + "[expect]\noutcome = \"deadlocked\"\n" +
                        "[[expect.dram]]\nbank = 3\naddress = 0x104\nbytes = [0x35, 0x37]\n"));
  EXPECT_EQ(wrong.failed_count(), 4U);
  EXPECT_EQ(
      wrong.failed_expectations,
      (std::vector<std::string>{"outcome: expected deadlocked, was finished",
                                "DRAM bank 3: 1 of 2 bytes from 0x104 on differ; at 0x105 expected 0x37, was 0x36"}));
}

// ---- faults of the chip ----

bool says(const Scenario& read, const ChipRun& run, const std::string& text) {
  return report::chip_report(read, run, report::Format::plain).find(text) != std::string::npos;
}

TEST(ChipRun, WhoAsksForAHostThatIsNotThereIsAFaultEvenIfNobodyWaitsForAnAnswer) {
  const Scenario read = scenario(brisc("[0, 0]", "asks_host"));
  const ChipRun run = run_chip(read);
  EXPECT_EQ(run.kind, OutcomeKind::faulted);
  ASSERT_EQ(run.unanswered.size(), 1U);
  EXPECT_EQ(run.cycles, run.unanswered[0].cycle + 1);
  EXPECT_TRUE(
      says(read, run, "BRISC of tile 0,0 writes to 0x1000 of tile NoC 0's 2,0 over NoC 0, by the request of cycle "));
}

TEST(ChipRun, AFaultOfATileThatIsNotCountedHasItsCycleAndItsIssuer) {
  const Scenario read = scenario(brisc("[1, 0]", "hits_ethernet") + brisc("[2, 0]", "polls"));
  const ChipRun run = run_chip(read);
  EXPECT_EQ(run.kind, OutcomeKind::faulted);
  ASSERT_EQ(run.others.size(), 1U);
  EXPECT_EQ(run.others[0].place, blackhole.ethernet_tiles()[0]);
  EXPECT_EQ(run.cycles, run.others[0].outcome.noc_fault->cycle + 1);
  EXPECT_TRUE(says(read, run, "BRISC of tile 1,0 writes to 0xffb20044 over NoC 0, by the request of cycle "));
}

TEST(ChipRun, WhoWaitsWhenAnotherTileHasAFaultIsInterruptedAndNotDeadlocked) {
  const Scenario read = scenario(brisc("[0, 0]", "polls") + brisc("[1, 0]", "breaks"));
  const ChipRun run = run_chip(read);
  EXPECT_EQ(run.kind, OutcomeKind::faulted);
  EXPECT_EQ(run.find({0, 0})->outcome.kind, OutcomeKind::interrupted);
  EXPECT_TRUE(says(read, run, "BRISC spins at "));
  EXPECT_FALSE(says(read, run, "will write it"));
}

TEST(ChipRun, ARequestThatIsRefusedIsInTheReport) {
  const Scenario read = scenario(brisc("[0, 0]", "asks_beyond_l1"));
  const ChipRun run = run_chip(read);
  EXPECT_EQ(run.kind, OutcomeKind::faulted);
  EXPECT_TRUE(says(read, run,
                   "  the request: write of 64 bytes from 0x00001000 of this tile to 0x00400000 of the tile "
                   "that NoC 0 calls 1,2 (logical 0,0) (command buffer 0, NOC_CTRL 0x2082)\n"));
}

TEST(ChipRun, ALinkLeftOpenIsAFaultOfTheRunAndNotADeadlock) {
  const Scenario read = scenario(brisc("[0, 0]", "leaves_link_open") + brisc("[2, 0]", "ends"));
  const ChipRun run = run_chip(read);
  EXPECT_EQ(run.kind, OutcomeKind::faulted);
  EXPECT_EQ(run.find({0, 0})->outcome.kind, OutcomeKind::faulted);
  EXPECT_TRUE(says(read, run, ": a linked transaction was never ended: "));
  EXPECT_FALSE(says(read, run, "note:"));
}

TEST(ChipRun, WhatATilePollsInVainIsExplainedOnce) {
  const Scenario read = scenario(brisc("[0, 0]", "polls"));
  const ChipRun run = run_chip(read);
  EXPECT_EQ(run.kind, OutcomeKind::deadlocked);
  EXPECT_TRUE(says(read, run, "tile 0,0 BRISC waits at "));
  EXPECT_TRUE(says(read, run, "  nobody is left who would send anything to it\n"));
  EXPECT_FALSE(says(read, run, "BRISC spins at ")) << "the tile's own words";
  EXPECT_FALSE(run.find({0, 0})->outcome.stuck_cores.empty()) << "which are still in JSON";
}

TEST(ChipRun, ATileThatHasNoProgramAndIsSentSomethingIsNamed) {
  const Scenario read = scenario(brisc("[0, 0]", "asks_tile"));
  const ChipRun run = run_chip(read);
  EXPECT_EQ(run.kind, OutcomeKind::finished);
  EXPECT_TRUE(says(read, run, "  tile 5,1: without a program; somebody has sent something there\n"));
}

}  // namespace
}  // namespace tensim::scenario
