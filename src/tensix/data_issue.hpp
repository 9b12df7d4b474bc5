// What data-path instructions can be asked that the documentation leaves undefined, or that is not modelled. The first
// kind is reported once per instruction and place, and what happens instead is fixed and stated here; the second stops
// the run.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

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
  pack_mask,                   // packers that no page lists together: all of them work
  pack_x_range,                // X ends before it starts: nothing is packed; Blackhole, more than 16 datums: 16 are
  pack_format,                 // a conversion that no page has: zeros are packed
  pack_integer_infinity,       // an edge mask's minus infinity among integers: all ones
  scalar_src_row,              // STOREIND to a row that Src does not have: nothing is written
  scalar_mmio_address,         // STOREREG, LOADREG, STOREIND to no register: stores are lost, loads give 0
  scalar_flop_index,           // REG2FLOP beyond the THCON_ words, or to a GPR group that is none: nothing is written
  scalar_flop_blackhole,       // REG2FLOP to configuration on Blackhole, which no page confirms: done as on Wormhole
  mover_range,                 // XMOV out of a memory's bounds: nothing is moved
  dst16_upper_halves,          // DBG_FEATURE_DISABLE bit 11: a write in 16 bits leaves the lower halves as they are
  matrix_stochastic_rounding,  // where the random bits come from is not documented: number/stochastic.hpp
  pack_stochastic_rounding,    // where the random bits come from is not documented: number/stochastic.hpp
  pack_context,                // settings of a context other than 0, which nobody lists: those of Wormhole's packers
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

struct DataIssueText {
  DataIssue issue;
  std::string_view text;
};

