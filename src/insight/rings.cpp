#include "insight/rings.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace tensim::insight {

using tensix::thread_count;

namespace {

/// Threads first, then cores: a bit of a mask for each.
constexpr unsigned node_count = thread_count + tile::core_count;
using Waits = std::array<unsigned, node_count>;

constexpr unsigned node_of(tile::CoreId core) {
  return thread_count + static_cast<unsigned>(core);
}
constexpr Agent agent_of(unsigned node) {
  return node < thread_count ? Agent::of_thread(node) : Agent::of_core(static_cast<tile::CoreId>(node - thread_count));
}

/// Whose instructions `agent` waits for. A core that spins waits for nobody we know of, and is in no ring.
unsigned nodes_waited_for(const StuckAgent& agent) {
  unsigned nodes = 0;
  for (const UnmetCondition& unmet : agent.unmet)
    for (const Releaser& releaser : unmet.releasers) {
      if (releaser.thread && releaser.instruction && !releaser.unpacker) nodes |= 1U << *releaser.thread;
      if (releaser.pusher && releaser.pusher->thread) nodes |= 1U << node_of(releaser.pusher->core);
    }
  return nodes;
}

bool waits_for_unpacker(const StuckAgent& agent, const Agent& unpacker) {
  return std::ranges::any_of(agent.unmet, [&](const UnmetCondition& unmet) {
    return std::ranges::find(unmet.releasers, unpacker.number, &Releaser::unpacker) != unmet.releasers.end();
  });
}

/// For each that is stuck the stuck ones it waits for. A thread behind a stuck unpacker waits for whom that waits.
Waits waits_of(const std::vector<StuckAgent>& agents, const std::vector<LiveCore>& cores) {
  unsigned stuck = 0;
  Waits waits{};
  for (const StuckAgent& agent : agents) {
    if (agent.agent.is_unpacker()) continue;
    stuck |= 1U << agent.thread;
    waits[agent.thread] |= nodes_waited_for(agent);
    for (const StuckAgent& other : agents)
      if (other.agent.is_unpacker() && waits_for_unpacker(agent, other.agent))
        waits[agent.thread] |= nodes_waited_for(other);
  }
  for (const LiveCore& core : cores) {
    if (!core.is_stuck || !core.thread) continue;
    stuck |= 1U << node_of(core.core);
    waits[node_of(core.core)] |= 1U << *core.thread;
  }
  for (unsigned& nodes : waits)
    nodes &= stuck;
  return waits;
}

/// All rings that begin with the lowest of their members, which is the first of `path`.
void find_rings(const Waits& waits, std::vector<unsigned>& path, std::vector<std::vector<unsigned>>& found) {
  const unsigned first = path.front();
  for (unsigned next = first; next < node_count; ++next) {
    if ((waits[path.back()] >> next & 1U) == 0) continue;
    if (next == first) {
      found.push_back(path);
    } else if (std::ranges::find(path, next) == path.end()) {
      path.push_back(next);
      find_rings(waits, path, found);
      path.pop_back();
    }
  }
}

}  // namespace

std::vector<std::vector<Agent>> rings(const std::vector<StuckAgent>& agents, const std::vector<LiveCore>& cores) {
  const Waits waits = waits_of(agents, cores);
  std::vector<std::vector<unsigned>> found;
  for (unsigned first = 0; first < node_count; ++first) {
    std::vector<unsigned> path{first};
    find_rings(waits, path, found);
  }
  std::ranges::sort(found, {}, [](const std::vector<unsigned>& ring) { return std::pair(ring.size(), ring); });
  std::vector<std::vector<Agent>> as_agents;
  for (const std::vector<unsigned>& ring : found) {
    as_agents.emplace_back();
    for (const unsigned node : ring)
      as_agents.back().push_back(agent_of(node));
  }
  return as_agents;
}

}  // namespace tensim::insight
