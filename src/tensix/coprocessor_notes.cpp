// What others hear of what happens in the coprocessor, and how they can disturb it.
#include "tensix/coprocessor.hpp"
#include "tensix/footprint.hpp"

namespace tensim::tensix {

using event::Stall;

// ---- what others hear of ----

void Coprocessor::note_hold(unsigned thread, Cycle cycles) const {
  if (!journal->wants_any(event::wants_gates | event::wants_time)) return;
  const Frontend& frontend = frontends[thread];
  const Entry entry = frontend.has_candidate() ? frontend.candidate() : Entry{};
  journal->add_hold(key_of_now(), event::Held{.thread = static_cast<std::uint8_t>(thread),
                                              .pusher = entry.is_from_brisc(),
                                              .push = entry.push_number(),
                                              .stall = gates.held[thread].stall,
                                              .word = entry.word,
                                              .origin = entry.origin(),
                                              .count = cycles});
}

event::Issued Coprocessor::issue_of(unsigned thread) const {
  const Entry& entry = frontends[thread].candidate();
  return {.thread = static_cast<std::uint8_t>(thread),
          .pusher = entry.is_from_brisc(),
          .push = entry.push_number(),
          .word = entry.word,
          .origin = entry.origin()};
}

void Coprocessor::note_issue(unsigned thread) const {
  const Entry& entry = frontends[thread].candidate();
  if (const auto footprint = operation(entry.word).footprint;
      footprint != nullptr && journal->wants(event::wants_order)) {
    Footprint accesses(journal->accesses());
    footprint(*this, {entry, thread}, accesses);
  }
  journal->add_with_accesses(key_of_now(), issue_of(thread));
}

void Coprocessor::note_config(const ConfigStore& write, Cycle cycle) const {
  journal->add(time::key(cycle, time::Phase::step, time::coprocessor_agent),
               event::ConfigWritten{write.banks, write.count, write.first, write.value});
}

/// In the cycle at whose end it lands: `now` is the next one already.
void Coprocessor::note_completion(const Record& record) const {
  const time::Key when = time::key(record.last, time::Phase::step, time::coprocessor_agent);
  const event::Left left{static_cast<std::uint8_t>(record.where), record.thread, record.accepted};
  if (!causes_are_noted()) return journal->add(when, left);
  if (record.effect == Effect::src_return)
    journal->add(when,
                 event::BanksReturned{record.thread, static_cast<std::uint8_t>(record.destination), record.accepted});
  if (record.effect == Effect::unpack_done) units::note_bank_filled(*this, record);
  journal->add(when, left);
}

void Coprocessor::note_gates(unsigned issuing) const {
  for (unsigned thread = 0; thread < thread_count; ++thread)
    if ((issuing >> thread & 1U) != 0)
      note_issue(thread);
    else
      note_hold(thread, 1);
}

void Coprocessor::note_last_issues(unsigned issuing) const {
  for (unsigned thread = 0; thread < thread_count; ++thread)
    if ((issuing >> thread & 1U) != 0) journal->set_last_issue(key_of_now(), issue_of(thread));
}

// ---- shaking ----

/// Each thread's n-th instruction has its own delay, however the run is cut.
[[gnu::noinline]] void Coprocessor::shake(unsigned issuing) {
  for (unsigned thread = 0; thread < thread_count; ++thread) {
    Held& closed = gates.closed[thread];
    const bool is_shaken = ((issuing & ~(shake_seed >> not_shaken_shift)) >> thread & 1U) != 0;
    if (!is_shaken || closed.until == never) continue;
    std::uint64_t mixed = accounts[thread][Stall::issued] * thread_count + thread + (std::uint64_t{shake_seed} << 40U);
    mixed = (mixed ^ mixed >> 30U) * 0xBF58476D1CE4E5B9U;
    mixed = (mixed ^ mixed >> 27U) * 0x94D049BB133111EBU;
    const Cycle until = now + 1 + (mixed >> 33U) % (longest_shake + 1);
    if (until > closed.until) closed = {Stall::gate_closed, until};
  }
}

}  // namespace tensim::tensix
