#include "report/expected_texts.hpp"

#include <fmt/format.h>

#include "report/conditions.hpp"
#include "report/hang.hpp"

namespace tensim::report {
namespace {

/// Of the agent or core of that name; empty if it is not stuck.
std::string explanation_of(const scenario::Scenario& scenario, const explain::Outcome& outcome,
                           const std::string& stuck) {
  std::string text;
  for (const insight::StuckAgent& agent : outcome.graph.agents)
    if (name(agent.agent) == stuck)
      for (const std::string& line : lines_of(scenario, agent))
        text += line + "\n";
  for (const explain::StuckCore& core : outcome.stuck_cores)
    if (tile::name(core.core) == stuck) text += text_of(scenario, outcome, core);
  return text;
}

}  // namespace

void check_texts(const scenario::Scenario& scenario, explain::Outcome& outcome) {
  for (const auto& [stuck, texts] : scenario.expect.stuck) {
    const std::string explanation = explanation_of(scenario, outcome, stuck);
    if (explanation.empty()) {
      outcome.failed_expectations.push_back(fmt::format("{} is not stuck", stuck));
      continue;
    }
    for (const std::string& text : texts)
      if (explanation.find(text) == std::string::npos)
        outcome.failed_expectations.push_back(fmt::format("the explanation of {} does not say \"{}\"", stuck, text));
  }
}

}  // namespace tensim::report
