// The baby RISC-V cores: how long their programs take.
#include <array>

#include "tests/rows/probes.hpp"
#include "tests/support/timed_core.hpp"

namespace tensim::test {
namespace {

using namespace rv;

double cycles(Arch arch, const Code& before, const Code& code) {
  return static_cast<double>(cycles_of(arch, tile::CoreId::trisc1, before, code));
}

/// Of one more of `code`, after `some`.
double interval(Arch arch, const Code& before, const Code& code, unsigned some, unsigned more) {
  return (cycles(arch, before, times(more, code)) - cycles(arch, before, times(some, code))) / (more - some);
}

/// Of one of the branches in a loop over many of them, once they have been seen.
double taken_branch(Arch arch) {
  const auto round = [&](unsigned branches) {
    const Code body = times(branches, {beq(zero, zero, 4)});
    const auto rounds = [&](int count) {
      const int back = -4 * static_cast<int>(branches + 1);
      return cycles(arch, {addi(t0, zero, count)}, body + Code{addi(t0, t0, -1), bne(t0, zero, back)});
    };
    return rounds(6) - rounds(5);
  };
  return (round(96) - round(64)) / 32;
}

double loop_overhead(Arch arch) {
  const auto loop = [&](int rounds) {
    return cycles(arch, {addi(t0, zero, rounds)}, {addi(t0, t0, -1), bne(t0, zero, -4)});
  };
  return loop(10) - loop(9);
}

double loads_from_l1(Arch arch) {
  Code loads;
  for (int i = 0; i < 16; ++i)
    loads.push_back(lw(a0 + static_cast<Word>(i) % 8, s0, 16 * i));
  const auto first = [&](int count) { return cycles(arch, li(s0, 0x20000), {loads.begin(), loads.begin() + count}); };
  return (first(16) - first(12)) / 4;
}

/// Word stores to L1, this many bytes apart.
double stores_to_l1(Arch arch, int distance, int some, int more) {
  const auto first = [&](int count) {
    Code stores;
    for (int i = 0; i < count; ++i)
      stores.push_back(sw(t0, s0, distance * i));
    return cycles(arch, li(s0, 0x20000), stores);
  };
  return (first(more) - first(some)) / (more - some);
}

/// StMergeTimer, bits 17:13 of cfg0, as a program finds it.
double merge_timer(Arch arch) {
  constexpr Word cfg0 = 0x7c0;
  TimedCore core(arch, tile::CoreId::trisc1);
  core.run({csrrs(t0, cfg0, zero)});
  return core.core().x[t0] >> 13U & 0x1FU;
}

constexpr std::array probes{
    Probe{"alu_interval", [](Arch arch) { return interval(arch, {}, {addi(t0, t0, 1)}, 4, 12); }},
    Probe{"branch_not_taken", [](Arch arch) { return cycles(arch, {}, {bne(zero, zero, 8)}); }},
    Probe{"branch_taken_forward", taken_branch},
    Probe{"counted_loop_overhead", loop_overhead},
    Probe{"store_local_interval",
          [](Arch arch) { return interval(arch, li(s0, 0xFFB00000), {sw(t0, s0, 0)}, 20, 40); }},
    Probe{"load_l1_interval", loads_from_l1},
    Probe{"store_l1_interval", [](Arch arch) { return stores_to_l1(arch, 32, 8, 13); }},
    Probe{"store_l1_merged_interval", [](Arch arch) { return stores_to_l1(arch, 4, 32, 64); }},
    Probe{"store_other_interval",
          [](Arch arch) { return interval(arch, li(s0, 0xFFE00000), {sw(t0, s0, 0)}, 20, 40); }},
    Probe{"store_merge_wait", merge_timer},
    Probe{"load_fast_interval", [](Arch arch) { return interval(arch, li(s0, 0xFFB00000), {lw(t0, s0, 0)}, 8, 16); }},
    Probe{"fence_cost", [](Arch arch) { return cycles(arch, {}, {fence}); }},
};

}  // namespace

std::span<const Probe> core_probes() {
  return probes;
}

}  // namespace tensim::test
