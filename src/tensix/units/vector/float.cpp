// The Vector Unit's floating point: multiply-add and what is built on it, tables, conversions.
#include "number/vector_approximation.hpp"
#include "number/vector_functions.hpp"
#include "number/vector_lanes_avx2.hpp"
#include "tensix/units/vector/fields.hpp"
#include "tensix/units/vector/work.hpp"

namespace tensim::tensix::vector_data {
namespace {

namespace bits = number::lane_bits;

/// Of SFPMAD and its like.
constexpr bool modifiers_turn_signs(Arch arch) {
  return on(arch, false, true);
}

std::uint32_t turned(const VectorWork& work, unsigned modifier) {
  return modifiers_turn_signs(work.coprocessor.arch) && (work.in.mod & modifier) != 0 ? bits::sign : 0U;
}

/// The register that each lane names in LReg 7.
unsigned named(const Lanes& names, unsigned lane) {
  return names[lane] & 15U;
}

void write_indirectly(VectorWork& work, const Lanes& results) {
  const Lanes names = work.source(index_lreg);
  for (unsigned lreg = 0; lreg < general_lregs; ++lreg)
    work.keep_old(lreg, work.coprocessor.timing->multiply_add);
  for (unsigned lane = 0; lane < lane_count; ++lane) {
    const unsigned lreg = named(names, lane);
    if ((work.enabled >> lane & 1U) != 0 && is_writable_lreg(lreg)) work.registers().lreg[lreg][lane] = results[lane];
  }
}

/// Results that are there some cycles later.
void write_late(VectorWork& work, const Lanes& results, bool indirect) {
  if (indirect && work.in.vd != macro_lreg) return write_indirectly(work, results);
  if (!is_writable_lreg(work.in.vd)) return;
  work.keep_old(work.in.vd, work.coprocessor.timing->multiply_add);
  work.write(work.in.vd, results);
}

void multiply_add_to(VectorWork& work, const Lanes& a, const Lanes& b, const Lanes& c, number::MadSigns signs,
                     bool indirect) {
  const Arch arch = work.coprocessor.arch;
  // In place, if nothing can go wrong by it.
  if (work.enabled == every_lane && !indirect && !work.reads_early && is_writable_lreg(work.in.vd)) [[likely]] {
    work.keep_old(work.in.vd, work.coprocessor.timing->multiply_add);
    number::multiply_add(arch, a, b, c, signs, work.registers().lreg[work.in.vd], work.unit().vectors);
    return;
  }
  Lanes results;
  number::multiply_add(arch, a, b, c, signs, results, work.unit().vectors);
  write_late(work, results, indirect);
}

/// VA, of each lane its own if LReg 7 says so.
Lanes indirect_factor(VectorWork& work) {
  const Lanes names = work.source(index_lreg);
  return each_lane([&](unsigned lane) { return work.source(named(names, lane))[lane]; });
}

}  // namespace

// ---- multiply-add ----

void multiply_add(VectorWork& work) {
  const Lanes& b = work.source(work.in.vb);
  const Lanes& c = work.source(work.in.vc);
  const number::MadSigns signs{turned(work, negates_product), turned(work, negates_addend)};
  const bool indirect = (work.in.mod & indirect_vd) != 0;
  if ((work.in.mod & indirect_va) != 0) {
    const Lanes a = indirect_factor(work);
    multiply_add_to(work, a, b, c, signs, indirect);
  } else {
    multiply_add_to(work, work.source(work.in.va), b, c, signs, indirect);
  }
}

void add_immediate(VectorWork& work) {
  constexpr std::uint32_t one = 0x3F80'0000;
  const Lanes immediate = number::all_lanes(vector_words::imm16.get(work.in.word) << 16U);
  multiply_add_to(work, immediate, number::all_lanes(one), work.source(work.in.vc),
                  {.product = 0, .addend = turned(work, negates_addend)}, (work.in.mod & indirect_vd) != 0);
}

void multiply_immediate(VectorWork& work) {
  const Lanes immediate = number::all_lanes(vector_words::imm16.get(work.in.word) << 16U);
  multiply_add_to(work, immediate, work.source(work.in.vc), number::all_lanes(0),
                  {.product = turned(work, negates_addend), .addend = 0}, (work.in.mod & indirect_vd) != 0);
}

void multiply_24(VectorWork& work) {
  constexpr unsigned upper = 1;
  const bool upper_half = (work.in.mod & upper) != 0;
  const Lanes a = (work.in.mod & indirect_va) != 0 ? indirect_factor(work) : work.source(work.in.va);
  const Lanes& b = work.source(work.in.vb);
  const Lanes& c = work.source(work.in.vc);
  const Lanes results = each_lane([&](unsigned lane) {
    return number::multiply_24_add(number::multiply_24(a[lane], b[lane], upper_half), c[lane]);
  });
  write_late(work, results, (work.in.mod & indirect_vd) != 0);
}

// ---- piecewise linear functions of |LReg 3| ----

namespace {

constexpr unsigned argument_lreg = 3;
constexpr unsigned keeps_sign = 4;

// Where pieces end, in FP32.
constexpr std::uint32_t half = 0x3F00'0000;
constexpr std::uint32_t one = 0x3F80'0000;
constexpr std::uint32_t one_and_a_half = 0x3FC0'0000;
constexpr std::uint32_t two = 0x4000'0000;
constexpr std::uint32_t three = 0x4040'0000;
constexpr std::uint32_t four = 0x4080'0000;

/// Comparisons with a NaN are false: it falls into the last piece, as the bits do.
constexpr unsigned piece_of_three(std::uint32_t magnitude) {
  return magnitude < one ? 0 : magnitude < two ? 1 : 2;
}
/// Each of the three is cut once more.
constexpr bool is_upper_piece(std::uint32_t magnitude, std::uint32_t last_cut) {
  const std::uint32_t cut = magnitude < one ? half : magnitude < two ? one_and_a_half : last_cut;
  return magnitude >= cut;
}

struct Coefficients {
  Lanes slope;
  Lanes offset;
};

void evaluate(VectorWork& work, const Lanes& argument, const Coefficients& piece) {
  const Lanes magnitude = each_lane([&](unsigned lane) { return argument[lane] & bits::magnitude; });
  Lanes results;
  number::multiply_add(work.coprocessor.arch, piece.slope, magnitude, piece.offset, {}, results, work.unit().vectors);
  if ((work.in.mod & keeps_sign) != 0)
    results =
        each_lane([&](unsigned lane) { return (results[lane] & bits::magnitude) | (argument[lane] & bits::sign); });
  write_late(work, results, (work.in.mod & indirect_vd) != 0);
}

}  // namespace

void look_up_8(VectorWork& work) {
  const Lanes& argument = work.source(argument_lreg);
  Coefficients piece;
  for (unsigned lane = 0; lane < lane_count; ++lane) {
    const std::uint32_t pair = work.source(piece_of_three(argument[lane] & bits::magnitude))[lane];
    piece.slope[lane] = number::float_of_lut8(pair >> 8U);
    piece.offset[lane] = number::float_of_lut8(pair);
  }
  evaluate(work, argument, piece);
}

void look_up_32(VectorWork& work) {
  constexpr unsigned six_pieces = 2;
  constexpr unsigned last_cut_is_four = 1;
  constexpr unsigned three_pieces_of_16_bits = 10;
  constexpr unsigned offsets = 4;  // LReg 4 to 6
  const unsigned mod = work.in.mod;
  const std::uint32_t last_cut = (mod & last_cut_is_four) != 0 ? four : three;
  const Lanes& argument = work.source(argument_lreg);
  Coefficients piece;
  for (unsigned lane = 0; lane < lane_count; ++lane) {
    const std::uint32_t magnitude = argument[lane] & bits::magnitude;
    const unsigned i = piece_of_three(magnitude);
    const std::uint32_t slope = work.source(i)[lane];
    if ((mod & three_pieces_of_16_bits) == three_pieces_of_16_bits) {
      piece.slope[lane] = number::float_of_lut16(slope >> 16U);
      piece.offset[lane] = number::float_of_lut16(slope & 0xFFFFU);
      continue;
    }
    const std::uint32_t offset = work.source(offsets + i)[lane];
    const unsigned shift = is_upper_piece(magnitude, last_cut) ? 16 : 0;
    const bool short_ones = (mod & six_pieces) != 0;
    piece.slope[lane] = short_ones ? number::float_of_lut16(slope >> shift & 0xFFFFU) : slope;
    piece.offset[lane] = short_ones ? number::float_of_lut16(offset >> shift & 0xFFFFU) : offset;
  }
  evaluate(work, argument, piece);
}

void approximate(VectorWork& work) {
  constexpr unsigned reciprocal = 0;
  constexpr unsigned reciprocal_if_negative = 1;
  const Lanes& c = work.source(work.in.vc);
  Lanes results;
  switch (work.in.mod) {
    case reciprocal:
      results = each_lane([&](unsigned lane) {
        return (c[lane] & bits::sign) + number::approximate_reciprocal(c[lane] & bits::magnitude);
      });
      break;
    case reciprocal_if_negative: {
      const Lanes& b = work.source(work.in.vb);
      results = each_lane([&](unsigned lane) {
        return (b[lane] & bits::sign) != 0 ? number::approximate_reciprocal(c[lane] & bits::magnitude) : c[lane];
      });
      break;
    }
    default:
      results = each_lane([&](unsigned lane) {
        return (c[lane] & bits::sign) + number::approximate_exponential(c[lane] & bits::magnitude);
      });
  }
  work.write(work.in.vd, results);
}

// ---- conversions ----

namespace {

/// A random number for each enabled lane, whether it is used or not.
Lanes take_random(const VectorWork& work) {
  Lanes taken{};
  for (unsigned lane = 0; lane < lane_count; ++lane)
    if ((work.enabled >> lane & 1U) != 0) taken[lane] = work.registers().take_random(lane);
  return taken;
}

/// SFPSTOCHRND's field of two bits, where Wormhole has one bit.
constexpr bool has_rounding_mode(Arch arch) {
  return on(arch, false, true);
}

number::Rounding rounding_of(const VectorWork& work) {
  if (!has_rounding_mode(work.coprocessor.arch))
    return vector_words::stochastic_rounding.get(work.in.word) != 0 ? number::Rounding::stochastic
                                                                    : number::Rounding::nearest;
  switch (vector_words::rounding_mode.get(work.in.word)) {
    case 0: return number::Rounding::nearest;
    case 2: return number::Rounding::to_zero;
    case 3: work.issue(DataIssue::vector_rounding); [[fallthrough]];
    default: return number::Rounding::stochastic;
  }
}

}  // namespace

void cast(VectorWork& work) {
  constexpr unsigned stochastic = 1;
  const unsigned mode = work.in.mod & on(work.coprocessor.arch, stochastic, 3U);
  const Lanes& c = work.source(work.in.vc);
  switch (mode) {
    case 2:  // documented as a bug: not what it was meant to do
      return work.write(work.in.vd,
                        each_lane([&](unsigned lane) { return (c[lane] & bits::sign) != 0 ? 0U - c[lane] : c[lane]; }));
    case 3:
      return work.write(work.in.vd, each_lane([&](unsigned lane) { return number::exchange_complement(c[lane]); }));
    default: break;
  }
  const Lanes random = mode == stochastic ? take_random(work) : Lanes{};
  work.write(work.in.vd, each_lane([&](unsigned lane) {
               return number::float_of_integer(c[lane], mode == stochastic, random[lane]);
             }));
}

void round(VectorWork& work) {
  constexpr unsigned to_fp16 = 0;
  constexpr unsigned to_bf16 = 1;
  constexpr number::IntegerRange ranges[8]{{},           {},          {255, false},   {127, true},
                                           {255, false}, {127, true}, {65535, false}, {32767, true}};
  const unsigned mode = work.in.mod & 7U;
  const bool shift_is_immediate = (work.in.mod & 8U) != 0;
  const number::Rounding rounding = rounding_of(work);
  const Lanes random = take_random(work);
  const Lanes& c = work.source(work.in.vc);
  const auto threshold = [&](unsigned lane) { return number::rounding_threshold(rounding, random[lane]); };
  Lanes results;
  if (mode == to_fp16 || mode == to_bf16) {
    const unsigned discarded = mode == to_fp16 ? 13 : 16;
    results = each_lane([&](unsigned lane) { return number::shorten_mantissa(c[lane], discarded, threshold(lane)); });
  } else if (mode == 4 || mode == 5) {
    const unsigned immediate = vector_words::imm5.get(work.in.word);
    const Lanes shifts = shift_is_immediate ? number::all_lanes(immediate) : work.source(work.in.vb);
    results = each_lane([&](unsigned lane) {
      return number::descale_integer(c[lane], shifts[lane] & 31U, ranges[mode], threshold(lane));
    });
  } else {
    results =
        each_lane([&](unsigned lane) { return number::integer_of_float(c[lane], ranges[mode], threshold(lane)); });
  }
  work.write(work.in.vd, results);
}

}  // namespace tensim::tensix::vector_data
