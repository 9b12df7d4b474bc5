#include "report/chip_hang.hpp"

#include <algorithm>
#include <span>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "report/places.hpp"

namespace tensim::report {

using explain::Brought;
using explain::ChipOutcome;
using explain::ChipWait;
using explain::CoreOfChip;
using explain::Need;
using explain::Ring;
using explain::StuckWait;
using explain::Unanswered;
using explain::WouldBring;

namespace {

constexpr std::size_t most_names = 8;  // of tiles in one line

std::string core_text(const TileNames& names, const CoreOfChip& core) {
  return fmt::format("{} of {}", tile::name(core.core), names.name(core.tile));
}

/// "to become 4", "to reach 4 in its bits 0xffff"
std::string need_text(const std::optional<Need>& need) {
  if (!need) return "to change";
  const std::string bits = need->mask == ~0U ? "" : fmt::format(" in its bits {:#x}", need->mask);
  switch (need->relation) {
    case Need::Relation::equal: return fmt::format("to become {:#x}{}", need->value, bits);
    case Need::Relation::not_equal: return fmt::format("to become other than {:#x}{}", need->value, bits);
    case Need::Relation::at_least: return fmt::format("to reach {:#x}{}", need->value, bits);
    case Need::Relation::below: return fmt::format("to fall below {:#x}{}", need->value, bits);
  }
  return "";
}

std::string_view relation_name(Need::Relation relation) {
  switch (relation) {
    case Need::Relation::equal: return "equal";
    case Need::Relation::not_equal: return "not_equal";
    case Need::Relation::at_least: return "at_least";
    case Need::Relation::below: return "below";
  }
  return "";
}

std::string kind_text(const Brought& brought, std::uint64_t count) {
  const std::string_view one = brought.is_increment ? "increment" : event::name(brought.kind);
  return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s");
}

/// "1,2 2,2 3,2 and 9 more"
template <class Item, class Text>
std::string list(std::span<const Item> items, Text text) {
  std::string result;
  for (const Item& item : items.first(std::min(items.size(), most_names)))
    result += (result.empty() ? "" : " ") + text(item);
  if (items.size() > most_names) result += fmt::format(" and {} more", items.size() - most_names);
  return result;
}

/// Packets of one kind in a line, with all their senders.
std::vector<std::string> arrived_lines(const TileNames& names, const StuckWait& stuck) {
  std::vector<std::string> lines;
  std::vector<Brought> left = stuck.brought;
  while (!left.empty()) {
    std::vector<Brought> same;
    std::vector<Brought> others;
    for (const Brought& brought : left) {
      const bool is_same = brought.kind == left.front().kind && brought.is_increment == left.front().is_increment;
      (is_same ? same : others).push_back(brought);
    }
    std::uint64_t count = 0;
    tile::Cycle last = 0;
    for (const Brought& brought : same) {
      count += brought.count;
      last = std::max(last, brought.last);
    }
    const auto sender = [&](const Brought& brought) {
      return brought.count == 1 || same.size() == 1 ? names.name(brought.from)
                                                    : fmt::format("{} ({})", names.name(brought.from), brought.count);
    };
    lines.push_back(fmt::format("  {} arrived, from {}; the last in cycle {}", kind_text(same.front(), count),
                                list(std::span<const Brought>(same), sender), last));
    left = std::move(others);
  }
  return lines;
}

bool is_counter(const ChipWait& wait) {
  return wait.what == ChipWait::What::counter || wait.what == ChipWait::What::command_buffer;
}

std::string why_text(const TileNames& names, const Unanswered& unanswered) {
  switch (unanswered.why) {
    case Unanswered::Why::receiver_stands_still:
      return fmt::format("is not answered: tile {} has a fault, and stands still", names.name(unanswered.at));
    case Unanswered::Why::in_the_network:
      return "is still in the network: something on its way never lets it pass (a linked transaction that was not "
             "ended, or multicasts that wait for each other)";
    case Unanswered::Why::in_the_niu:
      return fmt::format("has not left its NIU: virtual channel {} never has room for it", unanswered.request.channel);
    case Unanswered::Why::not_known: return "is not answered";
  }
  return "";
}

std::string unanswered_line(const TileNames& names, const Unanswered& unanswered) {
  const noc::Issuer& issuer = unanswered.request.issuer;
  return fmt::format("  its {}, of cycle {} at {}, {}", request_text(names, unanswered.request), issuer.cycle,
                     issued_at(names, issuer), why_text(names, unanswered));
}

/// What a core that would have sent something does instead.
std::string instead(const TileNames& names, const ChipOutcome& outcome, const CoreOfChip& core) {
  const auto stuck =
      std::ranges::find_if(outcome.stuck, [&](const StuckWait& other) { return other.wait.who == core; });
  if (stuck == outcome.stuck.end()) return "but does not";
  return fmt::format("but waits itself, for {}",
                     what_is_at(names.programs(core.tile), core.core, stuck->wait.word.address));
}

std::string would_line(const TileNames& names, const ChipOutcome& outcome, const WouldBring& would) {
  if (!would.is_packet)
    return fmt::format("  {} would write it, {}", core_text(names, would.by), instead(names, outcome, would.by));
  return fmt::format("  {} would send it ({} at {}), {}", core_text(names, would.by), event::name(would.kind),
                     location(names.programs(would.by.tile), would.by.core, would.pc) +
                         called_at(names.programs(would.by.tile), would.by.core, would.pc),
                     instead(names, outcome, would.by));
}

/// Of a word that nobody is known to be going to change.
std::string nobody_line(const StuckWait& stuck) {
  if (stuck.wait.what == ChipWait::What::own_matter) return "  nothing that comes over the NoC changes it";
  if (is_counter(stuck.wait)) return "  no request is under way that would move it";
  return "  nobody is left who would send anything to it";
}

}  // namespace

std::string request_text(const TileNames& names, const noc::Message& request) {
  std::string text(event::name(request.kind));
  if (request.kind == noc::MessageKind::read || request.kind == noc::MessageKind::write)
    text += fmt::format(" of {} bytes", request.length);
  const bool reads = request.kind == noc::MessageKind::read;
  if (request.broadcast) return fmt::format("{}, broadcast, to {:#010x}", text, request.address);
  return fmt::format("{} {} {} at {:#010x}", text, reads ? "from" : "to", names.name(request.target), request.address);
}

std::vector<std::string> lines_of(const TileNames& names, const ChipOutcome& outcome, const StuckWait& stuck) {
  const ChipWait& wait = stuck.wait;
  const scenario::Scenario& own = names.programs(wait.who.tile);
  std::vector<std::string> lines{fmt::format("tile {} {} waits at {} for {} {}: it is {:#x}", names.name(wait.who.tile),
                                             tile::name(wait.who.core), location(own, wait.who.core, stuck.pc),
                                             what_is_at(own, wait.who.core, wait.word.address),
                                             need_text(wait.word.need), wait.word.value)};
  if (const std::string calls = called_at(own, wait.who.core, stuck.pc); !calls.empty())
    lines.push_back("  " + calls.substr(2));
  for (std::string& line : arrived_lines(names, stuck))
    lines.push_back(std::move(line));
  if (stuck.has_history && stuck.brought.empty() && !is_counter(wait) && wait.what != ChipWait::What::own_matter)
    lines.emplace_back("  no packet has ever come there");
  for (const Unanswered& unanswered : stuck.unanswered)
    lines.push_back(unanswered_line(names, unanswered));
  for (const WouldBring& would : stuck.would_bring)
    lines.push_back(would_line(names, outcome, would));
  const auto ended = [&](const explain::EndedTile& tile) {
    return fmt::format("{} (cycle {})", names.name(tile.tile), tile.cycle);
  };
  if (stuck.ended.size() == 1)
    lines.push_back(fmt::format("  {} ended in cycle {} without sending to it", names.name(stuck.ended[0].tile),
                                stuck.ended[0].cycle));
  else if (!stuck.ended.empty())
    lines.push_back("  ended without sending to it: " + list(std::span<const explain::EndedTile>(stuck.ended), ended));
  if (stuck.unanswered.empty() && stuck.would_bring.empty()) lines.push_back(nobody_line(stuck));
  return lines;
}

std::string text_of(const TileNames& names, const Ring& ring) {
  std::string text = "wait cycle: ";
  for (const CoreOfChip& core : ring)
    text += core_text(names, core) + " -> ";
  return text + core_text(names, ring.front());
}

std::string chip_hang_text(const TileNames& names, const ChipOutcome& outcome) {
  std::string text;
  for (const Ring& ring : outcome.rings)
    text += fmt::format("\n{}\n", text_of(names, ring));
  for (const StuckWait& stuck : outcome.stuck)
    text += fmt::format("\n{}\n", fmt::join(lines_of(names, outcome, stuck), "\n"));
  return text;
}

namespace {

nlohmann::json unanswered_json(const TileNames& names, const Unanswered& unanswered) {
  const noc::Issuer& issuer = unanswered.request.issuer;
  return {{"request", request_text(names, unanswered.request)},
          {"noc", unanswered.request.noc},
          {"issuer", issuer_text(names, issuer)},
          {"core", tile::name(issuer.view)},
          {"cycle", issuer.cycle},
          {"at", issued_at(names, issuer)},
          {"why", why_text(names, unanswered)}};
}

nlohmann::json wait_json(const TileNames& names, const ChipOutcome& outcome, const StuckWait& stuck) {
  const ChipWait& wait = stuck.wait;
  const scenario::Scenario& own = names.programs(wait.who.tile);
  nlohmann::json entry{{"tile", names.name(wait.who.tile)},
                       {"core", tile::name(wait.who.core)},
                       {"at", location(own, wait.who.core, stuck.pc)},
                       {"waits_for", what_is_at(own, wait.who.core, wait.word.address)},
                       {"address", wait.word.address},
                       {"value", wait.word.value},
                       {"explanation", lines_of(names, outcome, stuck)}};
  if (const auto& need = wait.word.need)
    entry["needs"] = {{"relation", relation_name(need->relation)}, {"value", need->value}, {"mask", need->mask}};
  if (stuck.has_history) {
    entry["arrived"] = nlohmann::json::array();
    for (const Brought& brought : stuck.brought)
      entry["arrived"].push_back({{"from", names.name(brought.from)},
                                  {"kind", brought.is_increment ? "increment" : event::name(brought.kind)},
                                  {"count", brought.count},
                                  {"last_cycle", brought.last}});
  }
  for (const Unanswered& unanswered : stuck.unanswered)
    entry["unanswered"].push_back(unanswered_json(names, unanswered));
  for (const WouldBring& would : stuck.would_bring)
    entry["would_come_from"].push_back({{"tile", names.name(would.by.tile)}, {"core", tile::name(would.by.core)}});
  for (const explain::EndedTile& ended : stuck.ended)
    entry["ended_without_sending"].push_back({{"tile", names.name(ended.tile)}, {"cycle", ended.cycle}});
  return entry;
}

}  // namespace

nlohmann::json chip_hang_json(const TileNames& names, const ChipOutcome& outcome) {
  nlohmann::json document{{"waits", nlohmann::json::array()}, {"wait_cycles", nlohmann::json::array()}};
  for (const StuckWait& stuck : outcome.stuck)
    document["waits"].push_back(wait_json(names, outcome, stuck));
  for (const Ring& ring : outcome.rings) {
    nlohmann::json members = nlohmann::json::array();
    for (const CoreOfChip& core : ring)
      members.push_back({{"tile", names.name(core.tile)}, {"core", tile::name(core.core)}});
    document["wait_cycles"].push_back(std::move(members));
  }
  return document;
}

}  // namespace tensim::report