inline constexpr std::array data_issue_texts{
    DataIssueText{DataIssue::none, ""},
    DataIssueText{DataIssue::l1_range, "reaches beyond L1; that part is not moved"},
    DataIssueText{DataIssue::unpack_context, "unpacker 1 has two contexts; the configuration of the one named is used"},
    DataIssueText{DataIssue::unpack_adc, "ContextADC is 3; the counters of the thread are used"},
    DataIssueText{DataIssue::unpack_format, "no such conversion between these formats; nothing is moved"},
    DataIssueText{DataIssue::unpack_range, "the last datum is before the first; nothing is moved"},
    DataIssueText{DataIssue::unpack_input_alignment,
                  "tilizing and transposing want a multiple of 16 bytes in L1; done as if allowed"},
    DataIssueText{DataIssue::unpack_output_alignment,
                  "the output address is not a multiple of the datum; rounded down"},
    DataIssueText{DataIssue::unpack_modes,
                  "settings that do not go together (tilizing with upsampling, compression or datums below a byte; Dst "
                  "with shifts or transposing); done as if allowed"},
    DataIssueText{DataIssue::unpack_rows, "goes beyond the rows of SrcA; they are not written"},
    DataIssueText{DataIssue::unpack_burst,
                  "several rows of SrcA are written at once, and hardware may lose some that do not start at a "
                  "multiple of them; all are written"},
    DataIssueText{DataIssue::unpack_throttle, "Throttle_mode is 3; x4 is taken"},
    DataIssueText{DataIssue::unpack_exponent, "an exponent needs more than five bits; the lower five count"},
    DataIssueText{DataIssue::matrix_format, "works with a format code that is none; taken for TF32"},
    DataIssueText{DataIssue::matrix_formats,
                  "has operands of different exponent widths; SrcA's format is used for both"},
    DataIssueText{DataIssue::dst16_low_half,
                  "wants the low half of 32 bits from a Dst of 16 bits; the flag is ignored"},
    DataIssueText{DataIssue::dst16_tf32, "wants TF32 from a Dst of 16 bits; taken for BF16"},
    DataIssueText{DataIssue::zeroacc_revert, "makes rows of Dst defined that nobody wrote; they hold what they held"},
    DataIssueText{DataIssue::shiftxa_direction, "shifts in a reserved direction; nothing is moved"},
    DataIssueText{DataIssue::gmpool_width, "pools with an undocumented width; 16 by 16 is used"},
    DataIssueText{DataIssue::dst16_upper_halves,
                  "writes Dst in 16 bits into the upper halves of 32 (DBG_FEATURE_DISABLE bit 11), and hardware writes "
                  "something to the lower ones; they are left as they are"},
    DataIssueText{
        DataIssue::matrix_stochastic_rounding,
        "rounds sums stochastically (ALU_ROUNDING_MODE_Fpu_srnd_en), and hardware's random bits are not documented; "
        "those of the Vector Unit's generator are used"},
    DataIssueText{DataIssue::pack_stochastic_rounding,
                  "rounds stochastically, and hardware's random bits are not documented; those of the Vector Unit's "
                  "generator are used"},
    DataIssueText{DataIssue::pack_context,
                  "uses another context than 0, whose settings no page lists; those of the block of the same number "
                  "are used (THCON_SEC0_REG1, SEC0_REG8, SEC1_REG1, SEC1_REG8, and what has a SEC of that number)"},
    DataIssueText{DataIssue::pack_mask, "names packers that cannot be named together; all of them work"},
    DataIssueText{DataIssue::pack_x_range,
                  "has an X range that is empty or longer than a row; nothing, or 16 datums, are packed"},
    DataIssueText{DataIssue::pack_format, "asks for a conversion that is not defined; zeros are packed"},
    DataIssueText{DataIssue::pack_integer_infinity, "replaces integers by minus infinity; all their bits are set"},
    DataIssueText{DataIssue::scalar_src_row, "names a row that Src does not have; nothing is written"},
    DataIssueText{DataIssue::scalar_mmio_address,
                  "reaches no register, or asks one for something undefined; a store is lost, a load gives 0"},
    DataIssueText{DataIssue::scalar_flop_index, "is beyond the THCON_ words of configuration; nothing is written"},
    DataIssueText{DataIssue::scalar_flop_blackhole,
                  "writes configuration through the Scalar Unit, which no page of this chip confirms; done as on "
                  "Wormhole"},
    DataIssueText{DataIssue::mover_range, "has the mover leave a memory; nothing is moved"},
    DataIssueText{DataIssue::vector_early_read,
                  "reads a register in the cycle before its result is there; the old value is read"},
    DataIssueText{DataIssue::vector_shuffle_write,
                  "must not follow a shuffle of lanes (SFPSHFT2) without an SFPNOP; done as if it might"},
    DataIssueText{DataIssue::vector_mode, "has a mode that is not defined; nothing happens"},
    DataIssueText{DataIssue::vector_rounding, "has a rounding mode that is not defined; rounds stochastically"},
    DataIssueText{DataIssue::vector_stack_full, "pushes on a full stack of flags; nothing happens"},
    DataIssueText{DataIssue::vector_stack_empty,
                  "takes from an empty stack of flags, or changes its top; all flags are cleared, or nothing happens"},
    DataIssueText{DataIssue::vector_undefined_row,
                  "loads rows of Dst that ZEROACC has made undefined; zeros are loaded"},
    DataIssueText{DataIssue::vector_dst_early,
                  "loads from Dst what the Matrix Unit has written less than three instructions before; it is there"},
    DataIssueText{DataIssue::vector_index_write,
                  "writes LReg 4 to 7 while ENABLE_DEST_INDEX is set, which hardware may spoil; written as usual"},
    DataIssueText{DataIssue::vector_backdoor,
                  "names LReg 12 or above right behind a change of DISABLE_BACKDOOR_LOAD; the new setting counts"},
    DataIssueText{DataIssue::vector_macro_sequence,
                  "schedules something undefined for a sub-unit; nothing is scheduled for it"},
    DataIssueText{DataIssue::vector_macro_conflict,
                  "is scheduled for a cycle in which another instruction writes the same register; one of them wins"},
    DataIssueText{DataIssue::vector_macro_discard,
                  "comes in a cycle in which a scheduled instruction uses its sub-unit; it is lost"},
    DataIssueText{DataIssue::first_unmodelled, ""},
    DataIssueText{DataIssue::unpack_rareb, "rareb_en of UNPACR"},
    DataIssueText{DataIssue::unpack_srcb_bcast, "srcb_bcast of UNPACR"},
    DataIssueText{DataIssue::unpack_limit_enable, "THCON_SECn_REG10_Unpack_limit_address_en"},
    DataIssueText{DataIssue::unpack_tile_offset, "THCON_SECn_REG8_unpack_tile_offset"},
    DataIssueText{DataIssue::unpack_nop_overlay, "UNPACR_NOP that acknowledges messages of a stream"},
    DataIssueText{DataIssue::unpack_nop_setreg,
                  "UNPACR_NOP that writes a register in MMIO, at an address that TDMA-RISC has not been given"},
    DataIssueText{DataIssue::unpack_nop_value,
                  "UNPACR_NOP that clears to a value from configuration, or SrcB to minus infinity"},
    DataIssueText{DataIssue::matrix_zero_flag_dst, "ALU_ACC_CTRL_Zero_Flag_disabled_dst, which no page describes"},
    DataIssueText{DataIssue::matrix_legacy_max_pool, "is a legacy max pool, whose result is not documented"},
    DataIssueText{DataIssue::pack_compression, "compression in a packer (Disable_zero_compress = 0)"},
    DataIssueText{DataIssue::pack_from_l1, "packing from L1 (Source_interface_selection = 1)"},
    DataIssueText{DataIssue::pack_context_kept, "a context of the packer that is not reset (CtxtCtrl = 3)"},
    DataIssueText{DataIssue::pack_setting, "a packer setting that no page describes"},
    DataIssueText{DataIssue::pack_metadata, "metadata of packed tiles (Enable_out_fifo = 1)"},
    DataIssueText{DataIssue::pack_descale_mode, "a shift for each Z (INT_DESCALE_Mode = 1)"},
    DataIssueText{DataIssue::pack_accumulate_format, "accumulation in L1 of this format"},
    DataIssueText{DataIssue::pack_register_write,
                  "a register write by PACR_SETREG, at an address or with a factor that TDMA-RISC has not been given"},
    DataIssueText{DataIssue::scalar_noc_register, "a register of the NoC or of its overlay"},
    DataIssueText{DataIssue::scalar_unmodelled_register, "this register of the tile"},
    DataIssueText{DataIssue::stream_register, "this register of an overlay stream, which the scenario does not set"},
    DataIssueText{DataIssue::vector_macro_lanes, "SFPLOADMACRO with a configuration that differs between lanes"},
    DataIssueText{DataIssue::vector_stack_lanes, "a stack of flags whose depth differs between lanes"},
};

constexpr bool is_modelled(DataIssue issue) {
  return issue < DataIssue::first_unmodelled;
}
constexpr std::string_view text_of(DataIssue issue) {
  for (const DataIssueText& row : data_issue_texts)
    if (row.issue == issue) return row.text;
  return "";
}

}  // namespace tensim::tensix
