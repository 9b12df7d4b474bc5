// What happens when in a network, earliest first. The order of what happens in the same cycle is the same whatever the order
// in which it was put in.
#pragma once

#include <algorithm>
#include <functional>
#include <vector>

#include "noc/torus.hpp"

namespace tensim::noc {

struct Event {
  enum class Kind : std::uint8_t {
    link,  // `place` is a link: see Link::next_event()
    enter,  // a packet, `leg`, joins the ones its NIU has to send; `place` is the NIU's link, `order` its sequence number
    head,    // the head of `leg` can leave its router
    look,    // `place` is a VC of a link: somebody may have it now
    answer,  // `leg` has its path reserved
    room,    // `place` is the link to a NIU, `order` what the NIU has room for again, `leg` of which kind
  };
  Cycle time = 0;
  Kind kind = Kind::link;
  std::uint32_t place = 0;
  std::uint32_t order = 0;
  std::int32_t leg = -1;

  bool operator>(const Event& other) const { return time != other.time ? time > other.time : rank() > other.rank(); }

 private:
  /// Kind, place and order, in one number.
  std::uint64_t rank() const {
    return std::uint64_t{static_cast<std::uint8_t>(kind)} << 56U | std::uint64_t{place} << 32U | order;
  }
};

class EventQueue {
 public:
  void push(const Event& event) {
    heap_.push_back(event);
    std::ranges::push_heap(heap_, std::greater());
  }
  Cycle next() const { return heap_.empty() ? never : heap_.front().time; }
  Event pop() {
    std::ranges::pop_heap(heap_, std::greater());
    const Event event = heap_.back();
    heap_.pop_back();
    return event;
  }

 private:
  std::vector<Event> heap_;
};

}  // namespace tensim::noc
