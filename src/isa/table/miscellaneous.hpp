// Miscellaneous Unit: address counters (ADCs), bank hand-over, NOP. Page: MiscellaneousUnit.md.
#pragma once

#include <array>

#include "isa/form.hpp"
#include "isa/symbols.hpp"

namespace tensim::isa::table {

constexpr Form miscellaneous_row(Form form) {
  form.unit = Unit::miscellaneous;
  if (form.block.bits == 0) form.block = {B0};
  return form;
}

namespace miscellaneous_parts {

inline constexpr SymbolSet adc_dimensions{SymbolSet::Kind::enumeration,
                                          {{0, "SET_X"}, {1, "SET_Y"}, {2, "SET_Z"}, {3, "SET_W"}}};
inline constexpr SymbolSet thread_overrides{SymbolSet::Kind::enumeration,
                                            {{0, "CURRENT"}, {1, "T0"}, {2, "T1"}, {3, "T2"}}};
inline constexpr Field pk{"PK", 23, 23, "apply to the packer's counters"};
inline constexpr Field u1{"U1", 22, 22, "apply to the counters of unpacker 1"};
inline constexpr Field u0{"U0", 21, 21, "apply to the counters of unpacker 0"};
inline constexpr Field thread_override{"ThreadOverride", 19, 18,
                                       "0 uses the issuing thread's counters, n those of thread n-1 (unsupported)",
                                       &thread_overrides};
inline constexpr Operands setadcxy_operands{{"CntSetMask", 21, 3}, {"Ch1_Y", 15, 6}, {"Ch1_X", 12, 3},
                                            {"Ch0_Y", 9, 3},       {"Ch0_X", 6, 3},  {"BitMask", 0, 6}};
inline constexpr Operands setadczw_operands{{"CntSetMask", 21, 3}, {"Ch1_W", 15, 6}, {"Ch1_Z", 12, 3},
                                            {"Ch0_W", 9, 3},       {"Ch0_Z", 6, 3},  {"BitMask", 0, 6}};
inline constexpr Operands incadcxy_operands{
    {"CntSetMask", 21, 3}, {"Ch1_Y", 15, 6}, {"Ch1_X", 12, 3}, {"Ch0_Y", 9, 3}, {"Ch0_X", 6, 3}};

}  // namespace miscellaneous_parts

constexpr auto miscellaneous_forms() {
  using namespace miscellaneous_parts;
  return std::array{
      miscellaneous_row({.name = "NOP",
                         .opcode = 0x02,
                         .block = {all_block_bits, Block::Rule::all_of},
                         .summary = "Occupy one issue slot of the thread and change nothing",
                         .source = "TensixCoprocessor/NOP.md"}),
      miscellaneous_row({.name = "RSTDMA",
                         .opcode = 0x44,
                         .summary = "Reset the data-movement block under program control; nothing more is documented",
                         .source = "assembly.yaml"}),
      miscellaneous_row(
          {.name = "SETADC",
           .opcode = 0x50,
           .operands = {{"CntSetMask", 21, 3}, {"ChannelIndex", 20, 1}, {"DimensionIndex", 18, 2}, {"Value", 0, 18}},
           .fields = {pk,
                      u1,
                      u0,
                      {"Channel", 20, 20, "address channel to write"},
                      {"XYZW", 19, 18, "dimension to write", &adc_dimensions},
                      {"NewValue", 17, 0, "value to write, 16 bits; bits 17:16 override the thread, n for thread n-1"}},
           .summary = "Load one address counter and its carriage-return copy with an immediate",
           .source = "TensixCoprocessor/SETADC.md"}),
      miscellaneous_row(
          {.name = "SETADCXY",
           .opcode = 0x51,
           .operands = setadcxy_operands,
           .fields = {pk,
                      u1,
                      u0,
                      thread_override,
                      {"Y1Val", 17, 15, "new value for channel 1 Y"},
                      {"X1Val", 14, 12, "new value for channel 1 X"},
                      {"Y0Val", 11, 9, "new value for channel 0 Y"},
                      {"X0Val", 8, 6, "new value for channel 0 X"},
                      {"Y1", 3, 3, "write channel 1 Y"},
                      {"X1", 2, 2, "write channel 1 X"},
                      {"Y0", 1, 1, "write channel 0 Y"},
                      {"X0", 0, 0, "write channel 0 X"}},
           .summary = "Load chosen X and Y address counters and their carriage-return copies with small constants",
           .source = "TensixCoprocessor/SETADCXY.md"}),
      miscellaneous_row({.name = "INCADCXY",
                         .opcode = 0x52,
                         .operands = incadcxy_operands,
                         .fields = {pk,
                                    u1,
                                    u0,
                                    thread_override,
                                    {"Y1Inc", 17, 15, "amount added to channel 1 Y"},
                                    {"X1Inc", 14, 12, "amount added to channel 1 X"},
                                    {"Y0Inc", 11, 9, "amount added to channel 0 Y"},
                                    {"X0Inc", 8, 6, "amount added to channel 0 X"}},
                         .summary = "Add small constants to the X and Y address counters of both channels",
                         .source = "TensixCoprocessor/INCADCXY.md"}),
      miscellaneous_row({.name = "ADDRCRXY",
                         .opcode = 0x53,
                         .operands = setadcxy_operands,
                         .fields = {pk,
                                    u1,
                                    u0,
                                    thread_override,
                                    {"Y1Inc", 17, 15, "amount added to the copy of channel 1 Y"},
                                    {"X1Inc", 14, 12, "amount added to the copy of channel 1 X"},
                                    {"Y0Inc", 11, 9, "amount added to the copy of channel 0 Y"},
                                    {"X0Inc", 8, 6, "amount added to the copy of channel 0 X"},
                                    {"Y1", 3, 3, "advance and reload channel 1 Y"},
                                    {"X1", 2, 2, "advance and reload channel 1 X"},
                                    {"Y0", 1, 1, "advance and reload channel 0 Y"},
                                    {"X0", 0, 0, "advance and reload channel 0 X"}},
                         .summary = "Advance chosen X and Y carriage-return copies and reload their counters from them",
                         .source = "TensixCoprocessor/ADDRCRXY.md"}),
      miscellaneous_row(
          {.name = "SETADCZW",
           .opcode = 0x54,
           .operands = setadczw_operands,
           .fields = {pk,
                      u1,
                      u0,
                      thread_override,
                      {"W1Val", 17, 15, "new value for channel 1 W"},
                      {"Z1Val", 14, 12, "new value for channel 1 Z"},
                      {"W0Val", 11, 9, "new value for channel 0 W"},
                      {"Z0Val", 8, 6, "new value for channel 0 Z"},
                      {"W1", 3, 3, "write channel 1 W"},
                      {"Z1", 2, 2, "write channel 1 Z"},
                      {"W0", 1, 1, "write channel 0 W"},
                      {"Z0", 0, 0, "write channel 0 Z"}},
           .summary = "Load chosen Z and W address counters and their carriage-return copies with small constants",
           .source = "TensixCoprocessor/SETADCZW.md"}),
      miscellaneous_row({.name = "INCADCZW",
                         .opcode = 0x55,
                         .operands = incadcxy_operands,
                         .fields = {pk,
                                    u1,
                                    u0,
                                    thread_override,
                                    {"W1Inc", 17, 15, "amount added to channel 1 W"},
                                    {"Z1Inc", 14, 12, "amount added to channel 1 Z"},
                                    {"W0Inc", 11, 9, "amount added to channel 0 W"},
                                    {"Z0Inc", 8, 6, "amount added to channel 0 Z"}},
                         .summary = "Add small constants to the Z and W address counters of both channels",
                         .source = "TensixCoprocessor/INCADCZW.md"}),
      miscellaneous_row({.name = "ADDRCRZW",
                         .opcode = 0x56,
                         .operands = setadcxy_operands,
                         .fields = {pk,
                                    u1,
                                    u0,
                                    thread_override,
                                    {"W1Inc", 17, 15, "amount added to the copy of channel 1 W"},
                                    {"Z1Inc", 14, 12, "amount added to the copy of channel 1 Z"},
                                    {"W0Inc", 11, 9, "amount added to the copy of channel 0 W"},
                                    {"Z0Inc", 8, 6, "amount added to the copy of channel 0 Z"},
                                    {"W1", 3, 3, "advance and reload channel 1 W"},
                                    {"Z1", 2, 2, "advance and reload channel 1 Z"},
                                    {"W0", 1, 1, "advance and reload channel 0 W"},
                                    {"Z0", 0, 0, "advance and reload channel 0 Z"}},
                         .summary = "Advance chosen Z and W carriage-return copies and reload their counters from them",
                         .source = "TensixCoprocessor/ADDRCRZW.md"}),
      miscellaneous_row({.name = "SETDVALID",
                         .opcode = 0x57,
                         .operands = {{"setvalid", 0, 16}},
                         .fields = {{"FlipSrcB", 1, 1, "hand over the SrcB bank of unpacker 1"},
                                    {"FlipSrcA", 0, 0, "hand over the SrcA bank of unpacker 0"}},
                         .summary = "Hand the unpackers' current SrcA and/or SrcB bank over to the matrix unit",
                         .source = "TensixCoprocessor/SETDVALID.md"}),
      miscellaneous_row({.name = "SETADCXX",
                         .opcode = 0x5E,
                         .operands = {{"CntSetMask", 21, 3}, {"x_end2", 10, 11}, {"x_start", 0, 10}},
                         .fields = {pk,
                                    u1,
                                    u0,
                                    {"X1Val", 19, 10, "new value for channel 1 X (end of the X range)"},
                                    {"X0Val", 9, 0, "new value for channel 0 X (start of the X range)"}},
                         .summary = "Load the X address counters of both channels with ten-bit constants",
                         .source = "TensixCoprocessor/SETADCXX.md"}),
  };
}

inline constexpr std::array miscellaneous = miscellaneous_forms();

}  // namespace tensim::isa::table
