// What two accesses to the same state need to be in order.
#include "insight/checked_state.hpp"

#include <algorithm>

#include "isa/table.hpp"

namespace tensim::insight {

using namespace isa::literals;
using event::Access;
using event::Resource;
using tensix::Occupancy;
using tensix::Word;

namespace {

constexpr std::uint32_t instructions_between =
    3;  // rule 14a: a write of the Matrix Unit, and a load of the Vector Unit

bool is_packer(unsigned unit) {
  return unit >= static_cast<unsigned>(Occupancy::packer0) && unit <= static_cast<unsigned>(Occupancy::packer3);
}
bool is_unpacker(unsigned unit) {
  return unit == static_cast<unsigned>(Occupancy::unpacker0) || unit == static_cast<unsigned>(Occupancy::unpacker1);
}

/// Whether what comes second begins when the first is over. All packers are one for the order of PACRs. What the Scalar Unit
/// does itself is over before it sends a request, and not the other way round.
bool are_in_order(unsigned first, unsigned second) {
  constexpr auto memory = static_cast<unsigned>(Occupancy::scalar_memory);
  if (first == static_cast<unsigned>(Occupancy::scalar) && second == memory) return true;
  return first == second || (is_packer(first) && is_packer(second));
}

/// Which of two that clear the same rows comes first does not matter.
bool both_clear(const Races& races, SiteNumber first, SiteNumber second) {
  return isa::opcode_of(races[first].word) == "ZEROACC"_op && isa::opcode_of(races[second].word) == "ZEROACC"_op;
}

/// Of the Matrix Unit.
bool takes_one_cycle(Word word) {
  return isa::opcode_of(word) == "ZEROACC"_op || isa::opcode_of(word) == "ZEROSRC"_op ||
         isa::opcode_of(word) == "TRNSPSRCB"_op;
}

bool moves_without_waiting(Word word) {
  switch (isa::opcode_of(word)) {
    case "MOVD2A"_op:
    case "MOVD2B"_op:
    case "MOVB2A"_op:
    case "MOVDBGA2D"_op:
    case "ZEROSRC"_op: return true;
    default: return false;
  }
}

}  // namespace

/// How long the instruction may still use what it accesses.
Span span_of(Occupancy unit, Word word, const Access& access) {
  const auto number = static_cast<unsigned>(unit);
  const bool is_setting = access.resource == Resource::config || access.resource == Resource::thread_config;
  if (access.resource == Resource::adc || access.resource == Resource::rwc ||
      access.resource == Resource::thread_config)
    return Span::at_issue;  // rules 18, 20a
  switch (unit) {
    case Occupancy::matrix:
      if (takes_one_cycle(word)) return Span::one_cycle;
      return is_setting || access.resource == Resource::lane_flags ? Span::at_issue : Span::until_done;  // rule 18
    case Occupancy::vector: return is_setting ? Span::at_issue : Span::until_done;                       // rule 18
    case Occupancy::configuration:
      if (access.resource == Resource::gpr) return access.write ? Span::until_done : Span::at_issue;
      if (!access.write) return Span::at_issue;
      return isa::opcode_of(word) == "WRCFG"_op || isa::opcode_of(word) == "CFGSHIFTMASK"_op ? Span::after_next
                                                                                             : Span::at_issue;
    case Occupancy::miscellaneous:
    case Occupancy::sync: return Span::at_issue;
    default: break;
  }
  if (access.resource != Resource::config || access.write) return Span::until_done;
  if (is_packer(number)) return Span::pack_setting;
  return is_unpacker(number) ? Span::unpack_setting : Span::until_done;
}

void CheckedState::touch(const Current& current, const Access& access, Span span) {
  if (access.resource == Resource::semaphore || access.resource == Resource::mutex ||
      access.resource == Resource::src_ownership)
    return;  // these order, and are not ordered
  if (access.resource == Resource::l1 || access.resource == Resource::dram) return touch_bytes(current, access, span);
  for (std::uint32_t i = access.first; i < access.first + access.count; ++i) {
    if (span != Span::pack_setting && span != Span::unpack_setting) {
      touch_cell(current, access, i, access.mask, span);
      continue;
    }
    // Of settings, each in its own way.
    const RaceContext::Settings& settings = context_.settings[i];
    const bool packs = span == Span::pack_setting;
    const std::uint32_t address = packs ? access.mask & settings.pack_address : 0;
    const std::uint32_t accumulate = packs ? access.mask & settings.pack_accumulate : 0;
    const std::uint32_t early = access.mask & settings.at_issue;
    const std::uint32_t others = access.mask & ~(address | accumulate | early);
    if (address != 0) touch_cell(current, access, i, address, Span::pack_address);
    if (accumulate != 0) touch_cell(current, access, i, accumulate, Span::pack_accumulate);
    if (early != 0) touch_cell(current, access, i, early, Span::at_issue);
    if (others != 0) touch_cell(current, access, i, others, span);
  }
}

void CheckedState::touch_bytes(const Current& current, const Access& access, Span span) {
  constexpr std::uint32_t block = Shadow::l1_block;
  const std::uint32_t end = access.first + access.count;
  for (std::uint32_t at = access.first; at < end; at = (at / block + 1) * block) {
    const std::uint32_t from = at % block;
    const std::uint32_t to = std::min(end - (at - from), block);
    touch_cell(current, access, at / block, (1U << to) - (1U << from), span);
  }
}

void CheckedState::touch_cell(const Current& current, const Access& access, std::uint32_t index, std::uint32_t mask,
                              Span span) {
  const Mark mark{.mask = mask,
                  .changed = access.changed,
                  .number = current.number,
                  .site = current.site,
                  .ordinal = current.ordinal,
                  .lane = current.lane,
                  .is_write = access.write,
                  .span = static_cast<std::uint8_t>(span)};
  const auto touch_one = [&](auto&& cell) {
    insight::touch(
        cell, mark, [&](const Mark& first) { return !unordered(first, current, access).has_value(); },
        [&](const Mark& first) { return current.actor.knows_done(first.lane, first.number); },
        [&](const Mark& first, std::uint32_t common) { report(first, current, access, index, common); });
  };
  if (access.resource == Resource::l1 || access.resource == Resource::dram)
    touch_one(shadow_.at_memory(index));
  else
    touch_one(shadow_.at(access.resource, access.owner, index));
}

namespace {

/// A load has its value when it is told of.
bool is_over_at_once(const Site& site) {
  return site.kind == Site::Kind::load;
}

}  // namespace

void CheckedState::report(const Mark& first, const Current& second, const Access& access, std::uint32_t index,
                          std::uint32_t common) {
  const RuleNumber rule = *unordered(first, second, access);
  // A write of what is there already is one level lower; of two writes that meet, only if neither changes anything.
  const std::uint32_t changed = (first.is_write ? first.changed : 0U) | (access.write ? access.changed : 0U);
  const bool changes = (changed & common) != 0 && !both_clear(context_.races, first.site, second.site);
  Severity severity = context_.severities[rule];
  if (!changes && severity != Severity::off) severity = severity == Severity::error ? Severity::warning : Severity::off;
  if (severity == Severity::off) return;
  Race race{.first = first.site,
            .second = second.site,
            .first_writes = first.is_write,
            .second_writes = access.write,
            .what = {access.resource, access.owner, access.write, index, 1, common},
            .place = place_,
            .is_issue_ordered = second.actor.knows_issued(first.lane, first.number),
            .rule = rule,
            .severity = severity,
            .is_same_value = !changes,
            .cycle = second.cycle};
  Distance distance = context_.times.distance(first.lane, first.number, second.cycle);
  distance.reversed = distance.overlapped && first.is_write && is_over_at_once(context_.races[second.site]);
  context_.races.add(race, first.number, second.number, distance);
}

bool CheckedState::is_of_host(Lane lane) const {
  return !is_flow(lane) && context_.host == actor_of(lane);
}

/// The rule that a pair lacks; none if it is in order.
std::optional<RuleNumber> CheckedState::unordered(const Mark& first, const Current& second,
                                                  const Access& access) const {
  if (second.actor.knows_done(first.lane, first.number)) return std::nullopt;
  if (is_of_host(first.lane) || is_of_host(second.lane)) return "32"_rule;
  if (is_flow(first.lane) || is_flow(second.lane)) return unordered_on_noc(first, second);
  if (!second.actor.knows_issued(first.lane, first.number)) return missing(first, second, access, false);
  const unsigned unit = which_of(first.lane);
  const bool is_of_thread = is_thread(actor_of(first.lane));
  if (static_cast<Span>(first.span) == Span::one_cycle) return context_.ordered_by("3c"_rule);
  if (static_cast<Span>(first.span) == Span::at_issue)
    return is_of_thread && is_unpacker(unit) ? context_.ordered_by("20a"_rule) : context_.ordered_by("18"_rule);
  if (is_of_thread) return behind_instruction(first, second, access);
  // Stores of a core to one region are in order (22), and a MOP sees MopCfg as it was when it was pushed (21a).
  if (first.lane == second.lane) return std::nullopt;
  if (is_likely_landed(first, second)) return context_.ordered_by("23b"_rule);
  return access.resource == Resource::mop_config ? context_.ordered_by("21a"_rule)
                                                 : missing(first, second, access, true);
}

/// The same, of what is known to be issued behind an instruction.
std::optional<RuleNumber> CheckedState::behind_instruction(const Mark& first, const Current& second,
                                                           const Access& access) const {
  const unsigned unit = which_of(first.lane);
  const unsigned second_unit = which_of(second.lane);
  if (unit == frontend_lane) return "21"_rule;
  const bool is_instruction = is_thread(actor_of(second.lane));
  if (is_instruction && overtakes(first, second)) return "3b"_rule;
  if (is_instruction && are_in_order(unit, second_unit)) return std::nullopt;  // rule 3
  const bool is_own = actor_of(second.lane) == actor_of(first.lane);
  const std::uint32_t distance = second.ordinal - first.ordinal;
  if (static_cast<Span>(first.span) == Span::after_next)
    return is_own && distance < 2 ? std::optional("17"_rule) : std::nullopt;
  if (is_instruction && access.resource == Resource::dst && first.is_write &&
      unit == static_cast<unsigned>(Occupancy::matrix)) {
    if (!access.write && is_packer(second_unit)) return context_.ordered_by("14"_rule);
    if (second_unit == static_cast<unsigned>(Occupancy::vector) && is_own && distance > instructions_between)
      return std::nullopt;  // rule 14a says so
  }
  if (is_own && context_.closes_gate(static_cast<Occupancy>(unit), context_.races[first.site].word))
    return context_.ordered_by("15w"_rule);
  return missing(first, second, access, true);
}

/// Stores to configuration and GPRs, by what the core has had answers to since, or has done there (rule 23b).
bool CheckedState::is_likely_landed(const Mark& first, const Current& second) {
  constexpr std::uint32_t more_than_wait = 16;
  const auto knows = [&](CoreLane answered) {
    return second.actor.knows_done(lane_of(actor_of(first.lane), static_cast<unsigned>(answered)), first.number) ||
           second.actor.knows_issued(first.lane, first.number + more_than_wait);
  };
  switch (static_cast<CoreLane>(which_of(first.lane))) {
    case CoreLane::config: return knows(CoreLane::config_answered);
    case CoreLane::gpr: return knows(CoreLane::gpr_answered);
    default: return false;
  }
}

/// Blackhole: UNPACR_NOP behind UNPACR.
bool CheckedState::overtakes(const Mark& first, const Current& second) const {
  return is_unpacker(which_of(first.lane)) && first.lane == second.lane && context_.nops_overtake &&
         isa::opcode_of(context_.races[second.site].word) == "UNPACR_NOP"_op &&
         isa::opcode_of(context_.races[first.site].word) == "UNPACR"_op;
}

namespace {

/// Settings have rules of their own.
std::optional<RuleNumber> rule_of_setting(Span span) {
  switch (span) {
    case Span::pack_setting: return "19"_rule;
    case Span::pack_address: return "19a"_rule;
    case Span::pack_accumulate: return "19b"_rule;
    case Span::unpack_setting: return "20"_rule;
    default: return std::nullopt;
  }
}

}  // namespace

/// What would have put them in order.
RuleNumber CheckedState::missing(const Mark& first, const Current& second, const Access& access, bool is_issued) const {
  const bool first_is_core = !is_thread(actor_of(first.lane));
  const bool second_is_core = !is_thread(actor_of(second.lane));
  if (access.resource == Resource::mop_config) return "21"_rule;
  if (access.resource == Resource::l1 && (first_is_core || second_is_core))
    return second_is_core && !first_is_core && is_issued ? "24"_rule : "26"_rule;
  if (is_issued)
    if (const auto rule = rule_of_setting(static_cast<Span>(first.span))) return *rule;
  if (first_is_core && second_is_core) return "11"_rule;
  if (first_is_core) return "23"_rule;
  return second_is_core ? "24"_rule : missing_between_instructions(first, second, access, is_issued);
}

RuleNumber CheckedState::missing_between_instructions(const Mark& first, const Current& second, const Access& access,
                                                      bool is_issued) const {
  switch (access.resource) {
    case Resource::gpr:
      if (which_of(first.lane) == static_cast<unsigned>(Occupancy::scalar_memory)) return "16"_rule;
      if (is_issued && isa::opcode_of(context_.races[first.site].word) == "RDCFG"_op) return "15a"_rule;
      return is_issued ? "15"_rule : "11"_rule;
    case Resource::dst: return "14a"_rule;
    case Resource::src_a:
    case Resource::src_b:
    case Resource::src_format:
      return moves_without_waiting(context_.races[first.site].word) ||
                     moves_without_waiting(context_.races[second.site].word)
                 ? "13a"_rule
                 : "13"_rule;
    case Resource::l1: return is_issued ? "4"_rule : "26"_rule;
    case Resource::config: return is_issued ? "4"_rule : "12"_rule;
    default: return is_issued ? "4"_rule : "11"_rule;
  }
}

// ---- packets ----

namespace {

using noc::MessageKind;
using Part = FlowKey::Part;

/// What has to be waited for behind a packet; `is_own` where it is of an NIU of the tile.
RuleNumber missing_behind_packet(const FlowKey& first, bool is_known, bool is_own) {
  if (first.part == Part::source) return "29a"_rule;
  if (first.kind == MessageKind::read) return "28"_rule;
  if (first.kind == MessageKind::atomic) return "31"_rule;
  if (!is_known) return "26"_rule;
  return is_own ? "29"_rule : "30"_rule;
}

}  // namespace

/// The same, where one of them or both are packets.
std::optional<RuleNumber> CheckedState::unordered_on_noc(const Mark& first, const Current& second) const {
  const bool is_known = second.actor.knows_issued(first.lane, first.number);
  if (is_flow(first.lane)) {
    const FlowKey& flow = context_.flows[first.lane];
    if (is_flow(second.lane)) return between_packets(flow, context_.flows[second.lane]);
    return missing_behind_packet(flow, is_known, flow.source == place_);
  }
  if (!is_known) return "26"_rule;
  if (is_thread(actor_of(first.lane))) return "4"_rule;
  // What the core has stored before it initiated the request, and need not have landed.
  const bool is_source = context_.flows[second.lane].part == Part::source;
  return is_source ? context_.ordered_by("29b"_rule) : std::optional("26"_rule);
}

std::optional<RuleNumber> CheckedState::between_packets(const FlowKey& first, const FlowKey& second) const {
  if (first.kind == MessageKind::atomic && second.kind == MessageKind::atomic)
    return std::nullopt;  // old words that come back: whoever wants them has one place for each
  const bool is_write = first.part == Part::landing && first.kind != MessageKind::read;
  if (is_write && first.goes_with(second))
    return std::nullopt;  // rule 30: bytes that both write, and a read behind a write
  return is_write ? "30"_rule : missing_behind_packet(first, true, true);
}

}  // namespace tensim::insight
