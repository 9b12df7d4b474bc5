#include "tensim/instructions.h"

#include <memory>
#include <stdexcept>
#include <string_view>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/support/c_text.hpp"

namespace {

using tensim::test::CText;

using Assembly = std::unique_ptr<tensim_assembly, void (*)(tensim_assembly*)>;

struct Assembled {
  tensim_status status;
  Assembly assembly;
};

Assembled assemble(std::string_view text, tensim_load_function load = nullptr, void* context = nullptr) {
  tensim_assembly* made = nullptr;
  const auto status = tensim_assemble(TENSIM_BLACKHOLE, text.data(), text.size(), "a.s", load, context, &made);
  return {status, Assembly(made, tensim_assembly_free)};
}

std::string words(const Assembled& made, tensim_words_format format, int ttinsn) {
  CText text;
  EXPECT_EQ(tensim_text_create(text.place()), TENSIM_OK);
  EXPECT_EQ(tensim_assembly_write(made.assembly.get(), format, ttinsn, tensim_write_to_text, text.get()), TENSIM_OK);
  return text.str();
}

TEST(CApiInstructions, AssemblesToWordsLinesBinaryAndJson) {
  const Assembled made = assemble("ttsempost 2\nttnop\n");
  ASSERT_EQ(made.status, TENSIM_OK);
  ASSERT_EQ(tensim_assembly_word_count(made.assembly.get()), 2U);
  EXPECT_EQ(tensim_assembly_word(made.assembly.get(), 0), 0xA4000008U);
  EXPECT_EQ(tensim_assembly_word(made.assembly.get(), 2), 0U);
  EXPECT_EQ(words(made, TENSIM_WORDS_LINES, 0), "0xa4000008  # ttsempost 2\n0x02000000  # ttnop\n");
  EXPECT_EQ(words(made, TENSIM_WORDS_BINARY, 1), std::string("\x22\0\0\x90\0\0\0\x08", 8));
  CText json;
  ASSERT_EQ(tensim_text_create(json.place()), TENSIM_OK);
  EXPECT_EQ(tensim_assembly_write_json(made.assembly.get(), tensim_write_to_text, json.get()), TENSIM_OK);
  const auto document = nlohmann::json::parse(json.str());
  EXPECT_EQ(document["schema"], "tensim.asm/1");
  EXPECT_EQ(document["words"][0]["ttinsn"], "0x90000022");
}

TEST(CApiInstructions, AssemblyErrorsAreDiagnostics) {
  const Assembled made = assemble("ttsempost 2, 3\n");
  EXPECT_EQ(made.status, TENSIM_BAD_INPUT);
  CText text;
  ASSERT_EQ(tensim_assembly_diagnostics(made.assembly.get(), text.place()), TENSIM_OK);
  EXPECT_TRUE(text.has("a.s:1:14: error: too many operands for ttsempost")) << text.str();
}

TEST(CApiInstructions, AWordThatLooksLikeRiscVIsNoTtinsn) {
  const Assembled made = assemble(".word 0xC0000000\n");
  EXPECT_EQ(made.status, TENSIM_OK);
  EXPECT_EQ(tensim_assembly_check_ttinsn(made.assembly.get()), TENSIM_BAD_INPUT);
}

/// "ttnop" for the path that the context names, else an excuse.
int load_one(void* context, const char* path, tensim_text* content) {
  const bool is_known = std::string_view(path) == static_cast<const char*>(context);
  const std::string_view text = is_known ? "ttnop\n" : "it is elsewhere";
  EXPECT_EQ(tensim_text_append(content, text.data(), text.size()), TENSIM_OK);
  return is_known ? 0 : 1;
}

TEST(CApiInstructions, IncludedFilesComeFromTheCaller) {
  char path[] = "known.s";
  const Assembled made = assemble(".include \"known.s\"\n", load_one, path);
  EXPECT_EQ(made.status, TENSIM_OK);
  EXPECT_EQ(tensim_assembly_word_count(made.assembly.get()), 1U);
  const Assembled other = assemble(".include \"other.s\"\n", load_one, path);
  EXPECT_EQ(other.status, TENSIM_BAD_INPUT);
  CText text;
  ASSERT_EQ(tensim_assembly_diagnostics(other.assembly.get(), text.place()), TENSIM_OK);
  EXPECT_TRUE(text.has("it is elsewhere")) << text.str();
  EXPECT_EQ(assemble(".include \"known.s\"\n").status, TENSIM_BAD_INPUT) << "nobody reads files";
}

int load_throws(void* /*context*/, const char* /*path*/, tensim_text* /*content*/) {
  throw std::runtime_error("a mistake of the caller");
}

TEST(CApiInstructions, WhatACallerThrowsStopsAtTheBoundary) {
  const Assembled made = assemble(".include \"known.s\"\n", load_throws);
  EXPECT_EQ(made.status, TENSIM_INTERNAL_ERROR);
  EXPECT_EQ(made.assembly, nullptr);
}

struct Disassembled {
  tensim_status status = TENSIM_OK;
  std::string text;
  std::string problem;
};

Disassembled disassemble(std::string_view code, const tensim_disassemble_options* options,
                         tensim_format format = TENSIM_PLAIN) {
  CText text;
  CText problem;
  EXPECT_EQ(tensim_text_create(text.place()), TENSIM_OK);
  const auto status = tensim_disassemble(TENSIM_BLACKHOLE, code.data(), code.size(), options, format,
                                         tensim_write_to_text, text.get(), problem.place());
  return {status, text.str(), problem.str()};
}

TEST(CApiInstructions, DisassemblesWordsAsTheOptionsSay) {
  EXPECT_EQ(disassemble("a4000008", nullptr).text, "       0:  a4000008  ttsempost 2\n");
  tensim_disassemble_options options{};
  options.size = sizeof options;
  options.named = options.riscv = 1;
  options.base = 0x100;
  EXPECT_EQ(disassemble("90000022 13", &options).text,
            "     100:  90000022  SEMPOST sem=MATH_PACK\n     104:  00000013  .word 0x00000013  # addi zero,zero,0\n");
  EXPECT_EQ(disassemble("ffffffff", &options).text, "     100:  ffffffff  .word 0xffffffff  # no instruction\n");
  EXPECT_EQ(nlohmann::json::parse(disassemble("a4000008", nullptr, TENSIM_JSON).text)["schema"], "tensim.disasm/1");
  const auto json = nlohmann::json::parse(disassemble("fe0008e3", &options, TENSIM_JSON).text);
  EXPECT_EQ(json["sections"][0]["lines"][0]["text"], "beq zero,zero,f0");
}

TEST(CApiInstructions, CodeThatIsNoneWritesNothingAndSaysWhy) {
  const Disassembled hex = disassemble("a4000008 xyz", nullptr);
  EXPECT_EQ(hex.status, TENSIM_BAD_INPUT);
  EXPECT_EQ(hex.text, "");
  EXPECT_EQ(hex.problem, "line 1: 'xyz' is not a 32-bit hexadecimal word");
  tensim_disassemble_options options{};
  options.size = sizeof options;
  options.code = TENSIM_CODE_ELF;
  EXPECT_EQ(disassemble("a4000008", &options).status, TENSIM_BAD_ELF);
}

TEST(CApiInstructions, OptionsOfAnOlderHeaderAreShorterAndOfANewerOneRefused) {
  tensim_disassemble_options options{};
  options.base = 0x100;
  options.size = offsetof(tensim_disassemble_options, base);
  EXPECT_EQ(disassemble("a4000008", &options).text, "       0:  a4000008  ttsempost 2\n");
  options.size = sizeof options + 1;
  EXPECT_EQ(disassemble("a4000008", &options).status, TENSIM_BAD_ARGUMENT);
  options.size = 0;
  EXPECT_EQ(disassemble("a4000008", &options).status, TENSIM_BAD_ARGUMENT);
}

TEST(CApiInstructions, ExplainsWordsInstructionsAndFields) {
  CText text;
  EXPECT_EQ(tensim_explain(TENSIM_BLACKHOLE, "90000022", 1, TENSIM_PLAIN, text.place()), TENSIM_OK);
  EXPECT_TRUE(text.has("SEMPOST sem=MATH_PACK"));
  EXPECT_EQ(tensim_explain(TENSIM_BLACKHOLE, "SEMPOST sem=MATH_PACK", 0, TENSIM_JSON, text.place()), TENSIM_OK);
  EXPECT_EQ(nlohmann::json::parse(text.str())["word"], "0xa4000008");
  EXPECT_EQ(tensim_explain(TENSIM_BLACKHOLE, "srca_set", 0, TENSIM_PLAIN, text.place()), TENSIM_OK);
  EXPECT_TRUE(text.has("ThreadConfig[5]"));
  EXPECT_EQ(tensim_explain(TENSIM_BLACKHOLE, "0x1ffffffff", 0, TENSIM_PLAIN, text.place()), TENSIM_BAD_INPUT);
  EXPECT_EQ(text.str(), "0x1ffffffff is above 32 bits");
}

TEST(CApiInstructions, DescribesAChipInColourIfWanted) {
  CText plain;
  CText coloured;
  ASSERT_EQ(tensim_describe_arch(TENSIM_BLACKHOLE, 0, TENSIM_PLAIN, plain.place()), TENSIM_OK);
  ASSERT_EQ(tensim_describe_arch(TENSIM_BLACKHOLE, 1, TENSIM_COLOURED, coloured.place()), TENSIM_OK);
  EXPECT_TRUE(plain.str().starts_with("blackhole: 137 Tensix instructions"));
  EXPECT_FALSE(plain.has("timing, in cycles"));
  EXPECT_TRUE(coloured.str().starts_with("\x1b[1mblackhole\x1b[0m"));
  EXPECT_TRUE(coloured.has("timing, in cycles"));
}

TEST(CApiInstructions, TheHeaderIsOfItsChip) {
  CText text;
  ASSERT_EQ(tensim_instruction_header(TENSIM_WORMHOLE, text.place()), TENSIM_OK);
  EXPECT_TRUE(text.has("SEMPOST"));
  EXPECT_EQ(tensim_instruction_header(TENSIM_WORMHOLE, nullptr), TENSIM_BAD_ARGUMENT);
}

}  // namespace
