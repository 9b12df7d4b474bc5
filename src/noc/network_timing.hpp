// The parameters of a network, worked out once from the rows of arch/timing/network.hpp.
#pragma once

#include "arch/timing.hpp"
#include "noc/torus.hpp"

namespace tensim::noc {

struct NetworkTiming {
  explicit NetworkTiming(const Timing& timing);
  bool operator==(const NetworkTiming&) const = default;

  Cycle niu_issue;
  Cycle niu_to_router;
  Cycle hop;
  Cycle router_to_niu;
  double source_per_flit;
  Cycle vc_hand_over;
  Cycle reserve_answer_per_hop;
  Cycle receive;  // behind the network, in the NIU

  /// A packet that its NIU takes up in cycle c does nothing before c + reaction(), and nothing comes out of the network
  /// because of it before c + lookahead().
  Cycle reaction() const { return niu_issue + niu_to_router - 1; }
  Cycle lookahead() const { return reaction() + router_to_niu - 1; }
  /// Cycles that a packet has its NIU's link for itself.
  std::uint32_t source_cycles(unsigned flits) const { return static_cast<std::uint32_t>(flits * source_per_flit); }
};

}  // namespace tensim::noc
