// What the F and Zfh instructions of Blackhole's cores compute, bit by bit in integers: no host floating point.
//
// Documented (BabyRISCV/InstructionSet.md, CSRs.md, Miscellaneous/FMA/README.md):
//   - Rounding is to nearest, ties to even, whatever the instruction or fcsr says; so fcvt.w.s too rounds, it never
//     truncates. Only bfloat16 may round towards zero, by cfg0.
//   - Addition, multiplication and multiply-add take denormal operands for zeros of their sign, and flush a result that
//     is denormal after rounding to a zero of its sign.
//   - Multiply-add is neither fused nor separate: multiply_add() of float.cpp says how.
//   - The result NaN is the canonical one.
// Assumed, because nothing is said:
//   - Addition is multiply-add with a factor of one, multiplication the one with an addend of zero (for single precision
//     that is the correctly rounded result, flushed).
//   - Half precision and bfloat16 do the same with their own widths; registers hold them NaN-boxed, and a register that
//     is not boxed reads as the canonical NaN.
//   - Everything else follows the standard: minimum and maximum prefer the number to the NaN, conversions saturate, and
//     comparisons, classification, sign injection and conversions see denormals as they are.
//   - The exception flags of fcsr are not raised.
#pragma once

#include <cstdint>

#include "riscv/instruction.hpp"

namespace tensim::riscv {

/// What the .h instructions work on: cfg0's EnBFloat (bit 30) and EnBFloatRTNE (bit 31).
enum class HalfFormat : std::uint8_t { fp16, bf16_towards_zero, bf16_nearest };

constexpr HalfFormat half_format(std::uint32_t cfg0) {
  if (((cfg0 >> 30U) & 1U) == 0) return HalfFormat::fp16;
  return ((cfg0 >> 31U) & 1U) == 0 ? HalfFormat::bf16_towards_zero : HalfFormat::bf16_nearest;
}

/// The result of an instruction of Kind float_op: what its rd, x or f, receives. `a`, `b` and `c` are the 32 bits of rs1,
/// rs2 and rs3, x or f; those it does not have are not looked at.
std::uint32_t compute_float(Op op, std::uint32_t a, std::uint32_t b, std::uint32_t c, HalfFormat format);

}  // namespace tensim::riscv
