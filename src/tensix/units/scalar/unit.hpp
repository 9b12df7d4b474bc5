// Scalar Unit (ThCon): GPR arithmetic, memory accesses, atomics (ScalarUnit.md). It works on one instruction at a time,
// whichever thread it comes from. On Wormhole the issuing thread's gate stays closed until it is done (ruling 12).
// docs/architecture/scalar_unit.md says when each of its effects lands.
#pragma once

#include <optional>

#include "tensix/frontend/fifo.hpp"
#include "tensix/operation.hpp"
#include "tensix/types.hpp"

namespace tensim::tensix {

struct Coprocessor;
class Footprint;

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

/// What the cycle asks of the unit beyond its operation rows.
namespace units {

/// At the start of a cycle, if it is active. Operands are read, and whatever it waits for is looked at.
void advance_scalar(Coprocessor& coprocessor);
void advance_scalar_wait(Coprocessor& coprocessor);
/// What a memory instruction, REG2FLOP or FLUSHDMA asks for, by the operands as they are now.
void read_scalar_request(Coprocessor& coprocessor, const Record& record);
/// STOREIND to Src: the row it writes, if any.
struct SrcRow {
  std::optional<unsigned> row;
  bool is_undefined = false;  // a row that Src does not have
};
SrcRow storeind_src_row(const Coprocessor& coprocessor, unsigned thread, Word word);
/// What a request to L1 at `address`, of `bytes` if the word does not say it, reads and writes: for a race check.
void add_scalar_request(const Coprocessor& coprocessor, Word word, std::uint32_t address, std::uint32_t bytes,
                        Footprint& footprint);
/// The same of a STOREIND to Src.
void add_src_store(const Coprocessor& coprocessor, unsigned thread, Word word, Footprint& footprint);
/// ATCAS and ATINCGETPTR begin to look at the block at `address`.
void begin_comparison(Coprocessor& coprocessor, const Record& record, std::uint32_t address);
/// A request of the Scalar Unit is at L1.
void finish_scalar_request(Coprocessor& coprocessor, const Record& record);
void finish_src_store(Coprocessor& coprocessor, const Record& record);
void finish_adc_write(Coprocessor& coprocessor, const Record& record);
Cycle next_scalar_event(const Coprocessor& coprocessor);
/// Somebody has written to L1 in `cycle`.
void l1_changed(Coprocessor& coprocessor, std::uint32_t address, std::uint32_t bytes, Cycle cycle);
/// A request that is at its register, for whoever has the registers to answer; null if there is none.
const Record* arrived_mmio_request(const Coprocessor& coprocessor);
/// It is done; `value` goes to the GPR of a load.
void answer_mmio_request(Coprocessor& coprocessor, std::uint32_t value);

}  // namespace units

}  // namespace tensim::tensix
