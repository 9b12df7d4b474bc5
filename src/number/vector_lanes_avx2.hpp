// vector_lanes.hpp with AVX2. Call only where avx2::supported() says so.
#pragma once

#include "number/vector_lanes.hpp"

namespace tensim::number::avx2 {

/// Numbers that the lanes are worked on with, for eight of them each. They lie in memory, as operands that cost no instruction
/// of their own, and are defined in another file than they are used in: where the compiler sees a value, it rather makes it.
struct LaneConstants {
  struct alignas(32) Eight {
    std::array<std::uint32_t, lane_columns> lane;
    explicit constexpr Eight(std::uint32_t value) : lane() { lane.fill(value); }
  };
  static constexpr std::uint32_t exponent_one = 1U << 23U;
  static constexpr std::uint32_t bias = 127;
  static constexpr std::uint32_t leading_bit = 26;  // of a term, in units of the last place that is kept
  static constexpr std::uint32_t smallest = 64 * exponent_one;

  Eight exponent{0x7F80'0000};
  Eight minus_bias{0U - bias * exponent_one};
  Eight two{2};
  Eight magnitude{0x7FFF'FFFF};
  Eight sign{0x8000'0000};
  Eight half{0x3F00'0000};             // 0.5
  Eight smallest_exponent{smallest};   // of the greater term
  Eight below_smallest{smallest - 2};  // nor that less 1
  Eight to_unit{0U - leading_bit * exponent_one};
  Eight from_unit{(2 * bias + leading_bit - 1) * exponent_one};  // to twice the unit's reciprocal
  Eight before_second_shift{(1U << 28U) - 1};

  // Of numbers in Dst, whose exponent is below the upper mantissa bits.
  Eight dst_exponent{0x00FF'0000};
  Eight dst_mantissa{0x7F00'0000};
  Eight upper_mantissa{0x007F'0000};
  Eight sign_and_lower{0x8000'FFFF};
};
extern const LaneConstants lane_constants;

void copy_lanes(Lanes& to, const Lanes& from, LaneMask mask);
void multiply_add(Arch arch, const Lanes& a, const Lanes& b, const Lanes& c, MadSigns signs, Lanes& to);
/// The same of one chip; what `to` held is kept in `old`. `turned`: bit 0 the product, bit 1 the addend.
void multiply_add_on_wormhole(const Lanes& a, const Lanes& b, const Lanes& c, Lanes& to, Lanes& old);
void multiply_add_on_blackhole(const Lanes& a, const Lanes& b, const Lanes& c, Lanes& to, Lanes& old, unsigned turned);
void read_dst16(const DstPlace& place, Lanes& to);
void read_dst32(const DstPlace& place, Lanes& to);
void write_dst16(const DstPlace& place, const Lanes& from, LaneMask mask);
void write_dst32(const DstPlace& place, const Lanes& from, LaneMask mask);
/// A register from Dst or to it in one go: 32 bits, or BF16. Every lane; where it is flushed, and in BF16, denormals become
/// zeros.
/// The lower halves are eight rows below the upper ones.
inline constexpr unsigned low_half_rows = 8;
void load_float32(const DstBitsRow* high, bool odd, Lanes& to);
void load_bfloat16(const DstBitsRow* high, bool odd, Lanes& to);
void store_float32(DstBitsRow* high, bool odd, const Lanes& from);
void store_flushed_float32(DstBitsRow* high, bool odd, const Lanes& from);
void store_bfloat16(DstBitsRow* high, bool odd, const Lanes& from);
void exponent_above(Lanes& lanes);
void exponent_below(Lanes& lanes);

}  // namespace tensim::number::avx2
