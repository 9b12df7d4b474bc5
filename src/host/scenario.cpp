#include "host/scenario.hpp"

#include <fmt/format.h>

#define TOML_EXCEPTIONS 0
#include <algorithm>
#include <cctype>
#include <charconv>

#include <toml++/toml.h>

#include "arch/semaphores.hpp"
#include "arch/sizes.hpp"
#include "host/toml_text.hpp"
#include "isa/assembler/suggest.hpp"
#include "tensix/frontend/mop_expander.hpp"

namespace tensim::host {

std::string_view name(OutcomeKind kind) {
  switch (kind) {
    case OutcomeKind::finished: return "finished";
    case OutcomeKind::deadlocked: return "deadlocked";
    case OutcomeKind::faulted: return "faulted";
    case OutcomeKind::budget_exhausted: return "budget exhausted";
    case OutcomeKind::interrupted: return "interrupted";
  }
  return "?";
}

namespace {

constexpr std::array<std::string_view, 3> thread_names{"T0", "T1", "T2"};
constexpr std::array<std::pair<std::string_view, CoreBit>, 5> core_names{
    {{"B", B}, {"T0", T0}, {"T1", T1}, {"T2", T2}, {"NC", NC}}};

/// Reads a parsed document into a scenario. The first problem ends it.
class Reader {
 public:
  Reader(std::string_view text, std::string file, const FileLoader& load) : text_(text), load_(load) {
    scenario_.file = std::move(file);
  }

  std::variant<Scenario, std::string> read(const toml::table& root) {
    const std::vector<std::string_view> keys{"title",   "arch",   "budget", "fill",   "T0",     "T1",    "T2",
                                             "initial", "timing", "action", "expect", "memory", "cores", "until"};
    if (!(known_keys(root, keys, "scenario") && header(root) && programs(root) && cores(root) && memory(root) &&
          initial(root) && timing(root) && actions(root) && words(root, "until", scenario_.until) &&
          expectations(root) && is_consistent(root)))
      return problem_;
    return std::move(scenario_);
  }

 private:
  bool fail(const toml::node* where, std::string message) {
    const unsigned line = where != nullptr ? where->source().begin.line : 0;
    problem_ = line != 0 ? fmt::format("{}:{}: {}", scenario_.file, line, message)
                         : fmt::format("{}: {}", scenario_.file, message);
    return false;
  }

  bool known_keys(const toml::table& table, const std::vector<std::string_view>& known, std::string_view what) {
    for (const auto& [key, value] : table)
      if (std::ranges::find(known, key.str()) == known.end())
        return fail(&value, fmt::format("{} has no '{}'{}", what, key.str(), isa::suggestion(key.str(), known)));
    return true;
  }

  /// A number at `key`, within bounds; absent is fine.
  template <class T>
  bool number(const toml::table& table, std::string_view key, T& into, std::int64_t min, std::int64_t max) {
    const toml::node* node = table.get(key);
    if (node == nullptr) return true;
    const auto value = node->value_exact<std::int64_t>();
    if (!value || *value < min || *value > max)
      return fail(node, fmt::format("{} must be a number from {} to {}", key, min, max));
    into = static_cast<T>(*value);
    return true;
  }

  const toml::table* table(const toml::table& parent, std::string_view key, bool& ok) {
    const toml::node* node = parent.get(key);
    if (node == nullptr) return nullptr;
    if (const toml::table* found = node->as_table()) return found;
    ok = fail(node, fmt::format("{} must be a table", key));
    return nullptr;
  }

