#include "scenario/scenario.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>

#include "isa/assembler/suggest.hpp"
#include "scenario/places.hpp"
#include "scenario/scenario_reader.hpp"
#include "scenario/toml_text.hpp"
#include "text/printable.hpp"

namespace tensim::scenario {

namespace {

constexpr std::array<std::pair<std::string_view, CoreBit>, 5> core_names{
    {{"B", B}, {"T0", T0}, {"T1", T1}, {"T2", T2}, {"NC", NC}}};

}  // namespace

std::variant<Scenario, Problem> ScenarioReader::read(const toml::table& root) {
  const std::vector<std::string_view> keys{"title", "arch",    "budget", "fill",   "T0",     "T1",
                                           "T2",    "initial", "timing", "action", "expect", "memory",
                                           "cores", "until",   "chip",   "tile",   "dram",   "races_meant"};
  if (!(known_keys(root, keys, "scenario") && header(root) && chip(root) && programs(root) && cores(root) &&
        memory(root) && initial(root) && timing(root) && actions(root) && words(root, "until", scenario_.until) &&
        expectations(root) && races_meant(root) && is_consistent(root) && tiles(root)))
    return problem_;
  // Every path has been followed: from here on it is only shown.
  scenario_.file = text::printable(scenario_.file);
  return std::move(scenario_);
}

namespace {

/// The message, with the place in front of it as far as it is known.
Problem problem_at(isa::SourceLocation at, std::string_view message) {
  std::string place = at.file;
  if (at.line != 0) place += fmt::format(":{}", at.line);
  if (at.line != 0 && at.column != 0) place += fmt::format(":{}", at.column);
  return {fmt::format("{}: {}", place, message), std::move(at)};
}

isa::SourceLocation location(const std::string& file, const toml::source_region& region) {
  return {file, region.begin.line, region.begin.column};
}

}  // namespace

bool ScenarioReader::fail(const toml::node* where, std::string_view message) {
  return fail(where != nullptr ? where->source() : toml::source_region{}, message);
}

bool ScenarioReader::fail(const toml::source_region& where, std::string_view message) {
  problem_ = problem_at(location(scenario_.file, where), message);
  return false;
}

bool ScenarioReader::string(const toml::table& table, std::string_view key, std::string& into) {
  const toml::node* node = table.get(key);
  if (node == nullptr) return true;
  const auto value = node->value_exact<std::string>();
  if (!value) return fail(node, fmt::format("{} must be a string", key));
  into = *value;
  return true;
}

bool ScenarioReader::boolean(const toml::table& table, std::string_view key, bool& into) {
  const toml::node* node = table.get(key);
  if (node == nullptr) return true;
  const auto value = node->value_exact<bool>();
  if (!value) return fail(node, fmt::format("{} must be true or false", key));
  into = *value;
  return true;
}

bool ScenarioReader::not_both(const toml::table& table, std::string_view one, std::string_view other) {
  const toml::node* node = table.get(other);
  if (!table.contains(one) || node == nullptr) return true;
  return fail(node, fmt::format("{} and {} do not go together: leave one out", one, other));
}

bool ScenarioReader::known_keys(const toml::table& table, const std::vector<std::string_view>& known,
                                std::string_view what) {
  for (const auto& [key, value] : table)
    if (std::ranges::find(known, key.str()) == known.end())
      return fail(key.source(), fmt::format("{} has no '{}'{}", what, key.str(), isa::suggestion(key.str(), known)));
  return true;
}

const toml::table* ScenarioReader::table(const toml::table& parent, std::string_view key, bool& ok) {
  const toml::node* node = parent.get(key);
  if (node == nullptr) return nullptr;
  if (const toml::table* found = node->as_table()) return found;
  ok = fail(node, fmt::format("{} must be a table", key));
  return nullptr;
}

bool ScenarioReader::header(const toml::table& root) {
  if (!string(root, "title", scenario_.title)) return false;
  scenario_.title = text::printable(scenario_.title);
  if (const toml::node* node = root.get("arch")) {
    const auto arch = parse_arch(node->value_or(std::string()));
    if (!arch) return fail(node, "arch must be \"wormhole\" or \"blackhole\"");
    scenario_.arch = *arch;
  }
  if (const toml::node* node = root.get("fill")) {
    const auto fill = tensix::parse_fill(node->value_or(std::string()));
    if (!fill) return fail(node, "fill must be \"zero\", \"ones\" or \"random:SEED\"");
    scenario_.fill = *fill;
  }
  return number(root, "budget", scenario_.budget, 1, std::int64_t{1} << 60U);
}

bool ScenarioReader::is_consistent(const toml::table& root) {
  if (scenario_.runs_chip()) return true;  // nothing of this is at its top level
  const bool feeds =
      std::ranges::any_of(scenario_.threads, [](const ThreadProgram& program) { return !program.words.empty(); });
  const bool scripts = !scenario_.actions.empty();
  if (scenario_.runs_cores() && (feeds || scripts))
    return fail(root.get("cores"),
                "cores that run programs push instructions themselves: no T0, T1, T2 or [[action]] beside them");
  if (scenario_.runs_cores()) return true;
  if (!scenario_.until.empty()) return fail(nullptr, "until is for scenarios with programs on cores: [cores]");
  if (scenario_.memory.empty() && !scenario_.expect.memory.empty())
    return fail(nullptr, "a scenario without programs on cores has L1 if it says what is there: [[memory]]");
  return true;
}

bool ScenarioReader::timing(const toml::table& root) {
  bool ok = true;
  const toml::table* list = table(root, "timing", ok);
  if (list == nullptr) return ok;
  std::vector<std::string_view> parameters;
  for (const TimingRow& row : timing_rows)
    if (row.role == Role::parameter && row.on(scenario_.arch).exists()) parameters.push_back(row.name);
  if (!known_keys(*list, parameters, "timing")) return false;
  Timing given(scenario_.arch);
  for (const auto& [key, node] : *list) {
    const std::optional<double> cycles = node.value<double>();
    if (!cycles || given.set(key.str(), *cycles) != Timing::Refusal::none) {
      const TimingRange& range = std::ranges::find(timing_rows, key.str(), &TimingRow::name)->range;
      return fail(&node, fmt::format("{} must be a {}number from {} to {}", key.str(), range.is_whole ? "whole " : "",
                                     range.least, range.most));
    }
    scenario_.timing.emplace(key.str(), *cycles);
  }
  return true;
}

bool ScenarioReader::races_meant(const toml::table& root) {
  const toml::node* node = root.get("races_meant");
  if (node == nullptr) return true;
  const toml::array* list = node->as_array();
  if (list == nullptr) return fail(node, "races_meant = [\"SECOND / FIRST\", ...]");
  for (const toml::node& item : *list) {
    const auto line = item.value_exact<std::string>();
    if (!line || line->find(" / ") == std::string::npos)
      return fail(&item, "a race that is meant is written as \"SECOND / FIRST\", as reports have them");
    scenario_.races_meant.push_back(*line);
  }
  return true;
}

bool ScenarioReader::actions(const toml::table& root) {
  const toml::node* node = root.get("action");
  if (node == nullptr) return true;
  const toml::array* list = node->as_array();
  if (list == nullptr) return fail(node, "actions are written as [[action]]");
  for (const toml::node& item : *list) {
    const toml::table* entry = item.as_table();
    if (entry == nullptr) return fail(&item, "actions are written as [[action]]");
    if (!known_keys(*entry, {"cycle", "core", "store", "load", "expect"}, "action") || !action(*entry, item))
      return false;
  }
  return true;
}

bool ScenarioReader::action(const toml::table& entry, const toml::node& where) {
  CoreAction action;
  action.line = where.source().begin.line;
  if (!number(entry, "cycle", action.cycle, 0, std::int64_t{1} << 60U)) return false;
  const std::string core = entry["core"].value_or(std::string());
  const auto* found = std::ranges::find(core_names, core, &std::pair<std::string_view, CoreBit>::first);
  if (found == core_names.end()) return fail(&where, "core must be \"B\", \"T0\", \"T1\", \"T2\" or \"NC\"");
  action.core = found->second;
  action.is_store = entry.contains("store");
  if (action.is_store == entry.contains("load"))
    return fail(&where, "an action has either store = [address, value] or load = address");
  if (!action.is_store) {
    action.checks = entry.contains("expect");
    return number(entry, "load", action.address, 0, 0xFFFF'FFFF) &&
           number(entry, "expect", action.value, 0, 0xFFFF'FFFF) && add(action);
  }
  const toml::array* pair = entry["store"].as_array();
  if (pair == nullptr || pair->size() != 2) return fail(&where, "store = [address, value]");
  const auto address = pair->get(0)->value_exact<std::int64_t>();
  if (!address || *address < 0 || *address > 0xFFFF'FFFF) return fail(&where, "the address must be a 32-bit number");
  action.address = static_cast<std::uint32_t>(*address);
  // The value may be an instruction: stores to instruction buffers read better so.
  if (const auto value = pair->get(1)->value_exact<std::int64_t>(); value && *value >= 0 && *value <= 0xFFFF'FFFF) {
    action.value = static_cast<std::uint32_t>(*value);
    return add(action);
  }
  const isa::Assembly assembly =
      isa::assemble(scenario_.arch, pair->get(1)->value_or(std::string("?")), scenario_.file);
  if (!assembly.ok() || assembly.words.size() != 1)
    return fail(&where, "the value must be a 32-bit number or one instruction in quotes");
  action.value = assembly.words.front().word;
  return add(action);
}

bool ScenarioReader::add(const CoreAction& action) {
  auto& actions = scenario_.actions;
  actions.insert(std::ranges::upper_bound(actions, action.cycle, {}, &CoreAction::cycle), action);
  return true;
}

bool ScenarioReader::words(const toml::table& parent, std::string_view key, std::vector<NamedWord>& into) {
  bool ok = true;
  const toml::table* list = table(parent, key, ok);
  if (list == nullptr) return ok;
  for (const auto& [name, value] : *list) {
    const auto number = value.value_exact<std::int64_t>();
    const auto address = address_of(scenario_, name.str());
    if (!address || !is_word_of_l1(scenario_.arch, *address))
      return fail(&value, fmt::format("'{}' is no word of L1: expected an address or CORE:VARIABLE", name.str()));
    if (!number || *number < 0 || *number > 0xFFFF'FFFF) return fail(&value, "expected a 32-bit number");
    into.push_back({text::printable(name.str()), *address, static_cast<std::uint32_t>(*number)});
  }
  return true;
}

bool ScenarioReader::expectations(const toml::table& root) {
  bool ok = true;
  const toml::table* list = table(root, "expect", ok);
  if (list == nullptr) return ok;
  Expectations& expect = scenario_.expect;
  static const std::vector<std::string_view> of_chip{"outcome", "cycles", "dram"};
  static const std::vector<std::string_view> of_tile{"outcome", "cycles", "issued", "last_issue", "semaphores",
                                                     "mutexes", "gprs",   "stuck",  "memory",     "dram"};
  if (!known_keys(*list, scenario_.runs_chip() ? of_chip : of_tile, "expect")) return false;
  if (const toml::node* node = list->get("outcome")) {
    for (const OutcomeKind kind :
         {OutcomeKind::finished, OutcomeKind::deadlocked, OutcomeKind::faulted, OutcomeKind::budget_exhausted})
      if (name(kind) == node->value_or(std::string())) expect.outcome = kind;
    if (!expect.outcome)
      return fail(node, "outcome must be \"finished\", \"deadlocked\", \"faulted\" or \"budget exhausted\"");
  }
  if (list->contains("cycles")) {
    Cycle cycles = 0;
    if (!number(*list, "cycles", cycles, 0, std::int64_t{1} << 60U)) return false;
    expect.cycles = cycles;
  }
  return per_thread(*list, "issued", expect.issued) && per_thread(*list, "last_issue", expect.last_issue) &&
         semaphores(*list, expect.semaphores) && mutexes(*list, expect.mutexes) && gprs(*list, expect.gprs) &&
         words(*list, "memory", expect.memory) && stuck(*list) && dram(*list, "dram", expect.dram);
}

bool ScenarioReader::stuck(const toml::table& parent) {
  bool ok = true;
  const toml::table* list = table(parent, "stuck", ok);
  if (list == nullptr) return ok;
  for (const auto& [key, value] : *list) {
    const toml::array* texts = value.as_array();
    static const std::vector<std::string_view> agents{"T0",    "T1",     "T2",     "unpacker 0", "unpacker 1",
                                                      "BRISC", "TRISC0", "TRISC1", "TRISC2",     "NCRISC"};
    if (std::ranges::find(agents, key.str()) == agents.end())
      return fail(&value, fmt::format("no agent is called '{}'{}", key.str(), isa::suggestion(key.str(), agents)));
    if (texts == nullptr) return fail(&value, "expected stuck.T0 = [ texts of the explanation ]");
    auto& into = scenario_.expect.stuck[std::string(key.str())];
    for (const toml::node& text : *texts)
      into.push_back(text::printable(text.value_or(std::string())));
  }
  return true;
}

Timing timing_of(const Scenario& scenario) {
  Timing timing(scenario.arch);
  for (const auto& [row, cycles] : scenario.timing)
    static_cast<void>(timing.set(row, cycles));  // the reader has refused what cannot be set
  return timing;
}

std::optional<std::uint32_t> address_of(const Scenario& scenario, std::string_view name) {
  const std::size_t colon = name.find(':');
  if (colon == std::string_view::npos) {
    const bool is_hex = name.starts_with("0x");
    if (is_hex) name.remove_prefix(2);
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), value, is_hex ? 16 : 10);
    if (error != std::errc{} || end != name.data() + name.size() || name.empty()) return std::nullopt;
    return value;
  }
  for (const TileGroup& group : scenario.tiles)
    if (const auto found = address_of(group.tile, name)) return found;
  for (unsigned i = 0; i < tile::core_count; ++i) {
    std::string core(tile::core_names[i]);
    std::ranges::transform(core, core.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (core != name.substr(0, colon) || !scenario.cores[i]) continue;
    const program::Symbol* symbol = scenario.cores[i]->image.source->symbol(name.substr(colon + 1));
    return symbol == nullptr ? std::nullopt : std::optional(symbol->address);
  }
  return std::nullopt;
}

std::variant<Scenario, Problem> parse_scenario(std::string_view text, const std::string& file, const FileLoader& load) {
  if (const auto line = stray_character_line(text))
    return problem_at({file, *line, 0}, "a character beyond ASCII, outside of strings and comments");
  const toml::parse_result parsed = toml::parse(text, file);
  if (!parsed) return problem_at(location(file, parsed.error().source()), parsed.error().description());
  return ScenarioReader(text, file, load).read(parsed.table());
}

}  // namespace tensim::scenario
