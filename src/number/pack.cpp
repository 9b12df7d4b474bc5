#include "number/pack.hpp"

namespace tensim::number {
namespace {

struct Early {
  EarlyRule rule;
  Held held;
  DataFormat format;  // of the intermediate number; BFP8 stands for E8M6, BFP8a for E5M6 or E5M7
  std::uint8_t mantissa_bits = 0;
};

std::optional<Early> early_to_int8(const PackMode& mode) {
  if (!mode.read_32b) {
    if (!mode.read_raw || mode.read_unsigned) return std::nullopt;
    return Early{EarlyRule::sign_to_int8, Held::int8, DataFormat::int8};
  }
  const EarlyRule raw = mode.read_unsigned ? EarlyRule::low_bits_to_uint8 : EarlyRule::low_bits_to_int8;
  const EarlyRule saturating = mode.read_unsigned ? EarlyRule::int32_to_uint8 : EarlyRule::int32_to_int8;
  return Early{mode.read_raw ? raw : saturating, Held::int8, DataFormat::int8};
}

/// Blackhole's way to FP16 and FP8: TF32 first. No page has it; so the reference does.
constexpr bool goes_through_tf32(Arch arch) {
  return on(arch, false, true);
}

/// The formats with eight exponent bits of a 32-bit Dst.
std::optional<Early> early_from_fp32(const PackMode& mode) {
  constexpr Early identity{EarlyRule::identity32, Held::fp32, DataFormat::fp32};
  constexpr Early to_tf32{EarlyRule::round_fp32, Held::fp32, DataFormat::tf32, 10};
  switch (mode.intermediate) {
    case DataFormat::fp32: return mode.round_10b_mantissa && !mode.read_raw ? to_tf32 : identity;
    case DataFormat::tf32: return mode.read_raw ? identity : to_tf32;
    case DataFormat::bf16:
      if (mode.read_raw) return Early{EarlyRule::truncate_fp32_to_bf16, Held::fp32, DataFormat::bf16};
      if (mode.round_10b_mantissa && mode.late_to == DataFormat::fp16) return to_tf32;
      return Early{EarlyRule::round_fp32, Held::fp32, DataFormat::bf16, 7};
    case DataFormat::bfp8:
      if (mode.read_raw) return Early{EarlyRule::truncate_fp32_to_bf16, Held::fp32, DataFormat::bf16};
      return Early{EarlyRule::round_fp32, Held::fp32, DataFormat::bfp8, 6};
    case DataFormat::fp16:
      if (!goes_through_tf32(mode.arch) || !mode.round_10b_mantissa || mode.read_raw) return std::nullopt;
      return to_tf32;
    default: return std::nullopt;
  }
}

std::optional<Early> early_from_32b(const PackMode& mode) {
  switch (mode.intermediate) {
    case DataFormat::int32: return Early{EarlyRule::identity32, Held::int32, DataFormat::int32};
    case DataFormat::int16: return Early{EarlyRule::high_half, Held::int16, DataFormat::int16};
    case DataFormat::int8: return early_to_int8(mode);
    default: return early_from_fp32(mode);
  }
}

std::optional<Early> early_from_bf16(const PackMode& mode) {
  constexpr Early to_tf32{EarlyRule::round_bf16, Held::fp32, DataFormat::tf32, 10};
  constexpr Early identity{EarlyRule::identity_bf16, Held::fp32, DataFormat::bf16};
  switch (mode.intermediate) {
    case DataFormat::fp32:
      if (mode.round_10b_mantissa && !mode.read_raw) return to_tf32;
      // No page has it. LLK packs like this on cards (its fast tilize), and finds the BF16.
      return Early{EarlyRule::identity_bf16, Held::fp32, DataFormat::fp32};
    case DataFormat::tf32: return mode.read_raw ? std::nullopt : std::optional(to_tf32);
    case DataFormat::bf16:
      return mode.read_raw ? identity : Early{EarlyRule::round_bf16, Held::fp32, DataFormat::bf16, 7};
    case DataFormat::bfp8:
      return mode.read_raw ? identity : Early{EarlyRule::round_bf16, Held::fp32, DataFormat::bfp8, 6};
    default: return std::nullopt;
  }
}

std::optional<Early> early_from_fp16(const PackMode& mode) {
  switch (mode.intermediate) {
    case DataFormat::fp16:
      if (goes_through_tf32(mode.arch) && mode.round_10b_mantissa) {
        return Early{EarlyRule::bf16_to_fp16, Held::fp16, DataFormat::fp16};
      }
      if (mode.read_raw) return Early{EarlyRule::truncate_fp16, Held::fp16, DataFormat::fp16, 10};
      return Early{EarlyRule::round_fp16, Held::fp16, DataFormat::fp16};
    case DataFormat::bfp8a:
      if (mode.read_raw) return Early{EarlyRule::truncate_fp16, Held::fp16, DataFormat::bfp8a, 7};
      return Early{EarlyRule::round_fp16_to_e5m6, Held::fp16, DataFormat::bfp8a};
    case DataFormat::fp8:
      if (!mode.read_raw) return std::nullopt;
      return Early{EarlyRule::truncate_fp16, Held::fp16, DataFormat::fp8, 2};
    default: return std::nullopt;
  }
}

std::optional<Early> early_from_16b(const PackMode& mode) {
  switch (mode.intermediate) {
    case DataFormat::int16: return Early{EarlyRule::identity16, Held::int16, DataFormat::int16};
    case DataFormat::int8: return early_to_int8(mode);
    case DataFormat::fp16:
    case DataFormat::bfp8a:
    case DataFormat::fp8: return early_from_fp16(mode);
    default: return early_from_bf16(mode);
  }
}

std::optional<LateRule> late_from_fp32(const Early& early, const PackMode& mode) {
  const bool keeps_bf16 = early.format == DataFormat::bf16 || early.format == DataFormat::bfp8;
  switch (mode.late_to) {
    case DataFormat::fp32: return LateRule::identity;
    case DataFormat::tf32: return early.format == DataFormat::fp32 ? std::nullopt : std::optional(LateRule::identity);
    case DataFormat::bf16: return keeps_bf16 ? LateRule::high_half : LateRule::fp32_to_bf16;
    case DataFormat::fp16: return LateRule::fp32_to_fp16;
    case DataFormat::fp8:
      return mode.fp8_exponent == Fp8Exponent::bits_4 ? LateRule::fp32_to_fp8_e4m3 : LateRule::fp32_to_fp8_e5m2;
    case DataFormat::bfp8:
    case DataFormat::bfp4:
    case DataFormat::bfp2: return keeps_bf16 ? LateRule::high_half : LateRule::fp32_to_bf16_flushed;
    case DataFormat::bfp8a:
    case DataFormat::bfp4a:
    case DataFormat::bfp2a: return LateRule::fp32_to_e5m7;
    default: return std::nullopt;
  }
}

std::optional<LateRule> late_from_fp16(const PackMode& mode) {
  switch (mode.late_to) {
    case DataFormat::fp32:
    case DataFormat::tf32: return LateRule::fp16_to_fp32;
    case DataFormat::bf16:
    case DataFormat::bfp8:
    case DataFormat::bfp4:
    case DataFormat::bfp2: return LateRule::fp16_to_bf16;
    case DataFormat::fp16: return LateRule::identity;
    case DataFormat::fp8:
      return mode.fp8_exponent == Fp8Exponent::bits_4 ? LateRule::fp16_to_fp8_e4m3 : LateRule::fp16_to_fp8_e5m2;
    case DataFormat::bfp8a:
    case DataFormat::bfp4a:
    case DataFormat::bfp2a: return LateRule::fp16_to_e5m7;
    default: return std::nullopt;
  }
}

std::optional<LateRule> late_rule(const Early& early, const PackMode& mode) {
  if (early.held == Held::fp32) return late_from_fp32(early, mode);
  if (early.held == Held::fp16) return late_from_fp16(mode);
  return early.format == mode.late_to ? std::optional(LateRule::identity) : std::nullopt;
}

/// ReLU.md: a threshold below zero is undefined, and integers know no threshold.
bool relu_is_defined(const Early& early, const PackMode& mode) {
  if (mode.relu == Relu::none || mode.relu == Relu::zero) return true;
  return !is_integer(early.format) && (mode.relu_threshold & fp16_sign) == 0;
}

}  // namespace

std::optional<PackPlan> plan_pack(const PackMode& mode) {
  if (!has_fp8_exponent(mode.arch, mode.fp8_exponent)) return std::nullopt;
  const std::optional<Early> early = mode.read_32b ? early_from_32b(mode) : early_from_16b(mode);
  if (!early || !relu_is_defined(*early, mode)) return std::nullopt;
  const std::optional<LateRule> late = late_rule(*early, mode);
  if (!late) return std::nullopt;
  const auto shift = static_cast<std::uint8_t>(mode.shift & 31U);  // the low five bits count
  const std::uint8_t threshold = mode.exponent_threshold_enabled ? mode.exponent_threshold : std::uint8_t{0};
  return PackPlan{.early = early->rule,
                  .late = *late,
                  .held = early->held,
                  .mantissa_bits = early->mantissa_bits,
                  .shift = shift,
                  .relu = mode.relu,
                  .relu_threshold = mode.relu_threshold,
                  .exponent_threshold = threshold};
}

}  // namespace tensim::number
