// Packers: Dst to L1. Four packers on Wormhole, one with four read interfaces on Blackhole (errata 43).
#pragma once

#include <array>

#include "isa/form.hpp"
#include "isa/symbols.hpp"

namespace tensim::isa::table {

constexpr Form packers_row(Form form) {
  form.unit = Unit::packers;
  if (form.block.bits == 0) form.block = {B0 | B2};
  return form;
}

namespace packers_parts {

inline constexpr SymbolSet pacr_cfg_context{
    SymbolSet::Kind::enumeration, {{0, "CFG_CTXT_0"}, {1, "CFG_CTXT_1"}, {2, "CFG_CTXT_2"}, {3, "CFG_CTXT_3"}}};
inline constexpr SymbolSet pacr_row_pad_zero{SymbolSet::Kind::enumeration,
                                             {{0, "NO_ROW_PAD_ZERO"},
                                              {1, "ROW_PAD_ZERO_ALL_PACR"},
                                              {2, "ROW_PAD_ZERO_NO_CONCAT_PACR"},
                                              {3, "ROW_PAD_ZERO_LAST_PACR"},
                                              {5, "ROW_PAD_ZERO_ALL_PACR_16DATUM_ALGN"},
                                              {6, "ROW_PAD_ZERO_NO_CONCAT_PACR_16DATUM_ALGN"},
                                              {7, "ROW_PAD_ZERO_LAST_PACR_16DATUM_ALGN"}}};
inline constexpr SymbolSet pacr_addr_cnt_context{
    SymbolSet::Kind::enumeration, {{0, "ADDR_CNT_CTXT_0"}, {1, "ADDR_CNT_CTXT_1"}, {2, "ADDR_CNT_CTXT_2"}}};
inline constexpr SymbolSet pacr_read_intf_sel{SymbolSet::Kind::enumeration,
                                              {{0, "ALL_INTF_ACTIVE"},
                                               {1, "SINGLE_INTF_ACTIVE"},
                                               {3, "TWO_INTFS_ACTIVE"},
                                               {5, "_0th_AND_2nd_INTF_ACTIVE"},
                                               {7, "THREE_INTFS_ACTIVE"},
                                               {10, "_1st_AND_3rd_INTF_ACTIVE"},
                                               {15, "ALL_INTF_ACTIVE_ONES"}}};
inline constexpr SymbolSet pacr_ctxt_ctrl{SymbolSet::Kind::enumeration,
                                          {{0, "NO_CTXT_CTRL"},
                                           {1, "RTL_FLOPS_CTXT_SEL"},
                                           {2, "RTL_FLOPS_CTXT_RST_AND_NOP"},
                                           {3, "RTL_FLOPS_CTXT_SEL_NO_RST"}}};
inline constexpr Field push{"Push", 23, 23, "must be 1 for the write to happen"};
inline constexpr Field last{"Last", 0, 0, "reserved"};
inline constexpr Operands pacrsetreg_operands_blackhole{{"Push", 23, 1},         {"ModeSel", 22, 1}, {"Unused", 12, 10},
                                                        {"DisableStall", 10, 2}, {"AddrSel", 8, 2},  {"StreamId", 2, 6},
                                                        {"Flush", 1, 1},         {"Last", 0, 1}};

}  // namespace packers_parts

constexpr auto packers_forms() {
  using namespace packers_parts;
  return std::array{
      packers_row({.name = "PACR",
                   .opcode = 0x41,
                   .archs = Arch::wormhole,
                   .operands = {{"AddrMode", 15, 9},
                                {"ZeroWrite", 12, 3},
                                {"PackSel", 8, 4},
                                {"OvrdThreadId", 7, 1},
                                {"Concat", 4, 3},
                                {"Flush", 1, 3},
                                {"Last", 0, 1}},
                   .fields = {{"AddrMod", 16, 15, "preset of ADC Y/Z changes made for the next PACR"},
                              {"ZeroWrite", 12, 12, "pack zeros instead of Dst contents"},
                              {"PackerMask", 11, 8, "mask of packers to use; 0 means packer 0"},
                              {"OvrdThreadId", 7, 7, "choose the ADC by configuration instead of by thread"},
                              {"Concat", 4, 4, "let the next PACR continue the current compressed row"},
                              {"Flush", 1, 1, "pack nothing; flush the output buffers and restart addresses"},
                              {"Last", 0, 0, "flush the output buffers and restart addresses after packing"}},
                   .summary = "Make one to four packers move datums from Dst to consecutive L1 addresses",
                   .source = "TensixCoprocessor/PACR.md"}),
      packers_row(
          {.name = "PACR",
           .opcode = 0x41,
           .archs = Arch::blackhole,
           .operands = {{"CfgContext", 21, 3},
                        {"RowPadZero", 18, 3},
                        {"DstAccessMode", 17, 1},
                        {"AddrMode", 15, 2},
                        {"AddrCntContext", 13, 2},
                        {"ZeroWrite", 12, 1},
                        {"ReadIntfSel", 8, 4},
                        {"OvrdThreadId", 7, 1},
                        {"Concat", 4, 3},
                        {"CtxtCtrl", 2, 2},
                        {"Flush", 1, 1},
                        {"Last", 0, 1}},
           .fields =
               {{"CfgContext", 22, 21, "configuration context to use", &pacr_cfg_context},
                {"RowPadZero", 20, 18, "when and how far to pad the output with zeros", &pacr_row_pad_zero},
                {"DstAccessMode", 17, 17, "read Dst rows that are apart instead of adjacent"},
                {"AddrMod", 16, 15, "preset of ADC Y/Z changes made for the next PACR"},
                {"AddrCntContext", 14, 13, "address counter set used when OvrdThreadId is set", &pacr_addr_cnt_context},
                {"ZeroWrite", 12, 12, "pack zeros instead of Dst contents"},
                {"ReadIntfSel", 11, 8, "mask of Dst read interfaces to use; 0 means all four", &pacr_read_intf_sel},
                {"OvrdThreadId", 7, 7, "choose the ADC by AddrCntContext instead of by thread"},
                {"Concat", 4, 4, "let the next PACR continue the current compressed row"},
                {"CtxtCtrl", 3, 2, "where the context comes from and whether it is reset", &pacr_ctxt_ctrl},
                {"Flush", 1, 1, "pack nothing; flush the output buffers and restart addresses"},
                {"Last", 0, 0, "flush the output buffers and restart addresses after packing"}},
           .summary = "Pack datums of one to four Dst rows into consecutive L1 addresses",
           .source = "TensixCoprocessor/PACR.md"}),
      packers_row({.name = "PACR_SETREG",
                   .opcode = 0x4A,
                   .archs = Arch::wormhole,
                   .operands = {{"Push", 23, 1},
                                {"AddrSel", 22, 1},
                                {"WrData", 12, 10},
                                {"PackSel", 8, 4},
                                {"StreamId", 2, 6},
                                {"Flush", 1, 1},
                                {"Last", 0, 1}},
                   .fields = {push,
                              {"AddrSel", 22, 22, "which of two preset base addresses to use"},
                              {"Value10", 21, 12, "value to write"},
                              {"PackSel", 11, 8, "packer mask; must be 15"},
                              {"AddrMid", 7, 2, "stream number, address bits 17:12"},
                              {"Flush", 1, 1, "must be 1 for the write to happen"},
                              last},
                   .summary = "After earlier packs, flush the packer buffers and write a word to a small MMIO window",
                   .source = "TensixCoprocessor/PACR_SETREG.md"}),
      packers_row({.name = "PACR_SETREG",
                   .form = "Write",
                   .opcode = 0x4A,
                   .archs = Arch::blackhole,
                   .select_mask = 0x400000,
                   .operands = pacrsetreg_operands_blackhole,
                   .fields = {push,
                              {"Unused", 21, 12, "vendor operand without function"},
                              {"DisableStall", 10, 10, "do not hold back younger packer instructions"},
                              {"AddrSel", 9, 8, "which of four preset base addresses to use"},
                              {"AddrMid", 7, 2, "stream number, address bits 17:12"},
                              {"Flush", 1, 1, "must be 1 for the write to happen"},
                              last},
                   .summary = "After earlier packs, write the preloaded data word to a small MMIO window",
                   .source = "assembly.yaml"}),
      packers_row({.name = "PACR_SETREG",
                   .form = "SetData",
                   .opcode = 0x4A,
                   .archs = Arch::blackhole,
                   .select_mask = 0x400000,
                   .select_value = 0x400000,
                   .operands = pacrsetreg_operands_blackhole,
                   .fields = {push,
                              {"WrData", 18, 3, "16 bits of data to keep in the packer"},
                              {"WrDataHalf", 2, 2, "which half of the data word to load"},
                              {"Flush", 1, 1, "vendor operand; no documented effect in this form"},
                              last},
                   .summary = "Preload half of the 32-bit data word used by the writing form",
                   .source = "assembly.yaml"}),
      packers_row({.name = "TBUFCMD",
                   .opcode = 0x4B,
                   .summary = "Reserved opcode without any documented behaviour",
                   .source = "assembly.yaml"}),
  };
}

inline constexpr std::array packers = packers_forms();

}  // namespace tensim::isa::table
