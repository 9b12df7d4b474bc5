// What an unpacker makes of a datum of L1 on its way to SrcA, SrcB or Dst (UNPACR_Regular.md, FormatConversion;
// FloatBitPatterns.md for BFP). Blackhole adds FP8 with four exponent bits, and reads the largest FP8 as the largest FP16
// (no page has it; so the reference does).
#pragma once

#include <bit>
#include <cstdint>
#include <optional>

#include "number/format.hpp"
#include "number/layout.hpp"

namespace tensim::number {

/// What a configuration asks for.
struct UnpackMode {
  DataFormat in = DataFormat::bf16;
  DataFormat out = DataFormat::bf16;
  bool to_dst = false;
  bool int8_unsigned = false;
  Fp8Exponent fp8_exponent = Fp8Exponent::bits_5;
  Arch arch = Arch::blackhole;
};

/// What is done to each datum: found once, used for all.
enum class UnpackRule : std::uint8_t {
  fp32_to_dst,  // also INT32, and TF32, which in Dst is FP32
  fp32_to_src_tf32,
  fp32_to_bf16,
  fp32_to_fp16,
  bf16,
  fp16,
  bfp8,
  bfp4,
  bfp2,
  bfp8a,
  bfp4a,
  bfp2a,
  fp8_e5m2,
  fp8_e5m2_largest,  // Blackhole
  fp8_e4m3,          // Blackhole
  int8_signed,
  int8_unsigned,
  int16,
};

struct UnpackPlan {
  UnpackRule rule;
  bool to_dst;
};

/// BFP8 to BF16. The narrower formats are BFP8 with zeros below. A magnitude of zero under a sign is minus infinity, and
/// the exponent wraps around (the page's own arithmetic).
constexpr std::uint32_t bf16_from_bfp8(std::uint32_t datum, std::uint32_t exponent) {
  const std::uint32_t sign = (datum >> 7U) & 1U;
  const auto magnitude = static_cast<std::uint8_t>(datum << 1U);
  if (magnitude == 0) return sign != 0 ? 0xff80U : 0U;
  const auto zeros = static_cast<unsigned>(std::countl_zero(magnitude));
  const std::uint32_t mantissa = (static_cast<std::uint32_t>(magnitude) << zeros) & 0x7eU;
  return (sign << 15U) | (((exponent - zeros) & 0xffU) << 7U) | mantissa;
}

/// BFP8a to FP16. An exponent above five bits is undefined; its low five bits are taken.
constexpr std::uint32_t fp16_from_bfp8a(std::uint32_t datum, std::uint32_t exponent) {
  const std::uint32_t sign = (datum >> 7U) & 1U;
  const auto magnitude = static_cast<std::uint8_t>(datum << 1U);
  if (magnitude == 0) return sign != 0 ? 0xfc00U : 0U;
  const auto zeros = static_cast<unsigned>(std::countl_zero(magnitude));
  const std::uint32_t mantissa = ((static_cast<std::uint32_t>(magnitude) << zeros) & 0x7eU) << 3U;
  return (sign << 15U) | (((exponent - zeros) & 0x1fU) << 10U) | mantissa;
}

/// FP8 with four exponent bits (bias 7) to FP16. Zero exponents lose nothing but their meaning; the largest code is all
/// ones, and so is what it becomes.
constexpr std::uint32_t fp16_from_fp8_e4m3(std::uint32_t datum) {
  const std::uint32_t sign = datum & 0x80U;
  const std::uint32_t exponent = (datum >> 3U) & 0xfU;
  const std::uint32_t mantissa = datum & 7U;
  const bool largest = (datum & 0x7fU) == 0x7fU;
  const std::uint32_t rebiased = exponent == 0 ? 0 : exponent + 8;
  return (sign << 8U) | (rebiased << 10U) | (mantissa << 7U) | (largest ? 0x7fU : 0U);
}

/// INT8 lies in FP16's place: its magnitude as the mantissa, under an exponent of 16, or of 0 when it is zero.
constexpr std::uint32_t fp16_from_int8(std::uint32_t datum, bool is_unsigned) {
  const std::uint32_t sign = is_unsigned ? 0 : datum & 0x80U;
  const std::uint32_t magnitude = datum - sign;
  return (sign << 8U) | magnitude | (magnitude == 0 ? 0U : 16U << 10U);
}

namespace detail {

constexpr std::optional<UnpackRule> unpack_rule_from_fp32(const UnpackMode& mode) {
  switch (mode.out) {
    case DataFormat::fp32: return mode.to_dst ? std::optional(UnpackRule::fp32_to_dst) : std::nullopt;
    case DataFormat::tf32: return mode.to_dst ? UnpackRule::fp32_to_dst : UnpackRule::fp32_to_src_tf32;
    case DataFormat::bf16: return UnpackRule::fp32_to_bf16;
    case DataFormat::fp16: return UnpackRule::fp32_to_fp16;
    default: return std::nullopt;
  }
}

constexpr std::optional<UnpackRule> unpack_rule_fp8(const UnpackMode& mode) {
  if (!has_fp8_exponent(mode.arch, mode.fp8_exponent)) return std::nullopt;
  if (mode.fp8_exponent == Fp8Exponent::bits_4) return UnpackRule::fp8_e4m3;
  return on(mode.arch, UnpackRule::fp8_e5m2, UnpackRule::fp8_e5m2_largest);
}

/// BFP4 or BFP2 in L1 and BFP8 in the registers, or the same with five bits of exponent. LLK's compressed matmuls change the
/// one from tile to tile and leave the other as it is, on cards. In registers all three are BF16 (or FP16), so that BFP8's
/// name there changes nothing.
constexpr bool is_narrow_bfp_as_bfp8(const UnpackMode& mode) {
  switch (mode.in) {
    case DataFormat::bfp4:
    case DataFormat::bfp2: return mode.out == DataFormat::bfp8;
    case DataFormat::bfp4a:
    case DataFormat::bfp2a: return mode.out == DataFormat::bfp8a;
    default: return false;
  }
}

/// The pages allow the same format only.
constexpr bool stays_as_it_is(const UnpackMode& mode) {
  return mode.in == mode.out || is_narrow_bfp_as_bfp8(mode);
}

constexpr std::optional<UnpackRule> unpack_rule(const UnpackMode& mode) {
  if (mode.in == DataFormat::fp32) return unpack_rule_from_fp32(mode);
  if (!stays_as_it_is(mode)) return std::nullopt;
  switch (mode.in) {
    case DataFormat::tf32:
    case DataFormat::int32: return mode.to_dst ? std::optional(UnpackRule::fp32_to_dst) : std::nullopt;
    case DataFormat::bf16: return UnpackRule::bf16;
    case DataFormat::fp16: return UnpackRule::fp16;
    case DataFormat::bfp8: return UnpackRule::bfp8;
    case DataFormat::bfp4: return UnpackRule::bfp4;
    case DataFormat::bfp2: return UnpackRule::bfp2;
    case DataFormat::bfp8a: return UnpackRule::bfp8a;
    case DataFormat::bfp4a: return UnpackRule::bfp4a;
    case DataFormat::bfp2a: return UnpackRule::bfp2a;
    case DataFormat::fp8: return unpack_rule_fp8(mode);
    case DataFormat::int8: return mode.int8_unsigned ? UnpackRule::int8_unsigned : UnpackRule::int8_signed;
    case DataFormat::int16: return UnpackRule::int16;
    default: return std::nullopt;
  }
}

constexpr bool becomes_fp16(UnpackRule rule) {
  switch (rule) {
    case UnpackRule::fp32_to_fp16:
    case UnpackRule::fp16:
    case UnpackRule::bfp8a:
    case UnpackRule::bfp4a:
    case UnpackRule::bfp2a:
    case UnpackRule::fp8_e5m2:
    case UnpackRule::fp8_e5m2_largest:
    case UnpackRule::fp8_e4m3:
    case UnpackRule::int8_signed:
    case UnpackRule::int8_unsigned: return true;
    default: return false;
  }
}

constexpr std::uint32_t unpack_to_fp16(UnpackRule rule, std::uint32_t datum, std::uint32_t exponent) {
  switch (rule) {
    case UnpackRule::fp32_to_fp16: return fp16_from_fp32(datum);
    case UnpackRule::bfp8a: return fp16_from_bfp8a(datum, exponent);
    case UnpackRule::bfp4a: return fp16_from_bfp8a(datum << 4U, exponent);
    case UnpackRule::bfp2a: return fp16_from_bfp8a(datum << 6U, exponent);
    case UnpackRule::fp8_e5m2: return datum << 8U;
    case UnpackRule::fp8_e5m2_largest: return (datum << 8U) | ((datum & 0x7fU) == 0x7fU ? 0xffU : 0U);
    case UnpackRule::fp8_e4m3: return fp16_from_fp8_e4m3(datum);
    case UnpackRule::int8_signed: return fp16_from_int8(datum, false);
    case UnpackRule::int8_unsigned: return fp16_from_int8(datum, true);
    default: return datum;
  }
}

/// Denormals become zeros of their sign.
constexpr std::uint32_t bf16_from_fp32_truncated(std::uint32_t datum) {
  return (datum & fp32_infinity) == 0 ? (datum >> 16U) & 0x8000U : datum >> 16U;
}

constexpr std::uint32_t unpack_to_bf16(UnpackRule rule, std::uint32_t datum, std::uint32_t exponent) {
  switch (rule) {
    case UnpackRule::fp32_to_bf16: return bf16_from_fp32_truncated(datum);
    case UnpackRule::bfp8: return bf16_from_bfp8(datum, exponent);
    case UnpackRule::bfp4: return bf16_from_bfp8(datum << 4U, exponent);
    case UnpackRule::bfp2: return bf16_from_bfp8(datum << 6U, exponent);
    default: return datum;
  }
}

}  // namespace detail

/// Nothing where the pages say the outcome is undefined.
constexpr std::optional<UnpackPlan> plan_unpack(const UnpackMode& mode) {
  const std::optional<UnpackRule> rule = detail::unpack_rule(mode);
  if (!rule) return std::nullopt;
  return UnpackPlan{*rule, mode.to_dst};
}

/// `datum` is as wide as its format in L1; `exponent` is the shared one of a BFP block. Returns the 19 bits of Src, or
/// the 16 or 32 bits of Dst.
constexpr std::uint32_t unpack_datum(UnpackPlan plan, std::uint32_t datum, std::uint32_t exponent = 0) {
  switch (plan.rule) {
    case UnpackRule::fp32_to_dst: return dst_from_fp32(datum);
    case UnpackRule::fp32_to_src_tf32: return src_from_tf32(datum >> 13U);
    case UnpackRule::int16: return plan.to_dst ? datum : src_from_int16(datum);
    default: break;
  }
  if (detail::becomes_fp16(plan.rule)) {
    const std::uint32_t fp16 = detail::unpack_to_fp16(plan.rule, datum, exponent);
    return plan.to_dst ? dst_from_fp16(fp16) : src_from_fp16(fp16);
  }
  const std::uint32_t bf16 = detail::unpack_to_bf16(plan.rule, datum, exponent);
  return plan.to_dst ? dst_from_bf16(bf16) : src_from_bf16(bf16);
}

}  // namespace tensim::number
