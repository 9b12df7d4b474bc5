// Perfetto traces of runs, in the words of who wrote the programs.
#pragma once

#include <string>
#include <vector>

#include "scenario/chip_run.hpp"
#include "scenario/run.hpp"
#include "trace/perfetto.hpp"

namespace tensim::report {

/// "tile 1,2"; what users do not count is named by its kind and NoC 0's coordinates: "DRAM at 0,11".
std::string perfetto_tile_name(const noc::FloorPlan& plan, noc::Coordinates raw);

/// Writes the trace of a run that is over, with the races that were found. What was left out: trace::Perfetto::finish().
std::vector<std::string> write_perfetto(trace::Perfetto& trace, const scenario::Scenario& scenario,
                                        const scenario::Outcome& outcome, const tile::Tile& tile,
                                        const trace::Perfetto::Write& write);
std::vector<std::string> write_perfetto(trace::Perfetto& trace, const scenario::Scenario& scenario,
                                        const scenario::ChipRun& run, const trace::Perfetto::Write& write);

}  // namespace tensim::report
