#include "tensix/units/scalar/unit.hpp"

#include <algorithm>

#include "isa/table.hpp"
#include "tensix/coprocessor.hpp"
#include "tensix/footprint.hpp"
#include "tensix/units/packers/unit.hpp"
#include "tensix/units/scalar/words.hpp"

namespace tensim::tensix {
namespace {

using namespace isa::literals;
using namespace tensim::literals;
using event::Stall;

Held check(const Coprocessor& coprocessor, const Candidate&) {
  if (coprocessor.now < coprocessor.scalar.free_from) return {Stall::unit_busy, coprocessor.scalar.free_from};
  if (coprocessor.in_flight.holds_at_least(Occupancy::scalar_memory, ScalarUnit::most_requests))
    return {Stall::unit_busy};
  return passes;
}

/// ATINCGET and ATSWAP: one per twelve cycles, whatever else the unit does in between (timing 2.2).
Held check_atomic(const Coprocessor& coprocessor, const Candidate& candidate) {
  const Held held = check(coprocessor, candidate);
  if (!held.passes()) return held;
  const Cycle free_from = coprocessor.scalar.atomic_free_from;
  return coprocessor.now < free_from ? Held{Stall::unit_busy, free_from} : passes;
}

/// Whoever reads GPRs does so in the next cycle.
void read_operands_next(Coprocessor& coprocessor, unsigned record, unsigned request) {
  coprocessor.scalar.record = record;
  coprocessor.scalar.request = request;
  coprocessor.scalar.reads_operands = coprocessor.scalar.is_active = true;
}

/// The unit, and on Wormhole the thread, is taken for `cycles`; `never` if the instruction itself will say when it ends.
unsigned occupy(Coprocessor& coprocessor, const Candidate& candidate, Cycle cycles,
                Occupancy where = Occupancy::scalar) {
  const Cycle until = cycles == never ? never : coprocessor.now + cycles;
  coprocessor.scalar.free_from = until;
  if (size(coprocessor.arch, "scalar_closes_gate"_size) != 0)
    coprocessor.gates.closed[candidate.thread] = {Stall::gate_closed, until};
  return coprocessor.start(candidate, where, cycles);
}

void one_cycle(Coprocessor& coprocessor, const Candidate& candidate) {
  occupy(coprocessor, candidate, 1);
}

namespace special {
constexpr isa::Field result_size = field_of("SETDMAREG", "Special", "ResultSize");
constexpr isa::Field which_packers = field_of("SETDMAREG", "Special", "WhichPackers");
constexpr isa::Field input_source = field_of("SETDMAREG", "Special", "InputSource");
constexpr isa::Field input_half_reg = field_of("SETDMAREG", "Special", "InputHalfReg");
constexpr isa::Field result_half_reg = field_of("SETDMAREG", "Special", "ResultHalfReg");
}  // namespace special

/// The special form copies state of the packers.
void setdmareg_special(Coprocessor& coprocessor, const Candidate& candidate) {
  const Word word = candidate.entry.word;
  const auto values = units::packer_state(coprocessor, candidate.thread, special::input_source.get(word),
                                          special::which_packers.get(word));
  auto& gprs = coprocessor.gprs.value[candidate.thread];
  const unsigned input_half = special::input_half_reg.get(word);
  const unsigned result_half = special::result_half_reg.get(word);
  switch (special::result_size.get(word)) {
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
  if (form_bits("SETDMAREG", "Immediate").match(candidate.entry.word))
    setdmareg_immediate(coprocessor.gprs, candidate.thread, candidate.entry.word);
  else
    setdmareg_special(coprocessor, candidate);
  coprocessor.written.add_gprs(candidate.thread, gpr_use(candidate.entry.word).writes);
  occupy(coprocessor, candidate, 1);
}

void arithmetic(Coprocessor& coprocessor, const Candidate& candidate) {
  const Word word = candidate.entry.word;
  const UnitTiming& timing = *coprocessor.timing;
  const unsigned record = occupy(coprocessor, candidate, dmareg_is_near(word) ? timing.dmareg_near : timing.dmareg_far);
  read_operands_next(coprocessor, record, record);
}

/// REG2FLOP, and STOREIND to Src.
void of_row(Coprocessor& coprocessor, const Candidate& candidate) {
  const unsigned record = occupy(coprocessor, candidate, coprocessor.operation(candidate.entry.word).latency);
  read_operands_next(coprocessor, record, record);
}

void waits(Coprocessor& coprocessor, const Candidate& candidate) {
  const unsigned record = occupy(coprocessor, candidate, never);
  read_operands_next(coprocessor, record, record);
}

/// How long a request takes: to L1 as DMANOPs are said to cover it; without an L1, as the scenario says. A register of
/// the tile answers when it can.
Cycle request_cycles(const Coprocessor& coprocessor, bool is_mmio) {
  if (!coprocessor.memory.is_attached()) return coprocessor.timing->scalar_memory_cycles;
  return is_mmio ? never : coprocessor.timing->scalar_request;
}

/// Loads, stores and atomics: the unit is free again soon, memory answers later and C0 waits for it.
void request(Coprocessor& coprocessor, const Candidate& candidate, bool is_mmio) {
  const unsigned record = occupy(coprocessor, candidate, coprocessor.operation(candidate.entry.word).latency);
  const Cycle cycles = request_cycles(coprocessor, is_mmio);
  read_operands_next(coprocessor, record, coprocessor.start(candidate, Occupancy::scalar_memory, cycles));
}

void memory(Coprocessor& coprocessor, const Candidate& candidate) {
  request(coprocessor, candidate, false);
}

void mmio(Coprocessor& coprocessor, const Candidate& candidate) {
  request(coprocessor, candidate, true);
}

void storeind(Coprocessor& coprocessor, const Candidate& candidate) {
  switch (scalar_words::store_target(candidate.entry.word)) {
    case scalar_words::StoreTarget::l1: return memory(coprocessor, candidate);
    case scalar_words::StoreTarget::mmio: return mmio(coprocessor, candidate);
    case scalar_words::StoreTarget::src: return waits(coprocessor, candidate);
  }
}

/// ATCAS and ATINCGETPTR: the unit asks L1 again and again, and has a request under way all the time.
void comparison(Coprocessor& coprocessor, const Candidate& candidate) {
  if (!coprocessor.memory.is_attached()) return memory(coprocessor, candidate);
  const unsigned record = occupy(coprocessor, candidate, never, Occupancy::scalar_memory);
  read_operands_next(coprocessor, record, record);
}

void atomic(Coprocessor& coprocessor, const Candidate& candidate) {
  const bool is_swap = isa::opcode_of(candidate.entry.word) == "ATSWAP"_op;
  coprocessor.scalar.atomic_free_from =
      coprocessor.now + (is_swap ? coprocessor.timing->atswap_interval : coprocessor.timing->atincget_interval);
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
    row("FLUSHDMA"_op, waits, "flushdma_latency_min"_cycles),
    row("STOREIND"_op, storeind, "storeind_latency_min"_cycles),
    row("STOREREG"_op, mmio, "storereg_latency_min"_cycles),
    row("LOADIND"_op, memory, "loadind_latency_min"_cycles),
    row("LOADREG"_op, mmio, "loadreg_latency_min"_cycles),
    row("ATINCGET"_op, atomic, "atincget_latency_min"_cycles, check_atomic),
    row("ATSWAP"_op, atomic, "atswap_latency_min"_cycles, check_atomic),
    row("ATCAS"_op, comparison, "atcas_latency_min"_cycles),
    row("ATINCGETPTR"_op, comparison, "atincgetptr_latency_min"_cycles),
};

}  // namespace

namespace {

/// The operands as they are at the start of this cycle. The result of arithmetic lands when the instruction completes;
/// an undefined mode writes nothing.
void read_operands(Coprocessor& coprocessor) {
  const Record record = coprocessor.in_flight[coprocessor.scalar.record];
  const GprUse use = gpr_use(record.word);
  coprocessor.reads_gprs({Entry::expanded(record.word, record.source), record.thread}, use.reads);
  if (!is_dmareg_arithmetic(record.word)) {
    coprocessor.written.add_gprs(record.thread, use.writes);
    return units::read_scalar_request(coprocessor, record);
  }
  if (const auto result = dmareg_result(coprocessor.gprs, record.thread, record.word))
    coprocessor.in_flight.set_gpr_write(coprocessor.scalar.record, result->reg, result->value);
}

}  // namespace

void units::advance_scalar(Coprocessor& coprocessor) {
  ScalarUnit& scalar = coprocessor.scalar;
  if (scalar.reads_operands) {
    scalar.reads_operands = false;
    read_operands(coprocessor);
  }
  if (scalar.wait != ScalarUnit::Wait::none) advance_scalar_wait(coprocessor);
  scalar.update_activity();
}

std::span<const OperationRow> units::scalar_operations() {
  return rows;
}

}  // namespace tensim::tensix
