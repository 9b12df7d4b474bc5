#include "tests/races/race_kernel.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "arch/address_map.hpp"
#include "insight/repairs.hpp"
#include "insight/tile_races.hpp"
#include "report/races.hpp"
#include "tests/places.hpp"
#include "tile/script.hpp"

namespace tensim::races {

using insight::Race;
using insight::Repair;
using insight::Site;
using scenario::CoreAction;
using scenario::Scenario;

namespace {

constexpr std::string_view mark_begins = "#!";

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ')
    text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ')
    text.remove_suffix(1);
  return text;
}

/// "name" or "name: value"
std::pair<std::string_view, std::string_view> split_mark(std::string_view mark) {
  const std::size_t colon = mark.find(':');
  if (colon == std::string_view::npos) return {trimmed(mark), {}};
  return {trimmed(mark.substr(0, colon)), trimmed(mark.substr(colon + 1))};
}

void read_mark(Line& line, std::string_view mark) {
  const auto [name, value] = split_mark(mark);
  if (name == "first")
    line.is_first = true;
  else if (name == "second")
    line.is_second = true;
  else if (name == "without")
    line.is_without = true;
  else if (name == "only")
    line.only = parse_arch(value);
  else
    ADD_FAILURE() << "no mark is called '" << name << "'";
}

/// Marks stand behind "#!", with semicolons between them; what a line becomes may have any letter, and stands last.
Line read_line(std::string_view text) {
  const std::size_t at = text.find(mark_begins);
  Line line{std::string(text.substr(0, at))};
  if (at == std::string_view::npos) return line;
  std::string_view marks = text.substr(at + mark_begins.size());
  if (const std::size_t last = marks.find("becomes:"); last != std::string_view::npos) {
    line.becomes = std::string(trimmed(marks.substr(last + std::string_view("becomes:").size())));
    marks = marks.substr(0, last);
  }
  while (!trimmed(marks).empty()) {
    const std::size_t end = std::min(marks.find(';'), marks.size());
    read_mark(line, marks.substr(0, end));
    marks.remove_prefix(std::min(end + 1, marks.size()));
  }
  return line;
}

isa::LoadedText contents(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) return {std::nullopt, "no such file"};
  return {std::string(std::istreambuf_iterator<char>(stream), {}), {}};
}

// ---- which line a site is ----

/// Words of code in [[memory]] stand a line each.
std::optional<std::uint32_t> code_address(const Lines& lines, const Line& line) {
  std::uint32_t next = 0;
  for (const Line& each : lines) {
    const std::string_view text = trimmed(each.text);
    if (constexpr std::string_view key = "address = 0x"; text.starts_with(key))
      std::from_chars(text.data() + key.size(), text.data() + text.size(), next, 16);
    const bool is_word = text.starts_with("0x");
    if (&each == &line) return is_word ? std::optional(next) : std::nullopt;
    if (is_word) next += 4;
  }
  return std::nullopt;
}

/// Of the scenario, counted from 1; 0 if it is not known.
std::size_t line_of(const Scenario& scenario, const Site& site) {
  if (const std::uint32_t line = tile::Script::line_of_origin(site.origin); line != 0) return line;
  if (!insight::is_thread(site.actor)) return 0;
  const auto& words = scenario.threads[site.actor - tile::core_count].words;
  return site.origin < words.size() ? words[site.origin].line : 0;
}

bool stands_at(const CheckedRun& run, const Site& site, const Line& line) {
  if (run.scenario.runs_cores()) return code_address(run.lines, line) == site.origin * 4;
  return line_of(run.scenario, site) == static_cast<std::size_t>(&line - run.lines.data()) + 1;
}

// ---- repairs ----

constexpr std::string_view own_buffer = "0xFFE40000";

bool is_action(const Line& line) {
  return trimmed(line.text).starts_with("{ cycle");
}

/// "{ cycle = 5, core = "T0", "
std::string begin_of_action(const Line& line) {
  const std::size_t end = std::min(line.text.find("store ="), line.text.find("load ="));
  return line.text.substr(0, end);
}

std::string as_instruction(const Line& beside, const std::string& instruction) {
  if (!is_action(beside)) return "  " + instruction;
  return fmt::format("{}store = [{}, \"{}\"] }},", begin_of_action(beside), own_buffer, instruction);
}

std::string as_load(const Line& beside, std::uint32_t address) {
  return fmt::format("{}load = {:#x} }},", begin_of_action(beside), address);
}

/// The address of the action that stands in the line.
std::uint32_t stored_at(const CheckedRun& run, const Line& line) {
  const auto number = static_cast<std::uint32_t>(&line - run.lines.data()) + 1;
  const auto found = std::ranges::find(run.scenario.actions, number, &CoreAction::line);
  return found == run.scenario.actions.end() ? 0 : found->address;
}

