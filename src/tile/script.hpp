// What stands in for programs on the cores: for each core a list of loads and stores, each with the cycle from which on it
// is done, and for each thread a list of words that are fed to it. Both are agents in the tile's order: a core's access
// has the place that an access of its program would have, and words are fed after all stores of their cycle. The lists do
// not change and are shared by all copies of a tile; a copy has its own place in them.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "tile/access.hpp"

namespace tensim::tile {

/// A load or a store of whole words by a scripted core.
struct ScriptedAccess {
  Cycle cycle = 0;  // from this one on, and a cycle after the core's last at the earliest
  bool is_store = true;
  std::uint32_t address = 0;
  std::uint32_t value = 0;  // stored, or expected of a load
  bool checks = false;      // a load's value is an expectation
  std::uint32_t line = 0;   // of the scenario; 0: unknown
};

/// Words for one thread. The place in the list is a word's origin.
struct FedWords {
  std::vector<std::uint32_t> words = {};
  Cycle start = 0;            // the first word is fed in this cycle,
  Cycle cycles_per_word = 1;  // and the others so many cycles apart, unless the push FIFO is full
};

struct ScriptLists {
  std::array<std::vector<ScriptedAccess>, core_count> accesses;
  std::array<FedWords, tensix::thread_count> threads;
};

class Script {
 public:
  static constexpr std::uint32_t no_origin = tensix::Entry::no_origin;
  static constexpr std::uint32_t lines_from = no_origin / 2;
  /// A scripted core has no pc. What its accesses give instead says in which line of the scenario they stand; divided by four it
  /// is the origin of words that it has pushed, and lies above all of L1.
  static constexpr std::uint32_t origin_of_line(std::uint32_t line) {
    return line == 0 || line >= no_origin - lines_from ? no_origin : lines_from + line;
  }
  static constexpr std::uint32_t line_of_origin(std::uint32_t origin) {
    return origin <= lines_from || origin >= no_origin ? 0 : origin - lines_from;
  }

  /// Nobody is scripted, and no thread fed.
  Script() = default;
  explicit Script(std::shared_ptr<const ScriptLists> lists);

  bool is_given() const { return lists_ != nullptr; }
  /// Every access has been answered, and every word fed.
  bool is_done() const;

  // ---- the cores ----

  /// An access that means nothing: nothing is mapped there, or it cannot be done that way. It ends the run.
  struct Fault {
    Access access;
    AccessFault fault = AccessFault::none;
    const Region* region = nullptr;
  };
  /// A load that gave another value than it should.
  struct Mismatch {
    ScriptedAccess load;
    Cycle cycle = 0;
    std::uint32_t value = 0;
  };
  /// An access that has been asked for and not answered.
  struct Waiting {
    Access access;
    Wait wait = Wait::none;
    Cycle cycle = 0;  // from which on the list has it
  };

  const std::optional<Fault>& fault() const { return fault_; }
  const std::vector<Mismatch>& mismatches() const { return mismatches_; }
  std::optional<Waiting> waiting(unsigned core) const;
  /// What the core has not done yet, beginning with what it waits for.
  std::vector<ScriptedAccess> accesses_to_come(unsigned core) const;

  /// Only while the core has one to come.
  const ScriptedAccess& next_access(unsigned core) const { return lists_->accesses[core][cores_[core].done]; }
  /// When the core does it, or asks again; `never` if it is done, or waits until something changes.
  Cycle next_cycle(unsigned core) const { return cores_[core].next; }
  void answered(unsigned core, Cycle cycle, const Answer& answer);
  /// Whether the core waits for something that can change.
  bool waits(unsigned core) const {
    return cores_[core].wait != Wait::none && cores_[core].wait != Wait::for_ever && cores_[core].next == never;
  }
  void ask_again(unsigned core, Cycle cycle) { cores_[core].next = cycle; }

  // ---- the threads ----

  bool is_fed(unsigned thread) const { return fed_[thread].count == lists_->threads[thread].words.size(); }
  std::size_t words_fed(unsigned thread) const { return fed_[thread].count; }
  std::vector<std::uint32_t> words_to_come(unsigned thread) const;
  /// The cycle from which on the next word can be fed.
  Cycle due(unsigned thread) const { return fed_[thread].due; }
  struct Word {
    std::uint32_t word;
    std::uint32_t origin;
  };
  /// Takes the next word, in `cycle`.
  Word feed(unsigned thread, Cycle cycle);

 private:
  struct Core {
    std::size_t done = 0;
    Cycle next = never;
    Wait wait = Wait::none;
    Cycle asked = 0;  // the last time
  };
  struct Fed {
    std::size_t count = 0;
    Cycle due = 0;
  };
  Access access(unsigned core, Cycle cycle) const;

  std::shared_ptr<const ScriptLists> lists_;
  std::array<Core, core_count> cores_{};
  std::array<Fed, tensix::thread_count> fed_{};
  std::optional<Fault> fault_;
  std::vector<Mismatch> mismatches_;
};

}  // namespace tensim::tile
