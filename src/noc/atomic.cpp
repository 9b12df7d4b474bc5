#include "noc/atomic.hpp"

#include <algorithm>
#include <cstring>
#include <functional>

#include "number/l1_accumulate.hpp"

namespace tensim::noc {
namespace {

using Line = std::span<std::uint8_t, atomic_bytes>;
constexpr unsigned word_bytes = 4;

// Guests and L1 are little-endian, and so are the hosts this is built for.
template <class T>
T load(Line line, std::size_t lane) {
  T value{};
  std::memcpy(&value, line.data() + lane * sizeof(T), sizeof(T));
  return value;
}

template <class T>
void store(Line line, std::size_t lane, T value) {
  std::memcpy(line.data() + lane * sizeof(T), &value, sizeof(T));
}

/// Why no row fits.
Refusal refusal_of(Arch arch, std::uint32_t at_len_be) {
  switch (atomic_opcode.get(at_len_be)) {
    case 0x0: return Refusal::atomic_no_operation;
    case 0x2: return Refusal::atomic_incr_get_ptr;
    case 0x5: return Refusal::atomic_get_tile_map;
    case 0x6: return Refusal::atomic_swap_form;
    case 0x9: return Refusal::atomic_of_blackhole;
    case 0xA: return on(arch, Refusal::atomic_of_blackhole, Refusal::atomic_zaamo_form);
    default: return Refusal::atomic_unknown_opcode;
  }
}

/// Bits that count: IntWidth + 1 of them, from the lowest on.
constexpr std::uint32_t counting_bits(std::uint32_t int_width) {
  return (2U << int_width) - 1;
}

std::uint32_t zaamo(ZaamoOperation operation, std::uint32_t a, std::uint32_t b) {
  const auto signed_less = [](std::uint32_t x, std::uint32_t y) {
    return static_cast<std::int32_t>(x) < static_cast<std::int32_t>(y);
  };
  switch (operation) {
    case ZaamoOperation::add: return a + b;
    case ZaamoOperation::exclusive_or: return a ^ b;
    case ZaamoOperation::inclusive_or: return a | b;
    case ZaamoOperation::conjunction: return a & b;
    case ZaamoOperation::min: return signed_less(a, b) ? a : b;
    case ZaamoOperation::max: return signed_less(b, a) ? a : b;
    case ZaamoOperation::minu: return std::min(a, b);
    case ZaamoOperation::maxu: return std::max(a, b);
  }
  __builtin_unreachable();
}

/// Adds to every lane of the 16 bytes what the immediate has in the lane of that number, again and again.
template <class T, class Add>
void add_lanes(Line line, std::uint32_t immediate, Add add) {
  for (std::size_t lane = 0; lane < line.size() / sizeof(T); ++lane) {
    const std::size_t shift = lane % (word_bytes / sizeof(T)) * 8 * sizeof(T);
    store<T>(line, lane, static_cast<T>(add(load<T>(line, lane), static_cast<T>(immediate >> shift))));
  }
}

/// Floating point as packers add it to L1: that it is the same adder is *assumed*. The page says that denormals are zeros.
void accumulate(AccumulateFormat format, std::uint32_t immediate, Line line) {
  switch (format) {
    case AccumulateFormat::fp32: return add_lanes<std::uint32_t>(line, immediate, number::l1_accumulate_fp32);
    case AccumulateFormat::fp16: return add_lanes<std::uint16_t>(line, immediate, number::l1_accumulate_fp16);
    case AccumulateFormat::bf16: return add_lanes<std::uint16_t>(line, immediate, number::l1_accumulate_bf16);
    case AccumulateFormat::u32: return add_lanes<std::uint32_t>(line, immediate, std::plus<>{});
    case AccumulateFormat::u8: return add_lanes<std::uint8_t>(line, immediate, std::plus<>{});
    case AccumulateFormat::u8_saturating:
      return add_lanes<std::uint8_t>(line, immediate, [](int a, int b) { return std::min(a + b, 0xFF); });
  }
}

void swap_lanes(std::uint32_t mask, std::uint32_t immediate, Line line) {
  for (unsigned lane = 0; lane < 8; ++lane)
    if ((mask >> lane & 1U) != 0)
      store<std::uint16_t>(line, lane, static_cast<std::uint16_t>(immediate >> lane % 2 * 16));
}

}  // namespace

std::variant<Atomic, Refusal> decode_atomic(Arch arch, std::uint32_t at_len_be) {
  const auto* const row = std::ranges::find_if(atomic_rows, [&](const AtomicRow& candidate) {
    return candidate.opcode == atomic_opcode.get(at_len_be) && candidate.archs.contains(arch) &&
           (at_len_be & candidate.fixed_mask) == candidate.fixed;
  });
  if (row == atomic_rows.end()) return refusal_of(arch, at_len_be);
  Atomic atomic{.kind = row->kind, .word = row->word.get(at_len_be)};
  const std::uint32_t operand = row->operand.get(at_len_be);
  if (row->kind == AtomicKind::accumulate) {
    const auto* const format = std::ranges::find(accumulate_rows, operand, &AccumulateRow::value);
    if (format == accumulate_rows.end()) return Refusal::atomic_accumulate_format;
    atomic.format = format->format;
  } else if (row->kind == AtomicKind::zaamo) {
    atomic.operation = static_cast<ZaamoOperation>(operand);
  } else {
    atomic.operand = row->kind == AtomicKind::increment ? counting_bits(operand) : operand;
    atomic.operand_2 = row->operand_2.get(at_len_be);
  }
  return atomic;
}

std::uint32_t carry_out(const Atomic& atomic, std::uint32_t immediate, std::uint32_t address, Line line) {
  const auto returned = load<std::uint32_t>(line, address % atomic_bytes / word_bytes);
  const auto old = load<std::uint32_t>(line, atomic.word);
  const auto set = [&](std::uint32_t value) { store<std::uint32_t>(line, atomic.word, value); };
  switch (atomic.kind) {
    case AtomicKind::increment: set(((old + immediate) & atomic.operand) | (old & ~atomic.operand)); break;
    case AtomicKind::swap_mask: swap_lanes(atomic.operand, immediate, line); break;
    case AtomicKind::compare_and_swap:
      if (old == atomic.operand) set(atomic.operand_2);
      break;
    case AtomicKind::swap: set(immediate); break;
    case AtomicKind::zaamo: set(zaamo(atomic.operation, old, immediate)); break;
    case AtomicKind::accumulate: accumulate(atomic.format, immediate, line); break;
  }
  return returned;
}

}  // namespace tensim::noc
