#include "tensix/units/sync/unit.hpp"

#include <bit>

#include "arch/mutexes.hpp"
#include "isa/table.hpp"
#include "tensix/coprocessor.hpp"
#include "tensix/footprint.hpp"
#include "tensix/units/sync/semaphore_operations.hpp"

namespace tensim::tensix {

using namespace isa::literals;
using event::Stall;

void SyncUnit::set_semaphore(unsigned index, const Semaphore& semaphore) {
  semaphores_[index] = semaphore;
  states_ &= static_cast<SemaphoreStates>(~unsigned{at_zero(index)} & ~unsigned{at_maximum(index)});
  if (semaphore.value == 0) states_ |= at_zero(index);
  if (semaphore.value >= semaphore.max) states_ |= at_maximum(index);
}

void SyncUnit::init(std::uint8_t mask, std::uint8_t value, std::uint8_t max) {
  for (unsigned left = mask; left != 0; left &= left - 1)
    set_semaphore(static_cast<unsigned>(std::countr_zero(left)), {value, max});
}

void SyncUnit::release(unsigned mutex, unsigned thread) {
  if (mutex_owner[mutex] != thread) return;  // a foreign release changes nothing (M16)
  mutex_owner[mutex] = nobody;
  last_releaser[mutex] = static_cast<std::uint8_t>(thread);
}

namespace {

unsigned mutex_of(Word word) {
  return sync_words::mutex.get(word);
}

Held check_acquire(const Coprocessor& coprocessor, const Candidate& candidate) {
  const unsigned mutex = mutex_of(candidate.entry.word);
  if (!is_valid_mutex(coprocessor.arch, mutex)) return {Stall::mutex_invalid};
  const std::uint8_t owner = coprocessor.sync.mutex_owner[mutex];
  if (owner != SyncUnit::nobody && owner != candidate.thread) return {Stall::mutex_held};
  return passes;
}

Held check_release(const Coprocessor& coprocessor, const Candidate& candidate) {
  if (!is_valid_mutex(coprocessor.arch, mutex_of(candidate.entry.word))) return {Stall::mutex_invalid};
  return passes;
}

void warn_of_unused_bits(Coprocessor& coprocessor, const Candidate& candidate) {
  if ((candidate.entry.word & sync_words::mutex_unused_bits) != 0)
    coprocessor.report(Report::Category::unused_bits, candidate);
}

void atgetm(Coprocessor& coprocessor, const Candidate& candidate) {
  warn_of_unused_bits(coprocessor, candidate);
  coprocessor.sync.acquire(mutex_of(candidate.entry.word), candidate.thread);
}
void atrelm(Coprocessor& coprocessor, const Candidate& candidate) {
  warn_of_unused_bits(coprocessor, candidate);
  const bool foreign = coprocessor.sync.mutex_owner[mutex_of(candidate.entry.word)] != candidate.thread;
  if (foreign) coprocessor.report(Report::Category::foreign_release, candidate);  // errata 22
  coprocessor.sync.release(mutex_of(candidate.entry.word), candidate.thread);
}
void seminit(Coprocessor& coprocessor, const Candidate& candidate) {
  const Word word = candidate.entry.word;
  coprocessor.sync.init(units::semaphore_mask_of(word), static_cast<std::uint8_t>(sync_words::init_value.get(word)),
                        static_cast<std::uint8_t>(sync_words::init_max.get(word)));
  coprocessor.written.semaphores |= units::semaphore_mask_of(word);
  coprocessor.semaphores_changed();
}

/// The Sync Unit only hands the wait over to the thread's gate (U6).
void latch_wait(Coprocessor& coprocessor, const Candidate& candidate) {
  coprocessor.gates.latch(candidate.thread, latched_wait(coprocessor.arch, candidate.entry));
}

void streamwait(Coprocessor& coprocessor, const Candidate& candidate) {
  LatchedWait latch = latched_wait(coprocessor.arch, candidate.entry);
  const bool counts_phases = latch.condition_mask == 1;
  const ConfigField& target_high =
      counts_phases ? "STREAMWAIT_PHASE_HI_Val"_thread_config : "STREAMWAIT_NUM_MSGS_HI_Val"_thread_config;
  latch.target |= thread_field(coprocessor.config, coprocessor.arch, candidate.thread, target_high)
                  << sync_words::stream_target_low.width();
  latch.stream = static_cast<std::uint8_t>(thread_field(coprocessor.config, coprocessor.arch, candidate.thread,
                                                        "STREAM_ID_SYNC_SECn_BankSel"_thread_sections,
                                                        sync_words::stream_select.get(candidate.entry.word)));
  coprocessor.gates.latch(candidate.thread, latch);
}

Releases releases_of(Arch, Word word) {
  const std::uint8_t semaphores = sync_words::semaphore_mask_of(word);
  switch (isa::opcode_of(word)) {
    case "ATRELM"_op: return {.mutex = static_cast<std::uint16_t>(sync_words::mutex.get(word))};
    case "SEMPOST"_op: return {.raises = semaphores};
    case "SEMGET"_op: return {.lowers = semaphores};
    default: break;
  }
  const unsigned value = sync_words::init_value.get(word);  // SEMINIT
  const unsigned max = sync_words::init_max.get(word);
  return {.raises = value != 0 ? semaphores : std::uint8_t{0},
          .makes_room = value < max ? semaphores : std::uint8_t{0}};
}

constexpr OperationRow row(std::uint8_t opcode, Port port, Operation::Execute execute, ReleasesOf releases = nullptr,
                           Operation::Check check = nullptr) {
  return {.opcode = opcode,
          .port = port,
          .occupancy = Occupancy::sync,
          .execute = execute,
          .check = check,
          .turn = Turn::change,
          .footprint = units::sync_footprint,
          .releases = releases};
}

constexpr std::array rows{
    row("ATGETM"_op, Port::mutexes, atgetm, nullptr, check_acquire),
    row("ATRELM"_op, Port::mutexes, atrelm, releases_of, check_release),
    row("STALLWAIT"_op, Port::semaphores, latch_wait),
    row("STREAMWAIT"_op, Port::semaphores, streamwait),
    row("SEMINIT"_op, Port::semaphores, seminit, releases_of),
    row("SEMPOST"_op, Port::semaphores, units::Sempost::execute, releases_of),
    row("SEMGET"_op, Port::semaphores, units::Semget::execute, releases_of),
    row("SEMWAIT"_op, Port::semaphores, units::Semwait::execute),
};
static_assert(units::SemaphoreOperations::are_those_of(rows), "the cycle does what the rows say");

}  // namespace

void units::report_change(Coprocessor& coprocessor, const Candidate& candidate, std::uint8_t lost) {
  coprocessor.reads_semaphores(candidate, semaphore_mask_of(candidate.entry.word));
  for (unsigned left = lost; left != 0; left &= left - 1)  // lessons 20
    coprocessor.report(Report::Category::semaphore_limit, candidate, Place::semaphore, 0,
                       static_cast<unsigned>(std::countr_zero(left)));
}

void units::unusual_semwait(Coprocessor& coprocessor, const Candidate& candidate) {
  if (sync_words::semaphore_condition.get(candidate.entry.word) == 0)
    coprocessor.report(Report::Category::semwait_no_condition, candidate);  // errata 30
  else
    coprocessor.reads_semaphores(candidate, semaphore_mask_of(candidate.entry.word));
  latch_wait(coprocessor, candidate);
}

std::span<const OperationRow> units::sync_operations() {
  return rows;
}

}  // namespace tensim::tensix
