// The instruction set of the baby cores: one row per instruction, in the order of Op.
//
// This is the only place that knows an encoding; decoder and disassembler are derived from the rows. table.cpp proves
// them. Page: BabyRISCV/InstructionSet.md of Blackhole, BabyRISCV/README.md of Wormhole.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>

#include "arch/address_map.hpp"
#include "arch/arch.hpp"
#include "riscv/instruction.hpp"
#include "riscv/table/bit_manipulation.hpp"
#include "riscv/table/float.hpp"
#include "riscv/table/integer.hpp"
#include "riscv/table/row.hpp"
#include "riscv/table/system.hpp"

namespace tensim::riscv {

namespace detail {
template <std::size_t... sizes>
consteval auto joined(const std::array<Row, sizes>&... parts) {
  std::array<Row, (sizes + ...)> all{};
  std::size_t next = 0;
  const auto append = [&](const auto& part) {
    for (const Row& row : part)
      all[next++] = row;
  };
  (append(parts), ...);
  return all;
}
}  // namespace detail

inline constexpr auto rows =
    detail::joined(table::integer, table::bit_manipulation, table::csr, table::atomic, table::single_precision,
                   table::half_precision, table::vector, table::special);
static_assert(rows.size() == op_count, "a row per enumerator");

constexpr const Row& row(Op op) {
  return rows[static_cast<std::size_t>(op)];
}

constexpr std::string_view name(Extension extension) {
  switch (extension) {
    case Extension::i: return "i";
    case Extension::zifencei: return "zifencei";
    case Extension::mret: return "mret";
    case Extension::m: return "m";
    case Extension::zba: return "zba";
    case Extension::zbb: return "zbb";
    case Extension::zbkb: return "zbkb";
    case Extension::bitmanip: return "bitmanip";
    case Extension::zicsr: return "zicsr";
    case Extension::zaamo: return "zaamo";
    case Extension::f: return "f";
    case Extension::zfh: return "zfh";
    case Extension::v: return "v";
    case Extension::ttinsn: return "ttinsn";
    case Extension::none: return "none";
  }
  return "?";
}

/// A set of extensions.
class ExtensionSet {
 public:
  constexpr ExtensionSet(std::initializer_list<Extension> members) {
    for (const Extension member : members)
      bits_ |= bit(member);
  }
  constexpr bool contains(Extension extension) const { return (bits_ & bit(extension)) != 0; }
  friend constexpr ExtensionSet operator|(ExtensionSet a, ExtensionSet b) {
    a.bits_ |= b.bits_;
    return a;
  }

 private:
  static constexpr std::uint32_t bit(Extension extension) { return 1U << static_cast<unsigned>(extension); }
  std::uint32_t bits_ = 0;
};

/// What a core implements. `.ttinsn` is everywhere: it is a store to INSTRN_BUF_BASE, which NC finds unmapped.
constexpr ExtensionSet extensions(Arch arch, CoreBit core) {
  const ExtensionSet everywhere{Extension::i, Extension::m, Extension::ttinsn};
  const ExtensionSet blackhole =
      everywhere | ExtensionSet{Extension::zba,   Extension::zbb,   Extension::zbkb, Extension::bitmanip,
                                Extension::zicsr, Extension::zaamo, Extension::f,    Extension::zfh};
  const ExtensionSet of_core = core == T2                ? ExtensionSet{Extension::v}
                               : core == B || core == NC ? ExtensionSet{Extension::mret}
                                                         : ExtensionSet{};
  return on(arch, everywhere, blackhole | of_core);
}

/// What decode() knows on an architecture: what some core has, and fence.i, which is named though no core has it.
constexpr ExtensionSet known_extensions(Arch arch) {
  return extensions(arch, B) | extensions(arch, T2) | ExtensionSet{Extension::zifencei};
}

/// The registers an instruction writes (op_rd) and reads (op_rs1 ...); row(op).floats says which of them are f.
/// Vector instructions claim none: they are not modelled.
constexpr std::uint8_t operands(Format format) {
  switch (format) {
    case Format::register_register:
    case Format::float_binary:
    case Format::amo: return op_rd | op_rs1 | op_rs2;
    case Format::float_ternary: return op_rd | op_rs1 | op_rs2 | op_rs3;
    case Format::register_immediate:
    case Format::shift:
    case Format::unary:
    case Format::load:
    case Format::float_unary:
    case Format::float_widen:
    case Format::csr: return op_rd | op_rs1;
    case Format::store:
    case Format::branch: return op_rs1 | op_rs2;
    case Format::upper:
    case Format::jump:
    case Format::csr_immediate: return op_rd;
    case Format::fence:
    case Format::plain:
    case Format::vector:
    case Format::tensix: return 0;
  }
  return 0;
}

namespace detail {
template <class Value, class Get>
consteval auto by_op(Get get) {
  std::array<Value, op_count> values{};
  for (std::size_t i = 0; i < op_count; ++i)
    values[i] = get(rows[i]);
  return values;
}
// A byte per operation: a row is a cache line, and the pipeline asks for these every cycle.
inline constexpr auto kinds = by_op<Kind>([](const Row& of) { return of.kind; });
inline constexpr auto operand_bits = by_op<std::uint8_t>([](const Row& of) { return operands(of.format); });
inline constexpr auto float_bits = by_op<std::uint8_t>([](const Row& of) { return of.floats; });
}  // namespace detail

constexpr Kind kind(Op op) {
  return detail::kinds[static_cast<std::size_t>(op)];
}
constexpr std::uint8_t operands(Op op) {
  return detail::operand_bits[static_cast<std::size_t>(op)];
}
constexpr std::uint8_t float_operands(Op op) {
  return detail::float_bits[static_cast<std::size_t>(op)];
}

}  // namespace tensim::riscv
