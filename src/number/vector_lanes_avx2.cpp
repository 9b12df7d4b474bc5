#include "number/vector_lanes_avx2.hpp"

#include "number/vector_fma.hpp"

#if defined(__x86_64__)

#include "number/matrix_avx2_dst.hpp"

namespace tensim::number::avx2 {
namespace {

constexpr unsigned group = 8;  // lanes at a time: a row of them
static_assert(group == lane_columns);

TENSIM_AVX2 void save(void* to, __m256i value) {
  _mm256_storeu_si256(static_cast<__m256i*>(to), value);
}
TENSIM_AVX2 __m256i all(std::uint32_t value) {
  return _mm256_set1_epi32(static_cast<int>(value));
}

/// All ones in the lanes of eight that the mask names.
TENSIM_AVX2 __m256i chosen(LaneMask mask, unsigned first) {
  const __m256i bits = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
  const __m256i spread = all(mask >> first);
  return _mm256_cmpeq_epi32(_mm256_and_si256(spread, bits), bits);
}

// ---- multiply-add ----

/// The two operands of a sum, with the one of the greater exponent first.
struct Sum {
  __m256i exponent;
  __m256i signed_sum;  // positive if it has the sign of `sign`
  __m256i sign;        // in the sign bit; other bits are anything
  __m256i opposite;    // all ones where the operands' signs differ
  __m256i special;     // all ones where an operand or the product is infinite or a NaN
};

TENSIM_AVX2 __m256i exponents(__m256i bits) {
  return _mm256_srli_epi32(_mm256_slli_epi32(bits, 1), 24);
}

/// The product's 27 or 28 bits, the last one sticky. Factors are shifted so that it lies across the middle of 64 bits.
TENSIM_AVX2 __m256i product(__m256i x, __m256i y) {
  const __m256i a = _mm256_or_si256(_mm256_slli_epi32(x, 8), all(0x8000'0000));
  const __m256i b = _mm256_srli_epi32(_mm256_or_si256(_mm256_slli_epi32(y, 8), all(0x8000'0000)), 4);
  const __m256i even = _mm256_mul_epu32(a, b);
  const __m256i odd = _mm256_mul_epu32(_mm256_srli_epi64(a, 32), _mm256_srli_epi64(b, 32));
  const __m256i kept = _mm256_blend_epi32(_mm256_srli_epi64(even, 32), odd, 0xAA);
  const __m256i cut = _mm256_blend_epi32(even, _mm256_slli_epi64(odd, 32), 0xAA);
  const __m256i exact = _mm256_cmpeq_epi32(cut, _mm256_setzero_si256());
  return _mm256_or_si256(kept, _mm256_add_epi32(exact, all(1)));
}

TENSIM_AVX2 Sum sum_of(__m256i x, __m256i y, __m256i z) {
  const __m256i zero = _mm256_setzero_si256();
  const __m256i x_exponent = exponents(x);
  const __m256i y_exponent = exponents(y);
  const __m256i z_exponent = exponents(z);
  const __m256i p_exponent = _mm256_sub_epi32(_mm256_add_epi32(x_exponent, y_exponent), all(fma::bias));
  const __m256i highest =
      _mm256_max_epi32(_mm256_max_epi32(x_exponent, y_exponent), _mm256_max_epi32(z_exponent, p_exponent));

  const __m256i z_fraction = _mm256_or_si256(_mm256_and_si256(z, all(0x7F'FFFF)), all(0x80'0000));
  const __m256i z_magnitude =
      _mm256_andnot_si256(_mm256_cmpeq_epi32(z_exponent, zero), _mm256_slli_epi32(z_fraction, fma::guard_bits));
  // No product: a factor of zero, or an underflow.
  const __m256i none = _mm256_or_si256(_mm256_cmpeq_epi32(_mm256_min_epi32(x_exponent, y_exponent), zero),
                                       _mm256_srai_epi32(p_exponent, 31));
  const __m256i p_magnitude = _mm256_andnot_si256(none, product(x, y));
  const __m256i p_place = _mm256_andnot_si256(none, p_exponent);

  const __m256i p_first = _mm256_cmpgt_epi32(p_place, z_exponent);
  const __m256i large = _mm256_blendv_epi8(z_magnitude, p_magnitude, p_first);
  const __m256i small = _mm256_blendv_epi8(p_magnitude, z_magnitude, p_first);
  const __m256i distance = _mm256_abs_epi32(_mm256_sub_epi32(p_place, z_exponent));
  const __m256i kept = _mm256_srlv_epi32(small, distance);
  const __m256i exact = _mm256_cmpeq_epi32(_mm256_sllv_epi32(kept, distance), small);
  const __m256i sticky = _mm256_min_epu32(_mm256_add_epi32(exact, all(1)), kept);
  const __m256i aligned = _mm256_or_si256(kept, sticky);

  const __m256i p_sign = _mm256_xor_si256(x, y);
  const __m256i opposite = _mm256_srai_epi32(_mm256_xor_si256(p_sign, z), 31);
  const __m256i signed_small = _mm256_sub_epi32(_mm256_xor_si256(aligned, opposite), opposite);
  return {_mm256_max_epi32(p_place, z_exponent), _mm256_add_epi32(large, signed_small),
          _mm256_blendv_epi8(z, p_sign, p_first), opposite, _mm256_cmpgt_epi32(highest, all(fma::top_exponent - 1))};
}

struct Result {
  __m256i bits;
  __m256i unsure;  // all ones where the lane has to be computed one by one
};

/// The host's conversion to float rounds as the hardware does.
template <bool wormhole>
TENSIM_AVX2 Result rounded(const Sum& sum) {
  const __m256i zero = _mm256_setzero_si256();
  __m256i magnitude = _mm256_abs_epi32(sum.signed_sum);
  if constexpr (wormhole) {  // of two bits that are shifted out, the upper one is lost
    const __m256i by_two = _mm256_cmpgt_epi32(magnitude, all((1U << 28U) - 1U));
    magnitude = _mm256_andnot_si256(_mm256_and_si256(by_two, all(2)), magnitude);
  }
  constexpr std::uint32_t unit = fma::bias + fma::leading_bit;
  const __m256i number = _mm256_castps_si256(_mm256_cvtepi32_ps(magnitude));
  const __m256i scale = _mm256_slli_epi32(_mm256_sub_epi32(sum.exponent, all(unit)), fma::fraction_bits);
  const __m256i scaled = _mm256_add_epi32(number, scale);
  // Exponents 1 to 254 are safe; anything else has wrapped to something greater.
  const __m256i place = _mm256_sub_epi32(_mm256_srli_epi32(scaled, fma::fraction_bits), all(1));
  const __m256i outside = _mm256_cmpeq_epi32(_mm256_max_epu32(place, all(fma::top_exponent - 1)), place);
  const __m256i is_zero = _mm256_cmpeq_epi32(magnitude, zero);
  __m256i sign = _mm256_and_si256(_mm256_xor_si256(sum.sign, sum.signed_sum), all(fma::sign_bit));
  if constexpr (wormhole)
    sign = _mm256_andnot_si256(is_zero, sign);
  else
    sign = _mm256_andnot_si256(_mm256_and_si256(is_zero, sum.opposite), sign);
  return {_mm256_or_si256(_mm256_andnot_si256(is_zero, scaled), sign),
          _mm256_or_si256(_mm256_andnot_si256(is_zero, outside), sum.special)};
}

// ---- sums in units of the last place that the hardware keeps ----
//
// Of two terms, the hardware cuts each `leading_bit` bits below the greater exponent, and an inexact one to an odd place;
// it adds them exactly and rounds once. With u for that place, an x that lies between two even multiples of u is cut to
// the odd one between them: floor(x / 2u) + ceil(x / 2u). The host computes the product as a rounded number and the rest,
// which decides only where the number is an even multiple. The sum is an integer below 2^29, and the host's conversion
// to float rounds it as the hardware does.
//
// Left to the long way: NaNs, infinities, products that overflow or underflow, and sums whose greater exponent is small.

#define TENSIM_FMA [[gnu::target("avx2,fma"), gnu::always_inline]] inline

static_assert(LaneConstants::bias == fma::bias && LaneConstants::leading_bit == fma::leading_bit &&
              LaneConstants::exponent_one == 1U << fma::fraction_bits);

TENSIM_FMA __m256i constant_at(const LaneConstants::Eight& eight) {
  return load(&eight);
}
TENSIM_FMA __m256 as_floats(__m256i bits) {
  return _mm256_castsi256_ps(bits);
}

/// Twice what it is given, cut to an odd integer if it is no even one.
TENSIM_FMA __m256 odd_if_cut(__m256 half) {
  return _mm256_add_ps(_mm256_floor_ps(half), _mm256_ceil_ps(half));
}

/// x * y in units; what it is given is for twice the unit.
TENSIM_FMA __m256i product_in_units(__m256 x, __m256 y, __m256 per_two_units) {
  const __m256 product = _mm256_mul_ps(x, y);
  const __m256 rest = _mm256_fmsub_ps(x, y, product);
  const __m256 half = _mm256_mul_ps(product, per_two_units);
  const __m256 below = _mm256_floor_ps(half);
  const __m256 above = _mm256_ceil_ps(half);
  const __m256 is_even = _mm256_cmp_ps(below, above, _CMP_EQ_OQ);
  const __m256 cut_rest = _mm256_and_ps(odd_if_cut(_mm256_mul_ps(rest, per_two_units)), is_even);
  return _mm256_add_epi32(_mm256_cvtps_epi32(_mm256_add_ps(below, above)), _mm256_cvtps_epi32(cut_rest));
}

/// An addend of less than a unit is lost without a trace.
TENSIM_FMA __m256i addend_in_units(__m256 z, __m256 per_two_units) {
  const __m256 half = _mm256_mul_ps(z, per_two_units);
  const __m256 magnitude = _mm256_and_ps(half, as_floats(constant_at(lane_constants.magnitude)));
  const __m256 counts = _mm256_cmp_ps(magnitude, as_floats(constant_at(lane_constants.half)), _CMP_GE_OQ);
  return _mm256_cvtps_epi32(_mm256_and_ps(odd_if_cut(half), counts));
}

/// What rows of lanes have among them.
struct Extremes {
  __m256i highest;  // exponent; below zero is above all
  __m256i lowest;   // of the greater exponents of two terms, less 1 without a product: a sum of zeros has the highest

  TENSIM_FMA void add(__m256i high, __m256i low, bool first) {
    highest = first ? high : _mm256_max_epu32(highest, high);
    lowest = first ? low : _mm256_min_epu32(lowest, low);
  }
  TENSIM_FMA bool are_out_of_range() const {
    const __m256i most = _mm256_max_epu32(highest, constant_at(lane_constants.exponent));
    const __m256i least = _mm256_min_epu32(lowest, constant_at(lane_constants.below_smallest));
    const __m256i outside = _mm256_or_si256(_mm256_cmpeq_epi32(most, highest), _mm256_cmpeq_epi32(least, lowest));
    return _mm256_testz_si256(outside, outside) == 0;
  }
};

template <bool wormhole>
TENSIM_FMA __m256i sum_in_units(__m256i x, __m256i y, __m256i z, Extremes& extremes, bool first) {
  const LaneConstants& constants = lane_constants;
  const __m256i mask = constant_at(constants.exponent);
  const __m256i x_exponent = _mm256_and_si256(x, mask);
  const __m256i y_exponent = _mm256_and_si256(y, mask);
  const __m256i z_exponent = _mm256_and_si256(z, mask);
  const __m256i no_product = _mm256_cmpeq_epi32(_mm256_min_epi32(x_exponent, y_exponent), _mm256_setzero_si256());
  const __m256i both = _mm256_add_epi32(_mm256_add_epi32(x_exponent, y_exponent), constant_at(constants.minus_bias));
  const __m256i p_exponent = _mm256_andnot_si256(no_product, both);
  const __m256i top = _mm256_max_epu32(p_exponent, z_exponent);
  extremes.add(_mm256_max_epu32(_mm256_max_epu32(x_exponent, y_exponent), top), _mm256_add_epi32(top, no_product),
               first);

  const __m256i place = _mm256_max_epi32(top, constant_at(constants.smallest_exponent));
  const __m256 per_two_units = as_floats(_mm256_sub_epi32(constant_at(constants.from_unit), place));
  __m256i sum = product_in_units(as_floats(_mm256_andnot_si256(no_product, x)), as_floats(y), per_two_units);
  sum = _mm256_add_epi32(sum, addend_in_units(as_floats(z), per_two_units));
  if constexpr (wormhole) {  // of two bits that are shifted out, the upper one is lost
    const __m256i magnitude = _mm256_abs_epi32(sum);
    const __m256i by_two = _mm256_cmpgt_epi32(magnitude, constant_at(constants.before_second_shift));
    const __m256i lost = _mm256_and_si256(by_two, constant_at(constants.two));
    sum = _mm256_sign_epi32(_mm256_andnot_si256(lost, magnitude), sum);
  }
  const __m256 unit = as_floats(_mm256_add_epi32(place, constant_at(constants.to_unit)));
  const __m256i result = _mm256_castps_si256(_mm256_mul_ps(_mm256_cvtepi32_ps(sum), unit));
  if constexpr (wormhole) return result;
  // A sum of negative zeros is one.
  const __m256i p_sign = _mm256_xor_si256(x, y);
  return _mm256_or_si256(result, _mm256_and_si256(_mm256_and_si256(p_sign, z), constant_at(constants.sign)));
}

[[gnu::noinline]] void one_by_one(Arch arch, const Lanes& a, const Lanes& b, const Lanes& c, MadSigns signs,
                                  unsigned first, unsigned unsure, std::array<std::uint32_t, group>& results) {
  for (unsigned i = 0; i < group; ++i)
    if ((unsure >> i & 1U) != 0)
      results[i] = number::multiply_add(arch, a[first + i], b[first + i] ^ signs.product, c[first + i] ^ signs.addend);
}

/// Eight lanes, the long way.
template <bool wormhole>
TENSIM_AVX2 void multiply_add_row(const Lanes& a, const Lanes& b, const Lanes& c, MadSigns signs, Lanes& to,
                                  unsigned first) {
  const __m256i x = load(&a.lane[first]);
  const __m256i y = _mm256_xor_si256(load(&b.lane[first]), all(signs.product));
  const __m256i z = _mm256_xor_si256(load(&c.lane[first]), all(signs.addend));
  const Result result = rounded<wormhole>(sum_of(x, y, z));
  if (_mm256_testz_si256(result.unsure, result.unsure) != 0) [[likely]]
    return save(&to.lane[first], result.bits);
  const auto unsure = static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(result.unsure)));
  std::array<std::uint32_t, group> results;
  save(results.data(), result.bits);
  one_by_one(wormhole ? Arch::wormhole : Arch::blackhole, a, b, c, signs, first, unsure, results);
  save(&to.lane[first], load(results.data()));
}

template <bool wormhole>
[[gnu::target("avx2"), gnu::noinline]] void long_way(const Lanes& a, const Lanes& b, const Lanes& c, MadSigns signs,
                                                     Lanes& to) {
#pragma GCC unroll 1
  for (unsigned first = 0; first < lane_count; first += group)
    multiply_add_row<wormhole>(a, b, c, signs, to, first);
}

TENSIM_FMA void keep(const Lanes& from, Lanes& in) {
#pragma GCC unroll 4
  for (std::size_t row = 0; row < lane_rows; ++row)
    save(&in.lane[row * group], load(&from.lane[row * group]));
}

template <bool wormhole, bool turns>
TENSIM_FMA void usual_way(const Lanes& a, const Lanes& b, const Lanes& c, MadSigns signs, Lanes& to) {
  const __m256i turn_product = all(signs.product);
  const __m256i turn_addend = all(signs.addend);
  __m256i sums[lane_rows];
  Extremes extremes;
#pragma GCC unroll 4
  for (std::size_t row = 0; row < lane_rows; ++row) {
    const __m256i x = load(&a.lane[row * group]);
    const __m256i y = load(&b.lane[row * group]);
    const __m256i z = load(&c.lane[row * group]);
    sums[row] = sum_in_units<wormhole>(x, turns ? _mm256_xor_si256(y, turn_product) : y,
                                       turns ? _mm256_xor_si256(z, turn_addend) : z, extremes, row == 0);
  }
  if (extremes.are_out_of_range()) [[unlikely]]
    return long_way<wormhole>(a, b, c, signs, to);
#pragma GCC unroll 4
  for (std::size_t row = 0; row < lane_rows; ++row)
    save(&to.lane[row * group], sums[row]);
}

template <bool wormhole>
[[gnu::target("avx2,fma"), gnu::noinline]] void turning_way(const Lanes& a, const Lanes& b, const Lanes& c,
                                                            MadSigns signs, Lanes& to) {
  usual_way<wormhole, true>(a, b, c, signs, to);
}

}  // namespace

[[gnu::target("avx2,fma")]] void multiply_add_on_wormhole(const Lanes& a, const Lanes& b, const Lanes& c, Lanes& to,
                                                          Lanes& old) {
  keep(to, old);
  usual_way<true, false>(a, b, c, {}, to);
}

[[gnu::target("avx2,fma")]] void multiply_add_on_blackhole(const Lanes& a, const Lanes& b, const Lanes& c, Lanes& to,
                                                           Lanes& old, unsigned turned) {
  keep(to, old);
  if (turned != 0) return turning_way<false>(a, b, c, {turned << 31U, turned >> 1U << 31U}, to);
  usual_way<false, false>(a, b, c, {}, to);
}

void multiply_add(Arch arch, const Lanes& a, const Lanes& b, const Lanes& c, MadSigns signs, Lanes& to) {
  switch (arch) {
    case Arch::wormhole: return turning_way<true>(a, b, c, signs, to);
    case Arch::blackhole: return turning_way<false>(a, b, c, signs, to);
  }
}

// ---- moving lanes ----

[[gnu::target("avx2")]] void copy_lanes(Lanes& to, const Lanes& from, LaneMask mask) {
  for (unsigned first = 0; first < lane_count; first += group)
    _mm256_maskstore_epi32(reinterpret_cast<int*>(&to.lane[first]), chosen(mask, first), load(&from.lane[first]));
}

namespace {

TENSIM_AVX2 __m256i upper_or_lower(__m256i row, bool odd) {
  return odd ? _mm256_srli_epi32(row, 16) : _mm256_and_si256(row, all(0xFFFF));
}

/// The lanes' lower 16 bits into every other column of a row.
TENSIM_AVX2 void put(DstBitsRow& row, __m256i lanes, __m256i chosen_lanes, bool odd) {
  const __m256i placed = odd ? _mm256_slli_epi32(lanes, 16) : lanes;
  const __m256i columns = _mm256_and_si256(chosen_lanes, all(odd ? 0xFFFF'0000 : 0x0000'FFFF));
  save(row.data(), _mm256_blendv_epi8(load(row.data()), placed, columns));
}

}  // namespace

[[gnu::target("avx2")]] void read_dst16(const DstPlace& place, Lanes& to) {
  for (unsigned first = 0; first < lane_count; first += group)
    save(&to.lane[first], upper_or_lower(load(place.high[first / group].data()), place.odd));
}

[[gnu::target("avx2")]] void read_dst32(const DstPlace& place, Lanes& to) {
  for (unsigned first = 0; first < lane_count; first += group) {
    const __m256i high = upper_or_lower(load(place.high[first / group].data()), place.odd);
    const __m256i low = upper_or_lower(load(place.low[first / group].data()), place.odd);
    save(&to.lane[first], _mm256_or_si256(_mm256_slli_epi32(high, 16), low));
  }
}

[[gnu::target("avx2")]] void write_dst16(const DstPlace& place, const Lanes& from, LaneMask mask) {
  for (unsigned first = 0; first < lane_count; first += group)
    put(place.high[first / group], load(&from.lane[first]), chosen(mask, first), place.odd);
}

[[gnu::target("avx2")]] void write_dst32(const DstPlace& place, const Lanes& from, LaneMask mask) {
  for (unsigned first = 0; first < lane_count; first += group) {
    const __m256i lanes = load(&from.lane[first]);
    const __m256i chosen_lanes = chosen(mask, first);
    put(place.high[first / group], _mm256_srli_epi32(lanes, 16), chosen_lanes, place.odd);
    put(place.low[first / group], lanes, chosen_lanes, place.odd);
  }
}

namespace {

TENSIM_AVX2 __m256i with_exponent_above(__m256i x) {
  const __m256i exponent = _mm256_slli_epi32(_mm256_and_si256(x, load(&lane_constants.dst_exponent)), 7);
  const __m256i mantissa = _mm256_srli_epi32(_mm256_and_si256(x, load(&lane_constants.dst_mantissa)), 8);
  const __m256i rest = _mm256_and_si256(x, load(&lane_constants.sign_and_lower));
  return _mm256_or_si256(rest, _mm256_or_si256(exponent, mantissa));
}

/// `flush`: denormals to zeros of their sign.
template <bool flush = false>
TENSIM_AVX2 __m256i with_exponent_below(__m256i x) {
  const __m256i exponent = _mm256_and_si256(x, load(&lane_constants.exponent));
  if constexpr (flush) {
    const __m256i normal = _mm256_cmpgt_epi32(exponent, _mm256_setzero_si256());
    x = _mm256_and_si256(x, _mm256_or_si256(normal, load(&lane_constants.sign)));
  }
  const __m256i mantissa = _mm256_slli_epi32(_mm256_and_si256(x, load(&lane_constants.upper_mantissa)), 8);
  const __m256i rest = _mm256_and_si256(x, load(&lane_constants.sign_and_lower));
  return _mm256_or_si256(rest, _mm256_or_si256(_mm256_srli_epi32(exponent, 7), mantissa));
}

// For blends of 16 bits.
constexpr int even_columns = 0x55;
constexpr int odd_columns = 0xAA;

/// Two rows' datums in every other column as 32 bits.
template <bool odd>
TENSIM_AVX2 __m256i joined(__m256i high, __m256i low) {
  if constexpr (odd) return _mm256_blend_epi16(high, _mm256_srli_epi32(low, 16), even_columns);
  return _mm256_blend_epi16(_mm256_slli_epi32(high, 16), low, even_columns);
}

/// The lanes' upper or lower halves into every other column of a row.
template <bool odd>
TENSIM_AVX2 void put_upper(DstBitsRow& row, __m256i lanes) {
  if constexpr (odd)
    save(row.data(), _mm256_blend_epi16(load(row.data()), lanes, odd_columns));
  else
    save(row.data(), _mm256_blend_epi16(load(row.data()), _mm256_srli_epi32(lanes, 16), even_columns));
}
template <bool odd>
TENSIM_AVX2 void put_lower(DstBitsRow& row, __m256i lanes) {
  if constexpr (odd)
    save(row.data(), _mm256_blend_epi16(load(row.data()), _mm256_slli_epi32(lanes, 16), odd_columns));
  else
    save(row.data(), _mm256_blend_epi16(load(row.data()), lanes, even_columns));
}

template <bool odd, bool wide>
[[gnu::target("avx2"), gnu::noinline]] void load_on(const DstBitsRow* high, Lanes& to) {
#pragma GCC unroll 4
  for (std::size_t row = 0; row < lane_rows; ++row) {
    const __m256i low = wide ? load(high[low_half_rows + row].data()) : _mm256_setzero_si256();
    save(&to.lane[row * group], with_exponent_above(joined<odd>(load(high[row].data()), low)));
  }
}

template <bool odd, bool wide, bool flush>
TENSIM_AVX2 void store_on(DstBitsRow* high, const Lanes& from) {
#pragma GCC unroll 4
  for (std::size_t row = 0; row < lane_rows; ++row) {
    const __m256i lanes = load(&from.lane[row * group]);
    const __m256i placed = with_exponent_below<flush>(lanes);
    put_upper<odd>(high[row], placed);
    if constexpr (wide) put_lower<odd>(high[low_half_rows + row], placed);
  }
}

}  // namespace

void load_float32(const DstBitsRow* high, bool odd, Lanes& to) {
  if (odd)
    load_on<true, true>(high, to);
  else
    load_on<false, true>(high, to);
}

void load_bfloat16(const DstBitsRow* high, bool odd, Lanes& to) {
  if (odd)
    load_on<true, false>(high, to);
  else
    load_on<false, false>(high, to);
}

[[gnu::target("avx2")]] void store_float32(DstBitsRow* high, bool odd, const Lanes& from) {
  if (odd)
    store_on<true, true, false>(high, from);
  else
    store_on<false, true, false>(high, from);
}

[[gnu::target("avx2")]] void store_flushed_float32(DstBitsRow* high, bool odd, const Lanes& from) {
  if (odd)
    store_on<true, true, true>(high, from);
  else
    store_on<false, true, true>(high, from);
}

[[gnu::target("avx2")]] void store_bfloat16(DstBitsRow* high, bool odd, const Lanes& from) {
  if (odd)
    store_on<true, false, true>(high, from);
  else
    store_on<false, false, true>(high, from);
}

[[gnu::target("avx2")]] void exponent_above(Lanes& lanes) {
  for (unsigned first = 0; first < lane_count; first += group)
    save(&lanes.lane[first], with_exponent_above(load(&lanes.lane[first])));
}

[[gnu::target("avx2")]] void exponent_below(Lanes& lanes) {
  for (unsigned first = 0; first < lane_count; first += group)
    save(&lanes.lane[first], with_exponent_below(load(&lanes.lane[first])));
}

}  // namespace tensim::number::avx2

#else

namespace tensim::number::avx2 {

void copy_lanes(Lanes&, const Lanes&, LaneMask) {}
void multiply_add(Arch, const Lanes&, const Lanes&, const Lanes&, MadSigns, Lanes&) {}
void multiply_add_on_wormhole(const Lanes&, const Lanes&, const Lanes&, Lanes&, Lanes&) {}
void multiply_add_on_blackhole(const Lanes&, const Lanes&, const Lanes&, Lanes&, Lanes&, unsigned) {}
void read_dst16(const DstPlace&, Lanes&) {}
void read_dst32(const DstPlace&, Lanes&) {}
void write_dst16(const DstPlace&, const Lanes&, LaneMask) {}
void write_dst32(const DstPlace&, const Lanes&, LaneMask) {}
void load_float32(const DstBitsRow*, bool, Lanes&) {}
void load_bfloat16(const DstBitsRow*, bool, Lanes&) {}
void store_float32(DstBitsRow*, bool, const Lanes&) {}
void store_flushed_float32(DstBitsRow*, bool, const Lanes&) {}
void store_bfloat16(DstBitsRow*, bool, const Lanes&) {}
void exponent_above(Lanes&) {}
void exponent_below(Lanes&) {}

}  // namespace tensim::number::avx2

#endif
