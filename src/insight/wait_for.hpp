// Why nothing goes on: which agents are stuck, on what, who could release them and why they will not. Built when the
// coprocessor can prove that nothing more will happen, or for a thread that can never proceed while others run. All of it
// is data; report/hang.hpp has the words.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "arch/named_rows.hpp"
#include "event/stall.hpp"
#include "insight/agent.hpp"
#include "insight/condition.hpp"
#include "insight/remaining_words.hpp"
#include "tensix/coprocessor.hpp"

namespace tensim::insight {

/// A Tensix instruction that stands in a core's program.
struct CodeWord {
  isa::Word word = 0;
  std::uint32_t pc = 0;
};

/// A core that has more of its program ahead: nobody knows what it would still push or store, but for what stands in its
/// code.
struct LiveCore {
  tile::CoreId core = tile::CoreId::brisc;
  bool is_stuck = false;
  /// What its oldest access waits for, if it is one that is not answered.
  tile::Wait wait = tile::Wait::none;
  /// The thread that has to go on before that can be answered.
  std::optional<unsigned> thread = {};
  /// What its program can push, other than by computing it; null if the program is not known.
  std::shared_ptr<const std::vector<CodeWord>> code = {};
  bool stores_to_semaphores = false;  // its program knows the address of the window on them
};

/// Somebody whose instruction would end the wait, and why it does not come.
struct Releaser {
  enum class Reason : std::uint8_t {
    behind_itself,  // it is the very instruction that is held, or stands behind it
    stuck,          // its thread, its core or the unpacker it is in is stuck too
    coming,         // not stuck: its thread still runs, a core will do it, or it is under way
    none_left,      // no thread has such an instruction left, and no core is there to push one
    never,          // nothing could
  };
  Reason reason = Reason::none_left;
  std::optional<unsigned> thread = {};
  std::optional<tensix::Entry> instruction = {};
  std::optional<unsigned> unpacker = {};  // the instruction is in this unpacker already
  std::optional<tile::CoreId> core = {};  // a store of this core, not an instruction
  std::optional<LiveCore> pusher = {};    // this core may still do it,
  std::optional<CodeWord> in_code = {};   // with this, if its program is known
  bool looked_into_code = false;          // of nobody left: cores run, but none has it in its code
  // Of a stuck one: what its thread is held at, and the first thing it waits for.
  std::optional<tensix::Entry> held_at = {};
  std::optional<Condition> waits_for = {};
};

inline constexpr NamedRows reason_rows{std::array{
    NamedRow{Releaser::Reason::behind_itself, "behind_itself"},
    NamedRow{Releaser::Reason::stuck, "stuck"},
    NamedRow{Releaser::Reason::coming, "coming"},
    NamedRow{Releaser::Reason::none_left, "none_left"},
    NamedRow{Releaser::Reason::never, "never"},
}};
static_assert(reason_rows.cover(Releaser::Reason::never));

constexpr std::string_view name(Releaser::Reason reason) {
  return reason_rows.name(reason);
}

/// One thing that would have to change.
struct UnmetCondition {
  Condition condition;
  std::vector<Releaser> releasers = {};
};

struct StuckAgent {
  Agent agent = {};
  unsigned thread = 0;  // whose instruction it is
  event::Stall stall = event::Stall::empty;
  tensix::Entry instruction = {};                // the one that is held
  std::optional<tensix::Entry> latched_by = {};  // the wait that holds it, if one does
  std::vector<UnmetCondition> unmet = {};
  /// It will never proceed: whatever could release it is gone, stands behind it, or waits for ever too (ruling 11).
  bool for_ever = false;
};

struct WaitForGraph {
  std::vector<StuckAgent> agents;
  std::vector<LiveCore> cores;
  /// Rings of threads and cores that wait for each other; one of length one waits for itself.
  std::vector<std::vector<Agent>> cycles;
  /// Other threads have finished or still run; one that never had anything to do does not count.
  bool partial = false;
};

/// A semaphore store that a core has not done yet, as the SEMPOST or SEMGET it amounts to.
struct CoreStore {
  tile::CoreId core = tile::CoreId::brisc;
  isa::Word equivalent = 0;
  bool is_stuck = false;  // the core will never get there
};

/// What is known of those who are not in the coprocessor.
struct Outside {
  RemainingWords remaining;
  std::vector<CoreStore> core_stores = {};
  std::vector<LiveCore> cores = {};
};

WaitForGraph wait_for_graph(const tensix::Coprocessor& coprocessor, const Outside& outside);

/// What of a graph is certain while others still run: the agents that wait for ever, and their rings.
WaitForGraph only_for_ever(WaitForGraph graph);

}  // namespace tensim::insight
