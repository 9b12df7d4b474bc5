#include "report/profile.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "isa/disassemble.hpp"
#include "report/most_first.hpp"
#include "report/places.hpp"
#include "tensix/occupancy_names.hpp"

namespace tensim::report {

using insight::CoreProfile;
using insight::CoreSite;
using insight::Profile;
using insight::ThreadProfile;
using insight::ThreadSite;
using scenario::Scenario;

namespace {

constexpr std::size_t most_lines = 12;  // of each agent; JSON has all
constexpr std::size_t most_reasons = 4;

/// "38 %": of all cycles.
std::string share(std::uint64_t cycles, std::uint64_t all) {
  return all == 0 ? "0 %" : fmt::format("{:.0f} %", 100.0 * static_cast<double>(cycles) / static_cast<double>(all));
}

using Reasons = std::vector<std::pair<std::string_view, std::uint64_t>>;

/// The most first; of equals, the one that comes first in its table.
Reasons sorted(Reasons reasons) {
  std::erase_if(reasons, [](const auto& each) { return each.second == 0; });
  return most_first(std::move(reasons), [](const auto& each) { return each.second; });
}

template <class Rows, class Account>
Reasons reasons_of(const Rows& rows, const Account& account) {
  Reasons reasons;
  for (const auto& [stall, name] : rows)
    reasons.emplace_back(name, account[stall]);
  return sorted(std::move(reasons));
}
Reasons reasons_of(const event::StallAccount& account) {
  return reasons_of(event::stall_rows, account);
}
Reasons reasons_of(const riscv::CoreAccount& account) {
  return reasons_of(riscv::core_stall_rows, account);
}

/// "operand 120, branch 20, ..."
std::string text_of(const Reasons& reasons) {
  std::string text;
  for (std::size_t i = 0; i < std::min(reasons.size(), most_reasons); ++i)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", reasons[i].first, reasons[i].second);
  return reasons.size() > most_reasons ? text + ", ..." : text;
}

/// "executing 512 (62 %), operand 120 (15 %)"
std::string shares_text(const Reasons& reasons, std::uint64_t all) {
  std::string text;
  for (const auto& [name, cycles] : reasons)
    text += fmt::format("{}{} {} ({})", text.empty() ? "" : ", ", name, cycles, share(cycles, all));
  return text;
}

std::string opcode_name(Arch arch, tensix::Word word) {
  const isa::Decoded decoded = isa::decode(arch, word);
  return decoded.form == nullptr ? fmt::format("{:#010x}", word) : std::string(decoded.form->name);
}

/// All that one agent did in one line.
struct Line {
  SourceLine where = {};
  std::uint64_t cycles = 0;
  std::map<std::string, std::uint64_t> reasons = {};
  std::vector<std::string> instructions = {};  // of a thread: what it issued there

