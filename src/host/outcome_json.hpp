// An outcome as JSON, schema tensim.run/1: what `tensim run --json` prints and the C interface gives.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "host/run.hpp"

namespace tensim::host {

nlohmann::json outcome_json(const Scenario& scenario, const Outcome& outcome);

}  // namespace tensim::host
