// A T core and its thread for tests of Auto TTSync.
#pragma once

#include "tensix/frontend/auto_ttsync.hpp"
#include "tests/support/three_threads.hpp"

namespace tensim::test::auto_ttsync {

using namespace tensix::resources;
using tensix::AutoTtSync;
using tensix::ResourceSet;

inline constexpr unsigned track_config = 1U << 0U;
inline constexpr unsigned subdivide = 1U << 1U;
inline constexpr unsigned track_gprs = 1U << 2U;
inline constexpr unsigned track_tdma = 1U << 3U;
inline constexpr unsigned track_instructions = 1U << 4U;
inline constexpr unsigned track_all = track_config | track_gprs | track_tdma | track_instructions;
inline constexpr ResourceSet bank0 = all_parts;
inline constexpr ResourceSet every_resource = 0xFF;

inline const std::string writes_gpr = "ttsetdmareg 0, 7, 0, 8";

/// A T core and its thread, with Auto TTSync switched on as SETC16 does it.
class Thread {
 public:
  static constexpr unsigned self = 1;

  explicit Thread(unsigned enables = track_all, Arch arch = Arch::blackhole) : coprocessor(arch) {
    if (enables != 0) enable(enables);
  }

  void enable(unsigned enables) {
    push("SETC16 CfgIndex=56, NewValue=" + std::to_string(enables));
    drain();
  }
  void push(std::string_view line) { push_word(assemble(coprocessor.arch, line)); }
  void push_word(Word word) {
    while (!coprocessor.can_push(self))
      step();
    coprocessor.push(self, word, 0);
  }
  /// Pushes and waits until the word stands at its gate; the cycle in which it is looked at first is the next.
  void bring_to_gate(std::string_view line) {
    push(line);
    step(2);
  }
  /// What happens in the next cycle.
  Stall step() {
    coprocessor.step();
    return coprocessor.gates.held[self].stall;
  }
  void step(unsigned cycles) {
    for (unsigned i = 0; i < cycles; ++i)
      step();
  }
  void drain() {
    for (unsigned i = 0; i < 1000 && !coprocessor.is_idle(); ++i)
      step();
    ASSERT_TRUE(coprocessor.is_idle());
  }
  /// The cycles of the next words that issue, until nothing is left.
  Cycles issues() {
    Cycles found;
    for (unsigned i = 0; i < 200; ++i)
      if (step() == Stall::issued) found.push_back(coprocessor.now - 1);
    return found;
  }

  bool may_load(ResourceSet wanted) const { return coprocessor.may_load(self, wanted); }
  bool may_store(ResourceSet wanted) const { return coprocessor.may_store(self, wanted); }
  AutoTtSync::Ticket load_starts(ResourceSet wanted) { return coprocessor.core_access_started(self, wanted, false); }
  AutoTtSync::Ticket store_starts(ResourceSet wanted) { return coprocessor.core_access_started(self, wanted, true); }
  /// In the cycle that has just been stepped.
  void done(AutoTtSync::Ticket ticket) { coprocessor.core_access_done(self, ticket, coprocessor.now - 1); }

  Coprocessor coprocessor;
};

}  // namespace tensim::test::auto_ttsync
