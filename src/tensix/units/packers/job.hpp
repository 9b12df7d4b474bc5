// What one PACR asks of one packer: plain data, complete when the PACR is accepted.
#pragma once

#include <array>
#include <cstdint>

#include "number/format.hpp"
#include "number/pack.hpp"
#include "tensix/registers/dst.hpp"
#include "tensix/types.hpp"

namespace tensim::tensix {

/// Which columns of a row pass and which are replaced, by position in the tile. Page: Packers/EdgeMasking.md.
struct EdgeMasks {
  static constexpr std::uint16_t all_columns = 0xFFFF;

  std::array<std::uint16_t, 4> mask{};         // PCK_EDGE_OFFSET_SECn
  std::array<std::uint32_t, 4> row_mapping{};  // TILE_ROW_SET_MAPPING_n: two bits a row
  std::uint32_t face_mapping = 0;              // the TILE_FACE_SET_MAPPING of the packer: two bits a face
  bool by_face = false;
  std::uint8_t row_set = 0;  // without `by_face`
  std::uint8_t z_offset = 0;
  std::uint32_t replacement = 0;  // as held between the conversions

  std::uint16_t columns(std::uint32_t y, std::uint32_t z) const {
    const std::uint32_t set = by_face ? face_mapping >> (2U * ((z + z_offset) & 15U)) & 3U : row_set;
    return mask[row_mapping[set] >> (2U * (y & 15U)) & 3U];
  }
};

struct PackJob {
  enum class Source : std::uint8_t { nothing, zeros, dst, l1 };
  enum class Padding : std::uint8_t { none, each_row, total };  // with zeros, to 16 datums (RowPadZero)

  bool is_waiting = false;  // for its last cycle
  Cycle last = 0;
  unsigned record = 0;  // in flight
  Source source = Source::nothing;
  bool closes = false;  // Last or Flush: what is left in the buffers goes to L1, and the next PACR finds new addresses
  bool ends_tile = false;  // Last
  bool compresses = false;
  bool ends_row = false;       // of compressed data; otherwise the next PACR goes on with it (Concat)
  bool counts_header = false;  // Add_tile_header_size
  bool early_noise = false;    // stochastic rounding: Gasket_srnd_en
  bool late_noise = false;     // Packer_srnd_en
  std::uint8_t thread = 0;
  Entry entry;  // what it is, for reports
  bool read_32b = false;
  bool accumulates = false;
  bool counts_exponents = false;
  bool yz_transposed = false;
  std::uint8_t reads_per_plane = 0;
  bool steps_context = false;           // CtxtCtrl: the packer's own context moves on behind it,
  std::uint8_t planes_per_context = 0;  // after so many planes; 0: after a tile
  std::uint8_t row_step = 1;            // rows between two read interfaces
  std::uint8_t interfaces = 1;          // mask; Wormhole's packers have one
  std::uint16_t downsample_mask = 0xFFFF;
  std::uint8_t l1_datum_bytes = 0;  // of a job from L1, and its format
  number::DataFormat l1_format = number::DataFormat::fp32;
  Padding padding = Padding::none;
  std::uint32_t first = 0;  // datum of Dst: 16 times the row, plus the column; or byte of L1
  std::uint32_t count = 0;  // datums of each interface
  DstAddressing addressing;
  number::PackPlan plan{};
  number::DataFormat out = number::DataFormat::fp32;
  EdgeMasks edges;

  std::uint32_t fetched() const;
  std::uint32_t packed() const;  // after downsampling
};

}  // namespace tensim::tensix
