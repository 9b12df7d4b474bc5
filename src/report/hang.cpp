#include "report/hang.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "isa/decode.hpp"
#include "isa/disassemble.hpp"
#include "report/accesses.hpp"
#include "report/causes.hpp"
#include "report/conditions.hpp"
#include "report/cores.hpp"
#include "report/places.hpp"

namespace tensim::report {

using insight::Releaser;
using insight::StuckAgent;
using scenario::Scenario;
using tile::CoreId;

namespace {

/// What a core has ahead of it is not known, but for what stands in its code; that it does not get there is.
std::string text_of_pusher(const Scenario& scenario, const Releaser& releaser) {
  const insight::LiveCore& pusher = *releaser.pusher;
  const std::string_view core = tile::name(pusher.core);
  const std::string has =
      releaser.in_code
          ? fmt::format("{} has {} in its code, at {}", core,
                        to_text(isa::decode(scenario.arch, releaser.in_code->word), isa::Syntax::brief),
                        location(scenario, pusher.core, releaser.in_code->pc))
          : fmt::format("{} may {}", core, pusher.code != nullptr ? "do it with a store" : "have it ahead");
  if (!pusher.is_stuck) return has + ", and still runs";
  if (!pusher.thread) return has + ", but is stuck itself";
  const bool wants_room = pusher.wait == tile::Wait::push_fifo_full || pusher.wait == tile::Wait::brisc_entry_full;
  return fmt::format("{}, but waits for {}T{}", has, wants_room ? "room in the frontend of " : "", *pusher.thread);
}

/// Why `releaser`, stuck itself, will not come.
std::string text_of_stuck(const Scenario& scenario, const Releaser& releaser) {
  if (releaser.pusher) return text_of_pusher(scenario, releaser);
  if (releaser.core) return fmt::format("{} would do it with a store, but is stuck itself", tile::name(*releaser.core));
  const std::string instruction = instruction_text(scenario, *releaser.thread, *releaser.instruction);
  const std::string why = releaser.waits_for ? ": " + text_of(scenario.arch, *releaser.waits_for).what : "";
  if (releaser.unpacker) return fmt::format("unpacker {} does not finish {}{}", *releaser.unpacker, instruction, why);
  if (releaser.held_at == releaser.instruction)
    return fmt::format("T{} would do it with {}, which is held itself{}", *releaser.thread, instruction, why);
  const std::string where =
      releaser.held_at ? " at " + instruction_text(scenario, *releaser.thread, *releaser.held_at) : std::string();
  return fmt::format("T{} would do it with {}, but is itself held{}{}", *releaser.thread, instruction, where, why);
}

std::string text_of_coming(const Scenario& scenario, const Releaser& releaser) {
  if (releaser.pusher) return text_of_pusher(scenario, releaser);
  if (releaser.core) return fmt::format("{} will do it with a store", tile::name(*releaser.core));
  if (!releaser.instruction) return "that is under way";
  return fmt::format("T{} will do it with {}", *releaser.thread,
                     instruction_text(scenario, *releaser.thread, *releaser.instruction));
}

/// Why `releaser` will not end the wait of `agent`, which needs `needs`.
std::string text_of(const Scenario& scenario, const StuckAgent& agent, const std::string& needs,
                    const Releaser& releaser) {
  using Reason = Releaser::Reason;
  switch (releaser.reason) {
    case Reason::behind_itself:
      if (releaser.instruction == agent.instruction) return "the wait holds back the very instruction that would do it";
      return fmt::format("its own {} stands behind it and cannot pass",
                         instruction_text(scenario, *releaser.thread, *releaser.instruction));
    case Reason::stuck: return text_of_stuck(scenario, releaser);
    case Reason::coming: return text_of_coming(scenario, releaser);
    case Reason::none_left:
      return fmt::format("nobody will come: no {} is left{}", needs,
                         releaser.looked_into_code ? ", queued or ahead in the cores' code" : "");
    case Reason::never: return "nothing can change that: it waits for ever";
  }
  return "";
}

bool started_by_the_command(const Scenario& scenario, CoreId core) {
  const auto& program = scenario.cores[static_cast<unsigned>(core)];
  return program && !program->held;
}

/// BRISC waits for a thread that waits for what BRISC may have ahead.
bool is_in_ring_with_brisc(const explain::Outcome& outcome) {
  const auto brisc = insight::Agent::of_core(CoreId::brisc);
  return std::ranges::any_of(outcome.graph.cycles,
                             [&](const auto& ring) { return std::ranges::find(ring, brisc) != ring.end(); });
}

}  // namespace

std::vector<std::string> lines_of(const Scenario& scenario, const StuckAgent& agent) {
  std::vector<std::string> lines;
  lines.push_back(fmt::format("{} is held {} {}: {}", name(agent.agent),
                              agent.agent.is_unpacker() ? "in the middle of" : "at",
                              instruction_text(scenario, agent.thread, agent.instruction), name(agent.stall)));
  if (agent.latched_by)
    lines.push_back(fmt::format("  by the latched {}", instruction_text(scenario, agent.thread, *agent.latched_by)));
  for (const insight::UnmetCondition& unmet : agent.unmet) {
    const ConditionText text = text_of(scenario.arch, unmet.condition);
    lines.push_back(fmt::format("  {}; {}", text.what, text.state));
    if (!unmet.releasers.empty() && unmet.releasers.front().pusher)
      lines.push_back(fmt::format("  no {} is queued, but a core may still do it", text.needs));
    for (const Releaser& releaser : unmet.releasers)
      lines.push_back("  " + text_of(scenario, agent, text.needs, releaser));
  }
  return lines;
}

std::vector<std::string> hints(const Scenario& scenario, const explain::Outcome& outcome) {
  if (!is_in_ring_with_brisc(outcome) || !started_by_the_command(scenario, CoreId::brisc)) return {};
  std::string cores;
  for (const CoreId core : {CoreId::trisc0, CoreId::trisc1, CoreId::trisc2})
    if (started_by_the_command(scenario, core))
      cores += fmt::format("{}{}", cores.empty() ? "" : ", ", tile::name(core));
  if (cores.empty()) return {};
  return {
      fmt::format("{} ran from the start, beside BRISC; if BRISC has to prepare something and release them, keep "
                  "them in reset until then (--held, or held = true in a scenario)",
                  cores)};
}

std::string hang_text(const Scenario& scenario, const explain::Outcome& outcome) {
  std::string text;
  for (const std::string& cause : causes(scenario, outcome))
    text += fmt::format("{}look here first: {}\n", text.empty() ? "\n" : "", cause);
  for (const StuckAgent& agent : outcome.graph.agents)
    text += fmt::format("\n{}\n", fmt::join(lines_of(scenario, agent), "\n"));
  for (const explain::StuckCore& core : outcome.stuck_cores)
    text += fmt::format("\n{}\n", text_of(scenario, outcome, core));
  for (const auto& ring : outcome.graph.cycles) {
    text += "\nwait cycle: ";
    for (const insight::Agent& agent : ring)
      text += name(agent) + " -> ";
    text += name(ring.front()) + "\n";
  }
  for (const std::string& hint : hints(scenario, outcome))
    text += fmt::format("\nhint: {}\n", hint);
  return text;
}

}  // namespace tensim::report
