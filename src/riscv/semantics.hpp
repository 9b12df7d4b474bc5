// What the integer instructions compute: pure functions of operand values, exact in every case (BabyRISCV pages refer to
// the RISC-V manual for them). Floating point is in float.hpp.
#pragma once

#include <bit>
#include <cstdint>

#include "riscv/instruction.hpp"

namespace tensim::riscv {

namespace detail {

constexpr std::int32_t as_signed(std::uint32_t value) {
  return static_cast<std::int32_t>(value);
}

constexpr std::uint32_t high_half(std::int64_t product) {
  return static_cast<std::uint32_t>(static_cast<std::uint64_t>(product) >> 32U);
}

// Division never traps: by zero it gives all ones and the dividend, and the one overflow gives the dividend and zero.
constexpr std::uint32_t quotient(std::uint32_t a, std::uint32_t b) {
  if (b == 0) return ~std::uint32_t{0};
  if (a == 0x8000'0000 && b == ~std::uint32_t{0}) return a;
  return static_cast<std::uint32_t>(as_signed(a) / as_signed(b));
}
constexpr std::uint32_t remainder(std::uint32_t a, std::uint32_t b) {
  if (b == 0) return a;
  if (a == 0x8000'0000 && b == ~std::uint32_t{0}) return 0;
  return static_cast<std::uint32_t>(as_signed(a) % as_signed(b));
}

/// Generalised reversal: bit i of `control` swaps neighbouring groups of 2^i bits.
constexpr std::uint32_t reversed(std::uint32_t value, std::uint32_t control) {
  constexpr std::uint32_t low_groups[] = {0x5555'5555, 0x3333'3333, 0x0F0F'0F0F, 0x00FF'00FF, 0x0000'FFFF};
  for (unsigned i = 0; i < 5; ++i)
    if (((control >> i) & 1U) != 0) {
      const unsigned distance = 1U << i;
      value = ((value & low_groups[i]) << distance) | ((value >> distance) & low_groups[i]);
    }
  return value;
}

/// 0xFF for every byte that is not zero.
constexpr std::uint32_t or_combined(std::uint32_t value) {
  std::uint32_t result = 0;
  for (unsigned low = 0; low < 32; low += 8)
    if (((value >> low) & 0xFFU) != 0) result |= 0xFFU << low;
  return result;
}

}  // namespace detail

/// The result of an instruction of Kind alu, mul or div. `a` is rs1, `b` is rs2 or the immediate; lui takes only `b`,
/// and for auipc `a` is the pc.
[[gnu::always_inline]] constexpr std::uint32_t compute(Op op, std::uint32_t a, std::uint32_t b) {
  using detail::as_signed;
  const unsigned shift = b & 31U;
  switch (op) {
    case Op::lui: return b;
    case Op::auipc:
    case Op::addi:
    case Op::add: return a + b;
    case Op::sub: return a - b;
    case Op::slti:
    case Op::slt: return as_signed(a) < as_signed(b) ? 1 : 0;
    case Op::sltiu:
    case Op::sltu: return a < b ? 1 : 0;
    case Op::xori:
    case Op::xor_: return a ^ b;
    case Op::ori:
    case Op::or_: return a | b;
    case Op::andi:
    case Op::and_: return a & b;
    case Op::slli:
    case Op::sll: return a << shift;
    case Op::srli:
    case Op::srl: return a >> shift;
    case Op::srai:
    case Op::sra: return static_cast<std::uint32_t>(as_signed(a) >> shift);

    case Op::mul: return a * b;
    case Op::mulh: return detail::high_half(std::int64_t{as_signed(a)} * as_signed(b));
    case Op::mulhsu: return detail::high_half(std::int64_t{as_signed(a)} * std::int64_t{b});
    case Op::mulhu: return static_cast<std::uint32_t>((std::uint64_t{a} * b) >> 32U);
    case Op::div: return detail::quotient(a, b);
    case Op::divu: return b == 0 ? ~std::uint32_t{0} : a / b;
    case Op::rem: return detail::remainder(a, b);
    case Op::remu: return b == 0 ? a : a % b;

    case Op::sh1add: return (a << 1U) + b;
    case Op::sh2add: return (a << 2U) + b;
    case Op::sh3add: return (a << 3U) + b;
    case Op::andn: return a & ~b;
    case Op::orn: return a | ~b;
    case Op::xnor: return ~(a ^ b);
    case Op::clz: return static_cast<std::uint32_t>(std::countl_zero(a));
    case Op::ctz: return static_cast<std::uint32_t>(std::countr_zero(a));
    case Op::cpop: return static_cast<std::uint32_t>(std::popcount(a));
    case Op::max: return as_signed(a) < as_signed(b) ? b : a;
    case Op::maxu: return a < b ? b : a;
    case Op::min: return as_signed(b) < as_signed(a) ? b : a;
    case Op::minu: return b < a ? b : a;
    case Op::sext_b: return static_cast<std::uint32_t>(static_cast<std::int8_t>(a));
    case Op::sext_h: return static_cast<std::uint32_t>(static_cast<std::int16_t>(a));
    case Op::zext_h: return a & 0xFFFFU;
    case Op::rol: return std::rotl(a, static_cast<int>(shift));
    case Op::ror:
    case Op::rori: return std::rotr(a, static_cast<int>(shift));
    case Op::orc_b: return detail::or_combined(a);
    case Op::rev8: return detail::reversed(a, 24);
    case Op::brev8: return detail::reversed(a, 7);
    case Op::grevi: return detail::reversed(a, shift);
    case Op::pack: return (b << 16U) | (a & 0xFFFFU);
    default: __builtin_unreachable();
  }
}

/// Whether a branch is taken.
constexpr bool taken(Op op, std::uint32_t a, std::uint32_t b) {
  switch (op) {
    case Op::beq: return a == b;
    case Op::bne: return a != b;
    case Op::blt: return detail::as_signed(a) < detail::as_signed(b);
    case Op::bge: return detail::as_signed(a) >= detail::as_signed(b);
    case Op::bltu: return a < b;
    case Op::bgeu: return a >= b;
    default: return false;
  }
}

/// What an atomic leaves in memory that held `old`; its result is `old`.
constexpr std::uint32_t amo(Op op, std::uint32_t old, std::uint32_t value) {
  switch (op) {
    case Op::amoadd_w: return old + value;
    case Op::amoswap_w: return value;
    case Op::amoxor_w: return old ^ value;
    case Op::amoor_w: return old | value;
    case Op::amoand_w: return old & value;
    case Op::amomin_w: return detail::as_signed(value) < detail::as_signed(old) ? value : old;
    case Op::amomax_w: return detail::as_signed(old) < detail::as_signed(value) ? value : old;
    case Op::amominu_w: return value < old ? value : old;
    case Op::amomaxu_w: return old < value ? value : old;
    default: return old;
  }
}

/// What a CSR instruction leaves in a CSR that held `old`; `value` is rs1's value, or the immediate.
constexpr std::uint32_t csr_write(Op op, std::uint32_t old, std::uint32_t value) {
  switch (op) {
    case Op::csrrw:
    case Op::csrrwi: return value;
    case Op::csrrs:
    case Op::csrrsi: return old | value;
    case Op::csrrc:
    case Op::csrrci: return old & ~value;
    default: return old;
  }
}

/// How many bytes a load, a store or an atomic moves; 0 for anything else. Wormhole's cores round an address that is not
/// a multiple of it down (BabyRISCV/README.md); for Blackhole nothing is documented.
constexpr unsigned access_bytes(Op op) {
  switch (op) {
    case Op::lb:
    case Op::lbu:
    case Op::sb: return 1;
    case Op::lh:
    case Op::lhu:
    case Op::sh:
    case Op::flh:
    case Op::fsh: return 2;
    case Op::lw:
    case Op::sw:
    case Op::flw:
    case Op::fsw: return 4;
    default: return op >= Op::amoadd_w && op <= Op::amomaxu_w ? 4 : 0;
  }
}

/// What a load writes to its register: `raw` has the bytes from memory at the bottom, whatever is above them.
/// A half-precision value is NaN-boxed (assumed: as the standard Zfh has it).
constexpr std::uint32_t loaded(Op op, std::uint32_t raw) {
  switch (op) {
    case Op::lb: return static_cast<std::uint32_t>(static_cast<std::int8_t>(raw));
    case Op::lh: return static_cast<std::uint32_t>(static_cast<std::int16_t>(raw));
    case Op::lbu: return raw & 0xFFU;
    case Op::lhu: return raw & 0xFFFFU;
    case Op::flh: return raw | 0xFFFF'0000U;
    default: return raw;
  }
}

}  // namespace tensim::riscv
