#include "insight/for_ever.hpp"

#include <algorithm>

namespace tensim::insight {
namespace {

using Reason = Releaser::Reason;

const StuckAgent* find(const std::vector<StuckAgent>& agents, const auto& is_wanted) {
  const auto found = std::ranges::find_if(agents, is_wanted);
  return found == agents.end() ? nullptr : &*found;
}

/// The agent that `releaser` itself depends on, if that is stuck.
const StuckAgent* behind(const std::vector<StuckAgent>& agents, const Releaser& releaser) {
  if (releaser.reason != Reason::stuck) return nullptr;
  if (releaser.pusher)
    return find(agents, [&](const StuckAgent& agent) {
      return releaser.pusher->thread && agent.agent == Agent::of_thread(*releaser.pusher->thread);
    });
  if (releaser.unpacker)
    return find(agents, [&](const StuckAgent& agent) { return agent.agent == Agent::of_unpacker(*releaser.unpacker); });
  return find(agents,
              [&](const StuckAgent& agent) { return !agent.agent.is_unpacker() && releaser.thread == agent.thread; });
}

}  // namespace

/// Takes every agent for lost, then spares those whose every condition somebody who is not lost can end, until nothing
/// changes: what is left waits for ever, alone or in a ring.
void mark_for_ever(std::vector<StuckAgent>& agents) {
  for (StuckAgent& agent : agents)
    agent.for_ever = true;
  const auto may_come = [&](const Releaser& releaser) {
    if (releaser.reason != Reason::stuck) return releaser.reason == Reason::coming;
    const StuckAgent* agent = behind(agents, releaser);
    return agent != nullptr && !agent->for_ever;
  };
  bool changed = true;
  while (changed) {
    changed = false;
    for (StuckAgent& agent : agents) {
      if (!agent.for_ever) continue;
      const bool spared = std::ranges::all_of(
          agent.unmet, [&](const UnmetCondition& unmet) { return std::ranges::any_of(unmet.releasers, may_come); });
      if (!spared) continue;
      agent.for_ever = false;
      changed = true;
    }
  }
}

void name_what_releasers_wait_for(std::vector<StuckAgent>& agents) {
  for (StuckAgent& agent : agents)
    for (UnmetCondition& unmet : agent.unmet)
      for (Releaser& releaser : unmet.releasers) {
        const StuckAgent* other = releaser.pusher ? nullptr : behind(agents, releaser);
        if (other == nullptr || other->unmet.empty()) continue;
        releaser.held_at = other->instruction;
        releaser.waits_for = other->unmet.front().condition;
      }
}

}  // namespace tensim::insight
