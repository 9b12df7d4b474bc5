// The NoC's and DRAM's rows of data/silicon: which constants were chosen by looking at which of them, and where the model is more
// than a fifth off and why. `make silicon` compares them all and gives the errors of fitted rows apart; a test holds the second
// list to what it sees. Docs: docs/hardware/silicon.md, part 10.
#pragma once

#include <array>
#include <string_view>

#include "arch/arch.hpp"

namespace tensim::timing {

/// Rows by probe and by "what is measured; conditions"; `*` stands for any text.
struct NocFit {
  ArchSet archs;
  std::string_view probe = {};
  std::string_view label = {};
  std::string_view constant = {};
};
struct NocException {
  ArchSet archs;
  std::string_view probe = {};
  std::string_view label = {};
  double most_percent = 0;
  std::string_view why = {};
};

inline constexpr double noc_tolerance_percent = 20;

/// The first entry that names a row counts. Rows that none names have been compared and nothing else, but for the rules of memory
/// (chip/dram.cpp), which were found with tt-metal noc_latencies of DRAM in sight.
constexpr auto noc_fits() {
  constexpr ArchSet both = ArchSet(Arch::wormhole) | ArchSet(Arch::blackhole);
  constexpr std::string_view program = "length of the guest program";
  return std::array{
      NocFit{Arch::wormhole, "nocbench hops", "*", "noc_hop_latency"},
      NocFit{Arch::wormhole, "hop latency", "*", "noc_hop_latency"},
      NocFit{both, "nocbench size", "*; 64 x 64 B*", program},
      NocFit{both, "nocbench size", "*; 64 x 512 B*", program},
      NocFit{both, "nocbench size", "*; 64 x 4096 B*", "noc_source_per_flit"},
      NocFit{both, "nocbench size", "*; 64 x 16384 B*", "noc_source_per_flit"},
      NocFit{both, "nocbench shared", "*; 64B/*", program},
      NocFit{Arch::wormhole, "nocbench shared", "*; 512B/share[23]*", "noc_vc_hand_over"},
      NocFit{both, "nocbench shared", "*; 512B/*", program},
      NocFit{both, "nocbench shared", "*/share[1234567]*", "noc_vc_hand_over"},
      NocFit{both, "nocbench endpoint", "*; N[234] *", "noc_vc_hand_over"},
      NocFit{both, "nocbench vc", "*flow B vc[01]", "noc_vc_hand_over"},
      NocFit{both, "dramrate fanchan-write", "*", "noc_vc_hand_over"},
      NocFit{both, "dramrate fanchan", "*", "dram_tile_read_requests"},
      NocFit{both, "dramrate onechan", "*", "dram_bank_per_64b"},
      NocFit{both, "tt-metal noc_latencies", "64 B read,*", "noc_receive_latency"},
      NocFit{Arch::blackhole, "tt-metal noc_latencies", "* write, different axis, 64 B;*", "dram_write_latency"},
  };
}

constexpr auto noc_exceptions() {
  return std::array{
      NocException{Arch::wormhole, "dramrate fanchan-write", "*, 12 tiles*", 25,
                   "many writers of DRAM are slower on the card, and no constant explains it: links carry a packet of "
                   "129 flits in 138 "
                   "cycles with two writers, 146 with eight, 133 here; writers of L1 do not show it (nocbench shared)"},
  };
}

}  // namespace tensim::timing
