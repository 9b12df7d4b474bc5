#include "arch/config_registers.hpp"

namespace tensim {

std::span<const std::span<const ConfigField>> config_fields() {
  using namespace config_registers;
  static constexpr std::array<std::span<const ConfigField>, 5> families{units, thcon_section_0, thcon_section_1,
                                                                        tile_rows, others};
  return families;
}

std::span<const std::span<const ConfigField>> thread_config_fields() {
  using namespace config_registers;
  static constexpr std::array<std::span<const ConfigField>, 2> families{thread, thread_address_modifiers};
  return families;
}

}  // namespace tensim
