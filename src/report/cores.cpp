#include "report/cores.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "program/unwind.hpp"
#include "report/accesses.hpp"
#include "report/hang.hpp"
#include "report/places.hpp"
#include "report/refused_request.hpp"
#include "riscv/disassemble.hpp"

namespace tensim::report {

using explain::CoreState;
using explain::WaitingAccess;
using riscv::Core;
using scenario::Scenario;
using tile::CoreId;

namespace {

std::string polled(const Scenario& scenario, const CoreState& state) {
  std::string text;
  for (const explain::PolledLoad& load : state.polls) {
    const std::string one =
        fmt::format("{}, which reads {:#x}", what_is_at(scenario, state.core, load.address), load.value);
    if (text.find(one) == std::string::npos) text += (text.empty() ? "" : ", and on ") + one;
  }
  return text;
}

/// Why the oldest store does not leave the queue.
std::string blocked_store(const Scenario& scenario, const WaitingAccess& store) {
  return fmt::format("its store of {} blocked: {}", location(scenario, store.access.core, store.pc),
                     reason(store.wait, store.access));
}

/// The other cores that are stuck, and might change something if they were not.
std::string others(const explain::Outcome& outcome, CoreId core) {
  std::string text;
  for (const insight::LiveCore& other : outcome.graph.cores)
    if (other.core != core) text += fmt::format("{}{}", text.empty() ? "" : ", ", tile::name(other.core));
  return text;
}

/// Which threads have an instruction queued that changes the semaphore.
std::vector<std::string> changers(const Scenario& scenario, const explain::Outcome& outcome,
                                  const explain::StuckCore& core, const explain::PolledSemaphore& polled) {
  std::vector<std::string> lines;
  lines.reserve(polled.changes.size());
  for (const auto& [thread, instruction] : polled.changes)
    lines.push_back(fmt::format("  T{} has {} queued, but is itself held", thread,
                                instruction_text(scenario, thread, instruction)));
  if (!lines.empty()) return lines;
  const std::string cores = others(outcome, core.core);
  if (cores.empty())
    return {fmt::format("  nobody will come: no thread has an instruction left that changes semaphore {}",
                        polled.semaphore)};
  return {
      fmt::format("  no thread has an instruction queued that changes semaphore {}; one may be ahead of {}, "
                  "stuck as well",
                  polled.semaphore, cores)};
}

std::string nobody_will_write(const explain::Outcome& outcome) {
  constexpr std::string_view why = "every other core has ended, is held in reset, or is stuck too";
  if (!outcome.is_in_chip) return fmt::format("  nobody will write it: {}", why);
  return fmt::format("  nobody in this tile will write it: {}; only another tile or the host could", why);
}

}  // namespace

std::string text_of(const Scenario& scenario, const CoreState& state) {
  std::string where = location(scenario, state.core, state.pc);
  switch (state.status) {
    case Core::Status::in_reset: return "held in reset";
    case Core::Status::running: return "at " + where;
    case Core::Status::asleep:
      if (!state.polls.empty()) return fmt::format("spins at {} on {}", where, polled(scenario, state));
      return state.store ? "parked at " + where + ", " + blocked_store(scenario, *state.store) : "parked at " + where;
    case Core::Status::waits_for_answer:
      if (state.load)
        return fmt::format("waits at {}: {}", location(scenario, state.core, state.load->pc),
                           reason(state.load->wait, state.load->access));
      return "waits at " + where;
    case Core::Status::waits_for_drain:
      return state.store ? fmt::format("waits at {}, {}", where, blocked_store(scenario, *state.store))
                         : "waits at " + where;
    case Core::Status::stopped: return "stopped at " + where;
  }
  return where;
}

std::string text_of(const Scenario& scenario, const explain::Outcome& outcome, const explain::StuckCore& core) {
  if (core.scripted) {
    const auto& [access, wait, cycle] = *core.scripted;
    if (wait == tile::Wait::for_ever) return describe(wait, access);
    return fmt::format("{} is stuck at its {} {:#010x} of cycle {}: {}", tile::name(core.core),
                       access.is_store ? "store to" : "load from", access.address, cycle, reason(wait, access));
  }
  std::vector<std::string> lines{fmt::format("{} {}", tile::name(core.core), text_of(scenario, *core.running))};
  for (const explain::PolledSemaphore& polled : core.semaphores)
    for (std::string& line : changers(scenario, outcome, core, polled))
      lines.push_back(std::move(line));
  if (outcome.kind == explain::OutcomeKind::waiting_for_host)
    lines.emplace_back("  the host can write it");
  else if (outcome.kind == explain::OutcomeKind::deadlocked &&
           std::ranges::any_of(core.running->polls, &explain::PolledLoad::is_l1))
    lines.emplace_back(nobody_will_write(outcome));
  return fmt::format("{}", fmt::join(lines, "\n"));
}

std::vector<std::string> lines_of(const Scenario& scenario, const explain::CoreEnd& end) {
  using Reason = riscv::CoreStop::Reason;
  const CoreId id = end.core;
  const riscv::CoreStop& stop = end.stop;
  const std::string text = riscv::disassemble(scenario.arch, stop.word, stop.pc);
  const auto why = [&]() -> std::string {
    switch (stop.reason) {
      case Reason::ebreak: return "ebreak: the program's own assertion failed";
      case Reason::ecall: return "ecall: the core pauses for a debugger that is not there";
      case Reason::undefined_instruction:
        return fmt::format("{:#010x} is no instruction of this core (hardware executes something else, often a nop)",
                           stop.word);
      case Reason::not_modelled: return fmt::format("{}: not modelled yet", text);
      case Reason::no_such_core_instruction: return fmt::format("{}: this core does not have it", text);
      case Reason::fetch_unmapped:
        return "code can only be fetched from L1 (on Wormhole's NCRISC also from its instruction RAM)";
      case Reason::misaligned_jump: return "the address of an instruction must be a multiple of four";
      case Reason::no_csr: return fmt::format("{}: no such CSR", text);
      case Reason::access: {
        const tile::Access access{
            .core = id, .is_store = stop.is_store, .size_bytes = stop.size_bytes, .address = stop.address};
        return describe(static_cast<tile::AccessFault>(stop.access_fault), access,
                        find_region(scenario.arch, end.view, stop.address), tile::name(end.view));
      }
    }
    return "";
  }();
  std::vector<std::string> lines{fmt::format("{} stopped in cycle {} at {}: {}", tile::name(end.view), stop.cycle,
                                             location(scenario, id, stop.pc), why)};
  if (end.request) lines.push_back(fmt::format("  the request: {}", text_of(scenario.arch, *end.request)));
  if (const program::SourceMap* source = scenario.source_of(id)) {
    const std::vector<std::string> frames = program::describe(*source, end.stack);
    for (std::size_t i = 0; i < frames.size(); ++i)
      lines.push_back("  " + frames[i] + called_at(scenario, id, i == 0 ? end.stack[i] : end.stack[i] - 4));
  }
  return lines;
}

std::string what_of(const Scenario& scenario, const tile::TileReport& of) {
  using Category = riscv::CoreReport::Category;
  const riscv::CoreReport& report = of.report;
  switch (report.category) {
    case Category::stale_read:
      return fmt::format(
          "a load of {} gets {:#x} from the L0 data cache, but L1 holds {:#x}; a fence before it would help",
          what_is_at(scenario, of.core, report.address), report.value, report.memory);
    case Category::rounded_down:
      return fmt::format("a misaligned access to {:#010x} goes to the aligned address below", report.address);
    case Category::noc_request: return std::string(noc::text(static_cast<noc::Refusal>(report.value)));
  }
  return "";
}

std::string text_of(const Scenario& scenario, const tile::TileReport& of) {
  return fmt::format("{} in cycle {} at {}{}: {}", tile::name(of.core), of.report.cycle,
                     location(scenario, of.core, of.report.pc), called_at(scenario, of.core, of.report.pc),
                     what_of(scenario, of));
}

}  // namespace tensim::report
