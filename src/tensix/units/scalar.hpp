// Scalar Unit (ThCon): GPR arithmetic, memory accesses, atomics (ScalarUnit.md). It works on one instruction at a time,
// whichever thread it comes from. On Wormhole the issuing thread's gate stays closed until it is done (ruling 12).
#pragma once

#include "tensix/types.hpp"

namespace tensim::tensix {

struct ScalarUnit {
  Cycle free_from = 0;         // first cycle in which it takes an instruction again
  Cycle atomic_free_from = 0;  // likewise for ATINCGET and ATSWAP, which its memory requests in flight limit
  /// Arithmetic reads its GPRs in the cycle after it was accepted: RDCFG immediately before it is seen, on both chips
  /// (silicon: RDCFG visibility).
  bool reads_operands = false;
  unsigned reading_record = 0;
};

}  // namespace tensim::tensix
