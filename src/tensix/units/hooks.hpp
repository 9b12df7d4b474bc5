// What the cycle asks of single units beyond their operation rows.
#pragma once

#include <array>
#include <optional>

#include "tensix/operation.hpp"

namespace tensim::tensix::units {

/// All places an instruction occupies from its acceptance, as a mask over Occupancy: PACR names several packers.
unsigned occupancies(Arch arch, Word word, Occupancy declared);

/// Scalar Unit: at the start of the cycle after arithmetic was accepted.
void read_scalar_operands(Coprocessor& coprocessor);

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

/// Vector Unit: what SFPLOADMACRO has scheduled for this cycle, before the cycle's own instructions. `issues`: a thread
/// issues one to the Vector Unit.
void advance_vector(Coprocessor& coprocessor, bool issues);

/// Packers: the context of the address counters that PACR uses for `packer`.
unsigned pack_counters(const Coprocessor& coprocessor, const Candidate& candidate, unsigned packer);
/// Packers: the word of ADDR_MOD_PACK that PACR applies.
std::uint32_t pack_addr_mod(const Coprocessor& coprocessor, const Candidate& candidate);

/// Packers: what SETDMAREG reads of exponent histograms (sources 6, 7 and 9); nothing of other sources.
std::optional<std::array<std::uint32_t, 4>> exponent_statistics(const Coprocessor& coprocessor, unsigned source,
                                                                unsigned packer);

/// Packers: Dst is read and L1 written. The cycle in which that is due counts as an event: L1 changes in it.
void finish_pack(Coprocessor& coprocessor, unsigned packer);
Cycle next_packer_event(const Coprocessor& coprocessor);

}  // namespace tensim::tensix::units
