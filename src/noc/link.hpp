// A link moves one flit a cycle. Packets on different VCs take turns on it, flit by flit: whoever has sent a flit goes behind
// the others, and so does whoever comes. Between two changes of who takes part the turns are known, so a link is asked only
// when one of its packets starts or ends.
//
// A packet may come in slower than it could go out. Its flits count as there, but for its last one: a packet that has sent
// all others stands aside until that has come.
#pragma once

#include <cstdint>
#include <vector>

#include "noc/torus.hpp"

namespace tensim::noc {

struct Transfer {
  std::int32_t leg = -1;        // what is sent (noc/network.hpp)
  std::int32_t onward = -1;     // what it becomes at the other end
  std::uint32_t remaining = 0;  // cycles of the link that it still needs
  std::uint8_t vc = 0;
  Cycle head = never;       // its first flit goes in this cycle
  Cycle tail_here = never;  // its last flit can go in this cycle at the earliest
};

class Link {
 public:
  /// From this cycle on it takes its turns. Returns the cycle in which its head goes.
  Cycle join(Cycle now, Transfer transfer);
  /// Where its head would go.
  Cycle join_time(Cycle now);
  /// The last flit of what is sent here can go in this cycle.
  void tail_comes(Cycle now, std::int32_t leg, Cycle tail_here);
  /// The cycle in which somebody has ended, stands aside or comes back, if nobody joins before.
  Cycle next_event() const { return next_event_; }
  /// Everything before this cycle has been sent. Adds to `ended` whose last flit went in the cycle before.
  void step(Cycle now, std::vector<Transfer>& ended);

 private:
  void bring_to(Cycle now);
  void stand_aside(Cycle now);
  void find_next_event();

  Cycle clock_ = 0;  // the first cycle that nobody has been given
  Cycle next_event_ = never;
  std::vector<Transfer> turns_;  // who is first, sends next
  std::vector<Transfer> aside_;
};

}  // namespace tensim::noc
