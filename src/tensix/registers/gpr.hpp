// The general purpose registers of the Scalar Unit: 64 of 32 bits per thread, shared with the Configuration Unit and
// mapped into the cores' address space. Pages: ScalarUnit.md, SETDMAREG_Immediate.md and the *DMAREG.md pages.
//
// Arithmetic is computed here and written by the caller when the instruction completes.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "isa/form.hpp"
#include "tensix/registers/fields.hpp"

namespace tensim::tensix {

inline constexpr std::size_t gprs_per_thread = size_of_both("gprs_per_thread"_size);

struct Gprs {
  std::array<std::array<std::uint32_t, gprs_per_thread>, thread_count> value{};

  friend constexpr bool operator==(const Gprs&, const Gprs&) = default;
};

/// A result on its way to a register of the issuing thread.
struct GprWrite {
  std::uint8_t reg = 0;
  std::uint32_t value = 0;

  friend constexpr bool operator==(const GprWrite&, const GprWrite&) = default;
};

/// ADDDMAREG, SUBDMAREG, MULDMAREG, BITWOPDMAREG, SHIFTDMAREG or CMPDMAREG.
bool is_dmareg_arithmetic(isa::Word word);

/// What such an instruction computes. Nothing if the word is none of the six, or if its Mode is one that the pages
/// leave undefined (BITWOPDMAREG and CMPDMAREG from 3, SHIFTDMAREG from 2).
std::optional<GprWrite> dmareg_result(const Gprs& gprs, unsigned thread, isa::Word word);

/// The short latency applies (dmareg_arith_latency_near, 3 cycles, else _far, 4): the right operand is a constant, or
/// both operands are in one aligned group of four registers. Where the result goes does not matter.
bool dmareg_is_near(isa::Word word);

/// One half of a register (its number times two, plus one for the upper); the other stays.
constexpr void write_half(Gprs& gprs, unsigned thread, unsigned half, std::uint32_t value) {
  std::uint32_t& reg = gprs.value[thread][half / 2];
  const unsigned shift = half % 2 * 16;
  reg = (reg & ~(0xFFFFU << shift)) | (value & 0xFFFFU) << shift;
}

/// SETDMAREG (Immediate): 16 bits to the lower or upper half of a register, the other half stays.
void setdmareg_immediate(Gprs& gprs, unsigned thread, isa::Word word);

}  // namespace tensim::tensix
