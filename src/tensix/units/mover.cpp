#include "tensix/units/mover.hpp"

#include "isa/table.hpp"
#include "tensix/coprocessor.hpp"
#include "tensix/footprint.hpp"
#include "tensix/registers/config_view.hpp"
#include "tensix/units/hooks.hpp"

namespace tensim::tensix {
namespace {

using namespace isa::literals;
using namespace tensim::literals;
using insight::Stall;

Held check(const Coprocessor& coprocessor, const Candidate&) {
  if (coprocessor.now < coprocessor.mover.free_from) return {Stall::mover_busy, coprocessor.mover.free_from};
  return passes;
}

/// The mover begins in the cycle in which XMOV is executed. Without an L1 nothing moves.
void xmov(Coprocessor& coprocessor, const Candidate& candidate) {
  Cycle busy = coprocessor.parameters.mover_cycles;
  if (coprocessor.memory.is_attached()) {
    MemoryOperation operation = units::xmov_operation(coprocessor, candidate.thread);
    busy = move_cycles(coprocessor.arch, operation);
    operation.due = coprocessor.now + busy - 1;
    if (leaves_memory(coprocessor.arch, operation))
      coprocessor.data_issue(candidate, DataIssue::mover_range);
    else
      coprocessor.mover.job = operation;
  }
  coprocessor.mover.free_from = coprocessor.now + busy;
  Record record;
  record.where = Occupancy::mover;
  coprocessor.start(candidate, record, busy);
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

std::span<const OperationRow> units::mover_operations() {
  return rows;
}

}  // namespace tensim::tensix
