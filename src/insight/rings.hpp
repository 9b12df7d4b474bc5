// Threads and cores that wait for each other.
#pragma once

#include <vector>

#include "insight/wait_for.hpp"

namespace tensim::insight {

/// Rings in the graph "waits for that thread or core", the short ones first; each begins with its lowest member, threads
/// before cores.
std::vector<std::vector<Agent>> rings(const std::vector<StuckAgent>& agents, const std::vector<LiveCore>& cores);

}  // namespace tensim::insight
