// Threads that wait for each other.
#pragma once

#include <vector>

#include "insight/wait_for.hpp"

namespace tensim::insight {

/// Rings in the graph "waits for somebody of that thread".
std::vector<std::vector<unsigned>> rings(const std::vector<StuckAgent>& agents);

}  // namespace tensim::insight
