#include "explain/outcome_text.hpp"

#include <fmt/format.h>

namespace tensim::scenario {
namespace {

bool is_held(event::Stall stall) {
  return stall != event::Stall::issued && stall != event::Stall::empty;
}

void add(std::string& text, std::string_view name, std::uint64_t cycles) {
  if (cycles != 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, cycles);
}

}  // namespace

std::string text_of(const event::StallAccount& account) {
  std::string text;
  for (std::size_t i = 0; i < event::stall_count; ++i)
    if (is_held(static_cast<event::Stall>(i))) add(text, event::stall_names[i], account.cycles[i]);
  return text;
}

std::string text_of(const riscv::CoreAccount& account) {
  std::string text;
  for (std::size_t i = 1; i < riscv::core_stall_count; ++i)  // 0: executing
    add(text, riscv::core_stall_names[i], account.cycles[i]);
  return text;
}

std::uint64_t held_cycles(const event::StallAccount& account) {
  std::uint64_t held = 0;
  for (std::size_t i = 0; i < event::stall_count; ++i)
    if (is_held(static_cast<event::Stall>(i))) held += account.cycles[i];
  return held;
}

std::string explain_hang(const Scenario& scenario, const Outcome& outcome) {
  std::string text;
  for (const insight::StuckAgent& agent : outcome.graph.agents)
    text += fmt::format("\n{}\n", fmt::join(explain(scenario, agent), "\n"));
  for (const StuckCore& core : outcome.stuck_cores)
    text += fmt::format("\n{}\n", explain(core));
  for (const auto& ring : outcome.graph.cycles) {
    text += "\nwait cycle: ";
    for (const unsigned thread : ring)
      text += fmt::format("T{} -> ", thread);
    text += fmt::format("T{}\n", ring.front());
  }
  return text;
}

}  // namespace tensim::scenario
