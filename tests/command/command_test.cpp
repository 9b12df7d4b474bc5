// The command as a user meets it: exit codes, human and JSON output, bad input.
#include "tests/support/command.hpp"

#include <filesystem>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/places.hpp"

namespace {

using tensim::test::contains;
using tensim::test::Outcome;
using tensim::test::run;
using tensim::test::TemporaryFile;

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

TEST(Command, WithoutASubcommandTheHelpIsPrinted) {
  EXPECT_TRUE(contains(run("").output, "Subcommands:"));
  const Outcome help = run("help");
  EXPECT_EQ(help.exit_code, 0);
  EXPECT_EQ(help.output, run("--help").output);
  EXPECT_TRUE(contains(run("help run").output, "--trisc0"));
  EXPECT_TRUE(contains(run("help rnu").output, "unknown subcommand 'rnu'; did you mean 'run'?"));
}

TEST(Command, WhatIsMisspeltGetsASuggestion) {
  EXPECT_TRUE(contains(run("rnu").output, "unknown subcommand 'rnu'; did you mean 'run'?"));
  EXPECT_TRUE(contains(run("--json bogus").output, "unknown subcommand 'bogus'"));
  EXPECT_TRUE(contains(run("run --brsic x").output, "run has no option '--brsic'; did you mean '--brisc'?"));
  EXPECT_TRUE(contains(run("asm --ttinsm").output, "asm has no option '--ttinsm'; did you mean '--ttinsn'?"));
  EXPECT_TRUE(contains(run("--jsno arch wh").output, "arch has no option '--jsno'; did you mean '--json'?"));
  EXPECT_TRUE(contains(run("arch wormhole blackhole").output, "'blackhole' is one argument too many"));
  EXPECT_TRUE(contains(run("run --trace out.txt ring.toml").output,
                       "'ring.toml' is one argument too many: FILE is 'out.txt'; a file for --trace is written "
                       "--trace=FILE"));
}

TEST(Command, NumbersOutOfRangeAreRefused) {
  for (const std::string arguments :
       {"run - --budget -1", "run - --budget 0", "run - --budget 100000000000000000000", "run - --budget 1e3",
        "run - --gdb 65536", "run - --gdb -1", "run - --fill random:-1", "run - --fill random:100000000000000000000",
        "disasm - --base 0x100000000", "disasm - --base -4", "compare - --reference x --budget -1",
        "compare - --reference x --time-limit 0", "compare - --reference x --tile -1 3"}) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.exit_code, 2) << arguments << "\n" << outcome.output;
    EXPECT_TRUE(contains(outcome.output, "is not a number from") || contains(outcome.output, "random:SEED"))
        << arguments << "\n"
        << outcome.output;
  }
  EXPECT_TRUE(contains(run("disasm --base 0xfffffffc -", "02000000").output, "fffffffc:"));
}

TEST(Command, AssemblyErrorsNameFileLineAndColumn) {
  const Outcome outcome = run("asm -", "ttnop\nttsempost 2, 3\n");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_TRUE(contains(outcome.output, "-:2:14: error: too many operands for ttsempost; expected 1: sem_sel"))
      << outcome.output;
}

TEST(Command, BinaryOutputDisassemblesAgain) {
  const TemporaryFile file("tensim_words");
  EXPECT_EQ(run("asm --binary -o " + file.path() + " -", "ttsempost 2\nttnop\n").exit_code, 0);
  for (const std::string arguments : {"disasm --input bin ", "disasm "}) {
    const Outcome outcome = run(arguments + file.path());
    EXPECT_TRUE(contains(outcome.output, "ttsempost 2")) << outcome.output;
    EXPECT_TRUE(contains(outcome.output, "ttnop"));
  }
}

TEST(Command, SaysWhyAFileCannotBeRead) {
  EXPECT_EQ(run("asm /no/such/file").output, "tensim: cannot read '/no/such/file': No such file or directory\n");
  EXPECT_EQ(run("disasm /").output, "tensim: cannot read '/': it is a directory\n");
  EXPECT_TRUE(contains(run("asm -", ".include \"-\"").output, "error: standard input cannot be included"));
}

TEST(Command, UsageErrorsAreJsonIfAskedFor) {
  for (const std::string arguments :
       {"frobnicate --json", "--json asm", "arch grayskull --json", "explain xyz --json"}) {
    const Outcome outcome = run(arguments, "", "2>/dev/null");
    EXPECT_EQ(outcome.exit_code, 2) << arguments;
    const auto document = nlohmann::json::parse(outcome.output);
    EXPECT_EQ(document.at("schema"), "tensim.error/1") << arguments;
    EXPECT_FALSE(document.at("error").get<std::string>().empty()) << arguments;
  }
}

