#include <charconv>

#include "arch/mutexes.hpp"
#include "arch/semaphores.hpp"
#include "scenario/scenario_reader.hpp"
#include "tensix/frontend/mop_expander.hpp"

namespace tensim::scenario {

std::optional<unsigned> thread_of(std::string_view text) {
  for (unsigned thread = 0; thread < thread_count; ++thread)
    if (thread_names[thread] == text) return thread;
  return std::nullopt;
}

namespace {

/// Null if the chip does not have it.
const ConfigField* find_config_field(Arch arch, std::string_view name) {
  for (const auto& family : config_fields())
    for (const ConfigField& field : family)
      if (field.name == name && field.on(arch).exists()) return &field;
  return nullptr;
}

std::optional<unsigned> index_of(std::string_view text, unsigned below) {
  unsigned value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value >= below) return std::nullopt;
  return value;
}

std::optional<unsigned> semaphore_of(std::string_view text) {
  if (const tensim::Symbol* symbol = semaphore_index.find(text)) return symbol->value;
  return index_of(text, semaphore_count);
}

/// By name or number; none if the chip does not have it.
std::optional<unsigned> mutex_of(Arch arch, std::string_view text) {
  if (const tensim::Symbol* symbol = mutexes(arch).find(text)) return symbol->value;
  const auto index = index_of(text, tensix::SyncUnit::mutex_slots);
  return index && is_valid_mutex(arch, *index) ? index : std::nullopt;
}

/// "0 (MATH), 2 (UNPACK0)": the mutexes that there are.
std::string mutex_list(Arch arch) {
  std::string text;
  for (const tensim::Symbol& mutex : mutexes(arch).symbols)
    text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", mutex.value, mutex.name);
  return text;
}

}  // namespace

bool ScenarioReader::semaphores(const toml::table& parent, std::map<unsigned, SemaphoreState>& into) {
  bool ok = true;
  const toml::table* list = table(parent, "semaphores", ok);
  if (list == nullptr) return ok;
  for (const auto& [key, value] : *list) {
    const auto index = semaphore_of(key.str());
    const toml::table* state = value.as_table();
    if (!index || state == nullptr)
      return fail(&value, "expected SEMAPHORE = { value = N, max = N }, with a name or a number from 0 to 7");
    SemaphoreState parsed;
    if (!known_keys(*state, {"value", "max"}, "semaphore") || !number(*state, "value", parsed.value, 0, 15) ||
        !number(*state, "max", parsed.max, 0, 15))
      return false;
    into[*index] = parsed;
  }
  return true;
}

