#include "tensix/registers/config.hpp"

#include <algorithm>
#include <bit>

namespace tensim::tensix {
namespace {

using isa::literals::operator""_op;

namespace setc16_fields {
constexpr isa::Field cfg_index = field_of("SETC16", "", "CfgIndex");
constexpr isa::Field new_value = field_of("SETC16", "", "NewValue");
}  // namespace setc16_fields

namespace wrcfg_fields {
constexpr isa::Field input_reg = field_of("WRCFG", "", "InputReg");
constexpr isa::Field is_128_bit = field_of("WRCFG", "", "Is128Bit");
constexpr isa::Field cfg_index = field_of("WRCFG", "", "CfgIndex");
}  // namespace wrcfg_fields

namespace rdcfg_fields {
constexpr isa::Field result_reg = field_of("RDCFG", "", "ResultReg");
constexpr isa::Field cfg_index = field_of("RDCFG", "", "CfgIndex");
}  // namespace rdcfg_fields

namespace rmwcib_fields {
constexpr isa::Field mask = field_of("RMWCIB0", "", "Mask");
constexpr isa::Field new_value = field_of("RMWCIB0", "", "NewValue");
constexpr isa::Field index4 = field_of("RMWCIB0", "", "Index4");
static_assert("RMWCIB1"_op == "RMWCIB0"_op + 1 && "RMWCIB2"_op == "RMWCIB0"_op + 2 && "RMWCIB3"_op == "RMWCIB0"_op + 3);
}  // namespace rmwcib_fields

namespace cfgshiftmask_fields {
constexpr isa::Field mask_mode = field_of(Arch::blackhole, "CFGSHIFTMASK", "", "MaskMode");
constexpr isa::Field alu_mode = field_of(Arch::blackhole, "CFGSHIFTMASK", "", "AluMode");
constexpr isa::Field mask_width = field_of(Arch::blackhole, "CFGSHIFTMASK", "", "MaskWidth");
constexpr isa::Field rotate_amt = field_of(Arch::blackhole, "CFGSHIFTMASK", "", "RotateAmt");
constexpr isa::Field scratch_index = field_of(Arch::blackhole, "CFGSHIFTMASK", "", "ScratchIndex");
constexpr isa::Field cfg_index = field_of(Arch::blackhole, "CFGSHIFTMASK", "", "CfgIndex");
}  // namespace cfgshiftmask_fields

constexpr unsigned group = 4;  // words of a 128-bit write
static_assert(config_words(Arch::wormhole) % group == 0 && config_words(Arch::blackhole) % group == 0,
              "an aligned group that starts in range ends in range");
static_assert(wrcfg_fields::input_reg.max() < gprs_per_thread && rdcfg_fields::result_reg.max() < gprs_per_thread);

constexpr std::uint8_t banks_of(unsigned bank) {
  return bank == 0 ? ConfigStore::bank0 : ConfigStore::bank1;
}

constexpr bool is_word(unsigned index, int word) {
  return static_cast<int>(index) == word;
}

ConfigEffects effects_of_word(Arch arch, unsigned index, bool is_rmwcib) {
  unsigned effects = 0;
  if (is_word(index, "STATE_RESET_EN"_config.on(arch).word) && !is_rmwcib) effects |= state_reset;
  if (is_word(index, "PRNG_SEED_Seed_Val"_config.on(arch).word)) effects |= seeds_prng;
  if (is_word(index, "RISCV_IC_INVALIDATE_InvalidateAll"_config.on(arch).word)) effects |= invalidates_icaches;
  return static_cast<ConfigEffects>(effects);
}

ConfigEffects effects_of_thread_word(Arch arch, unsigned index) {
  unsigned effects = 0;
  if (is_word(index, "UNPACK_MISC_CFG_CfgContextCntReset_0"_thread_config.on(arch).word) ||
      is_word(index, "UNPACK_MISC_CFG_CfgContextCntReset_1"_thread_config.on(arch).word))
    effects |= resets_context_counter;
  if (is_word(index, "CG_CTRL_EN_Regblocks"_thread_config.on(arch).word) ||
      is_word(index, "CG_CTRL_EN_Hyst"_thread_config.on(arch).word) ||
      is_word(index, "CG_CTRL_KICK_Regblocks"_thread_config.on(arch).word))
    effects |= changes_clock_gating;
  if (is_word(index, "TENSIX_TRISC_SYNC_TrackTensixInstructions"_thread_config.on(arch).word))
    effects |= switches_auto_ttsync;
  return static_cast<ConfigEffects>(effects);
}

ConfigEffects store_word(BackendConfig& config, Arch arch, unsigned banks, unsigned index, std::uint32_t value,
                         bool is_rmwcib) {
  const ConfigEffects effects = effects_of_word(arch, index, is_rmwcib);
  if (index >= config_global_base(arch)) banks = ConfigStore::both_banks;
  for (unsigned bank = 0; bank < config_bank_count; ++bank) {
    if ((banks & banks_of(bank)) == 0) continue;
    if ((effects & state_reset) != 0)
      std::fill_n(config.bank[bank].begin(), config_global_base(arch), 0U);
    else
      config.bank[bank][index] = value;
  }
  return effects;
}

std::uint32_t combine(std::uint32_t alu_mode, std::uint32_t old, std::uint32_t scratch) {
  switch (alu_mode) {
    case 0: return old | scratch;
    case 1: return old & scratch;
    case 2: return old ^ scratch;
    case 3: return old + scratch;
    case 4: return old | ~scratch;
    case 5: return old & ~scratch;
    case 6: return old ^ ~scratch;
    default: return old - scratch;
  }
}

}  // namespace

/// Nearly every instruction asks, so the place is not looked up when it does.
unsigned config_bank_of(const BackendConfig& config, Arch, unsigned thread) {
  constexpr ConfigField::Place state_id = "CFG_STATE_ID_StateID"_thread_config.wormhole;
  constexpr ConfigField::Place on_blackhole = "CFG_STATE_ID_StateID"_thread_config.blackhole;
  static_assert(state_id.word == on_blackhole.word && state_id.shift == on_blackhole.shift &&
                state_id.width == on_blackhole.width);
  return state_id.get(config.thread[thread][state_id.word]);
}

ConfigEffects store(BackendConfig& config, Arch arch, const ConfigStore& write) {
  if (write.count > write.value.size() || unsigned{write.first} + write.count > config_words(arch)) return out_of_range;
  unsigned effects = 0;
  for (unsigned i = 0; i < write.count; ++i)
    effects |= store_word(config, arch, write.banks, write.first + i, write.value[i], write.is_rmwcib);
  return static_cast<ConfigEffects>(effects);
}

ConfigEffects store(BackendConfig& config, Arch arch, const ThreadConfigStore& write) {
  if (write.thread >= thread_count || write.word >= thread_config_words(arch)) return out_of_range;
  config.thread[write.thread][write.word] = write.value;
  return effects_of_thread_word(arch, write.word);
}

std::optional<ConfigStore> config_word_store(Arch arch, unsigned bank, unsigned word, std::uint32_t value) {
  if (bank >= config_bank_count || word >= config_words(arch)) return std::nullopt;
  return ConfigStore{.banks = banks_of(bank), .first = static_cast<std::uint16_t>(word), .value = {value}};
}

std::optional<std::uint32_t> config_word(const BackendConfig& config, Arch arch, unsigned bank, unsigned word) {
  if (bank >= config_bank_count || word >= config_words(arch)) return std::nullopt;
  return config.bank[bank][word];
}

std::optional<ThreadConfigStore> setc16(Arch arch, unsigned thread, isa::Word word) {
  const std::uint32_t index = setc16_fields::cfg_index.get(word);
  if (index >= thread_config_words(arch)) return std::nullopt;
  return ThreadConfigStore{.thread = static_cast<std::uint8_t>(thread),
                           .word = static_cast<std::uint8_t>(index),
                           .value = static_cast<std::uint16_t>(setc16_fields::new_value.get(word))};
}

std::optional<unsigned> config_bank_set_by(Arch arch, isa::Word word) {
  const ConfigField::Place& state_id = "CFG_STATE_ID_StateID"_thread_config.on(arch);
  if (isa::opcode_of(word) != "SETC16"_op || !is_word(setc16_fields::cfg_index.get(word), state_id.word))
    return std::nullopt;
  return state_id.get(setc16_fields::new_value.get(word));
}

std::optional<ConfigStore> wrcfg(const BackendConfig& config, Arch arch, unsigned thread, const Gprs& gprs,
                                 isa::Word word) {
  const auto& regs = gprs.value[thread];
  const std::uint32_t reg = wrcfg_fields::input_reg.get(word);
  const std::uint32_t index = wrcfg_fields::cfg_index.get(word);
  std::optional<ConfigStore> write = config_word_store(arch, config_bank_of(config, arch, thread), index, regs[reg]);
  if (!write || wrcfg_fields::is_128_bit.get(word) == 0) return write;
  write->first = static_cast<std::uint16_t>(index - index % group);
  write->count = group;
  std::copy_n(regs.begin() + (reg - reg % group), group, write->value.begin());
  return write;
}

std::optional<GprWrite> rdcfg(const BackendConfig& config, Arch arch, unsigned thread, isa::Word word) {
  const auto value = config_word(config, arch, config_bank_of(config, arch, thread), rdcfg_fields::cfg_index.get(word));
  if (!value) return std::nullopt;
  return GprWrite{.reg = static_cast<std::uint8_t>(rdcfg_fields::result_reg.get(word)), .value = *value};
}

unsigned rdcfg_word(isa::Word word) {
  return rdcfg_fields::cfg_index.get(word);
}

std::uint32_t rmwcib_mask(isa::Word word) {
  const unsigned byte = isa::opcode_of(word) - unsigned{"RMWCIB0"_op};
  return rmwcib_fields::mask.get(word) << (8 * byte);
}

std::optional<ConfigStore> rmwcib(const BackendConfig& config, Arch arch, unsigned thread, isa::Word word) {
  const unsigned byte = isa::opcode_of(word) - unsigned{"RMWCIB0"_op};
  const unsigned bank = config_bank_of(config, arch, thread);
  const std::uint32_t index = rmwcib_fields::index4.get(word);
  const auto old = config_word(config, arch, bank, index);
  if (!old || byte > 3) return std::nullopt;
  const std::uint32_t mask = rmwcib_mask(word);
  const std::uint32_t bits = rmwcib_fields::new_value.get(word) << (8 * byte);
  std::optional<ConfigStore> write = config_word_store(arch, bank, index, (*old & ~mask) | (bits & mask));
  write->is_rmwcib = true;
  return write;
}

unsigned cfgshiftmask_scratch_word(unsigned thread, isa::Word word) {
  constexpr std::array scratch{"SCRATCH_SEC0_val"_config.blackhole.word, "SCRATCH_SEC1_val"_config.blackhole.word,
                               "SCRATCH_SEC2_val"_config.blackhole.word};
  const std::uint32_t selected = cfgshiftmask_fields::scratch_index.get(word);
  return static_cast<unsigned>(scratch[selected < scratch.size() ? selected : thread]);
}

std::optional<ConfigStore> cfgshiftmask(const BackendConfig& config, unsigned thread, isa::Word word) {
  using namespace cfgshiftmask_fields;
  constexpr Arch arch = Arch::blackhole;
  const unsigned bank = config_bank_of(config, arch, thread);
  const std::uint32_t index = cfg_index.get(word);
  auto value = config_word(config, arch, bank, index);
  if (!value) return std::nullopt;

  const std::uint32_t mask = (2U << mask_width.get(word)) - 1U;  // width 32 wraps to all ones
  const auto rotation = static_cast<int>(rotate_amt.get(word));
  const std::uint32_t scratch = std::rotr(config.bank[0][cfgshiftmask_scratch_word(thread, word)] & mask, rotation);
  if (mask_mode.get(word) == 0) *value &= ~std::rotr(mask, rotation);
  return config_word_store(arch, bank, index, combine(alu_mode.get(word), *value, scratch));
}

std::optional<ConfigLocation> locate_config(Arch arch, std::uint32_t offset) {
  using Space = ConfigLocation::Space;
  std::uint32_t word = offset / 4;
  const unsigned words = config_words(arch);
  const auto dual_words = static_cast<unsigned>(size(arch, "config_dual_write_words"_size));
  const auto at = [](Space space, std::uint32_t index, std::uint32_t position) {
    return ConfigLocation{space, static_cast<std::uint8_t>(index), static_cast<std::uint16_t>(position)};
  };

  if (word < config_bank_count * words) return at(Space::config, word / words, word % words);
  word -= static_cast<std::uint32_t>(config_bank_count * words);
  if (word < dual_words) return at(Space::dual_write, 0, word);
  word -= dual_words;
  const auto stride = static_cast<unsigned>(size(arch, "thread_config_stride_bytes"_size)) / 4;
  const unsigned entry = word / stride;
  if (entry >= thread_count * thread_config_words(arch)) return std::nullopt;
  return at(word % stride == 0 ? Space::thread_config : Space::padding, entry / thread_config_words(arch),
            entry % thread_config_words(arch));
}

std::optional<std::uint32_t> riscv_config_load(const BackendConfig& config, Arch arch, std::uint32_t offset) {
  const auto location = locate_config(arch, offset);
  if (!location) return std::nullopt;
  switch (location->space) {
    case ConfigLocation::Space::config:
    case ConfigLocation::Space::dual_write: return config.bank[location->index][location->word];
    case ConfigLocation::Space::thread_config: return config.thread[location->index][location->word];
    case ConfigLocation::Space::padding: return 0;
  }
  return std::nullopt;
}

std::optional<ConfigStore> riscv_config_store(Arch arch, std::uint32_t offset, std::uint32_t value) {
  const auto location = locate_config(arch, offset);
  if (!location || offset % 4 != 0) return std::nullopt;
  switch (location->space) {
    case ConfigLocation::Space::config: return config_word_store(arch, location->index, location->word, value);
    case ConfigLocation::Space::dual_write: {
      auto write = config_word_store(arch, 0, location->word, value);
      write->banks = ConfigStore::both_banks;
      return write;
    }
    case ConfigLocation::Space::thread_config:
    case ConfigLocation::Space::padding: return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace tensim::tensix
