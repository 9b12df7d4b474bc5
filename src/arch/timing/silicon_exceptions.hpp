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

consteval auto silicon_exceptions() {
  constexpr ArchSet both = ArchSet(Arch::wormhole) | ArchSet(Arch::blackhole);
  return std::array{
      SiliconException{
          Arch::wormhole, "RV_LSU", "rv_store_*", "T0+T1*", 70,
          "cores do not contend for L1 yet: T1 and T2 share a port, and a narrow store holds port and bank for "
          "five cycles"},
      SiliconException{Arch::wormhole, "RV_LSU", "rv_load_indep", "T0+T1+T2 on T[12]", 20,
                       "T1 and T2 do not contend for their L1 port yet"},
      SiliconException{Arch::blackhole, "RV_LSU", "rv_store_spread", "T0+T1*", 55,
                       "cores do not contend for L1 yet: T1 and T2 share a port"},
      SiliconException{Arch::blackhole, "RV_LSU", "rv_load_indep", "T0+T1+T2 on T[12]", 30,
                       "T1 and T2 do not contend for their L1 port yet"},
      SiliconException{Arch::blackhole, "RV(BRISC)", "retirebench store_spread", "*", 12,
                       "polls of NCRISC and T0 do not take turns with BRISC's stores at their L1 port yet"},
      SiliconException{Arch::blackhole, "RV(BRISC)", "retirebench load_ind", "*", 12,
                       "polls of NCRISC and T0 do not take turns with BRISC's loads at their L1 port yet"},
      SiliconException{
          Arch::wormhole, "RV_FETCH", "f_128", "*on T1", 21,
          "a line missing between lines that hit costs nothing on the card; here it costs what a jump does"},
      SiliconException{
          Arch::wormhole, "RV_FETCH", "*", "*on T1", 11,
          "a line that is not in the cache costs T1 1.6 cycles, T0 and T2 0.6; here one row serves them all"},
      SiliconException{
          Arch::wormhole, "PUSH", "tt_spread4", "*on T1", 11,
          "a line that is not in the cache costs T1 1.6 cycles, T0 and T2 0.6; here one row serves them all"},
      SiliconException{
          Arch::wormhole, "TTQUEUE", "q_loop_adddmareg", "3 issuing threads, T[12], n=32", 20,
          "the card holds back the last of 32 pushes for the time of one instruction; bursts of 64 and more agree"},
      SiliconException{both, "TTQUEUE", "s_*", "*, n=4", 50,
                       "first bursts: code not in the cache, and threads leave the barrier apart; the card's own "
                       "spread is 6 cycles"},
      SiliconException{both, "TTQUEUE", "q_*", "*, n=16", 50,
                       "first bursts: code not in the cache, and threads leave the barrier apart; the card's own "
                       "spread is 6 cycles"},
  };
}

}  // namespace tensim::timing
