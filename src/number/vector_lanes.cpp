#include "number/vector_lanes.hpp"

#include "number/vector_fma.hpp"
#include "number/vector_lanes_avx2.hpp"

namespace tensim::number {

constinit const avx2::LaneConstants avx2::lane_constants;

namespace {

/// Column of Dst that a lane of a row works on.
constexpr unsigned column_of(unsigned lane, bool odd) {
  return lane % lane_columns * 2 + (odd ? 1U : 0U);
}
constexpr bool has(LaneMask mask, unsigned lane) {
  return (mask >> lane & 1U) != 0;
}

}  // namespace

void copy_lanes(Lanes& to, const Lanes& from, LaneMask mask, HostVectors vectors) {
  if (vectors == HostVectors::avx2) return avx2::copy_lanes(to, from, mask);
  for (unsigned i = 0; i < lane_count; ++i)
    if (has(mask, i)) to[i] = from[i];
}

void multiply_add(Arch arch, const Lanes& a, const Lanes& b, const Lanes& c, MadSigns signs, Lanes& to,
                  HostVectors vectors) {
  if (vectors == HostVectors::avx2) return avx2::multiply_add(arch, a, b, c, signs, to);
  for (unsigned i = 0; i < lane_count; ++i)
    to[i] = multiply_add(arch, a[i], b[i] ^ signs.product, c[i] ^ signs.addend);
}

void read_dst16(const DstPlace& place, Lanes& to, HostVectors vectors) {
  if (vectors == HostVectors::avx2) return avx2::read_dst16(place, to);
  for (unsigned i = 0; i < lane_count; ++i)
    to[i] = place.high[i / lane_columns][column_of(i, place.odd)];
}

void read_dst32(const DstPlace& place, Lanes& to, HostVectors vectors) {
  if (vectors == HostVectors::avx2) return avx2::read_dst32(place, to);
  for (unsigned i = 0; i < lane_count; ++i) {
    const unsigned column = column_of(i, place.odd);
    to[i] = std::uint32_t{place.high[i / lane_columns][column]} << 16U | place.low[i / lane_columns][column];
  }
}

void write_dst16(const DstPlace& place, const Lanes& from, LaneMask mask, HostVectors vectors) {
  if (vectors == HostVectors::avx2) return avx2::write_dst16(place, from, mask);
  for (unsigned i = 0; i < lane_count; ++i)
    if (has(mask, i)) place.high[i / lane_columns][column_of(i, place.odd)] = static_cast<std::uint16_t>(from[i]);
}

void write_dst32(const DstPlace& place, const Lanes& from, LaneMask mask, HostVectors vectors) {
  if (vectors == HostVectors::avx2) return avx2::write_dst32(place, from, mask);
  for (unsigned i = 0; i < lane_count; ++i) {
    if (!has(mask, i)) continue;
    const unsigned column = column_of(i, place.odd);
    place.high[i / lane_columns][column] = static_cast<std::uint16_t>(from[i] >> 16U);
    place.low[i / lane_columns][column] = static_cast<std::uint16_t>(from[i]);
  }
}

void exponent_above(Lanes& lanes, HostVectors vectors) {
  if (vectors == HostVectors::avx2) return avx2::exponent_above(lanes);
  for (std::uint32_t& x : lanes.lane)
    x = (x & 0x8000'FFFFU) | (x & 0x00FF'0000U) << 7U | (x & 0x7F00'0000U) >> 8U;
}

void exponent_below(Lanes& lanes, HostVectors vectors) {
  if (vectors == HostVectors::avx2) return avx2::exponent_below(lanes);
  for (std::uint32_t& x : lanes.lane)
    x = (x & 0x8000'FFFFU) | (x & 0x7F80'0000U) >> 7U | (x & 0x007F'0000U) << 8U;
}

}  // namespace tensim::number
