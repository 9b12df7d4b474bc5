// Transfers under way, whichever unit's, when a store of a core meets them in L1 (tensix/l1_traffic.hpp).
#include "tensix/l1_transfers.hpp"

#include "isa/table.hpp"
#include "tensix/coprocessor.hpp"
#include "tensix/units/packers/steps.hpp"

namespace tensim::tensix {
namespace {

using namespace isa::literals;

/// PACR_SETREG writes its register when the last packer that it flushes is done.
void postpone_register_write(Coprocessor& coprocessor, const PackJob& job) {
  const Record& flush = coprocessor.in_flight[job.record];
  if (isa::opcode_of(flush.word) != "PACR_SETREG"_op) return;
  auto& requests = coprocessor.scalar.mmio;
  for (unsigned i = 0; i < requests.size(); ++i) {
    const Record& request = coprocessor.in_flight[requests[i].record];
    if (request.word == flush.word && request.accepted == flush.accepted)
      requests.at(i).due = std::max(requests[i].due, job.last);
  }
}

void end_pack(Coprocessor& coprocessor, Packer& packer, Cycle last) {
  packer.job.last = last;
  packer.free_from = last + 1;
  coprocessor.in_flight.postpone(packer.job.record, last);
  postpone_register_write(coprocessor, packer.job);
}

void end_move(Coprocessor& coprocessor, Cycle last) {
  Mover& mover = coprocessor.mover;
  mover.end_in(last);
  if (mover.record) coprocessor.in_flight.postpone(*mover.record, last);
}

/// Visits each that is not over in `cycle`: its number, how far it is, what its steps use, when it ends, how to say that
/// it ends at another time.
template <class Visit>
void for_each_transfer(Coprocessor& coprocessor, Cycle cycle, Visit visit) {
  const Arch arch = coprocessor.arch;
  unsigned number = 0;
  for (Unpackers::Pipe& pipe : coprocessor.unpackers.pipes) {
    if (pipe.is_fetching()) {
      const unsigned record = pipe.job[0].record;
      visit(
          number, pipe.progress, [&](std::uint32_t step) { return pipe.fetches(arch, step); },
          coprocessor.in_flight[record].last, [&](Cycle last) { coprocessor.in_flight.postpone(record, last); });
    }
    ++number;
  }
  for (unsigned i = 0; i < Packers::count; ++i, ++number) {
    Packer& packer = coprocessor.packers.packer[i];
    if (!packer.job.is_waiting) continue;
    visit(
        number, packer.progress, [&](std::uint32_t step) { return pack_words(*coprocessor.timing, packer, i, step); },
        packer.job.last, [&](Cycle last) { end_pack(coprocessor, packer, last); });
  }
  Mover& mover = coprocessor.mover;
  if (mover.progress.steps != 0 && mover.free_from > cycle)
    visit(
        number, mover.progress, [&](std::uint32_t step) { return mover.words(arch, step); }, mover.free_from - 1,
        [&](Cycle last) { end_move(coprocessor, last); });
}

}  // namespace

bool store_waits_for_transfer(Coprocessor& coprocessor, unsigned port, unsigned bank, Cycle cycle) {
  L1Traffic& traffic = coprocessor.l1_traffic;
  bool waits = false;
  for_each_transfer(coprocessor, cycle,
                    [&](unsigned number, L1Progress& progress, const auto& use_of, Cycle, const auto&) {
                      traffic.advance(progress, cycle, use_of);
                      if (progress.is_done()) return;
                      const L1Step step = use_of(progress.step);
                      if (step.goes_on.meets(bank, port)) waits = true;
                      if (traffic.holds[port].had_turn(number) || !step.begins.meets(bank, port)) return;
                      if (traffic.stops(step.begins, cycle)) return;
                      traffic.holds[port].give_turn(number);
                      waits = true;
                    });
  return waits;
}

bool store_holds_up_transfers(Coprocessor& coprocessor, unsigned port, unsigned bank, Cycle cycle, Cycle cycles) {
  L1Traffic& traffic = coprocessor.l1_traffic;
  // What other stores have held up until now is past; the port's own hold is over.
  for_each_transfer(coprocessor, cycle, [&](unsigned, L1Progress& progress, const auto& use_of, Cycle, const auto&) {
    traffic.advance(progress, cycle, use_of);
  });
  traffic.holds[port] = {bank, cycle + cycles};
  bool later = false;
  for_each_transfer(coprocessor, cycle,
                    [&](unsigned, L1Progress& progress, const auto& use_of, Cycle last, const auto& end_in) {
                      const Cycle now_last = traffic.begin(progress, use_of);
                      if (progress.is_done() || now_last == last) return;
                      end_in(now_last);
                      later = true;
                    });
  return later;
}

}  // namespace tensim::tensix
