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
using namespace tensim::literals;
using Texts = std::vector<std::string>;

/// "w gpr[1] 10-11": what is written, of whom, first and last. Behind configuration stand its bits: "w config[0] 9-9 &ff0".
std::string text(const Access& access) {
  constexpr std::array<std::string_view, 23> names{
      "semaphore", "mutex",     "gpr",    "config", "thread_config", "adc",    "rwc",   "src_a",
      "src_b",     "ownership", "format", "dst",    "lreg",          "lanes",  "macro", "matrix",
      "unpacker",  "packer",    "mop",    "replay", "tdma",          "stream", "l1"};
  static_assert(names.size() == static_cast<std::size_t>(Resource::l1) + 1);
  const std::string bits = access.mask == Access::whole ? "" : fmt::format(" &{:x}", access.mask);
  return fmt::format("{} {}[{}] {}-{}{}", access.write ? 'w' : 'r', names[static_cast<std::size_t>(access.resource)],
                     access.owner, access.first, access.first + access.count - 1, bits);
}

/// Sorted, each once.
Texts footprint(const Coprocessor& coprocessor, unsigned thread, const std::string& line) {
  const Word word = assemble(coprocessor.arch, line);
  const tensix::Operation& operation = coprocessor.operation(word);
  if (operation.footprint == nullptr) return {"none"};
  std::vector<Access> accesses;
  Footprint found(accesses);
  operation.footprint(coprocessor, {tensix::Entry::pushed(word, 0), thread}, found);
  Texts texts;
  for (const Access& access : accesses)
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
/// Nor the other one, nor formats that come with the data.
Texts without_configuration(Texts texts) {
  std::erase_if(texts, [](const std::string& each) {
    return each.find("config") != std::string::npos || each.find("format") != std::string::npos;
  });
  return texts;
}

class FootprintTest : public BothArchs {
 protected:
  Coprocessor coprocessor{GetParam()};
  Texts of(unsigned thread, const std::string& line) const { return footprint(coprocessor, thread, line); }
};
TENSIM_BOTH_ARCHS(FootprintTest);

TEST(Footprint, AddsBehindWhatIsThere) {
  std::vector<Access> accesses{{Resource::mutex}};
  Footprint footprint(accesses);
  footprint.updates(Resource::semaphore, 0, 3);
  footprint.reads(Resource::gpr, 1, 4, 0);  // nothing
  ASSERT_EQ(accesses.size(), 3U);
  EXPECT_EQ(accesses[0].resource, Resource::mutex);
  EXPECT_EQ(accesses[1], (Access{.resource = Resource::semaphore, .first = 3}));
  EXPECT_TRUE(accesses[2].write);
}

TEST(Footprint, RunsOfBitsAreOneAccess) {
  std::vector<Access> accesses;
  Footprint footprint(accesses);
  footprint.add_runs(Resource::lreg, 0, 0x8000'0000'0000'0036U, true);
  const auto run = [](unsigned first, unsigned count) {
    return Access{.resource = Resource::lreg, .write = true, .first = first, .count = count};
  };
  EXPECT_EQ(accesses, (std::vector<Access>{run(1, 2), run(4, 2), run(63, 1)}));
  accesses.clear();
  footprint.add_runs(Resource::lreg, 0, ~std::uint64_t{0}, true);
  EXPECT_EQ(accesses, (std::vector<Access>{run(0, 64)}));
}

TEST_P(FootprintTest, SettingsOfOneWordAreOneAccess) {
  const tensix::Settings settings = tensix::Settings(GetParam())
                                        .add("ALU_ACC_CTRL_Fp32_enabled"_config)
                                        .add("ALU_ACC_CTRL_INT8_math_enabled"_config)
                                        .add("PRNG_SEED_Seed_Val"_config)  // both banks share it
                                        .add_thread("FP16A_FORCE_Enable"_thread_config);
  std::vector<Access> accesses;
  Footprint(accesses).reads(settings, 1, 2);
  ASSERT_EQ(accesses.size(), 4U);
  EXPECT_EQ(text(accesses[0]), "r config[1] 1-1 &a0000000");
  EXPECT_EQ(accesses[1].owner, 0U);
  EXPECT_EQ(text(accesses[2]), "r thread_config[2] 0-0");  // the choice of the bank
  EXPECT_EQ(accesses[3].resource, Resource::thread_config);
  EXPECT_EQ(accesses[3].owner, 2U);
}

TEST_P(FootprintTest, EveryOperationHasOne) {
  for (unsigned opcode = 0; opcode < 256; ++opcode) {
    const tensix::Operation& operation = tensix::unit_timing(GetParam())->operations[opcode];
    EXPECT_EQ(operation.execute != nullptr, operation.footprint != nullptr) << opcode;
    if (operation.footprint == nullptr) continue;
    for (const Word parameters : {0x000000U, 0xFFFFFFU, 0x555555U, 0xAAAAAAU, 0x00FFFFU, 0xFF0000U}) {
      const Word word = Word{opcode} << 24U | parameters;
      std::vector<Access> accesses;
      Footprint found(accesses);
      operation.footprint(coprocessor, {tensix::Entry::pushed(word, 0), 2}, found);
      for (const Access& access : accesses)
        EXPECT_TRUE(access.count != 0 && access.mask != 0) << opcode;
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
  EXPECT_EQ(of(1, "RMWCIB2 Mask=0x81, NewValue=1, Index4=9"), sorted({"w config[1] 9-9 &810000", state_id}));
  EXPECT_EQ(of(1, "SETC16 CfgIndex=7, NewValue=1"), (Texts{"w thread_config[1] 7-7"}));
  // STATE_RESET_EN clears the bank; a global word is in both.
  const unsigned global = tensix::config_global_base(GetParam());
  EXPECT_EQ(of(1, "WRCFG InputReg=0, CfgIndex=4"),
            sorted({"r gpr[1] 0-1", fmt::format("w config[1] 0-{}", global - 1), state_id}));
  EXPECT_EQ(of(1, fmt::format("RDCFG ResultReg=0, CfgIndex={}", global)),
            sorted({fmt::format("r config[0] {0}-{0}", global), "w gpr[1] 0-1", state_id}));
}

TEST_P(FootprintTest, ConfigurationReachesBeyondItself) {
  const auto has = [&](const Texts& texts, const std::string& what) { return std::ranges::count(texts, what) != 0; };
  const auto seed = "PRNG_SEED_Seed_Val"_config.on(GetParam()).word;
  const Texts seeds = of(0, fmt::format("WRCFG InputReg=0, CfgIndex={}", seed));
  EXPECT_TRUE(has(seeds, "w lanes[0] 2-2") && has(seeds, "w matrix[0] 1-1") && has(seeds, "w packer[0] 3-3"));
  const auto counters = "UNPACK_MISC_CFG_CfgContextCntReset_0"_thread_config.on(GetParam()).word;
  const Texts resets = of(2, fmt::format("SETC16 CfgIndex={}, NewValue=0", counters));
  EXPECT_TRUE(has(resets, "w unpacker[0] 2-2") && has(resets, "w unpacker[1] 2-2"));
}

TEST_P(FootprintTest, ScalarUnit) {
  EXPECT_EQ(of(0, "ADDDMAREG.Register ResultReg=3, RightReg=2, LeftReg=12"),
            sorted({"r gpr[0] 24-25", "r gpr[0] 4-5", "w gpr[0] 6-7"}));
  EXPECT_EQ(of(0, "ADDDMAREG.Immediate ResultReg=3, RightImm6=2, LeftReg=12"),
            sorted({"r gpr[0] 24-25", "w gpr[0] 6-7"}));
  EXPECT_EQ(of(2, "SETDMAREG.Immediate NewValue=1, ResultHalfReg=11"), (Texts{"w gpr[2] 11-11"}));
  EXPECT_EQ(of(0, "LOADIND Size=LD_16B, OffsetHalfReg=8, OffsetIncrement=INC_4B, ResultReg=13, AddrReg=5"),
            sorted({"r gpr[0] 10-11", "r gpr[0] 8-8", "w gpr[0] 24-31", "w gpr[0] 8-8"}));
  EXPECT_EQ(of(0, "ATINCGET InOutReg=1, AddrReg=0"), sorted({"r gpr[0] 0-3", "w gpr[0] 2-3"}));
  EXPECT_EQ(of(0, "REG2FLOP.ADC SizeSel=1, OverrideThread=1, ThreadSel=2, ADCSel=2, Channel=1, XYZW=3, InputReg=4"),
            sorted({"r gpr[0] 8-9", "w adc[2] 23-23"}));
  const unsigned thcon = is_wormhole() ? 52 : 64;
  EXPECT_EQ(without_settings(of(0, "REG2FLOP.Configuration SizeSel=1, ThConCfgIndex=5, InputReg=4")),
            sorted({"r gpr[0] 8-9", fmt::format("w config[0] {0}-{0}", thcon + 5)}));
  EXPECT_EQ(without_settings(of(0, "REG2FLOP.Configuration SizeSel=0, ThConCfgIndex=5, InputReg=4")),
            sorted({"r gpr[0] 8-15", fmt::format("w config[0] {}-{}", thcon + 4, thcon + 7)}));
  // Registers of the tile: in the word's own address.
  EXPECT_EQ(of(0, "STOREREG DataReg=3, AddrLo=0x4400"), sorted({"r gpr[0] 6-7", "w tdma[0] 0-0"}));
  EXPECT_EQ(of(0, "LOADREG ResultReg=3, AddrLo=0x4405"), sorted({"w gpr[0] 6-7", "r tdma[0] 5-5"}));
  const unsigned stream_2 = (0x40000 + 2 * 0x1000) / 4;
  EXPECT_EQ(of(0, fmt::format("STOREREG DataReg=3, AddrLo={}", stream_2 + (is_wormhole() ? 3 : 8))),
            sorted({"r gpr[0] 6-7", is_wormhole() ? "w stream[2] 3-3" : "w stream[2] 8-8"}));
}

TEST_P(FootprintTest, MiscellaneousUnit) {
  EXPECT_EQ(of(0, "SETADCXY U1=1, ThreadOverride=3, X0=1, Y0=1, Y1=1"), sorted({"w adc[2] 13-13", "w adc[2] 8-9"}));
  EXPECT_EQ(of(1, "INCADCZW U0=1, Z0Inc=1"), sorted({"r adc[1] 2-3", "r adc[1] 6-7", "w adc[1] 2-3", "w adc[1] 6-7"}));
  EXPECT_EQ(of(1, "NOP"), Texts{});
  coprocessor.src.unpack_bank[1] = 1;
  EXPECT_EQ(of(1, "SETDVALID FlipSrcA=1, FlipSrcB=1"),
            sorted({"w ownership[0] 0-0", "w ownership[1] 1-1", "w unpacker[0] 4-4", "w unpacker[1] 4-4",
                    fmt::format("r thread_config[1] {0}-{0}", "SRCA_SET_Base"_thread_config.on(GetParam()).word),
                    fmt::format("r thread_config[1] {0}-{0}", "SRCB_SET_Base"_thread_config.on(GetParam()).word)}));
}

TEST_P(FootprintTest, MvmulReadsTheCurrentBanksAndUpdatesEightRowsOfDst) {
  coprocessor.rwcs.thread[1].dst.value = 16;
  coprocessor.rwcs.thread[1].src_a.value = 18;
  coprocessor.rwcs.thread[1].src_b.value = 9;
  coprocessor.config.thread[1][1] = 64;  // DEST_TARGET_REG_CFG_MATH_Offset
  coprocessor.src.matrix_bank = {1, 0};
  EXPECT_EQ(without_configuration(of(1, "MVMUL FlipSrcB=1, DstRow=8")),
            sorted({"r ownership[0] 1-1", "r ownership[1] 0-0", "w ownership[1] 0-0", "r src_a[1] 16-31",
                    "r src_b[0] 8-15", "r dst[0] 88-95", "w dst[0] 88-95", "r rwc[1] 0-4", "w matrix[0] 0-0"}));
  const Texts all = of(1, "MVMUL DstRow=8");
  EXPECT_TRUE(std::ranges::count(all, "r thread_config[1] 1-1") == 1);
  EXPECT_TRUE(std::ranges::count(all, is_wormhole() ? "r thread_config[1] 7-7" : "r thread_config[1] 12-12") == 1);
  // The flags and the rounding mode; formats only where they do not come with the data.
  Texts settings{"r config[0] 1-1 &a0000001", "r config[0] 2-2 &3", "r config[0] 6-6 &ffff"};
  if (is_wormhole()) settings.insert(settings.end(), {"r config[0] 0-0 &1f", "r config[0] 1-1 &1e0000"});
  for (const std::string& setting : settings)
    EXPECT_EQ(std::ranges::count(all, setting), 1) << setting;
  EXPECT_EQ(std::ranges::count(all, "r format[0] 1-1"), is_wormhole() ? 0 : 1);
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
            sorted({"r lreg[0] 1-1", "r lreg[0] 4-4", "r lreg[0] 6-6", "w lreg[0] 3-3", "r lanes[0] 0-1"}));
  EXPECT_EQ(of(0, "SFPSWAP VC=1, VD=2"), sorted({"r lreg[0] 1-2", "w lreg[0] 1-2", "r lanes[0] 0-1"}));
  EXPECT_EQ(of(0, "SFPPUSHC"), sorted({"r lanes[0] 0-1", "r lanes[0] 3-3", "w lanes[0] 0-0", "w lanes[0] 3-3"}));
  EXPECT_EQ(of(0, "SFPSTOCHRND VC=1, VD=2"),
            sorted({"r lreg[0] 1-1", "w lreg[0] 2-2", "r lanes[0] 0-2", "w lanes[0] 2-2"}));
  EXPECT_EQ(of(0, "SFPCONFIG VD=15"), sorted({"r lreg[0] 0-0", "r lanes[0] 0-1", "w lanes[0] 1-1"}));
  EXPECT_EQ(of(0, "SFPCONFIG VD=5"), sorted({"r lreg[0] 0-0", "r lanes[0] 0-0", "w macro[0] 5-5"}));
  EXPECT_EQ(of(0, "SFPMAD VA=1, VB=4, VC=6, VD=13"), sorted({"r lanes[0] 0-1", "w macro[0] 1-1"}));  // a template
  EXPECT_EQ(of(0, "SFPNOP"), Texts{});
  const Texts load = of(1, "SFPLOAD VD=2, Imm10=6");
  for (const char* each : {"w lreg[0] 2-2", "r dst[0] 4-7", "r rwc[1] 0-4"})
    EXPECT_EQ(std::ranges::count(load, each), 1) << each;
  EXPECT_EQ(std::ranges::count(load, "w rwc[1] 0-2"), 0);  // nothing to step by
  coprocessor.config.thread[1][is_wormhole() ? 7 : 12] = 1;
  const Texts steps = of(1, "SFPLOAD VD=2, Imm10=6");
  EXPECT_EQ(std::ranges::count(steps, "w rwc[1] 0-2"), 1);
  EXPECT_EQ(std::ranges::count(steps, "w rwc[1] 4-4"), 1);  // no fidelity
}

TEST_P(FootprintTest, SfploadmacroTouchesWhatItSchedules) {
  for (tensix::LoadMacroConfig& macro : coprocessor.vector.registers.macros) {
    macro.instruction[1] = assemble(GetParam(), "SFPMAD VA=1, VB=4, VC=6, VD=3");
    macro.sequence[2] = (5U | 1U << 3U | 0x40U) << 8U | (3U | 3U << 3U | 0x40U) << 24U;  // MAD to LReg 16; store of it
    macro.misc = 3;                                                                      // 32 bits
  }
  const Texts said = without_configuration(of(0, "SFPLOADMACRO MacroIndex=2, VDLo=2, Mod0=6, Imm9=4"));
  const Texts expected{"r dst[0] 8-11",  "w lreg[0] 2-2",  // the load
                       "r lreg[0] 1-2",  "r lreg[0] 4-4",  "w lreg[0] 16-16", "r lreg[0] 16-16", "w dst[0] 16-19",
                       "w dst[0] 24-27", "r lanes[0] 0-1", "r macro[0] 1-1",  "r macro[0] 6-6",  "r macro[0] 8-8"};
  for (const std::string& each : expected)
    EXPECT_EQ(std::ranges::count(said, each), 1) << each;
  EXPECT_EQ(std::ranges::count_if(said, [](const std::string& each) { return each.starts_with("w"); }), 4);
}

TEST_P(FootprintTest, Mover) {
  std::vector<std::uint8_t> l1(0x8000);
  coprocessor.memory.l1 = l1;
  // THCON_SEC0_REG6: source, destination, size and direction; zeros to L1, then L1 to the last word of bank 0 and on.
  const unsigned settings = is_wormhole() ? 76 : 88;
  auto& bank = coprocessor.config.bank[0];
  const Texts read = without_settings(of(2, "XMOV"));  // nothing to move
  for (const std::string& each : read)
    EXPECT_TRUE(each.starts_with("r config[0] ")) << each;
  const auto with = [&](Texts more) {
    more.insert(more.end(), read.begin(), read.end());
    return sorted(more);
  };
  bank[settings + 1] = 4;
  bank[settings + 2] = 2;
  EXPECT_EQ(without_settings(of(2, "XMOV")), with({"w l1[0] 64-95"}));
  bank[settings + 2] |= 3U << 30U;
  bank[settings] = 1;
  EXPECT_EQ(without_settings(of(2, "XMOV")), with({"r l1[0] 16-47", "w l1[0] 64-95"}));
  const unsigned words = tensix::config_words(GetParam());
  bank[settings + 2] = 2 | 1U << 30U;
  bank[settings + 1] = (words - 4) / 4;
  Texts written{"r l1[0] 16-47"};
  for (const unsigned word : {words - 4, words - 3, words - 2, words - 1})
    written.push_back(fmt::format("w config[0] {0}-{0}", word));
  for (const unsigned word : {0U, 1U, 2U, 3U})
    written.push_back(fmt::format("w config[1] {0}-{0}", word));
  EXPECT_EQ(without_settings(of(2, "XMOV")), with(written));
  bank[settings] = 0xFFFFFFF;  // beyond L1
  EXPECT_EQ(without_settings(of(2, "XMOV")), read);
}

TEST_P(FootprintTest, Packers) {
  std::vector<std::uint8_t> l1(0x8000);
  coprocessor.memory.l1 = l1;
  // BF16 to BF16, one datum of a row; the address modifier moves Y of channel 0.
  const auto block = static_cast<std::size_t>("THCON_SEC0_REG1_L1_Dest_addr"_config.on(GetParam()).word);
  coprocessor.config.bank[0][1] = 5U << 25U;
  coprocessor.config.bank[0][is_wormhole() ? 58 : 70] = 5U << 4U | 5U << 8U | 1U;  // without compression
  coprocessor.config.bank[0][block] = 0x40;
  coprocessor.config.thread[2][is_wormhole() ? 31 : 37] = 4;
  const Texts pacr = of(2, "PACR Last=1");
  EXPECT_EQ(without_configuration(pacr),
            sorted({"r adc[2] 16-23", "w adc[2] 17-17", is_wormhole() ? "r dst[0] 0-0" : "r dst[0] 0-3",
                    "w l1[0] 1040-1055", "r packer[0] 0-0", "w packer[0] 0-0", "r packer[0] 1-1", "w packer[0] 1-1",
                    "r packer[0] 2-2", "w packer[0] 2-2"}));
  const auto reads = [&](const ConfigField& field) {
    const ConfigField::Place& place = field.on(GetParam());
    return std::ranges::any_of(pacr, [&](const std::string& each) {
      return each.starts_with(fmt::format("r config[0] {0}-{0} &", place.word)) &&
             (std::stoul(each.substr(each.find('&') + 1), nullptr, 16) & place.bits()) == place.bits();
    });
  };
  EXPECT_TRUE(reads("STACC_RELU_ApplyRelu"_config));
  EXPECT_FALSE(reads("ALU_ACC_CTRL_Zero_Flag_disabled_src"_config));  // of the same word
  EXPECT_TRUE(reads("THCON_SEC0_REG1_Pack_L1_Acc"_config));
  EXPECT_FALSE(reads("THCON_SEC1_REG1_Out_data_format"_config));
}

TEST(FootprintBlackhole, Cfgshiftmask) {
  EXPECT_EQ(footprint(Coprocessor(Arch::blackhole), 2, "CFGSHIFTMASK CfgIndex=20, ScratchIndex=3"),
            sorted({"r config[0] 211-211", "r config[0] 20-20", "w config[0] 20-20", "r thread_config[2] 0-0"}));
}

}  // namespace
}  // namespace tensim::test
