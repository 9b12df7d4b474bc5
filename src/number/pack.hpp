// What a packer makes of a datum of Dst on its way to L1 (Packers/FormatConversion.md, ReLU.md, ExponentThresholding.md):
// an early conversion to an intermediate format, ReLU, thresholding, and a late conversion to the format of L1. Formats
// with a shared exponent need a block of datums after that: bfp_block.hpp.
//
// Between the two conversions a number with eight exponent bits is held as FP32, with zeros below its mantissa, one with
// five as FP16. Rounding is to nearest, ties away from zero, unless random bits are given (stochastic.hpp).
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "number/format.hpp"
#include "number/layout.hpp"
#include "number/stochastic.hpp"

namespace tensim::number {

/// STACC_RELU_ApplyRelu.
enum class Relu : std::uint8_t { none, zero, min_threshold, max_threshold };

/// What a configuration asks for. The names are those of Packers/FormatConversion.md.
struct PackMode {
  DataFormat intermediate = DataFormat::bf16;
  DataFormat late_to = DataFormat::bf16;
  bool read_32b = false;
  bool round_10b_mantissa = false;
  bool read_raw = false;
  bool read_unsigned = false;
  std::uint8_t shift = 0;  // of INT32 to INT8, to the right
  Relu relu = Relu::none;
  std::uint16_t relu_threshold = 0;
  bool exponent_threshold_enabled = false;
  std::uint8_t exponent_threshold = 0;
  Fp8Exponent fp8_exponent = Fp8Exponent::bits_5;
  Arch arch = Arch::blackhole;
};

enum class EarlyRule : std::uint8_t {
  identity32,  // FP32, INT32
  round_fp32,  // to TF32, BF16 or E8M6, as the plan's mantissa width says
  truncate_fp32_to_bf16,
  int32_to_int8,
  int32_to_uint8,
  low_bits_to_int8,
  low_bits_to_uint8,
  high_half,  // INT16 of a 32-bit Dst: no page has it; so the reference does
  round_bf16,
  identity_bf16,
  bf16_to_fp16,  // Blackhole's Round_10b_mant with FP16
  round_fp16,
  round_fp16_to_e5m6,
  truncate_fp16,  // identity, to E5M7 or to FP8, as the plan's mantissa width says
  identity16,     // INT16
  sign_to_int8,
};

enum class LateRule : std::uint8_t {
  identity,
  fp32_to_bf16,
  fp32_to_fp16,
  fp32_to_fp8_e5m2,
  fp32_to_fp8_e4m3,
  fp32_to_bf16_flushed,  // the step before BFP8, BFP4, BFP2
  fp32_to_e5m7,          // the step before BFP8a, BFP4a, BFP2a
  high_half,             // BF16 and E8M6 as they are
  fp16_to_fp32,
  fp16_to_bf16,
  fp16_to_fp8_e5m2,
  fp16_to_fp8_e4m3,
  fp16_to_e5m7,
};

/// How the number between the conversions is held.
enum class Held : std::uint8_t { fp32, fp16, int32, int16, int8 };

struct PackPlan {
  EarlyRule early;
  LateRule late;
  Held held;
  std::uint8_t mantissa_bits;  // of the intermediate format, where the rule asks
  std::uint8_t shift;
  Relu relu;
  std::uint16_t relu_threshold;
  std::uint8_t exponent_threshold;  // 0: none
};

/// Nothing where the pages define no outcome.
std::optional<PackPlan> plan_pack(const PackMode& mode);

namespace detail {

/// NaN becomes infinity; what is denormal after rounding becomes plus zero.
constexpr std::uint32_t round_fp32(std::uint32_t x, unsigned mantissa_bits) {
  if ((x & fp32_magnitude) > fp32_infinity) x = (x & fp32_sign) | fp32_infinity;
  const unsigned dropped = 23 - mantissa_bits;
  x = (x + (1U << (dropped - 1))) & ~((1U << dropped) - 1U);
  return (x & fp32_magnitude) < fp32_smallest_normal ? 0 : x;
}

/// From a 16-bit Dst denormals are flushed before rounding: only E8M6 can tell.
constexpr std::uint32_t round_bf16(std::uint32_t x, unsigned mantissa_bits) {
  return (x & fp32_infinity) == 0 ? 0 : round_fp32(x, mantissa_bits);
}

constexpr std::uint32_t flush_fp16(std::uint32_t x) {
  return (x & fp16_magnitude) < fp16_smallest_normal ? 0 : x;
}

/// To six bits of mantissa, saturating at the largest.
constexpr std::uint32_t round_fp16_to_e5m6(std::uint32_t x) {
  constexpr std::uint32_t largest_that_rounds_down = 0x7ff7;
  if ((x & fp16_magnitude) > largest_that_rounds_down) return (x & fp16_sign) | 0x7ff0U;
  return flush_fp16((x + 8U) & 0xfff0U);
}

constexpr std::uint32_t int32_to_8_bits(std::uint32_t x, unsigned shift, bool is_unsigned) {
  const std::uint32_t half = shift == 0 ? 0 : 1U << (shift - 1);
  const std::uint32_t magnitude = ((x & fp32_magnitude) + half) >> shift;
  const bool negative = (x & fp32_sign) != 0;
  if (is_unsigned) return negative ? 0 : std::min(magnitude, 255U);
  return (negative ? 0x80U : 0U) | std::min(magnitude, 127U);
}

/// The roundings above with random bits. What overflows and what is flushed is as there.
constexpr std::uint32_t round_fp32_by(std::uint32_t x, unsigned mantissa_bits, std::uint32_t noise) {
  if ((x & fp32_magnitude) >= fp32_infinity) return (x & fp32_sign) | fp32_infinity;
  const unsigned dropped = 23 - mantissa_bits;
  const std::uint32_t magnitude = drop_bits(x & fp32_magnitude, dropped, noise) << dropped;
  return magnitude < fp32_smallest_normal ? 0 : (x & fp32_sign) | magnitude;
}
constexpr std::uint32_t round_fp16_to_e5m6_by(std::uint32_t x, std::uint32_t noise) {
  constexpr unsigned dropped = 4;
  constexpr std::uint32_t largest = 0x7ff0;
  const std::uint32_t magnitude = drop_bits(x & fp16_magnitude, dropped, noise) << dropped;
  return flush_fp16((x & fp16_sign) | std::min(magnitude, largest));
}
constexpr std::uint32_t int32_to_8_bits_by(std::uint32_t x, unsigned shift, bool is_unsigned, std::uint32_t noise) {
  const std::uint32_t magnitude = drop_bits(x & fp32_magnitude, shift, noise);
  const bool negative = (x & fp32_sign) != 0;
  if (is_unsigned) return negative ? 0 : std::min(magnitude, 255U);
  return (negative ? 0x80U : 0U) | std::min(magnitude, 127U);
}

/// Early conversions that round.
constexpr bool rounds(EarlyRule rule) {
  switch (rule) {
    case EarlyRule::round_fp32:
    case EarlyRule::round_bf16:
    case EarlyRule::round_fp16_to_e5m6:
    case EarlyRule::int32_to_int8:
    case EarlyRule::int32_to_uint8: return true;
    default: return false;
  }
}

/// Of a rule that rounds.
constexpr std::uint32_t early_round_by(const PackPlan& plan, std::uint32_t dst, std::uint32_t noise) {
  switch (plan.early) {
    case EarlyRule::round_fp32: return round_fp32_by(fp32_from_dst(dst), plan.mantissa_bits, noise);
    case EarlyRule::round_bf16: {
      const std::uint32_t x = bf16_from_dst(dst) << 16U;
      return (x & fp32_infinity) == 0 ? 0 : round_fp32_by(x, plan.mantissa_bits, noise);
    }
    case EarlyRule::round_fp16_to_e5m6: return round_fp16_to_e5m6_by(fp16_from_dst(dst), noise);
    default: return int32_to_8_bits_by(fp32_from_dst(dst), plan.shift, plan.early == EarlyRule::int32_to_uint8, noise);
  }
}

constexpr std::uint32_t early_convert_32b(const PackPlan& plan, std::uint32_t dst) {
  const std::uint32_t x = fp32_from_dst(dst);
  switch (plan.early) {
    case EarlyRule::round_fp32: return round_fp32(x, plan.mantissa_bits);
    case EarlyRule::truncate_fp32_to_bf16: return x & 0xffff'0000U;
    case EarlyRule::int32_to_int8: return int32_to_8_bits(x, plan.shift, false);
    case EarlyRule::int32_to_uint8: return int32_to_8_bits(x, plan.shift, true);
    case EarlyRule::low_bits_to_int8: return ((x >> 24U) & 0x80U) | (x & 0x7fU);
    case EarlyRule::low_bits_to_uint8: return x & 0xffU;
    case EarlyRule::high_half: return dst >> 16U;
    default: return x;
  }
}

constexpr std::uint32_t early_convert_16b(const PackPlan& plan, std::uint32_t dst) {
  switch (plan.early) {
    case EarlyRule::round_bf16: return round_bf16(bf16_from_dst(dst) << 16U, plan.mantissa_bits);
    case EarlyRule::identity_bf16: return bf16_from_dst(dst) << 16U;
    case EarlyRule::bf16_to_fp16: return fp16_from_fp32(bf16_from_dst(dst) << 16U);
    case EarlyRule::round_fp16: return flush_fp16(fp16_from_dst(dst));
    case EarlyRule::round_fp16_to_e5m6: return round_fp16_to_e5m6(fp16_from_dst(dst));
    case EarlyRule::truncate_fp16: return fp16_from_dst(dst) & (0xffffU << (10U - plan.mantissa_bits)) & 0xffffU;
    case EarlyRule::sign_to_int8: return (dst >> 8U) & 0x80U;
    default: return dst;
  }
}

constexpr std::uint32_t held_sign(Held held) {
  switch (held) {
    case Held::fp32:
    case Held::int32: return fp32_sign;
    case Held::int8: return 0x80;
    default: return fp16_sign;
  }
}

/// Comparisons are of bits: NaN is larger than every number. The upper clamp compares no more than TF32's bits (the
/// reference does; ReLU.md compares all).
constexpr std::uint32_t apply_relu(const PackPlan& plan, std::uint32_t x) {
  if (plan.relu == Relu::none) return x;
  if ((x & held_sign(plan.held)) != 0) return 0;
  if (plan.relu == Relu::zero) return x;
  const bool wide = plan.held == Held::fp32;
  const std::uint32_t threshold = static_cast<std::uint32_t>(plan.relu_threshold) << (wide ? 16U : 0U);
  if (plan.relu == Relu::min_threshold) return x <= threshold ? 0 : x;
  const unsigned ignored = wide ? 13 : 0;
  return (x >> ignored) > (threshold >> ignored) ? threshold : x;
}

constexpr std::uint32_t apply_exponent_threshold(const PackPlan& plan, std::uint32_t x) {
  if (plan.exponent_threshold == 0) return x;
  if (plan.held == Held::fp32) return ((x >> 23U) & 0xffU) < plan.exponent_threshold ? 0 : x;
  if (plan.held == Held::fp16) return ((x >> 10U) & 0x1fU) < plan.exponent_threshold ? 0 : x;
  return x;
}

/// Denormals become plus zero.
constexpr std::uint32_t bf16_flushed(std::uint32_t fp32) {
  return (fp32 & fp32_infinity) == 0 ? 0 : fp32 >> 16U;
}

/// A zero exponent is widened as it is: zero stays zero, a denormal becomes a far smaller one.
constexpr std::uint32_t fp32_from_fp16(std::uint32_t x) {
  const std::uint32_t sign = (x & fp16_sign) << 16U;
  const std::uint32_t rebias = (x & 0x7c00U) == 0 ? 0 : static_cast<std::uint32_t>(exponent_rebias) << 23U;
  return sign | (((x & fp16_magnitude) << 13U) + rebias);
}

constexpr std::uint32_t bf16_from_fp16(std::uint32_t x) {
  if ((x & 0x7c00U) == 0) return 0;
  return fp32_from_fp16(x) >> 16U;
}

/// Below FP8's smallest normal number: zeros of their sign. Above its largest: the largest.
constexpr std::uint32_t fp8_e4m3_from_fp16(std::uint32_t x) {
  const std::uint32_t sign = (x >> 8U) & 0x80U;
  const std::uint32_t exponent = (x >> 10U) & 0x1fU;
  if (exponent <= 8) return sign;
  if (exponent >= 24) return sign | 0x7fU;
  return sign | ((exponent - 8U) << 3U) | ((x >> 7U) & 7U);
}

/// E5M7 as FP16 with zeros below.
constexpr std::uint32_t e5m7_from_fp16(std::uint32_t x) {
  return flush_fp16(x) & 0xfff8U;
}

}  // namespace detail

/// Early conversion, ReLU and thresholding. `dst` is 32 or 16 bits, as the mode reads it.
constexpr std::uint32_t pack_early(const PackPlan& plan, bool read_32b, std::uint32_t dst) {
  const std::uint32_t x = read_32b ? detail::early_convert_32b(plan, dst) : detail::early_convert_16b(plan, dst);
  return detail::apply_exponent_threshold(plan, detail::apply_relu(plan, x));
}

/// The datum of L1; for BFP formats the BF16 or E5M7 (as FP16) that pack_bfp_block() takes.
constexpr std::uint32_t pack_late(const PackPlan& plan, std::uint32_t x) {
  switch (plan.late) {
    case LateRule::fp32_to_bf16:
    case LateRule::fp32_to_bf16_flushed: return detail::bf16_flushed(x);
    case LateRule::fp32_to_fp16: return fp16_from_fp32(x);
    case LateRule::fp32_to_fp8_e5m2: return fp16_from_fp32(x) >> 8U;
    case LateRule::fp32_to_fp8_e4m3: return detail::fp8_e4m3_from_fp16(fp16_from_fp32(x));
    case LateRule::fp32_to_e5m7: return detail::e5m7_from_fp16(fp16_from_fp32(x));
    case LateRule::high_half: return x >> 16U;
    case LateRule::fp16_to_fp32: return detail::fp32_from_fp16(x);
    case LateRule::fp16_to_bf16: return detail::bf16_from_fp16(x);
    case LateRule::fp16_to_fp8_e5m2: return x >> 8U;
    case LateRule::fp16_to_fp8_e4m3: return detail::fp8_e4m3_from_fp16(x);
    case LateRule::fp16_to_e5m7: return detail::e5m7_from_fp16(x);
    default: return x;
  }
}

}  // namespace tensim::number
