#include "report/data_issues.hpp"

#include <array>

#include "arch/named_rows.hpp"

namespace tensim::report {
namespace {

using tensix::DataIssue;

constexpr NamedRows rows{std::array{
    NamedRow{DataIssue::none, ""},
    NamedRow{DataIssue::l1_range, "reaches beyond L1; that part is not moved"},
    NamedRow{DataIssue::unpack_context, "unpacker 1 has two contexts; the configuration of the one named is used"},
    NamedRow{DataIssue::unpack_adc, "ContextADC is 3; the counters of the thread are used"},
    NamedRow{DataIssue::unpack_format, "no such conversion between these formats; nothing is moved"},
    NamedRow{DataIssue::unpack_range, "the last datum is before the first; nothing is moved"},
    NamedRow{DataIssue::unpack_input_alignment,
             "tilizing and transposing want a multiple of 16 bytes in L1; done as if allowed"},
    NamedRow{DataIssue::unpack_output_alignment, "the output address is not a multiple of the datum; rounded down"},
    NamedRow{DataIssue::unpack_modes,
             "settings that do not go together (tilizing with upsampling, compression or datums below a byte; Dst "
             "with shifts or transposing); done as if allowed"},
    NamedRow{DataIssue::unpack_rows, "goes beyond the rows of SrcA; they are not written"},
    NamedRow{DataIssue::unpack_burst,
             "several rows of SrcA are written at once, and hardware may lose some that do not start at a "
             "multiple of them; all are written"},
    NamedRow{DataIssue::unpack_throttle, "Throttle_mode is 3; x4 is taken"},
    NamedRow{DataIssue::unpack_exponent, "an exponent needs more than five bits; the lower five count"},
    NamedRow{DataIssue::matrix_format, "works with a format code that is none; taken for TF32"},
    NamedRow{DataIssue::matrix_formats, "has operands of different exponent widths; SrcA's format is used for both"},
    NamedRow{DataIssue::dst16_low_half, "wants the low half of 32 bits from a Dst of 16 bits; the flag is ignored"},
    NamedRow{DataIssue::dst16_tf32, "wants TF32 from a Dst of 16 bits; taken for BF16"},
    NamedRow{DataIssue::zeroacc_revert, "makes rows of Dst defined that nobody wrote; they hold what they held"},
    NamedRow{DataIssue::shiftxa_direction, "shifts in a reserved direction; nothing is moved"},
    NamedRow{DataIssue::gmpool_width, "pools with an undocumented width; 16 by 16 is used"},
    NamedRow{DataIssue::dst16_upper_halves,
             "writes Dst in 16 bits into the upper halves of 32 (DBG_FEATURE_DISABLE bit 11), and hardware writes "
             "something to the lower ones; they are left as they are"},
    NamedRow{
        DataIssue::matrix_stochastic_rounding,
        "rounds sums stochastically (ALU_ROUNDING_MODE_Fpu_srnd_en), and hardware's random bits are not documented; "
        "those of the Vector Unit's generator are used"},
    NamedRow{DataIssue::pack_stochastic_rounding,
             "rounds stochastically, and hardware's random bits are not documented; those of the Vector Unit's "
             "generator are used"},
    NamedRow{DataIssue::pack_context,
             "uses another context than 0, whose settings no page lists; those of the block of the same number "
             "are used (THCON_SEC0_REG1, SEC0_REG8, SEC1_REG1, SEC1_REG8, and what has a SEC of that number)"},
    NamedRow{DataIssue::pack_mask, "names packers that cannot be named together; all of them work"},
    NamedRow{DataIssue::pack_x_range,
             "has an X range that is empty or longer than a row; nothing, or 16 datums, are packed"},
    NamedRow{DataIssue::pack_format, "asks for a conversion that is not defined; zeros are packed"},
    NamedRow{DataIssue::pack_integer_infinity, "replaces integers by minus infinity; all their bits are set"},
    NamedRow{DataIssue::scalar_src_row, "names a row that Src does not have; nothing is written"},
    NamedRow{DataIssue::scalar_mmio_address,
             "reaches no register, or asks one for something undefined; a store is lost, a load gives 0"},
    NamedRow{DataIssue::scalar_flop_index, "is beyond the THCON_ words of configuration; nothing is written"},
    NamedRow{DataIssue::scalar_flop_blackhole,
             "writes configuration through the Scalar Unit, which no page of this chip confirms; done as on "
             "Wormhole"},
    NamedRow{DataIssue::mover_range, "has the mover leave a memory; nothing is moved"},
    NamedRow{DataIssue::vector_early_read,
             "reads a register in the cycle before its result is there; the old value is read"},
    NamedRow{DataIssue::vector_shuffle_write,
             "must not follow a shuffle of lanes (SFPSHFT2) without an SFPNOP; done as if it might"},
    NamedRow{DataIssue::vector_mode, "has a mode that is not defined; nothing happens"},
    NamedRow{DataIssue::vector_rounding, "has a rounding mode that is not defined; rounds stochastically"},
    NamedRow{DataIssue::vector_stack_full, "pushes on a full stack of flags; nothing happens"},
    NamedRow{DataIssue::vector_stack_empty,
             "takes from an empty stack of flags, or changes its top; all flags are cleared, or nothing happens"},
    NamedRow{DataIssue::vector_undefined_row, "loads rows of Dst that ZEROACC has made undefined; zeros are loaded"},
    NamedRow{DataIssue::vector_dst_early,
             "loads from Dst what the Matrix Unit has written less than three instructions before; it is there"},
    NamedRow{DataIssue::vector_index_write,
             "writes LReg 4 to 7 while ENABLE_DEST_INDEX is set, which hardware may spoil; written as usual"},
    NamedRow{DataIssue::vector_backdoor,
             "names LReg 12 or above right behind a change of DISABLE_BACKDOOR_LOAD; the new setting counts"},
    NamedRow{DataIssue::vector_macro_sequence,
             "schedules something undefined for a sub-unit; nothing is scheduled for it"},
    NamedRow{DataIssue::vector_macro_conflict,
             "is scheduled for a cycle in which another instruction writes the same register; one of them wins"},
    NamedRow{DataIssue::vector_macro_discard,
             "comes in a cycle in which a scheduled instruction uses its sub-unit; it is lost"},
    NamedRow{DataIssue::first_unmodelled, ""},
    NamedRow{DataIssue::unpack_rareb, "rareb_en of UNPACR"},
    NamedRow{DataIssue::unpack_srcb_bcast, "srcb_bcast of UNPACR"},
    NamedRow{DataIssue::unpack_limit_enable, "THCON_SECn_REG10_Unpack_limit_address_en"},
    NamedRow{DataIssue::unpack_tile_offset, "THCON_SECn_REG8_unpack_tile_offset"},
    NamedRow{DataIssue::unpack_nop_overlay, "UNPACR_NOP that acknowledges messages of a stream"},
    NamedRow{DataIssue::unpack_nop_setreg,
             "UNPACR_NOP that writes a register in MMIO, at an address that TDMA-RISC has not been given"},
    NamedRow{DataIssue::unpack_nop_value,
             "UNPACR_NOP that clears to a value from configuration, or SrcB to minus infinity"},
    NamedRow{DataIssue::matrix_zero_flag_dst, "ALU_ACC_CTRL_Zero_Flag_disabled_dst, which no page describes"},
    NamedRow{DataIssue::matrix_legacy_max_pool, "is a legacy max pool, whose result is not documented"},
    NamedRow{DataIssue::pack_compression, "compression in a packer (Disable_zero_compress = 0)"},
    NamedRow{DataIssue::pack_from_l1, "packing from L1 (Source_interface_selection = 1)"},
    NamedRow{DataIssue::pack_context_kept, "a context of the packer that is not reset (CtxtCtrl = 3)"},
    NamedRow{DataIssue::pack_setting, "a packer setting that no page describes"},
    NamedRow{DataIssue::pack_metadata, "metadata of packed tiles (Enable_out_fifo = 1)"},
    NamedRow{DataIssue::pack_descale_mode, "a shift for each Z (INT_DESCALE_Mode = 1)"},
    NamedRow{DataIssue::pack_accumulate_format, "accumulation in L1 of this format"},
    NamedRow{DataIssue::pack_register_write,
             "a register write by PACR_SETREG, at an address or with a factor that TDMA-RISC has not been given"},
    NamedRow{DataIssue::scalar_noc_register, "a register of the NoC or of its overlay"},
    NamedRow{DataIssue::scalar_unmodelled_register, "this register of the tile"},
    NamedRow{DataIssue::stream_register, "this register of an overlay stream, which the scenario does not set"},
    NamedRow{DataIssue::vector_macro_lanes, "SFPLOADMACRO with a configuration that differs between lanes"},
    NamedRow{DataIssue::vector_stack_lanes, "a stack of flags whose depth differs between lanes"},
}};
static_assert(rows.cover(DataIssue::vector_stack_lanes));

}  // namespace

std::span<const NamedRow<DataIssue>> data_issue_rows() {
  return {rows.begin(), rows.end()};
}

std::string_view text_of(DataIssue issue) {
  return rows.name(issue);
}

}  // namespace tensim::report
