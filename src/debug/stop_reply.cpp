#include "debug/stop_reply.hpp"

#include <fmt/format.h>

#include "explain/core_end.hpp"
#include "report/cores.hpp"
#include "report/expected_texts.hpp"
#include "report/hang.hpp"
#include "report/notes.hpp"
#include "scenario/tile_run.hpp"

namespace tensim::debug {
namespace {

/// As gdb numbers them (gdb/signals.def).
enum class Signal : std::uint8_t { interrupt = 2, illegal = 4, trap = 5, segmentation = 11, stop = 17 };

constexpr int fine = 0;
constexpr int expectation_failed = 1;
constexpr int budget_exhausted = 5;

Signal signal_of(riscv::CoreStop::Reason reason) {
  using Reason = riscv::CoreStop::Reason;
  switch (reason) {
    case Reason::ebreak:
    case Reason::ecall: return Signal::trap;
    case Reason::undefined_instruction:
    case Reason::not_modelled:
    case Reason::no_such_core_instruction:
    case Reason::no_csr: return Signal::illegal;
    case Reason::fetch_unmapped:
    case Reason::misaligned_jump:
    case Reason::access: break;
  }
  return Signal::segmentation;
}

Signal signal_of(const Debugger& debugger, const Stop& stop) {
  switch (stop.kind) {
    case Stop::Kind::interrupted: return Signal::interrupt;
    case Stop::Kind::core_stopped: return signal_of(debugger.tile().core(stop.core).stop->reason);
    case Stop::Kind::coprocessor_fault: return Signal::illegal;
    case Stop::Kind::nothing_left: return Signal::stop;
    default: return Signal::trap;
  }
}

std::string watch_text(const Stop& stop) {
  if (stop.kind != Stop::Kind::watchpoint && stop.kind != Stop::Kind::changed) return "";
  constexpr std::array<std::string_view, 3> names{"watch", "rwatch", "awatch"};  // by Watchpoint::Kind
  return fmt::format("{}:{:x};", names[static_cast<std::size_t>(stop.watch)], stop.address);
}

std::string end_text(const scenario::Scenario& scenario, const Debugger& debugger) {
  explain::Outcome outcome = outcome_of(scenario, debugger.tile_to_explain(), *debugger.halt());
  return fmt::format("{} after {} cycles\n{}", name(outcome.kind), outcome.cycles,
                     report::hang_text(scenario, outcome));
}

}  // namespace

std::string stop_reply(const Debugger& debugger, const Stop& stop) {
  return fmt::format("T{:02x}{}thread:{:x};", static_cast<unsigned>(signal_of(debugger, stop)), watch_text(stop),
                     thread_id(stop.core));
}

std::string stop_text(const scenario::Scenario& scenario, const Debugger& debugger, const Stop& stop) {
  const tile::Tile& tile = debugger.tile();
  switch (stop.kind) {
    case Stop::Kind::breakpoint:
    case Stop::Kind::watchpoint:
    case Stop::Kind::stepped:
    case Stop::Kind::interrupted: return "";
    case Stop::Kind::in_bundle:
      return fmt::format(
          "{}: the breakpoint at {:#x} stands among words that are pushed together; stopped before the first of them\n",
          name(stop.core), stop.address);
    case Stop::Kind::changed:
      return fmt::format("{:#x} was changed in cycle {} by something that is not a core\n", stop.address,
                         tile.now() - 1);
    case Stop::Kind::core_stopped:
      return fmt::format(
          "{}\n",
          fmt::join(report::lines_of(scenario, explain::core_end(tile, stop.core, scenario.source_of(stop.core))),
                    "\n"));
    case Stop::Kind::coprocessor_fault: return report::text_of(scenario, *tile.coprocessor.fault) + "\n";
    case Stop::Kind::nothing_left:
    case Stop::Kind::met:
    case Stop::Kind::budget_spent: return end_text(scenario, debugger);
  }
  return "";
}

std::optional<int> exit_code(const scenario::Scenario& scenario, const Debugger& debugger, const Stop& stop) {
  if (stop.kind == Stop::Kind::budget_spent) return budget_exhausted;
  if (stop.kind != Stop::Kind::met && stop.kind != Stop::Kind::nothing_left) return std::nullopt;
  explain::Outcome outcome = outcome_of(scenario, debugger.tile_to_explain(), *debugger.halt());
  if (outcome.kind != explain::OutcomeKind::finished) return std::nullopt;
  report::check_texts(scenario, outcome);
  return outcome.failed_expectations.empty() ? fine : expectation_failed;
}

}  // namespace tensim::debug
