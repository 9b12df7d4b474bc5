#include "scenario/scenario.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>

#include "arch/sizes.hpp"
#include "isa/assembler/suggest.hpp"
#include "scenario/scenario_reader.hpp"
#include "scenario/toml_text.hpp"

namespace tensim::scenario {

namespace {

constexpr std::array<std::pair<std::string_view, CoreBit>, 5> core_names{
    {{"B", B}, {"T0", T0}, {"T1", T1}, {"T2", T2}, {"NC", NC}}};

}  // namespace

std::variant<Scenario, std::string> ScenarioReader::read(const toml::table& root) {
  const std::vector<std::string_view> keys{"title",   "arch",   "budget", "fill",   "T0",     "T1",    "T2",
                                           "initial", "timing", "action", "expect", "memory", "cores", "until"};
  if (!(known_keys(root, keys, "scenario") && header(root) && programs(root) && cores(root) && memory(root) &&
        initial(root) && timing(root) && actions(root) && words(root, "until", scenario_.until) && expectations(root) &&
        is_consistent(root)))
    return problem_;
  return std::move(scenario_);
}

bool ScenarioReader::fail(const toml::node* where, std::string message) {
  const unsigned line = where != nullptr ? where->source().begin.line : 0;
  problem_ = line != 0 ? fmt::format("{}:{}: {}", scenario_.file, line, message)
                       : fmt::format("{}: {}", scenario_.file, message);
  return false;
}

bool ScenarioReader::known_keys(const toml::table& table, const std::vector<std::string_view>& known,
                                std::string_view what) {
  for (const auto& [key, value] : table)
    if (std::ranges::find(known, key.str()) == known.end())
      return fail(&value, fmt::format("{} has no '{}'{}", what, key.str(), isa::suggestion(key.str(), known)));
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
  scenario_.title = root["title"].value_or(std::string());
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
  const bool feeds =
      std::ranges::any_of(scenario_.threads, [](const ThreadProgram& program) { return !program.words.empty(); });
  const bool scripts = !scenario_.actions.empty();
  if (scenario_.runs_cores() && (feeds || scripts))
    return fail(root.get("cores"),
                "cores that run programs push instructions themselves: no T0, T1, T2 or [[action]] beside them");
  if (!scenario_.runs_cores() &&
      (!scenario_.memory.empty() || !scenario_.until.empty() || !scenario_.expect.memory.empty()))
    return fail(nullptr, "memory and until are for scenarios with programs on cores: [cores]");
  return true;
}

bool ScenarioReader::timing(const toml::table& root) {
  bool ok = true;
  const toml::table* list = table(root, "timing", ok);
  if (list == nullptr) return ok;
  tensix::Parameters& parameters = scenario_.parameters;
  constexpr std::int64_t most = 1'000'000'000;
  return known_keys(*list, {"unpack_data_cycles", "pack_data_cycles", "mover_cycles", "scalar_memory_cycles"},
                    "timing") &&
         number(*list, "unpack_data_cycles", parameters.unpack_data_cycles, 1, most) &&
         number(*list, "pack_data_cycles", parameters.pack_data_cycles, 1, most) &&
         number(*list, "mover_cycles", parameters.mover_cycles, 1, most) &&
         number(*list, "scalar_memory_cycles", parameters.scalar_memory_cycles, 1, most);
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
    if (!address || *address % 4 != 0 || *address + 4 > size(scenario_.arch, "l1_bytes"_size))
      return fail(&value, fmt::format("'{}' is no word of L1: expected an address or CORE:VARIABLE", name.str()));
    if (!number || *number < 0 || *number > 0xFFFF'FFFF) return fail(&value, "expected a 32-bit number");
    into.push_back({std::string(name.str()), *address, static_cast<std::uint32_t>(*number)});
  }
  return true;
}

bool ScenarioReader::expectations(const toml::table& root) {
  bool ok = true;
  const toml::table* list = table(root, "expect", ok);
  if (list == nullptr) return ok;
  Expectations& expect = scenario_.expect;
  if (!known_keys(*list,
                  {"outcome", "cycles", "issued", "last_issue", "semaphores", "mutexes", "gprs", "stuck", "memory"},
                  "expect"))
    return false;
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
         words(*list, "memory", expect.memory) && stuck(*list);
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
      into.push_back(text.value_or(std::string()));
  }
  return true;
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
  for (unsigned i = 0; i < tile::core_count; ++i) {
    std::string core(tile::core_names[i]);
    std::ranges::transform(core, core.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (core != name.substr(0, colon) || !scenario.cores[i]) continue;
    const program::Symbol* symbol = scenario.cores[i]->image.source->symbol(name.substr(colon + 1));
    return symbol == nullptr ? std::nullopt : std::optional(symbol->address);
  }
  return std::nullopt;
}

std::variant<Scenario, std::string> parse_scenario(std::string_view text, const std::string& file,
                                                   const FileLoader& load) {
  if (const auto line = stray_character_line(text))
    return fmt::format("{}:{}: a character beyond ASCII, outside of strings and comments", file, *line);
  const toml::parse_result parsed = toml::parse(text, file);
  if (!parsed) return fmt::format("{}:{}: {}", file, parsed.error().source().begin.line, parsed.error().description());
  return ScenarioReader(text, file, load).read(parsed.table());
}

}  // namespace tensim::scenario
