#include "tensix/registers/config.hpp"

#include <gtest/gtest.h>

#include "tensix/registers/test_words.hpp"

namespace tensim::tensix {
namespace {

/// Thread 1 in bank 1, the others in bank 0.
BackendConfig with_thread1_in_bank1() {
  BackendConfig config;
  config.thread[1][0] = 1;
  return config;
}

TEST(Config, StateIdChoosesTheBank) {
  BackendConfig config = with_thread1_in_bank1();
  config.thread[2][0] = 0xFFFE;  // StateID is bit 0 only
  for (const Arch arch : all_archs) {
    EXPECT_EQ(config_bank_of(config, arch, 0), 0U);
    EXPECT_EQ(config_bank_of(config, arch, 1), 1U);
    EXPECT_EQ(config_bank_of(config, arch, 2), 0U);
  }
}

TEST(Config, Setc16WritesTheIssuingThreadOnly) {
  BackendConfig config;
  const auto write = setc16(Arch::blackhole, 2, 0xB20C1234);  // word 12 in 23:16
  ASSERT_EQ(write, (ThreadConfigStore{2, 12, 0x1234}));
  EXPECT_EQ(store(config, Arch::blackhole, *write), 0);
  EXPECT_EQ(config.thread[2][12], 0x1234);
  EXPECT_EQ(config.thread[0][12], 0);
}

TEST(Config, Setc16BeyondThreadConfigIsNoWrite) {
  // 57 words on Wormhole, 68 on Blackhole.
  EXPECT_TRUE(setc16(Arch::wormhole, 0, 0xB2380000).has_value());   // 56
  EXPECT_FALSE(setc16(Arch::wormhole, 0, 0xB2390000).has_value());  // 57
  EXPECT_TRUE(setc16(Arch::blackhole, 0, 0xB2430000).has_value());  // 67
  EXPECT_FALSE(setc16(Arch::blackhole, 0, 0xB2440000).has_value());
  EXPECT_FALSE(setc16(Arch::blackhole, 0, 0xB2FF0000).has_value());
  BackendConfig config;
  EXPECT_EQ(store(config, Arch::wormhole, ThreadConfigStore{0, 57, 1}), out_of_range);
  EXPECT_EQ(store(config, Arch::wormhole, ThreadConfigStore{3, 0, 1}), out_of_range);
  EXPECT_EQ(config, BackendConfig{});
}

TEST(Config, WrcfgOfOneWord) {
  BackendConfig config = with_thread1_in_bank1();
  Gprs gprs;
  gprs.value[1][6] = 0xCAFEF00D;
  const isa::Word word = 0xB006000D;  // GPR 6 in 21:16, word 13 in 10:0
  const auto write = wrcfg(config, Arch::wormhole, 1, gprs, word);
  ASSERT_TRUE(write.has_value());
  config.thread[1][0] = 0;  // the bank was chosen when the instruction was accepted,
  gprs.value[1][6] = 0;     // and so was the value
  EXPECT_EQ(store(config, Arch::wormhole, *write), 0);
  EXPECT_EQ(config.bank[1][13], 0xCAFEF00DU);
  EXPECT_EQ(config.bank[0][13], 0U);
}

TEST(Config, WrcfgOf128BitsAlignsBothSides) {
  BackendConfig config;
  Gprs gprs;
  for (unsigned i = 0; i < 4; ++i)
    gprs.value[0][60 + i] = 100 + i;
  const auto write =
      wrcfg(config, Arch::blackhole, 0, gprs, word_of("WRCFG", {{"InputReg", 63}, {"Is128Bit", 1}, {"CfgIndex", 18}}));
  ASSERT_TRUE(write.has_value());
  store(config, Arch::blackhole, *write);
  for (unsigned i = 0; i < 4; ++i)
    EXPECT_EQ(config.bank[0][16 + i], 100 + i);
  EXPECT_EQ(config.bank[0][15], 0U);
  EXPECT_EQ(config.bank[0][20], 0U);
}

TEST(Config, IndicesBeyondTheBankAreNoWriteAndNoRead) {
  const BackendConfig config;
  const Gprs gprs;
  const auto index = [](isa::Word i) { return word_of("WRCFG", {{"CfgIndex", i}}); };
  EXPECT_TRUE(wrcfg(config, Arch::wormhole, 0, gprs, index(187)).has_value());
  EXPECT_FALSE(wrcfg(config, Arch::wormhole, 0, gprs, index(188)).has_value());
  EXPECT_TRUE(wrcfg(config, Arch::blackhole, 0, gprs, index(223)).has_value());
  EXPECT_FALSE(wrcfg(config, Arch::blackhole, 0, gprs, index(224)).has_value());
  EXPECT_FALSE(wrcfg(config, Arch::blackhole, 0, gprs, index(2047)).has_value());
  EXPECT_FALSE(rdcfg(config, Arch::wormhole, 0, word_of("RDCFG", {{"CfgIndex", 188}})).has_value());
  EXPECT_FALSE(rmwcib(config, Arch::wormhole, 0, word_of("RMWCIB3", {{"Index4", 188}})).has_value());
  EXPECT_FALSE(cfgshiftmask(config, 0, word_of("CFGSHIFTMASK", {{"CfgIndex", 224}})).has_value());
  EXPECT_FALSE(config_word(config, Arch::blackhole, 2, 0).has_value());
  EXPECT_FALSE(config_word_store(Arch::blackhole, 2, 0, 0).has_value());

  BackendConfig target;
  EXPECT_EQ(store(target, Arch::wormhole, ConfigStore{.first = 186, .count = 4, .value = {1, 1, 1, 1}}), out_of_range);
  EXPECT_EQ(store(target, Arch::wormhole, ConfigStore{.first = 0, .count = 5}), out_of_range);
  EXPECT_EQ(target, BackendConfig{});
}

TEST(Config, GlobalWordsHaveOneValue) {
  // From 152 on Wormhole, 180 on Blackhole.
  BackendConfig wormhole = with_thread1_in_bank1();
  Gprs gprs;
  gprs.value[1][0] = 9;
  store(wormhole, Arch::wormhole, *wrcfg(wormhole, Arch::wormhole, 1, gprs, word_of("WRCFG", {{"CfgIndex", 152}})));
  EXPECT_EQ(wormhole.bank[0][152], 9U);
  EXPECT_EQ(wormhole.bank[1][152], 9U);

  BackendConfig blackhole = with_thread1_in_bank1();
  store(blackhole, Arch::blackhole, *wrcfg(blackhole, Arch::blackhole, 1, gprs, word_of("WRCFG", {{"CfgIndex", 179}})));
  store(blackhole, Arch::blackhole, *wrcfg(blackhole, Arch::blackhole, 1, gprs, word_of("WRCFG", {{"CfgIndex", 180}})));
  EXPECT_EQ(blackhole.bank[0][179], 0U);
  EXPECT_EQ(blackhole.bank[1][179], 9U);
  EXPECT_EQ(blackhole.bank[0][180], 9U);
  EXPECT_EQ(blackhole.bank[1][180], 9U);
}

TEST(Config, RdcfgReadsTheThreadsBank) {
  BackendConfig config = with_thread1_in_bank1();
  config.bank[0][5] = 50;
  config.bank[1][5] = 51;
  EXPECT_EQ(rdcfg(config, Arch::blackhole, 0, 0xB13F0005), (GprWrite{63, 50}));  // GPR 63 in 21:16
  EXPECT_EQ(rdcfg(config, Arch::blackhole, 1, 0xB13F0005), (GprWrite{63, 51}));
}

TEST(Config, RmwcibChangesSelectedBitsOfOneByte) {
  BackendConfig config;
  config.bank[0][10] = 0x11223344;
  // Mask 0x0F, value 0xAB, byte 2: 0x22 becomes 0x2B.
  store(config, Arch::wormhole, *rmwcib(config, Arch::wormhole, 0, 0xB50FAB0A));
  EXPECT_EQ(config.bank[0][10], 0x112B3344U);
  store(config, Arch::wormhole, *rmwcib(config, Arch::wormhole, 0, 0xB6FF000A));  // all of byte 3
  EXPECT_EQ(config.bank[0][10], 0x002B3344U);
  store(config, Arch::wormhole, *rmwcib(config, Arch::wormhole, 0, 0xB300FF0A));  // no bit of byte 0
  EXPECT_EQ(config.bank[0][10], 0x002B3344U);
  EXPECT_FALSE(rmwcib(config, Arch::wormhole, 0, 0xB200000A).has_value()) << "SETC16";
  EXPECT_FALSE(rmwcib(config, Arch::wormhole, 0, 0xB700000A).has_value()) << "STREAMWRCFG";
}

TEST(Config, WritingStateResetEnClearsTheBankBelowTheGlobalWords) {
  for (const Arch arch : all_archs) {
    BackendConfig config;
    for (auto& bank : config.bank)
      bank.fill(7);
    EXPECT_EQ(store(config, arch, *config_word_store(arch, 1, 4, 0)), state_reset) << "whatever is written";
    EXPECT_EQ(config.bank[1][0], 0U);
    EXPECT_EQ(config.bank[1][4], 0U);
    EXPECT_EQ(config.bank[1][config_global_base(arch) - 1], 0U);
    EXPECT_EQ(config.bank[1][config_global_base(arch)], 7U);
    EXPECT_EQ(config.bank[0][0], 7U);

    EXPECT_EQ(store(config, arch, *rmwcib(config, arch, 0, 0xB3FF0104)), 0) << "not by RMWCIB";
    EXPECT_EQ(config.bank[0][4], 1U);
    EXPECT_EQ(config.bank[0][0], 7U);
  }
}

TEST(Config, WritesWithAnImmediateEffectSaySo) {
  BackendConfig config;
  EXPECT_EQ(store(config, Arch::wormhole, *config_word_store(Arch::wormhole, 0, 164, 1)), seeds_prng);
  EXPECT_EQ(store(config, Arch::blackhole, *config_word_store(Arch::blackhole, 0, 186, 1)), seeds_prng);
  EXPECT_EQ(store(config, Arch::wormhole, *config_word_store(Arch::wormhole, 0, 157, 1)), invalidates_icaches);
  EXPECT_EQ(store(config, Arch::blackhole, *config_word_store(Arch::blackhole, 1, 185, 31)), invalidates_icaches);
  EXPECT_EQ(store(config, Arch::wormhole, ThreadConfigStore{0, 39, 0}), resets_context_counter);
  EXPECT_EQ(store(config, Arch::blackhole, ThreadConfigStore{0, 41, 0}), resets_context_counter);
  for (const std::uint8_t word : {std::uint8_t{42}, std::uint8_t{43}, std::uint8_t{44}}) {
    EXPECT_EQ(store(config, Arch::wormhole, ThreadConfigStore{0, word, 0}), changes_clock_gating);
    EXPECT_EQ(store(config, Arch::blackhole, ThreadConfigStore{0, word, 0}), 0);
  }
}

/// CFGSHIFTMASK of word 20 in bank 0 with the given scratch value in SCRATCH_SEC1.
std::uint32_t shift_mask(std::uint32_t old, std::uint32_t scratch, isa::Word mask_mode, isa::Word alu_mode,
                         isa::Word mask_width, isa::Word rotate) {
  BackendConfig config;
  config.bank[0][20] = old;
  config.bank[0][210] = config.bank[1][210] = scratch;
  const isa::Word word = word_of("CFGSHIFTMASK", {{"MaskMode", mask_mode},
                                                  {"AluMode", alu_mode},
                                                  {"MaskWidth", mask_width},
                                                  {"RotateAmt", rotate},
                                                  {"ScratchIndex", 1},
                                                  {"CfgIndex", 20}});
  store(config, Arch::blackhole, *cfgshiftmask(config, 0, word));
  return config.bank[0][20];
}

TEST(Config, CfgshiftmaskInsertsAField) {
  // Eight bits (width 7 + 1) of the scratch value; right by 24 puts them in 15:8.
  EXPECT_EQ(shift_mask(0xFFFFFFFF, 0x1234, 0, 0, 7, 24), 0xFFFF34FFU);
  EXPECT_EQ(shift_mask(0xFFFFFFFF, 0x1234, 0, 0, 31, 0), 0x1234U) << "32 bits: the whole word";
  EXPECT_EQ(shift_mask(0x10, 1, 0, 0, 0, 0), 0x11U) << "one bit";
  EXPECT_EQ(shift_mask(0, 0x3, 1, 0, 1, 1), 0x80000001U) << "a rotation, not a shift";
}

TEST(Config, CfgshiftmaskOperations) {
  const auto keep_old = [](isa::Word alu) { return shift_mask(0xF0F0F0F0, 0x0FF, 1, alu, 7, 0); };
  EXPECT_EQ(keep_old(0), 0xF0F0F0FFU);
  EXPECT_EQ(keep_old(1), 0x000000F0U);
  EXPECT_EQ(keep_old(2), 0xF0F0F00FU);
  EXPECT_EQ(keep_old(3), 0xF0F0F1EFU);
  EXPECT_EQ(keep_old(4), 0xFFFFFFF0U);
  EXPECT_EQ(keep_old(5), 0xF0F0F000U);
  EXPECT_EQ(keep_old(6), 0x0F0F0FF0U);
  EXPECT_EQ(keep_old(7), 0xF0F0EFF1U);
  EXPECT_EQ(shift_mask(0xFFFFFFFF, 1, 1, 3, 31, 0), 0U) << "wraps";
  EXPECT_EQ(shift_mask(0, 1, 1, 7, 31, 0), 0xFFFFFFFFU);
}

TEST(Config, CfgshiftmaskScratchByThreadAndItsBank) {
  BackendConfig config = with_thread1_in_bank1();
  for (unsigned bank = 0; bank < 2; ++bank)
    for (unsigned i = 0; i < 3; ++i)
      config.bank[bank][209 + i] = 10 + i;
  const isa::Word word =
      word_of("CFGSHIFTMASK", {{"AluMode", 0}, {"MaskWidth", 31}, {"ScratchIndex", 3}, {"CfgIndex", 20}});
  store(config, Arch::blackhole, *cfgshiftmask(config, 1, word));
  EXPECT_EQ(config.bank[1][20], 11U);
  store(config, Arch::blackhole, *cfgshiftmask(config, 2, word));
  EXPECT_EQ(config.bank[0][20], 12U);
}

TEST(Config, FieldsTheChipLacksReadAsZero) {
  BackendConfig config;
  for (auto& thread : config.thread)
    thread.fill(0xFFFF);
  EXPECT_EQ(thread_field(config, Arch::wormhole, 0, "ADDR_MOD_SET_Base"_thread_config), 1U);
  EXPECT_EQ(thread_field(config, Arch::blackhole, 0, "ADDR_MOD_SET_Base"_thread_config), 0U);
  EXPECT_EQ(thread_field(config, Arch::blackhole, 0, "ADDR_MOD_DST_SECn_DestIncr"_thread_sections, 7), 0x3FFU);
  EXPECT_EQ(thread_field(config, Arch::blackhole, 0, "ADDR_MOD_DST_SECn_DestIncr"_thread_sections, 8), 0U);
}

TEST(Config, EveryFieldLiesInsideTheConfiguration) {
  for (const Arch arch : all_archs) {
    for (const auto family : config_fields())
      for (const ConfigField& field : family)
        EXPECT_LT(field.on(arch).word, static_cast<int>(config_words(arch))) << field.name;
    for (const auto family : thread_config_fields())
      for (const ConfigField& field : family)
        EXPECT_LT(field.on(arch).word, static_cast<int>(thread_config_words(arch))) << field.name;
  }
}

}  // namespace
}  // namespace tensim::tensix
