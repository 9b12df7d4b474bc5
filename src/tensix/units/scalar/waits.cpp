// Instructions that keep the Scalar Unit until something is the case: FLUSHDMA until units have drained, STOREIND to Src
// until the unpackers own the bank, ATCAS and ATINCGETPTR until a comparison in L1 succeeds. Pages: FLUSHDMA.md,
// STOREIND_Src.md, ATCAS.md, ATINCGETPTR.md.
#include <algorithm>
#include <cstring>

#include "tensix/coprocessor.hpp"
#include "tensix/units/scalar/unit.hpp"
#include "tensix/units/scalar/words.hpp"

namespace tensim::tensix {
namespace {

using namespace isa::literals;
using namespace tensim::literals;
using namespace scalar_words;
using Wait = ScalarUnit::Wait;

/// The instruction ends with cycle `last`.
void finish(Coprocessor& coprocessor, Cycle last) {
  ScalarUnit& scalar = coprocessor.scalar;
  const unsigned thread = coprocessor.in_flight[scalar.record].thread;
  scalar.wait = Wait::none;
  scalar.free_from = last + 1;
  if (size(coprocessor.arch, "scalar_closes_gate"_size) != 0) coprocessor.gates.closed[thread].until = last + 1;
  coprocessor.in_flight.set_last(scalar.record, last);
}

/// The low four conditions of STALLWAIT, with its signals.
bool is_drained(const Coprocessor& coprocessor, const Record& record) {
  constexpr std::array places{Occupancy::scalar_memory, Occupancy::unpacker0, Occupancy::unpacker1, Occupancy::packer0};
  const std::uint32_t mask = condition_mask.get(record.word);
  for (unsigned i = 0; i < places.size(); ++i)
    if ((mask == 0 || (mask >> i & 1U) != 0) && coprocessor.in_flight.holds(places[i], record.thread)) return false;
  return true;
}

bool owns_bank(const Coprocessor& coprocessor, const Record& record) {
  const unsigned file = (record.destination & 0x80U) != 0 ? 1 : 0;
  return !coprocessor.src.matrix_owns[file][record.bank];
}

/// The instruction has been in the unit for the cycles it takes at least.
Cycle earliest_end(const Coprocessor& coprocessor, const Record& record) {
  return record.accepted + coprocessor.operation(record.word).latency - 1;
}

struct Pointers {
  std::uint32_t read;
  std::uint32_t write;
};

/// Whether ATINCGETPTR has to try again: nothing can be popped, or pushed.
bool is_fifo_stuck(Word word, Pointers fifo) {
  const std::uint32_t entries = fifo.write - fifo.read;
  const bool pushes = (word_in_block.get(word) & 1U) != 0;
  if (!pushes) return entries == 0;
  constexpr std::uint32_t largest_capacity = 0x8000;
  const std::uint32_t width = pointer_width.get(word);
  const std::uint32_t capacity = width == 0 ? largest_capacity : 1U << (width - 1);
  return entries % capacity == 0 && entries != 0;
}

std::array<std::uint32_t, 4> read_block(const Coprocessor& coprocessor, std::uint32_t address) {
  std::array<std::uint32_t, 4> words{};
  std::memcpy(words.data(), &coprocessor.memory.l1[address - address % block_bytes], block_bytes);
  return words;
}

/// What will land in L1, and in the GPR; nothing if the comparison fails.
std::optional<std::array<std::uint32_t, 4>> compare(const Coprocessor& coprocessor, const Record& record) {
  const Word word = record.word;
  const auto block = read_block(coprocessor, record.address);
  const std::uint32_t old = block[word_in_block.get(word)];
  if (isa::opcode_of(word) == "ATCAS"_op) {
    if (old != compare_value.get(word)) return std::nullopt;
    return std::array{set_value.get(word), 0U, 0U, 0U};
  }
  if (is_fifo_stuck(word, {block[0], block[1]})) return std::nullopt;
  const std::uint32_t mask = (1U << pointer_width.get(word)) - 1U;
  const std::uint32_t moved = old + (1U << increment_log2.get(word));
  return std::array{(moved & mask) | (old & ~mask), old, 0U, 0U};
}

void attempt(Coprocessor& coprocessor) {
  ScalarUnit& scalar = coprocessor.scalar;
  if (coprocessor.now < scalar.attempt) return;
  Record effect = coprocessor.in_flight[scalar.record];
  scalar.last_attempt = scalar.attempt;
  scalar.attempt = never;
  const auto values = compare(coprocessor, effect);
  if (!values) return;
  effect.effect = Effect::l1_request;
  effect.values = *values;
  coprocessor.in_flight.set_effect(scalar.record, effect);
  finish(coprocessor, coprocessor.now);
}

}  // namespace

void units::begin_comparison(Coprocessor& coprocessor, const Record& record, std::uint32_t address) {
  if (!coprocessor.memory.is_attached()) return;
  ScalarUnit& scalar = coprocessor.scalar;
  const Cycle first = earliest_end(coprocessor, record);
  if (!coprocessor.memory.holds(address - address % block_bytes, block_bytes)) {
    coprocessor.data_issue({Entry::expanded(record.word, record.source), record.thread}, DataIssue::l1_range);
    return finish(coprocessor, first);
  }
  Record effect;
  effect.address = address;
  coprocessor.in_flight.set_effect(scalar.record, effect);
  scalar.wait = Wait::comparison;
  scalar.attempt = first;
}

void units::advance_scalar_wait(Coprocessor& coprocessor) {
  const Record& record = coprocessor.in_flight[coprocessor.scalar.record];
  switch (coprocessor.scalar.wait) {
    case Wait::none: return;
    case Wait::comparison: return attempt(coprocessor);
    case Wait::flush:
      if (!is_drained(coprocessor, record)) return;
      break;
    case Wait::src_bank:
      if (!owns_bank(coprocessor, record)) return;
      break;
  }
  finish(coprocessor, std::max(coprocessor.now, earliest_end(coprocessor, record)));
}

Cycle units::next_scalar_event(const Coprocessor& coprocessor) {
  const ScalarUnit& scalar = coprocessor.scalar;
  const bool is_on_its_way = !scalar.mmio.empty() && !scalar.mmio_waits;
  return std::min(scalar.attempt, is_on_its_way ? std::max(scalar.mmio.front().due, coprocessor.now) : never);
}

void units::l1_changed(Coprocessor& coprocessor, std::uint32_t address, std::uint32_t bytes, Cycle cycle) {
  ScalarUnit& scalar = coprocessor.scalar;
  if (scalar.wait != Wait::comparison || scalar.attempt != never) return;
  const Record& record = coprocessor.in_flight[scalar.record];
  const std::uint32_t block = record.address - record.address % block_bytes;
  if (address >= block + block_bytes || address + bytes <= block) return;
  // What is written in a cycle is seen by a look at the start of a later one.
  const Cycle interval = coprocessor.operation(record.word).latency;
  const Cycle passed = cycle - std::min(cycle, scalar.last_attempt);
  scalar.attempt = scalar.last_attempt + (passed / interval + 1) * interval;
}

}  // namespace tensim::tensix
