#include "isa/explain_config.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "isa/assembler/assemble.hpp"
#include "tensix/registers/config.hpp"

namespace tensim::isa {
namespace {

using Space = ExplainedConfigField::Space;

ExplainedConfigField only(Arch arch, std::string_view query) {
  const auto found = find_config_fields(arch, query);
  EXPECT_EQ(found.size(), 1U) << query;
  return found.empty() ? ExplainedConfigField{} : found.front();
}

bool has(const std::vector<std::string>& texts, std::string_view wanted) {
  return std::ranges::any_of(texts, [&](const std::string& text) { return text == wanted; });
}

TEST(ExplainConfig, AFieldOfConfigByItsName) {
  for (const Arch arch : all_archs) {
    const ExplainedConfigField found = only(arch, "ALU_FORMAT_SPEC_REG0_SrcA");
    EXPECT_EQ(found.space, Space::banked);
    EXPECT_EQ(found.place.word, 1);
    EXPECT_EQ(found.place.shift, 17);
    // Bits 20:17 are bits 4:1 of byte 2.
    EXPECT_TRUE(has(found.written_by, "RMWCIB2 Mask=0x1e, NewValue=V<<1, Index4=1"));
    EXPECT_TRUE(has(found.read_by, "RDCFG CfgIndex=1"));
    EXPECT_EQ(found.core_addresses[0], 0xFFEF0004U);
  }
}

TEST(ExplainConfig, AFieldAcrossBytesTakesAnRmwcibForEach) {
  const auto writers = only(Arch::blackhole, "STACC_RELU_ReluThreshold").written_by;  // word 2, bits 21:6
  EXPECT_TRUE(has(writers, "RMWCIB0 Mask=0xc0, NewValue=V<<6, Index4=2"));
  EXPECT_TRUE(has(writers, "RMWCIB1 Mask=0xff, NewValue=V>>2, Index4=2"));
  EXPECT_TRUE(has(writers, "RMWCIB2 Mask=0x3f, NewValue=V>>10, Index4=2"));
}

TEST(ExplainConfig, AFieldOfAThreadIsWrittenBySetc16Alone) {
  const ExplainedConfigField found = only(Arch::wormhole, "srca_set_setovrdwithaddr");
  EXPECT_EQ(found.space, Space::thread);
  ASSERT_EQ(found.written_by.size(), 1U);
  EXPECT_TRUE(found.written_by[0].starts_with("SETC16 CfgIndex=3, NewValue=V<<2"));
  EXPECT_EQ(found.core_addresses.size(), 3U);
}

TEST(ExplainConfig, Reg2flopWritesTheThconWordsOnly) {
  const auto by_reg2flop = [](const ExplainedConfigField& field) {
    return std::ranges::any_of(field.written_by, [](const std::string& text) { return text.starts_with("REG2FLOP"); });
  };
  EXPECT_TRUE(by_reg2flop(only(Arch::blackhole, "THCON_SEC0_REG0_TileDescriptor")));
  EXPECT_FALSE(by_reg2flop(only(Arch::blackhole, "ALU_ACC_CTRL_Fp32_enabled")));
  EXPECT_FALSE(by_reg2flop(only(Arch::blackhole, "PRNG_SEED_Seed_Val")));
}

TEST(ExplainConfig, GlobalWordsAndWritesThatActAtOnce) {
  const ExplainedConfigField found = only(Arch::blackhole, "PRNG_SEED_Seed_Val");
  EXPECT_EQ(found.space, Space::global);
  EXPECT_EQ(found.at_once, "seeds the PRNGs");
}

TEST(ExplainConfig, PartsOfNamesAndNumbersOfWords) {
  EXPECT_GT(find_config_fields(Arch::blackhole, "stacc_relu").size(), 1U);
  for (const ExplainedConfigField& found : find_config_fields(Arch::blackhole, "Config[70]"))
    EXPECT_TRUE(found.field->name.starts_with("THCON_SEC0_REG1_")) << found.field->name;
  EXPECT_EQ(find_config_fields(Arch::blackhole, "ThreadConfig[5]").size(), 2U);
  EXPECT_EQ(find_config_fields(Arch::blackhole, "ThreadConfig[5]")[0].field->name, "SRCA_SET_Base");
  for (const std::string_view nothing : {"", "ab", "Config[", "Config[]", "Config[-1]", "Config[9999999999]",
                                         "Config[1]x", "ThreadConfig[900]", "no such field"})
    EXPECT_TRUE(find_config_fields(Arch::blackhole, nothing).empty()) << nothing;
}

TEST(ExplainConfig, FieldsThatAChipDoesNotHaveAreNotFoundThere) {
  EXPECT_TRUE(find_config_fields(Arch::wormhole, "DISABLE_IMPLIED_SRCA_FMT_Base").empty());
  EXPECT_FALSE(find_config_fields(Arch::blackhole, "DISABLE_IMPLIED_SRCA_FMT_Base").empty());
}

TEST(ExplainConfig, EveryAddressIsTheOneThatCoresUse) {
  constexpr std::uint32_t window = 0xFFEF0000;
  for (const Arch arch : all_archs)
    for (const auto families : {config_fields(), thread_config_fields()})
      for (const auto family : families)
        for (const ConfigField& field : family) {
          const auto explained = explain_config_field(arch, field);
          if (!explained) continue;
          for (std::size_t i = 0; i < explained->core_addresses.size(); ++i) {
            const auto location = tensix::locate_config(arch, explained->core_addresses[i] - window);
            ASSERT_TRUE(location) << field.name;
            EXPECT_EQ(location->word, explained->place.word) << field.name;
            EXPECT_EQ(location->index, i) << field.name;
            EXPECT_EQ(location->space == tensix::ConfigLocation::Space::thread_config,
                      explained->space == Space::thread);
          }
        }
}

/// Up to the remark in brackets, with 1 for the value.
TEST(ExplainConfig, WhatIsSaidToWriteAssembles) {
  for (const Arch arch : all_archs)
    for (const std::string_view query : {"ALU_FORMAT_SPEC_REG0_SrcA", "THCON_SEC0_REG1_Exp_threshold", "SRCA_SET_Base"})
      for (std::string text : only(arch, query).written_by) {
        if (text.starts_with("a ")) continue;
        text = text.substr(0, text.find(" ("));
        for (auto at = text.find("=V"); at != std::string::npos; at = text.find("=V"))
          text.replace(at, 2, "=1");
        if (const auto at = text.find("=GPR"); at != std::string::npos) text.replace(at, 4, "=1");
        EXPECT_TRUE(assemble(arch, text, "test").ok()) << text;
      }
}

}  // namespace
}  // namespace tensim::isa
