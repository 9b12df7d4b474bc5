#include "riscv/core.hpp"

#include "riscv/core_timing.hpp"

namespace tensim::riscv {

void Core::release(std::uint32_t start, Cycle cycle, const CoreTiming& timing, bool keeps_local_ram) {
  Core fresh(arch, number, {icache.size_bytes(), local_bytes, predictor.entry_count()});
  fresh.account = account;
  fresh.retired = retired;
  fresh.clock = std::min(clock, cycle);
  fresh.stall(CoreStall::in_reset, cycle);
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
  const Cycle rounds = changed + 1 > spin.since ? (changed + 1 - spin.since) / spin.period : 0;
  const Cycle skipped = rounds * spin.period;
  for (std::size_t i = 0; i < core_stall_count; ++i)
    account.cycles[i] += rounds * spin.account_per_round.cycles[i];
  clock += skipped;
  retired += rounds * spin.retired_per_round;
  for (Cycle& at : ready)
    at += skipped;
  loads.shift(skipped, rounds * spin.account_per_round[CoreStall::none]);
  loads_back += skipped;
  load_slots.shift(skipped);
  spin.is_replaying = true;
  spin.replay_until = changed;
  spin.replay_next = 0;
  status = Status::running;
}

}  // namespace tensim::riscv
