// What has a value that somebody gave it. A bit is set by the first write, and also by the first report of a read
// before it: each place is reported once, and state that is initialised costs its reader one test.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>

#include "tensix/registers/config.hpp"
#include "tensix/registers/gpr_use.hpp"

namespace tensim::tensix {

/// A kind of state that can be read before anybody initialised it.
enum class Place : std::uint8_t { none, gpr, config_word, mop_word, replay_slot, semaphore };

struct Written {
  std::array<GprSet, thread_count> gprs{};
  std::array<std::bitset<max_config_words>, config_bank_count> config{};
  std::uint8_t semaphores = 0;

  void add_gpr(unsigned thread, unsigned reg) {
    const std::uint64_t bit = std::uint64_t{1} << reg;
    gprs[thread] = gprs[thread] | GprSet{bit, bit};
  }
  void add_gprs(unsigned thread, GprSet set) { gprs[thread] = gprs[thread] | set; }
  /// `effects` are what store() said of the write.
  void add_config(Arch arch, const ConfigStore& write, ConfigEffects effects);
};

/// The part that belongs to a thread's frontend.
struct WrittenFrontend {
  static constexpr std::uint16_t all_mop_words = 0x1FF;
  static constexpr std::uint32_t all_replay_slots = 0xFFFF'FFFF;

  std::uint16_t mop_words = 0;
  std::uint32_t replay_slots = 0;
};

}  // namespace tensim::tensix
