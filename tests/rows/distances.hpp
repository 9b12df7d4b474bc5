// Cycles between the instructions of small programs.
#pragma once

#include "tests/support/three_threads.hpp"

namespace tensim::test {

/// From the one before the last to the last.
inline double last_distance(const Cycles& cycles) {
  if (cycles.size() < 2) {
    ADD_FAILURE() << "fewer than two instructions were issued";
    return -1;
  }
  return static_cast<double>(cycles.back() - cycles[cycles.size() - 2]);
}

/// From the first instruction to the second.
inline double distance(Arch arch, const std::string& first, const std::string& second) {
  return last_distance(cycles_of(arch, first + "\n" + second));
}

/// Of one instruction behind another like it.
inline double interval(Arch arch, const std::string& instruction) {
  return last_distance(cycles_of(arch, repeat(4, instruction)));
}

/// Cycles in its unit, as a wait latched before sees it: STALLWAIT 3, instruction 4 to 3 + L, SETC16 5 + L.
inline double latency(Arch arch, const std::string& condition, const std::string& instruction) {
  const Cycles cycles = cycles_of(
      arch, "STALLWAIT block=STALL_CFG, cond=" + condition + "\n" + instruction + "\nSETC16 CfgIndex=40, NewValue=1");
  return cycles.size() == 3 ? static_cast<double>(cycles[2]) - 5 : -1;
}

/// The first cycle in which a core that loads from `address` finds `value`.
inline double seen_in(Scenario scenario, CoreBit core, std::uint32_t address, std::uint32_t value) {
  const std::vector<CoreAction> before = scenario.actions;
  for (Cycle cycle = 1; cycle < 60; ++cycle) {
    scenario.actions = before;
    scenario.actions.push_back(load(cycle, core, address, value));
    if (simulate(scenario).outcome.failed_expectations.empty()) return static_cast<double>(cycle);
  }
  ADD_FAILURE() << "never there";
  return -1;
}

/// With both operands in the Matrix Unit's banks.
inline Cycles cycles_with_operands(Arch arch, const std::string& program) {
  Scenario scenario = one_thread(arch, 0, program);
  scenario.src_a_valid = scenario.src_b_valid = true;
  return simulate(scenario).cycles(0);
}

}  // namespace tensim::test
