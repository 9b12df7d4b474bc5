// Every field of Config (kept twice, per state) and of ThreadConfig (kept per thread): where it is on each chip.
#pragma once

#include <span>

#include "arch/config_registers/others.hpp"
#include "arch/config_registers/thcon_section_0.hpp"
#include "arch/config_registers/thcon_section_1.hpp"
#include "arch/config_registers/thread.hpp"
#include "arch/config_registers/thread_address_modifiers.hpp"
#include "arch/config_registers/tile_rows.hpp"
#include "arch/config_registers/units.hpp"

namespace tensim {

namespace config_registers {

template <std::size_t Count>
constexpr const ConfigField* find(const std::array<ConfigField, Count>& rows, std::string_view name) {
  for (const ConfigField& row : rows)
    if (row.name == name) return &row;
  return nullptr;
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
}  // namespace literals

/// All fields, family by family; for those who list or look up at run time.
std::span<const std::span<const ConfigField>> config_fields();
std::span<const std::span<const ConfigField>> thread_config_fields();

}  // namespace tensim
