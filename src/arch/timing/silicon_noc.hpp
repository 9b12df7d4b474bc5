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

consteval auto noc_fits() {
  constexpr ArchSet both = ArchSet(Arch::wormhole) | ArchSet(Arch::blackhole);
  return std::array{
      NocFit{Arch::wormhole, "nocbench hops", "*", "noc_hop_latency"},
      NocFit{Arch::wormhole, "hop latency", "*", "noc_hop_latency"},
      NocFit{both, "nocbench size", "*64 x 64 B*", "the program's length"},
      NocFit{both, "nocbench size", "*64 x 4096 B*", "noc_source_per_flit"},
      NocFit{both, "nocbench size", "*64 x 16384 B*", "noc_source_per_flit"},
      NocFit{both, "nocbench shared", "*; 2048B/share[1-7]*", "noc_vc_hand_over"},
  };
}

consteval auto noc_exceptions() {
  return std::array{
      NocException{Arch::wormhole, "dramrate fanchan-write", "*12 tiles*", 25, "placeholder"},
  };
}

}  // namespace tensim::timing
