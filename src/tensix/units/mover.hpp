// Mover: bulk moves in the background (Mover.md). XMOV waits until it can start; TDMA-RISC's commands do the same.
#pragma once

#include <optional>

#include "tensix/memory_operation.hpp"
#include "tensix/types.hpp"

namespace tensim::tensix {

struct Mover {
  Cycle free_from = 0;
  /// Of an XMOV: whoever has the memories carries it out when it is due, and takes it away.
  std::optional<MemoryOperation> job;
};

}  // namespace tensim::tensix
