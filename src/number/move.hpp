// Datums between Dst and Src (MOVD2A.md, MOVD2B.md, MOVA2D.md, MOVB2D.md, MOVB2A). Which rows move is the unit's affair.
#pragma once

#include <cstdint>

#include "number/format.hpp"
#include "number/layout.hpp"

namespace tensim::number {

/// The exponent of a Src datum, whatever its format.
inline constexpr std::uint32_t src_exponent_mask = 0xff;

/// A denormal in Src is a datum with a zero exponent; moves flush it, sign and all, unless told to keep it
/// (ALU_ACC_CTRL_Zero_Flag_disabled_src). That also zeroes an INT16 whose low byte is zero.
constexpr std::uint32_t flush_src_denormal(std::uint32_t src) {
  return (src & src_exponent_mask) == 0 ? 0 : src;
}

/// The exponent among 16 bits of Dst, which are BF16 or FP16 (which INT8 overlays). A 16-bit Dst cannot hold TF32:
/// undefined, taken for BF16. Above the exponent come mantissa and sign, in Src three bits further up.
constexpr std::uint32_t dst16_exponent_mask(SrcStyle style) {
  return style == SrcStyle::fp16 || style == SrcStyle::int8 ? 0x1fU : 0xffU;
}

constexpr std::uint32_t src_from_dst16(std::uint32_t dst, SrcStyle style) {
  const std::uint32_t exponent = dst16_exponent_mask(style);
  return ((dst & ~exponent & 0xffffU) << 3U) | (dst & exponent);
}

/// 32 bits of Dst: the high half, or the low one (UseDst32bLo), with three more mantissa bits for TF32. The low half as
/// TF32 gives the 13 bits that TF32 drops.
constexpr std::uint32_t src_from_dst32(std::uint32_t dst, SrcStyle style, bool low_half) {
  if (style != SrcStyle::tf32) return src_from_dst16(low_half ? dst & 0xffffU : dst >> 16U, style);
  if (low_half) return dst & 0x1fffU;
  return src_from_dst16(dst >> 16U, SrcStyle::bf16) | (((dst >> 13U) & 7U) << 8U);
}

/// The 16 bits that Src's datum becomes in Dst: seven mantissa bits and eight of exponent, or ten and five.
constexpr std::uint32_t dst16_from_src(std::uint32_t src, SrcStyle style) {
  const std::uint32_t exponent = dst16_exponent_mask(style);
  return ((src >> 3U) & ~exponent & 0xffffU) | (src & exponent);
}

/// The 32 bits that a TF32 becomes: FP32 with zeros below.
constexpr std::uint32_t dst32_from_src_tf32(std::uint32_t src) {
  return (dst16_from_src(src, SrcStyle::tf32) << 16U) | (((src >> 8U) & 7U) << 13U);
}

}  // namespace tensim::number
