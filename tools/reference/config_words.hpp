// Where the configuration stands that the data path needs, on both chips.
#pragma once

#include <cstdint>

#include "arch/arch.hpp"

namespace tensim::reference {

inline constexpr std::uint32_t face_datums = 256;

/// Addresses are in units of 16 bytes, and the hardware adds one for the header that a tile once had.
constexpr std::uint32_t l1_unit(std::uint32_t address) {
  return address / 16 - 1;
}

/// Words of backend and thread configuration. All numbers are from ttsim's data/{wh,bh}/tensix_regs.json.
struct ConfigWords {
  std::uint32_t alu;               // ALU_FORMAT_SPEC_REG..., ALU_ACC_CTRL
  std::uint32_t pack_strides;      // PCK0_ADDR_CTRL_XY_REG_0, then ZW
  unsigned y_stride_bit;           // its Ystride, and Wstride in the next word
  std::uint32_t pack_reads;        // PCK_DEST_RD_CTRL
  std::uint32_t edge_mask;         // PCK_EDGE_OFFSET_SEC0
  std::uint32_t pack_counters;     // PACK_COUNTERS_SEC0 ...
  unsigned packers;                // ... one per packer
  std::uint32_t pack_settings[4];  // THCON_SECn_REG1 and REG8: sizes, L1 address, formats
  std::uint32_t unpacker[2];       // THCON_SECn_REG0: tile descriptor; REG1 is 4 words further, and so on
  std::uint32_t srca_set;          // thread configuration: SRCA_SET
  std::uint32_t matrix_modes;      // ADDR_MOD_AB_SEC0
  std::uint32_t matrix_mode_step;
  std::uint32_t matrix_dst_modes;  // ADDR_MOD_DST_SEC0
  std::uint32_t pack_mode;         // ADDR_MOD_PACK_SEC0
};

inline constexpr ConfigWords wormhole_words{1, 8, 12, 14, 20, 24, 4, {56, 84, 96, 124}, {52, 92}, 3, 7, 2, 23, 31};
inline constexpr ConfigWords blackhole_words{1, 12, 16, 18, 24, 28, 1, {68, 0, 0, 0}, {64, 112}, 5, 12, 1, 28, 37};

constexpr const ConfigWords& words_of(Arch arch) {
  return arch == Arch::wormhole ? wormhole_words : blackhole_words;
}

// Offsets from the tile descriptor of an unpacker, in words.
inline constexpr std::uint32_t unpack_settings = 8;  // REG2
inline constexpr std::uint32_t unpack_base = 12;     // REG3
inline constexpr std::uint32_t unpack_dest = 20;     // REG5
inline constexpr std::uint32_t unpack_x_dim = 22;    // REG5
// Offsets from a packer's settings.
inline constexpr std::uint32_t pack_l1_address = 1;
inline constexpr std::uint32_t pack_formats = 2;

}  // namespace tensim::reference
