// RV32I, M, and the few system instructions there are. Pages: BabyRISCV/README.md (Wormhole), BabyRISCV/InstructionSet.md.
#pragma once

#include <array>

#include "riscv/table/row.hpp"

namespace tensim::riscv::table {

constexpr Row base_row(Op op, std::string_view name, Format format, Kind kind, Word match, Word mask,
                       std::string_view note = {}) {
  return {op, name, format, kind, Extension::i, match, mask, 0, note};
}
constexpr Row branch_row(Op op, std::string_view name, Word funct3) {
  return base_row(op, name, Format::branch, Kind::branch, with_funct3(branch, funct3), funct3_mask);
}
constexpr Row load_row(Op op, std::string_view name, Word funct3) {
  return base_row(op, name, Format::load, Kind::load, with_funct3(load, funct3), funct3_mask);
}
constexpr Row store_row(Op op, std::string_view name, Word funct3) {
  return base_row(op, name, Format::store, Kind::store, with_funct3(store, funct3), funct3_mask);
}
constexpr Row immediate_row(Op op, std::string_view name, Word funct3) {
  return base_row(op, name, Format::register_immediate, Kind::alu, with_funct3(op_imm, funct3), funct3_mask);
}
constexpr Row shift_row(Op op, std::string_view name, Word funct3, Word funct7) {
  return base_row(op, name, Format::shift, Kind::alu, with_funct7(op_imm, funct3, funct7), funct7_mask);
}
constexpr Row register_row(Op op, std::string_view name, Word funct3, Word funct7) {
  return base_row(op, name, Format::register_register, Kind::alu, with_funct7(Major::op, funct3, funct7), funct7_mask);
}
constexpr Row m_row(Op op, std::string_view name, Kind kind, Word funct3) {
  return {op, name, Format::register_register, kind, Extension::m, with_funct7(Major::op, funct3, 0x01), funct7_mask};
}

inline constexpr std::array integer{
    base_row(Op::lui, "lui", Format::upper, Kind::alu, lui, opcode_mask),
    base_row(Op::auipc, "auipc", Format::upper, Kind::alu, auipc, opcode_mask),
    base_row(Op::jal, "jal", Format::jump, Kind::jal, jal, opcode_mask),
    base_row(Op::jalr, "jalr", Format::load, Kind::jalr, jalr, funct3_mask),
    branch_row(Op::beq, "beq", 0),
    branch_row(Op::bne, "bne", 1),
    branch_row(Op::blt, "blt", 4),
    branch_row(Op::bge, "bge", 5),
    branch_row(Op::bltu, "bltu", 6),
    branch_row(Op::bgeu, "bgeu", 7),
    load_row(Op::lb, "lb", 0),
    load_row(Op::lh, "lh", 1),
    load_row(Op::lw, "lw", 2),
    load_row(Op::lbu, "lbu", 4),
    load_row(Op::lhu, "lhu", 5),
    store_row(Op::sb, "sb", 0),
    store_row(Op::sh, "sh", 1),
    store_row(Op::sw, "sw", 2),
    immediate_row(Op::addi, "addi", 0),
    immediate_row(Op::slti, "slti", 2),
    immediate_row(Op::sltiu, "sltiu", 3),
    immediate_row(Op::xori, "xori", 4),
    immediate_row(Op::ori, "ori", 6),
    immediate_row(Op::andi, "andi", 7),
    shift_row(Op::slli, "slli", 1, 0x00),
    shift_row(Op::srli, "srli", 5, 0x00),
    shift_row(Op::srai, "srai", 5, 0x20),
    register_row(Op::add, "add", 0, 0x00),
    register_row(Op::sub, "sub", 0, 0x20),
    register_row(Op::sll, "sll", 1, 0x00),
    register_row(Op::slt, "slt", 2, 0x00),
    register_row(Op::sltu, "sltu", 3, 0x00),
    register_row(Op::xor_, "xor", 4, 0x00),
    register_row(Op::srl, "srl", 5, 0x00),
    register_row(Op::sra, "sra", 5, 0x20),
    register_row(Op::or_, "or", 6, 0x00),
    register_row(Op::and_, "and", 7, 0x00),
    base_row(Op::fence, "fence", Format::fence, Kind::fence, misc_mem, funct3_mask,
             "Wormhole: a nop. Blackhole: the strongest fence whatever its bits say (fence.tso and pause too); stores "
             "have left the store queue, but need not have arrived"),
    Row{Op::fence_i, "fence.i", Format::plain, Kind::fence, Extension::zifencei, with_funct3(misc_mem, 1), funct3_mask,
        0, "Wormhole: not implemented, a nop (InstructionCache.md). Blackhole: not listed; a nop is assumed"},
    base_row(Op::ecall, "ecall", Format::plain, Kind::system, with_funct12(system, 0, 0x000), all_bits,
             "Wormhole: a debug pause, as ebreak (DebugInterface.md). Blackhole: only that it serialises (CSRs.md, "
             "DisCsrSync)"),
    base_row(Op::ebreak, "ebreak", Format::plain, Kind::system, with_funct12(system, 0, 0x001), all_bits,
             "a debug pause, in the manner of a hardware breakpoint"),
    Row{Op::mret, "mret", Format::plain, Kind::system, Extension::mret, with_funct12(system, 0, 0x302), all_bits, 0,
        "Blackhole B and NC: returns from an interrupt handler; there are no privilege levels"},
    m_row(Op::mul, "mul", Kind::mul, 0),
    m_row(Op::mulh, "mulh", Kind::mul, 1),
    m_row(Op::mulhsu, "mulhsu", Kind::mul, 2),
    m_row(Op::mulhu, "mulhu", Kind::mul, 3),
    m_row(Op::div, "div", Kind::div, 4),
    m_row(Op::divu, "divu", Kind::div, 5),
    m_row(Op::rem, "rem", Kind::div, 6),
    m_row(Op::remu, "remu", Kind::div, 7),
};

}  // namespace tensim::riscv::table
