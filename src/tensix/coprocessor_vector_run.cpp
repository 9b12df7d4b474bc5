// Runs of vector instructions.
//
// A kernel's arithmetic is one thread's instructions for the Vector Unit, behind each other, while the others have no
// words or wait for semaphores. Nothing but that thread's frontend, its gate and the Vector Unit has to be looked at then:
// no vector instruction changes what the others see, nor makes another unit do anything. Whatever else happens comes
// from outside, and shows in the masks, or ends the run itself.
#include "tensix/coprocessor.hpp"

namespace tensim::tensix {

using event::Stall;

/// Nothing that this thread has could be concerned by a vector instruction.
bool Coprocessor::does_nothing(unsigned thread) const {
  if (gates.held[thread].stall == Stall::empty) return !frontends[thread].has_candidate();
  return gates.held[thread].stall == Stall::latched_wait && gates.latches[thread].kind == LatchedWait::Kind::semaphore;
}

/// Whether the next cycles may be such a run; `thread` has just executed a vector instruction.
[[gnu::noinline]] void Coprocessor::look_for_vector_run(unsigned thread) {
  const unsigned bit = 1U << thread;
  const bool others_do_something =
      ((gates.latched & (gates.recheck | bit)) | gates.stall_latched | watched_) != 0 || has_requests_ ||
      (moving_frontends_ & ~bit) != 0 || matrix.port_owner != MatrixUnit::nobody || scalar.is_active ||
      unpackers.is_active() || vector.schedule.any() || fault || gates.closed[thread].until > now || shake_seed != 0;
  if (others_do_something) return;
  for (unsigned other = 0; other < thread_count; ++other)
    if (other != thread && !does_nothing(other)) return;
  vector_run_ = {static_cast<std::uint8_t>(bit), static_cast<std::uint8_t>(thread)};
  gates.look = bit;
}

/// A cycle of such a run, or, if it is none, any other.
[[gnu::noinline]] void Coprocessor::step_in_vector_run() {
  const unsigned bit = vector_run_.bit;
  const Frontend& frontend = frontends[vector_run_.thread];
  if ((gates.look | moving_frontends_) != bit || has_requests_ || journal != nullptr || !frontend.has_candidate())
      [[unlikely]]
    return step_after_vector_run();
  activity.is(time::Doing::vector);
  if (vector.may_hold(now))
    step_vector<true>(frontend.candidate());
  else
    step_vector<false>(frontend.candidate());
}

template <bool may_be_held>
[[gnu::always_inline]] inline void Coprocessor::step_vector(const Entry& entry) {
  const Operation& wanted = operation(entry.word);
  if (wanted.port != Port::vector) [[unlikely]]
    return step_after_vector_run();
  {
    const Candidate candidate{entry, vector_run_.thread};
    if constexpr (may_be_held)
      if (wanted.check != nullptr && !wanted.check(*this, candidate).passes()) return step_after_vector_run();
    for (unsigned each = 0; each < thread_count; ++each)
      ++accounts[each][gates.held[each].stall];
    wanted.execute(*this, candidate);
  }
  end_cycle_of_vector_run();
}

/// What the thread's frontend does after its instruction, and what leaves the units. The instruction may have ended the
/// run, but the thread is still known.
[[gnu::noinline]] void Coprocessor::end_cycle_of_vector_run() {
  const unsigned thread = vector_run_.thread;
  Frontend& frontend = frontends[thread];
  frontend.pop_candidate();
  changed_ = true;
  if (!frontend.is_simple()) [[unlikely]]
    return expand_in_vector_run();
  moving_frontends_ = unsigned{frontend.move_words().may_move_again} << thread;
  ++now;
  if (in_flight.next_completion() < now) retire_in_vector_run();
}

[[gnu::noinline]] void Coprocessor::expand_in_vector_run() {
  moving_frontends_ = unsigned{expand(vector_run_.thread)} << vector_run_.thread;
  ++now;
  if (in_flight.next_completion() < now) retire_in_vector_run();
}

/// Only what has an effect concerns the others.
[[gnu::noinline]] void Coprocessor::retire_in_vector_run() {
  if (!in_flight.retire_without_effects(now)) retire();
}

[[gnu::noinline]] void Coprocessor::step_after_vector_run() {
  leave_vector_run();
  step_any();
}

}  // namespace tensim::tensix
