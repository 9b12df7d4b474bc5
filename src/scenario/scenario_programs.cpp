#include <algorithm>

#include "scenario/places.hpp"
#include "scenario/scenario_reader.hpp"
#include "text/printable.hpp"

namespace tensim::scenario {

bool ScenarioReader::programs(const toml::table& root) {
  for (unsigned thread = 0; thread < thread_count; ++thread) {
    bool ok = true;
    const toml::table* program = table(root, thread_names[thread], ok);
    if (!ok || (program != nullptr && !this->program(*program, thread))) return false;
  }
  return true;
}

bool ScenarioReader::program(const toml::table& table, unsigned thread) {
  if (!known_keys(table, {"program", "file", "cycles_per_word", "start"}, thread_names[thread])) return false;
  ThreadProgram& program = scenario_.threads[thread];
  if (!number(table, "cycles_per_word", program.cycles_per_word, 1, 1'000'000) ||
      !number(table, "start", program.start, 0, std::int64_t{1} << 60U))
    return false;
  std::string text;
  std::string file = scenario_.file;
  std::string path;
  if (!not_both(table, "program", "file") || !string(table, "program", text) || !string(table, "file", path))
    return false;
  unsigned first_line = 0;  // what to add to the program's own line numbers
  if (const toml::node* node = table.get("program"))
    first_line = node->source().begin.line - (begins_on_next_line(node->source().begin) ? 0U : 1U);
  if (const toml::node* node = table.get("file")) {
    file = beside(path);
    isa::LoadedText loaded = load_ ? load_(file) : isa::LoadedText{};
    if (!loaded.text)
      return fail(node,
                  fmt::format("cannot read '{}': {}", file, loaded.problem.empty() ? "no files here" : loaded.problem));
    text = std::move(*loaded.text);
    first_line = 0;
  }
  isa::AssembleOptions options;
  options.load = load_;
  isa::Assembly assembly = isa::assemble(scenario_.arch, text, file, options);
  if (!assembly.ok()) return refuse(assembly.diagnostics.front(), table, first_line);
  for (isa::AssembledWord& word : assembly.words)
    if (assembly.files[word.file] == scenario_.file) word.line += first_line;
  program.words = std::move(assembly.words);
  program.files = std::move(assembly.files);
  for (std::string& name : program.files)
    name = text::printable(name);
  return true;
}

/// What the assembler has to say about a thread's program, with lines counted in the file of the scenario.
bool ScenarioReader::refuse(isa::Diagnostic diagnostic, const toml::table& table, unsigned first_line) {
  if (diagnostic.at.file == scenario_.file) {
    if (diagnostic.at.line == 1) show_whole_line(diagnostic, *table.get("program"));
    diagnostic.at.line += first_line;
  }
  problem_ = {isa::to_text(diagnostic), diagnostic.at};
  while (problem_.text.ends_with('\n'))
    problem_.text.pop_back();
  return false;
}

std::string_view ScenarioReader::line_of_file(unsigned number) const {
  std::string_view rest = text_;
  for (unsigned line = 1; line < number; ++line)
    rest.remove_prefix(std::min(rest.find('\n'), rest.size() - 1) + 1);
  rest = rest.substr(0, rest.find('\n'));
  if (rest.ends_with('\r')) rest.remove_suffix(1);
  return rest;
}

bool ScenarioReader::begins_on_next_line(const toml::source_position& at) const {
  const std::string_view line = line_of_file(at.line);
  const std::string_view rest = line.substr(std::min<std::size_t>(at.column - 1, line.size()));
  return rest == "\"\"\"" || rest == "'''";
}

void ScenarioReader::show_whole_line(isa::Diagnostic& diagnostic, const toml::node& program) const {
  const toml::source_position at = program.source().begin;
  const std::string_view line = line_of_file(at.line);
  const std::size_t begins = line.find(diagnostic.source_line, at.column - 1);
  if (begins_on_next_line(at) || diagnostic.source_line.empty() || begins == std::string_view::npos) return;
  diagnostic.source_line = line;
  diagnostic.at.column += static_cast<unsigned>(begins);
}

std::string ScenarioReader::beside(const std::string& path) const {
  const std::size_t slash = scenario_.file.rfind('/');
  if (path.starts_with('/') || slash == std::string::npos) return path;
  return scenario_.file.substr(0, slash + 1) + path;
}

bool ScenarioReader::cores(const toml::table& root) {
  bool ok = true;
  const toml::table* list = table(root, "cores", ok);
  if (list == nullptr) return ok;
  for (const auto& [key, value] : *list) {
    const auto core = tile::core_with_key(key.str());
    if (!core)
      return fail(&value, fmt::format("no core is called '{}': brisc, trisc0, trisc1, trisc2, ncrisc", key.str()));
    if (scenario_.cores[static_cast<unsigned>(*core)])
      return fail(key.source(), fmt::format("{} of these tiles has a program already, by another [[tile]]", key.str()));
    if (!core_program(value, static_cast<unsigned>(*core))) return false;
  }
  return true;
}

bool ScenarioReader::core_program(const toml::node& node, unsigned core) {
  const toml::table* options = node.as_table();
  if (options != nullptr && !known_keys(*options, {"elf", "raw", "address", "held"}, "core")) return false;
  const bool is_raw = options != nullptr && options->contains("raw");
  if (options != nullptr && !(not_both(*options, "elf", "raw") && not_both(*options, "elf", "address"))) return false;
  const std::string path =
      options == nullptr ? node.value_or(std::string()) : (*options)[is_raw ? "raw" : "elf"].value_or(std::string());
  if (path.empty()) return fail(&node, "expected a file, { elf = FILE } or { raw = FILE, address = N }");
  std::uint32_t address = 0;
  bool is_held = false;
  if (options != nullptr &&
      !(number(*options, "address", address, 0, 0xFFFF'FFFF) && boolean(*options, "held", is_held)))
    return false;
  const std::optional<std::vector<std::uint8_t>> bytes = content(node, path);
  if (!bytes) return false;
  auto image = is_raw ? program::read_raw_image(*bytes, address, path) : program::read_elf_image(*bytes, path);
  if (const auto* problem = std::get_if<std::string>(&image))
    return fail(&node, fmt::format("'{}': {}", path, *problem));
  const std::string problem = place_problem(scenario_.arch, std::get<program::Image>(image));
  if (!problem.empty()) return fail(&node, fmt::format("'{}': {}", path, problem));
  scenario_.cores[core] = {std::move(std::get<program::Image>(image)), is_held};
  return true;
}

std::optional<std::vector<std::uint8_t>> ScenarioReader::content(const toml::node& node, const std::string& path) {
  const isa::LoadedText loaded = load_ ? load_(beside(path)) : isa::LoadedText{};
  if (loaded.text) return std::vector<std::uint8_t>(loaded.text->begin(), loaded.text->end());
  fail(&node, fmt::format("cannot read '{}': {}", path, loaded.problem.empty() ? "no files here" : loaded.problem));
  return std::nullopt;
}

bool ScenarioReader::memory(const toml::table& root) {
  const toml::node* node = root.get("memory");
  if (node == nullptr) return true;
  const toml::array* list = node->as_array();
  if (list == nullptr) return fail(node, "memory is written as [[memory]]");
  for (const toml::node& item : *list) {
    const toml::table* entry = item.as_table();
    if (entry == nullptr) return fail(&item, "memory is written as [[memory]]");
    if (!known_keys(*entry, {"address", "words", "bytes", "file"}, "memory") || !memory_content(*entry, item))
      return false;
  }
  return true;
}

bool ScenarioReader::memory_content(const toml::table& entry, const toml::node& where) {
  MemoryContent parsed;
  if (!number(entry, "address", parsed.address, 0, 0xFFFF'FFFF) || !data(entry, where, "memory", parsed.bytes))
    return false;
  const toml::node* address = entry.get("address");
  if (const std::string problem = place_problem(scenario_.arch, parsed.address, parsed.bytes.size()); !problem.empty())
    return fail(address != nullptr ? address : &where, fmt::format("memory does not fit: {}", problem));
  scenario_.memory.push_back(std::move(parsed));
  return true;
}

bool ScenarioReader::data(const toml::table& entry, const toml::node& where, std::string_view what,
                          std::vector<std::uint8_t>& into) {
  std::string path;
  if (!not_both(entry, "words", "file") || !not_both(entry, "words", "bytes") || !not_both(entry, "bytes", "file") ||
      !string(entry, "file", path))
    return false;
  if (const toml::node* file = entry.get("file")) {
    auto bytes = content(*file, path);
    if (!bytes) return false;
    into = std::move(*bytes);
    return true;
  }
  const bool has_lists =
      (entry.contains("words") && entry["words"].is_array()) || (entry.contains("bytes") && entry["bytes"].is_array());
  if (!has_lists) return fail(&where, fmt::format("{} has words = [ ... ] or file = \"...\"", what));
  return numbers(entry, "words", 4, into) && numbers(entry, "bytes", 1, into);
}

bool ScenarioReader::numbers(const toml::table& entry, std::string_view key, unsigned bytes,
                             std::vector<std::uint8_t>& into) {
  const toml::array* list = entry[key].as_array();
  if (list == nullptr) return true;
  for (const toml::node& node : *list) {
    const auto value = node.value_exact<std::int64_t>();
    if (!value || *value < 0 || *value >= std::int64_t{1} << (8 * bytes))
      return fail(&node, fmt::format("expected {} number", bytes == 4 ? "a 32-bit" : "an 8-bit"));
    for (unsigned byte = 0; byte < bytes; ++byte)
      into.push_back(static_cast<std::uint8_t>(*value >> (8 * byte)));
  }
  return true;
}

}  // namespace tensim::scenario