TEST(Command, OutputThatCannotBeWrittenEndsWith2) {
  const Outcome outcome = run("arch blackhole", "", "2>&1 >/dev/full");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.output, "tensim: cannot write the output: No space left on device\n");
  EXPECT_EQ(run("asm -", "bad", ">/dev/full 2>/dev/full").exit_code, 2);
  EXPECT_EQ(run("--help", "", ">/dev/full 2>/dev/null").exit_code, 2);
  EXPECT_EQ(run("asm - -o /dev/full", "ttnop\n").output, "tensim: cannot write '/dev/full': No space left on device\n");
}

TEST(Command, AWordThatCannotStandInARiscvStreamIsNamedWithItsLine) {
  EXPECT_EQ(run("asm --ttinsn -", "ttnop\n.word 0xC0000000\n").output,
            "-:2:1: error: 0xc0000000 cannot be a .ttinsn: words from 0xc0000000 up look like RISC-V\n");
}

TEST(Command, NamesOfFilesCannotSpeakToTheTerminal) {
  const Outcome outcome = run("asm \"$(printf '/no/such/\\033[31mfile')\"");
  EXPECT_EQ(outcome.output, "tensim: cannot read '/no/such/\\x1b[31mfile': No such file or directory\n");
}

TEST(Command, ExplainKnowsConfigurationFields) {
  const std::string one = run("explain ALU_FORMAT_SPEC_REG0_SrcA --arch wormhole").output;
  EXPECT_FALSE(contains(one, "SrcAUnsigned")) << "a whole name is that field alone";
  EXPECT_TRUE(contains(one, "word 1, bits 20:17")) << one;
  EXPECT_TRUE(contains(one, "RMWCIB2 Mask=0x1e, NewValue=V<<1, Index4=1")) << one;
  EXPECT_TRUE(contains(run("explain srca_set").output, "ThreadConfig[5]"));
  const auto document = nlohmann::json::parse(run("explain 'Config[2]' --json").output);
  EXPECT_EQ(document.at("schema"), "tensim.explain_config/1");
  EXPECT_EQ(document.at("fields").at(0).at("name"), "ALU_ACC_CTRL_Zero_Flag_disabled_src");
}

TEST(Command, ExplainSaysWhatIsWrongWithAWord) {
  EXPECT_EQ(run("explain 0x1ffffffff").output, "tensim: 0x1ffffffff is above 32 bits\n");
}

TEST(Command, DisassemblyNamesTheOptionThatSaysWhatAFileIs) {
  EXPECT_TRUE(contains(run("disasm -", "xyz").output, "'xyz' is not a 32-bit hexadecimal word (--input bin"));
  EXPECT_TRUE(contains(run("disasm -", "\x80\x81\x82").output, "3 bytes are not a whole number of words (--input"));
}

TEST(Command, JsonOfManyLinesIsOneDocument) {
  const Outcome words = run("asm --json -", "ttnop\nttatgetm 65536\n");
  EXPECT_EQ(words.exit_code, 0);
  const Outcome outcome = run("disasm --json -", "02000000 a4000008 ff000000");
  const auto document = nlohmann::json::parse(outcome.output);
  const auto& lines = document.at("sections").at(0).at("lines");
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines.at(1).at("vendor"), "ttsempost 2");
  EXPECT_EQ(lines.at(2).at("status"), "undefined opcode");
}

TEST(Command, SizesThatAChipDoesNotHaveAreNotPrinted) {
  EXPECT_FALSE(contains(run("arch wormhole").output, "auto_ttsync_resources"));
  EXPECT_FALSE(contains(run("arch wormhole --json").output, "auto_ttsync_resources"));
  EXPECT_TRUE(contains(run("arch blackhole").output, "auto_ttsync_resources"));
}

TEST(Command, PlainWithoutATerminalColouredOnRequest) {
  EXPECT_FALSE(contains(run("explain a4000008").output, "\x1b["));
  EXPECT_TRUE(contains(run("--color always explain a4000008").output, "\x1b["));
}

TEST(Command, EveryExampleAssembles) {
  std::size_t examples = 0;
  for (const auto& entry : std::filesystem::directory_iterator(TENSIM_EXAMPLES)) {
    if (entry.path().extension() != ".s") continue;
    ++examples;
    EXPECT_EQ(run("asm " + entry.path().string()).exit_code, 0) << entry.path();
  }
  EXPECT_GE(examples, 2U);
}

}  // namespace
