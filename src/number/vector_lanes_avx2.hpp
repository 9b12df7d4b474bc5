// vector_lanes.hpp with AVX2. Call only where avx2::supported() says so.
#pragma once

#include "number/vector_lanes.hpp"

namespace tensim::number::avx2 {

void copy_lanes(Lanes& to, const Lanes& from, LaneMask mask);
void multiply_add(Arch arch, const Lanes& a, const Lanes& b, const Lanes& c, MadSigns signs, Lanes& to);
void read_dst16(const DstPlace& place, Lanes& to);
void read_dst32(const DstPlace& place, Lanes& to);
void write_dst16(const DstPlace& place, const Lanes& from, LaneMask mask);
void write_dst32(const DstPlace& place, const Lanes& from, LaneMask mask);
/// A register from Dst or to it in one go: 32 bits, or BF16. Every lane; denormals become zeros if `flush` says so.
void load_float32(const DstPlace& place, Lanes& to);
void load_bfloat16(const DstPlace& place, Lanes& to);
void store_float32(const DstPlace& place, const Lanes& from, bool flush);
void store_bfloat16(const DstPlace& place, const Lanes& from);
void exponent_above(Lanes& lanes);
void exponent_below(Lanes& lanes);

}  // namespace tensim::number::avx2
