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
  options.load = [&](const std::string& path) -> LoadedText {
    const auto found = files.find(path);
    if (found == files.end()) return {{}, "no such file"};
    return {found->second, {}};
  };
  const Assembly assembly =
      assemble(Arch::blackhole, ".include \"lib/sync.s\"\n.include \"gone.s\"", "main.s", options);
  ASSERT_EQ(assembly.words.size(), 2U);
  EXPECT_EQ(assembly.words[0].word, 0xA4000008U);
  EXPECT_EQ(assembly.files[assembly.words[0].file], "lib/inner.s");
  ASSERT_EQ(assembly.diagnostics.size(), 1U);
  EXPECT_EQ(assembly.diagnostics[0].message, "cannot read 'gone.s': no such file");
}

TEST(Assemble, AFileThatIncludesItselfIsOneError) {
  AssembleOptions options;
  options.load = [](const std::string&) { return LoadedText{".include \"me.s\"\n.include \"me.s\"", {}}; };
  const Assembly itself = assemble(Arch::blackhole, ".include \"me.s\"", "me.s", options);
  ASSERT_EQ(itself.diagnostics.size(), 1U);
  EXPECT_EQ(itself.diagnostics[0].message, "'me.s' includes itself");
  // Under ever new names only the depth shows it.
  options.load = [](const std::string&) { return LoadedText{".include \"x/me.s\"", {}}; };
  const Assembly deeper = assemble(Arch::blackhole, ".include \"x/me.s\"", "me.s", options);
  ASSERT_EQ(deeper.diagnostics.size(), 1U);
  EXPECT_EQ(deeper.diagnostics[0].message, "included too deeply: does a file include itself?");
}

TEST(Assemble, AFileIsReadOnceHoweverOftenItIsIncluded) {
  AssembleOptions options;
  unsigned reads = 0;
  options.load = [&](const std::string&) {
    ++reads;
    return LoadedText{"ttnop", {}};
  };
  const Assembly assembly = assemble(Arch::blackhole, ".rept 100\n.include \"a.s\"\n.endr", "main.s", options);
  EXPECT_TRUE(assembly.ok());
  EXPECT_EQ(assembly.words.size(), 100U);
  EXPECT_EQ(assembly.files, (std::vector<std::string>{"main.s", "a.s"}));
  EXPECT_EQ(reads, 1U);
}

TEST(Assemble, IncludedTextAndFilesAreBounded) {
  AssembleOptions options;
  options.load = [](const std::string&) { return LoadedText{std::string(600, '\n'), {}}; };
  options.max_text_bytes = 1000;
  const Assembly text = assemble(Arch::blackhole, ".include \"a.s\"\n.include \"b.s\"", "main.s", options);
  ASSERT_EQ(text.diagnostics.size(), 1U);
  EXPECT_EQ(text.diagnostics[0].message, "more than 1000 bytes of text");
  options.max_files = 2;
  options.max_text_bytes = 10000;
  const Assembly files = assemble(Arch::blackhole, ".include \"a.s\"\n.include \"b.s\"", "main.s", options);
  ASSERT_EQ(files.diagnostics.size(), 1U);
  EXPECT_EQ(files.diagnostics[0].message, "more than 2 files");
  options.max_text_bytes = 10;
  EXPECT_FALSE(assemble(Arch::blackhole, std::string(11, '\n'), "main.s", options).ok());
}

TEST(Assemble, VendorOperandsByNameFillAllTheirFields) {
  EXPECT_EQ(words("MVMUL clear_dvalid=3"), words("MVMUL FlipSrcA=1, FlipSrcB=1"));
  EXPECT_EQ(words("MVMUL clear_dvalid=3, FlipSrcA=1"), words("ttmvmul 3, 0, 0, 0"));
  EXPECT_EQ(words("MOVD2A instr_mod=2"), words("MOVD2A Move4Rows=1"));
  EXPECT_EQ(words("MOVD2A InstrModLow=1"), words("MOVD2A instr_mod=1"));
  EXPECT_EQ(words("SETADCZW ch1_w=1, CH0_Z=2"), words("ttsetadczw 0, 1, 0, 0, 2, 0"));
  EXPECT_EQ(error_of("MVMUL clear_dvalid=3, FlipSrcA=0").message, "clear_dvalid and FlipSrcA share a bit and disagree");
  EXPECT_EQ(error_of("MVMUL clear_dvalid=4").message, "clear_dvalid is 4; expected 0 to 3 (2 bits)");
  EXPECT_EQ(error_of("MOP.Template1 mop_type=0").message, "mop_type selects another form of the instruction");
  EXPECT_EQ(words("MOP.Template1 mop_type=1"), words("MOP.Template1"));
}

TEST(Assemble, OperandsThatShareABitMustAgree) {
  EXPECT_EQ(words("sfploadmacro 0, L7, 1, 0, 0"), words("SFPLOADMACRO lreg_ind=L7, dest_reg_addr=1"));
  EXPECT_EQ(error_of("sfploadmacro 0, L7, 2, 0, 0").message, "lreg_ind and dest_reg_addr share a bit and disagree");
  EXPECT_EQ(error_of("sfploadmacro 0, L3, 1, 0, 0").message, "lreg_ind and dest_reg_addr share a bit and disagree");
  EXPECT_EQ(error_of("ttsempost 0, raw=0x8").message, "raw=0x8 sets bits of sem_sel");
}

