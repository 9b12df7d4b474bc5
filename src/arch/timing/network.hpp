// Timing of the two NoCs between the NIUs of the tiles. What a constant was fitted to is said in docs/architecture/noc.md.
#pragma once

#include <array>

#include "arch/timing/row.hpp"

namespace tensim::timing {

consteval auto network() {
  using enum Evidence;
  using enum Role;
  return std::array{
      TimingRow{"noc",
                "noc_niu_issue_latency",
                parameter,
                "from a NIU taking up a packet to its head on the NIU's link",
                {10, assumed, "noc 7: within the 109 cycles that hops leave of a read"},
                {10, assumed, "noc 7: within the 118 cycles that hops leave of a read"},
                {2, 100}},
      TimingRow{"noc",
                "noc_niu_to_router_latency",
                parameter,
                "a flit, from NIU to router",
                {5, documented, "NoC/README.md, noc 7"},
                {5, documented, "NoC/README.md, noc 7"}},
      TimingRow{"noc",
                "noc_hop_latency",
                parameter,
                "a flit, from router to router",
                {8, measured, "noc 7, N10: slopes of 7.2 to 8.8"},
                {9, documented, "NoC/README.md; measured slopes of 8.65 to 9.1, noc 7"}},
      TimingRow{"noc",
                "noc_router_to_niu_latency",
                parameter,
                "a flit, from router to NIU",
                {5, documented, "NoC/README.md, noc 7"},
                {5, documented, "NoC/README.md, noc 7"}},
      TimingRow{"noc",
                "noc_source_per_flit",
                parameter,
                "a flit of a packet on a NIU's link; on all others it is one cycle",
                {1.022, measured, "nocbench size, less the time of one transaction"},
                {1.025, measured, "nocbench size, less the time of one transaction"},
                {1, 4, false}},
      TimingRow{"noc",
                "noc_vc_hand_over",
                parameter,
                "between two packets of a VC on a link between routers, or to a NIU",
                {7, assumed, "noc 8.1: fitted to dramrate fanchan and nocbench shared"},
                {3, assumed, "noc 8.1: fitted to dramrate fanchan-write and nocbench"},
                {0, 100}},
      TimingRow{"noc",
                "noc_reserve_answer_per_hop",
                parameter,
                "the answer to the reservation of a multicast's path, a hop back",
                {8, assumed, "noc 7: multicasts from inside, 16 cycles for each hop"},
                {7, assumed, "noc 7: multicasts from inside, 16 cycles for each hop"},
                {0, 100}},
      TimingRow{"dram",
                "dram_read_latency",
                ahead,
                "a read, above one of L1",
                {99, measured, "noc 8"},
                {126, measured, "noc 8"}},
      TimingRow{"dram",
                "dram_write_latency",
                ahead,
                "a write, above one of L1",
                {99, measured, "noc 8"},
                {22, measured, "noc 8"}},
      TimingRow{"dram",
                "dram_bank_per_64b",
                ahead,
                "of a bank, for 64 bytes",
                {2.883, measured, "dramrate onechan: 22.2 bytes a cycle"},
                {1.359, measured, "dramrate onechan: 47.1 bytes a cycle"}},
  };
}

}  // namespace tensim::timing
