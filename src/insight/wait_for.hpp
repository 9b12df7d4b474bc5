// Why nothing goes on: which agents are stuck, on what, who could release them and why they will not. Built when the
// coprocessor can prove that nothing more will happen, or for a thread that can never proceed while others run.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "insight/stall.hpp"
#include "tensix/coprocessor.hpp"

namespace tensim::insight {

/// Somebody whose instruction would end the wait, and why it does not come.
struct Releaser {
  enum class Reason {
    behind_itself,  // it stands behind the very instruction that waits
    stuck,          // its thread is stuck too
    none_left,      // no thread has such an instruction left
    never,          // nothing could
  };
  Reason reason = Reason::none_left;
  std::optional<unsigned> thread;
  std::optional<tensix::Entry> instruction;
};

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
  Stall stall = Stall::empty;
  tensix::Entry instruction;                // the one that is held
  std::optional<tensix::Entry> latched_by;  // the wait that holds it, if one does
  std::vector<UnmetCondition> unmet;
  /// Nobody has an instruction left that would release it.
  bool for_ever = false;
};

struct WaitForGraph {
  std::vector<StuckAgent> agents;
  /// Rings of threads that wait for each other, as thread numbers; one of length one waits for itself.
  std::vector<std::vector<unsigned>> cycles;
  /// Others have finished or still run.
  bool partial = false;
};

/// What each thread would still issue, in order: the rest of its frontend, expanded, and of its program.
using RemainingWords = std::array<std::vector<tensix::Entry>, tensix::thread_count>;

/// `frontend` drained into words, with `unfed` behind it. Bounded; the copy is used up.
std::vector<tensix::Entry> remaining_words(Arch arch, tensix::Frontend frontend,
                                           const std::vector<tensix::Entry>& unfed);

WaitForGraph wait_for_graph(const tensix::Coprocessor& coprocessor, const RemainingWords& remaining);

}  // namespace tensim::insight
