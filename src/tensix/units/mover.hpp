// Mover: bulk moves in the background (Mover.md). XMOV waits until it can start.
#pragma once

#include "tensix/types.hpp"

namespace tensim::tensix {

struct Mover {
  Cycle free_from = 0;
};

}  // namespace tensim::tensix