  bool header(const toml::table& root) {
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

  bool programs(const toml::table& root) {
    for (unsigned thread = 0; thread < thread_count; ++thread) {
      bool ok = true;
      const toml::table* program = table(root, thread_names[thread], ok);
      if (!ok || (program != nullptr && !this->program(*program, thread))) return false;
    }
    return true;
  }

  /// brisc = "boot.elf", or trisc0 = { elf = "unpack.elf", held = true }, or { raw = "code.bin", address = 0x6000 }
  bool cores(const toml::table& root) {
    bool ok = true;
    const toml::table* list = table(root, "cores", ok);
    if (list == nullptr) return ok;
    for (const auto& [key, value] : *list) {
      const auto core = core_called(key.str());
      if (!core)
        return fail(&value, fmt::format("no core is called '{}': brisc, trisc0, trisc1, trisc2, ncrisc", key.str()));
      if (!core_program(value, *core)) return false;
    }
    return true;
  }

  static std::optional<unsigned> core_called(std::string_view text) {
    constexpr std::array<std::string_view, tile::core_count> names{"brisc", "trisc0", "trisc1", "trisc2", "ncrisc"};
    const auto* found = std::ranges::find(names, text);
    if (found == names.end()) return std::nullopt;
    return static_cast<unsigned>(found - names.begin());
  }

  bool core_program(const toml::node& node, unsigned core) {
    const toml::table* options = node.as_table();
    if (options != nullptr && !known_keys(*options, {"elf", "raw", "address", "held"}, "core")) return false;
    const bool is_raw = options != nullptr && options->contains("raw");
    const std::string path =
        options == nullptr ? node.value_or(std::string()) : (*options)[is_raw ? "raw" : "elf"].value_or(std::string());
    if (path.empty()) return fail(&node, "expected a file, { elf = FILE } or { raw = FILE, address = N }");
    std::uint32_t address = 0;
    if (options != nullptr && !number(*options, "address", address, 0, 0xFFFF'FFFF)) return false;
    const std::optional<std::vector<std::uint8_t>> bytes = content(node, path);
    if (!bytes) return false;
    auto image = is_raw ? read_raw_image(*bytes, address, path) : read_elf_image(*bytes, path);
    if (const auto* problem = std::get_if<std::string>(&image)) return fail(&node, *problem);
    scenario_.cores[core] = {std::move(std::get<Image>(image)),
                             options != nullptr && (*options)["held"].value_or(false)};
    return true;
  }

  std::optional<std::vector<std::uint8_t>> content(const toml::node& node, const std::string& path) {
    const isa::LoadedText loaded = load_ ? load_(beside(path)) : isa::LoadedText{};
    if (loaded.text) return std::vector<std::uint8_t>(loaded.text->begin(), loaded.text->end());
    fail(&node, fmt::format("cannot read '{}': {}", path, loaded.problem.empty() ? "no files here" : loaded.problem));
    return std::nullopt;
  }

  /// [[memory]] address = 0x20000, words = [1, 2] or file = "input.bin"
  bool memory(const toml::table& root) {
    const toml::node* node = root.get("memory");
    if (node == nullptr) return true;
    const toml::array* list = node->as_array();
    if (list == nullptr) return fail(node, "memory is written as [[memory]]");
    for (const toml::node& item : *list) {
      const toml::table* entry = item.as_table();
      if (entry == nullptr) return fail(&item, "memory is written as [[memory]]");
      if (!known_keys(*entry, {"address", "words", "file"}, "memory") || !memory_content(*entry, item)) return false;
    }
    return true;
  }

  bool memory_content(const toml::table& entry, const toml::node& where) {
    MemoryContent parsed;
    if (!number(entry, "address", parsed.address, 0, 0xFFFF'FFFF)) return false;
    if (const toml::node* file = entry.get("file")) {
      auto bytes = content(*file, file->value_or(std::string()));
      if (!bytes) return false;
      parsed.bytes = std::move(*bytes);
    }
    const toml::node* words = entry.get("words");
    const toml::array* list = words == nullptr ? nullptr : words->as_array();
    if ((words != nullptr && list == nullptr) || (words == nullptr && !entry.contains("file")))
      return fail(&where, "memory has words = [ ... ] or file = \"...\"");
    for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
      const auto value = list->get(i)->value_exact<std::int64_t>();
      if (!value || *value < 0 || *value > 0xFFFF'FFFF) return fail(list->get(i), "expected a 32-bit number");
      for (unsigned byte = 0; byte < 4; ++byte)
        parsed.bytes.push_back(static_cast<std::uint8_t>(*value >> (8 * byte)));
    }
    scenario_.memory.push_back(std::move(parsed));
    return true;
  }

  /// "0x20000" = 5, "trisc1:done" = 1
  bool words(const toml::table& parent, std::string_view key, std::vector<NamedWord>& into) {
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

  /// Either threads are fed and cores scripted, or cores run programs.
  bool is_consistent(const toml::table& root) {
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

  bool program(const toml::table& table, unsigned thread) {
    if (!known_keys(table, {"program", "file", "cycles_per_word", "start"}, thread_names[thread])) return false;
    ThreadProgram& program = scenario_.threads[thread];
    if (!number(table, "cycles_per_word", program.cycles_per_word, 1, 1'000'000) ||
        !number(table, "start", program.start, 0, std::int64_t{1} << 60U))
      return false;
    std::string text = table["program"].value_or(std::string());
    std::string file = scenario_.file;
    unsigned first_line = 0;  // what to add to the program's own line numbers
    if (const toml::node* node = table.get("program"))
      first_line = node->source().begin.line - (begins_on_next_line(node->source().begin) ? 0U : 1U);
    if (const toml::node* node = table.get("file")) {
      file = beside(node->value_or(std::string()));
      isa::LoadedText loaded = load_ ? load_(file) : isa::LoadedText{};
      if (!loaded.text)
        return fail(
            node, fmt::format("cannot read '{}': {}", file, loaded.problem.empty() ? "no files here" : loaded.problem));
      text = std::move(*loaded.text);
      first_line = 0;
    }
    isa::AssembleOptions options;
    options.load = load_;
    isa::Assembly assembly = isa::assemble(scenario_.arch, text, file, options);
    if (!assembly.ok()) {
      isa::Diagnostic& first = assembly.diagnostics.front();
      if (first.at.file == scenario_.file) first.at.line += first_line;
      problem_ = isa::to_text(first);
      while (problem_.ends_with('\n'))
        problem_.pop_back();
      return false;
    }
    for (isa::AssembledWord& word : assembly.words)
      if (assembly.files[word.file] == scenario_.file) word.line += first_line;
    program.words = std::move(assembly.words);
    program.files = std::move(assembly.files);
    return true;
  }

  /// A string whose opening quotes, three of them, end their line: TOML drops that line break.
  bool begins_on_next_line(const toml::source_position& at) const {
    std::string_view rest = text_;
    for (unsigned line = 1; line < at.line; ++line)
      rest.remove_prefix(std::min(rest.find('\n'), rest.size() - 1) + 1);
    rest = rest.substr(0, rest.find('\n'));
    if (rest.ends_with('\r')) rest.remove_suffix(1);
    rest = rest.substr(std::min<std::size_t>(at.column - 1, rest.size()));
    return rest == "\"\"\"" || rest == "'''";
  }

  std::string beside(const std::string& path) const {
    const std::size_t slash = scenario_.file.rfind('/');
    if (path.starts_with('/') || slash == std::string::npos) return path;
    return scenario_.file.substr(0, slash + 1) + path;
  }

  static std::optional<unsigned> index_of(std::string_view text, unsigned below) {
    unsigned value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || value >= below) return std::nullopt;
    return value;
  }

  static std::optional<unsigned> semaphore_of(std::string_view text) {
    if (const tensim::Symbol* symbol = semaphore_index.find(text)) return symbol->value;
    return index_of(text, semaphore_count);
  }

  static std::optional<unsigned> thread_of(std::string_view text) {
    for (unsigned thread = 0; thread < thread_count; ++thread)
      if (thread_names[thread] == text) return thread;
    return std::nullopt;
  }

  bool semaphores(const toml::table& parent, std::map<unsigned, SemaphoreState>& into) {
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

  bool gprs(const toml::table& parent, std::map<std::pair<unsigned, unsigned>, std::uint32_t>& into) {
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

  bool mutexes(const toml::table& parent, std::map<unsigned, int>& into) {
    bool ok = true;
    const toml::table* list = table(parent, "mutexes", ok);
    if (list == nullptr) return ok;
    for (const auto& [key, value] : *list) {
      const auto index = index_of(key.str(), tensix::SyncUnit::mutex_slots);
      const std::string owner = value.value_or(std::string());
      const auto thread = thread_of(owner);
      if (!index || (!thread && owner != "nobody"))
        return fail(&value, "expected a mutex number and \"T0\", \"T1\", \"T2\" or \"nobody\"");
      into[*index] = thread ? static_cast<int>(*thread) : -1;
    }
    return true;
  }

  bool initial(const toml::table& root) {
    bool ok = true;
    const toml::table* state = table(root, "initial", ok);
    if (state == nullptr) return ok;
    if (!known_keys(*state,
                    {"semaphores", "mutexes", "gprs", "src_a_valid", "src_b_valid", "thread_config", "mop", "streams"},
                    "initial"))
      return false;
    scenario_.src_a_valid = (*state)["src_a_valid"].value_or(false);
    scenario_.src_b_valid = (*state)["src_b_valid"].value_or(false);
    return semaphores(*state, scenario_.semaphores) && gprs(*state, scenario_.gprs) &&
           mutexes(*state, scenario_.mutexes) && thread_config(*state) && mop(*state) && streams(*state);
  }

  /// streams = { 3 = { phase = 1, messages = 2, registers = { 36 = 7 } } }
  bool streams(const toml::table& state) {
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
          !number(*counts, "phase", into.phase, 0, 0xFFFFF) ||
          !number(*counts, "messages", into.messages, 0, 0x1FFFF) || !stream_registers(*counts, into))
        return false;
    }
    return true;
  }

  bool stream_registers(const toml::table& counts, tensix::StreamCounts& into) {
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

  bool thread_config(const toml::table& state) {
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

  /// mop.T0 = [ nine words: numbers or instructions in quotes ]
  bool mop(const toml::table& state) {
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
        if (const auto literal = word.value_exact<std::int64_t>();
            literal && *literal >= 0 && *literal <= 0xFFFF'FFFF) {
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

  bool timing(const toml::table& root) {
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

  bool actions(const toml::table& root) {
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

  bool action(const toml::table& entry, const toml::node& where) {
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

  /// By cycle; those of one cycle in the order of the file.
  bool add(const CoreAction& action) {
    auto& actions = scenario_.actions;
    actions.insert(std::ranges::upper_bound(actions, action.cycle, {}, &CoreAction::cycle), action);
    return true;
  }

  template <class T>
  bool per_thread(const toml::table& parent, std::string_view key, std::array<std::optional<T>, thread_count>& into) {
    bool ok = true;
    const toml::table* list = table(parent, key, ok);
    if (list == nullptr) return ok;
    for (const auto& [thread_key, value] : *list) {
      const auto thread = thread_of(thread_key.str());
      const auto count = value.template value_exact<std::int64_t>();
      if (!thread || !count || *count < 0) return fail(&value, fmt::format("expected {}.T0 = number", key));
      into[*thread] = static_cast<T>(*count);
    }
    return true;
  }

  bool expectations(const toml::table& root) {
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

  bool stuck(const toml::table& parent) {
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

  std::string_view text_;
  const FileLoader& load_;
  Scenario scenario_;
  std::string problem_;
};

}  // namespace

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
    const Symbol* symbol = scenario.cores[i]->image.source->symbol(name.substr(colon + 1));
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
  return Reader(text, file, load).read(parsed.table());
}

}  // namespace tensim::host
