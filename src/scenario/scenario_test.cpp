#include "scenario/scenario.hpp"

#include <gtest/gtest.h>

#include "report/accesses.hpp"
#include "report/expected_texts.hpp"
#include "report/hang.hpp"
#include "scenario/run.hpp"

namespace tensim::scenario {
namespace {

std::variant<Scenario, Problem> parse(const std::string& text) {
  const FileLoader files = [](const std::string& path) -> isa::LoadedText {
    if (path == "dir/code.bin") return {"12345678", {}};
    if (path == "dir/loop.bin") return {std::string("\x6F\0\0\0", 4), {}};  // j .
    if (path == "dir/kernel.s") return {"NOP\nATGETM mutex=1\n", {}};
    return {std::nullopt, "no such file"};
  };
  return parse_scenario(text, "dir/test.toml", files);
}

std::string problem(const std::string& text) {
  const auto parsed = parse(text);
  const auto* problem = std::get_if<Problem>(&parsed);
  return problem != nullptr ? problem->text : "";
}

/// The first line of each explanation.
std::vector<std::string> stuck(const std::string& text) {
  const auto parsed = parse(text);
  if (const auto* problem = std::get_if<Problem>(&parsed)) return {problem->text};
  const auto& scenario = std::get<Scenario>(parsed);
  std::vector<std::string> lines;
  for (const insight::StuckAgent& agent : run(scenario).graph.agents)
    lines.push_back(report::lines_of(scenario, agent).front());
  return lines;
}

TEST(Scenario, EverythingHasADefault) {
  const auto parsed = parse("");
  ASSERT_TRUE(std::holds_alternative<Scenario>(parsed));
  const auto& scenario = std::get<Scenario>(parsed);
  EXPECT_EQ(scenario.arch, Arch::blackhole);
  EXPECT_EQ(scenario.budget, 10'000'000U);
  const Outcome outcome = run(scenario);
  EXPECT_EQ(outcome.kind, OutcomeKind::finished);
  EXPECT_EQ(outcome.cycles, 0U);
}

TEST(Scenario, InstructionsAreNamedWithTheirLine) {
  using Lines = std::vector<std::string>;
  EXPECT_EQ(stuck("\n[T0]\nprogram = \"ATGETM mutex=1\""),
            (Lines{"T0 is held at ATGETM mutex=1 (line 3): mutex_invalid"}));
  EXPECT_EQ(stuck("[T1]\nprogram = \"\"\"ATGETM mutex=1\nNOP\"\"\""),
            (Lines{"T1 is held at ATGETM mutex=1 (line 2): mutex_invalid"}));
  EXPECT_EQ(stuck("[T2]\nprogram = '''\r\nNOP\r\nATGETM mutex=1\r\n'''"),
            (Lines{"T2 is held at ATGETM mutex=1 (line 4): mutex_invalid"}));
  EXPECT_EQ(stuck("[T0]\nfile = \"kernel.s\""),
            (Lines{"T0 is held at ATGETM mutex=1 (dir/kernel.s:2): mutex_invalid"}));
  // What a core pushed has no line.
  EXPECT_EQ(stuck("[T0]\nprogram = \"NOP\"\n[[action]]\ncore = \"T0\"\nstore = [0xFFE40000, \"ATGETM mutex=1\"]"),
            (Lines{"T0 is held at ATGETM mutex=1 (line 3): mutex_invalid"}));
}

TEST(Scenario, AssemblyErrorsHaveTheLineOfTheFile) {
  EXPECT_TRUE(problem("[T0]\nprogram = \"\"\"\n  NOP\n  SEMPOST sem=MATH_PAKC\n\"\"\"")
                  .starts_with("dir/test.toml:4:15: error:"));
  EXPECT_TRUE(problem("[T0]\nprogram = \"SEMPOST sem=MATH_PAKC\"").starts_with("dir/test.toml:2:24: error:"));
}

TEST(Scenario, ProblemsNameTheLineAndWhatWasExpected) {
  const std::pair<const char*, const char*> cases[] = {
      {"x = ", "dir/test.toml:1:"},
      {"\nx = \xC3\xA9", "dir/test.toml:2: a character beyond ASCII, outside of strings and comments"},
      {"budgets = 1", "dir/test.toml:1:1: scenario has no 'budgets'; did you mean 'budget'?"},
      {"arch = \"quasar\"", "dir/test.toml:1:8: arch must be \"wormhole\" or \"blackhole\""},
      {"budget = 0", "dir/test.toml:1:10: budget must be a number from 1 to"},
      {"T0 = 1", "dir/test.toml:1:6: T0 must be a table"},
      {"[T0]\nprogam = \"\"", "dir/test.toml:2:1: T0 has no 'progam'; did you mean 'program'?"},
      {"[T0]\nfile = \"no.s\"", "dir/test.toml:2:8: cannot read 'dir/no.s'"},
      {"[T0]\ncycles_per_word = 0", "dir/test.toml:2:19: cycles_per_word must be a number from 1 to 1000000"},
      {"[initial]\nsemaphores = { 8 = { value = 1 } }",
       "dir/test.toml:2:20: expected SEMAPHORE = { value = N, max = N }"},
      {"[initial]\nsemaphores = { 1 = { value = 16 } }", "dir/test.toml:2:30: value must be a number from 0 to 15"},
      {"[initial]\nmutexes = { 0 = \"T3\" }",
       "dir/test.toml:2:17: expected \"T0\", \"T1\", \"T2\" or \"nobody\" as owner"},
      {"[initial]\nmutexes = { 1 = \"T0\" }", "dir/test.toml:2:13: blackhole has no mutex '1'; it has 0 (MATH), 2"},
      {"[expect]\nmutexes = { 7 = \"T0\" }", "dir/test.toml:2:13: blackhole has no mutex '7'"},
      {"[expect]\nmutexes = { 99 = \"T0\" }", "dir/test.toml:2:13: blackhole has no mutex '99'"},
      {"[initial]\ngprs.T0 = { 64 = 1 }", "dir/test.toml:2:18: expected a register from 0 to 63"},
      {"[initial]\nthread_config = [{ thread = \"T0\", word = 9999 }]",
       "dir/test.toml:2:42: word must be a number from 0"},
      {"[initial]\nmop.T0 = [1, 2]", "dir/test.toml:2:10: expected mop.T0 = [ nine words ]"},
      {"[T0]\nprogram = \"NOP\"\nfile = \"kernel.s\"", "dir/test.toml:3:8: program and file do not go together"},
      {"[T0]\nprogram = 5", "dir/test.toml:2:11: program must be a string"},
      {"title = 5", "dir/test.toml:1:9: title must be a string"},
      {"[initial]\nsrc_a_valid = 1", "dir/test.toml:2:15: src_a_valid must be true or false"},
      {"[cores]\nbrisc = { elf = \"a\", raw = \"b\" }", "elf and raw do not go together"},
      {"[cores]\nbrisc = { elf = \"a\", address = 4 }", "elf and address do not go together"},
      {"[cores]\nbrisc = { raw = \"code.bin\", address = 0x17FFFC }",
       "dir/test.toml:2:9: 'code.bin': segment 0 does not fit: 8 bytes at 0x0017fffc are not in L1"},
      {"[cores]\nbrisc = { raw = \"code.bin\", held = 1 }", "held must be true or false"},
      {"[initial]\nconfig = { STACC_RELU = 1 }",
       "dir/test.toml:2:12: blackhole has no configuration field 'STACC_RELU'"},
      {"[initial]\nconfig = { STACC_RELU_ApplyRelu = 16 }", "dir/test.toml:2:35: expected a number of at most 4 bits"},
      {"[[memory]]\naddress = 0x17FFFC\nwords = [1, 2]",
       "dir/test.toml:2:11: memory does not fit: 8 bytes at 0x0017fffc are not in L1"},
      {"[[memory]]\naddress = 0\nwords = [1]\nfile = \"x\"", "dir/test.toml:4:8: words and file do not go together"},
      {"[cores]\nbrisc = { raw = \"code.bin\" }\n[until]\n\"0x180000\" = 1",
       "dir/test.toml:4:14: '0x180000' is no word of L1"},
      {"[timing]\nunpack = 1", "dir/test.toml:2:1: timing has no 'unpack'"},
      {"[timing]\nnop_interval = 2", "dir/test.toml:2:1: timing has no 'nop_interval'"},  // follows from the model
      {"[timing]\nwrcfg_latency = 7", "wrcfg_latency must be a whole number from 1 to 6"},
      {"[timing]\nwrcfg_latency = 1.5", "wrcfg_latency must be a whole number from 1 to 6"},
      {"[timing]\nfetch_line = \"4\"", "fetch_line must be a number from 1 to 25"},
      {"[[action]]\ncore = \"T3\"", "core must be \"B\", \"T0\", \"T1\", \"T2\" or \"NC\""},
      {"[[action]]\ncore = \"T0\"", "an action has either store = [address, value] or load = address"},
      {"[[action]]\ncore = \"T0\"\nstore = [0, \"SEMPST\"]", "the value must be a 32-bit number or one instruction"},
      {"[expect]\noutcome = \"fine\"", "dir/test.toml:2:11: outcome must be \"finished\", \"deadlocked\""},
      {"[expect]\nissued = { T4 = 1 }", "dir/test.toml:2:17: expected issued.T0 = number"},
      {"[expect]\nstuck.T3 = []", "dir/test.toml:2:12: no agent is called 'T3'"},
  };
  for (const auto& [text, message] : cases)
    EXPECT_NE(problem(text).find(message), std::string::npos) << text << "\n" << problem(text);
}

TEST(Scenario, FailedExpectationsSayWhatWas) {
  const auto parsed = parse(
      "[T0]\nprogram = \"NOP\"\n[expect]\noutcome = \"deadlocked\"\ncycles = 9\nissued = { T0 = 2 }\n"
      "last_issue = { T0 = 5, T1 = 1 }\nsemaphores = { MATH_PACK = { value = 1, max = 2 } }\nmutexes = { 0 = \"T1\" }\n"
      "gprs.T0 = { 3 = 7 }\nstuck.T0 = []\n[[action]]\ncycle = 4\ncore = \"T1\"\nload = 0xFFE80024\nexpect = 1\n");
  ASSERT_TRUE(std::holds_alternative<Scenario>(parsed)) << std::get<Problem>(parsed).text;
  const std::vector<std::string> expected{
      "load of 0xffe80024 in cycle 4: expected 0x1, was 0x0",
      "outcome: expected deadlocked, was finished",
      "cycles: expected 9, was 4",
      "instructions issued by T0: expected 2, was 1",
      "last issue of T0: expected 5, was 3",
      "last issue of T1: expected 1, was never",
      "value of semaphore 1: expected 1, was 0",
      "maximum of semaphore 1: expected 2, was 0",
      "owner of mutex 0: expected T1, was nobody",
      "GPR 3 of T0: expected 0x7, was 0x0",
      "T0 is not stuck",
  };
  Outcome outcome = run(std::get<Scenario>(parsed));
  report::check_texts(std::get<Scenario>(parsed), outcome);
  EXPECT_EQ(outcome.failed_expectations, expected);
}

TEST(Scenario, TheInitialStateHoldsForProgramsOnCores) {
  const auto parsed = parse(
      "[cores]\nbrisc = { raw = \"loop.bin\", address = 0x1000 }\n[initial]\ngprs.T1 = { 3 = 7 }\n"
      "mutexes = { 0 = \"T2\" }\nsemaphores = { 2 = { value = 1, max = 3 } }\n[expect]\noutcome = \"finished\"\n"
      "gprs.T1 = { 3 = 7 }\nmutexes = { 0 = \"T2\" }\nsemaphores = { 2 = { value = 1, max = 3 } }\n");
  ASSERT_TRUE(std::holds_alternative<Scenario>(parsed)) << std::get<Problem>(parsed).text;
  EXPECT_EQ(run(std::get<Scenario>(parsed)).failed_expectations, std::vector<std::string>{});
}

TEST(Scenario, WordsToRunUntilAreRefusedWithoutProgramsAndNotLeftOut) {
  Scenario scenario;
  scenario.until.push_back({"0x1000", 0x1000, 1});
  const Outcome outcome = run(scenario);
  EXPECT_EQ(outcome.kind, OutcomeKind::faulted);
  EXPECT_EQ(outcome.problem, "until is for scenarios with programs on cores");
}

TEST(Scenario, ThreadsThatAreFedHaveL1IfMemoryIsGiven) {
  const auto parsed = parse(
      "[T0]\nprogram = \"STOREIND.L1 Size=LD_32bit, DataReg=3, AddrReg=2, OffsetHalfReg=0\"\n"
      "[initial]\ngprs.T0 = { 0 = 0, 2 = 0x2000, 3 = 7 }\n[[memory]]\naddress = 0x20000\nwords = [1, 2]\n"
      "[expect]\noutcome = \"finished\"\nmemory = { \"0x20000\" = 7, \"0x20004\" = 2 }\n");
  ASSERT_TRUE(std::holds_alternative<Scenario>(parsed)) << std::get<Problem>(parsed).text;
  EXPECT_EQ(run(std::get<Scenario>(parsed)).failed_expectations, std::vector<std::string>{});
}

TEST(Scenario, ConfigurationCanBeGivenByTheNamesOfItsFields) {
  const auto parsed = parse(
      "[T0]\nprogram = \"RDCFG ResultReg=3, CfgIndex=2\"\n[initial]\ngprs.T0 = { 3 = 0 }\n"
      "config = { STACC_RELU_ApplyRelu = 5, STACC_RELU_ReluThreshold = 3 }\n"
      "[expect]\noutcome = \"finished\"\ngprs.T0 = { 3 = 0xD4 }\n");
  ASSERT_TRUE(std::holds_alternative<Scenario>(parsed)) << std::get<Problem>(parsed).text;
  EXPECT_EQ(run(std::get<Scenario>(parsed)).failed_expectations, std::vector<std::string>{});
}

TEST(Scenario, DevicesAnswerCoresAndMemoryIsNotThere) {
  const auto load_by = [](const std::string& core, const std::string& address) {
    return run(std::get<Scenario>(parse("[[action]]\ncycle = 5\ncore = \"" + core + "\"\nload = " + address))).kind;
  };
  for (const std::string address : {"0xFFB121F0", "0xFFB13000", "0xFFBD8000", "0xFFE80024", "0xFFB14000", "0xFFB20000"})
    EXPECT_EQ(load_by("T1", address), OutcomeKind::finished)
        << address;  // wall clock, PIC, Dst, semaphore, BRISC's RAM, an NIU
  for (const std::string address : {"0x1000", "0xFFB00000", "0xFFB20300"})
    EXPECT_EQ(load_by("T1", address), OutcomeKind::faulted) << address;  // L1, local RAM, a router
}

TEST(Scenario, ACoreThatReachesNothingIsAFault) {
  const auto parsed = parse("[[action]]\ncycle = 5\ncore = \"NC\"\nstore = [0xFFE40000, \"NOP\"]");
  const Outcome outcome = run(std::get<Scenario>(parsed));
  EXPECT_EQ(outcome.kind, OutcomeKind::faulted);
  ASSERT_TRUE(outcome.core_fault.has_value());
  const explain::CoreFault& fault = *outcome.core_fault;
  EXPECT_EQ(report::describe(fault.fault, fault.access, fault.region),
            "NCRISC stores to 0xffe40000: nothing is mapped there");
}

}  // namespace
}  // namespace tensim::scenario
