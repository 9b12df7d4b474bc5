#include "tensix/registers/written.hpp"

namespace tensim::tensix {

void Written::add_config(Arch arch, const ConfigStore& write, ConfigEffects effects) {
  if ((effects & out_of_range) != 0) return;
  for (unsigned bank = 0; bank < config_bank_count; ++bank) {
    const bool names_bank = (write.banks >> bank & 1U) != 0;
    if (names_bank && (effects & state_reset) != 0)
      for (unsigned word = 0; word < config_global_base(arch); ++word)
        config[bank].set(word);
    for (unsigned word = write.first; word < unsigned{write.first} + write.count; ++word)
      if (names_bank || word >= config_global_base(arch)) config[bank].set(word);
  }
}

}  // namespace tensim::tensix
