// Which resources instructions and addresses count for (BabyRISCV/AutoTTSync.md), each line of its tables.
#include "tensix/frontend/tracked_resources.hpp"

#include <set>

#include "tensix/registers/config.hpp"
#include "tests/support/three_threads.hpp"

namespace tensim::test {
namespace {

using namespace tensix::resources;
using tensix::Declarations;
using tensix::ResourceSet;
using tensix::ResourceUse;
using tensix::TrackedRegion;
using tensix::TtSyncEnables;

constexpr Arch bh = Arch::blackhole;
constexpr TtSyncEnables everything{.global_cfg = true, .gprs = true, .tdma_regs = true, .tensix_instructions = true};
constexpr TtSyncEnables subdivided{
    .global_cfg = true, .subdivided_cfg = true, .gprs = true, .tdma_regs = true, .tensix_instructions = true};

Word word_of(std::string_view instruction) {
  return Word{isa::find_instruction(bh, instruction).front()->opcode} << isa::parameter_bits;
}

ResourceUse use_of(Word word, unsigned bank = 0, bool is_subdivided = false) {
  return resource_use(tensix::default_declarations(1), word, bank, is_subdivided);
}

struct ClassClaim {
  unsigned number;
  std::vector<std::string_view> instructions;
  ResourceUse in_bank0;
};
const ResourceSet bank0 = config(0, all_parts);
const std::vector<ClassClaim> claims{
    {0, {"ADDDMAREG", "SUBDMAREG", "MULDMAREG", "BITWOPDMAREG", "SHIFTDMAREG", "CMPDMAREG", "SETDMAREG"}, {gprs, gprs}},
    {1, {"ATINCGET", "ATINCGETPTR", "ATSWAP", "ATCAS"}, {gprs, gprs}},
    {2, {"REG2FLOP"}, {gprs | tdma_risc, gprs | tdma_risc}},
    {3, {"LOADIND", "STOREIND"}, {gprs, gprs}},
    {4, {"STREAMWRCFG", "CFGSHIFTMASK"}, {bank0, bank0}},
    {5, {"STOREREG"}, {gprs, none}},
    {6, {"LOADREG"}, {none, gprs}},
    {7, {"FLUSHDMA"}, {none, tdma_risc}},
    {8, {"WRCFG"}, {gprs, bank0}},
    {9, {"RDCFG"}, {bank0, gprs}},
    {10, {"XMOV"}, {static_cast<ResourceSet>(gprs | bank0), static_cast<ResourceSet>(gprs | bank0)}},
    {11, {"UNPACR", "UNPACR_NOP"}, {static_cast<ResourceSet>(tdma_risc | bank0), tdma_risc}},
    {12, {"PACR"}, {tdma_risc | remainder, tdma_risc}},
    {13,
     {"MOP"},
     {static_cast<ResourceSet>(gprs | tdma_risc | bank0), static_cast<ResourceSet>(gprs | tdma_risc | bank0)}},
    {14,
     {"REPLAY"},
     {static_cast<ResourceSet>(gprs | tdma_risc | bank0), static_cast<ResourceSet>(gprs | tdma_risc | bank0)}},
    {15, {"SETC16", "RMWCIB0", "RMWCIB3", "MVMUL", "SEMPOST", "STALLWAIT", "SFPMAD", "DMANOP"}, {remainder, none}},
};

TEST(TrackedResources, EveryClassHasItsInstructionsAndItsDefault) {  // C38
  for (const ClassClaim& claim : claims)
    for (const std::string_view instruction : claim.instructions) {
      EXPECT_EQ(tensix::instruction_class(word_of(instruction)), claim.number) << instruction;
      EXPECT_EQ(use_of(word_of(instruction)), claim.in_bank0) << instruction;
    }
  for (const std::string_view instruction : {"NOP", "MOP_CFG", "RESOURCEDECL"}) {
    EXPECT_EQ(tensix::instruction_class(word_of(instruction)), tensix::no_instruction_class) << instruction;
    EXPECT_EQ(use_of(word_of(instruction)), ResourceUse{}) << instruction;
  }
}

TEST(TrackedResources, WhatNoClassNamesIsInTheLast) {  // C38
  std::size_t named = 3;                               // NOP, MOP_CFG, RESOURCEDECL
  for (const ClassClaim& claim : claims)
    if (claim.number != 15) named += claim.instructions.size();
  std::size_t others = 0;
  for (const isa::UnitTable& unit : isa::unit_tables) {
    std::set<std::uint8_t> opcodes;
    for (const isa::Form& form : unit.forms)
      if (form.archs.contains(bh)) opcodes.insert(form.opcode);
    for (const std::uint8_t opcode : opcodes)
      others += tensix::instruction_class(Word{opcode} << isa::parameter_bits) == 15 ? 1U : 0U;
  }
  EXPECT_EQ(others + named, isa::instruction_count(bh));
}

TEST(TrackedResources, ConfigurationIsThatOfTheThreadsBank) {  // C38
  EXPECT_EQ(use_of(word_of("RDCFG"), 1), (ResourceUse{config(1, all_parts), gprs}));
  EXPECT_EQ(use_of(word_of("MVMUL"), 1), (ResourceUse{config(1, remainder), none}));
  EXPECT_EQ(config(1, all_parts), 0x38);
}

TEST(TrackedResources, UnpackersAreToldApartOnlyIfConfigurationIsSubdivided) {  // C38
  const Word second = 1U << 23U;
  for (const std::string_view instruction : {"UNPACR", "UNPACR_NOP"}) {
    EXPECT_EQ(use_of(word_of(instruction), 0, true), (ResourceUse{tdma_risc | unpacker0, tdma_risc}));
    EXPECT_EQ(use_of(word_of(instruction) | second, 0, true), (ResourceUse{tdma_risc | unpacker1, tdma_risc}));
    EXPECT_EQ(use_of(word_of(instruction) | second, 1, true).reads, tdma_risc | config(1, unpacker1));
    EXPECT_EQ(use_of(word_of(instruction) | second, 0, false).reads, tdma_risc | all_parts);
  }
  EXPECT_EQ(use_of(word_of("PACR"), 0, true), use_of(word_of("PACR"), 0, false));
}

TEST(TrackedResources, ResourcedeclReplacesOneClass) {  // C38
  Declarations declarations = tensix::default_declarations(1);
  declare(declarations,
          assemble(bh, "RESOURCEDECL LingerTime=5, Resources=WRITE_TDMA|CFG_UNPACK1|READ_CFG, OpClass=MOP"));
  EXPECT_EQ(declarations[13].linger, 5);
  for (std::size_t number = 0; number < declarations.size(); ++number)
    EXPECT_EQ(declarations[number] == tensix::default_declarations(1)[number], number != 13) << number;
  EXPECT_EQ(resource_use(declarations, word_of("MOP"), 0, false), (ResourceUse{unpacker1, tdma_risc}));
  // Parts mean nothing without reads or writes of configuration.
  declare(declarations, assemble(bh, "RESOURCEDECL LingerTime=0, Resources=READ_GPR|CFG_OTHER, OpClass=MOP"));
  EXPECT_EQ(resource_use(declarations, word_of("MOP"), 0, false), (ResourceUse{gprs, none}));
  // Of UNPACR the parts count only while configuration is not subdivided.
  declare(declarations, assemble(bh, "RESOURCEDECL LingerTime=0, Resources=WRITE_CFG|CFG_OTHER, OpClass=UNPACR"));
  EXPECT_EQ(resource_use(declarations, word_of("UNPACR"), 0, false), (ResourceUse{none, remainder}));
  EXPECT_EQ(resource_use(declarations, word_of("UNPACR"), 0, true), (ResourceUse{none, unpacker0}));
}

TEST(TrackedResources, DefaultLingerIsOneCycle) {  // C38
  const tensix::Coprocessor coprocessor(bh);
  for (const tensix::Declaration& declaration : coprocessor.frontends[0].auto_ttsync.declarations())
    EXPECT_EQ(declaration.linger, 1);
}

// ---- addresses ----

std::uint32_t config_offset(unsigned bank, unsigned word) {
  return (bank * tensix::config_words(bh) + word) * 4;
}
/// Behind the two banks and the dual-write window.
std::uint32_t thread_config_offset(unsigned thread, unsigned word) {
  std::uint32_t offset = 0;
  while (true) {
    const auto location = tensix::locate_config(bh, offset);
    if (!location) break;
    if (location->space == tensix::ConfigLocation::Space::thread_config && location->index == thread &&
        location->word == word)
      return offset;
    offset += 4;
  }
  ADD_FAILURE() << "no such word";
  return 0;
}
ResourceSet in_config(const TtSyncEnables& enables, std::uint32_t offset) {
  return resources_of_access(bh, enables, TrackedRegion::config, offset);
}

TEST(TrackedResources, AnAccessCountsIfItsKindAndInstructionsAreTracked) {  // C38
  const auto at = [](const TtSyncEnables& enables, TrackedRegion region) {
    return resources_of_access(bh, enables, region, 0);
  };
  for (const TrackedRegion region : {TrackedRegion::gprs, TrackedRegion::tdma_risc, TrackedRegion::config}) {
    EXPECT_EQ(at({}, region), none);
    EXPECT_EQ(at({.tensix_instructions = true}, region), none);
    EXPECT_EQ(at({.global_cfg = true, .gprs = true, .tdma_regs = true}, region), none);
    EXPECT_EQ(resources_of_access(Arch::wormhole, everything, region, 0), none);
  }
  EXPECT_EQ(at({.gprs = true, .tensix_instructions = true}, TrackedRegion::gprs), gprs);
  EXPECT_EQ(at({.tdma_regs = true, .tensix_instructions = true}, TrackedRegion::tdma_risc), tdma_risc);
  EXPECT_EQ(at({.global_cfg = true, .tensix_instructions = true}, TrackedRegion::config), config(0, all_parts));
  EXPECT_EQ(at({.global_cfg = true, .tensix_instructions = true}, TrackedRegion::gprs), none);
}

TEST(TrackedResources, UndividedABankIsOneThingAndWhatIsSharedIsBoth) {  // C38
  EXPECT_EQ(in_config(everything, config_offset(0, 72)), config(0, all_parts));
  EXPECT_EQ(in_config(everything, config_offset(1, 72)), config(1, all_parts));
  EXPECT_EQ(in_config(everything, config_offset(0, tensix::config_global_base(bh) - 1)), config(0, all_parts));
  EXPECT_EQ(in_config(everything, config_offset(0, tensix::config_global_base(bh))), both_banks(all_parts));
  EXPECT_EQ(in_config(everything, config_offset(2, 72)), both_banks(all_parts)) << "dual write";
  EXPECT_EQ(in_config(everything, thread_config_offset(0, 1)), both_banks(all_parts));
  EXPECT_EQ(in_config(everything, 0xFFFC), none) << "nothing there";
}

TEST(TrackedResources, SubdividedSharedWordsAreTheRemainderOfBothBanks) {  // C38
  EXPECT_EQ(in_config(subdivided, config_offset(1, tensix::config_global_base(bh))), both_banks(remainder));
  EXPECT_EQ(in_config(subdivided, config_offset(2, 72)), both_banks(remainder)) << "dual write, though unpacker 0's";
  EXPECT_EQ(in_config(subdivided, thread_config_offset(0, 0)), both_banks(remainder));
  // DEST_TARGET_REG_CFG_MATH_Offset, but only thread 0's.
  EXPECT_EQ(in_config(subdivided, thread_config_offset(0, 1)), both_banks(unpacker0 | unpacker1));
  EXPECT_EQ(in_config(subdivided, thread_config_offset(1, 1)), both_banks(remainder));
}

TEST(TrackedResources, SubdividedAWordBelongsToWhomThePageSays) {  // C38
  const std::array<std::vector<unsigned>, 8> words_by_parts{{
      {},
      {44, 51, 52, 53, 64, 72, 73, 74, 75, 76, 79, 80, 83, 84, 85, 86, 87, 92, 93, 94, 95, 104, 105},
      {46, 47, 58, 59, 60, 61, 62, 63, 112, 120, 121, 124, 125, 140, 141},
      {45},
      // Among them the rest of the TileDescriptors, and of section 1 the limit and size, contexts 2 and 3 and up.
      {0,   43,  54,  55,  56,  57,  65,  66,  67,  68,  71,  88,  91,  96,  103, 106, 107, 108, 111,
       113, 114, 115, 122, 123, 126, 127, 128, 131, 132, 135, 136, 142, 143, 144, 152, 153, 179},
      {},
      {},
      {48, 49, 50},
  }};
  for (unsigned parts = 0; parts < words_by_parts.size(); ++parts)
    for (const unsigned word : words_by_parts[parts])
      for (unsigned bank = 0; bank < 2; ++bank)
        EXPECT_EQ(in_config(subdivided, config_offset(bank, word)), config(bank, static_cast<ResourceSet>(parts)))
            << word;
}

TEST(TrackedResources, AreNamed) {
  EXPECT_EQ(tensix::to_text(gprs), "GPRs");
  EXPECT_EQ(tensix::to_text(config(1, unpacker1) | tdma_risc), "Config[1] unpacker 1, TDMA-RISC");
}

}  // namespace
}  // namespace tensim::test
