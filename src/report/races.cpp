#include "report/races.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "arch/config_registers.hpp"
#include "insight/checked_state.hpp"
#include "insight/repairs.hpp"
#include "report/places.hpp"
#include "tensix/footprint.hpp"
#include "tile/script.hpp"

namespace tensim::report {

using event::Access;
using event::Resource;
using insight::Race;
using insight::Races;
using insight::Repair;
using insight::Severity;
using insight::Site;
using scenario::Scenario;

namespace {

std::string_view what_it_does(Site::Kind kind) {
  switch (kind) {
    case Site::Kind::load: return "load";
    case Site::Kind::noc_read: return "NoC read";
    case Site::Kind::noc_write: return "NoC write";
    case Site::Kind::noc_atomic: return "NoC atomic";
    default: return "store";
  }
}

unsigned tile_of(const Site& site) {
  return site.actor / insight::actors_per_tile;
}

tensix::Entry entry_of(const Site& site) {
  const std::uint32_t source = site.origin << (tensix::Entry::origin_shift - tensix::Entry::source_shift) |
                               (site.is_from_brisc ? tensix::Entry::brisc_bit >> tensix::Entry::source_shift : 0U);
  return tensix::Entry::expanded(site.word, source);
}

/// ", called at noc.h:181, main.c:10": of code that stands in the place of calls.
std::string calls_of(const RaceSites& sites, const Site& site) {
  if (sites.is_host(tile_of(site))) return "";
  const Scenario& scenario = sites.programs(tile_of(site));
  const unsigned number = site.actor % insight::actors_per_tile;
  if (insight::is_thread(site.actor)) return push_called_at(scenario, number - tile::core_count, entry_of(site));
  return scenario.runs_cores() ? called_at(scenario, static_cast<tile::CoreId>(number), site.origin * 4) : "";
}

/// "T2's PACR ... (line 12)", "TRISC2's store at main+0x14 (pack.c:80)", without its tile.
std::string text_in_tile(const RaceSites& sites, const Site& site) {
  if (sites.is_host(tile_of(site))) return fmt::format("the host's write to {:#x}", site.origin * 4);
  const Scenario& scenario = sites.programs(tile_of(site));
  const unsigned number = site.actor % insight::actors_per_tile;
  if (insight::is_thread(site.actor)) {
    const unsigned thread = number - tile::core_count;
    return fmt::format("T{}'s {}", thread, instruction_text(scenario, thread, entry_of(site)));
  }
  const auto core = static_cast<tile::CoreId>(number);
  const std::string_view what = what_it_does(site.kind);
  if (!scenario.runs_cores())
    return fmt::format("{}'s {} (line {})", name(core), what, tile::Script::line_of_origin(site.origin));
  return fmt::format("{}'s {} at {}", name(core), what, location(scenario, core, site.origin * 4));
}

/// "tile 1,2 " before it, if there are several.
std::string text_of(const RaceSites& sites, const Site& site) {
  const std::string tile = sites.is_host(tile_of(site)) ? "" : sites.name(tile_of(site));
  return fmt::format("{}{}{}{}", tile.empty() ? "" : "tile ", tile, tile.empty() ? "" : " ", text_in_tile(sites, site));
}

/// Names of the fields that the bits lie in.
std::string config_text(Arch arch, const Access& what) {
  std::string text;
  for (const auto& family : config_fields())
    for (const ConfigField& field : family) {
      const ConfigField::Place& place = field.on(arch);
      if (!place.exists() || static_cast<std::uint32_t>(place.word) != what.first) continue;
      const auto bits = static_cast<std::uint32_t>((std::uint64_t{1} << place.width) - 1) << place.shift;
      if ((bits & what.mask) == 0) continue;
      if (std::ranges::count(text, ',') == 2) return text + ", ...";
      text += fmt::format("{}{}", text.empty() ? "" : ", ", field.name);
    }
  return text.empty() ? fmt::format("word {} of configuration", what.first) : text;
}

std::string adc_text(const Access& what) {
  constexpr std::array<std::string_view, 3> sets{"unpacker 0", "unpacker 1", "the packers"};
  return fmt::format("the {} counter of channel {} of {}", "XYZW"[what.first % 4], what.first / 4 % 2,
                     sets[std::min<std::size_t>(what.first / 8, 2)]);
}

std::string text_of(const RaceSites& sites, const Race& race) {
  const Access& what = race.what;
  switch (what.resource) {
    case Resource::gpr:
      return fmt::format("GPR {} of T{} ({} half)", what.first / 2, what.owner,
                         what.first % 2 == 0 ? "lower" : "upper");
    case Resource::config: return config_text(sites.arch(), what);
    case Resource::thread_config: return fmt::format("word {} of T{}'s thread configuration", what.first, what.owner);
    case Resource::adc: return adc_text(what);
    case Resource::rwc: return fmt::format("counters of T{}'s RWC", what.owner);
    case Resource::src_a:
    case Resource::src_b: return fmt::format("row {} of bank {} of {}", what.first, what.owner, name(what.resource));
    case Resource::dst: return fmt::format("row {} of Dst", what.first);
    case Resource::lreg: return fmt::format("LReg {}", what.first);
    case Resource::mop_config: return fmt::format("MopCfg of T{}", what.owner);
    case Resource::l1: {
      const auto byte = static_cast<std::uint32_t>(std::countr_zero(what.mask));
      const std::string tile = sites.name(race.place);
      return what_is_at(sites.programs(race.place), tile::CoreId::brisc,
                        what.first * insight::Shadow::l1_block + byte) +
             (tile.empty() ? "" : " of tile " + tile);
    }
    case Resource::dram:
      return fmt::format(
          "{:#x} of DRAM memory {}",
          what.first * insight::Shadow::l1_block + static_cast<std::uint32_t>(std::countr_zero(what.mask)), what.owner);
    default: return fmt::format("{} {}", name(what.resource), what.first);
  }
}

/// `*` stands for any text.
bool matches(std::string_view pattern, std::string_view text) {
  std::size_t at = 0;
  std::size_t star = std::string_view::npos;  // the last one met, and where the text behind it may begin
  std::size_t begin = 0;
  for (std::size_t i = 0; i < text.size();) {
    if (at < pattern.size() && pattern[at] == '*') {
      star = at++;
      begin = i;
    } else if (at < pattern.size() && pattern[at] == text[i]) {
      ++at;
      ++i;
    } else if (star != std::string_view::npos) {
      at = star + 1;
      i = ++begin;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', at) == std::string_view::npos;
}

std::string pair_text(const RaceSites& sites, const Races& races, const Race& race) {
  const std::string first = text_of(sites, races[race.first]);
  const std::string second = text_of(sites, races[race.second]);
  const std::string what = text_of(sites, race);
  const std::string_view rule = insight::order_rules()[race.rule].id;
  if (race.first_writes && race.second_writes)
    return fmt::format("{} writes {} while {} may not have written it yet [rule {}]", second, what, first, rule);
  if (race.second_writes)
    return fmt::format("{} changes {} while {} may still read it [rule {}]", second, what, first, rule);
  return fmt::format("{} reads {} while {} may not have written it yet [rule {}]", second, what, first, rule);
}

std::string repair_text(const RaceSites& sites, const Races& races, const Race& race) {
  const Repair repair = insight::repair_of(sites.arch(), races, race);
  const std::string first = text_of(sites, races[race.first]);
  const std::string second = text_of(sites, races[race.second]);
  const std::string place = (repair.place == Repair::Place::behind_first ? "behind " : "before ") +
                            (repair.place == Repair::Place::before_second ? second : first);
  switch (repair.kind) {
    case Repair::Kind::stall_wait:
      if (repair.place == Repair::Place::behind_first)
        return fmt::format("STALLWAIT({}, {}) {}, ahead of what tells others, orders them", repair.block,
                           repair.condition, place);
      return fmt::format("STALLWAIT({}, {}) {} orders them", repair.block, repair.condition, place);
    case Repair::Kind::tensix_sync: return fmt::format("tensix_sync {} orders them", place);
    case Repair::Kind::mop_sync: return fmt::format("mop_sync {} orders them", place);
    case Repair::Kind::read_back:
      return fmt::format("a load of what was stored, used before anything is pushed, {} orders them", place);
    case Repair::Kind::read_barrier:
      return fmt::format("noc_read_barrier (NIU_MST_RD_RESP_RECEIVED counts all reads) {} orders them", place);
    case Repair::Kind::write_barrier:
      return fmt::format("noc_write_barrier (NIU_MST_WR_ACK_RECEIVED counts all acknowledgements) {}{} orders them",
                         place, repair.place == Repair::Place::behind_first ? ", ahead of what tells others," : "");
    case Repair::Kind::writes_sent:
      return fmt::format("noc_writes_sent (NIU_MST_..._WR_REQ_SENT counts all writes) {} orders them", place);
    case Repair::Kind::atomic_barrier:
      return fmt::format("noc_atomic_barrier (NIU_MST_ATOMIC_RESP_RECEIVED counts all atomics) {} orders them", place);
    case Repair::Kind::other_instruction: return fmt::format("any other instruction {} orders them", place);
    case Repair::Kind::hand_over: break;
  }
  return "nothing puts the one behind the other: a semaphore, mutex, mailbox or polled word has to";
}

/// "40 times, 3 of them while the other was under way, right by 3 cycles at the closest"
std::string count_text(const Race& race) {
  const bool is_one = race.count == 1;
  std::string text = is_one ? "once" : fmt::format("{} times", race.count);
  const auto add = [&](std::uint64_t count, std::string_view how) {
    if (count != 0) text += is_one ? fmt::format(", {}", how) : fmt::format(", {} of them {}", count, how);
  };
  add(race.reversed, "in the wrong order");
  add(race.overlapped, "while the other was under way");
  if (race.closest)
    text += fmt::format(", right by {} cycle{}{}", *race.closest, *race.closest == 1 ? "" : "s",
                        is_one ? "" : " at the closest");
  if (race.is_same_value) text += "; it writes the value that is there";
  return text + fmt::format("; first in cycle {}", race.cycle);
}

/// Races that are one to their reader, and between how many tiles there are more of them.
struct Merged {
  Race race;
  std::set<std::pair<unsigned, unsigned>> tiles = {};
};

/// Errors first. A line that was assembled or compiled several times is one place, and so is one that several tiles run.
std::vector<Merged> for_reading(const RaceSites& sites, const Races& races) {
  std::vector<Merged> merged;
  std::map<std::tuple<std::string, std::string, bool, Resource, insight::RuleNumber>, std::size_t> known;
  for (const Severity severity : {Severity::error, Severity::warning})
    for (const Race& race : races.found()) {
      if (race.severity != severity) continue;
      const Site& first = races[race.first];
      const Site& second = races[race.second];
      const std::pair tiles{tile_of(first), tile_of(second)};
      const auto [at, is_new] = known.try_emplace({text_in_tile(sites, first), text_in_tile(sites, second),
                                                   tiles.first == tiles.second, race.what.resource, race.rule},
                                                  merged.size());
      if (is_new)
        merged.push_back({race});
      else
        merged[at->second].race.add(race);
      merged[at->second].tiles.insert(tiles);
    }
  return merged;
}

/// "; the same on 15 other tiles"
std::string elsewhere_text(const Races& races, const Merged& merged) {
  const std::size_t others = merged.tiles.size() - 1;
  if (others == 0) return "";
  const bool is_in_one = tile_of(races[merged.race.first]) == tile_of(races[merged.race.second]);
  return is_in_one ? fmt::format("; the same on {} other tile{}", others, others == 1 ? "" : "s")
                   : fmt::format("; the same between {} other pair{} of tiles", others, others == 1 ? "" : "s");
}

}  // namespace

RaceSites::RaceSites(const Scenario& alone) : arch_(alone.arch), names_(names_of_one(alone)) {}

std::vector<std::string> lines_of(const RaceSites& sites, const Races& races, const Race& race) {
  return {pair_text(sites, races, race), repair_text(sites, races, race), count_text(race)};
}

std::string suppress(const RaceSites& sites, std::string_view file, Races& races) {
  struct Pair {
    std::string_view second;
    std::string_view first;
  };
  std::vector<Pair> pairs;
  unsigned number = 0;
  while (!file.empty()) {
    const std::string_view line = file.substr(0, file.find('\n'));
    file.remove_prefix(std::min(file.size(), line.size() + 1));
    ++number;
    if (line.empty() || line.starts_with('#')) continue;
    const std::size_t slash = line.find(" / ");
    if (slash == std::string_view::npos) return fmt::format("line {}: expected SECOND / FIRST", number);
    pairs.push_back({line.substr(0, slash), line.substr(slash + 3)});
  }
  races.suppress([&](const Race& race) {
    const std::string first = text_of(sites, races[race.first]);
    const std::string second = text_of(sites, races[race.second]);
    return std::ranges::any_of(
        pairs, [&](const Pair& pair) { return matches(pair.first, first) && matches(pair.second, second); });
  });
  return "";
}

std::string site_text(const RaceSites& sites, const Site& site) {
  return text_of(sites, site);
}

std::string races_text(const Style& style, const RaceSites& sites, const Races& races) {
  std::string text;
  for (const Merged& merged : for_reading(sites, races)) {
    const Race& race = merged.race;
    std::vector<std::string> lines = lines_of(sites, races, race);
    lines.back() += elsewhere_text(races, merged);
    for (const insight::SiteNumber number : {race.second, race.first})
      if (const std::string calls = calls_of(sites, races[number]); !calls.empty())
        lines.push_back(text_of(sites, races[number]) + calls);
    const bool is_error = race.severity == Severity::error;
    text += fmt::format("{} {}\n", is_error ? style.error("race:") : style.warning("possible race:"), lines.front());
    for (std::size_t i = 1; i < lines.size(); ++i)
      text += fmt::format("  {}\n", lines[i]);
  }
  if (!text.empty())
    text += style.dim(fmt::format("tensim explain RACE-{} says more about rule {}\n",
                                  insight::order_rules()[races.found().front().rule].id,
                                  insight::order_rules()[races.found().front().rule].id));
  return text;
}

nlohmann::json races_json(const RaceSites& sites, const Races& races) {
  nlohmann::json list = nlohmann::json::array();
  for (const Merged& merged : for_reading(sites, races)) {
    const Race& race = merged.race;
    const std::vector<std::string> lines = lines_of(sites, races, race);
    nlohmann::json entry{{"severity", name(race.severity)},
                         {"rule", insight::order_rules()[race.rule].id},
                         {"first", text_of(sites, races[race.first])},
                         {"second", text_of(sites, races[race.second])},
                         {"shared", text_of(sites, race)},
                         {"text", lines[0]},
                         {"repair", lines[1]},
                         {"count", race.count},
                         {"overlapped", race.overlapped},
                         {"reversed", race.reversed},
                         {"cycle", race.cycle}};
    const auto add_calls = [&](const char* key, insight::SiteNumber number) {
      if (const std::string calls = calls_of(sites, races[number]); !calls.empty()) entry[key] = calls.substr(2);
    };
    add_calls("first_calls", race.first);
    add_calls("second_calls", race.second);
    if (race.closest) entry["closest"] = *race.closest;
    if (merged.tiles.size() > 1) entry["tiles"] = merged.tiles.size();
    list.push_back(std::move(entry));
  }
  return list;
}

}  // namespace tensim::report
