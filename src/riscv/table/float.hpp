// F and Zfh, as far as Blackhole has them: no fdiv, no fsqrt. Page: BabyRISCV/InstructionSet.md.
// Rounding modes are ignored, so every value of rm is the same instruction, reserved ones too.
#pragma once

#include <array>

#include "riscv/table/row.hpp"

namespace tensim::riscv::table {

inline constexpr std::uint8_t f_all = op_rd | op_rs1 | op_rs2 | op_rs3;
inline constexpr std::uint8_t f_sources = op_rs1 | op_rs2;
inline constexpr Word single = 0;  // the format in bits 26:25
inline constexpr Word half = 2;

constexpr Row fp_row(Op op, std::string_view name, Format format, Kind kind, Word match, Word mask,
                     std::uint8_t floats) {
  const bool is_half = name.ends_with(".h") || name.find(".h.") != std::string_view::npos || name.ends_with("lh") ||
                       name.ends_with("sh");
  return {op, name, format, kind, is_half ? Extension::zfh : Extension::f, match, mask, floats};
}
constexpr Row memory_row(Op op, std::string_view name, Format format, Kind kind, Word major, Word width) {
  return fp_row(op, name, format, kind, with_funct3(major, width), funct3_mask,
                kind == Kind::float_load ? op_rd : op_rs2);
}
constexpr Row ternary_row(Op op, std::string_view name, Word major, Word format) {
  return fp_row(op, name, Format::float_ternary, Kind::float_op, major | (format << 25U), float_ternary_mask, f_all);
}
constexpr Row rounded_row(Op op, std::string_view name, Word funct5, Word format) {
  return fp_row(op, name, Format::float_binary, Kind::float_op, with_funct7(op_fp, 0, (funct5 << 2U) | format),
                float_mask, op_rd | f_sources);
}
constexpr Row exact_row(Op op, std::string_view name, Word funct5, Word format, Word funct3, std::uint8_t floats) {
  return fp_row(op, name, Format::register_register, Kind::float_op,
                with_funct7(op_fp, funct3, (funct5 << 2U) | format), funct7_mask, floats);
}
/// A conversion: `choice` is what stands in the place of rs2.
constexpr Row convert_row(Op op, std::string_view name, Word funct5, Word format, Word choice, std::uint8_t floats,
                          Format text = Format::float_unary) {
  return fp_row(op, name, text, Kind::float_op, with_funct12(op_fp, 0, (funct5 << 7U) | (format << 5U) | choice),
                float_unary_mask, floats);
}
constexpr Row move_row(Op op, std::string_view name, Word funct5, Word format, Word funct3, std::uint8_t floats) {
  return fp_row(op, name, Format::unary, Kind::float_op, with_funct12(op_fp, funct3, (funct5 << 7U) | (format << 5U)),
                funct12_mask, floats);
}

inline constexpr std::array single_precision{
    memory_row(Op::flw, "flw", Format::load, Kind::float_load, load_fp, 2),
    memory_row(Op::fsw, "fsw", Format::store, Kind::float_store, store_fp, 2),
    ternary_row(Op::fmadd_s, "fmadd.s", madd, single),
    ternary_row(Op::fmsub_s, "fmsub.s", msub, single),
    ternary_row(Op::fnmsub_s, "fnmsub.s", nmsub, single),
    ternary_row(Op::fnmadd_s, "fnmadd.s", nmadd, single),
    rounded_row(Op::fadd_s, "fadd.s", 0x00, single),
    rounded_row(Op::fsub_s, "fsub.s", 0x01, single),
    rounded_row(Op::fmul_s, "fmul.s", 0x02, single),
    exact_row(Op::fsgnj_s, "fsgnj.s", 0x04, single, 0, op_rd | f_sources),
    exact_row(Op::fsgnjn_s, "fsgnjn.s", 0x04, single, 1, op_rd | f_sources),
    exact_row(Op::fsgnjx_s, "fsgnjx.s", 0x04, single, 2, op_rd | f_sources),
    exact_row(Op::fmin_s, "fmin.s", 0x05, single, 0, op_rd | f_sources),
    exact_row(Op::fmax_s, "fmax.s", 0x05, single, 1, op_rd | f_sources),
    convert_row(Op::fcvt_w_s, "fcvt.w.s", 0x18, single, 0, op_rs1),
    convert_row(Op::fcvt_wu_s, "fcvt.wu.s", 0x18, single, 1, op_rs1),
    move_row(Op::fmv_x_w, "fmv.x.w", 0x1C, single, 0, op_rs1),
    exact_row(Op::feq_s, "feq.s", 0x14, single, 2, f_sources),
    exact_row(Op::flt_s, "flt.s", 0x14, single, 1, f_sources),
    exact_row(Op::fle_s, "fle.s", 0x14, single, 0, f_sources),
    move_row(Op::fclass_s, "fclass.s", 0x1C, single, 1, op_rs1),
    convert_row(Op::fcvt_s_w, "fcvt.s.w", 0x1A, single, 0, op_rd),
    convert_row(Op::fcvt_s_wu, "fcvt.s.wu", 0x1A, single, 1, op_rd),
    move_row(Op::fmv_w_x, "fmv.w.x", 0x1E, single, 0, op_rd),
};

inline constexpr std::array half_precision{
    memory_row(Op::flh, "flh", Format::load, Kind::float_load, load_fp, 1),
    memory_row(Op::fsh, "fsh", Format::store, Kind::float_store, store_fp, 1),
    ternary_row(Op::fmadd_h, "fmadd.h", madd, half),
    ternary_row(Op::fmsub_h, "fmsub.h", msub, half),
    ternary_row(Op::fnmsub_h, "fnmsub.h", nmsub, half),
    ternary_row(Op::fnmadd_h, "fnmadd.h", nmadd, half),
    rounded_row(Op::fadd_h, "fadd.h", 0x00, half),
    rounded_row(Op::fsub_h, "fsub.h", 0x01, half),
    rounded_row(Op::fmul_h, "fmul.h", 0x02, half),
    exact_row(Op::fsgnj_h, "fsgnj.h", 0x04, half, 0, op_rd | f_sources),
    exact_row(Op::fsgnjn_h, "fsgnjn.h", 0x04, half, 1, op_rd | f_sources),
    exact_row(Op::fsgnjx_h, "fsgnjx.h", 0x04, half, 2, op_rd | f_sources),
    exact_row(Op::fmin_h, "fmin.h", 0x05, half, 0, op_rd | f_sources),
    exact_row(Op::fmax_h, "fmax.h", 0x05, half, 1, op_rd | f_sources),
    convert_row(Op::fcvt_s_h, "fcvt.s.h", 0x08, single, 2, op_rd | op_rs1, Format::float_widen),
    convert_row(Op::fcvt_h_s, "fcvt.h.s", 0x08, half, 0, op_rd | op_rs1),
    convert_row(Op::fcvt_w_h, "fcvt.w.h", 0x18, half, 0, op_rs1),
    convert_row(Op::fcvt_wu_h, "fcvt.wu.h", 0x18, half, 1, op_rs1),
    move_row(Op::fmv_x_h, "fmv.x.h", 0x1C, half, 0, op_rs1),
    exact_row(Op::feq_h, "feq.h", 0x14, half, 2, f_sources),
    exact_row(Op::flt_h, "flt.h", 0x14, half, 1, f_sources),
    exact_row(Op::fle_h, "fle.h", 0x14, half, 0, f_sources),
    move_row(Op::fclass_h, "fclass.h", 0x1C, half, 1, op_rs1),
    convert_row(Op::fcvt_h_w, "fcvt.h.w", 0x1A, half, 0, op_rd),
    convert_row(Op::fcvt_h_wu, "fcvt.h.wu", 0x1A, half, 1, op_rd),
    move_row(Op::fmv_h_x, "fmv.h.x", 0x1E, half, 0, op_rd),
};

}  // namespace tensim::riscv::table
