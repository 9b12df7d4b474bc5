// Address modifiers as ThreadConfig has them: which preset an index means, and the three words of it. Inline, so that who
// knows the chip pays only for its places.
#pragma once

#include "tensix/registers/rwc.hpp"

namespace tensim::tensix {

namespace addr_mod_fields {
inline constexpr ConfigSections src_a_incr = "ADDR_MOD_AB_SECn_SrcAIncr"_thread_sections;
inline constexpr ConfigSections src_a_cr = "ADDR_MOD_AB_SECn_SrcACR"_thread_sections;
inline constexpr ConfigSections src_a_clear = "ADDR_MOD_AB_SECn_SrcAClear"_thread_sections;
inline constexpr ConfigSections src_b_incr = "ADDR_MOD_AB_SECn_SrcBIncr"_thread_sections;
inline constexpr ConfigSections src_b_cr = "ADDR_MOD_AB_SECn_SrcBCR"_thread_sections;
inline constexpr ConfigSections src_b_clear = "ADDR_MOD_AB_SECn_SrcBClear"_thread_sections;
inline constexpr ConfigSections dest_incr = "ADDR_MOD_DST_SECn_DestIncr"_thread_sections;
inline constexpr ConfigSections dest_cr = "ADDR_MOD_DST_SECn_DestCR"_thread_sections;
inline constexpr ConfigSections dest_clear = "ADDR_MOD_DST_SECn_DestClear"_thread_sections;
inline constexpr ConfigSections dest_c_to_cr = "ADDR_MOD_DST_SECn_DestCToCR"_thread_sections;
inline constexpr ConfigSections fidelity_incr = "ADDR_MOD_DST_SECn_FidelityIncr"_thread_sections;
inline constexpr ConfigSections fidelity_clear = "ADDR_MOD_DST_SECn_FidelityClear"_thread_sections;
inline constexpr ConfigSections bias_incr = "ADDR_MOD_BIAS_SECn_BiasIncr"_thread_sections;
inline constexpr ConfigSections bias_clear = "ADDR_MOD_BIAS_SECn_BiasClear"_thread_sections;
}  // namespace addr_mod_fields

struct AddrMod {
  std::uint32_t ab = 0;
  std::uint32_t dst = 0;
  std::uint32_t bias = 0;

  bool does_nothing() const { return (ab | dst | bias) == 0; }
};

/// An instruction names one of four presets, and a bit elsewhere says which four; otherwise it names one of all.
constexpr bool has_addr_mod_base(Arch arch) {
  return on(arch, true, false);
}

/// addr_mod_section() of one thread.
[[gnu::always_inline]] inline unsigned preset_of(const Rwc& rwc, const BackendConfig& config, Arch arch,
                                                 unsigned thread, unsigned index) {
  constexpr auto count = static_cast<unsigned>(size_of_both("addr_mod_sets"_size));
  if (!has_addr_mod_base(arch)) return index % count;
  constexpr ConfigField::Place base = "ADDR_MOD_SET_Base"_thread_config.wormhole;
  const std::uint32_t is_upper = rwc.extra_addr_mod_bit | base.get(config.thread[thread][base.word]);
  return (index + is_upper * (count / 2)) % count;
}

[[gnu::always_inline]] inline AddrMod addr_mod(const BackendConfig& config, Arch arch, unsigned thread,
                                               unsigned preset) {
  using namespace addr_mod_fields;
  const auto word_of = [&](const ConfigSections& field) -> std::uint32_t {
    return config.thread[thread][field.on(arch).word(preset)];
  };
  return {.ab = word_of(src_a_incr), .dst = word_of(dest_incr), .bias = word_of(bias_incr)};
}

}  // namespace tensim::tensix
