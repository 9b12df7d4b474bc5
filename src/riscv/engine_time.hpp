// Part of engine.hpp: where the cycles of a core go, instruction by instruction (event::CoreSpan). Of one that is not observed
// nothing of this is left in the code.
#pragma once

#include "event/happening.hpp"
#include "riscv/engine.hpp"

namespace tensim::riscv {

template <class Bus>
[[gnu::always_inline]] inline bool Engine<Bus>::notes_order() const {
  if constexpr (Bus::is_observed)
    return bus_.notes_orders();
  else
    return false;
}

template <class Bus>
[[gnu::always_inline]] inline bool Engine<Bus>::notes_time() const {
  if constexpr (Bus::is_observed)
    return bus_.notes_time();
  else
    return false;
}

/// Behind all that has been noted of the core.
template <class Bus>
void Engine<Bus>::add_span(event::CoreSpan::Kind kind, CoreStall stall, std::uint32_t pc, std::uint64_t count) {
  const event::CoreSpan span{
      .from = core_.spanned, .count = count, .pc = pc, .core = name(), .kind = kind, .stall = stall};
  bus_.note(span);
  if (core_.spin.is_looking) core_.spin.add(span);
  core_.spanned += count;
}

/// What it has waited for since it was run last, in front of its next instruction.
template <class Bus>
[[gnu::always_inline]] inline void Engine<Bus>::note_wait() {
  if (notes_time() && core_.clock > core_.spanned)
    add_span(event::CoreSpan::Kind::held, core_.waiting, core_.pc, core_.clock - core_.spanned);
}

/// What has become of an instruction that is not executed straight on: either it waits, or it enters, and others wait behind it.
template <class Bus>
void Engine<Bus>::note_step() {
  if (!notes_time() || core_.clock == core_.spanned) return;
  if (core_.account[CoreStall::none] != step_account_[CoreStall::none])
    add_span(event::CoreSpan::Kind::executed, CoreStall::none, step_pc_, 1);
  for (std::size_t i = 1; core_.clock != core_.spanned && i < core_stall_count; ++i)
    if (const std::uint64_t added = core_.account.cycles[i] - step_account_.cycles[i]; added != 0)
      add_span(event::CoreSpan::Kind::held, static_cast<CoreStall>(i), step_pc_, added);
}

template <class Bus>
[[gnu::always_inline]] inline bool Engine<Bus>::take_step() {
  if (!notes_time()) return step();
  step_pc_ = core_.pc;
  step_account_ = core_.account;
  const bool goes_on = step();
  note_step();
  return goes_on;
}

/// Instructions that have been executed straight on since the last ones that were noted; the next in place is at `end`.
template <class Bus>
[[gnu::always_inline]] inline void Engine<Bus>::note_straight(const Stretch& stretch, std::uint32_t end) {
  if (!notes_time()) return;
  const std::uint64_t count = stretch.now - core_.spanned;
  if (count != 0)
    add_span(event::CoreSpan::Kind::executed, CoreStall::none, end - static_cast<std::uint32_t>(4 * count), count);
}

}  // namespace tensim::riscv
