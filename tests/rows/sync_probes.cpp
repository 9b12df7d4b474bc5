// Sync Unit and Miscellaneous Unit.
#include <algorithm>
#include <array>

#include "tests/rows/distances.hpp"
#include "tests/rows/probes.hpp"
#include "tests/support/timed_core.hpp"

namespace tensim::test {
namespace {

constexpr std::uint32_t semaphore_1 = 0xFFE80024;

/// Of the same program on all threads: the cycles between neighbours, whoever issues them.
double shared_interval(Arch arch, const std::string& program) {
  const Ran ran = simulate(arch, {program, program, program});
  Cycles all;
  for (unsigned thread = 0; thread < tensix::thread_count; ++thread)
    for (const Cycle cycle : ran.cycles(thread))
      all.push_back(cycle);
  std::ranges::sort(all);
  return last_distance(all);
}

/// Cycles of one thread's when all three run the program.
double interval_beside_others(Arch arch, const std::string& instruction) {
  const std::string program = repeat(4, instruction);
  return last_distance(simulate(arch, {program, program, program}).cycles(1));
}

double seen_by_core(Arch arch) {
  return seen_in(one_thread(arch, 0, "ttsempost 2"), T1, semaphore_1, 1) - 3;
}

/// A store of cycle 5 is with the unit in 6.
double written_by_core(Arch arch) {
  Scenario scenario = three_threads(arch, {"", "", ""});
  scenario.actions = {store(5, T0, semaphore_1, 0)};
  return seen_in(scenario, T1, semaphore_1, 1) - 6;
}

double loads_of_core(Arch arch) {
  const auto loads = [&](unsigned count) {
    return static_cast<double>(
        cycles_of(arch, tile::CoreId::trisc1, li(rv::s0, semaphore_1), times(count, {rv::lw(rv::t0, rv::s0, 0)})));
  };
  return (loads(24) - loads(12)) / 12;
}

double release_to_acquire(Arch arch) {
  const Ran ran = simulate(arch, {"ttatgetm 2\n" + repeat(8, "NOP") + "ttatrelm 2", "NOP\nttatgetm 2", ""});
  return static_cast<double>(ran.cycle_of(1, "ATGETM") - ran.cycle_of(0, "ATRELM"));
}

/// T0 has latched its SEMWAIT; T1 posts in 13.
double post_to_follower(Arch arch) {
  const Ran ran = simulate(arch, {"ttsemwait 256,2,1\nSFPNOP", repeat(10, "NOP") + "ttsempost 2", ""});
  return static_cast<double>(ran.cycle_of(0, "SFPNOP") - ran.cycle_of(1, "SEMPOST"));
}

/// From the cycle that changes the value to the first at whose start the latched wait has nothing to wait for.
double post_to_wait(Arch arch) {
  tensix::Coprocessor coprocessor(arch);
  coprocessor.sync.set_semaphore(1, {0, 15});
  coprocessor.push(0, assemble(arch, "ttsemwait 256,2,1"), 0);
  for (unsigned i = 0; i < 8; ++i)
    coprocessor.push(1, assemble(arch, i < 7 ? "NOP" : "ttsempost 2"), 0);
  Cycle posted = 0;
  for (unsigned i = 0; i < 40; ++i) {
    coprocessor.step();
    if (posted == 0 && coprocessor.sync.semaphores()[1].value == 1) posted = coprocessor.now - 1;
    if (posted != 0 && !coprocessor.keeps_waiting(0)) return static_cast<double>(coprocessor.now - posted);
  }
  return -1;
}

constexpr std::array probes{
    Probe{"sem_op_latency", seen_by_core},
    Probe{"wait_op_latency", [](Arch arch) { return distance(arch, "STALLWAIT block=STALL_SFPU, cond=THCON", "NOP"); }},
    Probe{"sem_group_interval", [](Arch arch) { return shared_interval(arch, repeat(3, "ttsempost 2")); }},
    Probe{"riscv_sem_write_latency", written_by_core},
    Probe{"riscv_sem_read_interval", loads_of_core},
    Probe{"mutex_op_latency", [](Arch arch) { return distance(arch, "ttatgetm 2", "NOP"); }},
    Probe{"mutex_op_interval", [](Arch arch) { return distance(arch, "ttatgetm 2", "ttatrelm 2"); }},
    Probe{"mutex_contention_extra_min", [](Arch arch) { return release_to_acquire(arch) - 1; }},
    Probe{"mutex_release_to_acquire", release_to_acquire},
    Probe{"sempost_to_semwait", post_to_wait},
    Probe{"sempost_to_follower", post_to_follower},
    Probe{"sem_change_to_riscv", seen_by_core},
    Probe{"nop_latency", [](Arch arch) { return distance(arch, "NOP", "NOP"); }},
    Probe{"nop_interval", [](Arch arch) { return interval_beside_others(arch, "NOP"); }},
    Probe{"misc_op_latency", [](Arch arch) { return distance(arch, "SETADCXX", "SETADCXX"); }},
    Probe{"misc_op_interval", [](Arch arch) { return interval_beside_others(arch, "SETADCXX"); }},
};

}  // namespace

std::span<const Probe> sync_probes() {
  return probes;
}

}  // namespace tensim::test
