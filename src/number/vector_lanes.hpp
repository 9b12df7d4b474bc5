// The Vector Unit's arithmetic on 32 lanes of 32 bits, with the host's vectors where it has them. Same bits whichever is
// used. Nothing here knows which lanes are enabled: results are computed for all and stored through a mask.
#pragma once

#include <array>
#include <cstdint>

#include "arch/arch.hpp"
#include "number/matrix_rows.hpp"

namespace tensim::number {

inline constexpr unsigned lane_count = 32;
inline constexpr unsigned lane_columns = 8;  // lanes are four rows of eight (LReg.md)
inline constexpr unsigned lane_rows = lane_count / lane_columns;

struct alignas(32) Lanes {
  std::array<std::uint32_t, lane_count> lane;

  constexpr std::uint32_t& operator[](unsigned i) { return lane[i]; }
  constexpr std::uint32_t operator[](unsigned i) const { return lane[i]; }
  friend constexpr bool operator==(const Lanes&, const Lanes&) = default;
};

constexpr Lanes all_lanes(std::uint32_t value) {
  Lanes lanes{};
  lanes.lane.fill(value);
  return lanes;
}

/// One bit for each lane.
using LaneMask = std::uint32_t;
inline constexpr LaneMask every_lane = 0xFFFF'FFFF;

/// The lanes of `from` that the mask names.
void copy_lanes(Lanes& to, const Lanes& from, LaneMask mask, HostVectors vectors);

/// What SFPMAD's modifiers turn round: 0 or the sign bit.
struct MadSigns {
  std::uint32_t product = 0;
  std::uint32_t addend = 0;
};

/// to = a * b + c in every lane; `to` may be one of them.
void multiply_add(Arch arch, const Lanes& a, const Lanes& b, const Lanes& c, MadSigns signs, Lanes& to,
                  HostVectors vectors);

/// Where SFPLOAD and SFPSTORE find their datums: four rows of Dst's bits behind each other, or in 32 bits four more with
/// the lower halves, and in them the even or the odd columns.
struct DstPlace {
  DstBitsRow* high;
  DstBitsRow* low;  // not looked at in 16 bits
  bool odd = false;
};

/// The bits, as they are in Dst.
void read_dst16(const DstPlace& place, Lanes& to, HostVectors vectors);
void read_dst32(const DstPlace& place, Lanes& to, HostVectors vectors);
void write_dst16(const DstPlace& place, const Lanes& from, LaneMask mask, HostVectors vectors);
void write_dst32(const DstPlace& place, const Lanes& from, LaneMask mask, HostVectors vectors);

/// BF16 and FP32 in Dst have their exponent below the upper mantissa bits. These are for the upper half of 32 bits.
void exponent_above(Lanes& lanes, HostVectors vectors);
void exponent_below(Lanes& lanes, HostVectors vectors);

}  // namespace tensim::number
