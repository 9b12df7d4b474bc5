// Configuration Unit. Page: ConfigurationUnit.md.
#pragma once

#include <array>

#include "isa/form.hpp"
#include "isa/symbols.hpp"

namespace tensim::isa::table {

constexpr Form configuration_row(Form form) {
  form.unit = Unit::configuration;
  if (form.block.bits == 0) form.block = {B7};
  return form;
}

namespace configuration_parts {

inline constexpr SymbolSet cfgshiftmask_alu_mode{
    SymbolSet::Kind::enumeration,
    {{0, "OR"}, {1, "AND"}, {2, "XOR"}, {3, "ADD"}, {4, "OR_NOT"}, {5, "AND_NOT"}, {6, "XOR_NOT"}, {7, "SUB"}}};
inline constexpr SymbolSet cfgshiftmask_scratch_index{
    SymbolSet::Kind::enumeration, {{0, "SCRATCH0"}, {1, "SCRATCH1"}, {2, "SCRATCH2"}, {3, "BY_THREAD"}}};
inline constexpr Field mask{"Mask", 23, 16, "bits of the byte to change"};
inline constexpr Field new_value{"NewValue", 15, 8, "source of the changed bits"};
inline constexpr Field index4{"Index4", 7, 0, "configuration word holding the byte"};
inline constexpr Operands rmwcib0_operands{{"Mask", 16, 8}, {"Data", 8, 8}, {"CfgRegAddr", 0, 8}};

}  // namespace configuration_parts

constexpr auto configuration_forms() {
  using namespace configuration_parts;
  return std::array{
      configuration_row(
          {.name = "WRCFG",
           .opcode = 0xB0,
           .operands = {{"GprAddress", 16, 8}, {"wr128b", 15, 1}, {"CfgReg", 0, 15}},
           .fields = {{"InputReg", 21, 16, "source GPR; low two bits are dropped for 128 bits"},
                      {"Is128Bit", 15, 15, "copy four words instead of one"},
                      {"CfgIndex", 10, 0, "configuration word to write; low two bits are dropped for 128 bits"}},
           .summary = "Copy one GPR, or four, to a word of the current configuration bank",
           .source = "TensixCoprocessor/WRCFG.md"}),
      configuration_row(
          {.name = "RDCFG",
           .opcode = 0xB1,
           .operands = {{"GprAddress", 16, 8}, {"CfgReg", 0, 16}},
           .fields = {{"ResultReg", 21, 16, "destination GPR"}, {"CfgIndex", 10, 0, "configuration word to read"}},
           .summary = "Copy a word of the current configuration bank to a GPR",
           .source = "TensixCoprocessor/RDCFG.md"}),
      configuration_row({.name = "SETC16",
                         .opcode = 0xB2,
                         .operands = {{"setc16_reg", 16, 8}, {"setc16_value", 0, 16}},
                         .fields = {{"CfgIndex", 23, 16, "thread configuration register to write"},
                                    {"NewValue", 15, 0, "constant to store"}},
                         .summary = "Store a 16-bit constant in the issuing thread's private configuration",
                         .source = "TensixCoprocessor/SETC16.md"}),
      configuration_row({.name = "RMWCIB0",
                         .opcode = 0xB3,
                         .operands = rmwcib0_operands,
                         .fields = {mask, new_value, index4},
                         .summary = "Replace selected bits of byte 0 of a configuration word with a constant",
                         .source = "TensixCoprocessor/RMWCIB.md"}),
      configuration_row({.name = "RMWCIB1",
                         .opcode = 0xB4,
                         .operands = rmwcib0_operands,
                         .fields = {mask, new_value, index4},
                         .summary = "Replace selected bits of byte 1 of a configuration word with a constant",
                         .source = "TensixCoprocessor/RMWCIB.md"}),
      configuration_row({.name = "RMWCIB2",
                         .opcode = 0xB5,
                         .operands = rmwcib0_operands,
                         .fields = {mask, new_value, index4},
                         .summary = "Replace selected bits of byte 2 of a configuration word with a constant",
                         .source = "TensixCoprocessor/RMWCIB.md"}),
      configuration_row({.name = "RMWCIB3",
                         .opcode = 0xB6,
                         .operands = rmwcib0_operands,
                         .fields = {mask, new_value, index4},
                         .summary = "Replace selected bits of byte 3 of a configuration word with a constant",
                         .source = "TensixCoprocessor/RMWCIB.md"}),
      configuration_row({.name = "STREAMWRCFG",
                         .opcode = 0xB7,
                         .archs = Arch::blackhole,
                         .operands = {{"stream_id_sel", 21, 3}, {"StreamRegAddr", 11, 10}, {"CfgReg", 0, 11}},
                         .fields = {{"StreamSelect", 22, 21, "which STREAM_ID_SYNC_SEC register names the stream"},
                                    {"RegIndex", 20, 11, "stream register to read"},
                                    {"CfgIndex", 10, 0, "configuration word to write"}},
                         .summary = "Copy an overlay stream register to a word of the current configuration bank",
                         .source = "TensixCoprocessor/STREAMWRCFG.md"}),
      configuration_row(
          {.name = "CFGSHIFTMASK",
           .opcode = 0xB8,
           .archs = Arch::blackhole,
           .operands = {{"disable_mask_on_old_val", 23, 1},
                        {"operation", 20, 3},
                        {"mask_width", 15, 5},
                        {"right_cshift_amt", 10, 5},
                        {"scratch_sel", 8, 2},
                        {"CfgReg", 0, 8}},
           .fields = {{"MaskMode", 23, 23, "0 clears the bits under the rotated mask first, 1 keeps the old word"},
                      {"AluMode", 22, 20, "how the scratch value is combined with the old word",
                       &cfgshiftmask_alu_mode},
                      {"MaskWidth", 19, 15, "width of the mask in bits, minus one"},
                      {"RotateAmt", 14, 10, "right rotation of the masked scratch value and of the mask"},
                      {"ScratchIndex", 9, 8, "scratch register; 3 picks the one numbered like the thread",
                       &cfgshiftmask_scratch_index},
                      {"CfgIndex", 7, 0, "configuration word to change"}},
           .summary = "Combine a masked, rotated scratch register with a configuration word in place",
           .source = "TensixCoprocessor/CFGSHIFTMASK.md"}),
  };
}

inline constexpr std::array configuration = configuration_forms();

}  // namespace tensim::isa::table
