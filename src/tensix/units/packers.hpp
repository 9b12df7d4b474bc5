// Packers: Dst to L1. Four on Wormhole, one with four read interfaces on Blackhole (errata 43).
#pragma once

#include "tensix/types.hpp"

namespace tensim::tensix {

struct Packers {
  Cycle free_from = 0;  // first cycle in which another PACR is accepted
};

}  // namespace tensim::tensix
