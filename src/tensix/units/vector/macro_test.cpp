// SFPLOADMACRO: what it schedules, when that happens, and what others see of it.
#include "tests/support/vector_bench.hpp"

namespace tensim::test {
namespace {

class VectorMacro : public BothArchs {};
TENSIM_BOTH_ARCHS(VectorMacro);

/// A byte of a sequence: template 0 to 3 (or `store`, `nop`), delay, and the two bits above.
constexpr unsigned store = 3;
constexpr unsigned nop = 2;
constexpr unsigned to_lreg16 = 0x40;
constexpr unsigned loaded_to_vb = 0x80;
constexpr unsigned from_template(unsigned i) {
  return 4 + i;
}
constexpr std::uint32_t byte(unsigned source, unsigned delay, unsigned bits = 0) {
  return source | delay << 3U | bits;
}
constexpr std::uint32_t sequence(std::uint32_t simple, std::uint32_t mad, std::uint32_t round, std::uint32_t stored) {
  return simple | mad << 8U | round << 16U | stored << 24U;
}

class MacroBench : public VectorBench {
 public:
  using VectorBench::VectorBench;
  void configure(std::uint32_t steps, std::uint32_t misc, std::initializer_list<const char*> templates) {
    for (auto& macro : registers().macros) {
      macro.sequence.fill(steps);
      macro.misc = misc;
      unsigned i = 0;
      for (const char* text : templates)
        macro.instruction[i++] = assemble((*this)->arch, text);
    }
    for (unsigned row = 0; row < 64; ++row)
      for (unsigned column = 0; column < 16; ++column)
        (*this)->dst.set32({}, row, column, 0);
  }
  void set_dst(unsigned row, std::uint32_t value) {
    for (unsigned i = 0; i < 4; ++i)
      for (unsigned column = 0; column < 16; ++column)
        (*this)->dst.set32({}, row + i, column, value << 16U | value);  // UINT16 reads the upper half of it
  }
  std::uint32_t dst(unsigned row) { return (*this)->dst.get32({}, row, 0); }
};

constexpr std::uint32_t uint16_stores = 6;        // StoreMod0
constexpr std::uint32_t stores_as_loaded = 0xF0;  // UsesLoadMod0ForStore of all macros

TEST_P(VectorMacro, LoadsAndSchedulesEachSubUnit) {
  // One is added to an integer, then one to that as a number; what comes out is stored where it came from.
  MacroBench bench(GetParam());
  bench.configure(sequence(byte(from_template(0), 0), byte(from_template(1), 1), 0, byte(store, 3)), 4,
                  {"SFPIADD Imm12=1, VC=0, VD=0, Mod1=5", "SFPMAD VA=10, VB=10, VC=0, VD=0"});
  bench.run("SFPLOADMACRO MacroIndex=2, VDLo=3, Mod0=4, Imm9=4\nSFPNOP\nSFPNOP\nSFPNOP\nSFPNOP\nSFPNOP");
  // 0 + 1 is a denormal: a zero for the multiply-add, which adds it to one.
  EXPECT_EQ(bench.first(3), 0x3F80'0000U);
  EXPECT_EQ(bench.dst(8), 0x007F'0000U);  // as Dst has it: the exponent below
}

TEST_P(VectorMacro, DelaysCountCycles) {
  // SFPLOADMACRO is accepted in cycle 2, as it is there before cycle 0; delay d happens in 3 + d.
  for (unsigned delay = 0; delay < 8; ++delay) {
    MacroBench bench(GetParam());
    bench.configure(sequence(byte(from_template(0), delay), 0, 0, 0), 0, {"SFPIADD Imm12=1, VC=0, VD=0, Mod1=5"});
    bench->push(1, assemble(GetParam(), "SFPLOADMACRO MacroIndex=0, VDLo=1, Mod0=4, Imm9=0"), 0);
    for (unsigned cycle = 0; cycle <= 2 + delay; ++cycle)
      bench->step();
    EXPECT_EQ(bench.first(1), 0U) << delay;
    EXPECT_FALSE(bench->is_idle());
    bench->step();
    EXPECT_EQ(bench.first(1), 1U) << delay;
    EXPECT_TRUE(bench->is_idle());
  }
}

TEST_P(VectorMacro, DelaysMayCountInstructions) {
  MacroBench bench(GetParam());
  constexpr std::uint32_t simple_counts = 0x100;
  bench.configure(sequence(byte(from_template(0), 2), 0, 0, 0), simple_counts, {"SFPIADD Imm12=1, VC=0, VD=0, Mod1=5"});
  bench.run("SFPLOADMACRO MacroIndex=0, VDLo=1, Mod0=4, Imm9=0");
  EXPECT_EQ(bench.first(1), 0U);
  bench.run("SFPNOP");
  EXPECT_EQ(bench.first(1), 0U);
  bench.run("NOP");  // not to this unit
  EXPECT_EQ(bench.first(1), 0U);
  bench.run("SFPNOP");
  bench->step();
  EXPECT_EQ(bench.first(1), 1U);  // in the cycle after the one in which it came to nothing
}

TEST_P(VectorMacro, InstructionsOfOneCycleReadWhatWasThereAtItsStart) {
  // A pipeline over one register: while one value is loaded, its predecessor is counted up and the one before stored.
  MacroBench bench(GetParam());
  bench.configure(sequence(byte(from_template(0), 0, to_lreg16), 0, 0, byte(store, 1, to_lreg16)), uint16_stores,
                  {"SFPIADD Imm12=1, VC=0, VD=0, Mod1=5"});
  std::string text;
  for (unsigned i = 0; i < 6; ++i) {
    for (unsigned row = 0; row < 4; ++row)
      for (unsigned column = 0; column < 16; ++column)
        bench->dst.bits[512 + i * 4 + row][column] = static_cast<std::uint16_t>(100 * i);
    text += "SFPLOADMACRO MacroIndex=0, VDLo=0, Mod0=6, Imm9=" + std::to_string(256 + i * 2) + "\n";
  }
  bench.run(text);
  for (unsigned i = 0; i < 6; ++i)
    EXPECT_EQ(bench->dst.bits[512 + i * 4][0], 100 * i + 1) << i;
  EXPECT_TRUE(bench->reports.empty());
}

TEST_P(VectorMacro, ReplacesVbOrVcAndVd) {
  struct Example {
    const char* text;
    unsigned bits;
    std::uint32_t result;
  };
  // LReg 2 is loaded with 0x0100; LReg 5 has 0x0011, LReg 6 0x0022.
  const Example examples[]{
      {"SFPIADD VC=6, VD=5, Mod1=6", 0, 0x100 - 0x11},              // VC is the loaded one, VB the template's VD
      {"SFPIADD VC=6, VD=5, Mod1=6", loaded_to_vb, 0x22 - 0x100U},  // VB is
      {"SFPXOR VC=6, VD=5", loaded_to_vb, 0x122},
      {"SFPSETSGN VC=6, VD=5", loaded_to_vb, 0x22},
      {"SFPNOT VC=6, VD=5", 0, ~0x100U},
      {"SFPNOT VC=6, VD=5", loaded_to_vb, ~0x22U},
  };
  for (const Example& example : examples) {
    MacroBench bench(GetParam());
    bench.configure(sequence(byte(from_template(3), 0, example.bits), 0, 0, 0), 0,
                    {"SFPNOP", "SFPNOP", "SFPNOP", example.text});
    for (unsigned column = 0; column < 16; ++column)
      bench->dst.bits[0][column] = 0x100;
    bench.fill(5, 0x11);
    bench.fill(6, 0x22);
    bench.run("SFPLOADMACRO MacroIndex=3, VDLo=2, Mod0=6, Imm9=0\nSFPNOP");
    EXPECT_EQ(bench.first(2), example.result) << example.text;
    EXPECT_EQ(bench.first(5), 0x11U);
  }
}

TEST_P(VectorMacro, TheUpperHalfOfTheRegistersIsNamedByBitZero) {
  MacroBench bench(GetParam());
  bench.configure(0, 0, {});
  for (unsigned column = 0; column < 16; ++column)
    bench->dst.bits[8][column] = 0x77;
  bench.run("SFPLOADMACRO MacroIndex=0, VDLo=1, VDHi=1, Mod0=6, Imm9=4");
  EXPECT_EQ(bench.first(5), 0x77U);
}

TEST_P(VectorMacro, StoresWhereItLoadedWhateverTheCounterDoes) {
  MacroBench bench(GetParam());
  bench.configure(sequence(0, 0, 0, byte(store, 2, loaded_to_vb)), stores_as_loaded, {});
  const unsigned word = is_blackhole() ? 28 + 1 : 23 + 1;  // ADDR_MOD_DST_SEC1
  bench->config.thread[1][word] = 16;
  bench.fill(0, 0x4321);  // SFPSTORE's own VD is 0
  bench.run("SFPLOADMACRO MacroIndex=0, VDLo=1, Mod0=6, AddrMod=1, Imm9=10\nSFPNOP\nSFPNOP\nSFPNOP\nSFPNOP");
  EXPECT_EQ(bench->dst.bits[20][0], 0x4321U);
  EXPECT_EQ(bench->rwcs.thread[1].dst.value, 16U);
}

TEST_P(VectorMacro, ALaterMacroForgetsWhatWouldComeAtTheSameTime) {
  MacroBench bench(GetParam());
  bench.configure(sequence(byte(from_template(0), 1), 0, 0, 0), 0, {"SFPLZ VC=0, VD=0"});
  for (auto& macro : bench.registers().macros)
    macro.sequence[1] = sequence(byte(0, 0), 0, 0, 0);  // nothing, in the place of delay 0
  bench.run(
      "SFPLOADMACRO MacroIndex=0, VDLo=1, Mod0=4, Imm9=0\nSFPLOADMACRO MacroIndex=1, VDLo=2, Mod0=4, "
      "Imm9=0\nSFPNOP\nSFPNOP");
  EXPECT_EQ(bench.first(1), 0U);
}

TEST_P(VectorMacro, AScheduledInstructionDisplacesAnother) {
  MacroBench bench(GetParam());
  bench.configure(sequence(byte(from_template(0), 0), 0, 0, 0), 0, {"SFPLZ VC=0, VD=0"});
  bench.run("SFPLOADMACRO MacroIndex=0, VDLo=1, Mod0=4, Imm9=0\nSFPLZ VC=9, VD=2\nSFPLZ VC=9, VD=3");
  EXPECT_EQ(bench.first(1), 32U);
  EXPECT_EQ(bench.first(2), 0U);
  EXPECT_EQ(bench.first(3), 32U);
  EXPECT_TRUE(bench.reported(DataIssue::vector_macro_discard));
  // Another sub-unit is free.
  MacroBench other(GetParam());
  other.configure(sequence(byte(from_template(0), 0), 0, 0, 0), 0, {"SFPLZ VC=0, VD=0"});
  other.run("SFPLOADMACRO MacroIndex=0, VDLo=1, Mod0=4, Imm9=0\nSFPMUL VA=10, VB=10, VC=9, VD=2\nSFPNOP");
  EXPECT_EQ(other.first(2), 0x3F800000U);
}

TEST_P(VectorMacro, WhatASubUnitCannotDoIsNothing) {
  MacroBench bench(GetParam());
  bench.configure(sequence(byte(from_template(1), 0), byte(from_template(0), 0), byte(nop, 0), 0), 0,
                  {"SFPLZ VC=0, VD=0", "SFPMUL VA=10, VB=10, VC=9, VD=2"});
  bench.run("SFPLOADMACRO MacroIndex=0, VDLo=1, Mod0=4, Imm9=0\nSFPNOP\nSFPNOP");
  EXPECT_EQ(bench.first(1), 0U);
  EXPECT_TRUE(bench->reports.empty());
  bench.configure(sequence(0, 0, 0, byte(nop, 0)), 0, {});
  bench.run("SFPLOADMACRO MacroIndex=0, VDLo=1, Mod0=4, Imm9=0");
  EXPECT_TRUE(bench.reported(DataIssue::vector_macro_sequence));
}

TEST_P(VectorMacro, AReaderOneCycleBehindAScheduledMultiplyAddGetsTheOldValue) {
  MacroBench bench(GetParam());
  bench.configure(
      sequence(byte(from_template(1), 1, to_lreg16), byte(from_template(0), 0), 0, byte(store, 2, to_lreg16)), 4,
      {"SFPMAD VA=10, VB=10, VC=0, VD=0", "SFPMOV VC=0, VD=0"});
  bench.set_dst(0, 0);
  bench.run("SFPLOADMACRO MacroIndex=0, VDLo=1, Mod0=4, Imm9=0\nSFPNOP\nSFPNOP\nSFPNOP");
  EXPECT_EQ(bench.first(1), 0x3F800000U);
  EXPECT_EQ(bench.dst(0), 0U);
  EXPECT_TRUE(bench.reported(DataIssue::vector_early_read));
}

TEST_P(VectorMacro, ConfigurationsThatDifferBetweenLanesStopTheRun) {
  MacroBench bench(GetParam());
  bench.number(0, 0);
  bench.run("SFPCONFIG VD=4\nSFPLOADMACRO MacroIndex=0, VDLo=1, Mod0=4, Imm9=0");
  EXPECT_EQ(bench.fault(), DataIssue::vector_macro_lanes);
}

TEST_P(VectorMacro, TwoThatWriteOneRegisterTogetherAreReported) {
  MacroBench bench(GetParam());
  bench.configure(sequence(byte(from_template(0), 0), 0, byte(from_template(1), 0), 0), 0,
                  {"SFPLZ VC=0, VD=0", "SFPSTOCHRND VC=0, VD=0, Mod1=1"});
  bench.run("SFPLOADMACRO MacroIndex=0, VDLo=1, Mod0=4, Imm9=0\nSFPNOP");
  EXPECT_TRUE(bench.reported(DataIssue::vector_macro_conflict));
}

}  // namespace
}  // namespace tensim::test
