// Zba, Zbb, and what Blackhole has beyond them: pack and brev8 of Zbkb, grevi of Bitmanip 0.94-draft.
// Page: BabyRISCV/InstructionSet.md. zext.h is pack with x0, and rev8 and brev8 are grevi with 24 and 7: each pair
// agrees on the result, so the row with more fixed bits only gives the word its name.
#pragma once

#include <array>

#include "riscv/table/row.hpp"

namespace tensim::riscv::table {

constexpr Row bit_row(Op op, std::string_view name, Extension extension, Word funct3, Word funct7) {
  return {op,         name, Format::register_register, Kind::alu, extension, with_funct7(Major::op, funct3, funct7),
          funct7_mask};
}
constexpr Row bit_unary_row(Op op, std::string_view name, Extension extension, Word major, Word funct3, Word funct12) {
  return {op, name, Format::unary, Kind::alu, extension, with_funct12(major, funct3, funct12), funct12_mask};
}
constexpr Row bit_shift_row(Op op, std::string_view name, Extension extension, Word funct7) {
  return {op, name, Format::shift, Kind::alu, extension, with_funct7(op_imm, 5, funct7), funct7_mask};
}

inline constexpr std::array bit_manipulation{
    bit_row(Op::sh1add, "sh1add", Extension::zba, 2, 0x10),
    bit_row(Op::sh2add, "sh2add", Extension::zba, 4, 0x10),
    bit_row(Op::sh3add, "sh3add", Extension::zba, 6, 0x10),
    bit_row(Op::andn, "andn", Extension::zbb, 7, 0x20),
    bit_row(Op::orn, "orn", Extension::zbb, 6, 0x20),
    bit_row(Op::xnor, "xnor", Extension::zbb, 4, 0x20),
    bit_unary_row(Op::clz, "clz", Extension::zbb, op_imm, 1, 0x600),
    bit_unary_row(Op::ctz, "ctz", Extension::zbb, op_imm, 1, 0x601),
    bit_unary_row(Op::cpop, "cpop", Extension::zbb, op_imm, 1, 0x602),
    bit_row(Op::max, "max", Extension::zbb, 6, 0x05),
    bit_row(Op::maxu, "maxu", Extension::zbb, 7, 0x05),
    bit_row(Op::min, "min", Extension::zbb, 4, 0x05),
    bit_row(Op::minu, "minu", Extension::zbb, 5, 0x05),
    bit_unary_row(Op::sext_b, "sext.b", Extension::zbb, op_imm, 1, 0x604),
    bit_unary_row(Op::sext_h, "sext.h", Extension::zbb, op_imm, 1, 0x605),
    bit_unary_row(Op::zext_h, "zext.h", Extension::zbb, Major::op, 4, 0x080),
    bit_row(Op::rol, "rol", Extension::zbb, 1, 0x30),
    bit_row(Op::ror, "ror", Extension::zbb, 5, 0x30),
    bit_shift_row(Op::rori, "rori", Extension::zbb, 0x30),
    bit_unary_row(Op::orc_b, "orc.b", Extension::zbb, op_imm, 5, 0x287),
    bit_unary_row(Op::rev8, "rev8", Extension::zbb, op_imm, 5, 0x698),
    bit_row(Op::pack, "pack", Extension::zbkb, 4, 0x04),
    bit_unary_row(Op::brev8, "brev8", Extension::zbkb, op_imm, 5, 0x687),
    bit_shift_row(Op::grevi, "grevi", Extension::bitmanip, 0x34),
};

}  // namespace tensim::riscv::table
