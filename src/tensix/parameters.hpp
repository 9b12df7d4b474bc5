// Numbers of the cycle model that a scenario may set: durations that depend on data nobody models yet. Each starts as
// an assumed figure.
#pragma once

#include "tensix/types.hpp"

namespace tensim::tensix {

struct Parameters {
  Cycle unpack_data_cycles = 16;    // data phase of an UNPACR
  Cycle pack_data_cycles = 16;      // how long a PACR stays in the packer
  Cycle mover_cycles = 11;          // how long an XMOV keeps the mover busy
  Cycle scalar_memory_cycles = 10;  // until a load's result or an atomic's answer is there
};

}  // namespace tensim::tensix
