// Backend configuration: two banks of 32-bit words that every thread can use (Config), and 16-bit words private to each
// thread (ThreadConfig), one of which chooses the thread's bank. Words from config_global_base_word up have one value,
// kept equal in both banks. Pages: BackendConfiguration.md, SETC16.md, WRCFG.md, RDCFG.md, RMWCIB.md, CFGSHIFTMASK.md.
//
// An instruction is turned into a value, the write it makes, when it is accepted (ruling 2); store() performs that
// write in the cycle in which it lands. An index that the chip does not have gives no value: the pages leave it
// undefined.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "arch/arch.hpp"
#include "arch/config_registers.hpp"
#include "isa/form.hpp"
#include "tensix/registers/fields.hpp"
#include "tensix/registers/gpr.hpp"

namespace tensim::tensix {

inline constexpr std::size_t config_bank_count = size_of_both("config_banks"_size);
inline constexpr std::size_t max_config_words = larger_size("config_words"_size);
inline constexpr std::size_t max_thread_config_words = larger_size("thread_config_words"_size);

constexpr unsigned config_words(Arch arch) {
  return static_cast<unsigned>(size(arch, "config_words"_size));
}
constexpr unsigned config_global_base(Arch arch) {
  return static_cast<unsigned>(size(arch, "config_global_base_word"_size));
}
constexpr unsigned thread_config_words(Arch arch) {
  return static_cast<unsigned>(size(arch, "thread_config_words"_size));
}

struct BackendConfig {
  std::array<std::array<std::uint32_t, max_config_words>, config_bank_count> bank{};
  std::array<std::array<std::uint16_t, max_thread_config_words>, thread_count> thread{};

  friend constexpr bool operator==(const BackendConfig&, const BackendConfig&) = default;
};

/// A field of `thread`'s ThreadConfig; 0 if the chip does not have it.
constexpr std::uint32_t thread_field(const BackendConfig& config, Arch arch, unsigned thread,
                                     const ConfigField& field) {
  const ConfigField::Place& place = field.on(arch);
  return place.exists() ? place.get(config.thread[thread][static_cast<std::size_t>(place.word)]) : 0;
}

/// The same of a field that every section has; 0 if the chip does not have the section.
constexpr std::uint32_t thread_field(const BackendConfig& config, Arch arch, unsigned thread,
                                     const ConfigSections& field, unsigned section) {
  const ConfigSections::Words& words = field.on(arch);
  return words.has(section) ? field.get(config.thread[thread][words.word(section)]) : 0;
}

/// The bank that `thread` reads and writes: CFG_STATE_ID_StateID.
unsigned config_bank_of(const BackendConfig& config, Arch arch, unsigned thread);

// ---- Writes ----

/// One to four consecutive words on their way to Config.
struct ConfigStore {
  enum Banks : std::uint8_t { bank0 = 1, bank1 = 2, both_banks = 3 };
  std::uint8_t banks = bank0;
  std::uint16_t first = 0;
  std::uint8_t count = 1;
  bool is_rmwcib = false;  // the one way to write STATE_RESET_EN without resetting the bank
  std::array<std::uint32_t, 4> value{};

  friend constexpr bool operator==(const ConfigStore&, const ConfigStore&) = default;
};

struct ThreadConfigStore {
  std::uint8_t thread = 0;
  std::uint8_t word = 0;
  std::uint16_t value = 0;

