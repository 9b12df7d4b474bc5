// Zicsr, Zaamo, T2's vector instructions and .ttinsn. Pages: BabyRISCV/InstructionSet.md, PushTensixInstruction.md.
#pragma once

#include <array>

#include "riscv/table/row.hpp"

namespace tensim::riscv::table {

constexpr Row csr_row(Op op, std::string_view name, Format format, Word funct3) {
  return {op, name, format, Kind::csr, Extension::zicsr, with_funct3(system, funct3), funct3_mask};
}

inline constexpr std::array csr{
    csr_row(Op::csrrw, "csrrw", Format::csr, 1),
    csr_row(Op::csrrs, "csrrs", Format::csr, 2),
    csr_row(Op::csrrc, "csrrc", Format::csr, 3),
    csr_row(Op::csrrwi, "csrrwi", Format::csr_immediate, 5),
    csr_row(Op::csrrsi, "csrrsi", Format::csr_immediate, 6),
    csr_row(Op::csrrci, "csrrci", Format::csr_immediate, 7),
};

/// No lr.w and sc.w (Zalrsc). Only L1 can be the target. aq and rl count as set whatever the word says.
constexpr Row amo_row(Op op, std::string_view name, Word funct5) {
  return {op, name, Format::amo, Kind::amo, Extension::zaamo, with_funct3(amo, 2) | (funct5 << 27U), amo_mask};
}

inline constexpr std::array atomic{
    amo_row(Op::amoadd_w, "amoadd.w", 0x00),  //
    amo_row(Op::amoswap_w, "amoswap.w", 0x01), amo_row(Op::amoxor_w, "amoxor.w", 0x04),
    amo_row(Op::amoor_w, "amoor.w", 0x08),     amo_row(Op::amoand_w, "amoand.w", 0x0C),
    amo_row(Op::amomin_w, "amomin.w", 0x10),   amo_row(Op::amomax_w, "amomax.w", 0x14),
    amo_row(Op::amominu_w, "amominu.w", 0x18), amo_row(Op::amomaxu_w, "amomaxu.w", 0x1C),
};

constexpr Row vector_row(Op op, std::string_view name, Word match, Word mask) {
  return {op, name, Format::vector, Kind::vector, Extension::v, match, mask, 0, "T2 of Blackhole only; not modelled"};
}

// Vector loads and stores share their major opcodes with flw and fsw; the width in bits 14:12 tells them apart. Elements
// have at most 32 bits. Of OP-V, funct3 7 sets the configuration and the rest is arithmetic, by kind of operands.
inline constexpr std::array vector{
    vector_row(Op::vsetvli, "vsetvli", with_funct3(op_v, 7), 0x8000'707F),
    vector_row(Op::vsetivli, "vsetivli", with_funct3(op_v, 7) | 0xC000'0000, 0xC000'707F),
    vector_row(Op::vsetvl, "vsetvl", with_funct7(op_v, 7, 0x40), funct7_mask),
    vector_row(Op::vector_load_8, "vector.load.8", with_funct3(load_fp, 0), funct3_mask),
    vector_row(Op::vector_load_16, "vector.load.16", with_funct3(load_fp, 5), funct3_mask),
    vector_row(Op::vector_load_32, "vector.load.32", with_funct3(load_fp, 6), funct3_mask),
    vector_row(Op::vector_store_8, "vector.store.8", with_funct3(store_fp, 0), funct3_mask),
    vector_row(Op::vector_store_16, "vector.store.16", with_funct3(store_fp, 5), funct3_mask),
    vector_row(Op::vector_store_32, "vector.store.32", with_funct3(store_fp, 6), funct3_mask),
    vector_row(Op::vector_ivv, "vector.ivv", with_funct3(op_v, 0), funct3_mask),
    vector_row(Op::vector_fvv, "vector.fvv", with_funct3(op_v, 1), funct3_mask),
    vector_row(Op::vector_mvv, "vector.mvv", with_funct3(op_v, 2), funct3_mask),
    vector_row(Op::vector_ivi, "vector.ivi", with_funct3(op_v, 3), funct3_mask),
    vector_row(Op::vector_ivx, "vector.ivx", with_funct3(op_v, 4), funct3_mask),
    vector_row(Op::vector_fvf, "vector.fvf", with_funct3(op_v, 5), funct3_mask),
    vector_row(Op::vector_mvx, "vector.mvx", with_funct3(op_v, 6), funct3_mask),
};

/// What is not told by match and mask; the decoder knows them.
inline constexpr std::array special{
    Row{Op::ttinsn, ".ttinsn", Format::tensix, Kind::ttinsn, Extension::ttinsn, 0, 0, 0,
        "bits 1:0 are not 3. The same as a store of the Tensix word to INSTRN_BUF_BASE, 0xFFE40000"},
    Row{Op::undefined, "undefined", Format::plain, Kind::undefined, Extension::none, 0, 0, 0,
        "Wormhole executes such words as some other instruction, often a nop"},
};

}  // namespace tensim::riscv::table
