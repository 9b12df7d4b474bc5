// Scenarios of several tiles: [chip], [[tile]] and [[dram]].
#include <algorithm>
#include <iterator>

#include "noc/dram_views.hpp"
#include "scenario/scenario_reader.hpp"
#include "scenario/tile_names.hpp"

namespace tensim::scenario {

/// A [[tile]] of the file, with the tiles that it is about.
struct ScenarioReader::Section {
  const toml::table* table;
  std::vector<noc::Coordinates> at;
};

bool ScenarioReader::chip(const toml::table& root) {
  if (!root.contains("tile") && !root.contains("chip") && !root.contains("dram")) return true;
  if (!root.contains("tile")) return fail(root.get(root.contains("chip") ? "chip" : "dram"), "this goes with [[tile]]");
  for (const std::string_view key : {"T0", "T1", "T2", "action"})
    if (const toml::node* node = root.get(key))
      return fail(node, fmt::format("{} is for scenarios of one tile: on several, programs run on cores", key));
  for (const std::string_view key : {"initial", "memory", "cores", "until"})
    if (const toml::node* node = root.get(key))
      return fail(node, fmt::format("in a scenario of several tiles, {} belongs to a [[tile]]", key));
  std::string plan(name(scenario_.arch));
  bool ok = true;
  const toml::table* chip = table(root, "chip", ok);
  if (!ok || (chip != nullptr && !(known_keys(*chip, {"plan"}, "chip") && string(*chip, "plan", plan)))) return false;
  const noc::ReadPlan read = noc::read_floor_plan(plan);
  if (!read.plan) return fail(chip == nullptr ? nullptr : chip->get("plan"), read.error);
  if (root.contains("arch") && read.plan->arch() != scenario_.arch)
    return fail(root.get("arch"), fmt::format("{} is a {}", plan, name(read.plan->arch())));
  scenario_.arch = read.plan->arch();
  scenario_.plan = std::make_shared<const noc::FloorPlan>(*read.plan);
  return dram(root, "dram", scenario_.dram);
}

bool ScenarioReader::dram(const toml::table& parent, std::string_view key, std::vector<DramContent>& into) {
  const toml::node* node = parent.get(key);
  if (node == nullptr) return true;
  const bool is_expected = &into == &scenario_.expect.dram;
  const std::string form = fmt::format("dram is written as [[{}dram]]", is_expected ? "expect." : "");
  if (!scenario_.runs_chip()) return fail(node, "dram belongs to the top level of a scenario with [[tile]]");
  const toml::array* list = node->as_array();
  if (list == nullptr) return fail(node, form);
  for (const toml::node& item : *list) {
    const toml::table* entry = item.as_table();
    if (entry == nullptr) return fail(&item, form);
    if (!known_keys(*entry, {"bank", "address", "words", "bytes", "file"}, "dram") || !dram_content(*entry, item, into))
      return false;
  }
  return true;
}

bool ScenarioReader::dram_content(const toml::table& entry, const toml::node& where, std::vector<DramContent>& into) {
  const auto last_bank = static_cast<std::int64_t>(noc::named_banks(*scenario_.plan)) - 1;
  const auto bank_bytes = static_cast<std::int64_t>(noc::dram_view_bytes(scenario_.arch));
  DramContent parsed;
  if (!number(entry, "bank", parsed.bank, 0, last_bank) ||
      !number(entry, "address", parsed.address, 0, bank_bytes - 1) || !data(entry, where, "dram", parsed.bytes))
    return false;
  if (parsed.address + parsed.bytes.size() > static_cast<std::uint64_t>(bank_bytes))
    return fail(entry.contains("address") ? entry.get("address") : &where,
                fmt::format("{} bytes at {:#x} are not in a bank, which has {:#x}", parsed.bytes.size(), parsed.address,
                            bank_bytes));
  into.push_back(std::move(parsed));
  return true;
}

bool ScenarioReader::tiles(const toml::table& root) {
  if (!scenario_.runs_chip()) return true;
  const toml::array* list = root["tile"].as_array();
  if (list == nullptr) return fail(root.get("tile"), "tiles are written as [[tile]]");
  std::vector<Section> sections;
  for (const toml::node& item : *list)
    if (!section(item, sections)) return false;
  // Tiles that the same sections are about are one group.
  std::vector<std::pair<std::vector<const Section*>, TileGroup>> groups;
  const NamedTiles all = named_tiles(*scenario_.plan, "all");
  for (const noc::Coordinates at : all.tiles) {
    std::vector<const Section*> about;
    for (const Section& section : sections)
      if (std::ranges::find(section.at, at) != section.at.end()) about.push_back(&section);
    if (about.empty()) continue;
    auto group = std::ranges::find(groups, about, [](const auto& entry) { return entry.first; });
    if (group == groups.end()) group = groups.insert(groups.end(), {about, {}});
    group->second.at.push_back(at);
  }
  for (auto& [about, group] : groups) {
    if (!this->group(about, group)) return false;
    scenario_.tiles.push_back(std::move(group));
  }
  return true;
}

bool ScenarioReader::section(const toml::node& item, std::vector<Section>& sections) {
  const toml::table* entry = item.as_table();
  if (entry == nullptr) return fail(&item, "tiles are written as [[tile]]");
  if (!known_keys(*entry, {"at", "cores", "memory", "initial", "until", "expect"}, "tile")) return false;
  const toml::node* at = entry->get("at");
  if (at == nullptr) return fail(&item, "a tile has at = [x, y], or at = \"0-3,0-3\" or \"all\"");
  std::string text = at->value_or(std::string());
  if (const toml::array* pair = at->as_array()) {
    const auto x = pair->size() == 2 ? pair->get(0)->value_exact<std::int64_t>() : std::nullopt;
    const auto y = pair->size() == 2 ? pair->get(1)->value_exact<std::int64_t>() : std::nullopt;
    if (!x || !y) return fail(at, "expected at = [x, y]");
    text = fmt::format("{},{}", *x, *y);
  }
  NamedTiles named = named_tiles(*scenario_.plan, text);
  if (!named.problem.empty()) return fail(at, named.problem);
  sections.push_back({entry, std::move(named.tiles)});
  return true;
}

/// What a tile runs is known before words are named by its programs' variables.
bool ScenarioReader::group(const std::vector<const Section*>& sections, TileGroup& into) {
  ScenarioReader reader(text_, scenario_.file, load_);
  reader.scenario_.title = scenario_.title;
  reader.scenario_.arch = scenario_.arch;
  reader.scenario_.budget = scenario_.budget;
  reader.scenario_.timing = scenario_.timing;
  reader.scenario_.fill = scenario_.fill;
  const auto read = [&](auto part) {
    return std::ranges::all_of(sections, [&](const Section* section) { return (reader.*part)(*section->table); });
  };
  if (!read(&ScenarioReader::section_programs) || !read(&ScenarioReader::section_words)) {
    problem_ = std::move(reader.problem_);
    return false;
  }
  into.tile = std::move(reader.scenario_);
  return true;
}

bool ScenarioReader::section_programs(const toml::table& table) {
  return cores(table) && memory(table) && initial(table);
}

bool ScenarioReader::section_words(const toml::table& table) {
  return words(table, "until", scenario_.until) && expectations(table);
}

void change_tiles(Scenario& scenario, const std::vector<noc::Coordinates>& tiles,
                  const std::function<void(Scenario&)>& change) {
  const auto is_meant = [&](noc::Coordinates at) { return std::ranges::find(tiles, at) != tiles.end(); };
  std::vector<noc::Coordinates> without_group = tiles;
  const std::size_t count = scenario.tiles.size();
  for (std::size_t i = 0; i < count; ++i) {
    TileGroup meant{.at = {}, .tile = scenario.tiles[i].tile};
    std::ranges::copy_if(scenario.tiles[i].at, std::back_inserter(meant.at), is_meant);
    if (meant.at.empty()) continue;
    for (const noc::Coordinates at : meant.at)
      std::erase(without_group, at);
    std::erase_if(scenario.tiles[i].at, is_meant);
    change(meant.tile);
    scenario.tiles.push_back(std::move(meant));
  }
  std::erase_if(scenario.tiles, [](const TileGroup& group) { return group.at.empty(); });
  if (without_group.empty()) return;
  TileGroup made{.at = without_group, .tile = {}};
  made.tile.arch = scenario.arch;
  made.tile.budget = scenario.budget;
  made.tile.timing = scenario.timing;
  made.tile.fill = scenario.fill;
  change(made.tile);
  scenario.tiles.push_back(std::move(made));
}

}  // namespace tensim::scenario
