#include "insight/rings.hpp"

#include <algorithm>

namespace tensim::insight {

using tensix::thread_count;

namespace {

/// The threads whose instructions `agent` waits for, as a mask.
unsigned threads_waited_for(const StuckAgent& agent) {
  unsigned threads = 0;
  for (const UnmetCondition& condition : agent.unmet)
    for (const Releaser& releaser : condition.releasers)
      if (releaser.thread && releaser.instruction && !releaser.unpacker) threads |= 1U << *releaser.thread;
  return threads;
}

bool waits_for_unpacker(const StuckAgent& agent, unsigned unpacker) {
  return std::ranges::any_of(agent.unmet, [&](const UnmetCondition& condition) {
    return std::ranges::find(condition.releasers, unpacker, &Releaser::unpacker) != condition.releasers.end();
  });
}

/// For each stuck thread the stuck threads it waits for. One behind a stuck unpacker waits for whom that waits.
std::array<unsigned, thread_count> waits_of_threads(const std::vector<StuckAgent>& agents) {
  unsigned stuck = 0;
  std::array<unsigned, thread_count> waits{};
  for (const StuckAgent& agent : agents) {
    if (agent.unpacker) continue;
    stuck |= 1U << agent.thread;
    waits[agent.thread] |= threads_waited_for(agent);
    for (const StuckAgent& other : agents)
      if (other.unpacker && waits_for_unpacker(agent, *other.unpacker))
        waits[agent.thread] |= threads_waited_for(other);
  }
  for (unsigned& threads : waits)
    threads &= stuck;
  return waits;
}

}  // namespace

std::vector<std::vector<unsigned>> rings(const std::vector<StuckAgent>& agents) {
  constexpr std::array<std::array<unsigned, 3>, 2> both_ways{{{0, 1, 2}, {0, 2, 1}}};
  const std::array<unsigned, thread_count> mask = waits_of_threads(agents);
  const auto waits = [&](unsigned a, unsigned b) { return (mask[a] >> b & 1U) != 0; };
  std::vector<std::vector<unsigned>> found;
  for (unsigned thread = 0; thread < thread_count; ++thread)
    if (waits(thread, thread)) found.push_back({thread});
  for (unsigned a = 0; a < thread_count; ++a)
    for (unsigned b = a + 1; b < thread_count; ++b)
      if (waits(a, b) && waits(b, a)) found.push_back({a, b});
  for (const auto& [a, b, c] : both_ways)
    if (waits(a, b) && waits(b, c) && waits(c, a)) found.push_back({a, b, c});
  return found;
}

}  // namespace tensim::insight
