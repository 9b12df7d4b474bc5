// A core's store that arrives at a bank of L1 in the coprocessor's current cycle.
#pragma once

#include "tensix/coprocessor.hpp"
#include "tensix/l1_traffic.hpp"
#include "tensix/l1_transfers.hpp"

namespace tensim::test {

inline constexpr unsigned first_port = 0;   // of B, T0 and NC
inline constexpr unsigned second_port = 1;  // of T1 and T2
inline constexpr tensix::Cycle narrow = 5;  // a store of less than 16 bytes

inline bool waits(tensix::Coprocessor& coprocessor, unsigned port, unsigned bank) {
  return tensix::store_waits_for_transfer(coprocessor, port, bank, coprocessor.now);
}
inline bool holds(tensix::Coprocessor& coprocessor, unsigned port, unsigned bank, tensix::Cycle cycles = narrow) {
  return tensix::store_holds_up_transfers(coprocessor, port, bank, coprocessor.now, cycles);
}

}  // namespace tensim::test
