// Vector Unit (SFPU): 32 lanes (VectorUnit.md). One instruction a cycle over all threads.
#pragma once

#include "tensix/types.hpp"

namespace tensim::tensix {

struct VectorUnit {
  Cycle only_nop_until = 0;  // SFPSWAP and some SFPSHFT2 bar everything but SFPNOP for a cycle
  Cycle result_from = 0;     // first cycle in which the result of the last two-cycle instruction can be read
  std::uint8_t result_lreg = 0;
  bool result_anywhere = false;  // it went to a register that the interlock does not know
};

}  // namespace tensim::tensix
