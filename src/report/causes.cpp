#include "report/causes.hpp"

#include <algorithm>
#include <array>
#include <bitset>

#include <fmt/format.h>

#include "arch/semaphores.hpp"
#include "insight/tile_races.hpp"
#include "report/lints.hpp"
#include "report/races.hpp"

namespace tensim::report {

using event::Resource;
using explain::Outcome;
using insight::LintKind;
using insight::Race;
using insight::Races;
using scenario::Scenario;

namespace {

using Semaphores = std::bitset<semaphore_count>;
using Actors = std::bitset<insight::actors_per_tile>;

/// Those that somebody stuck waits for.
Semaphores awaited_semaphores(const Outcome& outcome) {
  Semaphores awaited;
  for (const insight::StuckAgent& agent : outcome.graph.agents)
    for (const insight::UnmetCondition& unmet : agent.unmet) {
      if (const auto* above = std::get_if<insight::SemaphoreAboveZero>(&unmet.condition)) awaited.set(above->semaphore);
      if (const auto* below = std::get_if<insight::SemaphoreBelowMaximum>(&unmet.condition))
        awaited.set(below->semaphore);
    }
  for (const explain::StuckCore& core : outcome.stuck_cores)
    for (const explain::PolledSemaphore& polled : core.semaphores)
      awaited.set(polled.semaphore % semaphore_count);
  return awaited;
}

/// Threads and cores that are stuck, and the T cores of those threads.
Actors stuck_actors(const Outcome& outcome) {
  Actors stuck;
  for (const insight::StuckAgent& agent : outcome.graph.agents) {
    stuck.set(insight::actor_of_thread(0, agent.thread));
    stuck.set(insight::actor_of_core(0, agent.thread + 1));
  }
  for (const explain::StuckCore& core : outcome.stuck_cores)
    stuck.set(insight::actor_of_core(0, static_cast<unsigned>(core.core)));
  return stuck;
}

bool concerns(const Races& races, const Race& race, const Actors& stuck) {
  const auto is_stuck = [&](insight::SiteNumber site) { return stuck[races[site].actor % insight::actors_per_tile]; };
  switch (race.what.resource) {
    case Resource::mop_config: return stuck[insight::actor_of_thread(0, race.what.owner)];
    case Resource::config:
    case Resource::thread_config: return is_stuck(race.first) || is_stuck(race.second);
    default: return false;
  }
}

}  // namespace

std::vector<std::string> causes(const Scenario& scenario, const Outcome& outcome) {
  if (!outcome.lints || (outcome.graph.agents.empty() && outcome.stuck_cores.empty())) return {};
  std::vector<std::string> lines;
  const Semaphores awaited = awaited_semaphores(outcome);
  for (const FoundLint& lint : found_lints(scenario, outcome))
    if ((lint.kind == LintKind::lost_update || lint.kind == LintKind::discarded_value) && lint.semaphore &&
        awaited[*lint.semaphore])
      lines.push_back(fmt::format("{}, in cycle {}", lint.text, lint.cycle));
  if (!outcome.races) return lines;
  const Actors stuck = stuck_actors(outcome);
  for (const Race& race : outcome.races->found()) {
    if (!concerns(*outcome.races, race, stuck)) continue;
    std::string line = lines_of(scenario, *outcome.races, race).front();
    if (std::ranges::find(lines, line) == lines.end()) lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace tensim::report
