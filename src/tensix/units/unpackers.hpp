// The two unpackers: L1 to SrcA, SrcB or Dst (UNPACR_Regular.md). They share one issue port and the address phase; then
// each moves its data, after waiting for its Src bank if need be (errata 40), and hands the bank over at the end.
#pragma once

#include <array>

#include "tensix/types.hpp"

namespace tensim::tensix {

struct Unpackers {
  struct Job {
    Cycle data_from = 0;  // after its address phase
    Cycle data_cycles = 0;
    unsigned record = 0;
    bool waits_for_bank = false;
    bool hands_over = false;
  };
  struct Pipe {
    unsigned jobs = 0;  // 0, 1 or 2: one moves data while the next computes its address
    std::array<Job, 2> job{};
    bool moving = false;
  };
  std::array<Pipe, 2> pipes{};
  bool is_active() const { return (pipes[0].jobs | pipes[1].jobs) != 0; }
  Cycle address_phase_until = 0;  // first cycle in which another UNPACR may start
};

}  // namespace tensim::tensix
