// Scenarios and results as C holds them: scenario.cpp makes them, compare.cpp and debug.cpp use them.
#pragma once

#include <memory>

#include "host/run.hpp"
#include "tensim/scenario.h"
#include "tile/tile.hpp"

struct tensim_scenario {
  std::shared_ptr<tensim::host::Scenario> scenario;  // shared with results, which outlive it
};

struct tensim_result {
  std::shared_ptr<const tensim::host::Scenario> scenario;
  tensim::host::Outcome outcome;
  std::unique_ptr<tensim::tile::Tile> tile;  // as the run has left it; null if only threads ran
};

namespace tensim::capi {

constexpr tensim_outcome outcome_of(host::OutcomeKind kind) {
  switch (kind) {
    case host::OutcomeKind::finished: return TENSIM_FINISHED;
    case host::OutcomeKind::deadlocked: return TENSIM_DEADLOCKED;
    case host::OutcomeKind::faulted: return TENSIM_FAULTED;
    case host::OutcomeKind::budget_exhausted: return TENSIM_BUDGET_EXHAUSTED;
    case host::OutcomeKind::interrupted: return TENSIM_INTERRUPTED;
  }
  return TENSIM_RUNNING;
}

}  // namespace tensim::capi
