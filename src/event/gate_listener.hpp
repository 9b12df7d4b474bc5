// Whoever wants to know what the gates of threads did in each cycle, and nothing else.
#pragma once

#include "event/happening.hpp"

namespace tensim::event {

class GateListener : public Listener {
 public:
  explicit GateListener(std::uint8_t wanted = wants_gates) : Listener(wanted) {}
  void happened(const Event& event) final {
    if (const auto* issue = std::get_if<Issued>(&event.what))
      issued(event.cycle(), issue->thread, issue->word, issue->origin);
    else if (const auto* hold = std::get_if<Held>(&event.what))
      held(event.cycle(), hold->count, hold->thread, hold->stall, hold->word);
  }

  virtual void issued(std::uint64_t cycle, unsigned thread, std::uint32_t word, std::uint32_t origin) = 0;
  virtual void held(std::uint64_t cycle, std::uint64_t count, unsigned thread, Stall stall, std::uint32_t word) = 0;
};

}  // namespace tensim::event
