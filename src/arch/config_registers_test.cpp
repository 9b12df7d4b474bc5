#include "arch/config_registers.hpp"

#include <map>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "tensix/registers/config_fields.hpp"

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

/// Where the field is in all of the table; nowhere if it is not.
ConfigField::Place place_of(std::span<const std::span<const ConfigField>> families, std::string_view name, Arch arch) {
  for (const auto family : families)
    for (const ConfigField& field : family)
      if (field.name == name) return field.on(arch);
  return {};
}

/// config_fields.hpp names a few of these once more, by section and ready for the cycle.
TEST(ConfigRegisters, FieldsThatTheConfigurationItselfReadsAreTheSame) {
  for (const Arch arch : {Arch::wormhole, Arch::blackhole})
    for (const tensix::ThreadFieldRow& row : tensix::thread_field_rows) {
      const auto& words = row.on(arch);
      for (int section = 0; words.first != tensix::no_word && section < words.sections; ++section) {
        std::string field(row.name);
        if (const auto at = field.find("SECn"); at != std::string::npos)
          field.replace(at, 4, "SEC" + std::to_string(section));
        const ConfigField::Place place = place_of(thread_config_fields(), field, arch);
        EXPECT_EQ(place.word, words.first + section * words.stride) << field;
        EXPECT_EQ(place.shift, row.shift) << field;
        EXPECT_EQ(place.width, row.width) << field;
      }
    }
  for (const Arch arch : {Arch::wormhole, Arch::blackhole})
    for (const tensix::ConfigWordRow& row : tensix::config_word_rows) {
      bool is_named = row.on(arch) == tensix::no_word;
      for (const auto family : config_fields())
        for (const ConfigField& field : family)
          is_named |= field.name.starts_with(row.name) && field.on(arch).word == row.on(arch);
      EXPECT_TRUE(is_named) << row.name;
    }
}

}  // namespace
}  // namespace tensim
