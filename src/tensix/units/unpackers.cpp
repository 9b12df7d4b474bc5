#include "tensix/units/unpackers.hpp"

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

unsigned unpacker_of(Word word) {
  return word >> 23U & 1U;
}

Held check(const Coprocessor& coprocessor, const Candidate& candidate) {
  const Unpackers& unpackers = coprocessor.unpackers;
  if (coprocessor.now < unpackers.address_phase_until) return {Stall::unit_busy, unpackers.address_phase_until};
  if (unpackers.pipes[unpacker_of(candidate.entry.word)].jobs == 2) return {Stall::unit_busy};
  return passes;
}

/// Starts an instruction that keeps the unpacker for its address phase and then for `data_cycles`.
void start_job(Coprocessor& coprocessor, const Candidate& candidate, Unpackers::Job job) {
  const unsigned unpacker = unpacker_of(candidate.entry.word);
  Record record;
  record.where = unpacker == 0 ? Occupancy::unpacker0 : Occupancy::unpacker1;
  record.effect = Effect::unpack_done;
  record.destination = static_cast<std::uint16_t>(unpacker);
  job.record = coprocessor.start(candidate, record, never);
  Unpackers::Pipe& pipe = coprocessor.unpackers.pipes[unpacker];
  pipe.job[pipe.jobs++] = job;
  // With nothing to move and nothing before it, it is done with its last cycle before the data would come.
  if (pipe.jobs != 1 || job.data_cycles != 0 || job.waits_for_bank) return;
  pipe.moving = true;
  coprocessor.in_flight.set_last(job.record, job.data_from - 1);
}

void unpacr(Coprocessor& coprocessor, const Candidate& candidate) {
  const auto address = static_cast<Cycle>(cycles(coprocessor.arch, "unpacr_address_latency"_cycles));
  coprocessor.unpackers.address_phase_until = coprocessor.now + address;
  coprocessor.close_gate(candidate.thread, Stall::address_phase, address);
  const bool regular = units::is_unpacr_transfer(candidate.entry.word);
  start_job(coprocessor, candidate,
            {.data_from = coprocessor.now + address,
             .data_cycles = regular ? coprocessor.parameters.unpack_data_cycles : 0,
             .waits_for_bank = regular,
             .hands_over = regular && (candidate.entry.word >> 6U & 1U) != 0});
}

/// UNPACR_NOP: one cycle; its data forms (clearing Src, stream registers) come with the data path, but the bank that a
/// set-dvalid form hands over is handed over now.
void unpacr_nop(Coprocessor& coprocessor, const Candidate& candidate) {
  const Word word = candidate.entry.word;
  const bool sets_dvalid = units::unpacr_nop_sets_dvalid(coprocessor.arch, word);
  start_job(coprocessor, candidate,
            {.data_from = coprocessor.now + 1, .data_cycles = 0, .waits_for_bank = false, .hands_over = sets_dvalid});
}

constexpr std::array rows{
    OperationRow{.opcode = "UNPACR"_op,
                 .port = Port::unpackers,
                 .occupancy = Occupancy::unpacker0,
                 .execute = unpacr,
                 .check = check,
                 .footprint = units::unpacker_footprint},
    OperationRow{.opcode = "UNPACR_NOP"_op,
                 .port = Port::unpackers,
                 .occupancy = Occupancy::unpacker0,
                 .execute = unpacr_nop,
                 .check = check,
                 .footprint = units::unpacker_footprint},
};

}  // namespace

/// Lets the oldest job of each unpacker begin its data phase when its address is there and, for a transfer, the unpackers
/// own the bank.
bool units::advance_unpackers(Coprocessor& coprocessor) {
  bool changed = false;
  for (unsigned unpacker = 0; unpacker < 2; ++unpacker) {
    Unpackers::Pipe& pipe = coprocessor.unpackers.pipes[unpacker];
    if (pipe.jobs == 0 || pipe.moving) continue;
    const Unpackers::Job& job = pipe.job[0];
    if (coprocessor.now < job.data_from) continue;
    if (job.waits_for_bank && !coprocessor.src.unpack_side_clear(unpacker == 0 ? Src::a : Src::b)) continue;
    pipe.moving = true;
    // A job without data that stood behind another takes its turn of a cycle.
    coprocessor.in_flight.set_last(job.record, coprocessor.now + std::max<Cycle>(job.data_cycles, 1) - 1);
    changed = true;
  }
  return changed;
}

void units::finish_unpack(Coprocessor& coprocessor, unsigned unpacker) {
  Unpackers::Pipe& pipe = coprocessor.unpackers.pipes[unpacker];
  if (pipe.job[0].hands_over) coprocessor.src.hand_to_matrix(unpacker == 0 ? Src::a : Src::b);
  pipe.job[0] = pipe.job[1];
  --pipe.jobs;
  pipe.moving = false;
}

Cycle units::next_unpacker_event(const Coprocessor& coprocessor) {
  Cycle event = never;
  for (const Unpackers::Pipe& pipe : coprocessor.unpackers.pipes)
    if (pipe.jobs != 0 && !pipe.moving && pipe.job[0].data_from >= coprocessor.now)
      event = std::min(event, pipe.job[0].data_from);
  return event;
}

bool units::is_unpacr_transfer(Word word) {
  return (word & 0x2002U) == 0;
}

bool units::unpacr_nop_sets_dvalid(Arch arch, Word word) {
  if (arch == Arch::wormhole) return (word & 7U) == 7;
  return (word >> 6U & 3U) == 3 || ((word & 3U) == 1 && (word >> 8U & 1U) != 0);
}

unsigned units::occupancies(Arch arch, Word word, Occupancy declared) {
  const auto bit = [](Occupancy where) { return 1U << static_cast<unsigned>(where); };
  if (declared == Occupancy::unpacker0 && unpacker_of(word) == 1) return bit(Occupancy::unpacker1);
  if (declared == Occupancy::packer0 && arch == Arch::wormhole) {
    const unsigned selected = word >> 8U & 15U;
    return (selected == 0 ? 1U : selected)
           << static_cast<unsigned>(Occupancy::packer0);  // no bit: packer 0 (errata 43)
  }
  return bit(declared);
}

std::span<const OperationRow> units::unpacker_operations() {
  return rows;
}

}  // namespace tensim::tensix
