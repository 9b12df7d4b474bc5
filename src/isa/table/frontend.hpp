// MOP and REPLAY expansion and Auto TTSync: consumed in the frontend, before the Wait Gate (W14).
// Pages: MOPExpander.md, REPLAY.md, AutoTTSync.md.
#pragma once

#include <array>

#include "isa/form.hpp"
#include "isa/symbols.hpp"

namespace tensim::isa::table {

constexpr Form frontend_row(Form form) {
  form.unit = Unit::frontend;
  form.block = {0, Block::Rule::never};
  return form;
}

namespace frontend_parts {

inline constexpr SymbolSet resourcedecl_resources{SymbolSet::Kind::mask,
                                                  {{1, "READ_CFG"},
                                                   {2, "WRITE_CFG"},
                                                   {4, "CFG_UNPACK0"},
                                                   {8, "CFG_UNPACK1"},
                                                   {16, "CFG_OTHER"},
                                                   {32, "READ_GPR"},
                                                   {64, "WRITE_GPR"},
                                                   {128, "READ_TDMA"},
                                                   {256, "WRITE_TDMA"}}};
inline constexpr SymbolSet resourcedecl_op_class{SymbolSet::Kind::enumeration,
                                                 {{0, "DMAREG"},
                                                  {1, "ATOMIC"},
                                                  {2, "REG2FLOP"},
                                                  {3, "LOADIND_STOREIND"},
                                                  {4, "STREAMWRCFG_CFGSHIFTMASK"},
                                                  {5, "STOREREG"},
                                                  {6, "LOADREG"},
                                                  {7, "FLUSHDMA"},
                                                  {8, "WRCFG"},
                                                  {9, "RDCFG"},
                                                  {10, "XMOV"},
                                                  {11, "UNPACR"},
                                                  {12, "PACR"},
                                                  {13, "MOP"},
                                                  {14, "REPLAY"},
                                                  {15, "OTHER"}}};
inline constexpr Operands mop_operands_wormhole{{"mop_type", 23, 1}, {"loop_count", 16, 7}, {"zmask_lo16", 0, 16}};
inline constexpr Operands mop_operands_blackhole{
    {"mop_type", 23, 1}, {"loop_count", 16, 7}, {"zmask_lo16_or_loop_count", 0, 16}};
inline constexpr Fields mop_template0_fields{
    {"Count1", 22, 16, "number of loop iterations minus one"},
    {"MaskLo", 15, 0, "low half of the mask; a set bit picks the skip instructions for that pass"}};
inline constexpr std::string_view mop_template0_summary =
    "Expand into a mask-driven loop of pre-set instructions (MOP template 0)";

}  // namespace frontend_parts

constexpr auto frontend_forms() {
  using namespace frontend_parts;
  return std::array{
      frontend_row({.name = "MOP",
                    .form = "Template0",
                    .opcode = 0x01,
                    .archs = Arch::wormhole,
                    .select_mask = 0x800000,
                    .operands = mop_operands_wormhole,
                    .fields = mop_template0_fields,
                    .summary = mop_template0_summary,
                    .source = "TensixCoprocessor/MOP.md"}),
      frontend_row({.name = "MOP",
                    .form = "Template0",
                    .opcode = 0x01,
                    .archs = Arch::blackhole,
                    .select_mask = 0x800000,
                    .operands = mop_operands_blackhole,
                    .fields = mop_template0_fields,
                    .summary = mop_template0_summary,
                    .source = "TensixCoprocessor/MOP.md"}),
      frontend_row({.name = "MOP",
                    .form = "Template1",
                    .opcode = 0x01,
                    .archs = Arch::wormhole,
                    .select_mask = 0x800000,
                    .select_value = 0x800000,
                    .operands = mop_operands_wormhole,
                    .fields = {{"Count1", 22, 16, "present in the word, ignored by this template"},
                               {"MaskLo", 15, 0, "present in the word, ignored by this template"}},
                    .summary = "Expand into a two-level loop of pre-set instructions (MOP template 1)",
                    .source = "TensixCoprocessor/MOP.md"}),
      frontend_row(
          {.name = "MOP",
           .form = "Template1",
           .opcode = 0x01,
           .archs = Arch::blackhole,
           .select_mask = 0x800000,
           .select_value = 0x800000,
           .operands = mop_operands_blackhole,
           .fields = {{"OuterCountHi", 19, 16, "bits 9:6 of an outer count that overrides MopCfg when non-zero"},
                      {"OuterCountLo", 15, 10, "bits 5:0 of an outer count that overrides MopCfg when non-zero"},
                      {"InnerCount", 9, 0, "inner count that overrides MopCfg when non-zero"}},
           .summary = "Expand into a two-level loop of pre-set instructions, optionally with counts from the word",
           .source = "assembly.yaml, errata 9"}),
      frontend_row({.name = "MOP_CFG",
                    .opcode = 0x03,
                    .operands = {{"zmask_hi16", 0, 24}},
                    .fields = {{"MaskHi", 15, 0, "high half of the 32-bit mask used by template 0"}},
                    .summary = "Hold the upper half of the mask for later template 0 MOPs of this thread",
                    .source = "TensixCoprocessor/MOP_CFG.md"}),
      frontend_row(
          {.name = "REPLAY",
           .opcode = 0x04,
           .operands = {{"start_idx", 14, 10}, {"len", 4, 10}, {"execute_while_loading", 1, 3}, {"load_mode", 0, 1}},
           .fields = {{"Index", 18, 14, "first replay buffer slot, 0 to 31, wrapping round"},
                      {"Count", 9, 4, "how many instructions; 0 acts as 32, above 32 is unsupported"},
                      {"Exec", 1, 1, "while recording, also pass the instructions on to be executed"},
                      {"Load", 0, 0, "1 to record, 0 to play back"}},
           .summary = "Record the following instructions in the thread's replay buffer, or play back recorded ones",
           .source = "TensixCoprocessor/REPLAY.md"}),
      frontend_row({.name = "RESOURCEDECL",
                    .opcode = 0x05,
                    .archs = Arch::blackhole,
                    .operands = {{"linger_time", 13, 11}, {"resources", 4, 9}, {"op_class", 0, 4}},
                    .fields = {{"LingerTime", 16, 13,
                                "shift-register pattern that prolongs a stall until it has shifted to zero"},
                               {"Resources", 12, 4, "set of resources the class is said to read or write",
                                &resourcedecl_resources},
                               {"OpClass", 3, 0, "instruction class whose entry is replaced", &resourcedecl_op_class}},
                    .summary = "Redefine which tracked resources Auto TTSync assumes for one class of instructions",
                    .source = "BabyRISCV/AutoTTSync.md"}),
  };
}

inline constexpr std::array frontend = frontend_forms();

}  // namespace tensim::isa::table
