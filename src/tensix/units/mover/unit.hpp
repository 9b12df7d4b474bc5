// Mover: bulk moves in the background (Mover.md). XMOV waits until it can start; TDMA-RISC's commands do the same.
#pragma once

#include <optional>

#include "tensix/l1_traffic.hpp"
#include "tensix/memory_operation.hpp"
#include "tensix/operation.hpp"
#include "tensix/types.hpp"

namespace tensim::tensix {

struct Coprocessor;
struct UnitTiming;

struct Mover {
  Cycle free_from = 0;
  /// Of an XMOV: whoever has the memories carries it out when it is due, and takes it away.
  std::optional<MemoryOperation> job;

  // What it is busy with, whoever asked for it.
  MemoryOperation move;
  L1Progress progress;
  std::optional<unsigned> record;  // in flight, of an XMOV

  /// What it does in L1 in a step: it reads and writes a unit at once (assumed).
  L1Step words(Arch arch, std::uint32_t step) const;
  /// Is busy with it from a cycle on; the last cycle of that.
  Cycle begin(const UnitTiming& timing, L1Traffic& traffic, const MemoryOperation& operation, Cycle from);
  /// The last cycle is another.
  void end_in(Cycle last) {
    free_from = last + 1;
    if (job) job->due = last;
  }
};

/// What the cycle asks of the unit beyond its operation rows.
namespace units {

/// What an XMOV of `thread` would do, by its configuration; not yet with a time.
MemoryOperation xmov_operation(const Coprocessor& coprocessor, unsigned thread);

}  // namespace units

}  // namespace tensim::tensix
