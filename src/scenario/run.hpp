// Runs a scenario to its end, which is a value: finished, deadlocked, faulted or out of budget, with the evidence.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "event/observer.hpp"
#include "insight/wait_for.hpp"
#include "riscv/account.hpp"
#include "scenario/scenario.hpp"
#include "tensix/coprocessor.hpp"
#include "tile/access.hpp"
#include "tile/print_ring.hpp"

namespace tensim::scenario {

struct RunOptions {
  bool lockstep = false;  // walk idle time instead of skipping it; nothing else changes
  std::array<std::uint8_t, thread_count> evaluation_order{0, 1, 2};
  event::Observer* observer = nullptr;
  std::optional<Cycle> budget;
  std::optional<tensix::Fill> fill = std::nullopt;  // instead of the scenario's
};

/// A core's access that means nothing: nothing is mapped there, or it cannot be done that way.
struct CoreFault {
  CoreAction action;
  std::string message;
};

/// A core that never gets past an access: the store itself hangs it, or what it waits for is stuck.
struct StuckCore {
  std::string name;  // "TRISC1"
  CoreAction action;
  bool hangs = false;
  std::string message;
  std::vector<std::string> lines = {};  // of a core that runs a program: the whole explanation
};

struct ThreadResult {
  std::uint64_t issued = 0;
  std::optional<Cycle> last_issue;
  event::StallAccount account;
  bool wait_left = false;  // a latched wait with nothing behind it (ruling 11)
};

/// A core's part of a run.
struct CoreResult {
  bool ran = false;
  std::uint64_t retired = 0;
  riscv::CoreAccount account;
  std::string state;  // "parked at main+0x10 (boot.c:12)"
};

struct Outcome {
  OutcomeKind kind = OutcomeKind::finished;
  Cycle cycles = 0;  // one more than the cycle of the last issue
  Cycle ended_at = 0;
  std::array<ThreadResult, thread_count> threads;
  std::array<CoreResult, tile::core_count> cores;
  std::vector<std::string> core_stop;  // what ended a core's program, with its call stack
  std::vector<std::string> core_reports;
  std::vector<tile::PrintedText> printed;  // by the cores, in the order of cycles; printable letters only
  std::optional<tensix::Fault> fault;
  std::optional<CoreFault> core_fault;
  insight::WaitForGraph graph;  // of a deadlock, whole or partial
  std::vector<StuckCore> stuck_cores;
  std::vector<tensix::Report> reports;
  std::vector<std::string> failed_expectations;
};

/// Compares what came out with what the scenario expects; adds to `failed_expectations`.
void check(const Scenario& scenario, const tensix::Coprocessor& coprocessor, Outcome& outcome);

/// For a run that nothing can continue: notes recordings that never got all their words.
void add_open_recordings(const tensix::Coprocessor& coprocessor, Outcome& outcome);

/// The coprocessor as the run left it is in `coprocessor`, if given.
Outcome run(const Scenario& scenario, const RunOptions& options = {}, tensix::Coprocessor* coprocessor = nullptr);

/// "SEMPOST sem=MATH_PACK (line 12)", or "(kernel.s:12)" if it is not in the scenario itself.
std::string describe(const Scenario& scenario, unsigned thread, const tensix::Entry& entry);

/// The explanation of a stuck agent, one fact a line.
std::vector<std::string> explain(const Scenario& scenario, const insight::StuckAgent& agent);

std::string explain(const StuckCore& core);
std::string explain(const Scenario& scenario, const tensix::Fault& fault);
std::string explain(const Scenario& scenario, const tensix::Report& report);

}  // namespace tensim::scenario
