// How a run ended, as C has it: the one mapping for scenarios and devices.
#pragma once

#include "explain/outcome_kind.hpp"
#include "tensim/tensim.h"

namespace tensim::capi {

constexpr tensim_outcome outcome_of(explain::OutcomeKind kind) {
  using explain::OutcomeKind;
  switch (kind) {
    case OutcomeKind::finished: return TENSIM_FINISHED;
    case OutcomeKind::deadlocked: return TENSIM_DEADLOCKED;
    case OutcomeKind::faulted: return TENSIM_FAULTED;
    case OutcomeKind::budget_exhausted: return TENSIM_BUDGET_EXHAUSTED;
    case OutcomeKind::interrupted: return TENSIM_INTERRUPTED;
    case OutcomeKind::waiting_for_host: return TENSIM_WAITING_FOR_HOST;
  }
  return TENSIM_RUNNING;
}

/// A tile of a device has no budget: one that has reached the device's clock goes on with it.
constexpr tensim_outcome outcome_of_tile(explain::OutcomeKind kind) {
  return kind == explain::OutcomeKind::budget_exhausted ? TENSIM_RUNNING : outcome_of(kind);
}

}  // namespace tensim::capi
