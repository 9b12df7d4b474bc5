// What is asked of a core's engine, over whichever bus the core is wired to.
#pragma once

#include "riscv/engine.hpp"
#include "tile/core_bus.hpp"

namespace tensim::tile {

struct CoreTurn {
  time::Key first;  // the core's own key
  time::Key limit;  // of whoever comes next
  Cycle horizon;
};

template <class Bus>
[[gnu::always_inline]] inline void run_engine(Bus bus, riscv::Core& core, const CoreTurn& turn) {
  riscv::Engine<Bus> engine(core, bus, turn.limit, turn.horizon);
  if (time::phase_of(turn.first) == time::Phase::store)
    engine.drain(time::cycle_of(turn.first));
  else if (time::cycle_of(turn.first) == core.retry)
    engine.retry_loads(core.retry);
  else
    engine.run();
}

/// As riscv::Engine::refill_queue().
template <class Bus>
[[gnu::always_inline]] inline bool refill_engine(Bus bus, riscv::Core& core, Cycle horizon) {
  return riscv::Engine<Bus>(core, bus, 0, horizon).refill_queue();
}

}  // namespace tensim::tile