bool ScenarioReader::gprs(const toml::table& parent, std::map<std::pair<unsigned, unsigned>, std::uint32_t>& into) {
  bool ok = true;
  const toml::table* list = table(parent, "gprs", ok);
  if (list == nullptr) return ok;
  for (const auto& [key, value] : *list) {
    const auto thread = thread_of(key.str());
    const toml::table* registers = value.as_table();
    if (!thread || registers == nullptr) return fail(&value, "expected gprs.T0 = { 60 = value }");
    for (const auto& [number_key, content] : *registers) {
      const auto index = index_of(number_key.str(), 64);
      const auto word = content.value_exact<std::int64_t>();
      if (!index || !word || *word < 0 || *word > 0xFFFF'FFFF)
        return fail(&content, "expected a register from 0 to 63 and a 32-bit value");
      into[{*thread, *index}] = static_cast<std::uint32_t>(*word);
    }
  }
  return true;
}

bool ScenarioReader::mutexes(const toml::table& parent, std::map<unsigned, int>& into) {
  bool ok = true;
  const toml::table* list = table(parent, "mutexes", ok);
  if (list == nullptr) return ok;
  for (const auto& [key, value] : *list) {
    const auto index = mutex_of(scenario_.arch, key.str());
    if (!index)
      return fail(key.source(), fmt::format("{} has no mutex '{}'; it has {}", tensim::name(scenario_.arch), key.str(),
                                            mutex_list(scenario_.arch)));
    const std::string owner = value.value_or(std::string());
    const auto thread = thread_of(owner);
    if (!thread && owner != "nobody") return fail(&value, "expected \"T0\", \"T1\", \"T2\" or \"nobody\" as owner");
    into[*index] = thread ? static_cast<int>(*thread) : -1;
  }
  return true;
}

bool ScenarioReader::initial(const toml::table& root) {
  bool ok = true;
  const toml::table* state = table(root, "initial", ok);
  if (state == nullptr) return ok;
  if (!known_keys(
          *state,
          {"semaphores", "mutexes", "gprs", "src_a_valid", "src_b_valid", "config", "thread_config", "mop", "streams"},
          "initial"))
    return false;
  return boolean(*state, "src_a_valid", scenario_.src_a_valid) &&
         boolean(*state, "src_b_valid", scenario_.src_b_valid) && semaphores(*state, scenario_.semaphores) &&
         gprs(*state, scenario_.gprs) && mutexes(*state, scenario_.mutexes) && config(*state) &&
         thread_config(*state) && mop(*state) && streams(*state);
}

bool ScenarioReader::streams(const toml::table& state) {
  bool ok = true;
  const toml::table* list = table(state, "streams", ok);
  if (list == nullptr) return ok;
  for (const auto& [key, value] : *list) {
    const auto index = index_of(key.str(), tensix::stream_count);
    const toml::table* counts = value.as_table();
    if (!index || counts == nullptr)
      return fail(&value, "expected a stream from 0 to 63 and { phase = N, messages = N }");
    tensix::StreamCounts& into = scenario_.streams[*index];
    if (!known_keys(*counts, {"phase", "messages", "registers"}, "stream") ||
        !number(*counts, "phase", into.phase, 0, 0xFFFFF) || !number(*counts, "messages", into.messages, 0, 0x1FFFF) ||
        !stream_registers(*counts, into))
      return false;
  }
  return true;
}

bool ScenarioReader::stream_registers(const toml::table& counts, tensix::StreamCounts& into) {
  constexpr unsigned registers = 1024;
  bool ok = true;
  const toml::table* list = table(counts, "registers", ok);
  if (list == nullptr) return ok;
  for (const auto& [key, value] : *list) {
    const auto index = index_of(key.str(), registers);
    const auto content = value.value<std::int64_t>();
    if (!index || !content || *content < 0 || *content > 0xFFFFFFFF)
      return fail(&value, "expected a register from 0 to 1023 and 32 bits");
    if (!into.registers.push_back({static_cast<std::uint16_t>(*index), static_cast<std::uint32_t>(*content)}))
      return fail(&value, "a stream can be given four registers at most");
  }
  return true;
}

bool ScenarioReader::config(const toml::table& state) {
  bool ok = true;
  const toml::table* list = table(state, "config", ok);
  if (list == nullptr) return ok;
  for (const auto& [key, value] : *list) {
    const ConfigField* const field = find_config_field(scenario_.arch, key.str());
    if (field == nullptr)
      return fail(key.source(),
                  fmt::format("{} has no configuration field '{}'", tensim::name(scenario_.arch), key.str()));
    const auto content = value.value_exact<std::int64_t>();
    if (!content || *content < 0 || *content > field->on(scenario_.arch).mask())
      return fail(&value, fmt::format("expected a number of at most {} bits", field->on(scenario_.arch).width));
    scenario_.config.emplace_back(field, static_cast<std::uint32_t>(*content));
  }
  return true;
}

bool ScenarioReader::thread_config(const toml::table& state) {
  const toml::node* node = state.get("thread_config");
  if (node == nullptr) return true;
  const toml::array* list = node->as_array();
  if (list == nullptr) return fail(node, "thread_config must be a list of { thread, word, value }");
  for (const toml::node& item : *list) {
    const toml::table* entry = item.as_table();
    if (entry == nullptr || !known_keys(*entry, {"thread", "word", "value"}, "thread_config"))
      return entry == nullptr ? fail(&item, "expected { thread, word, value }") : false;
    const auto thread = thread_of((*entry)["thread"].value_or(std::string()));
    if (!thread) return fail(&item, "thread must be \"T0\", \"T1\" or \"T2\"");
    unsigned word = 0;
    std::uint16_t value = 0;
    if (!number(*entry, "word", word, 0, tensix::thread_config_words(scenario_.arch) - 1) ||
        !number(*entry, "value", value, 0, 0xFFFF))
      return false;
    scenario_.thread_config.emplace_back(*thread, word, value);
  }
  return true;
}

bool ScenarioReader::mop(const toml::table& state) {
  bool ok = true;
  const toml::table* list = table(state, "mop", ok);
  if (list == nullptr) return ok;
  for (const auto& [key, value] : *list) {
    const auto thread = thread_of(key.str());
    const toml::array* words = value.as_array();
    if (!thread || words == nullptr || words->size() != tensix::MopExpander::config_words)
      return fail(&value, "expected mop.T0 = [ nine words ]");
    std::array<isa::Word, tensix::MopExpander::config_words> parsed{};
    for (std::size_t i = 0; i < parsed.size(); ++i) {
      const toml::node& word = *words->get(i);
      if (const auto literal = word.value_exact<std::int64_t>(); literal && *literal >= 0 && *literal <= 0xFFFF'FFFF) {
        parsed[i] = static_cast<isa::Word>(*literal);
        continue;
      }
      const isa::Assembly assembly = isa::assemble(scenario_.arch, word.value_or(std::string("?")), scenario_.file);
      if (!assembly.ok() || assembly.words.size() != 1)
        return fail(&word, "expected a 32-bit number or one instruction in quotes");
      parsed[i] = assembly.words.front().word;
    }
    scenario_.mop_config.emplace_back(*thread, parsed);
  }
  return true;
}

}  // namespace tensim::scenario
