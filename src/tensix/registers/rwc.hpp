// Register window counters: where in SrcA, SrcB and Dst a thread's next Matrix or Vector Unit instruction works, and in
// which fidelity phase. Instructions name an address modifier, eight presets of increments in ThreadConfig, which is
// applied after them. Pages: RWCs.md, SETRWC.md, INCRWC.md (Wormhole's); for Blackhole's wider index, errata 10.
#pragma once

#include <array>
#include <cstdint>

#include "arch/arch.hpp"
#include "isa/form.hpp"
#include "tensix/registers/config.hpp"
#include "tensix/registers/counter.hpp"
#include "tensix/registers/fields.hpp"

namespace tensim::tensix {

struct Rwc {
  Counter<size_of_both("rwc_dst_bits"_size)> dst;
  Counter<size_of_both("rwc_src_bits"_size)> src_a;
  Counter<size_of_both("rwc_src_bits"_size)> src_b;
  std::uint8_t fidelity_phase = 0;      // rwc_fidelity_bits
  std::uint8_t extra_addr_mod_bit = 0;  // one bit; on Wormhole it turns modifiers 0-3 into 4-7

  friend constexpr bool operator==(const Rwc&, const Rwc&) = default;
};

struct Rwcs {
  std::array<Rwc, size_of_both("rwc_contexts"_size)> thread;

  friend constexpr bool operator==(const Rwcs&, const Rwcs&) = default;
};

/// The counters' part of SETRWC. Its FlipSrcA and FlipSrcB concern the Src banks, not the counters.
void setrwc(Rwcs& rwcs, unsigned thread, isa::Word word);
void incrwc(Rwcs& rwcs, unsigned thread, isa::Word word);

/// Which of the eight presets an instruction's AddrMod `index` means. Wormhole's two bits choose within 0-3, or within
/// 4-7 if ADDR_MOD_SET_Base or the extra bit is set. Blackhole's three bits name a preset outright: ADDR_MOD_SET_Base
/// is gone, and that the extra bit, which ADDR_MOD_BIAS can still toggle, has lost its effect is assumed.
unsigned addr_mod_section(const Rwcs& rwcs, const BackendConfig& config, Arch arch, unsigned thread, unsigned index);

/// What follows an instruction with an AddrMod field. SFPLOAD, SFPSTORE and SFPLOADMACRO do not update the fidelity
/// phase ("partial"); all others do.
void apply_addr_mod(Rwcs& rwcs, const BackendConfig& config, Arch arch, unsigned thread, unsigned index,
                    bool update_fidelity);

}  // namespace tensim::tensix
