// Atomics: what an opcode in NOC_AT_LEN_BE does to the aligned 16 bytes of L1 around its address. Pure functions. Page:
// NoC/Atomics.md of either chip (noc 2).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <variant>

#include "arch/arch.hpp"
#include "noc/fields.hpp"
#include "noc/refusal.hpp"

namespace tensim::noc {

enum class AtomicKind : std::uint8_t { increment, swap_mask, compare_and_swap, swap, zaamo, accumulate };

enum class ZaamoOperation : std::uint8_t { add, exclusive_or, inclusive_or, conjunction, min, max, minu, maxu };

enum class AccumulateFormat : std::uint8_t { fp32, fp16, bf16, u32, u8, u8_saturating };

/// An opcode and the fields that it takes its operands from; a field of no bits is not there.
struct AtomicRow {
  std::uint32_t opcode;
  std::string_view name;
  AtomicKind kind;
  ArchSet archs;
  Bits word;     // Ofs: which of the four words is acted on
  Bits operand;  // IntWidth, Mask, CmpVal, Zaamo's operation or Fmt
  Bits operand_2;
  std::uint32_t fixed_mask;  // bits that tell forms of an opcode apart
  std::uint32_t fixed;
};

inline constexpr Bits atomic_opcode{12, 4};
inline constexpr std::size_t atomic_bytes = 16;

namespace detail {
inline constexpr ArchSet both_chips = ArchSet(Arch::wormhole) | Arch::blackhole;
inline constexpr Bits no_bits{0, 0};
}  // namespace detail

inline constexpr std::array atomic_rows{
    AtomicRow{0x1, "increment", AtomicKind::increment, detail::both_chips, {0, 2}, {2, 5}, detail::no_bits, 0, 0},
    AtomicRow{
        0x3, "swap, mask", AtomicKind::swap_mask, detail::both_chips, detail::no_bits, {2, 8}, detail::no_bits, 0, 0},
    AtomicRow{0x4, "compare and swap", AtomicKind::compare_and_swap, detail::both_chips, {0, 2}, {2, 4}, {6, 4}, 0, 0},
    AtomicRow{
        0x6, "swap, index", AtomicKind::swap, detail::both_chips, {0, 2}, detail::no_bits, detail::no_bits, 0x4, 0x4},
    AtomicRow{0x7, "swap, index", AtomicKind::swap, detail::both_chips, {2, 2}, detail::no_bits, detail::no_bits, 0, 0},
    AtomicRow{0x9,
              "parallel addition",
              AtomicKind::accumulate,
              Arch::blackhole,
              detail::no_bits,
              {0, 4},
              detail::no_bits,
              0,
              0},
    AtomicRow{
        0xA, "swap, index", AtomicKind::swap, Arch::blackhole, {0, 2}, detail::no_bits, detail::no_bits, 0xF00, 0x300},
    AtomicRow{0xA, "Zaamo", AtomicKind::zaamo, Arch::blackhole, {0, 2}, {8, 3}, detail::no_bits, 0x800, 0x800},
};

/// Values of Fmt. The header of tt-metal has other names for some; these are the page's.
struct AccumulateRow {
  std::uint32_t value;
  AccumulateFormat format;
};
inline constexpr std::array accumulate_rows{
    AccumulateRow{0, AccumulateFormat::fp32},          AccumulateRow{1, AccumulateFormat::fp16},
    AccumulateRow{2, AccumulateFormat::bf16},          AccumulateRow{4, AccumulateFormat::u32},
    AccumulateRow{7, AccumulateFormat::u8_saturating}, AccumulateRow{8, AccumulateFormat::fp32},
    AccumulateRow{9, AccumulateFormat::fp16},          AccumulateRow{10, AccumulateFormat::bf16},
    AccumulateRow{12, AccumulateFormat::u32},          AccumulateRow{13, AccumulateFormat::u32},
    AccumulateRow{15, AccumulateFormat::u8},
};

/// An atomic, taken from NOC_AT_LEN_BE.
struct Atomic {
  AtomicKind kind = AtomicKind::increment;
  unsigned word = 0;              // which of the four words of the 16 bytes
  std::uint32_t operand = 0;      // increment: mask of the bits that count; mask of lanes; value to compare with
  std::uint32_t operand_2 = 0;    // value to set
  ZaamoOperation operation = {};  // Zaamo
  AccumulateFormat format = {};   // parallel addition
  friend constexpr bool operator==(const Atomic&, const Atomic&) = default;
};

std::variant<Atomic, Refusal> decode_atomic(Arch arch, std::uint32_t at_len_be);

/// Carries it out on the aligned 16 bytes around `address`, and gives what is returned: the word that was at `address`, which
/// need not be the one acted on. Of a parallel addition the page calls it undefined; that it is this word is *assumed*.
std::uint32_t carry_out(const Atomic& atomic, std::uint32_t immediate, std::uint32_t address,
                        std::span<std::uint8_t, atomic_bytes> line);

}  // namespace tensim::noc
