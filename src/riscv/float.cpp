#include "riscv/float.hpp"

#include <bit>
#include <cstdint>

#include "riscv/float_format.hpp"

namespace tensim::riscv {
namespace {

using std::uint32_t;

// ---- Arithmetic. ----

constexpr int guard_bits = 3;

/// A magnitude inside the multiply-adder: an exponent field as the format has it, and a significand whose leading bit is
/// at fraction_bits + guard_bits (a product's may be one higher).
struct Term {
  bool negative = false;
  int exponent = 0;
  std::uint64_t significand = 0;

  /// Brings the term to a larger exponent. What is lost sticks to the lowest bit, unless everything is lost.
  void align(int to) {
    if (to <= exponent) return;
    const int distance = to - exponent;
    significand = distance < 64 && (significand >> distance) != 0 ? shifted_right_sticky(significand, distance) : 0;
    exponent = to;
  }
};

/// A denormal operand is a zero.
Term term_of(const FloatFormat& format, uint32_t bits) {
  const int exponent = format.exponent(bits);
  const std::uint64_t significand = (bits & format.fraction_mask()) | (1U << format.fraction_bits);
  return {format.negative(bits), exponent, exponent == 0 ? 0 : significand};
}

/// The sum of two terms of one exponent, normalised, rounded once and flushed.
uint32_t sum(const FloatFormat& format, const Term& x, const Term& y) {
  const auto signed_value = [](const Term& term) {
    const auto magnitude = static_cast<std::int64_t>(term.significand);
    return term.negative ? -magnitude : magnitude;
  };
  const std::int64_t total = signed_value(x) + signed_value(y);
  if (total == 0) return format.with_sign(x.negative && y.negative, 0);
  const bool negative = total < 0;
  const auto magnitude = static_cast<std::uint64_t>(negative ? -total : total);

  const int leading = format.fraction_bits + guard_bits;
  int excess = 63 - std::countl_zero(magnitude) - leading;
  int exponent = x.exponent + excess;
  if (exponent >= format.top_exponent()) return format.overflow(negative);
  if (exponent <= 0) {
    // One bit below the normal place, however small the number: only one that rounds up from there survives the flush.
    ++excess;
    exponent = 0;
  }
  const std::uint64_t placed = excess > 0 ? shifted_right_sticky(magnitude, excess) : magnitude << -excess;
  const auto kept = static_cast<uint32_t>(placed >> guard_bits);
  uint32_t bits = (static_cast<uint32_t>(exponent) << format.fraction_bits) + (kept & format.fraction_mask());
  if (rounds_up(format, kept, placed & 7U)) ++bits;
  if (format.exponent(bits) == 0) bits = 0;
  return format.with_sign(negative, bits);
}

/// x * y + z as the hardware does it (Miscellaneous/FMA/README.md): the product is not rounded, but reduced to three bits
/// (the last one sticky) below the addend's, and it overflows and underflows by itself.
uint32_t multiply_add(const FloatFormat& format, uint32_t x, uint32_t y, uint32_t z) {
  const Term x_term = term_of(format, x);
  const Term y_term = term_of(format, y);
  Term addend = term_of(format, z);
  addend.significand <<= guard_bits;
  const Term product{x_term.negative != y_term.negative, x_term.exponent + y_term.exponent - format.bias(),
                     shifted_right_sticky(x_term.significand * y_term.significand << guard_bits, format.fraction_bits)};

  const bool infinite_product = format.is_infinite(x) || format.is_infinite(y);
  const bool zero_factor = x_term.significand == 0 || y_term.significand == 0;
  const bool opposite = product.negative != addend.negative;
  if (format.is_nan(x) || format.is_nan(y) || format.is_nan(z) || (infinite_product && zero_factor) ||
      (infinite_product && format.is_infinite(z) && opposite))
    return format.nan();
  if (format.is_infinite(z)) return z;
  if (infinite_product) return format.with_sign(product.negative, format.infinity());
  if (product.exponent >= format.top_exponent()) return format.overflow(product.negative);
  if (zero_factor || product.exponent < 0)
    return addend.significand != 0 ? z : format.with_sign(product.negative && addend.negative, 0);

  Term aligned = product;
  aligned.align(addend.exponent);
  addend.align(product.exponent);
  return sum(format, aligned, addend);
}

uint32_t add(const FloatFormat& format, uint32_t x, uint32_t y) {
  return multiply_add(format, x, format.one(), y);
}

/// The zero that is added has the product's sign, which a zero product keeps.
uint32_t multiply(const FloatFormat& format, uint32_t x, uint32_t y) {
  return multiply_add(format, x, y, (x ^ y) & format.sign_bit());
}

// ---- Comparisons. ----

/// Ordered as numbers, negative zero below positive zero.
std::int64_t rank(const FloatFormat& format, uint32_t bits) {
  const std::int64_t magnitude = format.magnitude(bits);
  return format.negative(bits) ? -magnitude - 1 : magnitude;
}

bool unordered(const FloatFormat& format, uint32_t a, uint32_t b) {
  return format.is_nan(a) || format.is_nan(b);
}
bool both_zero(const FloatFormat& format, uint32_t a, uint32_t b) {
  return format.magnitude(a) == 0 && format.magnitude(b) == 0;
}
bool equal(const FloatFormat& format, uint32_t a, uint32_t b) {
  return !unordered(format, a, b) && (a == b || both_zero(format, a, b));
}
bool less(const FloatFormat& format, uint32_t a, uint32_t b) {
  return !unordered(format, a, b) && !both_zero(format, a, b) && rank(format, a) < rank(format, b);
}

/// The lesser of two (or with `want_greater` the other); a number rather than a NaN; -0 is less than +0.
uint32_t lesser(const FloatFormat& format, uint32_t a, uint32_t b, bool want_greater) {
  if (format.is_nan(a) && format.is_nan(b)) return format.nan();
  if (format.is_nan(a)) return b;
  if (format.is_nan(b)) return a;
  return (rank(format, a) < rank(format, b)) != want_greater ? a : b;
}

/// fclass: one bit of ten.
uint32_t classify(const FloatFormat& format, uint32_t bits) {
  const uint32_t quiet_bit = 1U << (format.fraction_bits - 1);
  if (format.is_nan(bits)) return (bits & quiet_bit) != 0 ? 1U << 9U : 1U << 8U;
  unsigned positive_class = 6;  // a normal number
  if (format.is_infinite(bits)) positive_class = 7;
  if (format.is_denormal(bits)) positive_class = 5;
  if (format.magnitude(bits) == 0) positive_class = 4;
  return 1U << (format.negative(bits) ? 7U - positive_class : positive_class);
}

// ---- Conversions. ----

uint32_t convert(const FloatFormat& from, const FloatFormat& to, uint32_t bits) {
  if (from.is_nan(bits)) return to.nan();
  if (from.is_infinite(bits)) return to.with_sign(from.negative(bits), to.infinity());
  return rounded(to, number_of(from, bits));
}

uint32_t from_integer(const FloatFormat& format, uint32_t value, bool is_signed) {
  const bool negative = is_signed && (value >> 31U) != 0;
  return negative || value != 0 ? rounded(format, {negative, 0, negative ? 0U - value : value}) : 0;
}

/// To nearest, ties to even; what does not fit saturates, and a NaN is the largest integer.
uint32_t to_integer(const FloatFormat& format, uint32_t bits, bool is_signed) {
  const std::int64_t lowest = is_signed ? -(std::int64_t{1} << 31U) : 0;
  const std::int64_t highest = is_signed ? (std::int64_t{1} << 31U) - 1 : (std::int64_t{1} << 32U) - 1;
  const auto result = [](std::int64_t value) { return static_cast<uint32_t>(value); };
  if (format.is_nan(bits)) return result(highest);
  const bool negative = format.negative(bits);
  const Number number = number_of(format, bits);
  // From 2^33 on nothing fits; below, the shift is at most 33 places.
  const int width = 64 - std::countl_zero(number.significand);
  if (format.is_infinite(bits) || number.exponent + width > 33) return result(negative ? lowest : highest);
  const int shift = number.exponent + 3;
  const std::uint64_t with_guard =
      shift >= 0 ? number.significand << shift : shifted_right_sticky(number.significand, -shift);
  const std::uint64_t kept = with_guard >> 3U;
  const auto magnitude = static_cast<std::int64_t>(kept + (rounds_up(format, kept, with_guard & 7U) ? 1U : 0U));
  const std::int64_t value = negative ? -magnitude : magnitude;
  if (value < lowest) return result(lowest);
  return result(value > highest ? highest : value);
}

// ---- Half-precision values in 32-bit registers. ----

constexpr uint32_t box = 0xFFFF'0000;

uint32_t unboxed(const FloatFormat& format, uint32_t bits) {
  return (bits & box) == box ? bits & 0xFFFFU : format.nan();
}

const FloatFormat& format_of(HalfFormat half) {
  switch (half) {
    case HalfFormat::fp16: return fp16;
    case HalfFormat::bf16_towards_zero: return bf16_towards_zero;
    case HalfFormat::bf16_nearest: return bf16_nearest;
  }
  return fp16;
}

/// What .s and .h have in common; the operation is given as its .s.
uint32_t compute_in(const FloatFormat& format, Op op, uint32_t a, uint32_t b, uint32_t c) {
  const uint32_t sign = format.sign_bit();
  switch (op) {
    case Op::fmadd_s: return multiply_add(format, a, b, c);
    case Op::fmsub_s: return multiply_add(format, a, b, c ^ sign);
    case Op::fnmsub_s: return multiply_add(format, a ^ sign, b, c);
    case Op::fnmadd_s: return multiply_add(format, a ^ sign, b, c ^ sign);
    case Op::fadd_s: return add(format, a, b);
    case Op::fsub_s: return add(format, a, b ^ sign);
    case Op::fmul_s: return multiply(format, a, b);
    case Op::fsgnj_s: return format.magnitude(a) | (b & sign);
    case Op::fsgnjn_s: return format.magnitude(a) | (~b & sign);
    case Op::fsgnjx_s: return a ^ (b & sign);
    case Op::fmin_s: return lesser(format, a, b, false);
    case Op::fmax_s: return lesser(format, a, b, true);
    case Op::feq_s: return equal(format, a, b) ? 1 : 0;
    case Op::flt_s: return less(format, a, b) ? 1 : 0;
    case Op::fle_s: return less(format, a, b) || equal(format, a, b) ? 1 : 0;
    case Op::fclass_s: return classify(format, a);
    case Op::fcvt_w_s: return to_integer(format, a, true);
    case Op::fcvt_wu_s: return to_integer(format, a, false);
    case Op::fcvt_s_w: return from_integer(format, a, true);
    case Op::fcvt_s_wu: return from_integer(format, a, false);
    default: return 0;
  }
}

/// The .s instruction that does the same as this .h one; undefined if there is none.
Op single_of(Op op) {
  switch (op) {
    case Op::fmadd_h: return Op::fmadd_s;
    case Op::fmsub_h: return Op::fmsub_s;
    case Op::fnmsub_h: return Op::fnmsub_s;
    case Op::fnmadd_h: return Op::fnmadd_s;
    case Op::fadd_h: return Op::fadd_s;
    case Op::fsub_h: return Op::fsub_s;
    case Op::fmul_h: return Op::fmul_s;
    case Op::fsgnj_h: return Op::fsgnj_s;
    case Op::fsgnjn_h: return Op::fsgnjn_s;
    case Op::fsgnjx_h: return Op::fsgnjx_s;
    case Op::fmin_h: return Op::fmin_s;
    case Op::fmax_h: return Op::fmax_s;
    case Op::feq_h: return Op::feq_s;
    case Op::flt_h: return Op::flt_s;
    case Op::fle_h: return Op::fle_s;
    case Op::fclass_h: return Op::fclass_s;
    case Op::fcvt_w_h: return Op::fcvt_w_s;
    case Op::fcvt_wu_h: return Op::fcvt_wu_s;
    case Op::fcvt_h_w: return Op::fcvt_s_w;
    case Op::fcvt_h_wu: return Op::fcvt_s_wu;
    default: return Op::undefined;
  }
}

}  // namespace

uint32_t compute_float(Op op, uint32_t a, uint32_t b, uint32_t c, HalfFormat half) {
  const FloatFormat& format = format_of(half);
  switch (op) {
    case Op::fmv_x_w:
    case Op::fmv_w_x: return a;
    case Op::fmv_x_h: return static_cast<uint32_t>(static_cast<std::int16_t>(a));
    case Op::fmv_h_x: return a | box;
    case Op::fcvt_s_h: return convert(format, fp32, unboxed(format, a));
    case Op::fcvt_h_s: return convert(fp32, format, a) | box;
    case Op::fcvt_h_w:
    case Op::fcvt_h_wu: return compute_in(format, single_of(op), a, b, c) | box;
    default: break;
  }
  const Op single = single_of(op);
  if (single == Op::undefined) return compute_in(fp32, op, a, b, c);
  const uint32_t result = compute_in(format, single, unboxed(format, a), unboxed(format, b), unboxed(format, c));
  const bool result_is_integer = single >= Op::fcvt_w_s && single <= Op::fclass_s;
  return result_is_integer ? result : result | box;
}

}  // namespace tensim::riscv
