// The Vector Unit's instructions on bits and integers, and on the fields of FP32.
#include <bit>

#include "number/vector_functions.hpp"
#include "tensix/units/vector/fields.hpp"
#include "tensix/units/vector/work.hpp"

namespace tensim::tensix::vector_data {
namespace {

namespace bits = number::lane_bits;

/// Only results in LReg 0 to 7 change flags.
bool sets_flags(const VectorWork& work) {
  return work.in.vd < general_lregs;
}

LaneMask negative_lanes(const Lanes& lanes) {
  return lanes_where([&](unsigned lane) { return (lanes[lane] & bits::sign) != 0; });
}

template <class Function>
void from_one(VectorWork& work, Function function) {
  const Lanes& c = work.source(work.in.vc);
  work.write(work.in.vd, each_lane([&](unsigned lane) { return function(c[lane]); }));
}

template <class Function>
void from_two(VectorWork& work, unsigned vb, Function function) {
  const Lanes& b = work.source(vb);
  const Lanes& c = work.source(work.in.vc);
  work.write(work.in.vd, each_lane([&](unsigned lane) { return function(b[lane], c[lane]); }));
}

/// Blackhole's SFPAND and SFPOR may name another register than VD (USE_VB). Wormhole has no such bit.
unsigned second_operand(const VectorWork& work) {
  if (!has_use_vb(work.coprocessor.arch)) return work.in.vb;
  return (work.in.mod & 1U) != 0 ? work.in.vb : work.in.vd;
}

}  // namespace

// ---- bits ----

void bit_and(VectorWork& work) {
  from_two(work, second_operand(work), [](std::uint32_t b, std::uint32_t c) { return b & c; });
}
void bit_or(VectorWork& work) {
  from_two(work, second_operand(work), [](std::uint32_t b, std::uint32_t c) { return b | c; });
}
void bit_xor(VectorWork& work) {
  from_two(work, work.in.vb, [](std::uint32_t b, std::uint32_t c) { return b ^ c; });
}
void bit_not(VectorWork& work) {
  from_one(work, [](std::uint32_t c) { return ~c; });
}

void leading_zeros(VectorWork& work) {
  constexpr unsigned sets_if_not_zero = 2;
  constexpr unsigned without_sign = 4;
  constexpr unsigned complements = 8;
  const std::uint32_t looked_at = (work.in.mod & without_sign) != 0 ? bits::magnitude : ~0U;
  const Lanes& c = work.source(work.in.vc);
  const LaneMask not_zero = lanes_where([&](unsigned lane) { return (c[lane] & looked_at) != 0; });
  work.write(work.in.vd, each_lane([&](unsigned lane) {
               return static_cast<std::uint32_t>(std::countl_zero(c[lane] & looked_at));
             }));
  if (!sets_flags(work)) return;
  if ((work.in.mod & sets_if_not_zero) != 0) work.set_flags(not_zero, work.enabled);
  if ((work.in.mod & complements) != 0) work.set_flags(~work.registers().flags, work.enabled);
}

void shift(VectorWork& work) {
  constexpr unsigned by_immediate = 1;
  constexpr unsigned arithmetic = 2;
  constexpr unsigned immediate_shifts_vc = 4;
  const unsigned mod = work.in.mod & on(work.coprocessor.arch, by_immediate, ~0U);
  const bool arithmetically = (mod & arithmetic) != 0;
  if ((mod & by_immediate) == 0) {
    from_two(work, work.in.vb, [&](std::uint32_t b, std::uint32_t c) { return number::shifted(b, c, arithmetically); });
    return;
  }
  const std::uint32_t distance = signed_imm12(work.in.word);
  const Lanes& x = work.source((mod & immediate_shifts_vc) != 0 ? work.in.vc : work.in.vb);
  work.write(work.in.vd, each_lane([&](unsigned lane) { return number::shifted(x[lane], distance, arithmetically); }));
}

// ---- integers ----

void absolute(VectorWork& work) {
  constexpr unsigned is_float = 1;
  constexpr std::uint32_t minus_infinity = 0xFF80'0000;
  if ((work.in.mod & is_float) != 0)  // a negative NaN stays as it is
    from_one(work, [](std::uint32_t c) { return c > minus_infinity ? c : c & bits::magnitude; });
  else
    from_one(work, [](std::uint32_t c) { return (c & bits::sign) != 0 ? 0U - c : c; });
}

void add_integers(VectorWork& work) {
  constexpr unsigned immediate = 1;
  constexpr unsigned subtracts = 2;
  constexpr unsigned keeps_flags = 4;
  constexpr unsigned complements = 8;
  const Lanes& c = work.source(work.in.vc);
  Lanes results;
  if ((work.in.mod & immediate) != 0) {
    const std::uint32_t added = signed_imm12(work.in.word);
    results = each_lane([&](unsigned lane) { return c[lane] + added; });
  } else {
    const Lanes& b = work.source(work.in.vb);
    results = (work.in.mod & subtracts) != 0 ? each_lane([&](unsigned lane) { return c[lane] - b[lane]; })
                                             : each_lane([&](unsigned lane) { return c[lane] + b[lane]; });
  }
  work.write(work.in.vd, results);
  if (!sets_flags(work)) return;
  if ((work.in.mod & keeps_flags) == 0) work.set_flags(negative_lanes(results), work.enabled);
  if ((work.in.mod & complements) != 0) work.set_flags(~work.registers().flags, work.enabled);
}

// ---- fields of FP32 ----

void divide_by_power(VectorWork& work) {
  constexpr unsigned adds = 1;
  const std::uint32_t power = vector_words::imm8.get(work.in.word);
  if ((work.in.mod & adds) == 0) {
    from_one(work, [&](std::uint32_t c) { return (c & ~bits::exponent) | power << bits::mantissa_width; });
    return;
  }
  from_one(work, [&](std::uint32_t c) {
    const std::uint32_t moved = (c + (power << bits::mantissa_width)) & bits::exponent;
    return (c & bits::exponent) == bits::exponent ? c : (c & ~bits::exponent) | moved;
  });
}

void extract_exponent(VectorWork& work) {
  constexpr unsigned with_bias = 1;
  constexpr unsigned sets_if_negative = 2;
  constexpr unsigned complements = 8;
  const std::uint32_t bias = (work.in.mod & with_bias) != 0 ? 0 : 127;
  const Lanes& c = work.source(work.in.vc);
  const Lanes results = each_lane([&](unsigned lane) { return (c[lane] >> bits::mantissa_width & 0xFFU) - bias; });
  work.write(work.in.vd, results);
  if (!sets_flags(work)) return;
  if ((work.in.mod & sets_if_negative) != 0) work.set_flags(negative_lanes(results), work.enabled);
  if ((work.in.mod & complements) != 0) work.set_flags(~work.registers().flags, work.enabled);
}

void extract_mantissa(VectorWork& work) {
  constexpr unsigned without_hidden_bit = 1;
  const std::uint32_t hidden = (work.in.mod & without_hidden_bit) != 0 ? 0U : 1U << bits::mantissa_width;
  from_one(work, [&](std::uint32_t c) { return hidden | (c & bits::mantissa); });
}

void set_exponent(VectorWork& work) {
  constexpr unsigned immediate = 1;
  constexpr unsigned from_exponent = 2;
  if ((work.in.mod & immediate) != 0) {
    const std::uint32_t exponent = vector_words::imm8.get(work.in.word) << bits::mantissa_width;
    from_one(work, [&](std::uint32_t c) { return (c & ~bits::exponent) | exponent; });
  } else if ((work.in.mod & from_exponent) != 0) {
    from_two(work, work.in.vb,
             [](std::uint32_t b, std::uint32_t c) { return (c & ~bits::exponent) | (b & bits::exponent); });
  } else {
    from_two(work, work.in.vb, [](std::uint32_t b, std::uint32_t c) {
      return (c & ~bits::exponent) | (b & 0xFFU) << bits::mantissa_width;
    });
  }
}

void set_mantissa(VectorWork& work) {
  constexpr unsigned immediate = 1;
  if ((work.in.mod & immediate) != 0) {
    const std::uint32_t mantissa = vector_words::imm12.get(work.in.word) << 11U;
    from_one(work, [&](std::uint32_t c) { return (c & ~bits::mantissa) | mantissa; });
    return;
  }
  from_two(work, work.in.vb,
           [](std::uint32_t b, std::uint32_t c) { return (c & ~bits::mantissa) | (b & bits::mantissa); });
}

void set_sign(VectorWork& work) {
  constexpr unsigned immediate = 1;
  if ((work.in.mod & immediate) != 0) {
    const std::uint32_t sign = vector_words::imm1.get(work.in.word) << 31U;
    from_one(work, [&](std::uint32_t c) { return (c & bits::magnitude) | sign; });
    return;
  }
  from_two(work, work.in.vb, [](std::uint32_t b, std::uint32_t c) { return (c & bits::magnitude) | (b & bits::sign); });
}

}  // namespace tensim::tensix::vector_data
