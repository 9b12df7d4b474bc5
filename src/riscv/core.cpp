#include "riscv/core.hpp"

#include "riscv/core_timing.hpp"

namespace tensim::riscv {

void Core::release(std::uint32_t start, Cycle cycle, const CoreTiming& timing, bool keeps_local_ram) {
  Core fresh(arch, number, {icache.size_bytes(), local_bytes, predictor.entry_count()});
  fresh.account = account;
  fresh.retired = retired;
  fresh.clock = std::min(clock, cycle);
  fresh.stall(CoreStall::in_reset, cycle);
  fresh.waiting = CoreStall::in_reset;
  fresh.spanned = std::min(spanned, cycle);  // what it had said to wait for longer is over
  if (keeps_local_ram)
    fresh.local_ram = local_ram;
  else
    fresh.local_ready = cycle + Cycle{timing.clear_word} * (local_bytes / 4);
  fresh.pc = start;
  fresh.status = Status::running;
  *this = fresh;
}

void Core::wake(Cycle changed) {
  if (status != Status::asleep) return;
  pass(changed + 1 > spin.since ? (changed + 1 - spin.since) / spin.lap.cycles : 0, spin.lap);
  spin.is_replaying = true;
  spin.replay_until = changed;
  spin.replay_next = 0;
  status = Status::running;
}

void Core::pass(Cycle rounds, const Lap& lap) {
  const Cycle skipped = rounds * lap.cycles;
  for (std::size_t i = 0; i < core_stall_count; ++i)
    account.cycles[i] += rounds * lap.account.cycles[i];
  clock += skipped;
  retired += rounds * lap.retired;
  for (Cycle& at : ready)
    at += skipped;
  loads.shift(skipped, rounds * lap.account[CoreStall::none]);
  loads_back += skipped;
  load_slots.shift(skipped);
}

LoopState Core::loop_state() const {
  const auto left = [&](Cycle at) { return at > clock ? at - clock : Cycle{0}; };
  LoopState state{.x = x, .f = f, .slots = load_slots.relative_to(clock), .l0 = l0};
  for (unsigned i = 0; i < 32; ++i) {
    if ((pending_x >> i & 1U) != 0) state.ready[i] = left(ready[i]);
    if ((pending_f >> i & 1U) != 0) state.ready[32 + i] = left(ready[32 + i]);
  }
  for (unsigned i = 0; i < loads.size(); ++i) {
    state.loads[i] = entered() - loads[i].number;
    state.load_ready[i] = left(loads[i].ready);
  }
  state.loads_back = left(loads_back);
  state.fills = fills;
  state.unused = unused;
  return state;
}

}  // namespace tensim::riscv
