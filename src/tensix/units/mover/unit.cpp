#include "tensix/units/mover/unit.hpp"

#include "isa/table.hpp"
#include "tensix/coprocessor.hpp"
#include "tensix/footprint.hpp"
#include "tensix/registers/config_view.hpp"

namespace tensim::tensix {
namespace {

using namespace isa::literals;
using namespace tensim::literals;
using event::Stall;

Held check(const Coprocessor& coprocessor, const Candidate&) {
  if (coprocessor.now < coprocessor.mover.free_from) return {Stall::mover_busy, coprocessor.mover.free_from};
  return passes;
}

/// The mover begins in the cycle in which XMOV is executed. Without an L1 nothing moves.
void xmov(Coprocessor& coprocessor, const Candidate& candidate) {
  Mover& mover = coprocessor.mover;
  Cycle busy = coprocessor.timing->mover_cycles;
  mover.progress = {};
  if (coprocessor.memory.is_attached()) {
    MemoryOperation operation = units::xmov_operation(coprocessor, candidate.thread);
    busy = move_cycles(*coprocessor.timing, operation);
    if (leaves_memory(coprocessor.arch, operation)) {
      coprocessor.data_issue(candidate, DataIssue::mover_range);
    } else {
      operation.who = static_cast<std::uint8_t>(candidate.thread);
      operation.due = mover.begin(*coprocessor.timing, coprocessor.l1_traffic, operation, coprocessor.now);
      busy = operation.due + 1 - coprocessor.now;
      mover.job = operation;
    }
  }
  mover.free_from = coprocessor.now + busy;
  mover.record = coprocessor.start(candidate, Occupancy::mover, busy);
}

constexpr std::array rows{
    OperationRow{.opcode = "XMOV"_op,
                 .port = Port::mover,
                 .occupancy = Occupancy::mover,
                 .execute = xmov,
                 .check = check,
                 .footprint = units::mover_footprint},
};

}  // namespace

MemoryOperation units::xmov_operation(const Coprocessor& coprocessor, unsigned thread) {
  constexpr std::uint32_t size_mask = 0xFFFF;
  const ConfigView config(coprocessor.config, coprocessor.arch, thread);
  return plan_move({.from = config.get("THCON_SEC0_REG6_Source_address"_config),
                    .to = config.get("THCON_SEC0_REG6_Destination_address"_config),
                    .size = config.get("THCON_SEC0_REG6_Buffer_size"_config) & size_mask,
                    .direction = config.get("THCON_SEC0_REG6_Transfer_direction"_config)});
}

L1Step Mover::words(Arch arch, std::uint32_t step) const {
  constexpr std::uint32_t unit_bytes = MemoryOperation::unit_bytes;
  const L1Pace units{.words = move.size / unit_bytes, .steps = progress.steps};
  const auto from = [](std::uint32_t first) {
    return [first](std::uint32_t unit) { return std::int64_t{first} + std::int64_t{unit} * unit_bytes; };
  };
  L1Step use;
  if (move.source == MemoryOperation::Source::l1)
    units.add(use, step, L1Connection(arch, L1Client::mover_reads), from(move.from));
  if (move.target == MemoryOperation::Target::l1)
    units.add(use, step, L1Connection(arch, L1Client::mover_writes), from(move.to));
  return use;
}

Cycle Mover::begin(const UnitTiming& timing, L1Traffic& traffic, const MemoryOperation& operation, Cycle from) {
  move = operation;
  record.reset();
  progress = {.at = from, .step = 0, .steps = static_cast<std::uint32_t>(move_cycles(timing, operation))};
  const Cycle last = traffic.begin(progress, [&](std::uint32_t step) { return words(timing.arch, step); });
  free_from = last + 1;
  return last;
}

std::span<const OperationRow> units::mover_operations() {
  return rows;
}

}  // namespace tensim::tensix
