// Scenarios and results as C holds them: scenario.cpp makes them, compare.cpp and debug.cpp use them.
#pragma once

#include <memory>

#include "scenario/run.hpp"
#include "tensim/scenario.h"
#include "tile/tile.hpp"

struct tensim_scenario {
  std::shared_ptr<tensim::scenario::Scenario> scenario;  // shared with results, which outlive it
};

struct tensim_result {
  std::shared_ptr<const tensim::scenario::Scenario> scenario;
  tensim::scenario::Outcome outcome;
  std::unique_ptr<tensim::tile::Tile> tile;  // as the run has left it; null if only threads ran
};

namespace tensim::capi {

constexpr tensim_outcome outcome_of(scenario::OutcomeKind kind) {
  switch (kind) {
    case scenario::OutcomeKind::finished: return TENSIM_FINISHED;
    case scenario::OutcomeKind::deadlocked: return TENSIM_DEADLOCKED;
    case scenario::OutcomeKind::faulted: return TENSIM_FAULTED;
    case scenario::OutcomeKind::budget_exhausted: return TENSIM_BUDGET_EXHAUSTED;
    case scenario::OutcomeKind::interrupted: return TENSIM_INTERRUPTED;
  }
  return TENSIM_RUNNING;
}

}  // namespace tensim::capi
