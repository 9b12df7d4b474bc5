// Scalar Unit (ThCon): GPR arithmetic, memory accesses, atomics (ScalarUnit.md). It works on one instruction at a time,
// whichever thread it comes from. On Wormhole the issuing thread's gate stays closed until it is done (ruling 12).
// docs/architecture/scalar_unit.md says when each of its effects lands.
#pragma once

#include "tensix/frontend/fifo.hpp"
#include "tensix/types.hpp"

namespace tensim::tensix {

struct ScalarUnit {
  static constexpr Word mmio_base = 0xFFB00000;
  static constexpr Word first_mmio_address = 0xFFB11000;  // below it there is nothing that the unit can reach
  /// How many memory requests can be under way (assumed): however slow memory is, records stay bounded.
  static constexpr unsigned most_requests = 32;

  Cycle free_from = 0;         // first cycle in which it takes an instruction again; `never` while nobody knows
  Cycle atomic_free_from = 0;  // likewise for ATINCGET and ATSWAP, which its memory requests in flight limit

  bool is_active = false;  // the next cycle begins with something of the unit's: one of these
  /// An instruction reads its GPRs in the cycle after it was accepted: arithmetic sees RDCFG immediately before it, on
  /// both chips (silicon: RDCFG visibility). The rest is taken to do the same (assumed).
  bool reads_operands = false;
  enum class Wait : std::uint8_t { none, flush, src_bank, comparison } wait = Wait::none;

  unsigned record = 0;   // in flight: the instruction's,
  unsigned request = 0;  // and that of what it asks of memory

  // ATCAS and ATINCGETPTR: the cycle at whose start L1 is looked at. After a comparison that failed the next look is due
  // whole attempts later, but without a change of L1 nothing comes of it.
  Cycle attempt = never;
  Cycle last_attempt = 0;

  /// On their way to registers of the tile, oldest first; those of PACR_SETREG and of UNPACR_NOP are among them.
  struct MmioRequest {
    Cycle due = 0;  // the cycle at whose end it is there
    unsigned record = 0;
  };
  Fifo<MmioRequest, 2 * most_requests> mmio;
  bool mmio_waits = false;  // the oldest is there, and the register cannot answer yet

  void update_activity() { is_active = reads_operands || wait != Wait::none; }
};

}  // namespace tensim::tensix
