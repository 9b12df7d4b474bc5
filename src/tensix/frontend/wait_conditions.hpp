// STALLWAIT's conditions, by the bits of its mask: what each looks at.
#pragma once

#include "arch/arch.hpp"
#include "tensix/in_flight.hpp"
#include "tensix/types.hpp"

namespace tensim::tensix {

struct StallCondition {
  enum class Kind : std::uint8_t {
    occupied,       // an operation is in `where` or `also`
    src_clear,      // the unpackers do not own their bank of `src`
    src_valid,      // the Matrix Unit does not own its bank of `src`
    core_requests,  // the T core's requests to configuration and GPRs have not been processed
  };
  Kind kind = Kind::occupied;
  Occupancy where = Occupancy::scalar;
  Occupancy also = Occupancy::scalar;
  bool of_any_thread = false;  // otherwise of the thread that waits
  Src src = Src::a;
};

/// Null beyond the chip's conditions.
const StallCondition* stall_condition(Arch arch, unsigned bit);

}  // namespace tensim::tensix
