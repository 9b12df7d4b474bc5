// Registers of the tile as the Scalar Unit reaches them: STOREREG, LOADREG and STOREIND to MMIO. It sees what is at
// 0xFFB11000 and above in BRISC's view; what a core has for itself there (MOP configuration, Dst) is not among it
// (assumed). Pages: STOREREG.md, LOADREG.md, BabyRISCV/README.md.
#include "isa/table.hpp"
#include "tensix/coprocessor.hpp"
#include "tensix/units/scalar/unit.hpp"
#include "tile/core_bus.hpp"
#include "tile/tile.hpp"

namespace tensim::tile {

using namespace isa::literals;
using time::Phase;

namespace {

/// What the access means for the run: a store that is lost or a load that gives 0 is reported, the rest stops it.
tensix::DataIssue issue_of(const Answer& answer) {
  using Kind = Region::Kind;
  if (answer.fault == AccessFault::none) return tensix::DataIssue::none;
  const Kind kind = answer.region == nullptr ? Kind::l1 : answer.region->kind;
  if (kind == Kind::noc_niu || kind == Kind::noc_overlay) return tensix::DataIssue::scalar_noc_register;
  return answer.fault == AccessFault::not_modelled ? tensix::DataIssue::scalar_unmodelled_register
                                                   : tensix::DataIssue::scalar_mmio_address;
}

}  // namespace

Answer Tile::access_of_scalar_unit(const Access& access) {
  CoreBus bus{*this};
  const Region* region = find_region(arch, devices.view_of(access.core), access.address);
  if (region == nullptr) return {.fault = AccessFault::unmapped};
  switch (region->kind) {
    case Region::Kind::local_ram_slow:
      return access.is_store ? bus.store_to_core(*region, access.address, access.value, 4, access.cycle)
                             : bus.load_from_core(*region, access.address, 4, access.cycle);
    case Region::Kind::pc_snapshot:
      if (!access.is_store) return bus.load_pc(*region, access.address, access.cycle);
      break;
    default: break;
  }
  return access.is_store ? tile::store(devices, coprocessor, access) : tile::load(devices, coprocessor, access);
}

/// Requests that are at their registers at the end of the coprocessor's last cycle.
void Tile::answer_scalar_unit() {
  while (const tensix::Record* request = tensix::units::arrived_mmio_request(coprocessor)) {
    const Moment moment{coprocessor.now - 1, Phase::step, coprocessor_agent};
    const tensix::Candidate candidate{tensix::Entry::expanded(request->word, request->source), request->thread};
    const Access access{.core = CoreId::brisc,
                        .is_store = isa::opcode_of(request->word) != "LOADREG"_op,
                        .address = request->address,
                        .value = request->values[0],
                        .origin = candidate.entry.origin(),
                        .cycle = moment.cycle,
                        .by_scalar_unit = true};
    const Answer answer = access_of_scalar_unit(access);
    if (time_.conflict) return;
    if (answer.wait != Wait::none) {
      coprocessor.scalar.mmio_waits = true;
      return;
    }
    if (const auto issue = issue_of(answer); issue != tensix::DataIssue::none) coprocessor.data_issue(candidate, issue);
    if (answer.is_done() && notes_orders()) note_register(*request, access, answer, moment);
    tensix::units::answer_mmio_request(coprocessor, answer.is_done() ? answer.value : 0);
    devices_changed(moment);
    coprocessor_stepped();  // its thread may have nothing in flight any more, and its core may wait for that
    if (access.is_store && answer.is_done() && answer.region->kind == Region::Kind::tile_control)
      apply_tile_control(moment);
    if (coprocessor.fault) return;
  }
}

}  // namespace tensim::tile
