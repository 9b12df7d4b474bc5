// The command as a user meets it: exit codes, human and JSON output, bad input.
#include <cstdio>
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/wait.h>
#include <unistd.h>

namespace {

struct Outcome {
  int exit_code = -1;
  std::string output;  // standard output and standard error together
};

Outcome run(const std::string& arguments, const std::string& input = "") {
  const std::string input_file = testing::TempDir() + "/tensim_command_input." + std::to_string(getpid());
  std::ofstream(input_file, std::ios::binary) << input;
  Outcome outcome;
  std::FILE* pipe = popen((std::string(TENSIM_COMMAND) + " " + arguments + " < " + input_file + " 2>&1").c_str(), "r");
  char buffer[4096];
  while (const std::size_t got = std::fread(buffer, 1, sizeof buffer, pipe))
    outcome.output.append(buffer, got);
  const int status = pclose(pipe);
  outcome.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return outcome;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Command, AssemblesExplainsAndDisassembles) {
  EXPECT_EQ(run("asm -", "ttsemwait 322, 2, 2\n").output, "0xa6a1000a  # ttsemwait 322, 2, 2\n");
  EXPECT_EQ(run("asm --ttinsn -", "ttsempost 2\n").output, "0x90000022  # ttsempost 2\n");
  EXPECT_TRUE(contains(run("disasm -", "a6a1000a").output, "ttsemwait 322, 2, 2"));
  EXPECT_TRUE(contains(run("disasm --named -", "0xa6a1000a").output, "SEMWAIT block=STALL_SFPU|STALL_MATH|STALL_SYNC"));
  EXPECT_TRUE(contains(run("disasm --riscv -", "98020026 00000013").output, "ttsemwait 1, 2, 1"));
  EXPECT_TRUE(contains(run("explain 0xa6a1000a").output, "STALL_ON_MAX: any selected semaphore has Value >= Max"));
  EXPECT_TRUE(contains(run("explain 'SEMPOST sem=MATH_PACK'").output, "0xa4000008"));
  EXPECT_TRUE(contains(run("arch blackhole --timing").output, "dst_hazard"));
}

TEST(Command, JsonAlwaysHasASchema) {
  for (const std::string arguments :
       {"asm --json -", "disasm --json -", "explain --json a4000008", "arch --json wormhole --timing"}) {
    const Outcome outcome = run(arguments, "# nothing\n");
    EXPECT_EQ(outcome.exit_code, 0) << arguments;
    const auto document = nlohmann::json::parse(outcome.output);
    EXPECT_TRUE(document.at("schema").get<std::string>().starts_with("tensim.")) << arguments;
  }
}

TEST(Command, BadInputEndsWith2AndAMessage) {
  for (const std::string arguments : {"", "asm", "asm /no/such/file", "asm /", "disasm -", "explain nonsense",
                                      "explain", "arch grayskull", "frobnicate", "asm --arch quasar -",
                                      "explain 00000013 --ttinsn", "disasm --input elf -", "disasm --input bin -"}) {
    const Outcome outcome = run(arguments, "xyz");
    EXPECT_EQ(outcome.exit_code, 2) << arguments << "\n" << outcome.output;
    EXPECT_FALSE(outcome.output.empty()) << arguments;
  }
}

TEST(Command, AssemblyErrorsNameFileLineAndColumn) {
  const Outcome outcome = run("asm -", "ttnop\nttsempost 2, 3\n");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_TRUE(contains(outcome.output, "-:2:14: error: too many operands for ttsempost; expected 1: sem_sel"))
      << outcome.output;
}

TEST(Command, BinaryOutputDisassemblesAgain) {
  const std::string file = testing::TempDir() + "/tensim_words." + std::to_string(getpid());
  EXPECT_EQ(run("asm --binary -o " + file + " -", "ttsempost 2\nttnop\n").exit_code, 0);
  const Outcome outcome = run("disasm --input bin " + file);
  EXPECT_TRUE(contains(outcome.output, "ttsempost 2")) << outcome.output;
  EXPECT_TRUE(contains(outcome.output, "ttnop"));
}

TEST(Command, PlainWithoutATerminalColouredOnRequest) {
  EXPECT_FALSE(contains(run("explain a4000008").output, "\x1b["));
  EXPECT_TRUE(contains(run("--color always explain a4000008").output, "\x1b["));
}

TEST(Command, EveryExampleAssembles) {
  for (const std::string file : {"math_pack_handshake.s", "seed_listing.s"})
    EXPECT_EQ(run("asm " TENSIM_EXAMPLES "/" + file).exit_code, 0) << file;
}

}  // namespace
