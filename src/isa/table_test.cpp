#include "isa/table.hpp"

#include <map>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "isa/symbols.hpp"

namespace tensim::isa {
namespace {

const Form& only_form(Arch arch, std::string_view name) {
  const auto forms = find_instruction(arch, name);
  EXPECT_FALSE(forms.empty()) << name;
  return *forms.front();
}

std::set<std::string> held_by_bit(Arch arch, std::uint16_t bit) {
  std::set<std::string> names;
  for (unsigned opcode = 0; opcode < 256; ++opcode)
    for (const Form* form : forms_of(arch, static_cast<std::uint8_t>(opcode)))
      if (form->block.held_by(bit)) names.insert(std::string(form->name));
  return names;
}

std::set<std::string> of_unit(Arch arch, Unit unit) {
  std::set<std::string> names;
  for (const UnitTable& table : unit_tables)
    for (const Form& form : table.forms)
      if (table.unit == unit && form.archs.contains(arch)) names.insert(std::string(form.name));
  return names;
}

/// The wait instructions that any block bit holds on this architecture.
std::set<std::string> waits(Arch arch) {
  if (arch == Arch::wormhole) return {"STALLWAIT"};
  return {"STALLWAIT", "SEMWAIT", "STREAMWAIT"};
}

std::set<std::string> joined(std::initializer_list<std::set<std::string>> sets) {
  std::set<std::string> all;
  for (const auto& set : sets)
    all.insert(set.begin(), set.end());
  return all;
}

TEST(InstructionTable, Blackhole137Wormhole128) {  // C37
  EXPECT_EQ(instruction_count(Arch::blackhole), 137U);
  EXPECT_EQ(instruction_count(Arch::wormhole), 128U);
}

TEST(InstructionTable, OpcodesAreThoseOfErrata1) {  // C37
  const std::map<std::string, std::uint8_t> both{
      {"MOP", 0x01},       {"NOP", 0x02},      {"MOP_CFG", 0x03},    {"REPLAY", 0x04},   {"MOVD2A", 0x08},
      {"MOVDBGA2D", 0x09}, {"MOVD2B", 0x0A},   {"MOVB2A", 0x0B},     {"ELWADD", 0x28},   {"DOTPV", 0x29},
      {"ELWSUB", 0x30},    {"ELWMUL", 0x27},   {"MVMUL", 0x26},      {"PACR", 0x41},     {"UNPACR", 0x42},
      {"SETDMAREG", 0x45}, {"FLUSHDMA", 0x46}, {"REG2FLOP", 0x48},   {"LOADIND", 0x49},  {"ADDDMAREG", 0x58},
      {"CMPDMAREG", 0x5D}, {"DMANOP", 0x60},   {"ATCAS", 0x64},      {"STOREIND", 0x66}, {"STOREREG", 0x67},
      {"LOADREG", 0x68},   {"SFPLOAD", 0x70},  {"SFPLUTFP32", 0x95}, {"ATGETM", 0xA0},   {"ATRELM", 0xA1},
      {"STALLWAIT", 0xA2}, {"SEMINIT", 0xA3},  {"SEMPOST", 0xA4},    {"SEMGET", 0xA5},   {"SEMWAIT", 0xA6},
      {"WRCFG", 0xB0},     {"RDCFG", 0xB1},    {"SETC16", 0xB2},     {"RMWCIB0", 0xB3},  {"RMWCIB3", 0xB6}};
  for (const Arch arch : all_archs)
    for (const auto& [name, opcode] : both)
      EXPECT_EQ(only_form(arch, name).opcode, opcode) << name;
  const std::map<std::string, std::uint8_t> blackhole_only{
      {"RESOURCEDECL", 0x05}, {"MOVDBGB2D", 0x0C},  {"SFPLE", 0x96},       {"SFPGT", 0x97},       {"SFPMUL24", 0x98},
      {"SFPARECIP", 0x99},    {"STREAMWAIT", 0xA7}, {"STREAMWRCFG", 0xB7}, {"CFGSHIFTMASK", 0xB8}};
  for (const auto& [name, opcode] : blackhole_only) {
    EXPECT_EQ(only_form(Arch::blackhole, name).opcode, opcode) << name;
    EXPECT_TRUE(find_instruction(Arch::wormhole, name).empty()) << name;
  }
  EXPECT_TRUE(forms_of(Arch::blackhole, 0x2A).empty()) << "0x2A is not an instruction";
}

TEST(InstructionTable, VectorUnitIs70To95OnWormholeAnd70To99OnBlackhole) {  // C37
  for (const Arch arch : all_archs)
    for (unsigned opcode = 0x70; opcode <= 0x9F; ++opcode) {
      const auto forms = forms_of(arch, static_cast<std::uint8_t>(opcode));
      EXPECT_EQ(!forms.empty(), opcode <= (arch == Arch::wormhole ? 0x95U : 0x99U)) << opcode;
    }
}

TEST(InstructionTable, StallwaitIsA2WithBlockAndConditionFields) {  // W1
  for (const Arch arch : all_archs) {
    const Form& form = only_form(arch, "STALLWAIT");
    EXPECT_EQ(form.opcode, 0xA2);
    EXPECT_EQ(form.field("block")->high, 23);
    EXPECT_EQ(form.field("block")->low, 15);
    EXPECT_EQ(form.field("cond")->high, arch == Arch::wormhole ? 14 : 12);
    EXPECT_EQ(form.field("cond")->low, 0);
  }
}

TEST(InstructionTable, SemwaitIsA6WithBlockSemaphoreAndConditionFields) {  // W2
  for (const Arch arch : all_archs) {
    const Form& form = only_form(arch, "SEMWAIT");
    EXPECT_EQ(form.opcode, 0xA6);
    EXPECT_EQ(form.field("block")->mask(), 0xFF8000U);
    EXPECT_EQ(form.field("sem")->mask(), 0x0003FCU);
    EXPECT_EQ(form.field("cond")->mask(), 0x000003U);
  }
}

TEST(InstructionTable, StreamwaitIsA7OnBlackholeOnly) {  // W3
  const Form& form = only_form(Arch::blackhole, "STREAMWAIT");
  EXPECT_EQ(form.opcode, 0xA7);
  EXPECT_EQ(form.field("block")->mask(), 0xFF8000U);
  EXPECT_EQ(form.field("TargetValueLo")->mask(), 0x003FF0U);
  EXPECT_EQ(form.field("ConditionIndex")->mask(), 0x000008U);
  EXPECT_EQ(form.field("StreamSelect")->mask(), 0x000003U);
  EXPECT_TRUE(forms_of(Arch::wormhole, 0xA7).empty());
}

TEST(BlockBits, B0HoldsMiscMoverScalarPackersUnpackersAndRstdma) {  // W4
  for (const Arch arch : all_archs) {
    std::set<std::string> expected =
        joined({of_unit(arch, Unit::miscellaneous), of_unit(arch, Unit::mover), of_unit(arch, Unit::scalar),
                of_unit(arch, Unit::packers), of_unit(arch, Unit::unpackers), waits(arch)});
    expected.erase("NOP");
    EXPECT_EQ(held_by_bit(arch, B0), expected);
    for (const char* name : {"RSTDMA", "FLUSHDMA", "UNPACR", "UNPACR_NOP", "XMOV", "SETADC", "PACR"})
      EXPECT_TRUE(expected.contains(name)) << name;
    EXPECT_FALSE(held_by_bit(arch, B5).contains("RSTDMA")) << "B0 only, whatever its ex_resource (errata 27)";
  }
}

TEST(BlockBits, B1HoldsTheSyncUnit) {  // W5
  const std::set<std::string> wormhole{"ATGETM", "ATRELM", "SEMGET", "SEMINIT", "SEMPOST", "SEMWAIT", "STALLWAIT"};
  EXPECT_EQ(held_by_bit(Arch::wormhole, B1), wormhole);
  EXPECT_EQ(held_by_bit(Arch::blackhole, B1), joined({wormhole, {"STREAMWAIT"}}));
}

TEST(BlockBits, B2HoldsThePackers) {  // W6
  for (const Arch arch : all_archs)
    EXPECT_EQ(held_by_bit(arch, B2), joined({{"PACR", "PACR_SETREG", "TBUFCMD"}, waits(arch)}));
}

TEST(BlockBits, B3HoldsTheUnpackers) {  // W7
  for (const Arch arch : all_archs)
    EXPECT_EQ(held_by_bit(arch, B3), joined({{"UNPACR", "UNPACR_NOP"}, waits(arch)}));
}

TEST(BlockBits, B4HoldsTheMover) {  // W8
  for (const Arch arch : all_archs)
    EXPECT_EQ(held_by_bit(arch, B4), joined({{"XMOV"}, waits(arch)}));
}

TEST(BlockBits, B5HoldsThe18ScalarInstructions) {  // W9
  const std::set<std::string> scalar{"ADDDMAREG", "ATCAS",     "ATINCGET",    "ATINCGETPTR", "ATSWAP",   "BITWOPDMAREG",
                                     "CMPDMAREG", "DMANOP",    "FLUSHDMA",    "LOADIND",     "LOADREG",  "MULDMAREG",
                                     "REG2FLOP",  "SETDMAREG", "SHIFTDMAREG", "STOREIND",    "STOREREG", "SUBDMAREG"};
  EXPECT_EQ(scalar.size(), 18U);
  for (const Arch arch : all_archs)
    EXPECT_EQ(held_by_bit(arch, B5), joined({scalar, waits(arch)}));
}

TEST(BlockBits, B6HoldsThe30MatrixInstructionsAndTheLegacyOnes) {  // W10
  const std::set<std::string> matrix{"APOOL3S1", "APOOL3S2", "CLEARDVALID", "CLREXPHIST", "CONV3S1",  "CONV3S2",
                                     "DOTPV",    "ELWADD",   "ELWMUL",      "ELWSUB",     "GAPOOL",   "GATESRCRST",
                                     "GMPOOL",   "INCRWC",   "MFCONV3S1",   "MOVA2D",     "MOVB2A",   "MOVB2D",
                                     "MOVD2A",   "MOVD2B",   "MOVDBGA2D",   "MPOOL3S1",   "MPOOL3S2", "MVMUL",
                                     "SETRWC",   "SHIFTXA",  "SHIFTXB",     "TRNSPSRCB",  "ZEROACC",  "ZEROSRC"};
  EXPECT_EQ(matrix.size(), 30U);
  for (const Arch arch : all_archs) {
    const std::set<std::string> held = held_by_bit(arch, B6);
    for (const std::string& name : matrix)
      EXPECT_TRUE(held.contains(name)) << name;
    // Those without a row in the official table are held as their unit is (ruling 19); nothing of another unit is.
    EXPECT_EQ(held, joined({of_unit(arch, Unit::matrix), waits(arch)}));
  }
}

TEST(BlockBits, B7HoldsTheConfigurationUnit) {  // W11
  const std::set<std::string> wormhole{"RDCFG", "RMWCIB0", "RMWCIB1", "RMWCIB2", "RMWCIB3", "SETC16", "WRCFG"};
  EXPECT_EQ(held_by_bit(Arch::wormhole, B7), joined({wormhole, waits(Arch::wormhole)}));
  EXPECT_EQ(held_by_bit(Arch::blackhole, B7),
            joined({wormhole, {"CFGSHIFTMASK", "STREAMWRCFG"}, waits(Arch::blackhole)}));
}

TEST(BlockBits, B8HoldsEverySfpInstruction) {  // W12
  for (const Arch arch : all_archs) {
    const auto held = held_by_bit(arch, B8);
    for (const std::string& name : held)
      EXPECT_TRUE(name.starts_with("SFP") || waits(arch).contains(name)) << name;
    EXPECT_EQ(held.size() - waits(arch).size(), arch == Arch::wormhole ? 38U : 42U);
  }
}

TEST(BlockBits, NopIsHeldOnlyByAllNineBits) {  // W13
  for (const Arch arch : all_archs) {
    const Block& block = only_form(arch, "NOP").block;
    for (std::uint32_t mask = 0; mask < all_block_bits; ++mask)
      EXPECT_FALSE(block.held_by(mask)) << mask;
    EXPECT_TRUE(block.held_by(all_block_bits));
  }
}

TEST(BlockBits, WhatTheFrontendConsumesIsNeverHeld) {  // W14
  for (const Arch arch : all_archs)
    for (const std::string& name : of_unit(arch, Unit::frontend))
      EXPECT_FALSE(only_form(arch, name).block.held_by(all_block_bits)) << name;
  EXPECT_EQ(of_unit(Arch::blackhole, Unit::frontend),
            (std::set<std::string>{"MOP", "MOP_CFG", "REPLAY", "RESOURCEDECL"}));
}

TEST(BlockBits, AnyBitHoldsAWaitExceptSemwaitOnWormhole) {  // W15
  for (unsigned bit = 0; bit < 9; ++bit) {
    EXPECT_TRUE(only_form(Arch::wormhole, "STALLWAIT").block.held_by(1U << bit));
    EXPECT_TRUE(only_form(Arch::blackhole, "STALLWAIT").block.held_by(1U << bit));
    EXPECT_TRUE(only_form(Arch::blackhole, "SEMWAIT").block.held_by(1U << bit));
    EXPECT_TRUE(only_form(Arch::blackhole, "STREAMWAIT").block.held_by(1U << bit));
    EXPECT_EQ(only_form(Arch::wormhole, "SEMWAIT").block.held_by(1U << bit), bit == 1);
  }
}

TEST(BlockBits, StallThreadHoldsEverythingThatReachesTheGate) {  // W16
  EXPECT_EQ(block_mask.find("STALL_THREAD")->value, 0x1FFU);
  for (const UnitTable& unit : unit_tables)
    for (const Form& form : unit.forms)
      EXPECT_EQ(form.block.held_by(0x1FF), unit.unit != Unit::frontend) << form.name;
}

TEST(BlockBits, MutexOperationsAreHeldByB1Alone) {  // M24
  for (const Arch arch : all_archs)
    for (const char* name : {"ATGETM", "ATRELM"})
      for (unsigned bit = 0; bit < 9; ++bit)
        EXPECT_EQ(only_form(arch, name).block.held_by(1U << bit), bit == 1);
}

TEST(InstructionTable, MutexInstructionsHaveSixteenBitIndices) {  // M6 M7
  for (const Arch arch : all_archs) {
    EXPECT_EQ(only_form(arch, "ATGETM").opcode, 0xA0);
    EXPECT_EQ(only_form(arch, "ATRELM").opcode, 0xA1);
    for (const char* name : {"ATGETM", "ATRELM"})
      EXPECT_EQ(only_form(arch, name).field("mutex")->mask(), 0xFFFFU);
  }
}

TEST(InstructionTable, OpcodeLiteralsComeFromTheTable) {
  static_assert("SEMPOST"_op == 0xA4);
  static_assert("MVMUL"_op == 0x26);
}

TEST(InstructionTable, VendorMnemonicsDropUnderscoresAndPrefixAllButSfp) {
  EXPECT_EQ(vendor_mnemonic(only_form(Arch::blackhole, "UNPACR_NOP")), "ttunpacrnop");
  EXPECT_EQ(vendor_mnemonic(only_form(Arch::blackhole, "SFPMAD")), "sfpmad");
  EXPECT_EQ(find_instruction(Arch::blackhole, "SFP_STOCH_RND").front()->name, "SFPSTOCHRND");
  EXPECT_EQ(find_instruction(Arch::blackhole, "ttunpacr_nop").front()->name, "UNPACR_NOP");
  EXPECT_TRUE(find_instruction(Arch::blackhole, "MATMUL").empty());
}

}  // namespace
}  // namespace tensim::isa