  friend constexpr bool operator==(const ThreadConfigStore&, const ThreadConfigStore&) = default;
};

/// What a write does at once, beyond being stored: bits of a mask. Whoever owns the PRNGs, the instruction caches, the
/// clock gates or the unpackers acts on them; the value written stands in the configuration.
enum ConfigEffect : std::uint8_t {
  state_reset = 1U << 0,             // the bank's words below the global ones became 0
  seeds_prng = 1U << 1,              // PRNG_SEED_Seed_Val
  invalidates_icaches = 1U << 2,     // RISCV_IC_INVALIDATE_InvalidateAll
  changes_clock_gating = 1U << 3,    // CG_CTRL_*, Wormhole
  resets_context_counter = 1U << 4,  // UNPACK_MISC_CFG_CfgContextCntReset_*
  switches_auto_ttsync = 1U << 5,    // TENSIX_TRISC_SYNC_*, Blackhole
  out_of_range = 1U << 7,            // no such word: nothing was stored
};
using ConfigEffects = std::uint8_t;

ConfigEffects store(BackendConfig& config, Arch arch, const ConfigStore& write);
ConfigEffects store(BackendConfig& config, Arch arch, const ThreadConfigStore& write);

/// A write of one word by whatever names a bank: STREAMWRCFG, the Mover, a host.
std::optional<ConfigStore> config_word_store(Arch arch, unsigned bank, unsigned word, std::uint32_t value);
std::optional<std::uint32_t> config_word(const BackendConfig& config, Arch arch, unsigned bank, unsigned word);

// ---- Instructions ----

/// SETC16: 16 bits to the issuing thread's ThreadConfig.
std::optional<ThreadConfigStore> setc16(Arch arch, unsigned thread, isa::Word word);

/// The bank that a SETC16 chooses for its thread; nothing if `word` is anything else.
std::optional<unsigned> config_bank_set_by(Arch arch, isa::Word word);

/// WRCFG: one GPR, or an aligned group of four, to the thread's bank.
std::optional<ConfigStore> wrcfg(const BackendConfig& config, Arch arch, unsigned thread, const Gprs& gprs,
                                 isa::Word word);

/// RDCFG: a word of the thread's bank to a GPR.
std::optional<GprWrite> rdcfg(const BackendConfig& config, Arch arch, unsigned thread, isa::Word word);

/// The word that an RDCFG names.
unsigned rdcfg_word(isa::Word word);

/// RMWCIB0 to RMWCIB3: some bits of one byte of the thread's bank. Atomic: store it in the cycle in which it was made.
std::optional<ConfigStore> rmwcib(const BackendConfig& config, Arch arch, unsigned thread, isa::Word word);

/// The bits of its word that an RMWCIB writes.
std::uint32_t rmwcib_mask(isa::Word word);

/// CFGSHIFTMASK (Blackhole): a scratch register combined with a word of the thread's bank.
std::optional<ConfigStore> cfgshiftmask(const BackendConfig& config, unsigned thread, isa::Word word);

/// The scratch register that a CFGSHIFTMASK of `thread` takes, as a word of Config.
unsigned cfgshiftmask_scratch_word(unsigned thread, isa::Word word);

// ---- As RISC-V cores see it, in bytes from TENSIX_CFG_BASE ----

struct ConfigLocation {
  enum class Space : std::uint8_t {
    config,         // `index` is the bank
    dual_write,     // Blackhole: writes both banks, reads bank 0; `index` is 0
    thread_config,  // `index` is the thread; cannot be written
    padding,        // behind a value of ThreadConfig, `index` is the thread
  };
  Space space = Space::config;
  std::uint8_t index = 0;
  std::uint16_t word = 0;

  friend constexpr bool operator==(const ConfigLocation&, const ConfigLocation&) = default;
};

/// What the 32-bit word at or around `offset` is.
std::optional<ConfigLocation> locate_config(Arch arch, std::uint32_t offset);

/// The 32-bit word at or around `offset`, of which a narrow load takes its part. Padding reads as 0 (assumed).
std::optional<std::uint32_t> riscv_config_load(const BackendConfig& config, Arch arch, std::uint32_t offset);

/// `sw` of `value`. Nothing if the address is misaligned or cannot be written (ThreadConfig and what lies beyond it).
std::optional<ConfigStore> riscv_config_store(Arch arch, std::uint32_t offset, std::uint32_t value);

}  // namespace tensim::tensix
