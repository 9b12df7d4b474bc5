// How Src and Dst hold numbers: the mantissa above the exponent, unlike L1 (SrcASrcB.md, Dst.md, UNPACR_Regular.md).
//
//   Src, 19 bits   TF32, BF16    sign 18, mantissa 17:8, exponent 7:0  (BF16: mantissa bits 10:8 are zero)
//                  FP16, INT8    sign 18, mantissa 17:8, zero 7:5, exponent 4:0  (INT8: magnitude, exponent 16)
//                  INT16         bits 15:8 in 18:11, zeros, bits 7:0 in 7:0
//   Dst, 16 bits   BF16          sign 15, mantissa 14:8, exponent 7:0
//                  FP16          sign 15, mantissa 14:5, exponent 4:0
//   Dst, 32 bits   FP32, INT32   the high half as BF16 above, the low half as it is
#pragma once

#include <cstdint>

namespace tensim::number {

inline constexpr std::uint32_t fp32_sign = 0x8000'0000;
inline constexpr std::uint32_t fp32_magnitude = 0x7fff'ffff;
inline constexpr std::uint32_t fp32_infinity = 0x7f80'0000;
inline constexpr std::uint32_t fp32_smallest_normal = 0x0080'0000;
inline constexpr std::uint32_t fp16_sign = 0x8000;
inline constexpr std::uint32_t fp16_magnitude = 0x7fff;
inline constexpr std::uint32_t fp16_smallest_normal = 0x0400;
/// FP16 has neither infinities nor NaNs: this is what too large values become (FloatBitPatterns.md).
inline constexpr std::uint32_t fp16_largest = 0x7fff;
/// From the bias of a 5-bit exponent to that of an 8-bit one: 127 - 15.
inline constexpr std::int32_t exponent_rebias = 112;

constexpr std::uint32_t dst_from_bf16(std::uint32_t x) {
  return (x & 0x8000U) | ((x & 0x7fU) << 8U) | ((x >> 7U) & 0xffU);
}

constexpr std::uint32_t bf16_from_dst(std::uint32_t x) {
  return (x & 0x8000U) | ((x & 0xffU) << 7U) | ((x >> 8U) & 0x7fU);
}

constexpr std::uint32_t dst_from_fp16(std::uint32_t x) {
  return (x & 0x8000U) | ((x & 0x3ffU) << 5U) | ((x >> 10U) & 0x1fU);
}

constexpr std::uint32_t fp16_from_dst(std::uint32_t x) {
  return (x & 0x8000U) | ((x & 0x1fU) << 10U) | ((x >> 5U) & 0x3ffU);
}

/// FP32 and INT32 alike.
constexpr std::uint32_t dst_from_fp32(std::uint32_t x) {
  return (dst_from_bf16(x >> 16U) << 16U) | (x & 0xffffU);
}

constexpr std::uint32_t fp32_from_dst(std::uint32_t x) {
  return (bf16_from_dst(x >> 16U) << 16U) | (x & 0xffffU);
}

/// From the top 19 bits of FP32.
constexpr std::uint32_t src_from_tf32(std::uint32_t x) {
  return (x & 0x40000U) | ((x & 0x3ffU) << 8U) | ((x >> 10U) & 0xffU);
}

constexpr std::uint32_t tf32_from_src(std::uint32_t x) {
  return (x & 0x40000U) | ((x & 0xffU) << 10U) | ((x >> 8U) & 0x3ffU);
}

constexpr std::uint32_t src_from_bf16(std::uint32_t x) {
  return src_from_tf32((x & 0xffffU) << 3U);
}

constexpr std::uint32_t src_from_fp16(std::uint32_t x) {
  return src_from_tf32(((x & 0x8000U) << 3U) | (x & 0x7fffU));
}

/// INT16 is 16 opaque bits: they lie where those of a BF16 in Dst would come to lie.
constexpr std::uint32_t src_from_int16(std::uint32_t x) {
  return ((x & 0xff00U) << 3U) | (x & 0xffU);
}

/// A two's complement integer as Dst holds it: sign and magnitude. -2^31 does not occur (sums saturate above it).
constexpr std::uint32_t dst_from_int32(std::int32_t x) {
  const auto bits = static_cast<std::uint32_t>(x);
  return dst_from_fp32(x < 0 ? (fp32_sign | (0U - bits)) : bits);
}

constexpr std::int32_t int32_from_dst(std::uint32_t x) {
  const std::uint32_t bits = fp32_from_dst(x);
  const auto magnitude = static_cast<std::int32_t>(bits & fp32_magnitude);
  return (bits & fp32_sign) != 0 ? -magnitude : magnitude;
}

/// FP32 to FP16 as unpackers and packers do it: truncate, saturate, keep a zero exponent's mantissa. What lies below
/// becomes a zero of its sign. The pages name the conversion and leave the bits open; these are the reference's.
constexpr std::uint32_t fp16_from_fp32(std::uint32_t x) {
  const std::uint32_t sign = (x >> 16U) & fp16_sign;
  const std::int32_t exponent = static_cast<std::int32_t>((x >> 23U) & 0xffU) - exponent_rebias;
  if (exponent < 0) return sign;
  if (exponent > 31) return sign | fp16_largest;
  return sign | (static_cast<std::uint32_t>(exponent) << 10U) | ((x >> 13U) & 0x3ffU);
}

}  // namespace tensim::number
