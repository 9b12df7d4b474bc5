// Configuration Unit. Instructions issue from cycle 3 on; a core's store of cycle 5 is with the unit from 7 on.
#include <algorithm>
#include <array>
#include <bit>

#include "tests/rows/distances.hpp"
#include "tests/rows/probes.hpp"

namespace tensim::test {
namespace {

const std::string setc16 = "SETC16 CfgIndex=40, NewValue=1";
const std::string wrcfg = "WRCFG InputReg=0, CfgIndex=1";
const std::string rdcfg = "RDCFG ResultReg=60, CfgIndex=1";
const std::string rmwcib = "RMWCIB0 Mask=255, NewValue=9, Index4=1";
const std::string cfgshiftmask = "CFGSHIFTMASK CfgIndex=1";
const std::string streamwrcfg = "STREAMWRCFG StreamSelect=0, RegIndex=29, CfgIndex=8";
constexpr std::uint32_t config_base = 0xFFEF0000;
constexpr std::uint32_t gpr_base = 0xFFE00000;  // T0's, as B sees them

/// GPR 0 and word 1 of the configuration hold 9, where a program does not write the latter itself.
Scenario with_nines(Arch arch, const std::string& program) {
  Scenario scenario = one_thread(arch, 0, program);
  scenario.gprs[{0, 0}] = 9;
  return scenario;
}

double written_by(Arch arch, const std::string& instruction) {
  return seen_in(with_nines(arch, instruction), B, config_base + 4, 9) - 3;
}

/// Instructions that fit between the one that writes and the first that sees it.
double consumer_gap_of_wrcfg(Arch arch) {
  return written_by(arch, wrcfg) - 1;
}

/// Of a word of ones with what is left of it when it is shifted out: it becomes 0.
double consumer_gap_of_cfgshiftmask(Arch arch) {
  Scenario scenario = one_thread(arch, 0, rmwcib + "\nNOP\nCFGSHIFTMASK CfgIndex=1, MaskWidth=31, Operation=0");
  const double written = seen_in(scenario, B, config_base + 4, 0);
  // The word is 9 in between: look for the first cycle after that.
  for (Cycle cycle = 5; cycle < 40; ++cycle) {
    Scenario later = scenario;
    later.actions = {load(cycle, B, config_base + 4, 9)};
    if (!simulate(later).outcome.failed_expectations.empty()) return static_cast<double>(cycle) - 5 - 1;
  }
  return written;
}

/// RDCFG behind RMWCIB: 3 and 4. The GPR is written at the end of the cycle before it is seen.
double gpr_is_seen(Arch arch) {
  return seen_in(one_thread(arch, 0, rmwcib + "\n" + rdcfg), B, gpr_base + 60 * 4, 9) - 4;
}

double stored_by_core(Arch arch) {
  Scenario scenario = three_threads(arch, {"", "", ""});
  scenario.actions = {store(5, T1, config_base + 4, 9)};
  return seen_in(scenario, B, config_base + 4, 9) - 7;
}

/// Two cores store in one cycle.
double stored_by_two_cores(Arch arch) {
  Scenario scenario = three_threads(arch, {"", "", ""});
  scenario.actions = {store(5, T0, config_base + 4, 9), store(5, T1, config_base + 8, 7)};
  return std::abs(seen_in(scenario, B, config_base + 4, 9) - seen_in(scenario, B, config_base + 8, 7));
}

double group_interval(Arch arch) {
  const Ran ran = simulate(arch, {rmwcib, rmwcib, rmwcib});
  return static_cast<double>(ran.cycle_of(2, 0) - ran.cycle_of(1, 0));
}

/// T0's in 3; T1's is at its gate in 4.
double barred_after(Arch arch, const std::string& first) {
  return static_cast<double>(simulate(arch, {first, "NOP\n" + rmwcib, ""}).cycle_of(1, 1)) - 4;
}

/// In how many cycles CFGSHIFTMASK has the stage before the access stage.
double prestage_of_cfgshiftmask(Arch arch) {
  tensix::Coprocessor coprocessor(arch);
  coprocessor.push(0, assemble(arch, cfgshiftmask), 0);
  for (unsigned cycle = 0; cycle < 3; ++cycle)
    coprocessor.step();
  constexpr unsigned stage_minus_1 = 3;
  return std::popcount(coprocessor.configuration.stage_busy[stage_minus_1]);
}

double setc16_latency(Arch arch) {
  tensix::Coprocessor coprocessor(arch);
  coprocessor.push(0, assemble(arch, setc16), 0);
  unsigned steps = 0;
  for (; steps < 40 && coprocessor.config.thread[0][40] != 1; ++steps)
    coprocessor.step();
  return steps - 2.0;  // it is there before cycle 0, and so issues in 2
}

constexpr std::array probes{
    Probe{"setc16_latency", setc16_latency},
    Probe{"setc16_interval", [](Arch arch) { return interval(arch, setc16); }},
    Probe{"wrcfg_interval", [](Arch arch) { return interval(arch, wrcfg); }},
    Probe{"wrcfg_consumer_gap", consumer_gap_of_wrcfg},
    Probe{"rmwcib_latency", [](Arch arch) { return written_by(arch, rmwcib); }},
    Probe{"rmwcib_interval", [](Arch arch) { return interval(arch, rmwcib); }},
    Probe{"rdcfg_interval", [](Arch arch) { return interval(arch, rdcfg); }},
    // A ThCon instruction reads its GPRs in the cycle after its own.
    Probe{"rdcfg_to_thcon_distance", [](Arch arch) { return gpr_is_seen(arch) - 1; }},
    Probe{"streamwrcfg_interval", [](Arch arch) { return interval(arch, streamwrcfg); }},
    Probe{"cfgshiftmask_interval", [](Arch arch) { return interval(arch, cfgshiftmask); }},
    Probe{"cfgshiftmask_prestage_block", prestage_of_cfgshiftmask},
    Probe{"cfgshiftmask_consumer_gap", consumer_gap_of_cfgshiftmask},
    // RMWCIB enters where configuration is accessed: it follows when that stage is free again.
    Probe{"config_access_offset_wrcfg", [](Arch arch) { return distance(arch, wrcfg, rmwcib) - 1; }},
    Probe{"config_access_offset_streamwrcfg", [](Arch arch) { return distance(arch, streamwrcfg, rmwcib) - 1; }},
    Probe{"config_access_offset_rmwcib", [](Arch arch) { return distance(arch, rmwcib, rmwcib) - 1; }},
    Probe{"config_access_offset_rdcfg", [](Arch arch) { return distance(arch, rdcfg, rmwcib) - 1; }},
    Probe{"config_access_offset_external", [](Arch arch) { return stored_by_core(arch) - 1; }},
    Probe{"rdcfg_gpr_write_offset", [](Arch arch) { return gpr_is_seen(arch) - 1; }},
    Probe{"config_group_interval", group_interval},
    Probe{"riscv_cfg_write_latency", stored_by_core},
    Probe{"external_cfg_interval", stored_by_two_cores},
    Probe{"config_group_block_after",
          [](Arch arch) { return std::max(barred_after(arch, wrcfg), barred_after(arch, rdcfg)); }},
};

}  // namespace

std::span<const Probe> configuration_probes() {
  return probes;
}

}  // namespace tensim::test
