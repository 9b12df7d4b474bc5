// The probes of data/silicon/tensix.csv that the coprocessor alone can express, run on the model: threads fed at one
// instruction a cycle, as the cards' loops of .ttinsn feed them (docs/hardware/silicon.md).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "arch/arch.hpp"
#include "isa/decode.hpp"
#include "tensix/coprocessor.hpp"
#include "tests/silicon/rows.hpp"

namespace tensim::silicon {

/// The Tensix instructions of a probe, once; nothing if the name is none of theirs.
std::vector<isa::Word> tensix_body(Arch arch, const std::string& probe);
/// "MVMUL [clean]" is MVMUL in a state of the card; so is "MVMUL src=bf16".
std::string instruction_of(const std::string& probe);
/// The matmul before the probe left T1's ADDR_MOD_0 with {srcb += 8, dest += 8} (docs/hardware/silicon.md).
bool walks_dst(const std::string& probe);
void let_t1_walk_dst(tensix::Coprocessor& coprocessor);
/// A bit per thread: "T0+T1", "T0,T1 issue concurrently", "T1 only".
unsigned threads_of(const Row& row);

/// What the coprocessor alone gives for the row; nothing if it cannot express it.
std::optional<double> measure_rate(const Row& row);

}  // namespace tensim::silicon
