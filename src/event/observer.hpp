// Whoever wants to know what happened in each cycle. With nobody attached it costs a test of a pointer a cycle.
#pragma once

#include <cstdint>

#include "event/stall.hpp"

namespace tensim::event {

class Observer {
 public:
  virtual ~Observer() = default;
  /// An instruction of `thread` passed its Wait Gate in `cycle`.
  virtual void issued(std::uint64_t cycle, unsigned thread, std::uint32_t word, std::uint32_t origin) = 0;
  /// None did, in `cycle` and the `count - 1` after it, for this reason. `word` stood at the gate, unless it was empty.
  virtual void held(std::uint64_t cycle, std::uint64_t count, unsigned thread, Stall stall, std::uint32_t word) = 0;
};

}  // namespace tensim::event
