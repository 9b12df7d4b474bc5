// What is known of a core that goes round a loop alone in its tile, and stores something else in every round
// (riscv/round.hpp, beat.cpp).
#pragma once

#include <cstdint>

#include "riscv/branch_predictor.hpp"
#include "riscv/round.hpp"
#include "riscv/spin.hpp"
#include "riscv/store_queue.hpp"
#include "tile/l1_ports.hpp"
#include "time/order.hpp"

namespace tensim::tile {

struct Beat {
  using Cycle = time::Cycle;
  enum class Stage : std::uint8_t {
    none,
    sought,  // the core is walked to where it began, to see whether all is as it was
    known,
  };
  static constexpr Cycle first_pause = 65'536;
  static constexpr Cycle longest_pause = Cycle{1} << 26U;

  Stage stage = Stage::none;
  unsigned core = 0;
  riscv::Round round;
  riscv::Lap lap;             // of several rounds, where a cache flushes itself in one of them
  Cycle until = 0;            // sought no longer than this
  Cycle pause = first_pause;  // after having been sought in vain
  Cycle sought_next = 0;
  Cycle left_out = 0;  // so far

  std::uint64_t rounds() const { return lap.retired / round.instructions; }

  // ---- how all was at the start of a lap ----
  bool has_start = false;
  Cycle at = 0;
  std::uint64_t retired = 0;
  riscv::CoreAccount account;
  riscv::LoopState state;
  riscv::StoreQueue stores;
  riscv::BranchPredictor predictor;
  L1Ports ports{Arch::wormhole};
};

}  // namespace tensim::tile
