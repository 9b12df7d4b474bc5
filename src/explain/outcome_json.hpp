// An outcome as JSON, schema tensim.run/1: what `tensim run --json` prints and the C interface gives.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "scenario/run.hpp"

namespace tensim::scenario {

nlohmann::json outcome_json(const Scenario& scenario, const Outcome& outcome);

}  // namespace tensim::scenario
