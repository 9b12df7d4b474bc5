// An outcome as JSON, schema tensim.run/1: what `tensim run --json` prints and the C interface gives.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "explain/outcome.hpp"
#include "scenario/scenario.hpp"

namespace tensim::report {

nlohmann::json outcome_json(const scenario::Scenario& scenario, const explain::Outcome& outcome);

}  // namespace tensim::report
