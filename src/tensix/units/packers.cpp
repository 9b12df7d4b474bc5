#include "tensix/units/packers.hpp"

#include "isa/table.hpp"
#include "tensix/coprocessor.hpp"
#include "tensix/footprint.hpp"
#include "tensix/units/hooks.hpp"

namespace tensim::tensix {
namespace {

using namespace isa::literals;
using insight::Stall;

Held check(const Coprocessor& coprocessor, const Candidate&) {
  if (coprocessor.now < coprocessor.packers.free_from) return {Stall::unit_busy, coprocessor.packers.free_from};
  return passes;
}

/// A PACR keeps the packers it names for as long as its data takes; the next is accepted when they are free (assumed).
void pacr(Coprocessor& coprocessor, const Candidate& candidate) {
  const Cycle data = coprocessor.parameters.pack_data_cycles;
  coprocessor.packers.free_from = coprocessor.now + data;
  const unsigned named = units::occupancies(coprocessor.arch, candidate.entry.word, Occupancy::packer0);
  for (unsigned packer = 0; packer < 4; ++packer) {
    const auto where = static_cast<Occupancy>(static_cast<unsigned>(Occupancy::packer0) + packer);
    if ((named >> static_cast<unsigned>(where) & 1U) == 0) continue;
    Record record;
    record.where = where;
    coprocessor.start(candidate, record, data);
  }
}

constexpr std::array rows{
    OperationRow{.opcode = "PACR"_op,
                 .port = Port::packers,
                 .occupancy = Occupancy::packer0,
                 .execute = pacr,
                 .check = check,
                 .footprint = units::packer_footprint},
    OperationRow{.opcode = "PACR_SETREG"_op,
                 .port = Port::packers,
                 .occupancy = Occupancy::packer0,
                 .execute = pacr,
                 .check = check,
                 .footprint = units::packer_footprint},
};

}  // namespace

std::span<const OperationRow> units::packer_operations() {
  return rows;
}

}  // namespace tensim::tensix
