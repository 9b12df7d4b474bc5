// Part of engine.hpp: finding loops in which nothing changes (spin.hpp).
#pragma once

#include "riscv/engine.hpp"

namespace tensim::riscv {

/// True while loads of a core that has just been woken are answered from the record of its loop. The first look after the
/// moment of change ends the replay, and the search for loops starts over.
template <class Bus>
bool Engine<Bus>::continue_replay(Cycle now) {
  SpinWatch& spin = core_.spin;
  if (!spin.is_replaying) return false;
  if (now <= spin.replay_until) return true;
  spin.is_replaying = false;
  spin.start_over();
  return false;
}

template <class Bus>
void Engine<Bus>::take_snapshot(std::uint32_t head) {
  SpinWatch& spin = core_.spin;
  spin.head = head;
  spin.state = core_.loop_state();
  core_.predictor.remember();
  spin.at = core_.clock;
  spin.retired_at = core_.retired;
  spin.account_at = core_.account;
  spin.record.clear();
  spin.spans.clear();
  spin.is_dirty = false;
}

/// The core cannot be put to sleep while a store of its own is under way: it lets others go on until that has landed, and
/// is looked at again at its next jump.
template <class Bus>
void Engine<Bus>::look_again_after_store() {
  core_.spin.countdown = 1;
  yields_ = true;
}

/// The instruction at `jump` has jumped back to `head`.
template <class Bus>
void Engine<Bus>::arrive_at(std::uint32_t head, std::uint32_t jump) {
  SpinWatch& spin = core_.spin;
  if (!bus_.may_sleep() || continue_replay(core_.clock)) return;
  pass_left(core_.clock);
  if (!spin.is_looking) {
    if (head == jump) spin.countdown = 1;  // a jump to itself: no need to wait and see
    if (--spin.countdown != 0) return;
    if (core_.stores.next_drain() != never || core_.l0.awaits_stores()) {
      if (head == jump) return look_again_after_store();  // nothing but the store is left to do
      spin.countdown = SpinWatch::first_look;             // a loop that stores does not recur
      return;
    }
    spin.is_looking = true;
    spin.countdown = 1;
    spin.arrivals = 0;
    spin.next_snapshot = 1;
    core_.loads.retire(core_.clock);
    return take_snapshot(head);
  }
  const bool can_recur = core_.stores.next_drain() == never && !core_.loads.has_unanswered();
  if (spin.is_dirty || spin.record.overflowed || !can_recur || ++spin.arrivals > SpinWatch::most_arrivals)
    return spin.give_up();
  core_.loads.retire(core_.clock);
  const bool may_recur = head == spin.head && core_.x == spin.state.x;  // mostly not, and this is cheap to see
  if (may_recur && core_.predictor.is_as_remembered() && core_.loop_state() == spin.state) return fall_asleep();
  if (spin.arrivals != spin.next_snapshot) return;
  spin.next_snapshot *= 2;
  take_snapshot(head);
}

template <class Bus>
void Engine<Bus>::fall_asleep() {
  SpinWatch& spin = core_.spin;
  if (!bus_.falls_asleep(core_)) return spin.start_over();
  spin.since = core_.clock;
  spin.lap = {core_.clock - spin.at, core_.retired - spin.retired_at, core_.account - spin.account_at};
  spin.is_looking = false;
  core_.status = Core::Status::asleep;
}

}  // namespace tensim::riscv
