// What each thread would still issue.
#pragma once

#include <array>
#include <vector>

#include "tensix/frontend/frontend.hpp"
#include "tensix/types.hpp"

namespace tensim::insight {

/// In order: the rest of its frontend, expanded, and of its program.
using RemainingWords = std::array<std::vector<tensix::Entry>, tensix::thread_count>;

/// `frontend` drained into words, with `unfed` behind it. Bounded; the copy is used up.
std::vector<tensix::Entry> remaining_words(Arch arch, tensix::Frontend frontend,
                                           const std::vector<tensix::Entry>& unfed);

}  // namespace tensim::insight
