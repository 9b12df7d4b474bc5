// What data-path instructions can be asked that the documentation leaves undefined, or that is not modelled. The first
// kind is reported once per instruction and place, and what happens instead is fixed and stated here; the second stops
// the run.
#pragma once

#include <cstdint>

namespace tensim::tensix {

enum class DataIssue : std::uint8_t {
  none,
  // ---- undefined: reported; the run goes on ----
  l1_range,  // a transfer reaches beyond L1: that part is not moved
  unpack_context,
  unpack_adc,
  unpack_format,
  unpack_range,
  unpack_input_alignment,
  unpack_output_alignment,
  unpack_modes,
  unpack_rows,
  unpack_burst,
  unpack_throttle,
  unpack_exponent,
  matrix_format,               // the Matrix Unit is told a format code that is none: taken for TF32
  matrix_formats,              // SrcA and SrcB with exponents of different widths: SrcA's format counts for both
  dst16_low_half,              // UseDst32bLo, but Dst is read in 16 bits: ignored
  dst16_tf32,                  // TF32 out of a 16-bit Dst: taken for BF16
  zeroacc_revert,              // ZEROACC that takes the mark away: done as the page describes it
  shiftxa_direction,           // SHIFTXA in a reserved direction: nothing moves
  gmpool_width,                // GMPOOL with a width other than the documented one: the documented one
  dst16_upper_halves,          // DBG_FEATURE_DISABLE bit 11: a write in 16 bits leaves the lower halves as they are
  matrix_stochastic_rounding,  // where the random bits come from is not documented: number/stochastic.hpp
  pack_stochastic_rounding,    // where the random bits come from is not documented: number/stochastic.hpp
  pack_context,                // settings of a context other than 0, which nobody lists: those of Wormhole's packers
  pack_mask,                   // packers that no page lists together: all of them work
  pack_x_range,                // X ends before it starts: nothing is packed; Blackhole, more than 16 datums: 16 are
  pack_format,                 // a conversion that no page has: zeros are packed
  pack_integer_infinity,       // an edge mask's minus infinity among integers: all ones
  scalar_src_row,              // STOREIND to a row that Src does not have: nothing is written
  scalar_mmio_address,         // STOREREG, LOADREG, STOREIND to no register: stores are lost, loads give 0
  scalar_flop_index,           // REG2FLOP beyond the THCON_ words, or to a GPR group that is none: nothing is written
  scalar_flop_blackhole,       // REG2FLOP to configuration on Blackhole, which no page confirms: done as on Wormhole
  mover_range,                 // XMOV out of a memory's bounds: nothing is moved
  vector_early_read,           // a register is read before its result is there: the old value is read
  vector_shuffle_write,        // Wormhole: an instruction that may not follow a shuffle: done as if it might
  vector_mode,                 // a mode that the page does not have: nothing happens
  vector_rounding,             // SFPSTOCHRND in a rounding mode that is not documented: stochastic
  vector_stack_full,           // a push on eight entries: nothing happens
  vector_stack_empty,          // a pop of nothing, or a change of it: no flags, none used; or nothing happens
  vector_undefined_row,        // SFPLOAD of a row that ZEROACC has marked: zeros
  vector_dst_early,            // SFPLOAD right behind the Matrix Unit's write: what was written
  vector_index_write,          // a result in LReg 4 to 7 while ENABLE_DEST_INDEX is set: written as usual
  vector_backdoor,             // VD >= 12 right behind a change of DISABLE_BACKDOOR_LOAD: the new value counts
  vector_macro_sequence,       // SFPLOADMACRO schedules what no page defines: nothing for that sub-unit
  vector_macro_conflict,       // two scheduled instructions write one register in one cycle: the simple sub-unit's last
  vector_macro_discard,        // a scheduled instruction takes the sub-unit: the other one is lost
  // ---- not modelled: the run stops ----
  first_unmodelled,
  unpack_rareb,
  unpack_srcb_bcast,
  unpack_limit_enable,
  unpack_tile_offset,
  unpack_nop_overlay,
  unpack_nop_setreg,
  unpack_nop_value,
  matrix_zero_flag_dst,
  matrix_legacy_max_pool,
  pack_compression,
  pack_from_l1,
  pack_context_kept,
  pack_setting,
  pack_metadata,
  pack_descale_mode,
  pack_accumulate_format,
  pack_register_write,
  scalar_noc_register,
  scalar_unmodelled_register,
  stream_register,
  vector_macro_lanes,
  vector_stack_lanes,
};

constexpr bool is_modelled(DataIssue issue) {
  return issue < DataIssue::first_unmodelled;
}
}  // namespace tensim::tensix
