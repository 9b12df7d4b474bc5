// Sizes that nobody set, but that the model has.
#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <set>

#include "arch/address_map.hpp"
#include "number/layout.hpp"
#include "tensix/units/packers/pacr_word.hpp"
#include "tests/rows/distances.hpp"
#include "tests/rows/probes.hpp"
#include "tests/support/timed_core.hpp"

namespace tensim::test {
namespace {

/// How many of the threads' instructions pass in one cycle, at most, while all of them have some.
double most_per_cycle(Arch arch, const std::array<std::string, tensix::thread_count>& instructions) {
  std::array<std::string, tensix::thread_count> programs;
  for (unsigned thread = 0; thread < tensix::thread_count; ++thread)
    programs[thread] = repeat(2, instructions[thread]);
  Scenario scenario = three_threads(arch, programs);
  scenario.src_a_valid = scenario.src_b_valid = true;
  const Ran ran = simulate(scenario);
  std::map<Cycle, unsigned> issued;
  for (unsigned thread = 0; thread < tensix::thread_count; ++thread)
    for (const Cycle cycle : ran.cycles(thread))
      ++issued[cycle];
  unsigned most = 0;
  for (const auto& [cycle, count] : issued)
    most = std::max(most, count);
  return most;
}
double most_per_cycle(Arch arch, const std::string& instruction) {
  return most_per_cycle(arch, {instruction, instruction, instruction});
}

double bubble(Arch arch) {
  const auto cycles = [&](const Code& code) {
    return static_cast<double>(cycles_of(arch, tile::CoreId::trisc1, {}, code));
  };
  return cycles({rv::beq(rv::zero, rv::zero, 4)}) - cycles({rv::bne(rv::zero, rv::zero, 8)});
}

/// One word a cycle, as far as they are taken, with nothing leaving at the gate.
double pushed_into_a_closed_gate(Arch arch) {
  constexpr Word nop = 0x02000000;
  tensix::Frontend frontend(*tensix::unit_timing(arch), 1);
  unsigned pushed = 0;
  for (unsigned cycle = 0; cycle < 200; ++cycle) {
    frontend.advance(arch);
    if (!frontend.can_push()) continue;
    frontend.push(nop, 0);
    ++pushed;
  }
  return pushed;
}

double units_of_the_backend(Arch) {
  std::set<isa::Unit> units;
  for (const isa::UnitTable& table : isa::unit_tables)
    if (table.unit != isa::Unit::frontend) units.insert(table.unit);
  return static_cast<double>(units.size());
}

double nius(Arch arch) {
  std::set<unsigned> numbers;
  for (const Region& region : address_map(arch))
    if (region.kind == Region::Kind::noc_niu) numbers.insert(region.index);
  return static_cast<double>(numbers.size());
}

/// A wait that never ends is latched: does SEMWAIT pass?
double replaces_latch(Arch arch) {
  const Ran ran = simulate(one_thread(arch, 0, "STALLWAIT block=STALL_CFG, cond=SRCA_VLD\nttsemwait 256,2,1"));
  return static_cast<double>(ran.issues[0].size()) - 1;
}

double adc_sets(Arch) {
  const tensix::AdcContext context{};
  return static_cast<double>(context.unpacker.size()) + 1;  // and the packers'
}

constexpr std::array probes{
    Probe{"frontend_stages", bubble},
    Probe{"fifo_push_depth_unfused", pushed_into_a_closed_gate},
    Probe{"backend_units", units_of_the_backend},
    Probe{"issue_ports_sync",
          [](Arch arch) { return most_per_cycle(arch, {"ttatgetm 0", "ttatgetm 2", "ttatgetm 3"}); }},
    Probe{"issue_ports_config", [](Arch arch) { return most_per_cycle(arch, "SETC16 CfgIndex=40, NewValue=1"); }},
    Probe{"issue_ports_misc", [](Arch arch) { return most_per_cycle(arch, "NOP"); }},
    Probe{"issue_ports_unpack", [](Arch arch) { return most_per_cycle(arch, "UNPACR_NOP.Nop"); }},
    Probe{"issue_ports_matrix", [](Arch arch) { return most_per_cycle(arch, "INCRWC"); }},
    Probe{"issue_ports_pack", [](Arch arch) { return most_per_cycle(arch, "PACR"); }},
    Probe{"issue_ports_vector", [](Arch arch) { return most_per_cycle(arch, "SFPNOP"); }},
    Probe{"issue_ports_scalar", [](Arch arch) { return most_per_cycle(arch, "DMANOP"); }},
    Probe{"issue_ports_mover", [](Arch arch) { return most_per_cycle(arch, "XMOV"); }},
    Probe{"semwait_replaces_latch", replaces_latch},
    Probe{"src_datum_bits", [](Arch) { return static_cast<double>(std::bit_width(number::src_from_tf32(~0U))); }},
    Probe{"pack_read_interfaces",
          [](Arch arch) { return static_cast<double>(std::popcount(tensix::PacrWord{0, arch}.interfaces())); }},
    Probe{"config_state_size", [](Arch arch) { return static_cast<double>(tensix::config_words(arch)) / 4; }},
    Probe{"adc_sets_per_context", adc_sets},
    Probe{"nocs", nius},
};

}  // namespace

std::span<const Probe> size_probes() {
  return probes;
}

}  // namespace tensim::test
