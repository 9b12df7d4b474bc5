// Accesses of the T cores under Auto TTSync (C38): which wait, when they count as processed, what a soft reset forgets.
#include "report/accesses.hpp"
#include "tests/support/core_accesses.hpp"

namespace tensim::test {
namespace {

class AutoTtsyncAccess : public BothArchs {};
TENSIM_BOTH_ARCHS(AutoTtsyncAccess);

constexpr std::uint32_t gpr0 = 0xFFE00000;
constexpr std::uint32_t config_word1 = 0xFFEF0004;
constexpr std::uint32_t tdma_params = 0xFFB11000;
constexpr std::uint32_t tdma_status = 0xFFB11014;
constexpr std::uint32_t soft_reset = 0xFFB121B0;
constexpr std::uint32_t auto_ttsync_bit = 1U << 23U;

/// With Auto TTSync switched on for T1, as its core does it.
struct Cores : CoreAccesses {
  explicit Cores(Arch arch) : CoreAccesses(arch) {
    store(CoreId::brisc, soft_reset, 0);
    push("SETC16 CfgIndex=56, NewValue=0x1F");
    step(5);
  }
  void push(std::string_view line) {
    EXPECT_TRUE(store(CoreId::trisc1, 0xFFE40000, assemble(coprocessor.arch, line)).is_done()) << line;
  }
  Wait load_of(CoreId core, std::uint32_t address) { return load(core, address).wait; }
  Wait store_of(CoreId core, std::uint32_t address) { return store(core, address, 1).wait; }
  unsigned stalls() const { return static_cast<unsigned>(coprocessor.accounts[1][event::Stall::auto_ttsync]); }
};

TEST_P(AutoTtsyncAccess, WaitsForAPushedInstructionThatItConflictsWith) {  // C38
  Cores cores(GetParam());
  cores.push("RDCFG ResultReg=0, CfgIndex=1");
  const Wait expected = is_blackhole() ? Wait::auto_ttsync : Wait::none;
  EXPECT_EQ(cores.load_of(CoreId::trisc1, gpr0), expected);
  EXPECT_EQ(cores.store_of(CoreId::trisc1, gpr0), expected);
  EXPECT_EQ(cores.load_of(CoreId::trisc1, config_word1), Wait::none) << "RDCFG only reads it,";
  EXPECT_EQ(cores.store_of(CoreId::trisc1, config_word1), expected) << "but a store has to wait";
  EXPECT_EQ(cores.store_of(CoreId::trisc2, gpr0), Wait::none) << "another core's does not,";
  EXPECT_EQ(cores.store_of(CoreId::brisc, gpr0 + 0x100), Wait::none) << "nor BRISC's, though it is the same GPR";
  cores.step(3);
  EXPECT_EQ(cores.load_of(CoreId::trisc1, gpr0), expected) << "it has passed its gate, and lands a cycle later";
  cores.step();
  EXPECT_EQ(cores.load_of(CoreId::trisc1, gpr0), Wait::none);
  EXPECT_EQ(report::describe(Wait::auto_ttsync, {.core = CoreId::trisc1, .address = gpr0}),
            "TRISC1 loads from 0xffe00000: an earlier instruction of T1 uses the same registers");
}

TEST_P(AutoTtsyncAccess, OfTdmaRiscWaitsForWhatUsesIt) {  // C38
  Cores cores(GetParam());
  cores.push("FLUSHDMA");
  const Wait expected = is_blackhole() ? Wait::auto_ttsync : Wait::none;
  EXPECT_EQ(cores.load_of(CoreId::trisc1, tdma_status), expected);
  EXPECT_EQ(cores.store_of(CoreId::trisc1, tdma_params), expected);
  EXPECT_EQ(cores.load_of(CoreId::trisc0, tdma_status), Wait::none);
  EXPECT_EQ(cores.store_of(CoreId::brisc, tdma_params), Wait::none);
  EXPECT_EQ(cores.load_of(CoreId::trisc1, gpr0), Wait::none) << "FLUSHDMA uses no GPR";
}

TEST_P(AutoTtsyncAccess, InstructionsWaitForAStoreUntilItsUnitHasTakenIt) {  // C38
  // T2's WRCFGs keep the Configuration Unit busy: T1's store stands before it, and T1's RDCFG behind the store.
  Cores cores(GetParam());
  for (unsigned i = 0; i < 10; ++i)
    cores.store(CoreId::trisc2, 0xFFE40000, assemble(GetParam(), "ttwrcfg 4, 0, 20"));
  cores.step(2);
  EXPECT_TRUE(cores.store(CoreId::trisc1, config_word1, 77).is_done());
  cores.push("RDCFG ResultReg=5, CfgIndex=1");
  cores.step(40);
  EXPECT_EQ(cores.stalls() > 0, is_blackhole());
  if (is_wormhole()) return;
  EXPECT_EQ(cores.coprocessor.gprs.value[1][5], 77U);
}

TEST_P(AutoTtsyncAccess, EveryAccessIsProcessedInTheEnd) {  // C38
  // A core can have 32 under way: if any were forgotten its next ones would wait.
  Cores cores(GetParam());
  for (unsigned cycle = 0; cycle < 200; ++cycle) {
    // Loads of GPRs and configuration stay behind the core's stores there: those come every fourth cycle only.
    const bool stores = cycle % 4 == 0;
    for (const std::uint32_t address : {gpr0, config_word1, tdma_status})
      if (stores || address == tdma_status) {
        EXPECT_EQ(cores.load_of(CoreId::trisc1, address), Wait::none) << cycle;
      }
    cores.step();
    if (!stores) continue;
    for (const std::uint32_t address : {gpr0, config_word1, tdma_params})
      EXPECT_EQ(cores.store_of(CoreId::trisc1, address), Wait::none) << cycle;
  }
  cores.step(2);
  cores.push("RDCFG ResultReg=5, CfgIndex=1");
  cores.step(5);
  EXPECT_TRUE(cores.coprocessor.is_idle());
  EXPECT_EQ(cores.stalls(), 0U);
}

TEST_P(AutoTtsyncAccess, ALoadIsUnderWayForAsLongAsAStoreTravels) {  // C38
  if (is_wormhole()) return;
  Cores cores(GetParam());
  const auto awaited_by_gpr_write = [&] {
    // What a word that were pushed now would wait for.
    tensix::Coprocessor copy = cores.coprocessor;
    tensix::AutoTtSync& auto_ttsync = copy.frontends[1].auto_ttsync;
    auto_ttsync.takes(assemble(GetParam(), "ttsetdmareg 0, 7, 0, 8"));
    auto_ttsync.mop_expander_takes();
    auto_ttsync.mop_expander_gives();
    auto_ttsync.replay_expander_takes();
    auto_ttsync.replay_expander_gives();
    return auto_ttsync.awaited().loads;
  };
  EXPECT_TRUE(cores.load(CoreId::trisc1, gpr0).is_done());
  EXPECT_EQ(awaited_by_gpr_write(), 1U);
  EXPECT_EQ(cores.coprocessor.next_event(), cores.coprocessor.now + 1) << "nobody may skip the cycle it ends in";
  cores.step();
  EXPECT_EQ(awaited_by_gpr_write(), 1U);
  cores.step();
  EXPECT_EQ(awaited_by_gpr_write(), 0U);
}

TEST_P(AutoTtsyncAccess, SoftResetOfTheBlockForgetsPushedInstructions) {  // C38
  Cores cores(GetParam());
  cores.push("RDCFG ResultReg=0, CfgIndex=1");
  EXPECT_EQ(cores.load_of(CoreId::trisc1, gpr0), is_blackhole() ? Wait::auto_ttsync : Wait::none);
  cores.store(CoreId::brisc, soft_reset, auto_ttsync_bit);
  EXPECT_EQ(cores.load_of(CoreId::trisc1, gpr0), Wait::none);
  cores.step(5);
  EXPECT_TRUE(cores.coprocessor.is_idle());
  cores.store(CoreId::brisc, soft_reset, 0);
  cores.push("RDCFG ResultReg=0, CfgIndex=1");
  EXPECT_EQ(cores.load_of(CoreId::trisc1, gpr0), is_blackhole() ? Wait::auto_ttsync : Wait::none) << "it stays on";
}

TEST_P(AutoTtsyncAccess, SoftResetOfTheCoreForgetsWhatItDiscards) {  // C38
  Cores cores(GetParam());
  for (unsigned i = 0; i < 10; ++i)
    cores.push("RDCFG ResultReg=0, CfgIndex=1");
  cores.store(CoreId::brisc, soft_reset, 1U << 13U);
  EXPECT_EQ(cores.load_of(CoreId::trisc1, gpr0), Wait::none);
}

}  // namespace
}  // namespace tensim::test
