// Where the configuration fields that this folder interprets stand, by the vendor's names. All numbers are from ttsim's
// data/{wh,bh}/tensix_regs.json; the shifts and widths are the same on both chips, the words are not.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "arch/arch.hpp"

namespace tensim::tensix {

inline constexpr int no_word = -1;  // the chip does not have it; equals no index

/// A word of Config whose writing, or whose value, matters to the configuration itself.
struct ConfigWordRow {
  std::string_view name;
  int wormhole;
  int blackhole;

  constexpr int on(Arch arch) const { return arch == Arch::wormhole ? wormhole : blackhole; }
};

inline constexpr std::array config_word_rows{
    ConfigWordRow{"STATE_RESET_EN", 4, 4},
    ConfigWordRow{"RISCV_IC_INVALIDATE_InvalidateAll", 157, 185},
    ConfigWordRow{"PRNG_SEED_Seed_Val", 164, 186},
    ConfigWordRow{"SCRATCH_SEC0_val", no_word, 209},
    ConfigWordRow{"SCRATCH_SEC1_val", no_word, 210},
    ConfigWordRow{"SCRATCH_SEC2_val", no_word, 211},
    ConfigWordRow{"TRISC_RESET_PC_SEC0_PC", 158, no_word},
    ConfigWordRow{"TRISC_RESET_PC_OVERRIDE_Reset_PC_Override_en", 161, no_word},
    ConfigWordRow{"NCRISC_RESET_PC_PC", 162, no_word},
    ConfigWordRow{"NCRISC_RESET_PC_OVERRIDE_Reset_PC_Override_en", 163, no_word},
    ConfigWordRow{"RISC_DEST_ACCESS_CTRL", no_word, 3},
    ConfigWordRow{"DEST_ACCESS_CFG", no_word, 220},
};

/// A field of ThreadConfig. One that exists per section ("SECn") is in word `first + n * stride`.
struct ThreadFieldRow {
  struct Words {
    int first = no_word;
    int stride = 0;
    int sections = 1;
  };
  std::string_view name;
  Words wormhole;
  Words blackhole;
  std::uint8_t shift;
  std::uint8_t width;

