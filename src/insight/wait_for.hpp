// Why nothing goes on: which agents are stuck, on what, who could release them and why they will not. Built when the
// coprocessor can prove that nothing more will happen, or for a thread that can never proceed while others run.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "event/stall.hpp"
#include "tensix/coprocessor.hpp"

namespace tensim::insight {

/// Somebody whose instruction would end the wait, and why it does not come.
struct Releaser {
  enum class Reason : std::uint8_t {
    behind_itself,  // it is the very instruction that is held, or stands behind it
    stuck,          // its thread, its core or the unpacker it is in is stuck too
    coming,         // not stuck: its thread still runs, a core will do it, or it is under way
    none_left,      // no thread has such an instruction left
    never,          // nothing could
  };
  Reason reason = Reason::none_left;
  std::optional<unsigned> thread = {};
  std::optional<tensix::Entry> instruction = {};
  std::optional<unsigned> unpacker = {};  // the instruction is in this unpacker already
  std::string core = {};                  // a store of this core, not an instruction
  // Of a stuck one: what its thread is held at, and the first thing it waits for.
  std::optional<tensix::Entry> held_at = {};
  std::string waits_for = {};
};
inline constexpr std::array<std::string_view, 5> reason_names{"behind_itself", "stuck", "coming", "none_left", "never"};

constexpr std::string_view name(Releaser::Reason reason) {
  return reason_names[static_cast<std::size_t>(reason)];
}

/// One thing that would have to change.
struct UnmetCondition {
  std::string what;   // "semaphore 1 (MATH_PACK) must rise above 0"
  std::string state;  // "Value 0, Max 2"
  std::string needs;  // "SEMPOST or SEMINIT of semaphore 1"
  std::vector<Releaser> releasers;
};

struct StuckAgent {
  std::string name;     // "T1", or "unpacker 0"
  unsigned thread = 0;  // whose instruction it is
  event::Stall stall = event::Stall::empty;
  tensix::Entry instruction = {};                // the one that is held
  std::optional<tensix::Entry> latched_by = {};  // the wait that holds it, if one does
  std::vector<UnmetCondition> unmet = {};
  std::optional<unsigned> unpacker = {};  // the agent is this unpacker
  /// It will never proceed: whatever could release it is gone, stands behind it, or waits for ever too (ruling 11).
  bool for_ever = false;
};

struct WaitForGraph {
  std::vector<StuckAgent> agents;
  /// Rings of threads that wait for each other, as thread numbers; one of length one waits for itself.
  std::vector<std::vector<unsigned>> cycles;
  /// Other threads have finished or still run; one that never had anything to do does not count.
  bool partial = false;
};

/// What each thread would still issue, in order: the rest of its frontend, expanded, and of its program.
using RemainingWords = std::array<std::vector<tensix::Entry>, tensix::thread_count>;

/// `frontend` drained into words, with `unfed` behind it. Bounded; the copy is used up.
std::vector<tensix::Entry> remaining_words(Arch arch, tensix::Frontend frontend,
                                           const std::vector<tensix::Entry>& unfed);

/// A semaphore store that a core has not done yet, as the SEMPOST or SEMGET it amounts to.
struct CoreStore {
  std::string core;
  isa::Word equivalent = 0;
  bool is_stuck = false;  // the core will never get there
};

WaitForGraph wait_for_graph(const tensix::Coprocessor& coprocessor, const RemainingWords& remaining,
                            const std::vector<CoreStore>& core_stores = {});

/// What of a graph is certain while others still run: the agents that wait for ever, and their rings.
WaitForGraph only_for_ever(WaitForGraph graph);

}  // namespace tensim::insight
