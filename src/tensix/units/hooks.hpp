// What the cycle asks of single units beyond their operation rows.
#pragma once

#include <array>
#include <optional>

#include "tensix/memory_operation.hpp"
#include "tensix/operation.hpp"

namespace tensim::tensix {
class PackerConfig;
}

namespace tensim::tensix::units {

/// All places an instruction occupies from its acceptance, as a mask over Occupancy: PACR names several packers.
unsigned occupancies(Arch arch, Word word, Occupancy declared);

/// Scalar Unit: at the start of a cycle, if it is active. Operands are read, and whatever it waits for is looked at.
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
/// ATCAS and ATINCGETPTR begin to look at the block at `address`.
void begin_comparison(Coprocessor& coprocessor, const Record& record, std::uint32_t address);
/// A request of the Scalar Unit is at L1.
void finish_scalar_request(Coprocessor& coprocessor, const Record& record);
void finish_src_store(Coprocessor& coprocessor, const Record& record);
void finish_adc_write(Coprocessor& coprocessor, const Record& record);
/// From acceptance until a request is at L1 or a register, and a load's answer is back.
Cycle scalar_request_cycles(Arch arch);
Cycle next_scalar_event(const Coprocessor& coprocessor);
/// Somebody has written to L1 in `cycle`.
void l1_changed(Coprocessor& coprocessor, std::uint32_t address, std::uint32_t bytes, Cycle cycle);
/// A request that is at its register, for whoever has the registers to answer; null if there is none.
const Record* arrived_mmio_request(const Coprocessor& coprocessor);
/// It is done; `value` goes to the GPR of a load.
void answer_mmio_request(Coprocessor& coprocessor, std::uint32_t value);

/// Matrix Unit: Dst blocks written too recently, and instructions that bar others (ruling 13).
Held matrix_hazard(const Coprocessor& coprocessor, const Candidate& candidate);

/// Wormhole: RDCFGs presented in one cycle all pass, though only one is executed (ruling 14).
bool shares_rdcfg(const Coprocessor& coprocessor, unsigned thread, unsigned winner);

/// A core's configuration request can be processed in this cycle, beside what the threads have just issued.
bool takes_core_request(const Coprocessor& coprocessor);

void land_config_write(Coprocessor& coprocessor, const Record& record);

/// Matrix Unit: the address modifier, if it has one.
std::optional<unsigned> matrix_addr_mod(Arch arch, Word word);

/// UNPACR: a transfer, neither a flush nor a step of the context counter.
bool is_unpacr_transfer(Word word);
/// UNPACR that only steps the context counter.
bool is_unpacr_context_step(Word word);

/// The bank is handed over: `thread`'s next rows begin at SRCA_SET_Base or SRCB_SET_Base.
void reset_src_row(Coprocessor& coprocessor, unsigned unpacker, unsigned thread);

/// UNPACR_NOP: a form that hands the bank over.
bool unpacr_nop_sets_dvalid(Arch arch, Word word);

/// Unpackers: data phases that can begin or end, bank hand-over.
void finish_unpack(Coprocessor& coprocessor, unsigned unpacker);
Cycle next_unpacker_event(const Coprocessor& coprocessor);
bool advance_unpackers(Coprocessor& coprocessor);

/// A store of a core is at `bank` in `cycle`, through one of the cores' ports: whether it has to let a transfer pass that
/// is there in this cycle. Each gets one turn before it.
bool store_waits_for_transfer(Coprocessor& coprocessor, unsigned port, unsigned bank, Cycle cycle);
/// It begins, and holds bank and port for some cycles. Whether a transfer ends later for it.
bool store_holds_up_transfers(Coprocessor& coprocessor, unsigned port, unsigned bank, Cycle cycle, Cycle cycles);

/// Mover: what an XMOV of `thread` would do, by its configuration; not yet with a time.
MemoryOperation xmov_operation(const Coprocessor& coprocessor, unsigned thread);
/// Vector Unit: what SFPLOADMACRO has scheduled for this cycle, before the cycle's own instructions. `issues`: a thread
/// issues one to the Vector Unit.
void advance_vector(Coprocessor& coprocessor, bool issues);

/// Packers: the context of the address counters that PACR uses for `packer`.
unsigned pack_counters(const Coprocessor& coprocessor, const Candidate& candidate, unsigned packer);
/// Packers: whose block of settings PACR takes for `packer`. Blackhole's one packer has four contexts of them.
unsigned pack_settings(const Coprocessor& coprocessor, const Candidate& candidate, unsigned packer);
/// Packers: the word of ADDR_MOD_PACK that PACR applies.
std::uint32_t pack_addr_mod(const Coprocessor& coprocessor, const Candidate& candidate);

/// Packers: zeros are dropped on the way to L1.
bool pack_compresses(const PackerConfig& config);

/// Packers: what SETDMAREG reads of their state for `thread`, by its InputSource; zeros of sources that do not exist.
/// Source 8 also resets the sizes of the packers in the mask `which`; sources 6 and 7 are those of packer `which`.
std::array<std::uint32_t, 4> packer_state(Coprocessor& coprocessor, unsigned thread, unsigned source, unsigned which);

/// Packers: Dst is read and L1 written. The cycle in which that is due counts as an event: L1 changes in it.
void finish_pack(Coprocessor& coprocessor, unsigned packer);
Cycle next_packer_event(const Coprocessor& coprocessor);

}  // namespace tensim::tensix::units
