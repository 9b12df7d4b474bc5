// An outcome as JSON, schema tensim.run/1: what `tensim run --json` prints and the C interface gives.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "explain/outcome.hpp"
#include "report/tile_names.hpp"
#include "scenario/scenario.hpp"

namespace tensim::report {

/// Of a tile of a chip; `names` are those of the tiles that reach it.
nlohmann::json outcome_json(const scenario::Scenario& scenario, const explain::Outcome& outcome,
                            const TileNames& names);
/// Of a tile that runs alone.
nlohmann::json outcome_json(const scenario::Scenario& scenario, const explain::Outcome& outcome);

}  // namespace tensim::report
