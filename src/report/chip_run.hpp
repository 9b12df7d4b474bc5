// How a run of several tiles ended: the chip, its tiles, and what there is to say of each.
#pragma once

#include <string>

#include "explain/first_packets.hpp"
#include "report/races.hpp"
#include "report/style.hpp"
#include "report/tile_names.hpp"
#include "scenario/chip_run.hpp"

namespace tensim::report {

/// JSON is of the schema tensim.chip_run/1: each of its tiles is as in tensim.run/1. It has packets, if some were kept.
std::string chip_report(const scenario::Scenario& scenario, const scenario::ChipRun& run, Format format,
                        const explain::FirstPackets* packets = nullptr);

/// What explanations of each tile have to say, and do not: adds to the failed expectations of the tiles.
void check_texts(const scenario::Scenario& scenario, scenario::ChipRun& run);

/// Tiles as they are counted, and their programs. The run must outlive it.
TileNames names_of_tiles(const scenario::Scenario& scenario, const scenario::ChipRun& run);

/// Where races of a run that was checked are. The run must outlive it.
RaceSites race_sites(const scenario::Scenario& scenario, const scenario::ChipRun& run);

}  // namespace tensim::report
