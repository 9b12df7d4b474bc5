// Which agents will never proceed, and what those wait for who could release others.
#pragma once

#include "insight/wait_for.hpp"

namespace tensim::insight {

/// Sets `for_ever` of each agent.
void mark_for_ever(std::vector<StuckAgent>& agents);

/// Fills in `held_at` and `waits_for` of releasers that are stuck themselves.
void name_what_releasers_wait_for(std::vector<StuckAgent>& agents);

}  // namespace tensim::insight
