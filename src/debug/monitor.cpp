#include "debug/monitor.hpp"

#include <array>

#include <fmt/format.h>

#include "arch/mutexes.hpp"
#include "arch/named_rows.hpp"
#include "arch/semaphores.hpp"
#include "explain/tile_outcome.hpp"
#include "report/accounts.hpp"
#include "report/cores.hpp"
#include "report/hang.hpp"
#include "report/notes.hpp"
#include "report/places.hpp"
#include "scenario/tile_run.hpp"

namespace tensim::debug {
namespace {

using scenario::Scenario;
using tensix::Coprocessor;
using tensix::thread_count;
using tile::Tile;

using tensix::Occupancy;

constexpr NamedRows occupancy_rows{std::array{
    NamedRow{Occupancy::scalar, "Scalar Unit"},
    NamedRow{Occupancy::scalar_memory, "Scalar Unit's memory requests"},
    NamedRow{Occupancy::unpacker0, "unpacker 0"},
    NamedRow{Occupancy::unpacker1, "unpacker 1"},
    NamedRow{Occupancy::packer0, "packer 0"},
    NamedRow{Occupancy::packer1, "packer 1"},
    NamedRow{Occupancy::packer2, "packer 2"},
    NamedRow{Occupancy::packer3, "packer 3"},
    NamedRow{Occupancy::matrix, "Matrix Unit"},
    NamedRow{Occupancy::vector, "Vector Unit"},
    NamedRow{Occupancy::configuration, "Configuration Unit"},
    NamedRow{Occupancy::mover, "mover"},
    NamedRow{Occupancy::miscellaneous, "Miscellaneous Unit"},
    NamedRow{Occupancy::sync, "Sync Unit"},
}};
static_assert(occupancy_rows.cover(Occupancy::sync));

constexpr std::size_t most_words_shown = 4;

// ---- cycle ----

std::string say_cycle(const Scenario&, const Debugger& debugger) {
  return fmt::format("cycle {} is to come\n", debugger.tile().now());
}

// ---- threads ----

std::string gate(const Scenario& scenario, const Coprocessor& coprocessor, unsigned thread) {
  const tensix::Frontend& frontend = coprocessor.frontends[thread];
  if (!frontend.has_candidate()) return "nothing at the gate";
  const std::string at_gate = report::instruction_text(scenario, thread, frontend.candidate());
  const event::Stall stall = coprocessor.gates.held[thread].stall;
  if (stall == event::Stall::issued || stall == event::Stall::empty) return "at the gate: " + at_gate;
  return fmt::format("held at {}: {}", at_gate, event::name(stall));
}

std::string expanders(const tensix::Frontend& frontend) {
  std::string text;
  if (frontend.mop.is_expanding()) text += "  MOP Expander: expands a MOP\n";
  const tensix::ReplayExpander& replay = frontend.replay_expander();
  if (replay.is_playing()) text += fmt::format("  Replay Expander: plays, slot {} is next\n", replay.slot());
  if (replay.is_recording()) text += fmt::format("  Replay Expander: records, slot {} is next\n", replay.slot());
  return text;
}

/// Behind the one at the gate, as they will come out of the expanders.
std::string words_to_come(const Scenario& scenario, const Tile& tile, unsigned thread) {
  const tensix::Frontend& frontend = tile.coprocessor.frontends[thread];
  const auto words = insight::remaining_words(tile.arch, frontend, {});
  const std::size_t first = frontend.has_candidate() ? 1 : 0;
  std::string text;
  for (std::size_t i = first; i < words.size() && i < first + most_words_shown; ++i)
    text += fmt::format("  then {}\n", report::instruction_text(scenario, thread, words[i]));
  if (words.size() > first + most_words_shown)
    text += fmt::format("  and {} more\n", words.size() - first - most_words_shown);
  return text;
}

std::string say_threads(const Scenario& scenario, const Debugger& debugger) {
  const Tile& tile = debugger.tile_to_explain();
  std::string text;
  for (unsigned thread = 0; thread < thread_count; ++thread) {
    text += fmt::format("T{}: {}\n", thread, gate(scenario, tile.coprocessor, thread));
    const tensix::LatchedWait& latch = tile.coprocessor.gates.latches[thread];
    if (latch.is_valid())
      text += fmt::format("  latched: {}\n", report::instruction_text(
                                                 scenario, thread, tensix::Entry::expanded(latch.word, latch.source)));
    text += expanders(tile.coprocessor.frontends[thread]);
    text += words_to_come(scenario, tile, thread);
  }
  return text;
}

// ---- Sync Unit ----

std::string say_semaphores(const Scenario&, const Debugger& debugger) {
  const auto& semaphores = debugger.tile().coprocessor.sync.semaphores();
  std::string text;
  for (unsigned i = 0; i < semaphores.size(); ++i)
    text += fmt::format("semaphore {} ({}): Value {}, Max {}\n", i, semaphore_index.symbols[i].name,
                        semaphores[i].value, semaphores[i].max);
  return text;
}

std::string say_mutexes(const Scenario&, const Debugger& debugger) {
  const Tile& tile = debugger.tile();
  std::string text;
  for (const Symbol& mutex : mutexes(tile.arch).symbols) {
    const std::uint8_t owner = tile.coprocessor.sync.mutex_owner[mutex.value];
    text += fmt::format("mutex {} ({}): {}\n", mutex.value, mutex.name,
                        owner == tensix::SyncUnit::nobody ? "free" : fmt::format("T{} holds it", owner));
  }
  return text;
}

// ---- units ----

std::string end_of(const tensix::Record& record) {
  return record.last == tensix::never ? "waiting" : fmt::format("until the end of cycle {}", record.last);
}

std::string say_units(const Scenario& scenario, const Debugger& debugger) {
  std::string text;
  debugger.tile().coprocessor.in_flight.for_each([&](const tensix::Record& record) {
    text += fmt::format(
        "{}: T{}'s {}, since cycle {}, {}\n", occupancy_rows.name(record.where), record.thread,
        report::instruction_text(scenario, record.thread, tensix::Entry::expanded(record.word, record.source)),
        record.accepted, end_of(record));
  });
  return text.empty() ? "no unit has anything under way\n" : text;
}

// ---- explain ----

/// While cores still run, nobody knows what they will push: then "none is left" would be a guess.
void forget_guesses(insight::WaitForGraph& graph) {
  for (insight::StuckAgent& agent : graph.agents)
    for (insight::UnmetCondition& condition : agent.unmet)
      std::erase_if(condition.releasers, [](const insight::Releaser& releaser) {
        return releaser.reason == insight::Releaser::Reason::none_left || releaser.pusher;
      });
}

std::string running_text(const Scenario& scenario, const Tile& tile) {
  std::string text = fmt::format("before cycle {}; cores may still push what threads wait for\n", tile.now());
  for (unsigned i = 0; i < tile::core_count; ++i)
    text += fmt::format("{} {}\n", tile::core_names[i],
                        report::text_of(scenario, explain::core_state(tile, static_cast<tile::CoreId>(i))));
  insight::WaitForGraph graph =
      explain::wait_for_graph(tile, false, [&](tile::CoreId core) { return scenario.program_of(core); });
  forget_guesses(graph);
  for (const insight::StuckAgent& agent : graph.agents)
    text += fmt::format("{}\n", fmt::join(report::lines_of(scenario, agent), "\n"));
  return text;
}

std::string say_explanation(const Scenario& scenario, const Debugger& debugger) {
  const Tile& tile = debugger.tile_to_explain();
  const auto halt = debugger.halt();
  if (!halt) return running_text(scenario, tile);
  const explain::Outcome outcome = outcome_of(scenario, tile, *halt);
  std::string text = fmt::format("{} after {} cycles\n", name(outcome.kind), outcome.cycles);
  if (outcome.core_end) text += fmt::format("{}\n", fmt::join(report::lines_of(scenario, *outcome.core_end), "\n"));
  if (outcome.fault) text += report::text_of(scenario, *outcome.fault) + "\n";
  return text + report::hang_text(scenario, outcome);
}

// ---- account ----

std::string say_account(const Scenario&, const Debugger& debugger) {
  const Tile& tile = debugger.tile();
  std::string text;
  for (const riscv::Core& core : tile.cores) {
    const std::string reasons = report::text_of(core.account);
    text += fmt::format("{:<6} {:>8} retired{}{}\n", tile::core_names[core.number], core.retired,
                        reasons.empty() ? "" : ", stalled: ", reasons);
  }
  for (unsigned thread = 0; thread < thread_count; ++thread) {
    const event::StallAccount& account = tile.coprocessor.accounts[thread];
    const std::string reasons = report::text_of(account);
    text += fmt::format("T{}     {:>8} issued, {} held{}{}\n", thread, account[event::Stall::issued],
                        report::held_cycles(account), reasons.empty() ? "" : ": ", reasons);
  }
  return text;
}

// ---- the commands ----

struct Command {
  std::string_view name;
  std::string (*say)(const Scenario&, const Debugger&);
  std::string_view help;
};

constexpr std::array commands{
    Command{"cycle", say_cycle, "which cycle is to come"},
    Command{"threads", say_threads, "Tensix threads: what stands at each Wait Gate, what holds it, what comes next"},
    Command{"semaphores", say_semaphores, "Value and Max of each semaphore"},
    Command{"mutexes", say_mutexes, "who holds which mutex"},
    Command{"units", say_units, "operations under way in the backend"},
    Command{"explain", say_explanation, "what each core and thread waits for, and who could release it"},
    Command{"account", say_account, "where the cycles of each core and thread went"},
};

std::string help() {
  std::string text;
  for (const Command& command : commands)
    text += fmt::format("monitor {:<10}  {}\n", command.name, command.help);
  return text;
}

}  // namespace

std::string monitor(const Scenario& scenario, const Debugger& debugger, std::string_view command) {
  if (command == "help") return help();
  for (const Command& known : commands)
    if (known.name == command) return known.say(scenario, debugger);
  return "no such command; there are:\n" + help();
}

}  // namespace tensim::debug
