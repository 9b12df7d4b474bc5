// The three Wait Gates as a cycle asks them: what each has latched, why each holds its thread, and which of them need not
// be asked again because nothing that they look at has changed (docs/decisions/0005). docs/architecture/cycle.md has the
// rules by number.
#pragma once

#include <algorithm>
#include <array>

#include "tensix/frontend/frontend.hpp"
#include "tensix/frontend/wait_gate.hpp"
#include "tensix/operation.hpp"
#include "tensix/types.hpp"

namespace tensim::tensix {

struct WaitGates {
  static constexpr unsigned all_threads = (1U << thread_count) - 1;

  // ---- state of the machine ----

  std::array<LatchedWait, thread_count> latches{};
  std::array<Held, thread_count> held = all_empty();  // why each thread did not issue in the last cycle
  /// Closed by the thread's own unfinished instruction, until `until`.
  std::array<Held, thread_count> closed = all_open();

  // ---- what the last cycles found out, as masks over the threads ----

  unsigned look = all_threads;     // the gate may answer differently than last time
  unsigned passing = 0;            // the candidate passes the gate, and wants its port of `ports`
  unsigned wants_semaphores = 0;   // of those passing
  unsigned latched = 0;            // a wait is latched
  unsigned stall_latched = 0;      // a wait other than a SEMWAIT is latched
  unsigned recheck = all_threads;  // the conditions of a latched wait may have changed
  std::array<Port, thread_count> ports{};
  Cycle wake = never;  // the first cycle in which a reason to hold a thread may pass by itself

  void hold(unsigned thread, const Held& reason) {
    held[thread] = reason;
    wake = std::min(wake, reason.until);
  }

  /// A wait instruction writes the latch; that takes effect from the next cycle on (W38).
  void latch(unsigned thread, const LatchedWait& wait) {
    const unsigned bit = 1U << thread;
    latches[thread] = wait;
    latched |= bit;
    recheck |= bit;
    stall_latched = wait.kind == LatchedWait::Kind::semaphore ? stall_latched & ~bit : stall_latched | bit;
  }

  /// None of the conditions of the thread's latched wait holds any more.
  void drop_latch(unsigned thread) {
    const unsigned bit = 1U << thread;
    latches[thread].kind = LatchedWait::Kind::none;
    latched &= ~bit;
    stall_latched &= ~bit;
    look |= bit;
  }

  /// The thread is taken out of those that pass, and its gate is not asked.
  void withdraw(unsigned threads) {
    passing &= ~threads;
    wants_semaphores &= ~threads;
  }

  /// Some thread's reason to be held may have passed by itself: those gates are asked again.
  void wake_sleepers(Cycle now) {
    wake = never;
    for (unsigned thread = 0; thread < thread_count; ++thread) {
      if (held[thread].until <= now)
        look |= 1U << thread;
      else
        wake = std::min(wake, held[thread].until);
    }
  }

  /// Asks one gate: the candidate passes if it gets its port, or `held` says why not.
  [[gnu::always_inline]] void look_at(unsigned thread, const Coprocessor& coprocessor, const Frontend& frontend,
                                      const OperationTable& operations, Cycle now) {
    held[thread].until = never;
    if (!frontend.has_candidate()) {
      held[thread].stall = event::Stall::empty;
      return;
    }
    const Entry& entry = frontend.candidate();
    const Operation& wanted = operations[isa::opcode_of(entry.word)];
    if ((latched >> thread & 1U) != 0 && wanted.held_by(latches[thread].block_mask)) {  // rule 1
      held[thread].stall = event::Stall::latched_wait;
      return;
    }
    if (closed[thread].until > now) return hold(thread, closed[thread]);  // rule 2
    if (wanted.check != nullptr) {                                        // rule 3
      const Held reason = wanted.check(coprocessor, {entry, thread});
      if (!reason.passes()) return hold(thread, reason);
    }
    held[thread].stall = event::Stall::semaphore_group;  // unless arbitration says otherwise
    passing |= 1U << thread;
    ports[thread] = wanted.port;
    if (wanted.port == Port::semaphores) wants_semaphores |= 1U << thread;
  }

 private:
  static constexpr std::array<Held, thread_count> all_empty() {
    std::array<Held, thread_count> empty{};
    empty.fill({event::Stall::empty});
    return empty;
  }
  static constexpr std::array<Held, thread_count> all_open() {
    std::array<Held, thread_count> open{};
    for (Held& gate : open)
      gate.until = 0;
    return open;
  }
};

}  // namespace tensim::tensix
