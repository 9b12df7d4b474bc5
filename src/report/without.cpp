#include "report/without.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "isa/disassemble.hpp"
#include "report/chip_run.hpp"
#include "report/places.hpp"
#include "report/races.hpp"

namespace tensim::report {
namespace {

std::uint64_t cycles_of(const RunOfWhat& run) {
  return run.chip != nullptr ? run.chip->cycles : run.outcome->cycles;
}

std::string_view outcome_of(const RunOfWhat& run) {
  return name(run.chip != nullptr ? run.chip->kind : run.outcome->kind);
}

std::size_t failed(const RunOfWhat& run) {
  return run.chip != nullptr ? run.chip->failed_count() : run.outcome->failed_expectations.size();
}

/// The pairs, as reports have them.
std::vector<std::string> races_of(const RunOfWhat& run) {
  std::vector<std::string> pairs;
  const auto add = [&](const RaceSites& sites, const insight::Races& races) {
    for (const insight::Race& race : races.found())
      pairs.push_back(lines_of(sites, races, race).front());
  };
  if (run.chip != nullptr && run.chip->races) add(race_sites(run.scenario, *run.chip), run.chip->races->races);
  if (run.outcome != nullptr && run.outcome->races) add(run.scenario, *run.outcome->races);
  return pairs;
}

bool were_races_checked(const RunOfWhat& run) {
  return run.chip != nullptr ? run.chip->races.has_value() : run.outcome->races.has_value();
}

/// Without what nothing orders any more.
std::vector<std::string> new_races(const RunOfWhat& with, const RunOfWhat& without) {
  const std::vector<std::string> before = races_of(with);
  const std::set<std::string> known(before.begin(), before.end());
  std::vector<std::string> added;
  for (std::string& pair : races_of(without))
    if (!known.contains(pair)) added.push_back(std::move(pair));
  return added;
}

/// The first byte of a tile's L1 that is another, but for the code that was changed.
std::optional<std::uint32_t> first_difference(const scenario::Scenario& changed, const tile::Tile& a,
                                              const tile::Tile& b) {
  const auto is_changed_code = [&](std::uint32_t at) {
    return std::ranges::any_of(changed.left_out,
                               [&](const scenario::LeftOut& each) { return at / 4 == each.address / 4; });
  };
  for (std::uint32_t at = 0; at < std::min(a.l1.size(), b.l1.size()); ++at)
    if (a.l1[at] != b.l1[at] && !is_changed_code(at)) return at;
  return std::nullopt;
}

struct MemoryDifference {
  std::string tile = {};
  std::uint32_t address = 0;
};

std::optional<MemoryDifference> memory_difference(const RunOfWhat& with, const RunOfWhat& without) {
  if (with.tile != nullptr && without.tile != nullptr) {
    const auto at = first_difference(without.scenario, *with.tile, *without.tile);
    return at ? std::optional(MemoryDifference{"", *at}) : std::nullopt;
  }
  if (with.chip == nullptr || with.chip->chip == nullptr || without.chip->chip == nullptr) return std::nullopt;
  for (const auto& [index, slot] : with.chip->chip->slots()) {
    const chip::Slot* const other = without.chip->chip->find(slot.place);
    if (other == nullptr) continue;
    if (const auto at = first_difference(without.scenario, *slot.tile, *other->tile))
      return MemoryDifference{text_of(slot.place), *at};
  }
  return std::nullopt;
}

/// "SEMWAIT block=STALL_TDMA, ... of T2", and how often it stood there.
std::vector<std::string> left_out_texts(const scenario::Scenario& changed) {
  std::vector<std::string> texts;
  for (const scenario::LeftOut& each : changed.left_out) {
    const std::string text = fmt::format("{}'s {}",
                                         changed.runs_cores() || changed.runs_chip()
                                             ? std::string(tile::name(each.core))
                                             : fmt::format("T{}", static_cast<unsigned>(each.core) - 1),
                                         to_text(isa::decode(changed.arch, each.word), isa::Syntax::brief));
    if (std::ranges::find(texts, text) == texts.end()) texts.push_back(text);
  }
  return texts;
}

std::string to_text(const Style& style, const RunOfWhat& with, const RunOfWhat& without) {
  std::string text =
      fmt::format("\n{} {}\n", style.strong("without"), fmt::join(left_out_texts(without.scenario), ", "));
  const std::uint64_t before = cycles_of(with);
  const std::uint64_t after = cycles_of(without);
  text += fmt::format("  {} after {} cycles, {}\n", outcome_of(without), after,
                      after == before  ? "as many"
                      : after < before ? fmt::format("{} fewer", before - after)
                                       : fmt::format("{} more", after - before));
  if (failed(without) > failed(with))
    text +=
        fmt::format("  {}\n", style.error(fmt::format("{} more expectations fail", failed(without) - failed(with))));
  const auto memory = memory_difference(with, without);
  if (memory && outcome_of(with) == outcome_of(without))
    text += fmt::format("  L1{}{} is not as it was: first at {:#010x}\n", memory->tile.empty() ? "" : " of tile ",
                        memory->tile, memory->address);
  if (!memory && (with.tile == nullptr || !with.tile->l1.empty())) text += "  L1 is the same\n";
  const std::vector<std::string> added = new_races(with, without);
  for (const std::string& pair : added)
    text += fmt::format("  {} {}\n", style.warning("appears:"), pair);
  if (!were_races_checked(without))
    text += fmt::format("  {}\n", style.dim("--check races says what it alone has ordered"));
  else if (added.empty())
    text += "  no race appears\n";
  return text;
}

nlohmann::json to_json(const RunOfWhat& with, const RunOfWhat& without) {
  const auto summary = [](const RunOfWhat& run) {
    return nlohmann::json{
        {"outcome", outcome_of(run)}, {"cycles", cycles_of(run)}, {"failed_expectations", failed(run)}};
  };
  nlohmann::json document{{"schema", "tensim.without/1"},
                          {"left_out", left_out_texts(without.scenario)},
                          {"with", summary(with)},
                          {"without", summary(without)},
                          {"races_were_checked", were_races_checked(without)},
                          {"races_that_appear", new_races(with, without)}};
  const auto memory = memory_difference(with, without);
  document["memory_is_the_same"] = !memory.has_value();
  if (memory) document["first_difference"] = {{"tile", memory->tile}, {"address", memory->address}};
  return document;
}

}  // namespace

std::string without_report(const RunOfWhat& with, const RunOfWhat& without, Format format) {
  return format == Format::json ? document_text(to_json(with, without)) : to_text(style_of(format), with, without);
}

}  // namespace tensim::report
