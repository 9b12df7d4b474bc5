// Stores of the cores beside the transfers of units that are under way in L1 (tensix/l1_traffic.hpp).
#pragma once

#include "tensix/types.hpp"

namespace tensim::tensix {

struct Coprocessor;

/// A store of a core is at `bank` in `cycle`, through one of the cores' ports: whether it has to let a transfer pass that
/// is there in this cycle. Each gets one turn before it.
bool store_waits_for_transfer(Coprocessor& coprocessor, unsigned port, unsigned bank, Cycle cycle);
/// It begins, and holds bank and port for some cycles. Whether a transfer ends later for it.
bool store_holds_up_transfers(Coprocessor& coprocessor, unsigned port, unsigned bank, Cycle cycle, Cycle cycles);

}  // namespace tensim::tensix