std::optional<std::string> text_of(const CheckedRun& run, const Repair& repair, const Line& beside) {
  switch (repair.kind) {
    case Repair::Kind::stall_wait:
      return as_instruction(beside, fmt::format("STALLWAIT block={}, cond={}", repair.block, repair.condition));
    case Repair::Kind::other_instruction: return as_instruction(beside, "NOP");
    case Repair::Kind::tensix_sync: return as_load(beside, region_of(run.scenario.arch, Region::Kind::tt_sync).base);
    case Repair::Kind::mop_sync: return as_load(beside, region_of(run.scenario.arch, Region::Kind::tt_sync).base + 4);
    case Repair::Kind::read_back: return as_load(beside, stored_at(run, beside));
    case Repair::Kind::read_barrier:  // of programs on several tiles, which have a folder of their own
    case Repair::Kind::write_barrier:
    case Repair::Kind::writes_sent:
    case Repair::Kind::atomic_barrier:
    case Repair::Kind::hand_over: return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

// ---- kernels and their forms ----

std::string_view Kernel::mark(std::string_view name) const {
  const auto found = head.find(name);
  return found == head.end() ? std::string_view{} : std::string_view(found->second);
}

bool Kernel::runs_on(Arch arch) const {
  return mark("arch").empty() || parse_arch(mark("arch")) == arch;
}

bool Kernel::has_broken_form() const {
  return std::ranges::any_of(lines, &Line::differs);
}

Lines Kernel::form(Arch arch, bool is_broken) const {
  Lines form;
  for (const Line& line : lines) {
    Line& made = form.emplace_back();
    if (!line.is_on(arch) || (is_broken && line.is_without)) continue;
    made.text = is_broken && line.becomes ? *line.becomes : line.text;
    if (made.text.starts_with("arch =")) made.text = fmt::format("arch = \"{}\"", name(arch));
    made.is_first = line.is_first;
    made.is_second = line.is_second;
  }
  return form;
}

Kernel read_kernel(const std::string& name) {
  Kernel kernel{std::string(TENSIM_RACES) + "/" + name, {}, {}};
  const isa::LoadedText loaded = contents(kernel.file);
  EXPECT_TRUE(loaded.text) << loaded.problem;
  std::istringstream stream(loaded.text.value_or(""));
  for (std::string text; std::getline(stream, text);) {
    if (!text.starts_with(mark_begins)) {
      kernel.lines.push_back(read_line(text));
      continue;
    }
    const auto [mark, value] = split_mark(std::string_view(text).substr(mark_begins.size()));
    kernel.head[std::string(mark)] = value;
    kernel.lines.emplace_back();
  }
  return kernel;
}

std::vector<std::string> all_kernels() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(TENSIM_RACES))
    if (entry.path().extension() == ".toml") names.push_back(entry.path().filename().string());
  std::ranges::sort(names);
  return names;
}

// ---- runs ----

namespace {

/// Expectations of cycles are those of the file, and no more.
void feed_otherwise(Scenario& scenario, unsigned feeding) {
  std::minstd_rand random(feeding);
  for (scenario::ThreadProgram& thread : scenario.threads) {
    constexpr unsigned latest = 100;
    constexpr unsigned slowest = 12;
    thread.start += random() % latest;
    thread.cycles_per_word = 1 + random() % slowest;
  }
}

}  // namespace

CheckedRun run_checked(const std::string& file, Lines lines, unsigned feeding, std::uint32_t shaking) {
  std::string text;
  for (const Line& line : lines)
    text += line.text + "\n";
  CheckedRun run{std::move(lines), {}, {}};
  auto parsed = scenario::parse_scenario(text, file, contents);
  if (const auto* problem = std::get_if<scenario::Problem>(&parsed)) {
    ADD_FAILURE() << problem->text;
    run.ran.outcome.races.emplace();
    return run;
  }
  run.scenario = std::get<Scenario>(std::move(parsed));
  if (feeding != 0) feed_otherwise(run.scenario, feeding);
  scenario::RunOptions options;
  options.races.emplace();
  options.shake_seed = shaking;
  run.ran = scenario::run_tile(run.scenario, options);
  return run;
}

const Line* CheckedRun::marked(insight::SiteNumber site, bool Line::* mark) const {
  const auto found = std::ranges::find_if(
      lines, [&](const Line& line) { return line.*mark && stands_at(*this, races()[site], line); });
  return found == lines.end() ? nullptr : &*found;
}

bool CheckedRun::is_marked(const Race& race) const {
  if (first(race.first) != nullptr && second(race.second) != nullptr) return true;
  return !race.is_issue_ordered && second(race.first) != nullptr && first(race.second) != nullptr;
}

std::string CheckedRun::text_of(const Race& race) const {
  std::string text = fmt::format("{}: ", insight::name(race.severity));
  for (const std::string& line : report::lines_of(scenario, races(), race))
    text += line + "; ";
  return text;
}

std::optional<Lines> repaired(const CheckedRun& run, const Race& race) {
  const Repair repair = insight::repair_of(run.scenario.arch, run.races(), race);
  const bool is_before = repair.place != Repair::Place::behind_first;
  const Line* const beside = run.marked(repair.place == Repair::Place::before_second ? race.second : race.first);
  if (beside == nullptr) return std::nullopt;
  const auto text = text_of(run, repair, *beside);
  if (!text) return std::nullopt;
  Lines lines = run.lines;
  lines.insert(lines.begin() + (beside - run.lines.data()) + (is_before ? 0 : 1), Line{*text});
  return lines;
}

}  // namespace tensim::races
