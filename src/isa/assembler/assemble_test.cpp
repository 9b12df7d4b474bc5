#include "isa/assembler/assemble.hpp"

#include <map>

#include <gtest/gtest.h>

namespace tensim::isa {
namespace {

std::vector<Word> words(std::string_view text, Arch arch = Arch::blackhole) {
  const Assembly assembly = assemble(arch, text, "test.s");
  for (const Diagnostic& diagnostic : assembly.diagnostics)
    ADD_FAILURE() << to_text(diagnostic);
  std::vector<Word> result;
  for (const AssembledWord& word : assembly.words)
    result.push_back(word.word);
  return result;
}

/// The one error that `text` makes.
Diagnostic error_of(std::string_view text, Arch arch = Arch::blackhole) {
  const Assembly assembly = assemble(arch, text, "test.s");
  EXPECT_FALSE(assembly.ok());
  EXPECT_EQ(assembly.diagnostics.size(), 1U);
  return assembly.diagnostics.empty() ? Diagnostic{} : assembly.diagnostics.front();
}

TEST(Assemble, BothSyntaxesMakeTheSameWord) {
  EXPECT_EQ(words("ttsemwait 322, 2, 2"), std::vector<Word>{0xA6A1000A});
  EXPECT_EQ(words("SEMWAIT block=STALL_SFPU|STALL_MATH|STALL_SYNC, sem=MATH_PACK, cond=STALL_ON_MAX"),
            std::vector<Word>{0xA6A1000A});
  EXPECT_EQ(words("semwait stall_res=0x142, sem_sel=2, wait_sem_cond=2"), std::vector<Word>{0xA6A1000A})
      << "vendor names";
  EXPECT_EQ(words("ttsemwait STALL_SFPU|STALL_MATH|STALL_SYNC, t6_sem(MATH_PACK), STALL_ON_MAX"),
            std::vector<Word>{0xA6A1000A});
}

TEST(Assemble, SemaphoreMaskOfAnIndex) {  // W45
  for (unsigned i = 0; i < 8; ++i)
    EXPECT_EQ(words("SEMPOST sem=t6_sem(" + std::to_string(i) + ")"), std::vector<Word>{0xA4000000 | 4U << i});
  EXPECT_EQ(words("STALLWAIT block=STALL_SYNC, cond=ALL_THREAD_RES"), std::vector<Word>{0xA201021F});
  EXPECT_EQ(words("STALLWAIT block=STALL_SYNC, cond=PACK", Arch::wormhole), std::vector<Word>{0xA2010078});
}

TEST(Assemble, FormsAreChosenByName) {
  EXPECT_EQ(words("SETDMAREG.Immediate NewValue=120, ResultHalfReg=14"), std::vector<Word>{0x4500780E});
  EXPECT_EQ(words("ttsetdmareg 0, 120, 0, 14"), std::vector<Word>{0x4500780E});
  EXPECT_EQ(error_of("SETDMAREG NewValue=120").message,
            "SETDMAREG has several forms; expected one of SETDMAREG.Immediate, SETDMAREG.Special");
}

TEST(Assemble, ConstantsRepetitionAndComments) {
  EXPECT_EQ(words("TILES = 2  # tiles\n"
                  ".equ BASE, TILES * 8 // rows\n"
                  ".rept TILES, i ; body\n"
                  "  MVMUL DstRow=BASE+8*i\n"
                  "  .rept 2\n"
                  "    ttnop\n"
                  "  .endr\n"
                  ".endr\n"),
            (std::vector<Word>{0x26000010, 0x02000000, 0x02000000, 0x26000018, 0x02000000, 0x02000000}));
}

TEST(Assemble, ExpressionsFollowCPrecedence) {
  EXPECT_EQ(words(".word 1 + 2 * 3, 1 << 4 | 1, (1 + 2) * 3, ~0 & 0xFF, 7 - -1, 0b1010, 1_000, 17 % 5, 9 / 2"),
            (std::vector<Word>{7, 17, 9, 255, 8, 10, 1000, 2, 4}));
}

TEST(Assemble, RawWordsAreNotRotated) {
  EXPECT_EQ(words(".ttinsn 0xA4000008"), std::vector<Word>{0xA4000008});
}

TEST(Assemble, IncludesAreRelativeToTheIncludingFile) {
  const std::map<std::string, std::string> files{{"lib/sync.s", ".include \"inner.s\"\nttnop"},
                                                 {"lib/inner.s", "ttsempost 2"}};
  AssembleOptions options;
  options.load = [&](const std::string& path) -> std::optional<std::string> {
    const auto found = files.find(path);
    if (found == files.end()) return std::nullopt;
    return found->second;
  };
  const Assembly assembly =
      assemble(Arch::blackhole, ".include \"lib/sync.s\"\n.include \"gone.s\"", "main.s", options);
  ASSERT_EQ(assembly.words.size(), 2U);
  EXPECT_EQ(assembly.words[0].word, 0xA4000008U);
  EXPECT_EQ(assembly.files[assembly.words[0].file], "lib/inner.s");
  ASSERT_EQ(assembly.diagnostics.size(), 1U);
  EXPECT_EQ(assembly.diagnostics[0].message, "cannot read 'gone.s'");
}

TEST(Assemble, AFileThatIncludesItselfEnds) {
  AssembleOptions options;
  options.load = [](const std::string&) { return std::optional<std::string>(".include \"me.s\""); };
  const Assembly assembly = assemble(Arch::blackhole, ".include \"me.s\"", "me.s", options);
  ASSERT_EQ(assembly.diagnostics.size(), 1U);
  EXPECT_EQ(assembly.diagnostics[0].message, "included too deeply: does a file include itself?");
}

TEST(Assemble, ErrorsSayWhereAndWhatWasExpected) {
  const Diagnostic unknown = error_of("ttnop\n  ttsemwiat 1, 2, 3");
  EXPECT_EQ(unknown.at.file, "test.s");
  EXPECT_EQ(unknown.at.line, 2U);
  EXPECT_EQ(unknown.at.column, 3U);
  EXPECT_EQ(unknown.message, "unknown instruction 'ttsemwiat' on blackhole; did you mean 'ttsemwait'?");
  EXPECT_EQ(to_text(unknown),
            "test.s:2:3: error: unknown instruction 'ttsemwiat' on blackhole; did you mean 'ttsemwait'?\n"
            "      ttsemwiat 1, 2, 3\n"
            "      ^\n");
  EXPECT_EQ(error_of("ttsemwait 512, 2, 2").message, "stall_res is 512; expected 0 to 511 (9 bits)");
  EXPECT_EQ(error_of("ttsemwait 1, 2").message,
            "too few operands for ttsemwait; expected 3: stall_res, sem_sel, wait_sem_cond");
  EXPECT_EQ(error_of("SEMPOST sem=MATH_PAKC").message, "unknown name 'MATH_PAKC'; did you mean 'MATH_PACK'?");
  EXPECT_EQ(error_of("SEMPOST sem=1, sem=2").message, "field 'sem' given twice");
  EXPECT_EQ(error_of("ttresourcedecl 0, 0, 0", Arch::wormhole).message,
            "wormhole has no instruction 'ttresourcedecl'; blackhole has");
  EXPECT_EQ(error_of(".rept 2\nttnop").message, ".rept without .endr");
  EXPECT_EQ(error_of(".endr").message, ".endr without .rept");
  EXPECT_EQ(error_of(".wrod 1").message, "unknown directive '.wrod'; did you mean '.word'?");
  EXPECT_EQ(error_of("ttsempost 2 3").message, "expected ',' or the end of the line, found '3'");
  EXPECT_EQ(error_of(".word 1 / 0").message, "division by zero");
  EXPECT_EQ(error_of(".word 0x1_0000_0000").message, "number above 32 bits '0x1_0000_0000'");
  EXPECT_EQ(error_of(".word t6_sem(8)").message, "semaphore 8; expected 0 to 7");
  EXPECT_EQ(error_of("123").message, "expected an instruction or a directive, found '123'");
}

TEST(Assemble, UnusedBitsAreAWarning) {
  const Assembly assembly = assemble(Arch::blackhole, "ttatgetm 65536", "test.s");
  EXPECT_TRUE(assembly.ok());
  ASSERT_EQ(assembly.words.size(), 1U);
  EXPECT_EQ(assembly.words[0].word, 0xA0010000U);
  ASSERT_EQ(assembly.diagnostics.size(), 1U);
  EXPECT_EQ(assembly.diagnostics[0].message, "sets unused bits 0x10000");
}

TEST(Assemble, RunawayInputIsBounded) {
  AssembleOptions options;
  options.max_words = 1000;
  const Assembly many = assemble(Arch::blackhole, ".rept 1000\n.rept 1000\nttnop\n.endr\n.endr", "test.s", options);
  EXPECT_EQ(many.words.size(), 1000U);
  EXPECT_FALSE(many.ok());
  options.max_steps = 1000;
  EXPECT_FALSE(assemble(Arch::blackhole, ".rept 1000\n.rept 1000\n.endr\n.endr", "test.s", options).ok());
  const std::string deep = ".word " + std::string(100000, '(') + "1";
  EXPECT_EQ(error_of(deep).message, "expression nested too deeply");
  std::string errors;
  for (int i = 0; i < 1000; ++i)
    errors += "bad\n";
  EXPECT_EQ(assemble(Arch::blackhole, errors, "test.s").diagnostics.size(), 20U);
}

}  // namespace
}  // namespace tensim::isa
