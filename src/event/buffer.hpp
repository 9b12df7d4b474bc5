// Events that have not been handed on yet: the stretch of a run that they are of may have to be repeated. They are handed on
// when it stands, and dropped when it is repeated.
#pragma once

#include <vector>

#include "event/observer.hpp"

namespace tensim::event {

class Buffer : public Observer {
 public:
  void issued(std::uint64_t cycle, unsigned thread, std::uint32_t word, std::uint32_t origin) override {
    events_.push_back({cycle, 0, word, origin, static_cast<std::uint8_t>(thread), Stall::issued});
  }
  void held(std::uint64_t cycle, std::uint64_t count, unsigned thread, Stall stall, std::uint32_t word) override {
    events_.push_back({cycle, count, word, 0, static_cast<std::uint8_t>(thread), stall});
  }

  void hand_on(Observer& to) {
    for (const Event& event : events_)
      if (event.stall == Stall::issued)
        to.issued(event.cycle, event.thread, event.word, event.origin);
      else
        to.held(event.cycle, event.count, event.thread, event.stall, event.word);
    drop();
  }
  void drop() { events_.clear(); }

 private:
  struct Event {
    std::uint64_t cycle;
    std::uint64_t count;  // of cycles held
    std::uint32_t word;
    std::uint32_t origin;
    std::uint8_t thread;
    Stall stall;
  };
  std::vector<Event> events_;
};

}  // namespace tensim::event