TEST(Assemble, UpperCaseNamesWithoutOperandsAreAllZero) {
  EXPECT_EQ(words("SFPMAD"), std::vector<Word>{0x84000000});
  EXPECT_EQ(words("STALLWAIT"), std::vector<Word>{0xA2000000});
  EXPECT_EQ(error_of("sfpmad").message,
            "too few operands for sfpmad; expected 5: lreg_dest, lreg_src_a, lreg_src_b, lreg_src_c, instr_mod1");
}

TEST(Assemble, EachErrorOfARepeatedLineCountsAndAWarningHidesNone) {
  // The first pass warns of an unused bit, the second is an error in the same place.
  const Assembly assembly = assemble(Arch::blackhole, ".rept 2, i\nUNPACR.Regular raw=0x4000>>i\n.endr", "test.s");
  EXPECT_FALSE(assembly.ok());
  ASSERT_EQ(assembly.diagnostics.size(), 2U);
  EXPECT_EQ(assembly.diagnostics[0].message, "sets unused bits 0x4000");
  EXPECT_EQ(assembly.diagnostics[1].message, "raw=0x2000 selects another form of the instruction");
  // A warning on the line that is one word too many, at the same column.
  AssembleOptions options;
  options.max_words = 1;
  const Assembly full = assemble(Arch::blackhole, "ttatgetm 65536\nttatgetm 65536", "test.s", options);
  EXPECT_FALSE(full.ok());
  EXPECT_EQ(full.diagnostics.back().message, "more than 1 words");
}

TEST(Assemble, LoopCountersEndWithTheirLoop) {
  EXPECT_EQ(words("i = 7\n.rept 2, i\n.rept 3, i\n.endr\n.word i\n.endr\n.word i"), (std::vector<Word>{0, 1, 7}));
  EXPECT_EQ(error_of(".rept 2, i\n.endr\n.word i").message, "unknown name 'i'");
}

TEST(Assemble, ARepetitionThatIsWrongDoesNotRun) {
  const Diagnostic diagnostic = error_of(".rept -1\nbad\n.endr");
  EXPECT_EQ(diagnostic.message, "cannot repeat -1 times; expected 0 to 4194304");
  EXPECT_EQ(assemble(Arch::blackhole, ".rept 5000000\nttnop\n.endr", "test.s").words.size(), 0U);
  EXPECT_EQ(assemble(Arch::blackhole, ".rept 2, 3\nttnop\n.endr", "test.s").words.size(), 0U);
}

TEST(Assemble, NumbersAreWhatTheyLookLike) {
  EXPECT_EQ(words(".word -1, 0, -0x80000000"), (std::vector<Word>{0xFFFFFFFF, 0, 0x80000000}));
  EXPECT_EQ(error_of(".word 010").message, "number with a leading zero '010'");
  EXPECT_EQ(error_of(".word -0x80000001").message, "-2147483649 is not a 32-bit word");
}

TEST(Assemble, ValuesNobodyCanWantAreAWarning) {
  const auto warning_of = [](std::string_view text) {
    const Assembly assembly = assemble(Arch::blackhole, text, "test.s");
    EXPECT_TRUE(assembly.ok());
    return assembly.diagnostics.size() == 1 ? assembly.diagnostics[0].message : std::string("none, or several");
  };
  EXPECT_EQ(warning_of("ttsemwait 1, 2, 0"), "cond: 0 is undefined");  // W36
  EXPECT_EQ(warning_of("SEMWAIT sem=MATH_PACK"), "cond: 0 is undefined");
  EXPECT_EQ(warning_of("REPLAY Count=33, Load=1"), "Count: above 32 is unsupported");
  EXPECT_TRUE(assemble(Arch::blackhole, "REPLAY Count=32, Load=1", "test.s").diagnostics.empty());
}

TEST(Assemble, LongLinesAndControlCharactersAreShownSafely) {
  const std::string text = to_text(error_of(".word 1" + std::string(1000, ' ') + "\x1b[31m" + std::string(1000, 'x')));
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_NE(text.find("\\x1b[31m"), std::string::npos);
  EXPECT_LT(text.size(), 500U);
  EXPECT_EQ(error_of(std::string(70000, ' ')).message, "line of more than 65536 bytes");
  EXPECT_EQ(assemble(Arch::blackhole, std::string(std::size_t{65} << 20U, '\n'), "test.s").diagnostics[0].message,
            "more than 67108864 bytes of text");
}

TEST(Assemble, WarningsAreBounded) {
  std::string text;
  for (int i = 0; i < 1000; ++i)
    text += "ttatgetm 65536\n";
  const Assembly assembly = assemble(Arch::blackhole, text, "test.s");
  EXPECT_TRUE(assembly.ok());
  EXPECT_EQ(assembly.words.size(), 1000U);
  ASSERT_EQ(assembly.diagnostics.size(), 101U);
  EXPECT_EQ(assembly.diagnostics.back().message, "more than 100 warnings; the rest are not shown");
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
  const std::string deep = ".word " + std::string(60000, '(') + "1";
  EXPECT_EQ(error_of(deep).message, "expression nested too deeply");
  std::string errors;
  for (int i = 0; i < 1000; ++i)
    errors += "bad\n";
  EXPECT_EQ(assemble(Arch::blackhole, errors, "test.s").diagnostics.size(), 20U);
}

}  // namespace
}  // namespace tensim::isa
