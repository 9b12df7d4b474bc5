// Fields and operands that several of the Vector Unit's instructions share.
#pragma once

#include "isa/form.hpp"
#include "isa/symbols.hpp"
#include "isa/table/vector_modifiers.hpp"

namespace tensim::isa::table {

constexpr Form vector_row(Form form) {
  form.unit = Unit::vector;
  if (form.block.bits == 0) form.block = {B8};
  return form;
}

namespace vector_parts {

inline constexpr Field addr_mod_wormhole{"AddrMod", 15, 14,
                                         "which address-modifier slot advances the row counters afterwards"};
inline constexpr Field imm10{"Imm10", 9, 0, "Dst address: bits 9:2 four-row group, bit 1 odd columns, bit 0 unused"};
inline constexpr Field addr_mod_blackhole{"AddrMod", 15, 13,
                                          "which address-modifier slot advances the row counters afterwards"};
inline constexpr Field vc{"VC", 11, 8, "source register", &lregs};
inline constexpr Field vd{"VD", 7, 4, "result register", &lregs};
inline constexpr Field vc_11{"VC", 11, 8, "first operand register", &lregs};
inline constexpr Field vd_7{"VD", 7, 4, "not an operand; 12-15 turn it into a macro template write unless disabled",
                            &lregs};
inline constexpr Field vc_11_11{"VC", 11, 8, "other operand register", &lregs};
inline constexpr Field vd_7_7{"VD", 7, 4, "operand and result register", &lregs};
inline constexpr Field va{"VA", 19, 16, "first factor register", &lregs};
inline constexpr Field vb{"VB", 15, 12, "second factor register", &lregs};
inline constexpr Field mod1_wormhole{"Mod1", 3, 0, "LReg[7] indirection of VA and VD; bits 1:0 unused", &sfpmad_mod1};
inline constexpr Field mod1_blackhole{"Mod1", 3, 0, "sign flips of VB and VC, LReg[7] indirection of VA and VD",
                                      &sfpmad_mod1_blackhole};
inline constexpr Operands sfpload_operands_wormhole{{"lreg_ind", 20, 4, Operand::Style::lreg},
                                                    {"dest_reg_addr", 0, 14},
                                                    {"instr_mod0", 16, 4},
                                                    {"sfpu_addr_mode", 14, 2}};
inline constexpr Operands sfpload_operands_blackhole{{"lreg_ind", 20, 4, Operand::Style::lreg},
                                                     {"dest_reg_addr", 0, 13},
                                                     {"instr_mod0", 16, 4},
                                                     {"sfpu_addr_mode", 13, 3}};
inline constexpr Operands sfpmuli_operands{
    {"lreg_dest", 4, 4, Operand::Style::lreg}, {"imm16_math", 8, 16}, {"instr_mod1", 0, 4}};
inline constexpr Operands sfpdivp2_operands{{"lreg_dest", 4, 4, Operand::Style::lreg},
                                            {"lreg_c", 8, 4, Operand::Style::lreg},
                                            {"imm12_math", 12, 12, Operand::Style::hex},
                                            {"instr_mod1", 0, 4}};
inline constexpr Operands sfpexexp_operands{
    {"lreg_dest", 4, 4, Operand::Style::lreg}, {"lreg_c", 8, 4, Operand::Style::lreg}, {"instr_mod1", 0, 4}};
inline constexpr Operands sfpand_operands_wormhole{{"lreg_dest", 4, 4, Operand::Style::lreg},
                                                   {"lreg_c", 8, 4, Operand::Style::lreg}};
inline constexpr Operands sfpand_operands_blackhole{{"lreg_dest", 4, 4, Operand::Style::lreg},
                                                    {"lreg_b", 12, 4, Operand::Style::lreg},
                                                    {"lreg_c", 8, 4, Operand::Style::lreg},
                                                    {"instr_mod1", 0, 4}};
inline constexpr Operands sfpmad_operands{{"lreg_dest", 4, 4, Operand::Style::lreg},
                                          {"lreg_src_a", 16, 4, Operand::Style::lreg},
                                          {"lreg_src_b", 12, 4, Operand::Style::lreg},
                                          {"lreg_src_c", 8, 4, Operand::Style::lreg},
                                          {"instr_mod1", 0, 4}};
inline constexpr Operands sfppushc_operands{{"instr_mod1", 0, 4}};
inline constexpr Operands sfpcast_operands{
    {"lreg_dest", 4, 4, Operand::Style::lreg}, {"lreg_src_c", 8, 4, Operand::Style::lreg}, {"instr_mod1", 0, 4}};
inline constexpr Operands sfplutfp32_operands{{"lreg_dest", 4, 4, Operand::Style::lreg}, {"instr_mod1", 0, 4}};
inline constexpr Operands sfple_operands{{"lreg_dest", 4, 4, Operand::Style::lreg},
                                         {"lreg_c", 8, 4, Operand::Style::lreg},
                                         {"imm12_math", 12, 1},
                                         {"instr_mod1", 0, 4}};

}  // namespace vector_parts

}  // namespace tensim::isa::table