  void add(std::string_view reason, std::uint64_t count) {
    if (count == 0) return;
    reasons[std::string(reason)] += count;
    cycles += count;
  }
};

std::vector<Line> sorted(std::map<SourceLine, Line> by_line) {
  std::vector<Line> lines;
  for (auto& [where, line] : by_line) {
    line.where = where;
    lines.push_back(std::move(line));
  }
  return most_first(std::move(lines), [](const Line& line) { return line.cycles; });
}

std::vector<Line> lines_of(const Scenario& scenario, unsigned thread, const ThreadProfile& profile) {
  std::map<SourceLine, Line> by_line;
  for (const ThreadSite& site : profile.sites) {
    Line& line = by_line[line_of(scenario, thread, site.entry)];
    line.add(name(event::Stall::issued), site.issued);
    for (const auto& [stall, name] : event::stall_rows)
      line.add(name, site.held[stall]);
    const std::string opcode = opcode_name(scenario.arch, site.entry.word);
    if (std::ranges::find(line.instructions, opcode) == line.instructions.end()) line.instructions.push_back(opcode);
  }
  return sorted(std::move(by_line));
}

std::vector<Line> lines_of(const Scenario& scenario, tile::CoreId core, const CoreProfile& profile) {
  std::map<SourceLine, Line> by_line;
  for (const CoreSite& site : profile.sites) {
    Line& line = by_line[line_of(scenario, core, site.pc)];
    line.add(name(riscv::CoreStall::none), site.executed);
    for (const auto& [stall, name] : riscv::core_stall_rows)
      line.add(name, site.held[stall]);
  }
  return sorted(std::move(by_line));
}

std::string lines_text(const Style& style, std::string_view who, const std::vector<Line>& lines, std::uint64_t all) {
  std::string text = fmt::format("{}, by line\n", style.name(who));
  for (std::size_t i = 0; i < std::min(lines.size(), most_lines); ++i) {
    const Line& line = lines[i];
    Reasons reasons;
    for (const auto& [reason, cycles] : line.reasons)
      reasons.emplace_back(reason, cycles);
    const std::string what = line.instructions.empty() ? "" : fmt::format("{}: ", fmt::join(line.instructions, " "));
    text += fmt::format("  {:>9} {:>5}  {:<22} {}{}\n", line.cycles, share(line.cycles, all),
                        report::text_of(line.where), what, style.dim(text_of(sorted(std::move(reasons)))));
  }
  if (lines.size() <= most_lines) return text;
  std::uint64_t rest = 0;
  for (std::size_t i = most_lines; i < lines.size(); ++i)
    rest += lines[i].cycles;
  return text + fmt::format("  {:>9} {:>5}  in {} more lines\n", rest, share(rest, all), lines.size() - most_lines);
}

// ---- who ----

bool did_anything(const ThreadProfile& thread) {
  return !thread.sites.empty();
}

std::string agents_text(const Style& style, const Profile& profile) {
  std::string text;
  for (unsigned core = 0; core < tile::core_count; ++core)
    if (profile.cores[core].ran)
      text += fmt::format("  {:<7} {}\n", tile::core_names[core],
                          style.dim(shares_text(reasons_of(profile.cores[core].account), profile.cycles)));
  for (unsigned thread = 0; thread < tensix::thread_count; ++thread)
    if (did_anything(profile.threads[thread]))
      text += fmt::format("  T{:<6} {}\n", thread,
                          style.dim(shares_text(reasons_of(profile.threads[thread].account), profile.cycles)));
  for (const auto& [unit, name] : tensix::occupancy_rows)
    if (const insight::UnitProfile& used = profile.units[static_cast<std::size_t>(unit)]; used.operations != 0)
      text += fmt::format("  {:<14} {} operation{}, busy {} ({})\n", name, used.operations,
                          used.operations == 1 ? "" : "s", used.busy, share(used.busy, profile.cycles));
  return text;
}

// ---- waits ----

/// One wait in one line, wherever it was unrolled to.
struct Wait {
  unsigned thread = 0;
  tensix::Entry entry = {};
  insight::WaitUse use = {};
};

std::vector<Wait> waits_of(const Scenario& scenario, const Profile& profile) {
  std::map<std::tuple<unsigned, SourceLine, tensix::Word>, Wait> by_line;
  for (unsigned thread = 0; thread < tensix::thread_count; ++thread)
    for (const ThreadSite& site : profile.threads[thread].sites) {
      if (site.wait.times == 0) continue;
      Wait& wait = by_line[{thread, line_of(scenario, thread, site.entry), site.entry.word}];
      if (wait.use.times == 0) wait.entry = site.entry;
      wait.thread = thread;
      wait.use.times += site.wait.times;
      wait.use.pending += site.wait.pending;
      wait.use.cycles += site.wait.cycles;
    }
  std::vector<Wait> waits;
  waits.reserve(by_line.size());
  for (const auto& [where, wait] : by_line)
    waits.push_back(wait);
  return most_first(std::move(waits), [](const Wait& wait) { return wait.use.cycles; });
}

std::string waits_text(const Style& style, const Scenario& scenario, const Profile& profile) {
  const std::vector<Wait> waits = waits_of(scenario, profile);
  if (waits.empty()) return "";
  std::string text = fmt::format("{}\n", style.name("waits"));
  for (const auto& [thread, entry, use] : waits) {
    const std::string pending =
        use.pending == 0 ? "never had to wait" : fmt::format("waited in {} of them", use.pending);
    text += fmt::format("  {:>9} {:>5}  T{} {}: {} time{}, {}\n", use.cycles, share(use.cycles, profile.cycles), thread,
                        instruction_text(scenario, thread, entry), use.times, use.times == 1 ? "" : "s", pending);
  }
  return text;
}

// ---- JSON ----

nlohmann::json json_of(const Reasons& reasons) {
  nlohmann::json account = nlohmann::json::object();
  for (const auto& [name, cycles] : reasons)
    account[std::string(name)] = cycles;
  return account;
}

void add_line(const SourceLine& line, nlohmann::json& site) {
  site["file"] = line.file;
  if (line.line != 0) site["line"] = line.line;
}

nlohmann::json site_json(const Scenario& scenario, unsigned thread, const ThreadSite& site) {
  nlohmann::json entry{{"instruction", to_text(isa::decode(scenario.arch, site.entry.word), isa::Syntax::brief)},
                       {"origin", site.entry.origin()},
                       {"issued", site.issued},
                       {"held", json_of(reasons_of(site.held))}};
  add_line(line_of(scenario, thread, site.entry), entry);
  if (site.wait.times != 0)
    entry["wait"] = {{"times", site.wait.times}, {"pending", site.wait.pending}, {"cycles", site.wait.cycles}};
  return entry;
}

nlohmann::json site_json(const Scenario& scenario, tile::CoreId core, const CoreSite& site) {
  nlohmann::json entry{{"pc", site.pc}, {"executed", site.executed}, {"held", json_of(reasons_of(site.held))}};
  add_line(line_of(scenario, core, site.pc), entry);
  return entry;
}

}  // namespace

std::string profile_text(const Style& style, const Scenario& scenario, const Profile& profile) {
  std::string text = fmt::format("\n{} {} cycles\n", style.strong("profile:"), profile.cycles);
  text += agents_text(style, profile);
  for (unsigned thread = 0; thread < tensix::thread_count; ++thread)
    if (did_anything(profile.threads[thread]))
      text += lines_text(style, fmt::format("T{}", thread), lines_of(scenario, thread, profile.threads[thread]),
                         profile.cycles);
  for (unsigned i = 0; i < tile::core_count; ++i)
    if (profile.cores[i].ran)
      text += lines_text(style, tile::core_names[i], lines_of(scenario, static_cast<tile::CoreId>(i), profile.cores[i]),
                         profile.cycles);
  return text + waits_text(style, scenario, profile);
}

nlohmann::json profile_json(const Scenario& scenario, const Profile& profile) {
  nlohmann::json document{{"cycles", profile.cycles},
                          {"threads", nlohmann::json::array()},
                          {"cores", nlohmann::json::array()},
                          {"units", nlohmann::json::array()}};
  for (unsigned thread = 0; thread < tensix::thread_count; ++thread) {
    nlohmann::json sites = nlohmann::json::array();
    for (const ThreadSite& site : profile.threads[thread].sites)
      sites.push_back(site_json(scenario, thread, site));
    document["threads"].push_back({{"thread", fmt::format("T{}", thread)},
                                   {"cycles", json_of(reasons_of(profile.threads[thread].account))},
                                   {"sites", std::move(sites)}});
  }
  for (unsigned i = 0; i < tile::core_count; ++i) {
    if (!profile.cores[i].ran) continue;
    nlohmann::json sites = nlohmann::json::array();
    for (const CoreSite& site : profile.cores[i].sites)
      sites.push_back(site_json(scenario, static_cast<tile::CoreId>(i), site));
    document["cores"].push_back({{"core", tile::core_names[i]},
                                 {"cycles", json_of(reasons_of(profile.cores[i].account))},
                                 {"sites", std::move(sites)}});
  }
  for (const auto& [unit, name] : tensix::occupancy_rows)
    if (const insight::UnitProfile& used = profile.units[static_cast<std::size_t>(unit)]; used.operations != 0)
      document["units"].push_back({{"unit", name},
                                   {"operations", used.operations},
                                   {"busy", used.busy},
                                   {"idle", profile.cycles - std::min(profile.cycles, used.busy)}});
  return document;
}

}  // namespace tensim::report
