#include "tensix/footprint.hpp"

#include <algorithm>
#include <random>

#include <fmt/format.h>

#include "tests/support/three_threads.hpp"

namespace tensim::test {
namespace {

using tensix::Access;
using tensix::Footprint;
using tensix::Resource;
using Texts = std::vector<std::string>;

/// "w gpr[1] 10-11": what is written, of whom, first and last.
std::string text(const Access& access) {
  constexpr std::array<std::string_view, 13> names{"semaphore", "mutex", "gpr",   "config", "thread_config",
                                                   "adc",       "rwc",   "src_a", "src_b",  "ownership",
                                                   "dst",       "lreg",  "l1"};
  return fmt::format("{} {}[{}] {}-{}", access.write ? 'w' : 'r', names[static_cast<std::size_t>(access.resource)],
                     access.owner, access.first, access.first + access.count - 1);
}

/// Sorted, each once.
Texts footprint(const Coprocessor& coprocessor, unsigned thread, const std::string& line) {
  const Word word = assemble(coprocessor.arch, line);
  const tensix::Operation& operation = coprocessor.operation(word);
  if (operation.footprint == nullptr) return {"none"};
  Texts texts;
  for (const Access& access : operation.footprint(coprocessor, {tensix::Entry::pushed(word, 0), thread}))
    texts.push_back(text(access));
  std::ranges::sort(texts);
  texts.erase(std::ranges::unique(texts).begin(), texts.end());
  return texts;
}

Texts sorted(Texts texts) {
  std::ranges::sort(texts);
  return texts;
}

/// Only what is not thread configuration.
Texts without_settings(Texts texts) {
  std::erase_if(texts, [](const std::string& each) { return each.find("thread_config") != std::string::npos; });
  return texts;
}
/// Nor the other one.
Texts without_configuration(Texts texts) {
  std::erase_if(texts, [](const std::string& each) { return each.find("config") != std::string::npos; });
  return texts;
}

class FootprintTest : public BothArchs {
 protected:
  Coprocessor coprocessor{GetParam()};
  Texts of(unsigned thread, const std::string& line) const { return footprint(coprocessor, thread, line); }
};
TENSIM_BOTH_ARCHS(FootprintTest);

TEST_P(FootprintTest, HasRoomForWhateverAWordCanName) {
  std::mt19937 random{1};
  for (unsigned i = 0; i < 40'000; ++i) {
    const auto word = static_cast<Word>(random());
    const auto of_word = coprocessor.operation(word).footprint;
    if (of_word == nullptr) continue;
    ASSERT_TRUE(of_word(coprocessor, {tensix::Entry::pushed(word, 0), i % 3}).is_complete()) << std::hex << word;
  }
}

TEST(Footprint, SaysWhenItHadNoRoom) {
  Footprint footprint;
  for (unsigned i = 0; i < Footprint::capacity; ++i)
    footprint.reads(Resource::semaphore, 0, i);
  EXPECT_TRUE(footprint.is_complete());
  footprint.reads(Resource::semaphore, 0, 0);
  EXPECT_FALSE(footprint.is_complete());
  EXPECT_EQ(footprint.size(), std::size_t{Footprint::capacity});
}

TEST_P(FootprintTest, EveryOperationHasOneAndItFits) {
  for (unsigned opcode = 0; opcode < 256; ++opcode) {
    const tensix::Operation& operation = tensix::unit_timing(GetParam())->operations[opcode];
    EXPECT_EQ(operation.execute != nullptr, operation.footprint != nullptr) << opcode;
    if (operation.footprint == nullptr) continue;
    for (const Word parameters : {0x000000U, 0xFFFFFFU, 0x555555U, 0xAAAAAAU, 0x00FFFFU, 0xFF0000U}) {
      const Word word = Word{opcode} << 24U | parameters;
      const Footprint found = operation.footprint(coprocessor, {tensix::Entry::pushed(word, 0), 2});
      EXPECT_LE(found.size(), Footprint::capacity);
      for (const Access& access : found)
        EXPECT_GT(access.count, 0U) << opcode;
    }
  }
}

TEST_P(FootprintTest, SyncUnit) {
  EXPECT_EQ(of(0, "ttsempost 10"),
            sorted({"r semaphore[0] 1-1", "r semaphore[0] 3-3", "w semaphore[0] 1-1", "w semaphore[0] 3-3"}));
  EXPECT_EQ(of(0, "ttsemget 1"), sorted({"r semaphore[0] 0-0", "w semaphore[0] 0-0"}));
  EXPECT_EQ(of(0, "ttseminit 2,0,4"), (Texts{"w semaphore[0] 2-2"}));
  EXPECT_EQ(of(0, "ttsemwait 64,8,1"), (Texts{"r semaphore[0] 3-3"}));
  EXPECT_EQ(of(0, "ttstallwait 128,1"), Texts{});
  EXPECT_EQ(of(1, "ATGETM mutex=2"), sorted({"r mutex[0] 2-2", "w mutex[0] 2-2"}));
}

TEST_P(FootprintTest, ConfigurationUnit) {
  const std::string state_id = "r thread_config[1] 0-0";
  EXPECT_EQ(of(1, "WRCFG InputReg=6, CfgIndex=9, Is128Bit=1"), sorted({"r gpr[1] 8-15", "w config[0] 8-11", state_id}));
  coprocessor.config.thread[1][0] = 1;
  EXPECT_EQ(of(1, "WRCFG InputReg=6, CfgIndex=9"), sorted({"r gpr[1] 12-13", "w config[1] 9-9", state_id}));
  EXPECT_EQ(of(1, "RDCFG ResultReg=6, CfgIndex=9"), sorted({"r config[1] 9-9", "w gpr[1] 12-13", state_id}));
  EXPECT_EQ(of(1, "RMWCIB2 Mask=1, NewValue=1, Index4=9"), sorted({"r config[1] 9-9", "w config[1] 9-9", state_id}));
  EXPECT_EQ(of(1, "SETC16 CfgIndex=7, NewValue=1"), (Texts{"w thread_config[1] 7-7"}));
  // STATE_RESET_EN clears the bank; a global word is in both.
  const unsigned global = tensix::config_global_base(GetParam());
  EXPECT_EQ(of(1, "WRCFG InputReg=0, CfgIndex=4"),
            sorted({"r gpr[1] 0-1", fmt::format("w config[1] 0-{}", global - 1), state_id}));
  EXPECT_EQ(of(1, fmt::format("RDCFG ResultReg=0, CfgIndex={}", global)),
            sorted({fmt::format("r config[0] {0}-{0}", global), fmt::format("r config[1] {0}-{0}", global),
                    "w gpr[1] 0-1", state_id}));
}

TEST_P(FootprintTest, ScalarUnit) {
  EXPECT_EQ(of(0, "ADDDMAREG.Register ResultReg=3, RightReg=2, LeftReg=12"),
            sorted({"r gpr[0] 24-25", "r gpr[0] 4-5", "w gpr[0] 6-7"}));
  EXPECT_EQ(of(0, "ADDDMAREG.Immediate ResultReg=3, RightImm6=2, LeftReg=12"),
            sorted({"r gpr[0] 24-25", "w gpr[0] 6-7"}));
  EXPECT_EQ(of(2, "SETDMAREG.Immediate NewValue=1, ResultHalfReg=11"), (Texts{"w gpr[2] 11-11"}));
  EXPECT_EQ(of(0, "LOADIND Size=LD_16B, OffsetHalfReg=8, OffsetIncrement=INC_4B, ResultReg=13, AddrReg=5"),
            sorted({"r gpr[0] 10-11", "r gpr[0] 8-8", "r l1[0] 0-0", "w gpr[0] 24-31", "w gpr[0] 8-8"}));
  EXPECT_EQ(of(0, "ATINCGET InOutReg=1, AddrReg=0"),
            sorted({"r gpr[0] 0-3", "r l1[0] 0-0", "w gpr[0] 2-3", "w l1[0] 0-0"}));
  EXPECT_EQ(of(0, "REG2FLOP.ADC SizeSel=1, OverrideThread=1, ThreadSel=2, ADCSel=2, Channel=1, XYZW=3, InputReg=4"),
            sorted({"r gpr[0] 8-9", "w adc[2] 23-23"}));
  const unsigned thcon = is_wormhole() ? 52 : 64;
  EXPECT_EQ(without_settings(of(0, "REG2FLOP.Configuration SizeSel=1, ThConCfgIndex=5, InputReg=4")),
            sorted({"r gpr[0] 8-9", fmt::format("w config[0] {0}-{0}", thcon + 5)}));
  EXPECT_EQ(without_settings(of(0, "REG2FLOP.Configuration SizeSel=0, ThConCfgIndex=5, InputReg=4")),
            sorted({"r gpr[0] 8-15", fmt::format("w config[0] {}-{}", thcon + 4, thcon + 7)}));
  EXPECT_EQ(of(0, "ATINCGETPTR NoIncr=1, ResultReg=1, AddrReg=0"),
            sorted({"r gpr[0] 0-1", "r l1[0] 0-0", "w gpr[0] 2-3"}));
  // STOREIND to Src names its row by GPRs: 4 rows above SrcA's first.
  coprocessor.gprs.value[0][5] = 4 * (4 + 2);
  EXPECT_EQ(of(0, "STOREIND.Src OffsetHalfReg=8, DataReg=14, AddrReg=5"),
            sorted({"r gpr[0] 8-8", "r gpr[0] 10-11", "r gpr[0] 24-27", "w src_a[0] 2-2", "r ownership[0] 0-0",
                    fmt::format("r thread_config[0] {0}-{0}", is_wormhole() ? 3 : 5)}));
  EXPECT_EQ(of(0, "STOREREG DataReg=3, AddrLo=0x4400"), (Texts{"r gpr[0] 6-7"}));
}

TEST_P(FootprintTest, MiscellaneousUnit) {
  EXPECT_EQ(of(0, "SETADCXY U1=1, ThreadOverride=3, X0=1, Y0=1, Y1=1"), sorted({"w adc[2] 13-13", "w adc[2] 8-9"}));
  EXPECT_EQ(of(1, "INCADCZW U0=1, Z0Inc=1"), sorted({"r adc[1] 2-3", "r adc[1] 6-7", "w adc[1] 2-3", "w adc[1] 6-7"}));
  EXPECT_EQ(of(1, "NOP"), Texts{});
  coprocessor.src.unpack_bank[1] = 1;
  EXPECT_EQ(of(1, "SETDVALID FlipSrcA=1, FlipSrcB=1"), sorted({"w ownership[0] 0-0", "w ownership[1] 1-1"}));
}

TEST_P(FootprintTest, MvmulReadsTheCurrentBanksAndUpdatesEightRowsOfDst) {
  coprocessor.rwcs.thread[1].dst.value = 16;
  coprocessor.rwcs.thread[1].src_a.value = 18;
  coprocessor.rwcs.thread[1].src_b.value = 9;
  coprocessor.config.thread[1][1] = 64;  // DEST_TARGET_REG_CFG_MATH_Offset
  coprocessor.src.matrix_bank = {1, 0};
  EXPECT_EQ(
      without_configuration(of(1, "MVMUL FlipSrcB=1, DstRow=8")),
      sorted({"r ownership[0] 1-1", "r ownership[1] 0-0", "w ownership[1] 0-0", "r src_a[1] 16-31", "r src_b[0] 8-15",
              "r dst[0] 88-95", "w dst[0] 88-95", "r rwc[1] 0-0", "r rwc[1] 1-1", "r rwc[1] 2-2", "r rwc[1] 0-2",
              "w rwc[1] 0-2", "r rwc[1] 3-3", "w rwc[1] 3-3", "r rwc[1] 4-4", "w rwc[1] 4-4"}));
  const Texts all = of(1, "MVMUL DstRow=8");
  EXPECT_TRUE(std::ranges::count(all, "r thread_config[1] 1-1") == 1);
  EXPECT_TRUE(std::ranges::count(all, is_wormhole() ? "r thread_config[1] 7-7" : "r thread_config[1] 12-12") == 1);
  for (const char* setting : {"r config[0] 0-0", "r config[0] 1-1", "r config[0] 2-2", "r config[0] 6-6"})
    EXPECT_EQ(std::ranges::count(all, setting), 1) << setting;
}

TEST_P(FootprintTest, MatrixUnitsRowsOfDstAreThoseOfItsBits) {
  const auto has = [&](const Texts& texts, const std::string& what) { return std::ranges::count(texts, what) != 0; };
  const Texts broadcast = of(0, "MVMUL BroadcastSrcBRow=1, DstRow=9");
  for (const char* row : {"w dst[0] 9-9", "w dst[0] 11-11", "w dst[0] 13-13", "w dst[0] 15-15"})
    EXPECT_TRUE(has(broadcast, row)) << row;
  EXPECT_TRUE(has(of(0, "GMPOOL DstRow=6"), "w dst[0] 4-7") && has(of(0, "GMPOOL DstRow=6"), "r src_b[0] 0-0"));
  coprocessor.rwcs.thread[0].src_a.value = 60;  // sixteen rows from 56 on
  EXPECT_TRUE(has(of(0, "MVMUL"), "r src_a[0] 56-63") && has(of(0, "MVMUL"), "r src_a[0] 0-7"));
  EXPECT_TRUE(has(of(0, "MOVA2D DstRow=3, UseDst32bLo=1"), "r dst[0] 11-11"));
  coprocessor.config.bank[0][1] = 1U << 29U;  // ALU_ACC_CTRL_Fp32_enabled
  EXPECT_TRUE(has(of(0, "ELWADD DstRow=8"), "w dst[0] 16-31"));
  EXPECT_TRUE(has(of(0, "MOVD2A DstRow=8"), "r dst[0] 16-16") && has(of(0, "MOVD2A DstRow=8"), "r dst[0] 24-24"));
  EXPECT_TRUE(has(of(0, "ZEROACC Mode=CLR_16, UseDst32b=1, Imm10=1"), "w dst[0] 32-63"));
  EXPECT_TRUE(has(of(0, "ZEROACC Mode=CLR_HALF, Imm10=1"), "w dst[0] 512-1023"));
  EXPECT_FALSE(has(of(0, "ZEROACC Mode=CLR_HALF, Imm10=1"), "w rwc[0] 0-2"));
}

TEST_P(FootprintTest, MatrixUnit) {
  const auto has = [&](const Texts& texts, const std::string& what) { return std::ranges::count(texts, what) != 0; };
  const Texts overwrites = of(0, "ELWADD DstRow=8");
  EXPECT_TRUE(has(overwrites, "w dst[0] 8-15") && !has(overwrites, "r dst[0] 8-15"));
  EXPECT_TRUE(has(of(0, "ELWADD AddDst=1, DstRow=8"), "r dst[0] 8-15"));
  const Texts move = of(0, "MOVD2A SrcRow=5, Move4Rows=1, DstRow=9");
  EXPECT_TRUE(has(move, "r dst[0] 8-11") && has(move, "w src_a[0] 4-7") && !has(move, "r ownership[0] 0-0"));
  EXPECT_EQ(of(0, "TRNSPSRCB"), sorted({"r ownership[1] 0-0", "r src_b[0] 16-31", "w src_b[0] 16-31"}));
  EXPECT_EQ(of(0, "ZEROSRC ClearSrcA=1, BothBanks=1"), sorted({"w src_a[0] 0-63", "w src_a[1] 0-63"}));
  EXPECT_EQ(of(2, "SETRWC SrcA=1, Dst=1, DstCr=1"), sorted({"w rwc[2] 1-1", "r rwc[2] 0-0", "w rwc[2] 0-0"}));
  EXPECT_EQ(of(0, "CLEARDVALID ResetAll=1"), sorted({"w ownership[0] 0-1", "w ownership[1] 0-1"}));
  EXPECT_TRUE(has(of(0, "ZEROACC Mode=3"), "w dst[0] 0-1023"));
}

TEST_P(FootprintTest, VectorUnit) {
  EXPECT_EQ(of(0, "SFPMAD VA=1, VB=4, VC=6, VD=3"),
            sorted({"r lreg[0] 1-1", "r lreg[0] 4-4", "r lreg[0] 6-6", "w lreg[0] 3-3"}));
  EXPECT_EQ(of(0, "SFPSWAP VC=1, VD=2"), sorted({"r lreg[0] 1-2", "w lreg[0] 1-2"}));
  EXPECT_EQ(of(0, "SFPNOP"), Texts{});
  const Texts load = of(1, "SFPLOAD VD=2, Imm10=6");
  for (const char* each : {"w lreg[0] 2-2", "r dst[0] 4-7", "w rwc[1] 0-2"})
    EXPECT_EQ(std::ranges::count(load, each), 1) << each;
  EXPECT_EQ(std::ranges::count(load, "w rwc[1] 3-3"), 0);  // no fidelity
}

TEST_P(FootprintTest, UnpackersAndMover) {
  coprocessor.src.unpack_bank[1] = 1;
  // THCON_SEC0_REG6: source, destination, size and direction; zeros to L1, then L1 to the last word of bank 0 and on.
  const unsigned settings = is_wormhole() ? 76 : 88;
  auto& bank = coprocessor.config.bank[0];
  const Texts read{fmt::format("r config[0] {}-{}", settings, settings + 2)};
  EXPECT_EQ(without_settings(of(2, "XMOV")), read);  // nothing to move
  bank[settings + 2] = 2;
  EXPECT_EQ(without_settings(of(2, "XMOV")), sorted({read[0], "w l1[0] 0-0"}));
  bank[settings + 2] |= 3U << 30U;
  EXPECT_EQ(without_settings(of(2, "XMOV")), sorted({read[0], "r l1[0] 0-0", "w l1[0] 0-0"}));
  const unsigned words = tensix::config_words(GetParam());
  bank[settings + 2] = 2 | 1U << 30U;
  bank[settings + 1] = (words - 4) / 4;
  EXPECT_EQ(without_settings(of(2, "XMOV")),
            sorted({read[0], "r l1[0] 0-0", fmt::format("w config[0] {}-{}", words - 4, words - 1),
                    fmt::format("w config[1] {}-{}", words - 4, words - 1), "w config[1] 0-3"}));
  bank[settings] = 0xFFFFFFF;  // beyond L1
  EXPECT_EQ(without_settings(of(2, "XMOV")), read);
}

TEST_P(FootprintTest, Packers) {
  // BF16 to BF16, one datum of a row; the address modifier moves Y of channel 0.
  coprocessor.config.bank[0][1] = 5U << 25U;
  coprocessor.config.bank[0][is_wormhole() ? 58 : 70] = 5U << 4U | 5U << 8U;
  coprocessor.config.thread[2][is_wormhole() ? 31 : 37] = 4;
  const Texts settings =
      is_wormhole() ? Texts{"r config[0] 0-2",     "r config[0] 7-24",    "r config[0] 32-35",
                            "r config[0] 56-59",   "r config[0] 88-89",   "r config[0] 152-152",
                            "r config[0] 165-165", "r config[1] 152-152", "r config[1] 165-165"}
                    : Texts{"r config[0] 0-2",     "r config[0] 8-8",     "r config[0] 12-28",   "r config[0] 36-39",
                            "r config[0] 68-71",   "r config[0] 100-101", "r config[0] 180-180", "r config[0] 187-187",
                            "r config[0] 220-220", "r config[1] 180-180", "r config[1] 187-187", "r config[1] 220-220"};
  Texts pacr{"r adc[2] 16-23", "w adc[2] 17-17", is_wormhole() ? "r dst[0] 0-0" : "r dst[0] 0-3", "w l1[0] 0-0"};
  pacr.insert(pacr.end(), settings.begin(), settings.end());
  EXPECT_EQ(without_settings(of(2, "PACR Last=1")), sorted(pacr));
}

TEST(FootprintBlackhole, Cfgshiftmask) {
  EXPECT_EQ(footprint(Coprocessor(Arch::blackhole), 2, "CFGSHIFTMASK CfgIndex=20, ScratchIndex=3"),
            sorted({"r config[0] 211-211", "r config[0] 20-20", "w config[0] 20-20", "r thread_config[2] 0-0"}));
}

}  // namespace
}  // namespace tensim::test
