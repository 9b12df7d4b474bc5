#include "noc/network_timing.hpp"

namespace tensim::noc {

using namespace tensim::literals;

NetworkTiming::NetworkTiming(const Timing& timing)
    : niu_issue(timing.whole<Cycle>("noc_niu_issue_latency"_cycles)),
      niu_to_router(timing.whole<Cycle>("noc_niu_to_router_latency"_cycles)),
      hop(timing.whole<Cycle>("noc_hop_latency"_cycles)),
      router_to_niu(timing.whole<Cycle>("noc_router_to_niu_latency"_cycles)),
      source_per_flit(timing["noc_source_per_flit"_cycles]),
      vc_hand_over(timing.whole<Cycle>("noc_vc_hand_over"_cycles)),
      reserve_answer_per_hop(timing.whole<Cycle>("noc_reserve_answer_per_hop"_cycles)),
      receive(timing.whole<Cycle>("noc_receive_latency"_cycles)) {}

}  // namespace tensim::noc
