#include "arch/config_registers.hpp"

#include <map>
#include <set>
#include <string>

#include <gtest/gtest.h>

namespace tensim {
namespace {

using namespace literals;

void check(std::span<const std::span<const ConfigField>> families, Arch arch, unsigned word_bits) {
  std::set<std::string> names;
  std::map<int, std::uint32_t> taken;  // bits by word
  for (const auto family : families)
    for (const ConfigField& field : family) {
      EXPECT_TRUE(names.insert(std::string(field.name)).second) << field.name;
      const ConfigField::Place& place = field.on(arch);
      if (!place.exists()) continue;
      EXPECT_GT(place.width, 0) << field.name;
      EXPECT_LE(place.shift + place.width, word_bits) << field.name;
      const std::uint32_t bits = place.mask() << place.shift;
      EXPECT_EQ(taken[place.word] & bits, 0U) << field.name;
      taken[place.word] |= bits;
    }
}

TEST(ConfigRegisters, FieldsOfAWordAreApartAndNamesAreUnique) {
  for (const Arch arch : {Arch::wormhole, Arch::blackhole}) {
    check(config_fields(), arch, 32);
    check(thread_config_fields(), arch, 16);
  }
}

TEST(ConfigRegisters, AFieldIsFoundByName) {
  constexpr const ConfigField& field = "ALU_FORMAT_SPEC_REG_SrcB_val"_config;
  EXPECT_EQ(field.blackhole.word, 0);
  EXPECT_EQ(field.blackhole.shift, 5);
  EXPECT_EQ(field.blackhole.get(0x1E0), 15U);
  EXPECT_FALSE("FIDELITY_BASE_Phase"_thread_config.on(Arch::blackhole).get(~0U) != 3);
}

/// A field of every section is what the rows of the sections say, on the chips that have them.
TEST(ConfigRegisters, AFieldOfSectionsIsTheRowsOfTheSections) {
  constexpr ConfigSections increment = "ADDR_MOD_AB_SECn_SrcBIncr"_thread_sections;
  EXPECT_EQ(increment.get(8U << 8U), 8U);
  EXPECT_EQ(increment.wormhole.count, 8);
  EXPECT_EQ(increment.blackhole.count, 8);
  EXPECT_EQ(increment.wormhole.word(3), "ADDR_MOD_AB_SEC3_SrcBIncr"_thread_config.wormhole.word);
  EXPECT_EQ(increment.blackhole.word(7), "ADDR_MOD_AB_SEC7_SrcBIncr"_thread_config.blackhole.word);
  EXPECT_FALSE(increment.blackhole.has(8));
  constexpr ConfigSections stream = "STREAM_ID_SYNC_SECn_BankSel"_thread_sections;
  EXPECT_FALSE(stream.wormhole.has(0));
  EXPECT_EQ(stream.blackhole.word(3), "STREAM_ID_SYNC_SEC3_BankSel"_thread_config.blackhole.word);
}

}  // namespace
}  // namespace tensim
