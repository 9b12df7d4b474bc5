// Frontends and Wait Gate. A word is pushed per cycle from cycle 0 on and crosses three hops, so the first issues in 3.
#include <array>

#include "tests/rows/distances.hpp"
#include "tests/rows/probes.hpp"
#include "tests/support/timed_core.hpp"

namespace tensim::test {
namespace {

constexpr Word nop = 0x02000000;
constexpr Word sfpnop = 0x8F000000;

// ---- pushes of a T core ----

/// Of one more of `code`, after enough of them.
double core_interval(Arch arch, const Code& before, const Code& code, unsigned some, unsigned more) {
  const auto first = [&](unsigned count) {
    return static_cast<double>(cycles_of(arch, tile::CoreId::trisc1, before, times(count, code)));
  };
  return (first(more) - first(some)) / (more - some);
}

double push_by_store(Arch arch) {
  return core_interval(arch, li(rv::s0, 0xFFE40000) + li(rv::t0, nop), {rv::sw(rv::t0, rv::s0, 0)}, 20, 40);
}

/// Four words in a line of the cache. `before` fills whole lines.
double push_of_four(Arch arch, Word cfg0_bits) {
  constexpr Word cfg0 = 0x7c0;
  const Code before = li(rv::t1, cfg0_bits) + Code{rv::csrrs(rv::zero, cfg0, rv::t1), rv::addi(rv::zero, rv::zero, 0)};
  return core_interval(arch, before, times(4, {rv::ttinsn(nop)}), 1, 3);
}
double push_fused(Arch arch) {
  return push_of_four(arch, 0);
}
double push_unfused(Arch arch) {
  constexpr Word DisTriscCache = 1U << 18U;
  return push_of_four(arch, DisTriscCache);
}

// ---- expanders ----

/// MOPs of `words` SFPNOPs each.
Cycles with_mops(Arch arch, const std::string& program, Word words) {
  Scenario scenario = one_thread(arch, 0, program);
  scenario.mop_config = {{0, {1, words, nop, nop, nop, sfpnop, nop, sfpnop, sfpnop}}};
  return simulate(scenario).cycles(0);
}

const std::string recording = "REPLAY Load=1, Index=0, Count=3\nSFPNOP\nSFPNOP\nSFPNOP\n";

/// The recording and its words stand in front of it: four words that issue nothing.
Cycles played(Arch arch) {
  return cycles_of(arch, recording + "REPLAY Index=0, Count=3\nNOP");
}

// ---- the gate ----

double plain_interval(Arch arch) {
  return interval(arch, "NOP");
}
double first_issue(Arch arch) {
  return static_cast<double>(cycles_of(arch, "NOP").front());
}
double release_lag(Arch arch) {
  // PACR is in its packer for 16 cycles from 3 on; the wait's condition fails in 19.
  const Cycles cycles = cycles_of(arch, "PACR\nSTALLWAIT block=STALL_CFG, cond=PACK0\nSETC16 CfgIndex=40, NewValue=1");
  return static_cast<double>(cycles.back()) - (3 + 16);
}
double release_to_acquire(Arch arch) {
  const Ran ran = simulate(arch, {"ttatgetm 2\n" + repeat(8, "NOP") + "ttatrelm 2", "NOP\nttatgetm 2", ""});
  return static_cast<double>(ran.cycle_of(1, "ATGETM") - ran.cycle_of(0, "ATRELM"));
}

constexpr std::array probes{
    Probe{"push_store_interval", push_by_store},
    Probe{"push_fused4_interval", push_fused},
    Probe{"push_unfused4_interval", push_unfused},
    Probe{"frontend_hop_interval", plain_interval},
    Probe{"frontend_hop_latency", [](Arch arch) { return first_issue(arch) / 3; }},
    Probe{"mop_passthrough_interval", plain_interval},
    Probe{"mop_emit_interval", [](Arch arch) { return last_distance(with_mops(arch, "MOP.Template1", 5)); }},
    Probe{
        "mop_first_emit_delay",
        [](Arch arch) { return static_cast<double>(with_mops(arch, "MOP.Template1", 1).front()) - first_issue(arch); }},
    Probe{"mop_to_mop_penalty",
          [](Arch arch) { return last_distance(with_mops(arch, "MOP.Template1\nMOP.Template1", 1)) - 1; }},
    Probe{"replay_first_emit_delay",
          [](Arch arch) { return static_cast<double>(played(arch).front()) - first_issue(arch) - 4; }},
    Probe{"replay_playback_interval", [](Arch arch) { return static_cast<double>(played(arch)[1] - played(arch)[0]); }},
    Probe{"replay_record_interval",
          [](Arch arch) {
            return last_distance(cycles_of(arch, "REPLAY Load=1, Exec=1, Index=0, Count=3\n" + repeat(3, "SFPNOP")));
          }},
    Probe{"replay_mode_switch_penalty", [](Arch arch) { return last_distance(played(arch)) - 1; }},
    Probe{"gate_issue_interval", plain_interval},
    Probe{"wait_unblocked_follower_delay",
          [](Arch arch) { return distance(arch, "STALLWAIT block=STALL_SFPU, cond=THCON", "NOP"); }},
    Probe{"wait_blocked_follower_delay",
          [](Arch arch) { return distance(arch, "STALLWAIT block=STALL_SFPU, cond=THCON", "SFPNOP"); }},
    Probe{"wait_release_lag", release_lag},
    Probe{"shared_state_visible_delay", release_to_acquire},
};

}  // namespace

std::span<const Probe> frontend_probes() {
  return probes;
}

}  // namespace tensim::test
