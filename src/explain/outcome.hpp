// What came out of a run: how it ended, and the evidence. Facts; src/report/ has the words.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "event/stall.hpp"
#include "explain/core_end.hpp"
#include "explain/core_state.hpp"
#include "explain/outcome_kind.hpp"
#include "insight/critical_path.hpp"
#include "insight/lints.hpp"
#include "insight/profile.hpp"
#include "insight/races.hpp"
#include "insight/wait_for.hpp"
#include "riscv/account.hpp"
#include "tensix/coprocessor.hpp"
#include "tile/print_ring.hpp"
#include "tile/tile.hpp"

namespace tensim::explain {

using tensix::Cycle;
using tensix::thread_count;

/// An access of a scripted core that means nothing: nothing is mapped there, or it cannot be done that way.
struct CoreFault {
  tile::Access access;
  tile::AccessFault fault = tile::AccessFault::none;
  const Region* region = nullptr;
};

/// A scripted core at an access it never gets past: the store itself hangs it, or what it waits for is stuck.
struct StuckAccess {
  tile::Access access;
  tile::Wait wait = tile::Wait::none;
  Cycle cycle = 0;  // in which the scenario has it
};

/// A semaphore that a core polls, and the first instruction of each thread that would change it.
struct PolledSemaphore {
  struct Change {
    unsigned thread = 0;
    tensix::Entry instruction;
  };
  unsigned semaphore = 0;
  std::vector<Change> changes = {};
};

/// A core that never gets on: one of the two.
struct StuckCore {
  tile::CoreId core = tile::CoreId::brisc;
  std::optional<StuckAccess> scripted = {};
  std::optional<CoreState> running = {};  // a program
  std::vector<PolledSemaphore> semaphores = {};
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
  CoreState state;
};

struct Outcome {
  OutcomeKind kind = OutcomeKind::finished;
  Cycle cycles = 0;  // one more than the cycle of the last issue
  Cycle ended_at = 0;
  std::array<ThreadResult, thread_count> threads;
  std::array<CoreResult, tile::core_count> cores;
  std::string problem;              // why it could not even begin
  std::optional<CoreEnd> core_end;  // what ended a core's program
  std::vector<tile::TileReport> core_reports;
  std::vector<tile::PrintedText> printed;  // by the cores, in the order of cycles; printable letters only
  std::optional<tensix::Fault> fault;
  std::optional<CoreFault> core_fault;
  std::optional<tile::NocFault> noc_fault;
  insight::WaitForGraph graph;  // of a deadlock, whole or partial
  std::vector<StuckCore> stuck_cores;
  bool is_in_chip = false;  // others reach its L1 over the NoC
  std::vector<tensix::Report> reports;
  std::optional<insight::Races> races = {};        // of a run that was checked,
  std::optional<insight::Lints> lints = {};        // with those that are not among the reports
  std::optional<insight::Profile> profile = {};    // of one whose cycles were followed
  std::optional<insight::CriticalPath> path = {};  // of one whose causes were
  std::vector<std::string> failed_expectations;
};

}  // namespace tensim::explain
