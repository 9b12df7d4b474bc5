// Where the model is more than a tenth off a figure measured on a card, and why. `make silicon` compares them all; a
// test holds this list to it: every row that is off is named here, is not off by more than it says here, and an entry
// none of whose rows is off any more has to go.
#pragma once

#include <array>
#include <string_view>

#include "arch/arch.hpp"

namespace tensim::timing {

/// Rows of data/silicon by unit, probe and threads; `*` stands for any text.
struct SiliconException {
  ArchSet archs;
  std::string_view unit = {};
  std::string_view probe = {};
  std::string_view threads = {};
  double most_percent = 0;
  std::string_view why = {};
};

inline constexpr double silicon_tolerance_percent = 10;

constexpr auto silicon_exceptions() {
  constexpr ArchSet both = ArchSet(Arch::wormhole) | ArchSet(Arch::blackhole);
  return std::array{
      SiliconException{Arch::wormhole, "RV_LSU", "rv_store_*", "T0+T1*", 70,
                       "stores of three cores meet at banks and ports in an order of their own"},
      SiliconException{Arch::wormhole, "RV_LSU", "rv_load_indep", "T0+T1+T2 on T[12]", 20,
                       "loads are not held up at a port of L1, which T1 and T2 share"},
      SiliconException{Arch::blackhole, "RV_LSU", "rv_load_indep", "T0+T1+T2 on T[12]", 30,
                       "loads are not held up at a port of L1, which T1 and T2 share"},
      SiliconException{Arch::blackhole, "RV(BRISC)", "retirebench load_ind", "*", 12,
                       "loads are not held up at a port of L1, here not by polls of NCRISC and T0"},
      SiliconException{
          Arch::wormhole, "TTQUEUE", "q_loop_adddmareg", "3 issuing threads, T[12], n=32", 20,
          "the card holds back the last of 32 pushes for the time of one instruction; bursts of 64 and more agree"},
      SiliconException{both, "TTQUEUE", "s_*", "*, n=4", 50,
                       "first bursts: code not in the cache, and threads leave the barrier apart; the card's own "
                       "spread is 6 cycles"},
      SiliconException{Arch::blackhole, "TTQUEUE", "s_co_sync", "2 issuing threads, T0, n=8", 20,
                       "threads leave the barrier apart; longer bursts agree"},
      SiliconException{both, "TTQUEUE", "q_*", "*, n=16", 60,
                       "first bursts: code not in the cache, and threads leave the barrier apart; the card's own "
                       "spread is 6 cycles"},
  };
}

}  // namespace tensim::timing
