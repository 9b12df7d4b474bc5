#include "report/perfetto.hpp"

#include <fmt/format.h>

#include "noc/workers.hpp"
#include "report/chip_run.hpp"
#include "report/places.hpp"
#include "report/races.hpp"

namespace tensim::report {

using noc::Coordinates;
using scenario::Scenario;
using trace::Perfetto;
using trace::PerfettoLines;

namespace {

PerfettoLines lines_of(const TileNames& names) {
  return {.of_word = [&](Coordinates at, unsigned thread,
                         const tensix::Entry& entry) { return text_of(line_of(names.programs(at), thread, entry)); },
          .of_pc = [&](Coordinates at, unsigned core,
                       std::uint32_t pc) { return location(names.programs(at), static_cast<tile::CoreId>(core), pc); }};
}

/// The first of its lines says what it is.
void add_races(Perfetto& trace, const RaceSites& sites, const insight::Races& races,
               const std::vector<Coordinates>& places) {
  for (const insight::Race& race : races.found()) {
    const std::size_t tile = races[race.second].actor / insight::actors_per_tile;
    if (!places.empty() && (tile == insight::ChipRacesFound::host || tile >= places.size())) continue;
    trace.note_race(places.empty() ? Coordinates{} : places[tile], race.cycle, lines_of(sites, races, race).front());
  }
}

}  // namespace

std::string perfetto_tile_name(const noc::FloorPlan& plan, Coordinates raw) {
  if (const auto at = noc::logical(plan, raw)) return fmt::format("tile {}", text_of(*at));
  return fmt::format("{} at {}", noc::name(plan.kind(raw)), text_of(raw));
}

std::vector<std::string> write_perfetto(Perfetto& trace, const Scenario& scenario, const scenario::Outcome& outcome,
                                        const tile::Tile& tile, const Perfetto::Write& write) {
  trace.finish_tile({}, tile);
  if (outcome.races) add_races(trace, scenario, *outcome.races, {});
  const TileNames names = names_of_one(scenario);
  return trace.finish(lines_of(names), write);
}

std::vector<std::string> write_perfetto(Perfetto& trace, const Scenario& scenario, const scenario::ChipRun& run,
                                        const Perfetto::Write& write) {
  for (const auto& [index, slot] : run.chip->slots())
    trace.finish_tile(slot.place, *slot.tile);
  if (run.races) add_races(trace, race_sites(scenario, run), run.races->races, run.races->places);
  const TileNames names = names_of_tiles(scenario, run);
  return trace.finish(lines_of(names), write);
}

}  // namespace tensim::report