  constexpr const Words& on(Arch arch) const { return arch == Arch::wormhole ? wormhole : blackhole; }
  constexpr std::uint32_t get(std::uint32_t word) const { return (word >> shift) & ((std::uint32_t{1} << width) - 1U); }
};

namespace config_fields_parts {
using Words = ThreadFieldRow::Words;
inline constexpr Words ab_wormhole{7, 2, 8};
inline constexpr Words ab_blackhole{12, 1, 8};
inline constexpr Words dst_wormhole{23, 1, 8};
inline constexpr Words dst_blackhole{28, 1, 8};
inline constexpr Words bias_wormhole{48, 1, 8};
inline constexpr Words bias_blackhole{47, 1, 8};
}  // namespace config_fields_parts

consteval auto make_thread_field_rows() {
  using namespace config_fields_parts;
  return std::array{
      ThreadFieldRow{"CFG_STATE_ID_StateID", {0}, {0}, 0, 1},
      ThreadFieldRow{"DEST_TARGET_REG_CFG_MATH_Offset", {1}, {1}, 0, 12},
      ThreadFieldRow{"ADDR_MOD_SET_Base", {2}, {}, 0, 1},
      ThreadFieldRow{"CLR_DVALID_SrcA_Disable", {5}, {7}, 0, 1},
      ThreadFieldRow{"CLR_DVALID_SrcB_Disable", {5}, {7}, 1, 1},
      ThreadFieldRow{"ADDR_MOD_AB_SECn_SrcAIncr", ab_wormhole, ab_blackhole, 0, 6},
      ThreadFieldRow{"ADDR_MOD_AB_SECn_SrcACR", ab_wormhole, ab_blackhole, 6, 1},
      ThreadFieldRow{"ADDR_MOD_AB_SECn_SrcAClear", ab_wormhole, ab_blackhole, 7, 1},
      ThreadFieldRow{"ADDR_MOD_AB_SECn_SrcBIncr", ab_wormhole, ab_blackhole, 8, 6},
      ThreadFieldRow{"ADDR_MOD_AB_SECn_SrcBCR", ab_wormhole, ab_blackhole, 14, 1},
      ThreadFieldRow{"ADDR_MOD_AB_SECn_SrcBClear", ab_wormhole, ab_blackhole, 15, 1},
      ThreadFieldRow{"ADDR_MOD_DST_SECn_DestIncr", dst_wormhole, dst_blackhole, 0, 10},
      ThreadFieldRow{"ADDR_MOD_DST_SECn_DestCR", dst_wormhole, dst_blackhole, 10, 1},
      ThreadFieldRow{"ADDR_MOD_DST_SECn_DestClear", dst_wormhole, dst_blackhole, 11, 1},
      ThreadFieldRow{"ADDR_MOD_DST_SECn_DestCToCR", dst_wormhole, dst_blackhole, 12, 1},
      ThreadFieldRow{"ADDR_MOD_DST_SECn_FidelityIncr", dst_wormhole, dst_blackhole, 13, 2},
      ThreadFieldRow{"ADDR_MOD_DST_SECn_FidelityClear", dst_wormhole, dst_blackhole, 15, 1},
      ThreadFieldRow{"ADDR_MOD_BIAS_SECn_BiasIncr", bias_wormhole, bias_blackhole, 0, 4},
      ThreadFieldRow{"ADDR_MOD_BIAS_SECn_BiasClear", bias_wormhole, bias_blackhole, 4, 1},
      ThreadFieldRow{"UNPACK_MISC_CFG_CfgContextCntReset_0", {39}, {41}, 4, 1},
      ThreadFieldRow{"UNPACK_MISC_CFG_CfgContextCntReset_1", {39}, {41}, 12, 1},
      ThreadFieldRow{"CG_CTRL_EN_Regblocks", {42}, {}, 0, 1},
      ThreadFieldRow{"CG_CTRL_EN_Hyst", {43}, {}, 2, 7},
      ThreadFieldRow{"CG_CTRL_KICK_Regblocks", {44}, {}, 0, 1},
      ThreadFieldRow{"STREAMWAIT_PHASE_HI_Val", {}, {57}, 0, 10},
      ThreadFieldRow{"STREAMWAIT_NUM_MSGS_HI_Val", {}, {58}, 0, 7},
      ThreadFieldRow{"STREAM_ID_SYNC_SECn_BankSel", {}, {59, 1, 4}, 0, 6},
      ThreadFieldRow{"TENSIX_TRISC_SYNC_TrackGlobalCfg", {}, {56}, 0, 1},
      ThreadFieldRow{"TENSIX_TRISC_SYNC_EnSubdividedCfgForUnpacr", {}, {56}, 1, 1},
      ThreadFieldRow{"TENSIX_TRISC_SYNC_TrackGPR", {}, {56}, 2, 1},
      ThreadFieldRow{"TENSIX_TRISC_SYNC_TrackTDMARegs", {}, {56}, 3, 1},
      ThreadFieldRow{"TENSIX_TRISC_SYNC_TrackTensixInstructions", {}, {56}, 4, 1},
  };
}

inline constexpr std::array thread_field_rows = make_thread_field_rows();

namespace config_fields_literals {
/// "STATE_RESET_EN"_config_word is its row; a misspelt name does not compile.
consteval const ConfigWordRow& operator""_config_word(const char* name, std::size_t length) {
  for (const ConfigWordRow& row : config_word_rows)
    if (row.name == std::string_view(name, length)) return row;
  throw "no row of this name in config_word_rows";
}
consteval const ThreadFieldRow& operator""_thread_field(const char* name, std::size_t length) {
  for (const ThreadFieldRow& row : thread_field_rows)
    if (row.name == std::string_view(name, length)) return row;
  throw "no row of this name in thread_field_rows";
}
}  // namespace config_fields_literals

}  // namespace tensim::tensix
