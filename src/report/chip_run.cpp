#include "report/chip_run.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "noc/workers.hpp"
#include "report/chip_hang.hpp"
#include "report/critical_path.hpp"
#include "report/device_faults.hpp"
#include "report/expected_texts.hpp"
#include "report/outcome_json.hpp"
#include "report/packets.hpp"
#include "report/races.hpp"
#include "report/run.hpp"
#include "scenario/tile_names.hpp"

namespace tensim::report {
namespace {

using explain::OutcomeKind;
using scenario::ChipRun;
using scenario::Scenario;
using scenario::TileResult;
using Tiles = std::vector<const TileResult*>;

std::string verdict(const Style& style, OutcomeKind kind) {
  const std::string text(name(kind));
  return kind == OutcomeKind::finished ? style.strong(text) : style.error(text);
}

std::string range_text(std::uint64_t least, std::uint64_t most) {
  return least == most ? fmt::format("{}", least) : fmt::format("{} to {}", least, most);
}

/// Least and most of what the tiles have.
template <class Count>
std::string range_over(const Tiles& tiles, Count count) {
  std::uint64_t least = count(*tiles.front());
  std::uint64_t most = least;
  for (const TileResult* tile : tiles) {
    least = std::min(least, count(*tile));
    most = std::max(most, count(*tile));
  }
  return range_text(least, most);
}

std::string names_of(const Tiles& tiles) {
  std::vector<noc::Coordinates> places;
  for (const TileResult* tile : tiles)
    places.push_back(tile->at);
  return scenario::tile_list(std::move(places));
}

// ---- what cores printed ----

struct PrintedLine {
  tile::Cycle cycle;
  noc::Coordinates at;
  unsigned core;
  std::string text;
};

/// A line at a time, with the cycle in which it was complete.
void add_lines(const TileResult& tile, std::vector<PrintedLine>& lines) {
  std::array<std::string, tile::core_count> open;
  tile::Cycle last = 0;
  for (const tile::PrintedText& printed : tile.outcome.printed) {
    const auto core = static_cast<unsigned>(printed.core);
    last = printed.cycle;
    if (printed.lost != 0) open[core] += fmt::format("[{} bytes lost]", printed.lost);
    for (const char letter : printed.text)
      if (letter == '\n')
        lines.push_back({printed.cycle, tile.at, core, std::exchange(open[core], {})});
      else
        open[core].push_back(letter);
  }
  for (unsigned core = 0; core < tile::core_count; ++core)
    if (!open[core].empty()) lines.push_back({last, tile.at, core, open[core]});
}

std::string printed_text(const Style& style, const ChipRun& run) {
  std::vector<PrintedLine> lines;
  for (const TileResult& tile : run.tiles)
    add_lines(tile, lines);
  std::multimap<std::uint64_t, const PrintedLine*> by_cycle;  // of one cycle in the order of tiles
  for (const PrintedLine& line : lines)
    by_cycle.emplace(line.cycle, &line);
  std::string text;
  for (const auto& [cycle, printed] : by_cycle) {
    const PrintedLine& line = *printed;
    text +=
        fmt::format("{} {} {}\n", style.dim(fmt::format("{:>8}", line.cycle)),
                    style.name(fmt::format("{},{} {}:", line.at.x, line.at.y, tile::core_names[line.core])), line.text);
  }
  return text;
}

// ---- tiles ----

/// Tiles that ended alike and were given the same: a line, and one for each core that ran.
std::string group_text(const Style& style, const Tiles& tiles) {
  const TileResult& first = *tiles.front();
  std::string text = fmt::format("  {} {}: {} after {} cycles\n", tiles.size() == 1 ? "tile" : "tiles", names_of(tiles),
                                 verdict(style, first.outcome.kind),
                                 range_over(tiles, [](const TileResult& tile) { return tile.outcome.cycles; }));
  for (unsigned core = 0; core < tile::core_count; ++core)
    if (first.outcome.cores[core].ran)
      text += fmt::format("    {:<6} {} retired\n", tile::core_names[core],
                          range_over(tiles, [&](const TileResult& tile) { return tile.outcome.cores[core].retired; }));
  return text;
}

std::string groups_text(const Style& style, const ChipRun& run) {
  std::vector<Tiles> groups;
  Tiles only_reached;
  for (const TileResult& tile : run.tiles) {
    if (!tile.group && tile.outcome.kind == OutcomeKind::finished) {
      only_reached.push_back(&tile);
      continue;
    }
    const auto same = std::ranges::find_if(groups, [&](const Tiles& group) {
      return group.front()->group == tile.group && group.front()->outcome.kind == tile.outcome.kind;
    });
    if (same == groups.end())
      groups.push_back({&tile});
    else
      same->push_back(&tile);
  }
  std::string text;
  for (const Tiles& group : groups)
    text += group_text(style, group);
  if (!only_reached.empty())
    text += fmt::format("  {} {}: without a program; somebody has sent something there\n",
                        only_reached.size() == 1 ? "tile" : "tiles", names_of(only_reached));
  return text;
}

}  // namespace

TileNames names_of_tiles(const Scenario& scenario, const ChipRun& run) {
  const noc::FloorPlan& plan = run.chip->plan();
  return {.programs = [&](noc::Coordinates raw) -> const Scenario& {
            const auto at = noc::logical(plan, raw);
            const TileResult* const tile = at ? run.find(*at) : nullptr;
            return tile == nullptr ? run.nothing : run.scenario_of(scenario, *tile);
          },
          .name =
              [&](noc::Coordinates raw) {
                const auto at = noc::logical(plan, raw);
                return at ? text_of(*at) : fmt::format("NoC 0's {}", text_of(raw));
              }};
}

namespace {

/// Of tiles that are not counted.
std::string others_text(const Style& style, const TileNames& names, const ChipRun& run) {
  std::string text;
  for (const scenario::OtherTile& other : run.others)
    text += fmt::format(
        "\n{}\n{}",
        style.name(fmt::format("{} tile {}:", noc::name(run.chip->plan().kind(other.place)), names.name(other.place))),
        details_text(style, run.nothing, other.outcome, names));
  return text;
}

/// Cores that poll are the chip's to explain, unless a semaphore of the tile's own is among it: not twice.
explain::Outcome without_what_the_chip_explains(const ChipRun& run, const TileResult& tile) {
  const noc::Coordinates place = *noc::worker(run.chip->plan(), tile.at);
  explain::Outcome outcome = tile.outcome;
  std::erase_if(outcome.stuck_cores, [&](const explain::StuckCore& core) {
    const auto is_this = [&](const explain::StuckWait& stuck) {
      return stuck.wait.who == explain::CoreOfChip{place, core.core};
    };
    return core.semaphores.empty() && std::ranges::any_of(run.hang.stuck, is_this);
  });
  return outcome;
}

/// Tiles of which there is the same to say are named together.
std::string details_text(const Style& style, const TileNames& names, const Scenario& scenario, const ChipRun& run) {
  std::vector<std::pair<std::string, Tiles>> groups;
  for (const TileResult& tile : run.tiles) {
    std::string details =
        details_text(style, run.scenario_of(scenario, tile), without_what_the_chip_explains(run, tile), names);
    while (details.starts_with('\n'))
      details.erase(0, 1);
    if (details.empty()) continue;
    const auto same = std::ranges::find(groups, details, [](const auto& group) { return group.first; });
    if (same == groups.end())
      groups.emplace_back(std::move(details), Tiles{&tile});
    else
      same->second.push_back(&tile);
  }
  std::string text;
  for (const auto& [details, tiles] : groups)
    text += fmt::format(
        "\n{}\n{}", style.name(fmt::format("{} {}:", tiles.size() == 1 ? "tile" : "tiles", names_of(tiles))), details);
  return text;
}

RaceSites path_sites(const Scenario& scenario, const ChipRun& run) {
  return {scenario.arch, names_of_tiles(scenario, run), run.path->places};
}

std::string to_text(const Style& style, const Scenario& scenario, const ChipRun& run) {
  std::string text = printed_text(style, run);
  text += fmt::format("{}: {} after {} cycles ({})\n", scenario.title.empty() ? scenario.file : scenario.title,
                      verdict(style, run.kind), run.cycles, name(scenario.arch));
  if (!run.problem.empty()) return text + fmt::format("{}\n", style.error(run.problem));
  const TileNames names = names_of_tiles(scenario, run);
  text += groups_text(style, run) + details_text(style, names, scenario, run) + others_text(style, names, run);
  text += chip_hang_text(names, run.hang);
  for (const chip::Unanswered& request : run.unanswered)
    text += fmt::format("\n{}\n", style.error(text_of(names, request)));
  if (run.races) text += races_text(style, race_sites(scenario, run), run.races->races);
  if (run.path) text += path_text(style, path_sites(scenario, run), run.path->path);
  for (const std::string& failure : run.failed_expectations)
    text += fmt::format("{} {}\n", style.error("expectation failed:"), failure);
  return text;
}

nlohmann::json to_json(const Scenario& scenario, const ChipRun& run, const explain::FirstPackets* packets) {
  nlohmann::json document{{"schema", "tensim.chip_run/1"},   {"scenario", scenario.file}, {"title", scenario.title},
                          {"arch", name(scenario.arch)},     {"outcome", name(run.kind)}, {"cycles", run.cycles},
                          {"tiles", nlohmann::json::array()}};
  document["failed_expectations"] = run.failed_expectations;
  if (!run.problem.empty()) {
    document["problem"] = run.problem;
    return document;
  }
  const TileNames names = names_of_tiles(scenario, run);
  for (const TileResult& tile : run.tiles) {
    nlohmann::json entry = outcome_json(run.scenario_of(scenario, tile), tile.outcome, names);
    for (const char* const of_run : {"schema", "scenario", "title", "arch"})
      entry.erase(of_run);
    entry["at"] = {tile.at.x, tile.at.y};
    document["tiles"].push_back(std::move(entry));
  }
  for (const scenario::OtherTile& other : run.others)
    document["others"].push_back(
        {{"at_noc_0", {other.place.x, other.place.y}},
         {"kind", noc::name(run.chip->plan().kind(other.place))},
         {"explanation", details_text(style_of(Format::plain), run.nothing, other.outcome, names)}});
  for (const chip::Unanswered& request : run.unanswered)
    document["unanswered"].push_back(text_of(names, request));
  document["hang"] = chip_hang_json(names, run.hang);
  if (run.races) document["races"] = races_json(race_sites(scenario, run), run.races->races);
  if (run.path) document["critical_path"] = path_json(path_sites(scenario, run), run.path->path);
  if (packets != nullptr) {
    document["packets"] = packets_json(names, *packets);
    document["packets_left_out"] = packets->left_out();
  }
  return document;
}

}  // namespace

RaceSites race_sites(const Scenario& scenario, const ChipRun& run) {
  return {scenario.arch, names_of_tiles(scenario, run), run.races->places};
}

std::string chip_report(const Scenario& scenario, const ChipRun& run, Format format,
                        const explain::FirstPackets* packets) {
  return format == Format::json ? document_text(to_json(scenario, run, packets))
                                : to_text(style_of(format), scenario, run);
}

void check_texts(const Scenario& scenario, ChipRun& run) {
  for (TileResult& tile : run.tiles)
    check_texts(run.scenario_of(scenario, tile), tile.outcome);
}

}  // namespace tensim::report
