#include "tensix/units/scalar.hpp"

#include <algorithm>

#include "isa/table.hpp"
#include "tensix/coprocessor.hpp"
#include "tensix/footprint.hpp"
#include "tensix/units/hooks.hpp"

namespace tensim::tensix {
namespace {

using namespace isa::literals;
using namespace tensim::literals;
using insight::Stall;

/// How many memory requests can be under way (assumed): however slow a scenario makes memory, records stay bounded.
constexpr unsigned most_requests = InFlight::capacity / 2;

Held check(const Coprocessor& coprocessor, const Candidate&) {
  if (coprocessor.now < coprocessor.scalar.free_from) return {Stall::unit_busy, coprocessor.scalar.free_from};
  if (coprocessor.in_flight.count(Occupancy::scalar_memory) >= most_requests) return {Stall::unit_busy};
  return passes;
}

/// ATINCGET and ATSWAP: one per twelve cycles, whatever else the unit does in between (timing 2.2).
Held check_atomic(const Coprocessor& coprocessor, const Candidate& candidate) {
  const Held held = check(coprocessor, candidate);
  if (!held.passes()) return held;
  const Cycle free_from = coprocessor.scalar.atomic_free_from;
  return coprocessor.now < free_from ? Held{Stall::unit_busy, free_from} : passes;
}

/// The unit, and on Wormhole the thread, is taken for `cycles`.
unsigned occupy(Coprocessor& coprocessor, const Candidate& candidate, Cycle cycles, Record record = {}) {
  coprocessor.scalar.free_from = coprocessor.now + cycles;
  if (size(coprocessor.arch, "scalar_closes_gate"_size) != 0)
    coprocessor.close_gate(candidate.thread, Stall::gate_closed, cycles);
  record.where = Occupancy::scalar;
  return coprocessor.start(candidate, record, cycles);
}

void one_cycle(Coprocessor& coprocessor, const Candidate& candidate) {
  occupy(coprocessor, candidate, 1);
}

/// The special form copies state of the packers.
void setdmareg_special(Coprocessor& coprocessor, const Candidate& candidate) {
  const Word word = candidate.entry.word;
  const auto values = units::packer_state(coprocessor, candidate.thread, word >> 11U & 0xFU, word >> 15U & 0xFU);
  auto& gprs = coprocessor.gprs.value[candidate.thread];
  const unsigned input_half = word >> 8U & 7U;
  const unsigned result_half = word & 0x7FU;
  switch (word >> 22U & 3U) {
    case 0: {
      const std::uint32_t half = values[input_half / 2] >> (input_half % 2 * 16) & 0xFFFFU;
      std::uint32_t& reg = gprs[result_half / 2];
      reg = result_half % 2 == 0 ? (reg & 0xFFFF0000U) | half : (reg & 0xFFFFU) | half << 16U;
      break;
    }
    case 1: gprs[result_half / 2] = values[input_half / 2]; break;
    case 2: std::ranges::copy(values, gprs.begin() + (result_half / 2 & 0x3CU)); break;
    default: {  // a tile header: its reserved bits stay
      constexpr std::array<std::uint32_t, 4> meant{0x0000FFFF, 0x00FF0000, 0xFFFFFFFF, 0};
      for (unsigned i = 0; i < meant.size(); ++i) {
        std::uint32_t& reg = gprs[(result_half / 2 & 0x3CU) + i];
        reg = (reg & ~meant[i]) | (values[i] & meant[i]);
      }
    }
  }
}

void setdmareg(Coprocessor& coprocessor, const Candidate& candidate) {
  const bool immediate = (candidate.entry.word & 0x80U) == 0;
  if (immediate)
    setdmareg_immediate(coprocessor.gprs, candidate.thread, candidate.entry.word);
  else
    setdmareg_special(coprocessor, candidate);
  coprocessor.written.add_gprs(candidate.thread, gpr_use(candidate.entry.word).writes);
  occupy(coprocessor, candidate, 1);
}

void arithmetic(Coprocessor& coprocessor, const Candidate& candidate) {
  const Word word = candidate.entry.word;
  const std::size_t row = dmareg_is_near(word) ? "dmareg_arith_latency_near"_cycles : "dmareg_arith_latency_far"_cycles;
  coprocessor.scalar.reading_record = occupy(coprocessor, candidate, static_cast<Cycle>(cycles(coprocessor.arch, row)));
  coprocessor.scalar.reads_operands = true;
}

/// Loads count as written from here on: what they bring comes with the data path.
void use_gprs(Coprocessor& coprocessor, const Candidate& candidate) {
  const GprUse use = gpr_use(candidate.entry.word);
  coprocessor.reads_gprs(candidate, use.reads);
  coprocessor.written.add_gprs(candidate.thread, use.writes);
}

void of_row(Coprocessor& coprocessor, const Candidate& candidate) {
  use_gprs(coprocessor, candidate);
  occupy(coprocessor, candidate, coprocessor.operation(candidate.entry.word).latency);
}

/// Loads and atomics: the unit is free again soon, the answer comes later and C0 waits for it.
void memory(Coprocessor& coprocessor, const Candidate& candidate) {
  use_gprs(coprocessor, candidate);
  occupy(coprocessor, candidate, coprocessor.operation(candidate.entry.word).latency);
  Record request;
  request.where = Occupancy::scalar_memory;
  coprocessor.start(candidate, request, coprocessor.parameters.scalar_memory_cycles);
}

void atomic(Coprocessor& coprocessor, const Candidate& candidate) {
  static_assert(std::ranges::all_of(all_archs, [](Arch arch) {
    return cycles(arch, "atincget_interval_min"_cycles) == cycles(arch, "atswap_interval_min"_cycles);
  }));
  const auto interval = static_cast<Cycle>(cycles(coprocessor.arch, "atincget_interval_min"_cycles));
  coprocessor.scalar.atomic_free_from = coprocessor.now + interval;
  memory(coprocessor, candidate);
}

constexpr OperationRow row(std::uint8_t opcode, Operation::Execute execute,
                           std::size_t latency_row = OperationRow::one_cycle, Operation::Check ready = check) {
  return {.opcode = opcode,
          .port = Port::scalar,
          .occupancy = Occupancy::scalar,
          .latency_row = latency_row,
          .execute = execute,
          .check = ready,
          .footprint = units::scalar_footprint};
}

constexpr std::array rows{
    row("DMANOP"_op, one_cycle),
    row("SETDMAREG"_op, setdmareg),
    row("ADDDMAREG"_op, arithmetic),
    row("SUBDMAREG"_op, arithmetic),
    row("MULDMAREG"_op, arithmetic),
    row("BITWOPDMAREG"_op, arithmetic),
    row("SHIFTDMAREG"_op, arithmetic),
    row("CMPDMAREG"_op, arithmetic),
    row("REG2FLOP"_op, of_row, "reg2flop_latency_min"_cycles),
    row("FLUSHDMA"_op, of_row, "flushdma_latency_min"_cycles),
    row("STOREIND"_op, memory, "storeind_latency_min"_cycles),
    row("STOREREG"_op, memory, "storereg_latency_min"_cycles),
    row("LOADIND"_op, memory, "loadind_latency_min"_cycles),
    row("LOADREG"_op, memory, "loadreg_latency_min"_cycles),
    row("ATINCGET"_op, atomic, "atincget_latency_min"_cycles, check_atomic),
    row("ATSWAP"_op, atomic, "atswap_latency_min"_cycles, check_atomic),
    row("ATCAS"_op, memory, "atcas_latency_min"_cycles),
    row("ATINCGETPTR"_op, memory, "atincgetptr_latency_min"_cycles),
};

}  // namespace

/// The operands as they are at the start of this cycle; the result lands when the instruction completes. An undefined
/// mode writes nothing.
void units::read_scalar_operands(Coprocessor& coprocessor) {
  if (!coprocessor.scalar.reads_operands) return;
  coprocessor.scalar.reads_operands = false;
  const Record& record = coprocessor.in_flight[coprocessor.scalar.reading_record];
  coprocessor.reads_gprs({Entry::expanded(record.word, record.origin), record.thread}, gpr_use(record.word).reads);
  if (const auto result = dmareg_result(coprocessor.gprs, record.thread, record.word))
    coprocessor.in_flight.set_gpr_write(coprocessor.scalar.reading_record, result->reg, result->value);
}

std::span<const OperationRow> units::scalar_operations() {
  return rows;
}

}  // namespace tensim::tensix
