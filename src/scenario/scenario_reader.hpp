// Part of scenario.hpp: reads a parsed document into a scenario. The first problem ends it. What runs is read in
// scenario_programs.cpp, the state it starts from in scenario_state.cpp, tiles of a chip in scenario_chip.cpp, the rest in
// scenario.cpp.
#pragma once

#include <fmt/format.h>

#define TOML_EXCEPTIONS 0
#include <toml++/toml.h>

#include "scenario/scenario.hpp"

namespace tensim::scenario {

inline constexpr std::array<std::string_view, thread_count> thread_names{"T0", "T1", "T2"};

std::optional<unsigned> thread_of(std::string_view text);

class ScenarioReader {
 public:
  ScenarioReader(std::string_view text, std::string file, const FileLoader& load) : text_(text), load_(load) {
    scenario_.file = std::move(file);
  }

  std::variant<Scenario, Problem> read(const toml::table& root);

 private:
  bool fail(const toml::node* where, std::string_view message);
  bool fail(const toml::source_region& where, std::string_view message);
  bool known_keys(const toml::table& table, const std::vector<std::string_view>& known, std::string_view what);
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

  /// A string, or true or false, at `key`; absent is fine, anything else is not.
  bool string(const toml::table& table, std::string_view key, std::string& into);
  bool boolean(const toml::table& table, std::string_view key, bool& into);
  /// Two keys of which one would be overlooked.
  bool not_both(const toml::table& table, std::string_view one, std::string_view other);
  const toml::table* table(const toml::table& parent, std::string_view key, bool& ok);

  // ---- what runs ----
  bool programs(const toml::table& root);
  bool program(const toml::table& table, unsigned thread);
  bool refuse(isa::Diagnostic diagnostic, const toml::table& table, unsigned first_line);
  std::string_view line_of_file(unsigned number) const;
  /// A program's first line stands behind `program = "`, unless a line break follows the quotes: its columns are the file's.
  void show_whole_line(isa::Diagnostic& diagnostic, const toml::node& program) const;
  /// A string whose opening quotes, three of them, end their line: TOML drops that line break.
  bool begins_on_next_line(const toml::source_position& at) const;
  std::string beside(const std::string& path) const;
  /// brisc = "boot.elf", or trisc0 = { elf = "unpack.elf", held = true }, or { raw = "code.bin", address = 0x6000 }
  bool cores(const toml::table& root);
  bool core_program(const toml::node& node, unsigned core);
  std::optional<std::vector<std::uint8_t>> content(const toml::node& node, const std::string& path);
  /// [[memory]] address = 0x20000, words = [1, 2] or file = "input.bin"
  bool races_meant(const toml::table& root);
  bool memory(const toml::table& root);
  bool memory_content(const toml::table& entry, const toml::node& where);
  /// words = [1, 2], bytes = [1, 2] or file = "input.bin", of what is called `what`
  bool data(const toml::table& entry, const toml::node& where, std::string_view what, std::vector<std::uint8_t>& into);
  bool numbers(const toml::table& entry, std::string_view key, unsigned bytes, std::vector<std::uint8_t>& into);

  // ---- several tiles ----
  /// [chip] plan = "p150"
  bool chip(const toml::table& root);
  /// [[dram]] bank = 0, address = 0x1000, words = [1, 2]
  bool dram(const toml::table& parent, std::string_view key, std::vector<DramContent>& into);
  bool dram_content(const toml::table& entry, const toml::node& where, std::vector<DramContent>& into);
  /// [[tile]] at = "0-3,0-3"
  bool tiles(const toml::table& root);
  struct Section;
  bool section(const toml::node& item, std::vector<Section>& sections);
  bool group(const std::vector<const Section*>& sections, TileGroup& into);
  bool section_programs(const toml::table& table);
  bool section_words(const toml::table& table);

  // ---- the state it starts from ----
  bool semaphores(const toml::table& parent, std::map<unsigned, SemaphoreState>& into);
  bool gprs(const toml::table& parent, std::map<std::pair<unsigned, unsigned>, std::uint32_t>& into);
  bool mutexes(const toml::table& parent, std::map<unsigned, int>& into);
  bool initial(const toml::table& root);
  /// streams = { 3 = { phase = 1, messages = 2, registers = { 36 = 7 } } }
  bool streams(const toml::table& state);
  bool stream_registers(const toml::table& counts, tensix::StreamCounts& into);
  bool config(const toml::table& state);
  bool thread_config(const toml::table& state);
  /// mop.T0 = [ nine words: numbers or instructions in quotes ]
  bool mop(const toml::table& state);

  // ---- the rest ----
  bool header(const toml::table& root);
  bool timing(const toml::table& root);
  bool actions(const toml::table& root);
  bool action(const toml::table& entry, const toml::node& where);
  /// By cycle; those of one cycle in the order of the file.
  bool add(const CoreAction& action);
  /// "0x20000" = 5, "trisc1:done" = 1
  bool words(const toml::table& parent, std::string_view key, std::vector<NamedWord>& into);
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
  bool expectations(const toml::table& root);
  bool stuck(const toml::table& parent);
  /// Either threads are fed and cores scripted, or cores run programs.
  bool is_consistent(const toml::table& root);

  std::string_view text_;
  const FileLoader& load_;
  Scenario scenario_;
  Problem problem_;
};

}  // namespace tensim::scenario
