// Every field of Config (kept twice, per state) and of ThreadConfig (kept per thread): where it is on each chip.
#pragma once

#include <cstddef>
#include <span>

#include "arch/config_registers/others.hpp"
#include "arch/config_registers/thcon_section_0.hpp"
#include "arch/config_registers/thcon_section_1.hpp"
#include "arch/config_registers/thread.hpp"
#include "arch/config_registers/thread_address_modifiers.hpp"
#include "arch/config_registers/tile_rows.hpp"
#include "arch/config_registers/units.hpp"

namespace tensim {

/// A field of ThreadConfig that every section has, as ADDR_MOD_AB_SEC0_SrcAIncr to ADDR_MOD_AB_SEC7_SrcAIncr are: the
/// same bits, in words at equal distances.
struct ConfigSections {
  struct Words {
    std::int16_t first = -1;
    std::int16_t stride = 0;
    std::uint8_t count = 0;  // 0: the chip does not have it

    constexpr bool has(unsigned section) const { return section < count; }
    constexpr std::size_t word(std::size_t section) const {
      return static_cast<std::size_t>(first) + section * static_cast<std::size_t>(stride);
    }
  };
  ConfigField::Place bits;  // of the first section on a chip that has it; all have the same
  Words wormhole;
  Words blackhole;

  constexpr const Words& on(Arch arch) const { return *tensim::on(arch, &wormhole, &blackhole); }
  constexpr std::uint32_t get(std::uint32_t word) const { return bits.get(word); }
};

namespace config_registers {

template <std::size_t Count>
constexpr const ConfigField* find(const std::array<ConfigField, Count>& rows, std::string_view name) {
  for (const ConfigField& row : rows)
    if (row.name == name) return &row;
  return nullptr;
}

/// "ADDR_MOD_AB_SECn_SrcAIncr" and 3: the row of ADDR_MOD_AB_SEC3_SrcAIncr.
template <std::size_t Count>
consteval const ConfigField* find_section(const std::array<ConfigField, Count>& rows, std::string_view pattern,
                                          unsigned section) {
  const std::size_t digit = pattern.find("SECn") + 3;
  for (const ConfigField& row : rows)
    if (row.name.size() == pattern.size() && row.name[digit] == static_cast<char>('0' + section) &&
        row.name.substr(0, digit) == pattern.substr(0, digit) &&
        row.name.substr(digit + 1) == pattern.substr(digit + 1))
      return &row;
  return nullptr;
}

consteval const ConfigField* find_thread_section(std::string_view pattern, unsigned section) {
  const ConfigField* found = find_section(thread, pattern, section);
  return found != nullptr ? found : find_section(thread_address_modifiers, pattern, section);
}

/// The words of all sections on one chip; `bits` is taken from the first of them, or compared.
consteval ConfigSections::Words section_words(Arch arch, std::string_view pattern, ConfigField::Place& bits) {
  constexpr unsigned most_sections = 10;
  ConfigSections::Words words;
  for (unsigned section = 0; section < most_sections; ++section) {
    const ConfigField* field = find_thread_section(pattern, section);
    if (field == nullptr || !field->on(arch).exists()) break;
    const ConfigField::Place& place = field->on(arch);
    if (!bits.exists()) bits = place;
    if (place.shift != bits.shift || place.width != bits.width) throw "the sections do not have the same bits";
    if (section == 0) words.first = place.word;
    if (section == 1) words.stride = static_cast<std::int16_t>(place.word - words.first);
    if (static_cast<std::size_t>(place.word) != words.word(section)) throw "the words are not at equal distances";
    ++words.count;
  }
  return words;
}

}  // namespace config_registers

inline namespace literals {
/// "ALU_ACC_CTRL_Fp32_enabled"_config is its row; a misspelt name does not compile.
consteval const ConfigField& operator""_config(const char* text, std::size_t length) {
  using namespace config_registers;
  const std::string_view name(text, length);
  for (const ConfigField* found : {find(units, name), find(thcon_section_0, name), find(thcon_section_1, name),
                                   find(tile_rows, name), find(others, name)})
    if (found != nullptr) return *found;
  throw "Config has no field of this name";
}
consteval const ConfigField& operator""_thread_config(const char* text, std::size_t length) {
  using namespace config_registers;
  const std::string_view name(text, length);
  for (const ConfigField* found : {find(thread, name), find(thread_address_modifiers, name)})
    if (found != nullptr) return *found;
  throw "ThreadConfig has no field of this name";
}
/// "ADDR_MOD_AB_SECn_SrcAIncr"_thread_sections: SECn stands for SEC0, SEC1 and so on.
consteval ConfigSections operator""_thread_sections(const char* text, std::size_t length) {
  const std::string_view pattern(text, length);
  if (pattern.find("SECn") == std::string_view::npos) throw "the name has no SECn";
  ConfigSections sections;
  sections.wormhole = config_registers::section_words(Arch::wormhole, pattern, sections.bits);
  sections.blackhole = config_registers::section_words(Arch::blackhole, pattern, sections.bits);
  if (!sections.bits.exists()) throw "ThreadConfig has no field of this name";
  return sections;
}
}  // namespace literals

/// All fields, family by family; for those who list or look up at run time.
std::span<const std::span<const ConfigField>> config_fields();
std::span<const std::span<const ConfigField>> thread_config_fields();

}  // namespace tensim
