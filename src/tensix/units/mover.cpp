#include "tensix/units/mover.hpp"

#include "isa/table.hpp"
#include "tensix/coprocessor.hpp"
#include "tensix/footprint.hpp"

namespace tensim::tensix {
namespace {

using namespace isa::literals;
using insight::Stall;

Held check(const Coprocessor& coprocessor, const Candidate&) {
  if (coprocessor.now < coprocessor.mover.free_from) return {Stall::mover_busy, coprocessor.mover.free_from};
  return passes;
}

void xmov(Coprocessor& coprocessor, const Candidate& candidate) {
  const Cycle busy = coprocessor.parameters.mover_cycles;
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

std::span<const OperationRow> units::mover_operations() {
  return rows;
}

}  // namespace tensim::tensix
