// Address modifiers as ThreadConfig has them: which preset an index means, and the three words of it. Inline, so that who
// knows the chip pays only for its places.
#pragma once

#include "tensix/registers/rwc.hpp"

namespace tensim::tensix {

struct AddrMod {
  std::uint32_t ab = 0;
  std::uint32_t dst = 0;
  std::uint32_t bias = 0;

  bool does_nothing() const { return (ab | dst | bias) == 0; }
};

/// addr_mod_section() of one thread.
[[gnu::always_inline]] inline unsigned preset_of(const Rwc& rwc, const BackendConfig& config, Arch arch,
                                                 unsigned thread, unsigned index) {
  using namespace config_fields_literals;
  constexpr auto count = static_cast<unsigned>(size_of_both("addr_mod_sets"_size));
  if (arch == Arch::blackhole) return index % count;
  constexpr ThreadFieldRow base = "ADDR_MOD_SET_Base"_thread_field;
  const std::uint32_t is_upper = rwc.extra_addr_mod_bit | base.get(config.thread[thread][base.wormhole.first]);
  return (index + is_upper * (count / 2)) % count;
}

[[gnu::always_inline]] inline AddrMod addr_mod(const BackendConfig& config, Arch arch, unsigned thread,
                                               unsigned preset) {
  using namespace config_fields_literals;
  const auto word_of = [&](const ThreadFieldRow& row) -> std::uint32_t {
    const ThreadFieldRow::Words& words = row.on(arch);
    return config
        .thread[thread][static_cast<std::size_t>(words.first) + preset * static_cast<std::size_t>(words.stride)];
  };
  return {.ab = word_of("ADDR_MOD_AB_SECn_SrcAIncr"_thread_field),
          .dst = word_of("ADDR_MOD_DST_SECn_DestIncr"_thread_field),
          .bias = word_of("ADDR_MOD_BIAS_SECn_BiasIncr"_thread_field)};
}

}  // namespace tensim::tensix
