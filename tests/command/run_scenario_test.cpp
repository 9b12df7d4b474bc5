// tensim run with a scenario: what does not go together is refused, with what to write instead, and errors have a place.
#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/support/command.hpp"

namespace {

using tensim::test::contains;
using tensim::test::Outcome;
using tensim::test::run;
using tensim::test::TemporaryFile;

constexpr int bad_input = 2;
const std::string two_nops = "[T0]\nprogram = \"NOP\\nNOP\"\n";

void expect_refusal(const std::string& arguments, const std::string& text, const std::string& scenario = two_nops) {
  const Outcome outcome = run("run - " + arguments, scenario);
  EXPECT_EQ(outcome.exit_code, bad_input) << arguments;
  EXPECT_TRUE(contains(outcome.output, text)) << outcome.output;
}

TEST(RunScenario, OptionsForProgramsSayWhatToWriteInTheScenario) {
  expect_refusal("--held trisc0", "in a scenario it is trisc0 = { elf = FILE, held = true } under [cores]");
  expect_refusal("--until 0x20000=1", "in a scenario it is \"WORD\" = VALUE under [until]");
  expect_refusal("--dump 0:4:file", "only runs of programs have memory");
}

TEST(RunScenario, AScenarioBehindAnOptionIsNotOneMoreOfItsValues) {
  const auto refusal = [](const std::string& options) { return run("run " + options + " -", two_nops).output; };
  EXPECT_TRUE(contains(refusal("--until 0x20000=1"), "--until goes with programs of the command line")) << "not lost";
  EXPECT_TRUE(contains(refusal("--dump 0:4:file"), "--dump: only runs of programs have memory")) << "not lost";
  EXPECT_EQ(run("run --fill ones --budget 9 --arch bh -", two_nops).exit_code, 0);
}

TEST(RunScenario, AScenarioInPlaceOfAValueIsNamed) {
  const TemporaryFile scenario("tensim_scenario.toml", two_nops);
  for (const std::string option : {"--until", "--dump", "--held", "--held trisc0", "--fill", "--arch", "--budget",
                                   "--gdb", "--brisc", "--color"}) {
    const Outcome outcome = run("run " + option + " " + scenario.path());
    EXPECT_EQ(outcome.exit_code, bad_input) << option;
    EXPECT_TRUE(contains(outcome.output, scenario.path())) << option << "\n" << outcome.output;
  }
  EXPECT_TRUE(contains(
      run("run --brisc x.elf " + scenario.path()).output,
      "run takes either a scenario or programs for cores, and '" + scenario.path() + "' would be the scenario"));
}

TEST(RunScenario, AnotherArchitectureThanTheScenariosIsRefused) {
  expect_refusal("--arch wormhole", "'-' is a scenario for blackhole, and --arch says wormhole");
  EXPECT_EQ(run("run --arch wormhole -", "arch = \"wormhole\"\n" + two_nops).exit_code, 0);
  EXPECT_EQ(run("run --arch bh -", two_nops).exit_code, 0);
}

TEST(RunScenario, JsonIsOneDocumentWhateverIsTraced) {
  expect_refusal("--json --trace", "would both go to standard output: write --trace=FILE");
  const TemporaryFile trace("tensim_trace");
  const Outcome outcome = run("run --json --trace=" + trace.path() + " -", two_nops);
  EXPECT_EQ(nlohmann::json::parse(outcome.output).at("outcome"), "finished");
  std::ifstream file(trace.path());
  const std::string lines((std::istreambuf_iterator<char>(file)), {});
  EXPECT_EQ(lines, "       3  T0  NOP\n       4  T0  NOP\n");
}

TEST(RunScenario, LintsOfACheckedRunLeaveItsExitCode) {
  const std::string lost =
      "[initial]\nsemaphores = { MATH_PACK = { value = 0, max = 1 } }\n[T2]\nprogram = \"SEMGET sem=MATH_PACK\"\n";
  const Outcome checked = run("run - --check races", lost);
  EXPECT_EQ(checked.exit_code, 0);
  EXPECT_TRUE(
      contains(checked.output, "lint: T2's SEMGET sem=MATH_PACK (line 4) takes from semaphore 1 (MATH_PACK) at 0"))
      << checked.output;
  EXPECT_TRUE(contains(checked.output, "tensim explain LINT-lost-update")) << checked.output;
  EXPECT_TRUE(contains(run("explain LINT-lost-update").output, "A SEMPOST at 15, a SEMGET at 0"));
}

TEST(RunScenario, ATraceThatCannotBeWrittenEndsWith2) {
  expect_refusal("--trace=/dev/full", "cannot write '/dev/full': No space left on device");
  expect_refusal("--trace=/no/such/file", "cannot write '/no/such/file': No such file or directory");
}

TEST(RunScenario, ErrorsHaveTheirPlaceAsFieldsToo) {
  const auto error = [](const std::string& scenario) {
    return nlohmann::json::parse(run("run --json -", scenario, "2>/dev/null").output);
  };
  const auto key = error("title = \"x\"\n[initial]\nmutexes = { 1 = \"T0\" }\n");
  EXPECT_EQ(key.at("file"), "-");
  EXPECT_EQ(key.at("line"), 3);
  EXPECT_EQ(key.at("column"), 13);
  EXPECT_TRUE(contains(key.at("error"), "-:3:13: blackhole has no mutex '1'; it has 0 (MATH), 2 (UNPACK0)"));
  const auto assembly = error("[T0]\nprogram = \"SEMPOST sem=MATH_PAKC\"");
  EXPECT_EQ(assembly.at("line"), 2);
  EXPECT_EQ(assembly.at("column"), 24);
}

TEST(RunScenario, TitlesAndNamesCannotSpeakToTheTerminal) {
  const Outcome titled = run("run -", "title = \"a \\u001B[31mtitle\"\n");
  EXPECT_EQ(titled.output, "a \\x1b[31mtitle: finished after 0 cycles (blackhole)\n");
  const Outcome key = run("run -", "\"\\u001B[31m\" = 1\n");
  EXPECT_FALSE(contains(key.output, "\x1b")) << key.output;
  const Outcome stuck = run("run -", "[T0]\nprogram = \"ATGETM mutex=1\"\n[expect]\nstuck.T0 = [\"\\u001B[31m\"]\n");
  EXPECT_TRUE(contains(stuck.output, "does not say \"\\x1b[31m\"")) << stuck.output;
  EXPECT_FALSE(contains(stuck.output, "\x1b")) << stuck.output;
  const Outcome file = run("run -", "[T0]\nfile = \"\\u001B[31m\"\n");
  EXPECT_FALSE(contains(file.output, "\x1b")) << file.output;
}

TEST(RunScenario, AnElfFileInsteadOfAScenarioIsRecognised) {
  expect_refusal("", "is an ELF file, not a scenario: --brisc",
                 "\x7F"
                 "ELF\x01\x01");
}

}  // namespace
