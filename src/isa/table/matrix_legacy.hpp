// Matrix Unit (FPU). Page: MatrixUnit.md. The official diagrams draw Wormhole's two-bit AddrMod; Blackhole has three
// bits (errata 10).
// Opcodes without a documented use: encodings and block bits only (ruling 19).
#pragma once

#include <array>

#include "isa/form.hpp"
#include "isa/symbols.hpp"
#include "isa/table/matrix.hpp"

namespace tensim::isa::table {

namespace matrix_legacy_parts {

inline constexpr SymbolSet setibrwc_set_inc_ctrl{SymbolSet::Kind::enumeration, {{0, "SET_BIAS"}, {1, "INC_BIAS"}}};
inline constexpr Field reg_mask{"reg_mask", 16, 1, "16-bit register mask"};
inline constexpr Field flip_src_b{"FlipSrcB", 23, 23,
                                  "hand the SrcB bank in use to the unpackers and move to the other bank"};
inline constexpr Field flip_src_a{"FlipSrcA", 22, 22,
                                  "hand the SrcA bank in use to the unpackers and move to the other bank"};
inline constexpr Field rotate_weights{"rotate_weights", 17, 17, "rotate the weights, once used for back-propagation"};
inline constexpr Field addr_mod_wormhole{"AddrMod", 16, 15,
                                         "preset of counter increments applied after the instruction"};
inline constexpr Field dst_row{"DstRow", 9, 0, "row of Dst, added to the thread's Dst counter and offsets"};
inline constexpr Field addr_mod_blackhole{"AddrMod", 16, 14,
                                          "preset of counter increments applied after the instruction"};
inline constexpr Field index_en{"index_en", 14, 14, "ask for index output of a max pool"};
inline constexpr Field addr_mod_blackhole_17{"AddrMod", 17, 15,
                                             "preset of counter increments applied after the instruction"};
inline constexpr Operands setashrmh0_operands{{"reg_mask", 1, 23}, {"halo_mask", 0, 1}};
inline constexpr Operands conv3s1_operands_wormhole{
    {"clear_dvalid", 22, 2}, {"rotate_weights", 17, 5}, {"addr_mode", 15, 2}, {"dst", 0, 15}};
inline constexpr Operands conv3s1_operands_blackhole{
    {"clear_dvalid", 22, 2}, {"rotate_weights", 17, 5}, {"addr_mode", 14, 3}, {"dst", 0, 14}};
inline constexpr Operands mpool3s1_operands_wormhole{
    {"clear_dvalid", 22, 2}, {"addr_mode", 15, 7}, {"index_en", 14, 1}, {"dst", 0, 14}};
inline constexpr Operands mpool3s1_operands_blackhole{
    {"clear_dvalid", 22, 2}, {"pool_addr_mode", 15, 7}, {"index_en", 14, 1}, {"dst", 0, 14}};

}  // namespace matrix_legacy_parts

constexpr auto matrix_legacy_forms() {
  using namespace matrix_legacy_parts;
  return std::array{
      matrix_row({.name = "TRNSPSRCA",
                  .opcode = 0x14,
                  .summary = "Legacy: transpose rows of SrcA; no behaviour is documented",
                  .source = "assembly.yaml"}),
      matrix_row({.name = "RAREB",
                  .opcode = 0x15,
                  .summary = "Legacy: rarefy the SrcB registers; no behaviour is documented",
                  .source = "assembly.yaml"}),
      matrix_row({.name = "SETASHRMH0",
                  .opcode = 0x1A,
                  .operands = setashrmh0_operands,
                  .fields = {reg_mask, {"halo_mask", 0, 0, "mask of the left halo"}},
                  .summary = "Legacy: set the horizontal SrcA shift mask for the left halo and thread 0",
                  .source = "assembly.yaml"}),
      matrix_row({.name = "SETASHRMH1",
                  .opcode = 0x1B,
                  .operands = setashrmh0_operands,
                  .fields = {reg_mask, {"halo_mask", 0, 0, "halo mask; said to be unused here"}},
                  .summary = "Legacy: set the horizontal SrcA shift mask for thread 1",
                  .source = "assembly.yaml"}),
      matrix_row({.name = "SETASHRMV",
                  .opcode = 0x1C,
                  .operands = {{"reg_mask2", 0, 24}},
                  .fields = {{"reg_mask2", 19, 0, "20-bit register mask"}},
                  .summary = "Legacy: set the vertical SrcA shift mask",
                  .source = "assembly.yaml"}),
      matrix_row({.name = "SETPKEDGOF",
                  .opcode = 0x1D,
                  .operands = {{"y_end", 12, 12}, {"y_start", 8, 4}, {"x_end", 4, 4}, {"x_start", 0, 4}},
                  .fields = {{"y_end", 23, 12, "last row kept"},
                             {"y_start", 11, 8, "first row kept"},
                             {"x_end", 7, 4, "last column kept"},
                             {"x_start", 3, 0, "first column kept"}},
                  .summary = "Legacy: set the row and column bounds outside which the packer writes zero",
                  .source = "assembly.yaml"}),
      matrix_row({.name = "SETASHRMH",
                  .opcode = 0x1E,
                  .operands = setashrmh0_operands,
                  .fields = {reg_mask, {"halo_mask", 0, 0, "halo mask"}},
                  .summary = "Legacy: set the horizontal SrcA shift mask of the issuing thread",
                  .source = "assembly.yaml"}),
      matrix_row({.name = "CONV3S1",
                  .opcode = 0x22,
                  .archs = Arch::wormhole,
                  .operands = conv3s1_operands_wormhole,
                  .fields = {flip_src_b, flip_src_a, rotate_weights, addr_mod_wormhole, dst_row},
                  .summary = "Legacy 3x3 stride-1 convolution; on current silicon it only adds zero to Dst",
                  .source = "TensixCoprocessor/MatrixUnit.md"}),
      matrix_row({.name = "CONV3S1",
                  .opcode = 0x22,
                  .archs = Arch::blackhole,
                  .operands = conv3s1_operands_blackhole,
                  .fields = {flip_src_b, flip_src_a, rotate_weights, addr_mod_blackhole, dst_row},
                  .summary = "Legacy 3x3 stride-1 convolution; on current silicon it only adds zero to Dst",
                  .source = "TensixCoprocessor/MatrixUnit.md"}),
      matrix_row({.name = "CONV3S2",
                  .opcode = 0x23,
                  .archs = Arch::wormhole,
                  .operands = conv3s1_operands_wormhole,
                  .fields = {flip_src_b, flip_src_a, rotate_weights, addr_mod_wormhole, dst_row},
                  .summary = "Legacy 3x3 stride-2 convolution; on current silicon it only adds zero to Dst",
                  .source = "TensixCoprocessor/MatrixUnit.md"}),
      matrix_row({.name = "CONV3S2",
                  .opcode = 0x23,
                  .archs = Arch::blackhole,
                  .operands = conv3s1_operands_blackhole,
                  .fields = {flip_src_b, flip_src_a, rotate_weights, addr_mod_blackhole, dst_row},
                  .summary = "Legacy 3x3 stride-2 convolution; on current silicon it only adds zero to Dst",
                  .source = "TensixCoprocessor/MatrixUnit.md"}),
      matrix_row({.name = "MPOOL3S1",
                  .opcode = 0x24,
                  .archs = Arch::wormhole,
                  .operands = mpool3s1_operands_wormhole,
                  .fields = {flip_src_b, flip_src_a, addr_mod_wormhole, index_en, dst_row},
                  .summary = "Legacy 3x3 stride-1 max pool; acts roughly like GMPOOL on an all-zero SrcA",
                  .source = "TensixCoprocessor/MatrixUnit.md"}),
      matrix_row({.name = "MPOOL3S1",
                  .opcode = 0x24,
                  .archs = Arch::blackhole,
                  .operands = mpool3s1_operands_blackhole,
                  .fields = {flip_src_b, flip_src_a, addr_mod_blackhole_17, index_en, dst_row},
                  .summary = "Legacy 3x3 stride-1 max pool; acts roughly like GMPOOL on an all-zero SrcA",
                  .source = "TensixCoprocessor/MatrixUnit.md"}),
      matrix_row({.name = "APOOL3S1",
                  .opcode = 0x25,
                  .archs = Arch::wormhole,
                  .operands = mpool3s1_operands_wormhole,
                  .fields = {flip_src_b, flip_src_a, addr_mod_wormhole, index_en, dst_row},
                  .summary = "Legacy 3x3 stride-1 average pool; on current silicon it only adds zero to Dst",
                  .source = "TensixCoprocessor/MatrixUnit.md"}),
      matrix_row({.name = "APOOL3S1",
                  .opcode = 0x25,
                  .archs = Arch::blackhole,
                  .operands = mpool3s1_operands_blackhole,
                  .fields = {flip_src_b, flip_src_a, addr_mod_blackhole_17, index_en, dst_row},
                  .summary = "Legacy 3x3 stride-1 average pool; on current silicon it only adds zero to Dst",
                  .source = "TensixCoprocessor/MatrixUnit.md"}),
      matrix_row({.name = "MPOOL3S2",
                  .opcode = 0x31,
                  .archs = Arch::wormhole,
                  .operands = mpool3s1_operands_wormhole,
                  .fields = {flip_src_b, flip_src_a, addr_mod_wormhole, index_en, dst_row},
                  .summary = "Legacy 3x3 stride-2 max pool; acts roughly like GMPOOL on an all-zero SrcA",
                  .source = "TensixCoprocessor/MatrixUnit.md"}),
      matrix_row({.name = "MPOOL3S2",
                  .opcode = 0x31,
                  .archs = Arch::blackhole,
                  .operands = mpool3s1_operands_blackhole,
                  .fields = {flip_src_b, flip_src_a, addr_mod_blackhole_17, index_en, dst_row},
                  .summary = "Legacy 3x3 stride-2 max pool; acts roughly like GMPOOL on an all-zero SrcA",
                  .source = "TensixCoprocessor/MatrixUnit.md"}),
      matrix_row({.name = "APOOL3S2",
                  .opcode = 0x32,
                  .archs = Arch::wormhole,
                  .operands = mpool3s1_operands_wormhole,
                  .fields = {flip_src_b, flip_src_a, addr_mod_wormhole, index_en, dst_row},
                  .summary = "Legacy 3x3 stride-2 average pool; on current silicon it only adds zero to Dst",
                  .source = "TensixCoprocessor/MatrixUnit.md"}),
      matrix_row({.name = "APOOL3S2",
                  .opcode = 0x32,
                  .archs = Arch::blackhole,
                  .operands = mpool3s1_operands_blackhole,
                  .fields = {flip_src_b, flip_src_a, addr_mod_blackhole_17, index_en, dst_row},
                  .summary = "Legacy 3x3 stride-2 average pool; on current silicon it only adds zero to Dst",
                  .source = "TensixCoprocessor/MatrixUnit.md"}),
      matrix_row(
          {.name = "SETIBRWC",
           .opcode = 0x39,
           .operands = {{"rwc_cr", 18, 4}, {"rwc_bias", 6, 12}, {"set_inc_ctrl", 0, 6}},
           .fields = {{"rwc_cr", 18, 18, "apply the value to the bias carriage-return counter"},
                      {"rwc_bias", 17, 6, "value or increment for the bias counter"},
                      {"set_inc_ctrl", 5, 0, "whether to set or to increment the counter", &setibrwc_set_inc_ctrl}},
           .summary = "Legacy: set or increment the bias counter; no behaviour is documented",
           .source = "assembly.yaml"}),
      matrix_row({.name = "MFCONV3S1",
                  .opcode = 0x3A,
                  .archs = Arch::wormhole,
                  .operands = conv3s1_operands_wormhole,
                  .fields = {flip_src_b, flip_src_a, rotate_weights, addr_mod_wormhole, dst_row},
                  .summary = "Legacy multi-filter 3x3 convolution; on current silicon it only adds zero to Dst",
                  .source = "TensixCoprocessor/MatrixUnit.md"}),
      matrix_row({.name = "MFCONV3S1",
                  .opcode = 0x3A,
                  .archs = Arch::blackhole,
                  .operands = conv3s1_operands_blackhole,
                  .fields = {flip_src_b, flip_src_a, rotate_weights, addr_mod_blackhole, dst_row},
                  .summary = "Legacy multi-filter 3x3 convolution; on current silicon it only adds zero to Dst",
                  .source = "TensixCoprocessor/MatrixUnit.md"}),
  };
}

inline constexpr std::array matrix_legacy = matrix_legacy_forms();

}  // namespace tensim::isa::table
