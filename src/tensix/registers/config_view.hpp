// Configuration as one thread's instructions see it: its own ThreadConfig, and the bank of Config it has chosen.
#pragma once

#include "arch/config_registers.hpp"
#include "tensix/registers/config.hpp"

namespace tensim::tensix {

class ConfigView {
 public:
  ConfigView(const BackendConfig& config, Arch arch, unsigned thread)
      : arch_(arch), bank_(&config.bank[config_bank_of(config, arch, thread)]), thread_(&config.thread[thread]) {}

  Arch arch() const { return arch_; }

  /// "ALU_ACC_CTRL_Fp32_enabled"_config; 0 if the chip does not have the field.
  std::uint32_t get(const ConfigField& field) const {
    const ConfigField::Place& place = field.on(arch_);
    return place.exists() ? place.get((*bank_)[static_cast<std::size_t>(place.word)]) : 0;
  }
  /// Of ThreadConfig: "FIDELITY_BASE_Phase"_thread_config.
  std::uint32_t get_thread(const ConfigField& field) const {
    const ConfigField::Place& place = field.on(arch_);
    return place.exists() ? place.get((*thread_)[static_cast<std::size_t>(place.word)]) : 0;
  }
  /// A whole word of Config, for what spans fields (tile descriptors).
  std::uint32_t word(std::size_t index) const { return (*bank_)[index]; }

 private:
  Arch arch_;
  const std::array<std::uint32_t, max_config_words>* bank_;
  const std::array<std::uint16_t, max_thread_config_words>* thread_;
};

}  // namespace tensim::tensix
